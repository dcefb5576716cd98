"""The board in words: the whole position without a picture, and the question of whoever is asked."""

import json
import re
from html import unescape
from urllib.parse import urlencode

import pytest

from pbem.engine import Sheet, catalog
from pbem.engine.position_text import spoken
from pbem.engine.record import write_record
from pbem.robot import answers, map_answers
from pbem.service.archive import records
from pbem.service.games import views
from tests.every_page.decisions import games_of, kept, stops
from tests.web.conftest import Played
from tests.web.reading import Page
from tests.web.site import Site

STEAM_POWER = "northern_italy-3-to-the-end"
HEADS = {"takes", "cubes", "factory", "none"}
"""What the heads of the table say, and a cell without anything."""


def asked_path(site: Site) -> str:
    """The page in words of whoever is asked, by the private link of the seat."""
    return site.path(site.office.addresses.seat(site.game, site.number_asked())) + "/words"


def rows(page: Page) -> list[list[str]]:
    """The words of each line of the table of Cities as they are read out."""
    found = re.findall(r"<tr><th scope=\"row\">(?!<b)(.*?)</tr>", page.html, re.DOTALL)
    return [_words(re.sub(r"<span class=\"cube.*?</span>", "", row)) for row in found]


def _words(text: str) -> list[str]:
    return [word for word in re.findall(r"[^\s,;:]+", unescape(re.sub(r"<[^>]*>", " ", text))) if word not in HEADS]


@pytest.mark.parametrize("sheet", catalog.sheets(), ids=lambda sheet: sheet.slug)
def test_the_page_says_the_whole_position_of_every_sheet(empty: Site, sheet: Sheet) -> None:
    record = kept(games_of(sheet.slug)[-1])
    empty.game = records.import_record(empty.office, json.dumps(write_record(record)), empty.now)
    for at in (0, len(record.turns) * 2 // 3, len(record.turns)):
        game = views.game(empty.office, empty.game, at).seen_by()
        page = empty.get(f"/games/{empty.game}/words?at={at}")
        assert game.position
        for section, said in zip(
            game.position.words, spoken(game.position.words, game.position_voice, game.names), strict=True
        ):
            if section.columns:
                assert rows(page) == [_words(line) for line in said.lines]
            elif not said.head.startswith("Players"):
                assert all(line in page.text for line in said.lines), said.head


def test_whoever_is_asked_chooses_an_answer_on_the_page(played: Played) -> None:
    site = played("build")
    page = site.get(asked_path(site))
    assert page.headings[0].startswith("Build track")
    assert "New links within your money" in page.headings
    (form,) = (form for form in page.posts if "/t/" in form.action)
    assert re.search(r'>Choose<span class="unseen">: \w+ to \w+', page.html)
    version, (name, order) = site.view().version, form.buttons[0]
    site.post(form.action, {name: order})
    assert site.view().version == version + 1


@pytest.mark.parametrize("form", ["started", "build", "deliver"])
def test_answers_have_the_numbers_that_emails_give_them(played: Played, form: str) -> None:
    site = played(form)
    view = site.view()
    numbered = answers.listed(view.sheet, view.state, view.sheet.question(view.state))
    page = site.get(f"{site.turn()}/words")
    (sent,) = (sent for sent in page.posts if sent.action == site.turn())
    assert [order for _, order in sent.buttons] == [choice.order for choice in numbered]


def test_who_is_not_asked_has_nothing_to_choose(site: Site) -> None:
    others = [seat.number for seat in site.view().seats if seat.number != site.number_asked()]
    paths = [site.path(site.office.addresses.seat(site.game, number)) + "/words" for number in others]
    for path in (f"/games/{site.game}/words", *paths):
        page = site.get(path)
        assert page.posts == []
        assert page.headings[0].startswith("Waiting for")
        assert "Answers" not in page.headings


def test_a_hand_is_shown_to_its_player_alone(empty: Site) -> None:
    next(stops(empty, kept(STEAM_POWER), {12: ("actions", "")}))
    heads = {
        seat.name: empty.get(empty.path(empty.office.addresses.seat(empty.game, seat.number)) + "/words").headings
        for seat in empty.view().seats
    }
    for name, headings in heads.items():
        assert [head for head in headings if "contracts" in head] == [f"Your contracts, {name}"]
    assert "contracts" not in " ".join(empty.get(f"/games/{empty.game}/words").headings)


def test_a_link_that_has_served_leads_to_what_became_of_it(site: Site) -> None:
    turn = site.turn()
    site.play()
    assert site.get_on(f"{turn}/words") == turn
    assert site.client.get(f"{turn}x/words").status_code == 404


def test_a_game_without_a_position_has_no_page_in_words(empty: Site) -> None:
    empty.open()
    empty.get(f"/games/{empty.game}/words", 404)


@pytest.mark.parametrize("name", ["finland-3-to-the-last-turn", STEAM_POWER])
def test_every_city_leads_to_its_description(empty: Site, name: str) -> None:
    record = kept(name)
    empty.game = records.import_record(empty.office, json.dumps(write_record(record)), empty.now)
    at = len(record.turns) // 2
    page = empty.get(f"/games/{empty.game}/words?at={at}")
    cities = [link for link in page.links if "place=" in link]
    assert len(cities) == len(rows(page))
    for link, row in zip(cities, rows(page), strict=True):
        described = empty.get(link.partition("#")[0])
        assert f"<h3>{row[0]}" in described.html
        assert "<h3>Beside " in described.html
        assert f"after order {at} of" in described.headings[0]


@pytest.mark.parametrize("text", ["D1", "duluth", " Duluth ", "Atlantis", "K99", "<b>", "\u0130", "place 7" * 10])
def test_a_place_that_is_asked_for_is_described_or_why_not_is_said(site: Site, text: str) -> None:
    page = site.get(f"/games/{site.game}/words?{urlencode({'place': text})}")
    known = text.strip().casefold() in ("d1", "duluth")
    assert ("<h3>Beside " in page.html) == known
    if not known:
        state, sheet = site.asked().state, site.asked().sheet
        (why,) = map_answers.describe(sheet, state, None, text).sections
        assert str(why.head[0]) in page.text


def test_pages_with_the_board_lead_to_it_in_words_first(played: Played) -> None:
    site = played("build")
    seat = site.path(site.office.addresses.seat(site.game, site.number_asked()))
    for path in (f"/games/{site.game}", seat, site.turn(), f"/games/{site.game}?at=3"):
        page = site.get(path)
        address, _, query = path.partition("?")
        words = f"{address}/words" + (f"?{query}" if query else "")
        assert page.links[0] == "#main"
        found = re.search(r'<main id="main">\s*<p class="skip"><a href="([^"]*)"', page.html)
        assert found
        assert found[1] == words
        assert page.links.count(words) == 2  # below the closed position as well
        site.get(words)


def test_the_board_is_described_by_what_is_asked_the_last_change_and_where_its_words_are(played: Played) -> None:
    site = played("build")
    (board, *_) = site.get(site.turn()).pictures
    view = site.view()
    told = view.log[-1].events[-1].say.read(view.voice_to(view.waiting_for))
    assert "Build track" in board["alt"]
    assert told in board["alt"]
    assert board["alt"].endswith("“The board in words”.")
