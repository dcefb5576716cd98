"""The course of a review: chances that are chances, parts that add up, weights that belong to the robots."""

import json
import random
from collections.abc import Iterator
from itertools import pairwise

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.engine import Sheet, State, catalog, replace
from pbem.engine.chance import DEAL, SeededChance
from pbem.robot import choose, review
from pbem.robot.matches import steps, thinker
from pbem.robot.review import METHOD, Given, Played, Reviewing, begin, stored, usual
from pbem.robot.review.comparisons import FIRST_PAIRS, Comparison, Continuation
from pbem.robot.review.course import ENDS, Course, OrderWorth, Worths, by_turn, events, parts
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
ORDERS = 25
"""Of each game by chance."""
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
    """The positions of a game of quick robots, and its orders."""
    seats = sheet.colours[:2]
    states = [sheet.start(seats, SeededChance(SECRET, DEAL), {}).state]
    orders = []
    players = dict.fromkeys(seats, thinker(Character("quick", budget=30, width=3)))
    for number, (seat, order, step) in enumerate(steps(sheet, players, states[0], SECRET, "course")):
        orders.append(Given(number, sheet.turn(states[-1]), seat, order))
        states.append(step.state)
    return states, Played(seats, (), orders)


@pytest.fixture(scope="module")
def course(sheet: Sheet, game: tuple[list[State], Played], weights: SheetWeights) -> Course:
    states, played = game
    reviewing = Reviewing(sheet, played, states.__getitem__, weights)
    while not reviewing.done:
        reviewing.step()
    return reviewing.review.course


def test_it_has_an_entry_for_every_order_and_ends_with_what_was_reached(
    sheet: Sheet, game: tuple[list[State], Played], course: Course
) -> None:
    states, played = game
    assert [(one.number, one.player) for one in course[1:]] == [(one.number, one.player) for one in played.orders]
    assert course[-1].worths == at_end(sheet, states[-1])
    assert [turn for turn, _ in by_turn(course)] == [0, *dict.fromkeys(one.turn for one in played.orders)]
    assert {worth.chance for worth in by_turn(course)[0][1].values()} == {0.5}
    assert sum(part.deal for part in parts(course).values()) == pytest.approx(0.0, abs=1e-5)


def test_chances_are_of_one_whole_after_every_order(course: Course) -> None:
    for one in course:
        assert sum(worth.chance for worth in one.worths.values()) == pytest.approx(1.0, abs=1e-5)


def adds_up(course: Course) -> None:
    for seat, part in parts(course).items():
        assert part.end == pytest.approx(course[-1].worths[seat].points, abs=1e-9)
        assert part.start == course[0].expected[seat].points


def test_the_parts_of_a_seat_add_up_to_its_points_also_when_they_were_stored(course: Course) -> None:
    raw = {"method": METHOD, "compared": [], "orders": [one.to_json() for one in course], "whole": True}
    known = stored(json.loads(json.dumps(raw)))[1]
    assert list(known) == list(course)
    adds_up(course)
    assert parts(known) == parts(course)


@pytest.mark.parametrize(("map_", "players"), [("st_lucia", 2), ("rust_belt", 3), ("southern_us", 3)])
def test_parts_add_up_in_games_by_chance_on_several_maps(map_: str, players: int, weights: SheetWeights) -> None:
    sheet, luck = catalog.sheet("age-of-steam", map_), random.Random(f"parts {map_}")
    seats, secret = sheet.colours[:players], luck.randbytes(32)
    states = [sheet.start(seats, SeededChance(secret, DEAL), {}).state]
    orders = []
    by_chance = dict.fromkeys(seats, lambda sheet, state, seed: choose(sheet, state, luck, sense=0.5))
    for number, (seat, order, step) in enumerate(steps(sheet, by_chance, states[0], secret, "parts")):
        orders.append(Given(number, sheet.turn(states[-1]), seat, order))
        states.append(step.state)
        if len(orders) == ORDERS:
            break
    reviewing = Reviewing(sheet, Played(seats, (), orders), states.__getitem__, weights)
    while not reviewing.done:
        reviewing.step()
    assert len(reviewing.course) == len(orders) + 1
    lucky = {one.phase for one in reviewing.course if one.worths != one.expected}
    assert bool(lucky - {""}) == (map_ == "rust_belt"), "its goods growth is rolled in these orders"
    assert "build_track" not in lucky
    adds_up(reviewing.course)


worths = st.fixed_dictionaries(
    dict.fromkeys(SEATS, st.builds(Worth, points=st.floats(-50, 200), chance=st.floats(0, 1)))
)
courses = st.builds(
    lambda deal, orders: [deal, *orders],
    st.builds(OrderWorth, st.just(0), st.just(0), st.just(""), st.just(""), worths, worths),
    st.lists(
        st.builds(
            OrderWorth,
            number=st.integers(1, 300),
            turn=st.integers(1, 8),
            phase=st.sampled_from(["build_track", "move_goods"]),
            player=st.sampled_from(SEATS),
            worths=worths,
            expected=worths,
        ),
        max_size=40,
    ),
)


