"""Robots on pages: chosen in the form of a new game, seated by the host, and waited for while they think."""

import re
from email import message_from_bytes, policy

import pytest
from markupsafe import Markup

from pbem.mail.compose import compose
from tests.web.games.test_people_pages import Browser
from tests.web.site import Site

ST_LUCIA = {"map": "age-of-steam/st_lucia", "title": "Alone", "turn_time": "12h", "grace": "10"}


@pytest.fixture
def browser(empty: Site) -> Browser:
    """Ana is logged in."""
    empty.open()
    empty.log_in(0)
    return Browser(empty)


def _opened(browser: Browser, **fields: str) -> Site:
    form = browser.get("/new?map=age-of-steam/st_lucia").posts[0]
    values = {
        **form.hidden,
        **dict.fromkeys(("robots.clara", "robots.rufus", "robots.penny"), "0"),
        **ST_LUCIA,
        **fields,
    }
    answer = browser.post("/new", **values)
    if answer.status_code == 303:
        browser.site.game = answer.headers["Location"].rpartition("/")[2]
    else:
        assert answer.status_code == 400, answer.text
        raise ValueError(answer.text.partition("problem")[2][:600])
    return browser.site


def _until_robot(site: Site) -> int:
    """Play until a robot is asked; returns the number of the last orders."""
    number = 0
    while not site.view().robot_asked:
        number = site.play().id
    return number


def test_a_game_against_a_robot_is_opened_with_the_form_and_starts_at_once(browser: Browser) -> None:
    site = _opened(browser, **{"robots.rufus": "1"})
    assert [seat.robot for seat in site.view().seats] == ["", "rufus"]
    assert site.view().status == "running"
    assert "answer at once" in browser.get(f"/games/{site.game}").text


def test_too_many_robots_and_a_pause_that_is_not_offered_are_told_at_the_form(browser: Browser) -> None:
    with pytest.raises(ValueError, match="2 players; there are 4"):
        _opened(browser, **{"robots.clara": "3"})
    with pytest.raises(ValueError, match="at most 24 hours"):
        _opened(browser, **{"robots.clara": "1", "robot_pause": "7"})


def test_the_host_seats_a_robot_on_the_page_of_people(browser: Browser) -> None:
    site = browser.site
    for number in (1, 2):
        site.answer(number)
    path = f"/games/{site.game}/people"
    page = browser.get(path)
    assert "Or a robot instead of Davi" in page.text
    answer = browser.post(path, do="robot", seat="3", robot="clara")
    assert "A robot has the seat now." in browser.get(answer.headers["Location"]).text
    assert site.view().status == "running"
    page = browser.get(path)
    assert "a robot plays" in page.text
    assert any(picture["src"] == "/robots/clara.png" for picture in page.pictures)
    assert browser.post(path, do="robot", seat="3", robot="hal").status_code == 400


def test_the_page_of_sent_orders_waits_for_a_robot_and_then_leads_on(browser: Browser) -> None:
    site = _opened(browser, **{"robots.rufus": "1"})
    path = site.result(_until_robot(site))
    text = site.client.get(path).text
    assert "Robot Rufus is thinking" in text
    assert 'http-equiv="refresh"' in text
    site.robots_answer()
    text = site.client.get(path, follow_redirects=True).text
    assert "Your orders are played" in text
    assert '<h1 id="ask">' in text
    assert 'http-equiv="refresh"' not in text


def test_a_page_that_waits_for_a_robot_does_not_wait_for_ever(browser: Browser) -> None:
    site = _opened(browser, **{"robots.rufus": "1"})
    path = site.result(_until_robot(site))
    site.later(minutes=2)
    assert 'http-equiv="refresh"' not in site.client.get(path).text


def test_no_page_waits_for_a_robot_that_takes_hours(browser: Browser) -> None:
    site = _opened(browser, **{"robots.rufus": "1", "robot_pause": "240"})
    path = site.result(_until_robot(site))
    text = site.client.get(path).text
    assert "as from a person" in text
    assert 'http-equiv="refresh"' not in text
    assert "within 4 hours, by day" in browser.get(f"/games/{site.game}").text


@pytest.mark.parametrize(("friendly", "told"), [("", True), ("1", False)], ids=["counts", "friendly"])
def test_who_can_step_back_is_told_of_ratings_where_it_counts(browser: Browser, friendly: str, told: bool) -> None:
    site = _opened(browser, **{"robots.rufus": "1", "friendly": friendly})
    text = site.get(site.result(_until_robot(site))).text
    assert ("The game then does not count for ratings." in text) is told


def test_orders_are_taken_back_with_one_button_before_and_after_robots_have_answered(browser: Browser) -> None:
    site = _opened(browser, **{"robots.rufus": "1"})
    number = _until_robot(site)
    before = site.view().version
    assert "whatever robots have answered" in site.get(site.result(number)).text
    assert "what robots have answered" in browser.get(f"/games/{site.game}").text
    browser.post(f"/games/{site.game}/back", do="back")
    assert not site.view().robot_asked
    _until_robot(site)
    site.robots_answer()
    assert "what robots have answered" in browser.get(f"/games/{site.game}").text
    browser.post(f"/games/{site.game}/back", do="back")
    assert site.view().version > before + 2
    assert not site.view().robot_asked


def test_the_reason_of_a_robot_is_on_the_page_of_the_game_and_in_both_parts_of_the_email(browser: Browser) -> None:
    site = _opened(browser, **{"robots.rufus": "1"})
    _until_robot(site)
    site.robots_answer()
    assert "Why: " in browser.get(f"/games/{site.game}").text
    why = str(next(move.why for move in site.view().log if move.why))
    raw = compose(site.read(site.letters("your-turn")[-1]), None).content
    message = message_from_bytes(raw, policy=policy.default)
    for kind in ("plain", "html"):
        part = message.get_body((kind,))
        assert part is not None
        text = " ".join(Markup(part.get_content()).striptags().split())
        assert re.search(f"Why: ([^:]*: )?{re.escape(' '.join(why.split())[:25])}", text)


@pytest.mark.parametrize(
    ("map", "turns", "emails"),
    [
        ("steam-power/ireland", "2 no fixed end 3 no fixed end 4 no fixed end 5 no fixed end", False),
        ("age-of-steam/barbados", "1 10", False),
        ("age-of-steam/rust_belt", "3 10 64 41 4 8 49 31 5 7 44 27 6 6 37 –", True),
    ],
)
def test_what_to_expect_says_only_what_is_known(browser: Browser, map: str, turns: str, emails: bool) -> None:
    text = browser.get(f"/new?map={map}").text
    unit = "Rounds" if map.startswith("steam") else "Turns"
    expected = text[text.index("What to expect") : text.index("Update for the chosen map")]
    assert f"{unit} {'Emails per player With planning emails ' if emails else ''}{turns} " in expected
    assert ("recorded games of the base game" in expected) == emails
