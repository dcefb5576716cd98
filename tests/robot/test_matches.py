"""Robots against each other: seats rotate, the same seed plays the same games, and the figures are what they say."""

import random
from statistics import NormalDist

import pytest

from pbem import robot
from pbem.engine import Sheet, State, catalog
from pbem.engine.chance import SeededChance
from pbem.robot import tutor
from pbem.robot.matches import CLASSIC, Played, Player, chairs, classic, contenders, pair, play, tallies, wilson
from pbem.robot.thinking import CHARACTERS
from pbem.robot.tutor import Ending
from tests.every_map.games import deal

SHEET = catalog.sheet("age-of-steam", "rust_belt")


def test_every_robot_and_the_classic_one_can_be_named_the_weakest_first() -> None:
    first, *others = contenders()
    assert (first, others[-len(CHARACTERS) :]) == (CLASSIC, list(CHARACTERS))


def test_each_kind_has_every_seat_once_in_as_many_games_as_there_are_seats(monkeypatch: pytest.MonkeyPatch) -> None:
    sat: list[tuple[str, ...]] = []

    def noted(kind: str) -> Player:
        def decide(sheet: Sheet, state: State, seed: str) -> str:
            at[sheet.to_act(state) or ""] = kind
            return classic(sheet, state, seed)

        return decide

    kinds = ("a", "b", "c")
    monkeypatch.setattr("pbem.robot.matches.contenders", lambda: {kind: noted(kind) for kind in kinds})
    for number in range(3):
        at: dict[str, str] = {}
        play(SHEET, kinds, "seats", number)
        sat.append(tuple(at[colour] for colour in SHEET.colours[:3]))
    assert sat == [("a", "b", "c"), ("b", "c", "a"), ("c", "a", "b")]


def test_the_same_seed_plays_the_same_game_and_another_one_another() -> None:
    def scores(seed: str) -> list[int | None]:
        return [seat.score for seat in play(SHEET, (CLASSIC,) * 3, seed, 0)]

    assert scores("one") == scores("one") != scores("two")


def test_a_game_ends_with_one_line_for_each_seat_and_one_win() -> None:
    played = play(SHEET, (CLASSIC,) * 3, "one", 0)
    assert len(played) == 3
    assert sum(seat.won for seat in played) == pytest.approx(1)
    assert all(seat.seconds for seat in played)


def test_wins_that_are_shared_count_in_parts_and_the_bankrupt_have_no_points() -> None:
    games = dict(
        enumerate(
            [
                [Played("clara", 50, 0.5, (0.25,)), Played(CLASSIC, 50, 0.5, (0.5,)), Played(CLASSIC, None, 0, ())],
                [Played("clara", 30, 0, (0.75,)), Played(CLASSIC, 60, 1, (1.0,)), Played(CLASSIC, 10, 0, (1.0,))],
            ]
        )
    )
    clara, classic = tallies(("clara", CLASSIC, CLASSIC), games)
    assert (clara.kind, clara.seats, clara.games, clara.wins, clara.share) == ("clara", 1, 2, 0.5, 0.25)
    assert (classic.seats, classic.games, classic.wins, classic.bankruptcies) == (2, 2, 1.5, 1)
    assert (clara.mean, clara.quartiles) == (40, (35, 40, 45))
    assert classic.mean == 40
    assert clara.seconds == [0.25, 0.75]


def test_a_lead_is_counted_by_deals_and_the_bankrupt_count_as_less_than_nothing() -> None:
    def game(mine: int, other: int | None) -> list[Played]:
        return [Played("clara", mine, 1, ()), Played(CLASSIC, other, 0, ())]

    games = {0: game(50, 40), 1: game(40, 50), 2: game(30, None), 3: game(30, None)}
    clara, classic = tallies(("clara", CLASSIC), games)
    assert clara.lead is not None
    assert classic.lead is not None
    assert (clara.lead.value, clara.lead.error) == pytest.approx((27.5, 27.5)), "0 in the first deal, 55 in the second"
    assert classic.lead.value == -clara.lead.value


