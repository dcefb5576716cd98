"""How fast people answer is counted from what they did: nights and absences are left out, and games that were left."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from pbem.service.games import departures
from pbem.service.statistics import tempo
from pbem.store.statuses import GameStatus, MoveCause
from pbem.store.tables import Account, Move
from pbem.views.people import Tempo
from tests.service.actors import take
from tests.table import Table

MORNING = datetime(2026, 11, 23, 8, tzinfo=UTC)
HOUR = timedelta(hours=1)


def answers(table: Table, *hours: float, day: int = 0, spent: float | None = None, cause: str = "player") -> None:
    """Ana answers once on each day after so many hours; ``spent``: how many of them her clock has run."""
    with table.office.game(table.game, table.now) as work:
        for number, took in enumerate(hours, day):
            asked = MORNING + timedelta(days=number)
            row = Move(
                game_id=work.game.id, number=1000 + number, seat=work.seats[0].colour, turn=1, phase="x", orders="x",
                cause=MoveCause(cause), chance=[], events=[], state=b"", digest="", asked_at=asked,
                at=asked + took * HOUR, spent_seconds=int((took if spent is None else spent) * 3600),
            )  # fmt: skip
            work.session.add(row)
            work.game.version = max(work.game.version, row.number)


def of_ana(table: Table) -> Tempo:
    with table.office.read() as session:
        return tempo.tempos(session, [table.host])[table.host]


def begun(table: Table) -> None:
    table.now = MORNING - timedelta(days=1)
    table.start_anew()


@pytest.mark.postgresql
def test_median_and_quartiles_are_those_of_the_times_between_question_and_answer(table: Table) -> None:
    begun(table)
    answers(table, 5, 1, 2, 8, 3)
    assert of_ana(table) == Tempo(5, 3 * HOUR, 2 * HOUR, 5 * HOUR)
    answers(table, 4, day=9)
    assert of_ana(table).median == 3.5 * HOUR


@pytest.mark.postgresql
def test_of_many_answers_the_last_fifty_count(table: Table) -> None:
    begun(table)
    answers(table, *[12] * 30, *[1] * 26, *[2] * 24)
    assert of_ana(table) == Tempo(50, HOUR, HOUR, 2 * HOUR)


def test_of_a_long_game_the_last_moves_are_looked_at(table: Table) -> None:
    begun(table)
    answers(table, 3)
    with table.office.game(table.game, table.now) as work:
        work.game.version = 1000 + tempo.MOVES - 1
    assert of_ana(table).answers == 1
    with table.office.game(table.game, table.now) as work:
        work.game.version = 1000 + tempo.MOVES
    assert of_ana(table).answers == 0


def test_what_was_played_for_somebody_and_what_came_in_one_go_does_not_count(table: Table) -> None:
    begun(table)
    answers(table, 3)
    answers(table, 9, day=1, cause="deadline")
    answers(table, 9, day=2, cause="ahead")
    answers(table, 0, day=3)
    assert of_ana(table) == Tempo(1, 3 * HOUR, 3 * HOUR, 3 * HOUR)


def test_the_night_does_not_count_and_quiet_hours_are_the_night_of_those_who_chose_some(table: Table) -> None:
    begun(table)
    answers(table, 24)  # from eight to eight: sixteen hours outside 23 to 7
    assert of_ana(table).median == 16 * HOUR
    with table.office.write() as session:
        ana = session.get_one(Account, table.host)
        ana.quiet_from, ana.quiet_to = 20 * 60, 8 * 60
    assert of_ana(table).median == 12 * HOUR
    with table.office.write() as session:
        ana = session.get_one(Account, table.host)
        ana.quiet_from = ana.quiet_to = None
        ana.zone = "Asia/Tokyo"  # there it is 17 o'clock, and night from the sixth hour on
    assert of_ana(table).median == 16 * HOUR


def test_days_on_which_the_clock_stood_still_do_not_count(table: Table) -> None:
    begun(table)
    answers(table, 48, spent=24)
    assert of_ana(table).median == 16 * HOUR


@pytest.mark.postgresql
def test_games_that_were_finished_and_left_are_counted(table: Table) -> None:
    begun(table)
    departures.resign(table.office, table.game, 0, table.now)
    assert of_ana(table) == Tempo(left=1)
    fay = take(table)
    answers(table, 3)
    with table.office.game(table.game, table.now) as work:
        work.game.status = GameStatus.OVER
        work.session.flush()
        found = tempo.tempos(work.session, [table.host, fay])
    assert found[table.host] == Tempo(left=1)
    assert (found[fay].finished, found[fay].left, found[fay].answers) == (1, 0, 1)


def test_who_takes_over_a_seat_has_not_given_the_answers_before(table: Table) -> None:
    begun(table)
    answers(table, 3)
    table.now = MORNING + timedelta(days=3)
    departures.resign(table.office, table.game, 0, table.now)
    fay = take(table)
    with table.office.read() as session:
        assert tempo.tempos(session, [fay])[fay] == Tempo()
