"""How time runs: days that do not count, quiet hours, changes of the clocks, banks and increments."""

from dataclasses import replace
from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.store import public_holidays
from pbem.store.time_controls import NO_TIME, STEPS, WAKING, Calendar, Span, TimeControl

LISBON, WARSAW, UTC_ZONE = ZoneInfo("Europe/Lisbon"), ZoneInfo("Europe/Warsaw"), ZoneInfo("UTC")
ZONES = ("UTC", "Europe/Warsaw", "America/New_York", "Asia/Kathmandu", "Australia/Lord_Howe", "America/Havana")
NIGHT = (time(22), time(7))


def at(text: str, zone: ZoneInfo = UTC_ZONE) -> datetime:
    """A moment by the clock of a zone."""
    return datetime.fromisoformat(text).replace(tzinfo=zone)


def hours(number: float) -> timedelta:
    return timedelta(hours=number)


spans = st.dates(date(2026, 1, 1), date(2027, 6, 1)).flatmap(
    lambda first: st.integers(0, 30).map(lambda days: Span(first, first + timedelta(days=days)))
)

COUNTRIES = "", "", *(code for code in ("PL", "US", "DE-BY") if public_holidays.known(code))
"""Asked for here, because to load them takes longer than an example may."""
nights = st.tuples(st.integers(18, 23), st.integers(0, 8)).map(lambda pair: (time(pair[0]), time(pair[1], 30)))
calendars = st.builds(
    Calendar,
    st.sampled_from(ZONES).map(ZoneInfo),
    st.booleans(),
    st.frozensets(st.dates(date(2026, 1, 1), date(2027, 6, 1)), max_size=4),
    st.lists(spans, max_size=2).map(tuple),
    st.none() | nights | st.tuples(st.just(time(9)), st.just(time(17))),
    st.sampled_from(COUNTRIES),
)
moments = st.integers(0, 500 * 24 * 60).map(lambda n: datetime(2026, 1, 1, tzinfo=UTC) + timedelta(minutes=n))
lengths = st.integers(0, 40 * 24 * 60).map(lambda minutes: timedelta(minutes=minutes))


# what counts --------------------------------------------------------------------------------------------------


def test_without_free_days_time_runs_as_it_does() -> None:
    calendar = Calendar(LISBON)
    assert calendar.after(at("2026-11-20 18:00"), hours(72)) == at("2026-11-23 18:00")


def test_saturdays_and_sundays_do_not_count_in_the_players_own_zone() -> None:
    """Friday 20:00 in Warsaw is 19:00 in London: four hours of Friday are left there."""
    friday = at("2026-11-20 20:00", WARSAW)
    calendar = Calendar(WARSAW, weekends=False)
    assert calendar.after(friday, hours(12)) == at("2026-11-23 08:00", WARSAW)
    assert Calendar(LISBON, weekends=False).after(friday, hours(12)) == at("2026-11-23 07:00", LISBON)


def test_a_time_that_would_end_at_the_first_midnight_of_the_weekend_ends_on_monday() -> None:
    calendar = Calendar(WARSAW, weekends=False)
    assert calendar.after(at("2026-11-20 20:00", WARSAW), hours(4)) == at("2026-11-23 00:00", WARSAW)


def test_holidays_do_not_count() -> None:
    calendar = Calendar(UTC_ZONE, holidays=frozenset({date(2026, 12, 25), date(2026, 12, 26)}))
    assert calendar.after(at("2026-12-24 12:00"), hours(24)) == at("2026-12-27 12:00")


def test_a_question_asked_on_a_holiday_has_its_whole_time_after_it() -> None:
    calendar = Calendar(UTC_ZONE, holidays=frozenset({date(2026, 12, 25)}))
    assert calendar.after(at("2026-12-25 15:00"), hours(3)) == at("2026-12-26 03:00")


def test_while_a_player_is_away_the_clock_stands_still() -> None:
    calendar = Calendar(UTC_ZONE, absences=(Span(date(2026, 12, 1), date(2026, 12, 10)),))
    assert calendar.after(at("2026-11-30 12:00"), hours(24)) == at("2026-12-11 12:00")
    assert calendar.counted(at("2026-11-30 12:00"), at("2026-12-10 12:00")) == hours(12)


