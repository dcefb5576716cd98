"""What a map changes, and the options of its games, are read out of the catalogue of the reader's language."""

from __future__ import annotations

from html import unescape

import pytest

from pbem.engine import catalog
from pbem.language import Language
from tests.web.site import Site


def test_a_map_and_its_options_are_told_of_in_the_language_of_the_reader(
    site: Site, monkeypatch: pytest.MonkeyPatch
) -> None:
    told_of, played = catalog.sheet("age-of-steam", "st_lucia"), site.view().sheet
    monkeypatch.setattr(Language, "translate", lambda _self, one, _many="", _count=1: f"«{one}»")
    pages = unescape(site.client.get("/maps/st_lucia").text + site.client.get(f"/games/{site.game}").text)
    options = [text for option in played.options() for text in (option.title, option.choices[option.default])]
    wanted = [*told_of.rule_texts(), told_of.remark, *options]
    assert len(wanted) > len(options) + 1 > 1
    assert [text for text in wanted if f"«{text}»" not in pages] == []
