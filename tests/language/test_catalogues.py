"""What a language knows beside its catalogue: days, numbers and lists."""

from __future__ import annotations

from datetime import UTC, date, datetime

import pytest

from pbem.engine.text import Dated
from pbem.language import ENGLISH, Language, reading
from pbem.language.times import Calendar
from pbem.language.voice import spoken

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
def test_a_time_behind_until_or_since_is_in_the_case_that_follows(
    code: str, limit: str, far: str, midnight: str
) -> None:
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
