"""Reads orders about cubes: deliveries with their alternatives, and Production."""

from __future__ import annotations

import re
from typing import Final

from pbem.age_of_steam.lexicon import COLOURS, by_colour
from pbem.age_of_steam.moves import (
    Deliver,
    Hop,
    Lift,
    Loco,
    Origin,
    Pass,
    Produce,
    ProduceAt,
    ProduceColours,
    ProduceForm,
    Put,
)
from pbem.age_of_steam.order_reader import OrderReader
from pbem.engine.flow import FirstLegal, ListNumber
from pbem.engine.moves import Move, Seat
from pbem.engine.reading import MOST_ORDERS, Span
from pbem.engine.text import say

_MOVE = ("move COLOUR FROM > NODE > NODE", "move COLOUR FROM to NODE")
_AFTER_PLACE: Final = frozenset({"to", "bonus", "remove", "same"})
_COLUMN = re.compile(r"[A-Za-z][0-9]{0,2}")


def read_deliveries(reader: OrderReader, word: str) -> Move:
    """One of ``move``, ``lift``, ``loco``, ``pass`` and what may be played instead of it."""
    moves = [_read_delivery(reader, word)]
    while reader.symbol("|"):
        if len(moves) == MOST_ORDERS:
            raise reader.bad(say("An order has at most {most} alternatives.", most=MOST_ORDERS))
        reader.usage = ("ORDER | ORDER",)
        word = reader.keyword(
            ("move", "lift", "loco", "pass"), say("“move”, “lift”, “loco” or “pass” is expected here.")
        )
        moves.append(_read_delivery(reader, word))
    same = reader.word("same") is not None
    if same:
        reader.keyword(("income",), say("“income” is expected after “same”."))
    return FirstLegal(tuple(moves), same) if same or len(moves) > 1 else moves[0]


def _read_delivery(reader: OrderReader, word: str) -> Move:
    if word == "loco":
        return Loco()
    if word == "pass":
        return Pass()
    after = reader.ahead()
    if reader.is_int() and (after.closes or after.text == "|" or after.text.casefold() == "same"):
        return ListNumber(word, reader.number())
    return _read_lift(reader) if word == "lift" else _read_move(reader)


def _read_lift(reader: OrderReader) -> Lift:
    reader.usage = ("lift COLOUR CITY > CITY",)
    colour = reader.colour()
    start = reader.place(reader.lexicon.city, ">|")
    reader.need(">", say("“>” and the City the cube is lifted to are expected here."))
    return Lift(colour, start, reader.place(reader.lexicon.city, ">|", _AFTER_PLACE))


def _read_move(reader: OrderReader) -> Deliver:
    reader.usage = _MOVE
    colour, origin = reader.colour(), _read_origin(reader)
    hops: tuple[Hop, ...] = ()
    to = None
    if reader.word("to"):
        to = reader.place(reader.lexicon.city, ">|(", _AFTER_PLACE)
    else:
        hops = _read_hops(reader)
    bonus, remove = _read_extras(reader)
    return Deliver(colour, origin, hops, to, bonus, remove)


def _read_origin(reader: OrderReader) -> Origin:
    if not reader.word("at"):
        return Origin(reader.place(reader.lexicon.node, ">|(", _AFTER_PLACE))
    place = reader.place(reader.lexicon.hex, ">|(", _AFTER_PLACE | reader.direction_words)
    owner = reader.owner()
    edge = reader.edge() if reader.here.text.casefold() in reader.direction_words else None
    return Origin(place, True, owner, None if edge is None else reader.lexicon.board.directions[edge])


def _read_hops(reader: OrderReader) -> tuple[Hop, ...]:
    """At least one; a name that fits two places is a City where the delivery ends."""
    ways: list[tuple[Span, Seat | None]] = []
    reader.need(">", say("“>” and the next place on the way, or “to” and the last one, are expected here."))
    while not ways or reader.symbol(">"):
        ways.append((reader.place_name(">|(", _AFTER_PLACE), reader.owner()))
    lexicon, last = reader.lexicon, len(ways) - 1
    return tuple(
        Hop(reader.meaning(name, lexicon.city if index == last else lexicon.node), owner)
        for index, (name, owner) in enumerate(ways)
    )


def _read_extras(reader: OrderReader) -> tuple[Seat | None, str | None]:
    bonus = remove = None
    while extra := reader.word(*({"bonus"} if bonus is None else ()), *({"remove"} if remove is None else ())):
        if extra == "bonus":
            bonus = reader.player("|", ("remove", "same"))
        else:
            remove = reader.colour()
    return bonus, remove


def read_produce(reader: OrderReader, word: str) -> Move:
    """What follows ``produce``."""
    if form := reader.word("decline", "display"):
        return ProduceForm(form)
    if reader.here.text.casefold() == "city" and not reader.ahead().closes:
        reader.word("city")
        return ProduceAt(reader.place(reader.lexicon.city, ">"), city=True)
    if reader.is_int() and reader.ahead().closes and reader.here.text not in _towns(reader):
        return ListNumber(word, reader.number())
    if reader.here.text.casefold() not in (*COLOURS, "any"):
        return ProduceAt(reader.place(reader.lexicon.town, ">"))
    if reader.ahead().text == ">" or reader.here.text.casefold() == "any":
        return Produce(_read_puts(reader))
    return ProduceColours(by_colour(reader.colours()))


def _towns(reader: OrderReader) -> frozenset[str]:
    return frozenset(reader.lexicon.board.towns.values())


def _read_puts(reader: OrderReader) -> tuple[Put, ...]:
    puts = []
    while not reader.closed:
        colour = reader.word("any") or reader.colour()
        reader.need(">", say("“>” and a box of the display are expected here."))
        column = reader.here.text.upper()
        if not _COLUMN.fullmatch(reader.here.text):
            raise reader.bad(say("A column of the display is expected here, such as L3, D6 or A."))
        reader.one()
        puts.append(Put(colour, column, reader.number() if reader.symbol("/") else None))
    return tuple(puts)