def test_the_night_in_which_the_clocks_are_set_forward_is_an_hour_shorter() -> None:
    calendar = Calendar(WARSAW)
    assert calendar.after(at("2026-03-28 12:00", WARSAW), hours(24)) == at("2026-03-29 13:00", WARSAW)


def test_the_night_in_which_they_are_set_back_is_an_hour_longer() -> None:
    calendar = Calendar(WARSAW)
    assert calendar.after(at("2026-10-24 12:00", WARSAW), hours(24)) == at("2026-10-25 11:00", WARSAW)


@given(calendars, moments, lengths)
def test_until_the_end_a_whole_time_has_run(calendar: Calendar, start: datetime, length: timedelta) -> None:
    end = calendar.after(start, length)
    assert calendar.counted(start, end) == length
    assert calendar.counts(calendar.day(end))


@given(calendars, moments, lengths, lengths)
def test_time_can_be_in_two_pieces(calendar: Calendar, start: datetime, first: timedelta, second: timedelta) -> None:
    assert calendar.after(calendar.after(start, first), second) == calendar.after(start, first + second)


# quiet hours --------------------------------------------------------------------------------------------------


@given(calendars, moments, lengths)
def test_a_free_day_that_is_long_past_changes_nothing(calendar: Calendar, moment: datetime, length: timedelta) -> None:
    free = replace(calendar, weekends=True, holidays=frozenset(), absences=())
    by_day = replace(free, holidays=frozenset({date(2001, 1, 1)}))
    assert free.after(moment, length) == by_day.after(moment, length)
    assert free.deadline(moment, length) == by_day.deadline(moment, length)
    assert free.counted(moment, moment + length) == by_day.counted(moment, moment + length)


def test_a_deadline_in_the_night_moves_to_an_hour_after_waking() -> None:
    calendar = Calendar(LISBON, quiet=NIGHT)
    assert calendar.deadline(at("2026-11-20 23:30", LISBON), hours(24)) == at("2026-11-22 08:00", LISBON)
    assert calendar.deadline(at("2026-11-20 07:10", LISBON), hours(24)) == at("2026-11-21 08:00", LISBON)
    assert calendar.deadline(at("2026-11-20 21:00", LISBON), hours(24)) == at("2026-11-21 21:00", LISBON)


def test_a_deadline_moved_into_a_weekend_moves_on_to_monday() -> None:
    calendar = Calendar(LISBON, weekends=False, quiet=NIGHT)
    assert calendar.deadline(at("2026-11-19 23:30", LISBON), hours(24)) == at("2026-11-23 08:00", LISBON)


@given(calendars, moments, lengths)
def test_no_deadline_is_at_night_or_on_a_free_day(calendar: Calendar, start: datetime, length: timedelta) -> None:
    end = calendar.deadline(start, length)
    assert end >= calendar.after(start, length)
    assert calendar.counts(calendar.day(end))
    assert calendar.quiet_until(end) is None
    assert not asleep(calendar, end)
    assert calendar.quiet_until(end - WAKING) in (None, end)


@given(calendars, moments)
def test_quiet_hours_are_those_of_the_clock_on_the_wall(calendar: Calendar, moment: datetime) -> None:
    """Where the clocks change, quiet hours may be longer by that, never shorter."""
    until = calendar.quiet_until(moment)
    if asleep(calendar, moment):
        assert until is not None
    if until is not None:
        assert calendar.quiet is not None
        first, last = (at.hour + at.minute / 60 for at in calendar.quiet)
        assert moment < until <= moment + hours((last - first) % 24) + hours(1)
        assert not asleep(calendar, until)


def asleep(calendar: Calendar, moment: datetime) -> bool:
    """Whether a clock on the wall shows quiet hours."""
    if calendar.quiet is None:
        return False
    first, last = calendar.quiet
    shown = moment.astimezone(calendar.zone).time()
    return first <= shown < last if first < last else shown >= first or shown < last


# reminders ----------------------------------------------------------------------------------------------------


def ladder(
    calendar: Calendar, start: datetime, whole: timedelta, *steps: str, spent: timedelta = NO_TIME
) -> list[datetime]:
    return calendar.reminders(start, whole, spent, calendar.deadline(start, whole - spent), steps)


