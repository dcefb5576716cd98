"""Reads orders about cubes: deliveries, and Production."""

import re
from collections.abc import Callable, Sequence
from typing import Final

from pbem.age_of_steam.lexicon import COLOURS
from pbem.age_of_steam.moves import AUTO_LOCO, Always, Deliver, Hop, Loco, Origin, Pass, Produce, ProduceForm, Put
from pbem.age_of_steam.notation import EveryTurn, OrderReader, OrderWord
from pbem.engine import Move, Seat, Value, say
from pbem.engine.flow import ListNumber
from pbem.engine.reading import Span

_MOVE = ("move COLOUR FROM > NODE > NODE", "move COLOUR FROM by NODE, NODE to NODE", "move COLOUR FROM to NODE")
AFTER_PLACE: Final = frozenset({"by", "to", "bonus", "remove", "same"})
_WAY_EXPECTED: Final = say("“>” and the next place on the way, or “to” and the last one, are expected here.")
_GOAL_EXPECTED: Final = say("A comma and the next place on the way, or “to” and the last one, are expected here.")
_Way = Hop | tuple[Span, Seat | None]
_COLUMN = re.compile(r"[A-Za-z][0-9]{0,2}")


def read_number(reader: OrderReader, word: str) -> ListNumber | None:
    """The number of a line in a list that was sent, if this is one."""
    after = reader.ahead()
    if reader.is_int() and (after.closes or after.text == "|" or after.text.casefold() == "same"):
        return ListNumber(word, reader.number())
    return None


def _read_move(reader: OrderReader, word: str) -> Move:
    if number := read_number(reader, word):
        return number
    reader.usage = _MOVE
    colour, origin = reader.colour(), _read_origin(reader)
    hops: tuple[Hop, ...] = ()
    to = None
    if reader.word("to"):
        to = reader.place(reader.lexicon.city, ">|(", AFTER_PLACE)
    elif reader.word("by"):
        hops = _meant(reader, _read_by(reader))
    else:
        hops = _meant(reader, _read_hops(reader))
    bonus, remove = _read_extras(reader)
    return Deliver(colour, origin, hops, to, bonus, remove)


def _read_origin(reader: OrderReader) -> Origin:
    if not reader.word("at"):
        return Origin(reader.place(reader.lexicon.node, ">|(", AFTER_PLACE))
    place = reader.place(reader.lexicon.hex, ">|(", AFTER_PLACE | reader.lexicon.board.direction_words)
    owner = reader.owner()
    edge = reader.edge() if reader.here.text.casefold() in reader.lexicon.board.direction_words else None
    return Origin(place, True, owner, None if edge is None else reader.lexicon.board.directions[edge])


def _read_hops(reader: OrderReader) -> list[_Way]:
    """At least one."""
    ways: list[_Way] = []
    reader.need(">", _WAY_EXPECTED)
    while not ways or reader.symbol(">"):
        ways.append(_read_way(reader, ">|("))
    return ways


def _read_by(reader: OrderReader) -> list[_Way]:
    """What follows ``by``: places with commas between, and the last one behind ``to``."""
    ways = [_read_way(reader, ">|(,")]
    while reader.symbol(","):
        ways.append(_read_way(reader, ">|(,"))
    reader.keyword(("to",), _GOAL_EXPECTED)
    return [*ways, _read_way(reader, ">|(,")]


def _read_way(reader: OrderReader, symbols: str) -> _Way:
    return reader.hop() or (reader.place_name(symbols, AFTER_PLACE), reader.owner())


def _meant(reader: OrderReader, ways: Sequence[_Way]) -> tuple[Hop, ...]:
    """A name that fits two places is a City where the delivery ends."""
    lexicon, last = reader.lexicon, len(ways) - 1
    return tuple(
        [
            way
            if isinstance(way, Hop)
            else Hop(reader.meaning(way[0], lexicon.city if index == last else lexicon.node), way[1])
            for index, way in enumerate(ways)
        ]
    )


def _read_extras(reader: OrderReader) -> tuple[Seat | None, str | None]:
    bonus = remove = None
    if reader.closed:
        return None, None
    while extra := reader.word(*({"bonus"} if bonus is None else ()), *({"remove"} if remove is None else ())):
        if extra == "bonus":
            bonus = reader.player("|", ("remove", "same"))
        else:
            remove = reader.colour()
    return bonus, remove


class Production(Value):
    """A form of the order for Production: whether what follows is of this form, and how it is read."""

    usage: str
    fits: Callable[[OrderReader], bool]
    read: Callable[[OrderReader], Move]


def produce(*forms: Production) -> dict[str, OrderWord]:
    """The word ``produce`` with the forms that one map has; the last one reads what fits none."""

    def read(reader: OrderReader, word: str) -> Move:
        return next((form for form in forms if form.fits(reader)), forms[-1]).read(reader)

    return {"produce": OrderWord(read, tuple(form.usage for form in forms))}


def is_colour(reader: OrderReader) -> bool:
    """Whether a colour of cubes stands here, or ``any``."""
    return reader.here.text.casefold() in (*COLOURS, "any")


def _is_form(reader: OrderReader) -> bool:
    return reader.here.kind == "word" and reader.here.text.casefold() in ("decline", "display")


def _read_form(reader: OrderReader) -> ProduceForm:
    return ProduceForm(reader.keyword(("decline", "display"), say("“decline” or “display” is expected here.")))


def _is_number(reader: OrderReader) -> bool:
    towns = reader.lexicon.board.towns.values()
    return reader.is_int() and reader.ahead().closes and reader.here.text not in towns


def _read_puts(reader: OrderReader) -> Produce:
    puts = [_read_put(reader)]
    while not reader.closed:
        puts.append(_read_put(reader))
    return Produce(tuple(puts))


def _read_put(reader: OrderReader) -> Put:
    colour = reader.word("any") or reader.colour()
    reader.need(">", say("“>” and a box of the display are expected here."))
    column = reader.here.text.upper()
    if not _COLUMN.fullmatch(reader.here.text):
        raise reader.bad(say("A column of the display is expected here, such as L3, D6 or A."))
    reader.one()
    return Put(colour, column, reader.number() if reader.symbol("/") else None)


def _always_by_itself(reader: OrderReader, word: str) -> Always:
    if word != "auto":
        return Always({"autopass": "auto-pass", "autoloco": AUTO_LOCO}[word])
    reader.symbol("-")
    return Always(f"auto-{reader.keyword(('pass', 'loco'), say('“auto-pass” or “auto-loco” is expected here.'))}")


MOVE = {
    "move": OrderWord(_read_move, _MOVE, alternative=True),
    "loco": OrderWord(lambda reader, word: Loco(), ("loco",), alternative=True),
    "pass": OrderWord(lambda reader, word: Pass(), ("pass",), alternative=True),
}
ALWAYS_MOVING = {
    "auto-pass": EveryTurn(("auto", "autopass"), "always auto-pass", _always_by_itself),
    AUTO_LOCO: EveryTurn(("autoloco",), "always auto-loco", _always_by_itself),
}
FORM = Production("produce decline", _is_form, _read_form)
LINE = Production("produce N", _is_number, lambda reader: ListNumber("produce", reader.number()))
PUTS = Production("produce COLOUR>BOX COLOUR>BOX", is_colour, _read_puts)
