"""Reads a build: its steps, up to the word that starts another order."""

from collections.abc import Callable, Mapping
from typing import Final

from pbem.age_of_steam.lexicon import by_colour
from pbem.age_of_steam.moves import Build, BuildLink, BuildStep, Exits, Lay, Urbanize
from pbem.age_of_steam.notation import OrderReader, OrderWord
from pbem.engine import say
from pbem.engine.reading import MOST_ORDERS, Span

SHAPES: Final = frozenset({"straight", "gentle", "curve", "acute", "sharp", "crossing", "coexist", "town"})
"""Words that may stand after the hex of a step and mean nothing: the segments decide the tile (R2)."""

OTHER_GAME: Final = ("track", "factory", "contract", "draw", "cash", "bonus")
"""Words that no place is called by, and orders of another game start with: they end a build, and are then refused."""
_BUILD = ("build STEP; STEP", "HEX SW-NE,N-S", "TOWN @SE,NW", "city LETTER TOWN", "link NAME-NAME", "max N", "more")


def read_build(reader: OrderReader, word: str) -> Build:
    """What follows ``build``."""
    if reader.word("nothing"):
        return Build()
    steps: list[BuildStep] = []
    ends = frozenset({*reader.vocabulary.orders, *OTHER_GAME})
    limit, more, count = None, False, 0
    while True:
        reader.usage = _BUILD
        if count == MOST_ORDERS:
            raise reader.bad(say("A build has at most {most} steps.", most=MOST_ORDERS))
        if limit is None and reader.word("max"):
            limit = reader.number()
        elif reader.word("more"):
            more = True
        else:
            word_of_step = reader.word(*reader.vocabulary.steps)
            steps.append(reader.vocabulary.steps[word_of_step](reader) if word_of_step else _read_track(reader))
        reader.end_order()
        count += 1
        if not reader.go_on_within(ends):
            return Build(tuple(steps), limit, more)


def _read_track(reader: OrderReader) -> Lay | Exits:
    place = reader.place_name("@", SHAPES | reader.lexicon.board.direction_words)
    reader.word(*SHAPES)
    if reader.symbol("@"):
        reader.usage = ("HEX @SE,NW",)
        return Exits(reader.meaning(place, reader.lexicon.town), _read_exits(reader))
    return _read_segments(reader, place)


def _read_exits(reader: OrderReader) -> tuple[str, ...]:
    edges = {reader.edge()}
    while reader.symbol(","):
        edges.add(reader.edge())
    reader.word(*SHAPES)
    return tuple(reader.lexicon.board.directions[edge] for edge in sorted(edges))


def _read_segments(reader: OrderReader, place: Span) -> Lay:
    reader.usage = ("HEX SW-NE,N-S",)
    hex_ = reader.meaning(place, reader.lexicon.hex)
    segments = {reader.segment()}
    while reader.symbol(","):
        segments.add(reader.segment())
    reader.word(*SHAPES)
    names = reader.lexicon.board.directions
    return Lay(hex_, tuple((names[a], names[b]) for a, b in sorted(segments)))


def _read_urbanize(reader: OrderReader) -> Urbanize:
    reader.usage = ("city LETTER TOWN",)
    letter = reader.here.text.upper()
    if len(letter) != 1 or not "A" <= letter <= "Z":
        raise reader.bad(say("The letter of a New City is expected here."))
    reader.one()
    label = reader.place(reader.lexicon.town, "", ("keep",))
    keep = _read_keep(reader) if reader.word("keep") else None
    reader.lexicon = reader.lexicon.with_city(letter, label)
    return Urbanize(letter, label, keep)


def _read_keep(reader: OrderReader) -> tuple[str, ...] | None:
    """The cubes kept, ``None`` for all."""
    reader.usage = "city LETTER NODE keep COLOUR COLOUR", "keep all", "keep none"
    match reader.word("all", "none"):
        case "all":
            return None
        case "none":
            return ()
    return by_colour(reader.colours())


def _read_link(reader: OrderReader) -> BuildLink:
    reader.usage = ("link NAME-NAME PRICE",)
    words = 0
    while not reader.ahead(words).closes:
        words += 1
    priced = words > 1 and reader.is_int(words - 1) and reader.ahead(words - 2).text != "-"
    name = reader.take(words - priced, say("The name of a special link is expected here."))
    return BuildLink(reader.meaning(name, reader.lexicon.link), reader.number() if priced else None)


BUILD = {
    "build": OrderWord(read_build, ("build STEP; STEP", "build nothing")),
    "done": OrderWord(lambda reader, word: Build(), ("done",)),
}
STEPS: Final[Mapping[str, Callable[[OrderReader], BuildStep]]] = {
    "city": _read_urbanize,
    "urbanize": _read_urbanize,
    "link": _read_link,
}
"""Words that steps of a build start with; any other step starts with a hex."""
