"""Times as the reader's calendar has them."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta

import pytest

from pbem.language.times import Calendar, span

NOW = datetime(2026, 11, 26, 20, 51, tzinfo=UTC)
LISBON = Calendar("Europe/Lisbon", NOW)


def test_a_time_is_told_in_the_readers_zone() -> None:
    time = datetime(2026, 11, 29, 20, 0, tzinfo=UTC)
    assert str(LISBON.when(time)) == "Sunday 29 November, 20:00"
    assert str(Calendar("Asia/Tokyo", NOW).when(time)) == "Monday 30 November, 05:00"


def test_summer_time_is_that_of_the_day_told() -> None:
    assert (
        str(Calendar("Europe/Berlin", NOW).when(datetime(2027, 4, 1, 18, 0, tzinfo=UTC))) == "Thursday 1 April, 20:00"
    )


def test_a_far_day_has_its_year() -> None:
    assert str(LISBON.day(datetime(2027, 11, 26, tzinfo=UTC))) == "Friday 26 November 2027"


@pytest.mark.parametrize(("days", "told"), [(1, "Fri 20:51"), (5, "Tue 20:51"), (7, "3 December"), (-1, "25 November")])
def test_a_subject_names_the_weekday_only_while_there_is_one_such_day(days: int, told: str) -> None:
    assert str(LISBON.short(NOW + timedelta(days=days))) == told


@pytest.mark.parametrize(
    ("length", "told"),
    [
        (timedelta(days=3), "3 days"),
        (timedelta(days=2, hours=13), "3 days"),
        (timedelta(hours=36), "2 days"),
        (timedelta(hours=24), "1 day"),
        (timedelta(hours=20), "20 hours"),
        (timedelta(hours=1), "1 hour"),
        (timedelta(minutes=61), "61 minutes"),
        (timedelta(minutes=1), "1 minute"),
        (timedelta(seconds=-5), "1 minute"),
    ],
)
def test_a_length_of_time_is_told_in_one_unit(length: timedelta, told: str) -> None:
    assert str(span(length)) == told


def test_whose_times_they_are_is_told_by_the_city() -> None:
    assert str(LISBON.named()) == "Times are for Lisbon."
    assert str(Calendar("America/New_York", NOW).named()) == "Times are for New York."


@pytest.mark.parametrize("zone", ["UTC", "Europe/Atlantis", "../../etc/passwd", ""])
def test_an_unknown_zone_is_utc(zone: str) -> None:
    assert str(Calendar(zone, NOW).named()) == "Times are in UTC."
    assert str(Calendar(zone, NOW).when(NOW)) == "Thursday 26 November, 20:51"


def test_midnight_ends_the_day_before_so_that_nobody_thinks_of_the_wrong_night() -> None:
    midnight = datetime(2026, 11, 29, 0, 0, tzinfo=UTC)
    assert str(LISBON.when(midnight)) == "Saturday 28 November, 23:59"
    assert str(LISBON.short(midnight)) == "Sat 23:59"
    assert str(Calendar("Asia/Tokyo", NOW).when(midnight)) == "Sunday 29 November, 09:00"
