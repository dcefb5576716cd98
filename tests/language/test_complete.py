"""How much of every language is there. What is missing is shown in English: a warning until a release."""

from __future__ import annotations

import re
import warnings
from pathlib import Path

import pytest

from pbem.language import languages
from tests.messages import catalogues
from tests.messages.found import Message, messages

PAGE = Path(__file__).parents[2] / "docs" / "translating.md"


@pytest.mark.filterwarnings("default::UserWarning")
def test_a_sentence_that_lacks_a_translation_is_a_warning() -> None:
    for code, lacking in catalogues.lacking(messages()).items():
        if lacking:
            warnings.warn(f"{code} shows {len(lacking)} sentences in English: {lacking[:3]}", stacklevel=1)


def test_a_release_needs_every_sentence_of_a_whole_language() -> None:
    sentence = Message("Nobody has translated this.")
    lacking = catalogues.lacking({("", sentence.one): sentence})
    assert lacking == {code: [("", sentence.one)] for code in catalogues.WHOLE}


def test_the_table_names_only_languages_that_are_there() -> None:
    """``make messages`` writes it, and how much of each is done."""
    stated = re.findall(r"^\| .+? \| `(\w+)` \| \d+ %", PAGE.read_text("utf-8"), re.MULTILINE)
    assert set(catalogues.WHOLE) <= set(stated) <= {language.code for language in languages()}
