"""The email that plans a turn is a form in the words of its reader, and is read when it is filled in."""

from __future__ import annotations

import re
from dataclasses import replace

import pytest

from pbem.language import reading
from pbem.mail import reply
from pbem.mail.writing import write
from pbem.service.email_in import replies
from pbem.service.turns.plain_orders import PlainReader
from pbem.service.turns.progress import written
from tests.mail.test_reply import OURS, mail
from tests.mail.views import LETTERS

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
