"""Reads orders of Steam Power; ``str`` of a move is what :func:`parse` reads back. What is legal is not asked here."""

from collections.abc import Callable, Mapping
from typing import Final

from pbem.engine import BadMove, Move, say
from pbem.engine.flow import FirstLegal
from pbem.engine.moves import Cancel, Resign
from pbem.engine.reading import MOST_ORDERS
from pbem.rails.names import Names
from pbem.rails.orders import BoardReader
from pbem.steam_power.moves import Bonus, Cash, Contract, Draw, Factory, Item, Operation, Place, Remove, Track
from pbem.steam_power.state import COLOURS

SHAPES: Final = ("straight", "gentle", "curve", "acute", "sharp", "crossing")
"""Words that may stand after the hex of an operation and mean nothing: the segment decides the tile."""


class OrderReader(BoardReader[Names]):
    cube_colours = COLOURS


def parse(text: str, names: Names) -> tuple[Move, ...]:
    """Read orders of any size, at least one. Raises :class:`BadMove` with the place of what cannot be read."""
    reader = OrderReader(text, names)
    moves: list[Move] = []
    while reader.next_order():
        if len(moves) == MOST_ORDERS:
            raise reader.bad(say("A submission has at most {most} orders.", most=MOST_ORDERS))
        moves.append(_read_alternatives(reader))
    if not moves:
        raise BadMove(say("There is no order. Orders look like “track H5 N-S; J5 N-SE”, “contract 12” or “cash”."))
    return tuple(moves)


def _read_alternatives(reader: OrderReader) -> Move:
    moves = [_read_order(reader)]
    while reader.symbol("|"):
        if len(moves) == MOST_ORDERS:
            raise reader.bad(say("An order has at most {most} alternatives.", most=MOST_ORDERS))
        moves.append(_read_order(reader))
    reader.end_order()
    return moves[0] if len(moves) == 1 else FirstLegal(tuple(moves))


def _read_order(reader: OrderReader) -> Move:
    reader.usage = ()
    read, reader.usage = ORDERS[reader.order_word(tuple(ORDERS))]
    return read(reader)


def _read_bonus(reader: OrderReader) -> Bonus:
    if reader.word("skip"):
        return Bonus(None)
    word = reader.keyword(
        ("track", "factory", "draw"), say("“track”, “factory”, “draw” or “skip” is expected after “bonus”.")
    )
    move = ORDERS[word][0](reader)
    if not isinstance(move, Track | Factory | Draw):
        raise AssertionError(f"{move} is no bonus")
    return Bonus(move)


# track ----------------------------------------------------------------------------------------------------


def _read_track(reader: OrderReader) -> Track:
    """Operations up to the word that starts another order."""
    operations = [_read_operation(reader)]
    while reader.go_on_within(frozenset(ORDERS)):
        if len(operations) == MOST_ORDERS:
            raise reader.bad(say("A track action has two operations at most."))
        operations.append(_read_operation(reader))
    return Track(tuple(operations))


def _read_operation(reader: OrderReader) -> Operation:
    if reader.word("remove"):
        return Remove()
    hex_ = reader.place(reader.lexicon.hex, "|", {*SHAPES, *reader.lexicon.board.direction_words})
    reader.word(*SHAPES)
    a, b = reader.segment()
    reader.word(*SHAPES)
    names = reader.lexicon.board.directions
    return Place(hex_, (names[a], names[b]))


# factory and contract -------------------------------------------------------------------------------------


def _read_factory(reader: OrderReader) -> Factory:
    words = ("1", "2", "3", "4", "5", "6")
    city = reader.place(reader.lexicon.node, "|", words)
    return Factory(city, reader.number() if reader.is_int() else None)


def _read_contract(reader: OrderReader) -> Contract:
    number = reader.number()
    if reader.word("option"):
        return Contract(number, option=reader.number())
    if reader.closed or reader.here.text == "|":
        return Contract(number)
    items = [_read_item(reader)]
    while reader.symbol(","):
        if len(items) == MOST_ORDERS:
            raise reader.bad(say("A contract needs no more than a few cubes."))
        items.append(_read_item(reader))
    return Contract(number, tuple(items))


def _read_item(reader: OrderReader) -> Item:
    colour = reader.colour()
    if reader.word("bank"):
        return Item(colour, None)
    source = reader.place(reader.lexicon.node, ",|", ("over",))
    owners = []
    if reader.word("over"):
        while not (reader.closed or reader.here.text in (",", "|")):
            owners.append(reader.meaning(reader.one(), reader.lexicon.seat))
        if not owners:
            raise reader.bad(say("The owners of the connections that are paid are expected here."))
    return Item(colour, source, tuple(sorted(owners, key=reader.lexicon.seats.index)))


ORDERS: Final[Mapping[str, tuple[Callable[[OrderReader], Move], tuple[str, ...]]]] = {
    "track": (_read_track, ("track HEX N-S; HEX N-SE", "track remove; HEX N-SE")),
    "factory": (_read_factory, ("factory CITY",)),
    "contract": (_read_contract, ("contract N", "contract N COLOUR CITY over PLAYER, COLOUR bank")),
    "draw": (
        lambda reader: Draw(reader.player("|") if reader.word("from") else None),
        ("draw", "draw from PLAYER"),
    ),
    "cash": (lambda reader: Cash(), ("cash",)),
    "bonus": (_read_bonus, ("bonus track HEX N-S", "bonus factory CITY 6", "bonus draw", "bonus skip")),
    "cancel": (lambda reader: Cancel(), ("cancel",)),
    "resign": (lambda reader: Resign(), ("resign",)),
}
"""By the word an order starts with: what reads the rest, and how it may be written."""
