"""A game that was dealt elsewhere begins as its record says; what the record lacks is as the map deals it."""

import json
from typing import Any

import pytest

from pbem.age_of_steam.game import AgeOfSteam
from pbem.age_of_steam.setup import MOST_CUBES
from pbem.age_of_steam.state import State
from pbem.engine.chance import SeededChance
from pbem.engine.sheet import BadOpening
from tests.age_of_steam.table import RUST_BELT, SIX, sheet_of

SEATS = SIX[:4]
KEYS = ("order", "players", "cubes", "display", "bag", "accepts")
FIGURES = ("cash", "income", "shares", "engine")


def dealt(sheet: AgeOfSteam, seed: bytes, opening: dict[str, Any] | None = None) -> State:
    return sheet.start(SEATS, SeededChance(seed, "deal"), {}, opening).state


def parts(state: State) -> dict[str, Any]:
    """The parts of a position that an opening tells, as a record has them."""
    told = {
        "order": state.order,
        "players": {seat: {key: getattr(player, key) for key in FIGURES} for seat, player in state.players.items()},
        "cubes": dict(state.cubes),
        "display": dict(state.display),
        "bag": dict(state.bag),
        "accepts": dict(state.accepts),
    }
    found: dict[str, Any] = json.loads(json.dumps(told))
    return found


def opening(sheet: AgeOfSteam = RUST_BELT, **changed: Any) -> dict[str, Any]:
    """What was dealt elsewhere: with richer players, and changed where a test says so."""
    told = parts(dealt(sheet, b"elsewhere"))
    for number, figures in enumerate(told["players"].values()):
        figures |= {"cash": 11 + number, "income": number, "shares": 3 + number, "engine": 1 + number % 2}
    return told | changed


@pytest.mark.parametrize("slug", ["rust_belt", "germany"])
@pytest.mark.parametrize("key", KEYS)
def test_each_part_of_an_opening_counts_and_each_that_is_missing_is_dealt_here(slug: str, key: str) -> None:
    sheet = sheet_of(slug)
    told, here = opening(sheet), parts(dealt(sheet, b"here"))
    assert parts(dealt(sheet, b"here", {key: told[key]})) == here | {key: told[key]}
    without = {name: value for name, value in told.items() if name != key}
    assert parts(dealt(sheet, b"here", without)) == told | {key: here[key]}


def test_a_place_without_cubes_and_a_colour_that_the_bag_lacks_are_left_out() -> None:
    told = opening()
    state = dealt(RUST_BELT, b"here", told | {"cubes": told["cubes"] | {"A2": []}, "bag": told["bag"] | {"red": 0}})
    assert "A2" not in state.cubes
    assert "red" not in state.bag


def test_cubes_of_all_six_colours_may_lie_on_the_board() -> None:
    cubes = {"A2": ["red", "blue", "purple", "yellow", "black", "white"]}
    assert dealt(RUST_BELT, b"here", opening(cubes=cubes)).cubes == {"A2": tuple(cubes["A2"])}


def boxes(number: int) -> dict[str, list[None]]:
    """A display whose first column has so many boxes."""
    return {column: [None] * len(rows) for column, rows in opening()["display"].items()} | {"L1": [None] * number}


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"order": 7}, "cannot be read"),
        ({"order": SEATS[:3]}, "does not name every player once"),
        ({"order": [*SEATS[:3], SEATS[0]]}, "does not name every player once"),
        ({"players": {"pink and blue": dict.fromkeys(FIGURES, 1)}}, "pink and blue”?, who does not play"),
        ({"cubes": {"ZZ9": ["red"]}}, "ZZ9”?, which is not on this map"),
        ({"accepts": {"ZZ9": ["red"]}}, "ZZ9”?, which is not on this map"),
        ({"display": {}}, "does not fill the columns of the display"),
        ({"display": boxes(2)}, "fills column L1 with 2 boxes instead of 3"),
        ({"display": boxes(4)}, "fills column L1 with 4 boxes instead of 3"),
    ],
)
def test_an_opening_that_does_not_fit_is_refused_with_the_reason(changed: dict[str, Any], why: str) -> None:
    with pytest.raises(BadOpening, match=why):
        dealt(RUST_BELT, b"here", opening(**changed))


def test_an_opening_has_at_most_its_number_of_cubes_on_the_board() -> None:
    told = opening(cubes={"A2": ["red"] * MOST_CUBES}, accepts={})
    assert len(dealt(RUST_BELT, b"here", told).cubes["A2"]) == MOST_CUBES == 1000
    told["accepts"] = {"A2": ["red"]}
    with pytest.raises(BadOpening, match="more than"):
        dealt(RUST_BELT, b"here", told)


@pytest.mark.parametrize(("figure", "least", "most"), [("cash", -1000, 1000), ("bag", 0, 1000)])
def test_a_figure_of_an_opening_has_at_most_four_digits(figure: str, least: int, most: int) -> None:
    """A thousand is far more than any game has, and small enough to be reckoned with."""

    def told(number: int) -> dict[str, Any]:
        if figure == "bag":
            return {"bag": {"red": number}}
        return {"players": {SEATS[0]: dict.fromkeys(FIGURES, number)}}

    for number in (least, most):
        dealt(RUST_BELT, b"here", told(number))
    for number in (least - 1, most + 1):
        with pytest.raises(BadOpening, match="cannot be read"):
            dealt(RUST_BELT, b"here", told(number))
