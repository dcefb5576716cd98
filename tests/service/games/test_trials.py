"""Trials: played by the rules of every game, without a trace in the database, and without what is hidden."""

import random

import pytest

from pbem import robot
from pbem.engine import Refused, Sheet
from pbem.robot.matches import BANKRUPT
from pbem.service import NotNow
from pbem.service.games import trials
from pbem.views.games import GameView
from tests import rows
from tests.table import NAMES, Table
from tests.views.test_views import SECRETIVE, told, twins, view

SHEETS = (
    ("age-of-steam", "rust_belt", 4),
    ("age-of-steam", "germany", 4),
    ("age-of-steam", "poland", 3),
    ("steam-power", "ireland", 3),
)


def play_on(trial: GameView, orders: int, luck: random.Random) -> GameView:
    """So many orders of robots for whoever is asked, or until the game is over."""
    for _ in range(orders):
        if not trial.waiting_for:
            break
        trial = trials.play(trial, robot.choose(trial.sheet, trial.state, luck))
    return trial


@pytest.mark.postgresql
@pytest.mark.parametrize(("game", "map", "people"), SHEETS, ids=[sheet[1] for sheet in SHEETS])
def test_trying_changes_no_row(table: Table, game: str, map: str, people: int) -> None:
    table.start(game=game, map=map, names=NAMES[:people])
    table.play()
    before = rows.everything(table.office)
    for at in (0, 1):
        for seat in table.view().seats:
            started = trials.begin(table.view(at), seat.seat, f"seed {seat.seat}")
            trial = play_on(started, 12, random.Random(at))
            assert len(trial.tried) == 12
            trials.to_send(trial, started)
    assert rows.everything(table.office) == before


def test_a_trial_can_be_played_to_the_end_of_the_game(table: Table) -> None:
    started = trials.begin(table.start(map="barbados", names=NAMES[:1]), "", "seed")
    trial = play_on(started, trials.MOST, random.Random(3))
    assert (trial.status, trial.waiting_for) == ("over", "")
    assert trial.standings
    with pytest.raises(NotNow, match="over"):
        trials.play(trial, "issue 0")
    with pytest.raises(NotNow, match="nobody’s turn"):
        trials.begin(trial, "", "seed")


def robots_play(trial: GameView, viewer: str) -> GameView:
    """Robots have played on, on a slow machine in several calls."""
    trial = trials.play_on(trial)
    while trial.waiting_for != viewer:
        trial = trials.play_on(trial)
    return trial


@pytest.mark.parametrize(("game", "map", "people"), SHEETS, ids=[sheet[1] for sheet in SHEETS])
def test_robots_play_on_until_the_viewer_is_asked_again(table: Table, game: str, map: str, people: int) -> None:
    started = table.start(game=game, map=map, names=NAMES[:people])
    viewer = started.waiting_for
    trial = trials.begin(started, viewer, "seed")
    for _ in range(3):
        after = robots_play(trial, viewer)
        between = after.log[len(trial.log) :]
        assert between[0].seat == trial.waiting_for
        assert viewer not in {move.seat for move in between[1:]}
        assert after.waiting_for == viewer
        trial = after
    other = trials.play(trials.begin(started, viewer, "seed"), trial.tried[0].orders)
    orders = [move.orders for move in robots_play(other, viewer).tried]
    assert orders == [move.orders for move in trial.tried[: len(orders)]]


def test_without_a_viewer_robots_play_on_until_the_turn_ends(table: Table) -> None:
    trial = trials.begin(table.start(map="barbados", names=NAMES[:1]), "", "seed")
    after, turn = trials.play_on(trial), trial.sheet.turn(trial.state)
    while after.sheet.turn(after.state) == turn:  # on a slow machine in several calls
        after = trials.play_on(after)
    assert {move.turn for move in after.tried} == {turn}
    assert after.sheet.turn(after.state) == trial.sheet.turn(trial.state) + 1
    while after.waiting_for:
        after = trials.play_on(after)
    with pytest.raises(NotNow, match="over"):
        trials.play_on(after)


def test_robots_expect_more_of_who_is_ahead_and_are_sure_at_the_end(table: Table) -> None:
    started = table.start(names=NAMES[:2], map="st_lucia")
    trial = trials.begin(started, started.waiting_for, "1")
    assert set(trials.expected(trial)) == {seat.seat for seat in started.seats}
    end = play_on(trial, trials.MOST, random.Random(3))
    assert end.status == "over"
    for line in end.standings:
        assert trials.expected(end)[line.seat] == (BANKRUPT if line.out else line.score)


def test_the_dice_of_a_trial_are_its_own(table: Table) -> None:
    """The same for the same seed, others for another one, and none of them those of the game."""
    started = table.start()
    outcomes = []
    for seed in ("one", "one", "two"):
        trial = play_on(trials.begin(started, started.waiting_for, seed), 40, random.Random(5))
        assert trial.trial is not None
        assert trial.trial.drew
        outcomes.append(told(trial.tried))
    assert outcomes[0] == outcomes[1] != outcomes[2]
    real = table.play_on(30)
    same = trials.begin(started, started.waiting_for, "one")
    for move in real.log[1:]:
        same = trials.play(same, move.orders)
    assert [move.orders for move in same.tried] == [move.orders for move in real.log[1:]]
    assert same.state != real.state


@pytest.mark.parametrize("sheet", SECRETIVE, ids=lambda sheet: sheet.slug)
def test_games_that_differ_in_hidden_things_give_the_same_trial(sheet: Sheet) -> None:
    compared = 0
    for state, twin, viewer in twins(sheet):
        one, other = (trials.begin(view(sheet, position), viewer, "seed") for position in (state, twin))
        for _ in range(3):
            assert one.state == other.state
            assert told(one.seen_by(one.waiting_for)) == told(other.seen_by(other.waiting_for))
            if not one.waiting_for:
                break
            assert trials.expected(one) == trials.expected(other)
            one, other = (play_on(trial, 1, random.Random(1)) for trial in (one, other))
        compared += 1
    assert compared


def test_what_the_judge_refuses_cannot_be_tried(table: Table) -> None:
    started = table.start()
    trial = trials.begin(started, started.waiting_for, "seed")
    with pytest.raises(Refused, match="You cannot issue 99 shares"):
        trials.play(trial, "issue 99")
