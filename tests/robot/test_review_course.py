"""The course of a review: chances that are chances, parts that add up, weights that belong to the robots."""

import json
import random
from collections.abc import Iterator

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.engine import catalog
from pbem.engine.chance import DEAL, SeededChance
from pbem.engine.sheet import Sheet, State
from pbem.engine.values import replace
from pbem.robot.matches import steps, thinker
from pbem.robot.review import METHOD, Given, Played, Reviewing, begin, stored, usual
from pbem.robot.review.course import TurnWorth, parts
from pbem.robot.review.value import (
    FEATURES,
    FOLDER,
    SheetWeights,
    TurnWeights,
    Worth,
    at_end,
    chances,
    digest,
    weights_of,
)  # fmt: skip
from pbem.robot.thinking import Character

SECRET = random.Random("course").randbytes(32)
SEATS = ("red", "blue", "green")
EVEN = TurnWeights(40.0, (0.0,) * len(FEATURES), (1.0,) * len(FEATURES), (1.0, *(0.0,) * (len(FEATURES) - 1)), 8.0)
"""Points of everybody are what their robots expect, and 40 more."""


@pytest.fixture(scope="module")
def sheet() -> Sheet:
    return catalog.sheet("age-of-steam", "st_lucia")


@pytest.fixture(scope="module")
def weights(sheet: Sheet) -> SheetWeights:
    return SheetWeights(dict.fromkeys(range(2, 12), EVEN), "")


@pytest.fixture(scope="module")
def game(sheet: Sheet) -> tuple[list[State], Played]:
    """The positions of a game of quick robots, and its last orders."""
    seats = sheet.colours[:2]
    states = [sheet.start(seats, SeededChance(SECRET, DEAL), {}).state]
    last = {}
    players = dict.fromkeys(seats, thinker(Character("quick", budget=30, width=3)))
    for number, (seat, order, step) in enumerate(steps(sheet, players, states[0], SECRET, "course")):
        turn = sheet.turn(states[-1])
        last[turn] = Given(number, turn, seat, order)
        states.append(step.state)
    return states, Played(seats, (), list(last.values()))


@pytest.fixture(scope="module")
def course(sheet: Sheet, game: tuple[list[State], Played], weights: SheetWeights) -> tuple[TurnWorth, ...]:
    states, played = game
    reviewing = Reviewing(sheet, played, states.__getitem__, weights)
    while not reviewing.done:
        reviewing.step()
    return reviewing.review.course


def test_it_has_an_entry_for_every_turn_and_ends_with_what_was_reached(
    sheet: Sheet, game: tuple[list[State], Played], course: tuple[TurnWorth, ...]
) -> None:
    states, played = game
    assert [turn.turn for turn in course] == [0, *(order.turn for order in played.last)]
    assert course[-1].worths == at_end(sheet, states[-1])
    assert {worth.chance for worth in course[0].worths.values()} == {0.5}


def test_chances_are_of_one_whole_in_every_turn(course: tuple[TurnWorth, ...]) -> None:
    for turn in course:
        assert sum(worth.chance for worth in turn.worths.values()) == pytest.approx(1.0)


def test_the_parts_of_a_seat_add_up_to_its_points_also_when_they_were_stored(course: tuple[TurnWorth, ...]) -> None:
    raw = {"method": METHOD, "compared": [], "course": [turn.to_json() for turn in course]}
    for found in (course, stored(json.loads(json.dumps(raw)))[1]):
        for seat, part in parts(found).items():
            assert part.end == pytest.approx(found[-1].worths[seat].points, abs=1e-9)
            assert part.start == found[0].worths[seat].points


worths = st.builds(Worth, points=st.floats(-50, 200), chance=st.floats(0, 1))
turns = st.lists(
    st.builds(
        TurnWorth,
        turn=st.integers(0, 12),
        worths=st.fixed_dictionaries(dict.fromkeys(SEATS, worths)),
        expected=st.fixed_dictionaries(dict.fromkeys(SEATS, worths)),
    ),
    min_size=1,
    max_size=13,
)


@given(turns)
def test_parts_add_up_whatever_the_values_were(found: list[TurnWorth]) -> None:
    for seat, part in parts(found).items():
        assert part.end == pytest.approx(found[-1].worths[seat].points, abs=1e-9)


@given(st.dictionaries(st.sampled_from(SEATS), st.floats(-100, 300), min_size=1), st.floats(0.1, 60))
def test_more_points_are_a_better_chance(points: dict[str, float], temperature: float) -> None:
    found = chances(points, temperature)
    assert sum(found.values()) == pytest.approx(1.0)
    ranked = sorted(points, key=lambda seat: points[seat])
    assert [found[seat] for seat in ranked] == sorted(found.values())


def test_a_game_of_a_sheet_without_weights_has_no_course(sheet: Sheet, game: tuple[list[State], Played]) -> None:
    states, played = game
    reviewing = Reviewing(sheet, played, states.__getitem__, None)
    assert reviewing.done
    assert reviewing.review.course == ()


def test_weights_say_nothing_of_a_game_with_options_of_its_own(sheet: Sheet, game: tuple[list[State], Played]) -> None:
    states, played = game
    option = sheet.options()[0]
    assert usual(sheet, {})
    assert usual(sheet, {option.key: option.default})
    assert not any(usual(sheet, {option.key: choice}) for choice in option.choices if choice != option.default)
    assert begin(sheet, played, states.__getitem__).weights is not None
    assert begin(sheet, replace(played, last=()), states.__getitem__).weights is None


def shipped() -> Iterator[tuple[str, int]]:
    for path in sorted(FOLDER.glob("*.json")):
        name, _, players = path.stem.rpartition("-")
        yield name, int(players)


@pytest.mark.parametrize(("name", "players"), list(shipped()))
def test_weights_are_of_the_robots_that_play_on(name: str, players: int) -> None:
    """When this fails, robots have changed: run ``python -m bench.review --fit MAP PLAYERS``."""
    raw = json.loads((FOLDER / f"{name}-{players}.json").read_text("utf-8"))
    assert len(json.dumps(raw)) < 20_000
    assert digest(catalog.sheet("age-of-steam", name), players) == raw["robots"]
    found = weights_of(name, players)
    assert (found is not None) == raw["calibrated"]


def test_some_weights_are_shipped() -> None:
    assert any(weights_of(name, players) for name, players in shipped())
