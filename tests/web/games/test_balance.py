"""The balance report of an own map on its pages: begun, watched, stopped, read, downloaded."""

import csv
import io

import pytest

from pbem.engine import catalog
from pbem.service.own_maps import drafts, reports, versions
from pbem.store.statuses import MapStatus
from pbem.store.tables import OwnMap, OwnMapReport
from tests.drawn import SMALL, map_of
from tests.web.games.test_my_maps import get, post
from tests.web.reading import Form, Page
from tests.web.site import Site
from workers import reporting, work

LARGEST = 40_000
"""Bytes of a page."""


@pytest.fixture(autouse=True)
def short(monkeypatch: pytest.MonkeyPatch, empty: Site) -> None:
    """Two games with each number of players, and the time of the site."""
    monkeypatch.setattr(reports, "GAMES", 2)
    monkeypatch.setattr(work, "now", lambda: empty.now)


@pytest.fixture
def there(empty: Site) -> str:
    """The page of the report on the map of Ana, who is logged in."""
    made = map_of(empty.office, empty.account("Ana"), empty.now)
    empty.open()
    empty.log_in()
    return f"/maps/play/{made.key}/balance"


def form(page: Page, do: str) -> Form:
    return next(each for each in page.posts if ("do", do) in each.buttons)


def begin(site: Site, path: str, do: str = "begin", code: int = 303) -> None:
    asked = form(get(site, path), "begin")
    post(site, path, {**asked.hidden, "do": do}, code)


def finished(site: Site, path: str) -> Page:
    begin(site, path)
    reporting.work_off(site.office)
    return get(site, path)


def test_a_report_is_begun_on_its_page_which_reloads_while_robots_play(empty: Site, there: str) -> None:
    page = get(empty, there)
    assert "Let robots try it" in page.headings
    assert page.link("/maps/play/")
    begin(empty, there)
    answer = empty.client.get(there, base_url="https://play.example.org")
    assert answer.headers["Refresh"] == "10"
    assert "Robots begin in a moment. You can close this page." in Page(answer.text).text
    task = reports.claim(empty.office, empty.now)
    assert task is not None
    assert "Robots are playing." in get(empty, there).text
    assert "0 of 300 seconds of the processor are used; 6 games are the most." in get(empty, there).text


def test_what_is_stopped_shows_what_there_is(empty: Site, there: str) -> None:
    begin(empty, there)
    asked = form(get(empty, there), "stop")
    post(empty, asked.action, {**asked.hidden, "do": "stop"})
    page = get(empty, there)
    assert "No game was finished." in page.text
    assert "Another report" in page.headings
    assert "Refresh" not in empty.client.get(there, base_url="https://play.example.org").headers
    begin(empty, there, "x", 400)


def test_a_finished_report_has_figures_charts_and_a_board(empty: Site, there: str) -> None:
    page = finished(empty, there)
    for heading in ("At a glance", "By number of players", "Seats", "Money", "Where goods go"):
        assert heading in page.headings
    made = catalog.own("age-of-steam", SMALL)
    assert f"6 games of robots on version {made.slug.removeprefix(catalog.OWN)[:8]}." in page.text
    assert "In every seat the quick robot" in page.text
    assert "of 18 players went bankrupt." in page.text
    for place in ("Porto", "Espinho", "Chaves"):
        assert place in page.text
    text = empty.client.get(there, base_url="https://play.example.org").text
    assert len(text.encode()) < LARGEST
    assert "2 players: cash, income, shares" in page.text
    assert "4 players: cash, income, shares" in get(empty, page.link("players=4")).text
    get(empty, f"{there}?players=x")
    on_map = get(empty, there.removesuffix("/balance"))
    assert "Tried by robots" in on_map.headings
    assert on_map.link("/balance")


def test_figures_are_downloaded_as_csv(empty: Site, there: str) -> None:
    get(empty, f"{there}.csv", 404)
    finished(empty, there)
    answer = empty.client.get(f"{there}.csv", base_url="https://play.example.org")
    assert answer.headers["Content-Type"] == "text/csv; charset=utf-8"
    rows = list(csv.DictReader(io.StringIO(answer.text)))
    assert {row["game"] for row in rows} == {"", *"123456"}
    assert {row["figure"] for row in rows} >= {"seed", "points", "bankrupt", "orders", "cash", "begin", "track"}
    row = empty.found(OwnMapReport, versions.of_map(empty.office, there.split("/")[3])[0].id)
    games = (row.figures or {})["games"]
    points = [int(row["value"]) for row in rows if row["figure"] == "points"]
    assert points == [n for game in games for n in game["points"]]


def test_limits_are_refused_with_sentences(empty: Site, there: str) -> None:
    hidden = form(get(empty, there), "begin").hidden
    begin(empty, there)
    refused = post(empty, there, {**hidden, "do": "begin"}, 409)
    assert "Robots are playing on this version already." in refused.text


def test_whoever_can_see_a_version_sees_its_report_once_it_has_ended(empty: Site, there: str) -> None:
    map_page = there.removesuffix("/balance")
    begin(empty, there)
    hidden = form(get(empty, there), "stop").hidden
    draft = drafts.begin(empty.office, empty.account("Ana"), SMALL, empty.now)
    owner, empty.client = empty.client, empty.app.test_client()
    for number in (None, 1):
        if number is not None:
            empty.log_in(number)
        for path in (there, f"{there}.csv", f"/maps/play/{draft}/balance"):
            get(empty, path, 404)
        assert "Tried by robots" not in get(empty, map_page).text
    reporting.work_off(empty.office)
    get(empty, f"/maps/play/{draft}/balance", 404)
    mark = form(get(empty, map_page), "report").hidden["mark"]
    for do in ("begin", "stop", "email"):
        post(empty, there, {**hidden, "mark": mark, "do": do}, 404)
    assert "Tried by robots" in get(empty, map_page).text
    page = get(empty, there)
    assert "At a glance" in page.headings
    assert not [each for each in page.posts if "/balance" in each.action]
    get(empty, f"{there}.csv")
    with empty.office.write() as session:
        session.get_one(OwnMap, there.split("/")[3]).status = MapStatus.WITHDRAWN
    get(empty, there, 404)
    empty.client = owner
    assert "At a glance" in get(empty, there).headings


def test_an_email_at_the_end_is_wished_and_given_up_on_the_page(empty: Site, there: str) -> None:
    asked = form(get(empty, there), "begin")
    post(empty, there, {**asked.hidden, "do": "begin", "email": "1"})
    page = get(empty, there)
    assert "You get an email when robots have finished." in page.text
    post(empty, there, {**form(page, "quiet").hidden, "do": "quiet"})
    page = get(empty, there)
    assert "You get an email" not in page.text
    post(empty, there, {**form(page, "email").hidden, "do": "email"})
    reporting.work_off(empty.office)
    assert len(empty.letters("map-report")) == 1
