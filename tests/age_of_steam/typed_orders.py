"""A position in which orders are read, and what the tests of the notation do with it."""

import dataclasses
from importlib import resources
from pathlib import Path

import pytest

from maps.hungary.rules import COLOURS
from pbem.age_of_steam.bends import AT_CITY, AT_TOWN
from pbem.age_of_steam.game import AgeOfSteam
from pbem.age_of_steam.lexicon import Lexicon
from pbem.age_of_steam.moves import Deliver, Hop, Origin
from pbem.age_of_steam.notation import SHARED, OrderReader, Vocabulary, parse
from pbem.age_of_steam.notation_goods import FORM, LINE, PUTS, produce
from pbem.age_of_steam.phases.base import vocabulary as vocabulary_of
from pbem.engine import BadMove, Move, catalog, replace
from pbem.rails.board import Connection
from pbem.rails.drawing import load_board

RUST_BELT = load_board(Path(str(resources.files("maps").joinpath("rust_belt/board.toml"))))
TYPED = Lexicon(
    board=dataclasses.replace(
        RUST_BELT,
        connections={
            "1": Connection("1", "Midtown-Downtown", ("H13", "J15"), 6),
            "2": Connection("2", "Detroit-Toledo", ("H13", "K12"), 8),
        },
    ),
    seats=("red", "blue", "pink"),
    new_cities={"D": "K12"},
    names={"red": "Ana", "blue": "John Smith", "pink": "Dave"},
)


def vocabulary() -> Vocabulary:
    """The orders of all maps together, ``produce`` with every form that any of them has."""
    sheets = [sheet for sheet in catalog.sheets() if isinstance(sheet, AgeOfSteam)]
    sheets.sort(key=lambda sheet: sheet.slug != "rust_belt")
    forms = produce(FORM, AT_CITY, LINE, AT_TOWN, replace(PUTS, fits=_names_boxes), COLOURS)
    actions = dict.fromkeys(action for sheet in sheets for action in sheet.actions)
    return vocabulary_of([phase for sheet in sheets for phase in sheet.phases], tuple(actions), {**SHARED, **forms})


def _names_boxes(reader: OrderReader) -> bool:
    return reader.ahead().text == ">" or reader.here.text.casefold() == "any"


VOCABULARY = vocabulary()
POINTY = dataclasses.replace(TYPED, board=dataclasses.replace(RUST_BELT, orientation="pointy-top"))
TWO_JACKSONS = dataclasses.replace(
    TYPED,
    board=dataclasses.replace(
        RUST_BELT, towns={"C0": "Jackson"}, cities={"L7": replace(RUST_BELT.cities["L7"], name="Jackson")}
    ),
)


def read(text: str, lexicon: Lexicon = TYPED) -> Move:
    (move,) = parse(text, lexicon, VOCABULARY)
    return move


def bad(text: str, lexicon: Lexicon = TYPED) -> BadMove:
    with pytest.raises(BadMove) as caught:
        parse(text, lexicon, VOCABULARY)
    return caught.value


def move(colour: str, origin: str, *hops: str) -> Deliver:
    return Deliver(colour, Origin(origin), tuple(map(Hop, hops)))
