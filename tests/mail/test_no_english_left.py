"""Whatever an email says goes through the catalogue of its reader's language, and longer sentences fit."""

from __future__ import annotations

import re
from dataclasses import replace
from html import unescape

import pytest

from pbem.language.catalogues import LIMIT_WEEKDAYS
from pbem.mail.words import COLUMNS
from pbem.mail.writing import SUBJECT, write
from pbem.views.letters import LetterView
from tests.leftovers import ORDERS, Leftovers, longer, marked, names
from tests.mail.views import LETTERS
from tests.speaking import spoken_as

PEOPLE = ("Davi", "Eva", "Ana", "Chloé", "Slow train to Duluth", "Ruhr by Christmas", "Cotton by rail", "pbem", "UTC")
ANSWERS = frozenset({"END", "pbem", "Lizbona", "try", "help", "undo", "status", "board", "close"})
"""What ends orders, the city whose clock the reader lives by, and words to reply with."""
OTHERS = frozenset({"discord", "com", "someone", "example", "net", "verify", "unstick", "json", "SW", "NE"})
DAYS = re.compile(
    "|".join(
        ("poniedziałek|wtorek|środa|czwartek|piątek|sobota|niedziela|listopada|grudnia|stycznia", *LIMIT_WEEKDAYS["pl"])
    )
)
QUOTED = re.compile(
    "|".join(
        (
            "The build now costs .5; it was given for .2 .P5..",
            "submission 17 of game k7m2 is stuck",
            "k7m2",
            "order 4 given ahead in game k7m2 is stuck",
            "You cannot bid .99: you have .1[13] .R12..",
            "L9 @N costs .3, and after the first two steps you have .1 .R24..",
            "# towards the lake",
            "“What shall I do.” begins with no word of an order.",
            "What shall I do.",
            "Winter league",
            "Four winters",
            "That question has been answered with .issue 2..",
            "K10[^<]*L9 @[A-Z]+",
            "The answer was 404: there is no such webhook any more.",
            "[0-9a-f]{64}",
            "Hana",
        )
    )
)  # fmt: skip
"""What these emails quote: it was read out before, or is meant for hosts."""


def _in_polish(view: LetterView) -> LetterView:
    return replace(view, envelope=replace(view.envelope, language="pl"))


@pytest.mark.parametrize("name", [name for name in LETTERS if "talk" not in name])
def test_no_email_says_anything_in_english_alone(name: str) -> None:
    with spoken_as(marked):
        written = write(_in_polish(LETTERS[name]), "board@pbem")
    html = unescape(written.html).replace(f'aria-label="{written.subject}"', "")
    html = QUOTED.sub("", DAYS.sub("", html))
    assert '<html lang="pl">' in html
    assert Leftovers(html, names(*PEOPLE) | ANSWERS | OTHERS | ORDERS).found == []


@pytest.mark.parametrize("name", LETTERS)
def test_sentences_of_other_languages_fit_an_email(name: str) -> None:
    with spoken_as(longer):
        written = write(_in_polish(LETTERS[name]), "board@pbem")
    assert len(written.subject) <= SUBJECT
    wide = [line for line in written.text.splitlines() if len(line) > COLUMNS and "http" not in line]
    assert wide == []
