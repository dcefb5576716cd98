"""Clocks at their edges: what a time control may be, when time begins and ends, and whose days and hours count."""

from dataclasses import replace
from datetime import date, datetime, time, timedelta
from typing import Any

import pytest
from sqlalchemy import update

from pbem.service import BadInput
from pbem.service.base import queries
from pbem.service.clocks import clock_views, game_clock, grace, time_controls
from pbem.store.clocks import Clock
from pbem.store.statuses import GameStatus, MoveCause
from pbem.store.tables import Absence, Account, Game, Seat
from pbem.store.time_controls import Calendar, Span, TimeControl, zone_named
from tests.table import START, Table

SECOND, MINUTE, HOUR, DAY = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
UTC_ZONE = zone_named("UTC")


def game(**values: Any) -> Game:
    """The row of a game that runs, with a question of three days."""
    made: dict[str, Any] = {
        "status": GameStatus.RUNNING, "to_act": "blue", "turn_seconds": 3 * 86_400, "bank_seconds": 0, "cap_seconds": 0,
        "weekends": True, "holidays": [], "at_zero": "default", "counted_from": START, "spent_seconds": 0,
    }  # fmt: skip
    return Game(**{**made, **values})


def seat(**values: Any) -> Seat:
    return Seat(**{"colour": "blue", "number": 0, "reserve_seconds": 0, "account_id": 1, **values})


# what a time control may be -------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("control", "fields"),
    [
        (TimeControl(MINUTE), []),
        (TimeControl(MINUTE - SECOND), ["turn_time"]),
        (TimeControl(30 * DAY), []),
        (TimeControl(30 * DAY + SECOND), ["turn_time"]),
        (TimeControl(DAY, bank=60 * DAY), []),
        (TimeControl(DAY, bank=60 * DAY + SECOND), ["bank"]),
        (TimeControl(DAY, bank=-SECOND), ["bank"]),
        (TimeControl(DAY, cap=DAY), []),
        (TimeControl(DAY, cap=DAY - SECOND), ["bank"]),
        (TimeControl(DAY, cap=60 * DAY), []),
        (TimeControl(DAY, cap=60 * DAY + SECOND), ["bank"]),
        (TimeControl(DAY, cap=2 * DAY, bank=2 * DAY), []),
        (TimeControl(DAY, cap=2 * DAY, bank=2 * DAY + SECOND), ["bank"]),
        (TimeControl(DAY, holidays=(date(2026, 1, 1),) * 60), []),
        (TimeControl(DAY, holidays=(date(2026, 1, 1),) * 61), ["holidays"]),
        (TimeControl(DAY, at_zero="caretaker"), []),
        (TimeControl(DAY, at_zero="substitute"), []),
        (TimeControl(DAY, at_zero="nothing"), ["at_zero"]),
    ],
)
def test_a_time_control_keeps_within_its_limits(control: TimeControl, fields: list[str]) -> None:
    assert [problem.field for problem in time_controls.problems(control)] == fields


def test_holidays_are_read_in_any_order_with_any_signs_between_each_once() -> None:
    assert time_controls.read_holidays("2026-12-25, 2026-12-24;2026-12-24\n") == (
        date(2026, 12, 24),
        date(2026, 12, 25),
    )
    with pytest.raises(BadInput) as refused:
        time_controls.read_holidays("2026-12-24 tomorrow")
    assert [problem.field for problem in refused.value.problems] == ["holidays"]


def test_a_time_control_is_kept_and_read_back_as_it_was() -> None:
    row = game()
    control = TimeControl(DAY, HOUR, 2 * DAY, False, (date(2026, 12, 24),), "substitute")
    row.time_control = control
    assert row.time_control == control
    row.time_control = TimeControl(DAY, bank=-HOUR)
    assert row.bank_seconds == 0


# grace --------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("seconds", "cause", "revealed", "until"),
    [
        (60, MoveCause.PLAYER, False, START + MINUTE),
        (60, MoveCause.PLAYER, True, None),
        (60, MoveCause.DEADLINE, False, None),
        (0, MoveCause.PLAYER, False, None),
    ],
)
def test_what_revealed_nothing_can_wait(seconds: int, cause: MoveCause, revealed: bool, until: datetime | None) -> None:
    assert grace.until(game(grace_seconds=seconds), cause, revealed, START) == until


def test_a_grace_time_runs_until_its_end_and_holds_the_question_to_somebody_else_so_long() -> None:
    row = game(grace_until=START + MINUTE)
    assert grace.runs(row, START + MINUTE - SECOND)
    assert not grace.runs(row, START + MINUTE)
    assert not grace.runs(game(grace_until=None), START)
    assert grace.wait(row, "red", "blue", START) == MINUTE
    assert grace.wait(row, "red", "blue", START + HOUR) == timedelta(0)
    assert grace.wait(row, "blue", "blue", START) == timedelta(0)
    assert grace.wait(game(grace_until=None), "red", "blue", START) == timedelta(0)


