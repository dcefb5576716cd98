"""Against robots the next question comes by itself, a moment after they have answered."""

from __future__ import annotations

import threading
import time
from dataclasses import replace

import pytest
from playwright.sync_api import Browser, expect

from pbem.robot import thinking
from pbem.service.orders import robots, submissions
from pbem.web.base import context
from pbem.web.turns import turn
from tests.web.browsers import serving
from tests.web.site import Site

SOON = 1.5
"""Seconds after which a page that waits has gone on, on a busy machine; robots answer at once here."""

HASTE = 40
"""How much robots think: how well they play is not what is asked here."""


@pytest.fixture
def against_rufus(empty: Site, monkeypatch: pytest.MonkeyPatch) -> Site:
    hasty = {key: replace(one, budget=HASTE) for key, one in thinking.CHARACTERS.items()}
    monkeypatch.setattr(thinking, "CHARACTERS", hasty)
    empty.open(("Ana",), map="st_lucia", robots=("rufus",))
    return empty


def let_robots_answer(site: Site) -> None:
    while site.view().robot_asked:
        robots.think(site.office, site.game, site.now)
        submissions.play_waiting(site.office, site.game, site.now)


def answer(site: Site, patience: float, pause: float) -> str:
    """Where the form leads after an answer; robots begin to think after a pause."""
    kept = site.app.extensions[context.EXTENSION]
    site.app.extensions[context.EXTENSION] = replace(kept, patience=patience)
    ended = threading.Event()

    def think() -> None:
        while not ended.is_set():
            time.sleep(pause)
            let_robots_answer(site)

    thread = threading.Thread(target=think)
    thread.start()
    try:
        return str(site.client.post(site.turn(), data={"orders": site.legal()}).headers["Location"])
    finally:
        ended.set()
        thread.join()
        site.app.extensions[context.EXTENSION] = kept


def test_an_answer_waits_for_those_of_robots_and_leads_to_the_next_question(
    against_rufus: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(turn, "ROBOTS_ANSWER", 60)  # a busy machine thinks for seconds
    for _ in range(4):
        where = answer(against_rufus, patience=60, pause=0.2)
        assert where.startswith("/t/")
        assert "?done=" in where
        let_robots_answer(against_rufus)


def test_it_does_not_wait_longer_than_a_moment(against_rufus: Site) -> None:
    site = against_rufus
    let_robots_answer(site)
    site.app.extensions[context.EXTENSION] = replace(site.app.extensions[context.EXTENSION], patience=60)
    where = ""
    while "/sent/" not in where:  # no robot answers here
        where = site.client.post(site.turn(), data={"orders": site.legal()}).headers["Location"]
    assert "is thinking" in site.client.get(where).text


def test_a_page_that_waits_goes_on_by_itself(chromium: Browser, against_rufus: Site) -> None:
    site = against_rufus
    let_robots_answer(site)
    number = 0
    while not site.view().robot_asked:
        number = site.play().id
    browser = chromium.new_context()
    page = browser.new_page()
    with serving(site.app) as root:
        page.goto(root + site.result(number))
        expect(page.get_by_text("is thinking")).to_be_visible()
        let_robots_answer(site)
        page.wait_for_url("**/t/*?done=*", timeout=SOON * 1000, wait_until="commit")
        assert page.title().startswith("Your turn: ")
    browser.close()