@given(courses)
def test_parts_add_up_whatever_the_values_were(found: list[OrderWorth]) -> None:
    adds_up(found)


@given(courses)
def test_own_decisions_of_all_together_are_nothing_beside_each_other(found: list[OrderWorth]) -> None:
    assert sum(part.own for part in parts(found).values()) == pytest.approx(0.0, abs=1e-9)


@given(courses)
def test_without_clear_decisions_a_game_turns_only_by_luck(found: list[OrderWorth]) -> None:
    for event in events(found, ()):
        assert event.decision is None
        assert abs(event.change) >= 0.05


@pytest.mark.parametrize("player", SEATS[:2])
@pytest.mark.parametrize("lead", [8.0, -8.0])
@pytest.mark.parametrize("moved", [0.2, -0.2])
def test_of_two_a_game_turns_for_who_decided_and_as_playing_on_has_shown(
    player: str, lead: float, moved: float
) -> None:
    def worths(own: float) -> Worths:
        return {seat: Worth(40.0, own if seat == player else 1 - own) for seat in SEATS[:2]}

    pairs = [(Continuation(lead, 0, 0, False, False), Continuation(0.0, 0, 0, False, False))] * FIRST_PAIRS
    decision = Comparison(1, 3, "build_track", player, "build nothing", "build A1", lead, pairs)
    after = OrderWorth(1, 3, "build_track", player, worths(0.5 + moved), worths(0.5 + moved))
    found = events([OrderWorth(0, 0, "", "", worths(0.5), worths(0.5)), after], [decision])
    assert decision.clear
    if (lead > 0) == (moved < 0):
        assert [(one.number, one.seat, one.change) for one in found] == [(1, player, moved)]
    else:
        assert found == []


@given(st.dictionaries(st.sampled_from(SEATS), st.floats(-100, 300), min_size=1), st.floats(0.1, 60))
def test_more_points_are_a_better_chance(points: dict[str, float], spread: float) -> None:
    found = chances(points, spread)
    assert sum(found.values()) == pytest.approx(1.0)
    ranked = sorted(points, key=lambda seat: points[seat])
    assert [found[seat] for seat in ranked] == pytest.approx(sorted(found.values()))


def test_a_game_of_a_sheet_without_weights_has_no_course(sheet: Sheet, game: tuple[list[State], Played]) -> None:
    states, played = game
    reviewing = Reviewing(sheet, played, states.__getitem__, None)
    assert reviewing.done
    assert reviewing.review.course == ()


def test_every_continuation_of_the_last_turn_counts_in_how_much_is_done(
    sheet: Sheet, game: tuple[list[State], Played], monkeypatch: pytest.MonkeyPatch
) -> None:
    states, played = game
    end = at_end(sheet, states[-1])
    monkeypatch.setattr(review, "continued", lambda *_: (end, end))
    last = played.orders[-1].turn
    weights = SheetWeights(dict.fromkeys(range(2, last + 1), EVEN), "")
    reviewing, done = Reviewing(sheet, played, states.__getitem__, weights), [0.0]
    while not reviewing.done:
        reviewing.step()
        done.append(reviewing.part)
    continued = sum(order.turn == last for order in played.orders) - 1
    assert len(done) - 1 == 1 + len(played.orders) + (ENDS - 1) * continued
    assert all(before < after for before, after in pairwise(done))


def test_weights_say_nothing_of_a_game_with_options_of_its_own(sheet: Sheet, game: tuple[list[State], Played]) -> None:
    states, played = game
    option = sheet.options()[0]
    assert usual(sheet, {})
    assert usual(sheet, {option.key: option.default})
    assert not any(usual(sheet, {option.key: choice}) for choice in option.choices if choice != option.default)
    assert begin(sheet, played, states.__getitem__).weights is not None
    assert begin(sheet, replace(played, orders=()), states.__getitem__).weights is None


def shipped() -> Iterator[tuple[str, int]]:
    for path in sorted(FOLDER.glob("*.json")):
        name, _, players = path.stem.rpartition("-")
        yield name, int(players)


@pytest.mark.parametrize(("name", "players"), list(shipped()))
def test_weights_are_of_the_robots_that_play_on(name: str, players: int) -> None:
    """When this fails, robots have changed: run ``python -m bench.review MAP PLAYERS``."""
    raw = json.loads((FOLDER / f"{name}-{players}.json").read_text("utf-8"))
    assert len(json.dumps(raw)) < 20_000
    assert digest(catalog.sheet("age-of-steam", name), players) == raw["robots"]
    found = weights_of(name, players)
    assert (found is not None) == raw["calibrated"]


def test_some_weights_are_shipped() -> None:
    assert any(weights_of(name, players) for name, players in shipped())