# times --------------------------------------------------------------------------------------------------------


def times(row: Game, who: Seat | None, *steps: str, **calendar: Any) -> tuple[datetime | None, datetime | None]:
    """Deadline and reminder of the open question."""
    clock = game_clock.ending(row, who, Calendar(UTC_ZONE, **calendar), steps)
    return clock.deadline_at, clock.remind_at


def test_a_question_ends_after_its_time_the_reserve_and_less_what_has_run() -> None:
    assert times(game(), seat()) == (START + 3 * DAY, None)
    assert times(game(spent_seconds=3600), seat(reserve_seconds=7200), "50") == (
        START + 3 * DAY + HOUR, START + 37 * HOUR - HOUR,
    )  # fmt: skip


@pytest.mark.parametrize("values", [{"counted_from": None}, {"paused_at": START}])
def test_no_time_runs_out_while_none_runs(values: dict[str, object]) -> None:
    assert times(game(**values, deadline_at=START), seat(), "50") == (None, None)
    assert times(game(deadline_at=START), None, "50") == (None, None)


def test_a_caretaker_leaves_a_question_to_the_player_for_an_hour_or_a_twelfth_of_a_shorter_time() -> None:
    assert times(game(), seat(caretaker_since=START), "50") == (START + HOUR, None)
    assert times(game(turn_seconds=12 * 60), seat(caretaker_since=START), "50") == (START + MINUTE, None)


def test_the_next_reminder_is_the_first_after_the_last_one() -> None:
    row = game(reminded_at=START + 36 * HOUR)
    assert times(row, seat(), "50", "67", "24h")[1] == START + 48 * HOUR
    row = game(reminded_at=START + 36 * HOUR - SECOND)
    assert times(row, seat(), "50", "67")[1] == START + 36 * HOUR
    row.clock = game_clock.ending(row, seat(), Calendar(UTC_ZONE), ())
    game_clock.reminded(row, seat(), Calendar(UTC_ZONE), ("50", "67"), START + 36 * HOUR)
    assert (row.reminded_at, row.remind_at) == (START + 36 * HOUR, START + 48 * HOUR)
    game_clock.reminded(row, seat(account_id=None), Calendar(UTC_ZONE), ("50", "67"), START + 37 * HOUR)
    assert (row.reminded_at, row.remind_at) == (START + 37 * HOUR, None)


def test_time_that_has_run_is_counted_from_the_question_on_and_not_in_a_pause() -> None:
    calendar = Calendar(UTC_ZONE)
    assert Clock(counted_from=START, spent_seconds=5).spent(calendar, START + MINUTE) == MINUTE + 5 * SECOND
    paused = Clock(counted_from=START, spent_seconds=5, paused_at=START)
    assert paused.spent(calendar, START + MINUTE) == 5 * SECOND
    assert Clock(spent_seconds=5).spent(calendar, START + MINUTE) == 5 * SECOND


def test_a_deadline_that_came_nearer_leaves_an_hour() -> None:
    for left, after in ((2 * HOUR, 2 * HOUR), (MINUTE, HOUR)):
        row = game(deadline_at=START + left)
        game_clock.at_least_awake(row, START)
        assert row.deadline_at == START + after
    row = game(deadline_at=None)
    game_clock.at_least_awake(row, START)
    assert row.deadline_at is None


def test_a_game_that_is_over_has_no_times() -> None:
    row = game(
        paused_at=START, paused_until=START, deadline_at=START, remind_at=START, reminded_at=START, spent_seconds=5
    )
    game_clock.stop(row)
    assert {row.paused_at, row.paused_until, row.deadline_at, row.remind_at, row.reminded_at, row.counted_from} == {
        None
    }
    assert (row.waiting_since, row.spent_seconds) == (None, 0)


# whose days and hours -----------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("first", "last", "quiet"),
    [
        (None, None, None),
        (60, None, None),
        (None, 60, None),
        (60, 60, None),
        (22 * 60 + 30, 7 * 60, (time(22, 30), time(7))),
    ],
)
def test_quiet_hours_have_two_ends(first: int | None, last: int | None, quiet: tuple[time, time] | None) -> None:
    ana = Account(zone="Asia/Tokyo", quiet_from=first, quiet_to=last, reminders="50,6h,never")
    assert game_clock.quiet_of(ana) == quiet
    assert game_clock.calendar(game(), ana, ()).quiet == quiet
    assert game_clock.today(ana, START) == date(2026, 11, 21)
    assert game_clock.steps_of(ana) == ("50", "6h")
    assert game_clock.steps_of(None) == ("67",)
    assert game_clock.zone_of(None).key == "UTC"
    assert game_clock.calendar(game(), None, ()) == Calendar(UTC_ZONE)


def lived(table: Table) -> None:
    """A game in which Ana lives in Tokyo and Ben is away for a while, and somebody else was."""
    table.start()
    with table.office.write() as session:
        queries.locked(session, table.game)
        session.execute(update(Account).where(Account.id == 1).values(zone="Asia/Tokyo"))
        for account, first in ((2, 9), (2, 1), (3, 5)):
            session.add(
                Absence(account_id=account, first=date(2027, 1, first), last=date(2027, 1, first + 1), created_at=START)
            )


