"""Answers that are played on several times with the same luck, and what may be said of them."""

import random
from collections.abc import Sequence

import pytest

from pbem import robot
from pbem.engine import Sheet, State, catalog
from pbem.engine.chance import SeededChance
from pbem.robot import tutor
from pbem.robot.tutor import Ending, PlayOut
from tests.every_map.games import deal

RUST_BELT = catalog.sheet("age-of-steam", "rust_belt")


def ends(*points: int | None) -> Sequence[Ending]:
    return [Ending(one, 1, 0) for one in points]


def late(sheet: Sheet, turns: int, players: int = 3) -> State:
    """The first question of one of the last turns of a game of plain robots."""
    state, luck = deal(sheet, players, 3), random.Random(3)
    while sheet.turn(state) < (sheet.turns(players) or 0) - turns + 1:
        moves = sheet.parse(state, robot.choose(sheet, state, luck, sense=1.0), {})
        state = sheet.play(state, sheet.to_act(state) or "", moves, SeededChance(b"late", sheet.place(state))).state
    return state


def played(sheet: Sheet, state: State, order: str, number: int) -> Ending:
    playing = PlayOut.begin(sheet, state, order, {}, number)
    while (end := playing.go_on()) is None:
        pass
    return end


def test_means_and_ranges_are_of_the_games_all_answers_have_in_common() -> None:
    best, other = tutor.compare({"issue 2": ends(50, 61, 9), "issue 3": ends(58, 72)})
    assert (best.order, best.points, best.lowest, best.highest, best.worse) == ("issue 3", 65, 58, 72, 0)
    assert (other.order, other.points, other.lowest, other.highest) == ("issue 2", 56, 50, 61)


@pytest.mark.parametrize(
    ("other", "worse"),
    [
        ((40, 60, 50, 70), 10),  # ten fewer each time, whatever the luck
        ((41, 59, 52, 68), 10),
        ((80, 40, 75, 45), 0),  # the same mean, but chance
        ((50, 70, 60, 80), 0),
    ],
)
def test_differences_go_by_pairs_and_what_may_be_chance_is_about_the_same(other: Sequence[int], worse: int) -> None:
    found = {"best": ends(50, 70, 60, 80), "other": ends(*other)}
    assert [one.worse for one in tutor.compare(found)] == [0, worse]


def test_who_is_out_of_every_game_comes_last_and_who_is_sometimes_has_no_points_then() -> None:
    found = tutor.compare({"out": ends(None, None), "debts": ends(-12, -10), "once": ends(None, 30)})
    assert [(one.order, one.points, one.out) for one in found] == [("once", 15, 1), ("debts", -11, 0), ("out", 0, 2)]


def test_one_game_each_is_no_ground_for_saying_that_an_answer_is_worse() -> None:
    assert [one.worse for one in tutor.compare({"a": ends(60), "b": ends(20)})] == [0, 0]
    assert tutor.compare({"a": ends(60), "b": ()}) == ()
    assert tutor.compare({}) == ()


def test_the_candidates_are_what_a_robot_likes_and_the_safe_order() -> None:
    state = late(RUST_BELT, 1)
    found = [order for order, _ in tutor.candidates(RUST_BELT, state, {})]
    assert len(set(found)) == len(found) <= tutor.SHOWN
    assert str(RUST_BELT.default(state)) in found


def test_the_same_number_is_the_same_luck_and_another_one_is_another() -> None:
    state = late(RUST_BELT, 2)
    orders = [order for order, _ in tutor.candidates(RUST_BELT, state, {})][:2]
    first = {(order, number): played(RUST_BELT, state, order, number) for order in orders for number in (0, 1)}
    assert first == {(order, number): played(RUST_BELT, state, order, number) for order, number in first}
    begun = [PlayOut.begin(RUST_BELT, state, order, {}, 1) for order in orders]
    assert len({one.luck for one in begun}) == 1
    assert PlayOut.begin(RUST_BELT, state, orders[0], {}, 0).luck != begun[0].luck


def test_what_is_hidden_does_not_change_what_is_found() -> None:
    """Two positions that look the same to who answers are played on in the same way."""
    sheet = catalog.sheet("steam-power", "ireland")
    state = deal(sheet, 3, 3)
    seat = sheet.to_act(state) or ""
    other = next(
        dealt
        for number in range(9)
        if sheet.encode(dealt := sheet.dealt_anew(state, seat, SeededChance(b"x", str(number)))) != sheet.encode(state)
    )
    assert sheet.position(other, seat) == sheet.position(state, seat)
    found = [tutor.candidates(sheet, one, {}) for one in (state, other)]
    assert found[0] == found[1]
    begun = [PlayOut.begin(sheet, one, found[0][0][0], {}, 3) for one in (state, other)]
    assert sheet.encode(begun[0].state) == sheet.encode(begun[1].state)
