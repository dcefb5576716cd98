"""Public holidays of countries: which days they are, and that clocks do not run on them."""

from datetime import date, datetime, timedelta
from zoneinfo import ZoneInfo

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.store import public_holidays
from pbem.store.time_controls import Calendar, TimeControl

CODES = ("DE", "DE-BY", "PL", "PT", "ES", "US", "BR", "JP", "EG", "IN")
codes = st.sampled_from(CODES)
days = st.dates(date(2020, 1, 1), date(2034, 12, 31))
WARSAW = ZoneInfo("Europe/Warsaw")


def test_holidays_are_those_of_the_country_and_of_its_region() -> None:
    epiphany, constitution = date(2027, 1, 6), date(2027, 5, 3)
    assert [public_holidays.is_one(code, epiphany) for code in ("DE", "DE-BY", "PL")] == [False, True, True]
    assert [public_holidays.is_one(code, constitution) for code in ("DE", "PL")] == [False, True]
    assert public_holidays.following("DE", date(2026, 12, 25), 3) == (
        date(2026, 12, 25), date(2026, 12, 26), date(2027, 1, 1),
    )  # fmt: skip


def test_a_region_has_the_name_that_people_there_give_it() -> None:
    assert public_holidays.regions("DE")["BY"] == "Bayern"
    assert public_holidays.regions("IT") == public_holidays.regions("XX") == {}


@pytest.mark.parametrize("code", ["", "XX", "de", "DE-", "DE-XX", "DE_BY", "Germany", "DE-BY-1", "\0", "D" * 5000])
def test_what_is_no_country_has_no_holidays(code: str) -> None:
    assert not public_holidays.known(code)
    assert public_holidays.of_year(code, 2026) == frozenset()


@pytest.mark.parametrize("code", sorted(public_holidays.countries()))
def test_every_country_can_be_asked_for(code: str) -> None:
    assert public_holidays.known(code)
    assert all(day.year == 2027 for day in public_holidays.of_year(code, 2027))
    for region in public_holidays.regions(code):
        assert public_holidays.known(f"{code}-{region}")


@given(codes, days)
def test_the_next_holidays_are_all_there_are_from_that_day_on(code: str, day: date) -> None:
    found = public_holidays.following(code, day, 3)
    between = [day + timedelta(days=n) for n in range((found[-1] - day).days + 1)]
    assert [one for one in between if public_holidays.is_one(code, one)] == list(found)


@given(codes, days, st.integers(0, 60 * 24))
def test_time_ends_on_no_holiday_and_runs_as_long_as_without_any(code: str, day: date, minutes: int) -> None:
    start, length = datetime.combine(day, datetime.min.time(), WARSAW), timedelta(minutes=minutes)
    calendar = Calendar(WARSAW, country=code)
    end = calendar.after(start, length)
    assert not public_holidays.is_one(code, calendar.day(end))
    assert calendar.counted(start, end) == length


@given(codes, st.lists(st.dates(), max_size=5, unique=True))
def test_a_time_control_comes_back_from_the_columns_of_its_game(code: str, free: list[date]) -> None:
    for country in ("", code):
        control = TimeControl(timedelta(days=1), holidays=tuple(sorted(free)), country=country)
        assert TimeControl.of_columns(*control.__composite_values__()) == control
