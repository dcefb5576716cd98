"""The pages of rulings say every ruling once, and a refusal leads to the one it rests on."""

import re

import pytest

from pbem.language import rulings
from tests.web.site import Site

GAMES = sorted(rulings.PAGES)


@pytest.mark.parametrize("game", GAMES)
def test_every_ruling_has_an_anchor_of_its_own(site: Site, game: str) -> None:
    page = site.client.get(f"/rulings/{game}")
    anchors = re.findall(r'<tr id="([^"]+)"', page.text)
    assert sorted(anchors) == sorted(rulings.numbers(game))
    assert len(page.data) < 40 * 1024
    linked = re.findall(r'href="#([^"]+)"', page.text)
    assert set(linked) <= {*anchors, *re.findall(r'<h2 id="([^"]+)"', page.text), "main"}


def test_a_ruling_stands_there_in_its_words_with_links_to_others(site: Site) -> None:
    page = site.client.get("/rulings/age-of-steam").text
    assert "<td>Only complete links: looked at when the whole build is done, exits of towns included.</td>" in page
    assert 'skipped (<a href="#R13">R13</a>)' in page
    assert "<code>bid max 6</code>" in page
    assert "placement_rules.py" not in page, "players do not look for code"


def test_a_game_without_rulings_has_no_page(site: Site) -> None:
    site.get("/rulings/chess", 404)


def test_a_refused_order_leads_to_its_ruling(site: Site) -> None:
    """R10: the page of the refusal, and that of orders which were only checked."""
    for _ in range(2):
        site.play("issue 0")
    refused = "bid 99"
    site.until("choices")
    while site.asked().sheet.phase(site.asked().state) != "turn_order":
        site.play(site.asked().default(), seat=site.asked().waiting_for)
    sent = site.post(site.turn(), {"orders": refused})
    link = '(<a href="/rulings/age-of-steam#R12">R12</a>).'
    assert link in site.client.get(sent.headers["Location"]).text
    assert link in site.client.get(f"{site.turn()}?typed=bid+99&check=1").text
    assert link in site.client.get(site.turn(refused)).text


def test_a_number_within_a_sentence_is_a_hex() -> None:
    assert rulings.cited("age-of-steam", "R12 is full (R24).") == ("R12 is full (", "R24", ").")
    assert rulings.cited("age-of-steam", "Toledo (R12) is full.") is None
    assert rulings.cited("age-of-steam", "No such ruling (R999).") is None
    assert rulings.cited("chess", "Anything (R12).") is None