def test_clocks_are_shown_with_zone_and_absences_of_each_player_and_none_for_a_free_seat(table: Table) -> None:
    lived(table)
    table.put(update(Seat).where(Seat.number == 3).values(account_id=None))
    with table.office.read() as session:
        row = queries.game(session, table.game)
        clocks = clock_views.clock_views(session, row)
        ask = game_clock.asked_in(session, [row])[table.game]
    assert [clock.zone for clock in clocks] == ["Asia/Tokyo", "UTC", "UTC", "UTC"]
    assert [clock.absences for clock in clocks] == [
        (), ((date(2027, 1, 1), date(2027, 1, 2)), (date(2027, 1, 9), date(2027, 1, 10))),
        ((date(2027, 1, 5), date(2027, 1, 6)),), (),
    ]  # fmt: skip
    assert ask.seat is not None
    assert ask.seat.colour == row.to_act


def test_who_is_asked_is_read_with_the_account_its_absences_and_steps_and_a_free_seat_with_none(table: Table) -> None:
    lived(table)
    with table.office.write() as session:
        row = queries.locked(session, table.game)
        row.to_act = queries.numbered(session, table.game, 1).colour
        session.flush()
        found = game_clock.asked_in(session, [row])[table.game]
        assert (found.account.id if found.account else None, found.steps) == (2, ("67",))
        assert found.calendar.absences == (
            Span(date(2027, 1, 1), date(2027, 1, 2)), Span(date(2027, 1, 9), date(2027, 1, 10)),
        )  # fmt: skip
        queries.numbered(session, table.game, 1).account_id = None
        session.flush()
        found = game_clock.asked_in(session, [row])[table.game]
        assert (found.seat is not None, found.account, found.calendar.absences) == (True, None, ())
        row.to_act = ""
        session.flush()
        found = game_clock.asked_in(session, [row])[table.game]
        assert (found.seat, found.account) == (None, None)


def test_the_bank_is_used_from_the_end_of_the_time_on_and_only_by_who_plays(table: Table) -> None:
    table.start(turn_time=DAY, bank=2 * DAY)
    with table.office.write() as session:
        row = queries.locked(session, table.game)
        seats = queries.seats(session, table.game)
        who = next(number for number, found in enumerate(seats) if found.colour == row.to_act)

        def bank() -> tuple[bool, datetime | None]:
            shown = clock_views.clock_views(session, row)[who]
            return shown.asked, shown.bank_from

        assert bank() == (True, START + DAY)
        row.clock = replace(row.clock, spent_seconds=3600)
        assert bank() == (True, START + DAY - HOUR)
        row.clock = replace(row.clock, paused_at=START)
        assert bank() == (True, None)
        row.clock = replace(row.clock, paused_at=None, counted_from=None)
        assert bank() == (True, None)
        row.clock, row.time_control = replace(row.clock, counted_from=START), TimeControl(DAY, 2 * DAY, cap=3 * DAY)
        assert bank() == (True, None)
        row.time_control, seats[who].caretaker_since = TimeControl(DAY, 2 * DAY), START
        assert bank() == (False, None)


def test_an_answer_takes_from_the_reserve_what_went_beyond_its_time_unless_a_caretaker_gave_it(table: Table) -> None:
    table.start(turn_time=DAY, bank=2 * DAY)
    with table.office.game(table.game, START + DAY + HOUR) as work:
        row = work.game
        mine = work.seat(row.to_act)
        assert game_clock.seconds_spent(work) == 90_000
        mine.caretaker_since = START
        assert game_clock.answered(work) == (90_000, 172_800)
        assert mine.reserve_seconds == 172_800
        mine.caretaker_since, row.clock = None, replace(row.clock, counted_from=None, spent_seconds=90_000)
        assert game_clock.answered(work) == (90_000, 172_800)
        assert mine.reserve_seconds == 172_800
        row.clock = replace(row.clock, counted_from=START, spent_seconds=0)
        assert game_clock.answered(work) == (90_000, 172_800)
        assert mine.reserve_seconds == 169_200
        row.to_act = ""
        assert game_clock.answered(work) is None
        assert game_clock.seconds_spent(work) == 0


def test_a_question_counts_from_when_it_is_told(dealt: Table) -> None:
    with dealt.office.game(dealt.game, START + HOUR) as work:
        row = work.game
        row.clock = replace(row.clock, spent_seconds=5, reminded_at=START)
        game_clock.ask(work, row.to_act, told=START + 2 * HOUR)
        assert (row.waiting_since, row.counted_from, row.spent_seconds) == (START + HOUR, START + 2 * HOUR, 0)
        assert row.reminded_at is None
        game_clock.ask(work, row.to_act)
        assert row.counted_from == START + HOUR
