"""Pages speak the language of the account, of the browser's choice, or the first that the browser asks for."""

from collections.abc import Iterator

import pytest
from sqlalchemy import select, update

from pbem.language import current
from pbem.store.tables import Account
from tests.speaking import spoken_as
from tests.web.reading import Page
from tests.web.site import Site

BASE = "https://play.example.org"
POLISH = {"Accept-Language": "tlh, pl-PL;q=0.8, en;q=0.5"}


@pytest.fixture(autouse=True)
def polish() -> Iterator[None]:
    with spoken_as(lambda sentence: "Jak grać" if sentence == "How to play" else sentence):
        yield


def _read(site: Site, path: str) -> Page:
    return Page(site.client.get(path, base_url=BASE).text)


def _choose(site: Site, code: str, back: str = "/maps") -> str:
    (form,) = (form for form in _read(site, back).forms if form.action == "/language" and not form.id)
    answer = site.client.post("/language", data=form.hidden | {"language": code}, base_url=BASE)
    assert answer.status_code == 303
    return str(answer.headers["Location"])


def test_a_stranger_reads_what_the_browser_asks_for(site: Site) -> None:
    page = site.client.get("/maps", headers=POLISH)
    assert '<html lang="pl">' in page.text
    assert "Jak grać" in page.text
    assert "Accept-Language" in page.headers["Vary"]
    assert '<html lang="en">' in site.client.get("/maps", headers={"Accept-Language": "tlh"}).text
    assert current().code == "en"


def test_one_click_on_any_page_changes_the_language_of_a_browser(site: Site) -> None:
    assert _choose(site, "pl", "/archive?players=3") == "/archive?players=3"
    assert '<html lang="pl">' in site.client.get("/archive", base_url=BASE).text
    assert _choose(site, "en") == "/maps"
    assert '<html lang="en">' in site.client.get("/archive", headers=POLISH, base_url=BASE).text


def test_nobody_is_led_to_another_host(site: Site) -> None:
    for back in ("https://evil.example/x", "//evil.example/x", "/\\evil.example", "javascript:alert(1)"):
        answer = site.post("/language", {"language": "pl", "back": back})
        assert answer.headers["Location"].startswith("/")
        assert not answer.headers["Location"].startswith(("//", "/\\"))


def test_a_language_that_is_not_there_is_refused(site: Site) -> None:
    site.post("/language", {"language": "tlh", "back": "/"}, 400)


def test_who_is_logged_in_takes_the_language_along(site: Site) -> None:
    site.log_in()
    _choose(site, "pl")
    site.client.delete_cookie("__Host-pbem-language", domain="play.example.org")
    assert '<html lang="pl">' in site.client.get("/account", base_url=BASE).text
    assert "pl" in site.rows(select(Account.language))


def test_who_logs_in_for_the_first_time_keeps_the_language_of_the_page(site: Site) -> None:
    site.client.post("/login", data={"address": "new@example.org"}, headers=POLISH)
    known = site.rows(select(Account.language).where(Account.address == "new@example.org"))
    assert known == ["pl"]


def test_a_private_link_is_read_in_the_language_of_the_seat(site: Site) -> None:
    path = site.turn()
    site.put(update(Account).values(language="pl"))
    assert '<html lang="pl">' in site.client.get(path).text
    _choose(site, "en", path)
    assert '<html lang="en">' in site.client.get(path, base_url=BASE).text


def test_addresses_of_pictures_say_in_which_language_they_are(site: Site) -> None:
    path = site.turn()
    assert all("lang=" not in picture["src"] for picture in _read(site, path).pictures)
    _choose(site, "pl", path)
    assert any("lang=pl" in picture["src"] for picture in _read(site, path).pictures)


def test_programs_are_answered_in_english(site: Site) -> None:
    asked = site.client.get("/api/v1/games/none", headers=POLISH)
    assert asked.status_code == 404
    assert asked.json == site.client.get("/api/v1/games/none").json
