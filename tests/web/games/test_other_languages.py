"""Texts that stand in tables and files are read in the reader's language as the sentences of pages are."""

from __future__ import annotations

from html import unescape

import pytest

from pbem import catalog, rulings
from pbem.language import Language
from tests.web.site import Site


@pytest.fixture
def in_quotes(monkeypatch: pytest.MonkeyPatch) -> None:
    """A language that sets every sentence in quotes of its own."""
    monkeypatch.setattr(Language, "translate", lambda _self, one, _many="", _count=1: f"«{one}»")


def test_a_map_and_its_options_are_told_of_in_the_language_of_the_reader(site: Site, in_quotes: None) -> None:
    told_of, played = catalog.sheet("age-of-steam", "st_lucia"), site.view().sheet
    pages = unescape(site.client.get("/maps/st_lucia").text + site.client.get(f"/games/{site.game}").text)
    options = [text for option in played.options() for text in (option.title, option.choices[option.default])]
    wanted = [*told_of.rule_texts(), told_of.remark, *options]
    assert len(wanted) > len(options) + 1 > 1
    assert [text for text in wanted if f"«{text}»" not in pages] == []


def test_rulings_and_their_headings_are_read_in_the_language_of_the_reader(empty: Site, in_quotes: None) -> None:
    page = unescape(empty.client.get("/rulings/steam-power").text)
    sections = rulings.sections("steam-power")
    assert [section.title for section in sections if f"«{section.title}»" not in page] == []
    assert page.count("<td>«") == sum(len(ruling.says) for section in sections for ruling in section.rulings)
