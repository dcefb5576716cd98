"""A host chooses the country whose public holidays do not count, and reads which days that means next."""

from datetime import UTC, datetime

import pytest
from sqlalchemy import update

from pbem.language import reading, times
from pbem.store import public_holidays
from pbem.store.tables import Account
from tests.every_page.looking import HEAVIEST
from tests.web.games.test_tables import BASE, Browser, form_of
from tests.web.site import Site

MAP = {"map": "age-of-steam/rust_belt", "players": "eva@example.org\nfay@example.org"}
NEXT = "Public holidays do not count: Germany (Bayern). The next ones: Friday 25 December, Saturday 26 December and"


def test_the_form_says_which_days_are_meant_and_the_page_of_the_game_too(empty: Site) -> None:
    empty.now = datetime(2026, 11, 29, 12, tzinfo=UTC)
    ana = Browser(empty, "Ana")
    page = ana.get("/new")
    assert form_of(page).offered["country"][:3] == ["", "AF", "AX"]
    page = ana.send(form_of(page), more=MAP, update="1", country="DE")
    assert "The next ones: Friday 25 December, Saturday 26 December and" in page.text
    assert "Bayern" in page.text
    page = ana.send(form_of(page), more=MAP, update="1", region="BY")
    assert NEXT in page.text
    assert NEXT in ana.send(form_of(page), more=MAP).text


def test_a_region_of_another_country_is_left_out(empty: Site) -> None:
    ana = Browser(empty, "Ana")
    page = ana.send(form_of(ana.get("/new")), more=MAP, update="1", country="PL", region="BY")
    assert "Public holidays do not count: Poland. The next ones:" in page.text


def test_what_is_no_country_is_refused_with_a_sentence(empty: Site) -> None:
    ana = Browser(empty, "Ana")
    for country in ("XX", "x" * 1500, "\u202e"):
        page = ana.send(form_of(ana.get("/new")), 400, more=MAP, country=country)
        assert "Choose a country from the list." in page.text


@pytest.mark.parametrize(
    ("code", "names"),
    [("en", ["Latvia", "Lebanon"]), ("pl", ["Łotwa", "Macedonia Północna"]), ("es", ["Letonia", "Líbano"])],
)
def test_countries_are_called_and_sorted_as_the_reader_does(code: str, names: list[str]) -> None:
    with reading(code):
        found = [name for _, name in times.countries()]
        assert times.country_name("DE-BY").endswith("(Bayern)")
    assert [name for name in found if name in names] == names
    assert len(found) == len(public_holidays.countries())


@pytest.mark.parametrize("language", ["en", "es", "pl", "pt"])
def test_the_form_is_light_with_every_list_of_regions(site: Site, language: str) -> None:
    ana = Browser(site, "Ana")
    site.put(update(Account).values(language=language))
    longest = max(public_holidays.countries(), key=lambda code: len(str(public_holidays.regions(code))))
    form = next(form for form in ana.get("/new").posts if form.action == "/new")
    answer = ana.client.post("/new", data={**form.fields, **MAP, "update": "1", "country": longest}, base_url=BASE)
    assert f'lang="{language}"' in answer.text
    assert len(answer.text) < HEAVIEST - 500
