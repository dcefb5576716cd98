"""Whatever an email says goes through the catalogue of its reader's language, and longer sentences fit."""

import re
from html import unescape

import pytest

from pbem.engine import replace
from pbem.language import reading
from pbem.language.catalogues import LIMIT_WEEKDAYS
from pbem.mail import reply
from pbem.mail.words import COLUMNS
from pbem.mail.writing import SUBJECT, write
from pbem.service.email_in import replies
from pbem.service.turns.plain_orders import PlainReader
from pbem.service.turns.progress import written
from pbem.views.letters import LetterView
from tests.leftovers import ORDERS, Leftovers, longer, marked, names
from tests.mail.test_reply import OURS, mail
from tests.mail.views import LETTERS
from tests.speaking import spoken_as

PEOPLE = ("Davi", "Eva", "Ana", "Chloé", "Slow train to Duluth", "Ruhr by Christmas", "Cotton by rail", "pbem", "UTC")
ANSWERS = frozenset({"END", "pbem", "Lizbona", "try", "help", "undo", "status", "board", "close"})
"""What ends orders, the city whose clock the reader lives by, and words to reply with."""
OTHERS = frozenset({"discord", "com", "someone", "example", "net", "verify", "unstick", "json", "SW", "NE", "SE", "NW"})
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
            "Douro",
            "The names are those of a published map.",
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


# forms --------------------------------------------------------------------------------------------------------------


VIEW = LETTERS["planning"]
FILLED = {
    "es": ("emitir 2", "pujar máximo 4", "acción urbanización > locomotora > _"),
    "pl": ("emituj 2", "licytuj maks 4", "akcja urbanizacja > lokomotywa > _"),
    "pt": ("emitir 2", "apostar máx 4", "ação urbanização > locomotiva > _"),
}
MEANT = ("issue 2", "bid max 4", "action urbanization > locomotive")


def planning(code: str) -> str:
    """The text of the email in a language."""
    return write(replace(VIEW, envelope=replace(VIEW.envelope, language=code)), "board@pbem").text


def read(code: str, text: str) -> list[str]:
    """The orders that come of a reply with this quotation."""
    quoted = "\n".join(f"> {line}".rstrip() for line in text.splitlines())
    with reading(code):
        form = replies.form_of(code)
        said = reply.written(reply.parsed(mail(f"{OURS[0]} wrote:\n{quoted}\n")), OURS, form=form)
        assert VIEW.game is not None
        moves = PlainReader(VIEW.game.sheet, VIEW.game.state, VIEW.game.names).parse(said)
    return [written((move,)) for move in moves]


@pytest.mark.parametrize("code", FILLED)
def test_a_form_in_another_language_is_filled_in_where_it_stands(code: str) -> None:
    text = planning(code)
    blanks = [line for line in text.splitlines() if line.endswith("_")]
    assert len(blanks) == 3
    for blank, filled in zip(blanks, FILLED[code], strict=True):
        assert blank.split()[0] == filled.split()[0]
        text = text.replace(blank, f"  {filled}", 1)
    assert read(code, text) == list(MEANT)


@pytest.mark.parametrize("code", FILLED)
@pytest.mark.parametrize("number", range(3))
def test_what_is_left_blank_in_another_language_is_no_order(code: str, number: int) -> None:
    text = planning(code)
    blanks = [line for line in text.splitlines() if line.endswith("_")]
    text = text.replace(blanks[number], f"  {FILLED[code][number]}", 1)
    assert read(code, text) == [MEANT[number]]


@pytest.mark.parametrize("code", FILLED)
def test_the_example_in_another_language_is_nobodys_order(code: str) -> None:
    assert not re.search(r"^  (issue|bid|action)\b", planning(code), re.MULTILINE)
    quoted = "\n".join(f"> {line}".rstrip() for line in planning(code).splitlines())
    said = reply.written(reply.parsed(mail(f"{OURS[0]} wrote:\n{quoted}\n")), OURS, form=replies.form_of(code))
    assert said.strip() == ""
