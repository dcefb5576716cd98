"""A position in which orders are read, and what the tests of the notation do with it."""

from __future__ import annotations

from dataclasses import replace
from importlib import resources
from pathlib import Path

import pytest

from pbem.age_of_steam.lexicon import Lexicon
from pbem.age_of_steam.moves import Deliver, Hop, Origin
from pbem.age_of_steam.notation import parse
from pbem.engine.moves import BadMove, Move
from pbem.rails.board import Connection, load_board

RUST_BELT = load_board(Path(str(resources.files("maps").joinpath("rust_belt/board.toml"))))
TYPED = Lexicon(
    board=replace(
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
POINTY = replace(TYPED, board=replace(RUST_BELT, orientation="pointy-top"))
TWO_JACKSONS = replace(
    TYPED,
    board=replace(RUST_BELT, towns={"C0": "Jackson"}, cities={"L7": replace(RUST_BELT.cities["L7"], name="Jackson")}),
)


def read(text: str, lexicon: Lexicon = TYPED) -> Move:
    (move,) = parse(text, lexicon)
    return move


def bad(text: str, lexicon: Lexicon = TYPED) -> BadMove:
    with pytest.raises(BadMove) as caught:
        parse(text, lexicon)
    return caught.value


def move(colour: str, origin: str, *hops: str) -> Deliver:
    return Deliver(colour, Origin(origin), tuple(map(Hop, hops)))
