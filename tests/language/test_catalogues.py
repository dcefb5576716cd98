"""Days, times, numbers and lists are written as each language has them, in the zone of their reader."""

from datetime import UTC, date, datetime, timedelta

import pytest

from pbem.engine.text import Dated
from pbem.language import ENGLISH, Language, reading
from pbem.language.times import Calendar, span
from pbem.language.voice import spoken

NOW = datetime(2026, 11, 26, 20, 51, tzinfo=UTC)
LISBON = Calendar("Europe/Lisbon", NOW)
CALENDAR = Calendar("Europe/Warsaw", datetime(2026, 11, 23, 12, tzinfo=UTC))


@pytest.mark.parametrize(
    ("code", "day", "year", "short", "far"),
    [
        ("en", "Sunday 29 November", "Tuesday 29 June 2027", "Tue", "6 December"),
        ("pl", "niedziela, 29 listopada", "wtorek, 29 czerwca 2027", "wt.", "6 grudnia"),
        ("es", "domingo, 29 de noviembre", "martes, 29 de junio de 2027", "mar", "6 de diciembre"),
        ("pt", "domingo, 29 de novembro", "terça-feira, 29 de junho de 2027", "ter.", "6 de dezembro"),
        ("fr", "dimanche 29 novembre", "mardi 29 juin 2027", "mar.", "6 décembre"),
    ],
)
def test_days_are_written_as_the_language_has_them(code: str, day: str, year: str, short: str, far: str) -> None:
    language = ENGLISH if code == "en" else Language(code)
    near, next_year = CALENDAR.date(date(2026, 11, 29)), CALENDAR.date(date(2027, 6, 29))
    soon, later = (CALENDAR.short(datetime(2026, month, at, 12, tzinfo=UTC)) for month, at in ((11, 24), (12, 6)))
    days = [near.values["day"], next_year.values["day"], soon.values["weekday"], later.values["day"]]
    assert [language.dated(found) for found in days if isinstance(found, Dated)] == [day, year, short, far]


def test_a_moment_is_read_in_the_readers_language() -> None:
    moment = CALENDAR.when(datetime(2026, 11, 29, 19, tzinfo=UTC))
    assert str(moment) == "Sunday 29 November, 20:00"
    with reading("pl"):
        assert spoken(moment) == "niedziela, 29 listopada, godz. 20:00"
    assert spoken(moment) == str(moment)


@pytest.mark.parametrize(
    ("code", "limit", "far", "midnight"),
    [
        ("en", "Sunday 29 November, 20:00", "Tuesday 29 June 2027", "Saturday 28 November, 23:59"),
        ("pl", "niedzieli 29 listopada, godz. 20:00", "wtorku 29 czerwca 2027", "soboty 28 listopada, godz. 23:59"),
        (
            "es",
            "domingo 29 de noviembre a las 20:00",
            "martes 29 de junio de 2027",
            "sábado 28 de noviembre a las 23:59",
        ),
        (
            "pt",
            "domingo, 29 de novembro, às 20:00",
            "terça-feira, 29 de junho de 2027",
            "sábado, 28 de novembro, às 23:59",
        ),
    ],
)
def test_a_time_behind_until_is_in_the_case_that_follows(code: str, limit: str, far: str, midnight: str) -> None:
    times = [CALENDAR.limit(datetime(2026, 11, day, hour, tzinfo=UTC)) for day, hour in ((29, 19), (28, 23))]
    said = [times[0], CALENDAR.limit_day(date(2027, 6, 29)), times[1]]
    with reading(code):
        assert [spoken(time) for time in said] == [limit, far, midnight]


@pytest.mark.parametrize(
    ("day", "weekday", "behind"),
    [
        (23, "poniedziałek", "poniedziałku"),
        (24, "wtorek", "wtorku"),
        (25, "środa", "środy"),
        (26, "czwartek", "czwartku"),
        (27, "piątek", "piątku"),
        (28, "sobota", "soboty"),
        (29, "niedziela", "niedzieli"),
    ],
)
def test_every_weekday_has_its_genitive_in_polish(day: int, weekday: str, behind: str) -> None:
    with reading("pl"):
        assert spoken(CALENDAR.date(date(2026, 11, day))) == f"{weekday}, {day} listopada"
        assert spoken(CALENDAR.limit_day(date(2026, 11, day))) == f"{behind} {day} listopada"


@pytest.mark.parametrize(
    ("code", "listed", "number"),
    [("pl", "Ana, Ben i Eva", "12 345"), ("es", "Ana, Ben y Eva", "12.345"), ("pt", "Ana, Ben e Eva", "12.345")],
)
def test_lists_and_numbers_too(code: str, listed: str, number: str) -> None:
    language = Language(code)
    assert language.listed(["Ana", "Ben", "Eva"]) == listed
    assert language.number(12345).replace("\u00a0", " ") == number
    assert language.number(-3) == "−3"


def test_cities_of_time_zones_are_called_as_the_language_calls_them() -> None:
    polish = Language("pl")
    found = [polish.city(zone) for zone in ("Europe/Warsaw", "America/New_York", "UTC")]
    assert found == ["Warszawa", "Nowy Jork", "UTC"]
    assert [ENGLISH.city(zone) for zone in ("America/New_York", "America/Indiana/Knox")] == ["New York", "Indiana/Knox"]


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


@pytest.mark.parametrize(
    ("code", "tenths", "percent"),
    [
        ("en", "−3.0", "−20%"),
        ("es", "−3,0", "−20\N{NO-BREAK SPACE}%"),
        ("pl", "−3,0", "−20%"),
        ("pt", "−3,0", "−20%"),
    ],
)
def test_figures_have_as_many_places_as_asked_and_percentages_the_space_of_the_language(
    code: str, tenths: str, percent: str
) -> None:
    language = Language(code)
    assert (language.number(-3, 1), language.percent(-0.2)) == (tenths, percent)
