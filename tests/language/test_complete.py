"""How much of every language is there: all of it, for those that say so; the table of the document is true."""

from __future__ import annotations

import re
from functools import cache
from pathlib import Path

from pbem.language import languages
from tests.messages import catalogues
from tests.messages.found import Key, Message, messages

COMPLETE = ("es", "pl", "pt")
"""Languages in which nothing may be left in English."""
PAGE = Path(__file__).parents[2] / "docs" / "translating.md"


@cache
def _found() -> dict[Key, Message]:
    return messages()


def test_every_sentence_is_translated() -> None:
    for code in COMPLETE:
        catalogue = catalogues.read(code)
        missing = [key for key in _found() if not catalogues.filled(catalogues.entry(catalogue, key))]
        assert missing == [], code


def test_the_table_says_how_much_of_every_language_is_done() -> None:
    """``make messages`` writes it; it may be behind, but not for a language that is whole."""
    table = re.findall(r"^\| .+? \| `(\w+)` \| (\d+) %", PAGE.read_text("utf-8"), re.MULTILINE)
    stated = {code: int(percent) for code, percent in table}
    assert set(stated) == {language.code for language in languages() if language.code != "en"}
    assert {code for code, percent in stated.items() if percent == 100} >= set(COMPLETE)