def test_games_of_one_deal_begin_alike_and_those_of_another_do_not() -> None:
    begun: list[State] = []

    def noted(sheet: Sheet, state: State, seed: str) -> str:
        if sheet.turn(state) == 1 and sheet.phase(state) == "issue_shares":
            begun.append(state)
        return classic(sheet, state, seed)

    with pytest.MonkeyPatch.context() as patched:
        patched.setattr("pbem.robot.matches.contenders", lambda: {"a": noted, "b": noted})
        starts = []
        for number in range(3):
            begun.clear()
            play(SHEET, ("a", "b", "b"), "deals", number)
            starts.append(begun[0])
        begun.clear()
        play(SHEET, ("a", "b", "b"), "deals", 3)
    assert starts[0] == starts[1] == starts[2] != begun[0]


def test_every_place_is_counted_with_its_points_and_dollars() -> None:
    found = chairs([play(SHEET, (CLASSIC,) * 3, "one", number) for number in range(2)])
    assert [chair.place for chair in found] == [0, 1, 2]
    assert all(chair.cash is not None and chair.cash.value >= 0 for chair in found)


def test_an_order_is_worth_as_much_as_itself_and_more_than_a_foolish_one() -> None:
    state = deal(SHEET, 3, 3)
    sits = dict.fromkeys(SHEET.colours[:3], CLASSIC)
    assert pair(SHEET, state, ("issue 2", "issue 2"), sits, "seed", 0) == 0
    foolish = [pair(SHEET, state, ("issue 2", "issue 13"), sits, "seed", number) for number in range(2)]
    assert sum(foolish) > 0


def test_a_kind_that_was_always_bankrupt_has_no_mean() -> None:
    (broke,) = tallies((CLASSIC,), {0: [Played(CLASSIC, None, 0, ())]})
    assert (broke.mean, broke.quartiles, broke.share) == (None, None, 0)


@pytest.mark.parametrize(("wins", "games"), [(0, 4), (4, 4), (150, 300), (75, 300), (1, 1)])
def test_the_interval_holds_the_shares_that_such_a_result_does_not_speak_against(wins: int, games: int) -> None:
    """Wilson: at its ends the result lies 1.96 standard deviations away."""
    share = wins / games
    distance = NormalDist().inv_cdf(0.975)
    for edge in wilson(share, games):
        if 0 < edge < 1:
            assert abs(share - edge) == pytest.approx(distance * (edge * (1 - edge) / games) ** 0.5, rel=1e-3)
        else:
            assert edge == share
    assert wilson(0, 0) == (0, 1)


def late(sheet: Sheet, phase: str) -> State:
    """The first question of this phase in the last turn of a game of plain robots."""
    state, luck = deal(sheet, 3, 3), random.Random(3)
    while (sheet.turn(state), sheet.phase(state)) != (sheet.turns(3), phase):
        moves = sheet.parse(state, robot.choose(sheet, state, luck, sense=1.0), {})
        chance = SeededChance(b"late", sheet.place(state))
        state = sheet.play(state, sheet.to_act(state) or "", moves, chance).state
    return state


@pytest.mark.parametrize("phase", ["issue_shares", "turn_order", "select_actions", "build_track", "move_goods"])
def test_answers_are_legal_and_the_best_comes_first(phase: str) -> None:
    sheet = catalog.sheet("age-of-steam", "rust_belt")
    state = late(sheet, phase)
    found = tutor.answers(sheet, state, {})
    assert 1 <= len(found) <= tutor.SHOWN
    assert len({answer.order for answer in found}) == len(found)
    for answer in found:
        assert tutor.ending(sheet, state, answer.order, {}).place in (1, 2, 3)
    alive = [answer.ending.lead for answer in found if answer.ending.points is not None]
    assert alive == sorted(alive, reverse=True)
    assert found == tutor.answers(sheet, state, {})


def test_whoever_is_out_of_the_game_comes_last() -> None:
    out, poor = Ending(None, 3, -10), Ending(-12, 3, -40)
    assert min([out, poor], key=tutor._rank) == poor