def test_reminders_come_at_the_steps_that_were_chosen() -> None:
    start = at("2026-11-20 12:00")
    assert ladder(Calendar(UTC_ZONE), start, hours(72), "67") == [start + hours(48)]
    assert ladder(Calendar(UTC_ZONE), start, hours(72), "1h", "50", "24h") == [
        start + hours(36), start + hours(48), start + hours(71),
    ]  # fmt: skip


def test_a_step_before_the_question_is_left_out() -> None:
    start = at("2026-11-20 12:00")
    assert ladder(Calendar(UTC_ZONE), start, hours(12), "24h", "1h") == [start + hours(11)]


def test_parts_of_the_time_are_parts_of_the_time_that_counts() -> None:
    friday = at("2026-11-20 12:00")
    assert ladder(Calendar(UTC_ZONE, weekends=False), friday, hours(24), "50") == [at("2026-11-23 00:00")]


def test_time_spent_before_a_pause_is_not_reminded_of_twice() -> None:
    start = at("2026-11-20 12:00")
    assert ladder(Calendar(UTC_ZONE), start, hours(72), "50", "67", spent=hours(40)) == [start + hours(8)]


@given(calendars, moments, lengths, st.lists(st.sampled_from(STEPS), max_size=5))
def test_reminders_come_in_time(calendar: Calendar, start: datetime, length: timedelta, steps: list[str]) -> None:
    end = calendar.deadline(start, length)
    due = ladder(calendar, start, length, *steps)
    assert due == sorted(set(due))
    assert all(start < moment < end and calendar.quiet_until(moment) is None for moment in due)


# banks and increments -----------------------------------------------------------------------------------------


def test_the_bank_is_used_after_the_time_for_an_answer() -> None:
    time_control = TimeControl(turn=hours(72), bank=hours(168))
    assert time_control.allowance(hours(168)) == hours(240)
    assert time_control.reserve_after(hours(168), hours(70)) == hours(168)
    assert time_control.reserve_after(hours(168), hours(80)) == hours(160)
    assert time_control.reserve_after(hours(5), hours(100)) == NO_TIME


def test_an_increment_adds_to_what_is_left_up_to_a_cap() -> None:
    time_control = TimeControl(turn=hours(12), bank=hours(72), cap=hours(96))
    assert time_control.allowance(hours(72)) == hours(84)
    assert time_control.reserve_after(hours(72), hours(4)) == hours(80)
    assert time_control.allowance(hours(90)) == hours(96)
    assert time_control.reserve_after(hours(1), hours(50)) == NO_TIME


@given(st.booleans(), st.lists(lengths, max_size=20))
def test_a_reserve_is_never_below_nothing_nor_above_what_the_game_gives(kept: bool, answers: list[timedelta]) -> None:
    time_control = TimeControl(turn=hours(24), bank=hours(48), cap=hours(96) if kept else NO_TIME)
    reserve = time_control.bank
    for used in answers:
        reserve = time_control.reserve_after(reserve, used)
        assert NO_TIME <= reserve <= (time_control.cap if kept else time_control.bank)


@pytest.mark.parametrize("zone", ZONES)
def test_a_month_of_days_is_computed_in_no_time(zone: str) -> None:
    """Thirty days need thirty steps, not one for every hour or minute."""
    calendar = Calendar(ZoneInfo(zone), weekends=False, quiet=NIGHT)
    start = at("2026-01-01 00:00")
    assert calendar.after(start, timedelta(days=260)) > start + timedelta(days=360)


def test_how_much_of_a_time_is_in_the_quiet_hours() -> None:
    night = Calendar(ZoneInfo("Europe/Lisbon"), quiet=(time(23), time(7)))
    noon = datetime(2026, 11, 23, 12, tzinfo=UTC)
    for hours, asleep in ((0, 0), (10, 0), (12, 1), (24, 8), (30, 8), (72, 24)):
        assert night.asleep(noon, noon + timedelta(hours=hours)) == timedelta(hours=asleep), hours
    midnight = noon + timedelta(hours=12)
    assert night.asleep(midnight, midnight + timedelta(hours=2)) == timedelta(hours=2)
    siesta = Calendar(ZoneInfo("Europe/Lisbon"), quiet=(time(13), time(15)))
    assert siesta.asleep(noon, noon + timedelta(days=2)) == timedelta(hours=4)
    assert Calendar(ZoneInfo("Europe/Lisbon")).asleep(noon, noon + timedelta(days=9)) == timedelta(0)
