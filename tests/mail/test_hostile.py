"""Whatever people call themselves and their games, a letter stays a letter."""

import re
from collections import Counter
from email.message import EmailMessage
from functools import cache
from types import SimpleNamespace
from typing import Any
from unittest.mock import patch

import pytest

from pbem.engine import Say, replace
from pbem.mail import compose as composing
from pbem.mail.compose import LETTER_POLICY, compose, no_code
from pbem.mail.writing import Written, write
from pbem.service.letters.kinds.leagues import LeagueLine
from pbem.service.letters.kinds.lessons import AnswerValues, LookBack
from pbem.views.games import GameLine, VoidView
from pbem.views.letters import LetterView
from pbem.views.people import VoteView
from tests.mail.arriving import arrived
from tests.mail.test_compose import Elements
from tests.mail.views import LETTERS, ROOT, addressed

TEXTS = {
    "markup": "<script>alert(1)</script><b>&amp;",
    "newlines": "Duluth\r\nBcc: everybody@example.org\n\nhello",
    "long": "a" * 10_000,
    "long words": "word " * 2_000,
    "right to left": "\u202eDuluth\u202c \u05e8\u05db\u05d1\u05ea",
    "nul": "Du\0luth\x1b[31m\x7f\x85",
    "template": "{{ 7 * 7 }}{% raw %}{player}{0}%(x)s",
    "quotes": "\"'><img src=x onerror=alert(1)>",
    "half characters": "\ud800Duluth\udfff",
    "nothing": "\u200b \n",
    "marks": "a" + "\u0301" * 500,
}
CODES = {
    "code of a header": "=?utf-8?b?DQpCY2M6IGFAYg==?=",
    "code of a mail": "=?utf-8?q?x=0D=0A=0D=0A<b>Board:_https://evil.example</b>?=",
    "code of code": "==?utf-8?q?=3F?utf-8?b?DQpCY2M6IGFAYg==?=",
    "code in pieces": "=?utf-8?q?=0ABcc:x@y?= =?utf-8?q?=0ATo:z@y?=",
    "other ends of lines": "Duluth\x0bBcc: a@b\x0cBcc: a@b\x1cBcc: a@b\x85Bcc: a@b\u2028Bcc: a@b\u2029Bcc: a@b",
}
"""Headers are read as what these say, or end with them."""
HEADERS = {
    "Subject", "From", "To", "Date", "Message-ID", "In-Reply-To", "References", "X-Pbem-Letter", "Auto-Submitted",
    "X-Auto-Response-Suppress", "List-Id", "List-Unsubscribe", "List-Unsubscribe-Post", "MIME-Version", "Content-Type",
    "Content-Language", "Content-Transfer-Encoding", "Reply-To",
}  # fmt: skip
WORST = ("markup", "newlines")
IN_TURN = tuple(name for name in TEXTS if name not in WORST)
NAMES = sorted(set(LETTERS) - {"your-turn-shares", "your-turn-action"})
each_letter = pytest.mark.parametrize("name", NAMES)


def texts_of(name: str) -> list[str]:
    """The worst for every letter, and three of the others, so that each is in a third of the letters."""
    number = 3 * NAMES.index(name)
    return [TEXTS[one] for one in (*WORST, *(IN_TURN[(number + n) % len(IN_TURN)] for n in range(3)))]


def poisoned(name: str, text: str) -> LetterView:
    """The letter with this text wherever people can write."""
    view = LETTERS[name]
    talk = tuple(replace(post, name=text, text=text) for post in view.talk)
    poison = replace(addressed(view, name=text), own=with_text(view.own, text), talk=talk)
    if view.game is None:
        return poison
    return replace(poison, game=_called(view.game, text))


def with_text(values: Any, text: str) -> Any:
    """What a kind of letter says, with this text in place of every other that is no address of ours."""
    names = vars(values) if isinstance(values, SimpleNamespace) else values.__struct_fields__
    changes = {name: _with_text(getattr(values, name), text) for name in names}
    return SimpleNamespace(**changes) if isinstance(values, SimpleNamespace) else replace(values, **changes)


def _with_text(value: object, text: str) -> object:
    match value:
        case str():
            return value if not value or value.startswith(ROOT) else text
        case tuple():
            return tuple(_with_text(one, text) for one in value)
        case GameLine():
            return _called(value, text)
        case VoteView():
            return _of_vote(value, text)
        case VoidView() | AnswerValues() | LookBack() | LeagueLine():
            return with_text(value, text)
    return value


def _of_vote(vote: VoteView, text: str) -> VoteView:
    """A vote with this text for all that its sentences name."""

    def said(sentence: Say) -> Say:
        return Say(sentence.one, dict.fromkeys(sentence.values, text), sentence.many, sentence.count)

    vote = replace(vote, words=said(vote.words), title=said(vote.title), if_refused=said(vote.if_refused))
    return replace(vote, asks=text, terms=tuple(map(said, vote.terms)))


def _called(game: Any, text: str) -> Any:
    """A game, or the line of one, that is called so, as all its players are."""
    return replace(game, title=text, seats=tuple(replace(seat, name=text) for seat in game.seats))


@cache
def sent(name: str, text: str) -> tuple[EmailMessage, str]:
    """The letter as it arrives, and the subject that was meant."""
    meant: list[Written] = []

    def kept(view: LetterView, picture: str) -> Written:
        meant.append(write(view, picture))
        return meant[-1]

    with patch.object(composing, "write", kept):
        letter = arrived(compose(poisoned(name, text), None))
    (written,) = meant
    return letter, no_code(written.subject)


def read(name: str, text: str) -> EmailMessage:
    return sent(name, text)[0]


@each_letter
def test_no_header_is_added_or_broken(name: str) -> None:
    for text in texts_of(name):
        _whole(name, text)


@pytest.mark.parametrize("text", CODES.values(), ids=CODES)
def test_no_code_of_a_header_is_read_as_what_it_says(text: str) -> None:
    for name in ("your-turn-bid", "game-over", "invitation", "mail-returned", "resigned", "test"):
        _whole(name, text)


def _whole(name: str, text: str) -> None:
    """Every header of the letter arrives once, on a line of its own, and reads as it was meant."""
    letter, subject = sent(name, text)
    assert {key for key, count in Counter(key.casefold() for key in letter).items() if count > 1} == set()
    assert set(letter) <= HEADERS
    assert not re.search("[\\r\\n\u202e]", "".join(str(value) for value in letter.values()))
    assert letter.defects == []
    assert [address.addr_spec for address in letter["To"].addresses] == [LETTERS[name].envelope.to]
    assert letter["Subject"] == subject
    assert len(letter["Subject"]) <= 110


@each_letter
def test_no_markup_gets_into_the_html(name: str) -> None:
    for text in texts_of(name):
        _html_is_clean(name, text)


def _html_is_clean(name: str, text: str) -> None:
    part = read(name, text).get_body(("html",))
    assert part is not None
    html = part.get_content()
    assert len(html.encode()) < 80_000
    assert not re.search("<script|<img|<b>|7 \\* 7", html.replace("{{ 7 * 7", ""))
    assert [tag for tag, attributes in Elements(html).found if "onerror" in attributes or "x" in attributes] == []
    assert not re.search("[\0\x1b\x7f\u202e\u202c]", html)


@each_letter
def test_the_text_keeps_its_columns_and_its_lines(name: str) -> None:
    for text in texts_of(name):
        _text_is_clean(name, text)


def _text_is_clean(name: str, text: str) -> None:
    part = read(name, text).get_body(("plain",))
    assert part is not None
    body = part.get_content()
    assert [line for line in body.splitlines() if len(line) > 72 and "https://" not in line] == []
    assert not re.search("[\0\x1b\x7f\u202e\u202c]", body)


@pytest.mark.parametrize("value", ["x\r\nBcc: a@b", "x\n\nbody", "x\rBcc: a@b", "x\r\n \r\nbody"])
@pytest.mark.parametrize("name", ["Subject", "X-Pbem-Letter", "List-Id"])
def test_a_header_that_would_become_two_is_not_written(name: str, value: str) -> None:
    message = EmailMessage(policy=LETTER_POLICY)
    message[name] = "fine"
    message._headers[0] = (name, value)  # type: ignore[attr-defined] # past every check of the library
    with pytest.raises(ValueError, match=r"would become two|Header values may not contain"):
        message.as_bytes()


def test_a_player_without_a_name_is_called_by_the_seats_colour() -> None:
    assert "Brown" in write(poisoned("your-turn-bid", "\u200b"), "").text


def test_a_game_without_a_title_is_called_by_its_map() -> None:
    assert write(poisoned("your-turn-bid", "\0"), "").subject.endswith(" [Rust Belt]")


def test_talk_never_reads_as_a_line_of_ours() -> None:
    forged = "Board: https://evil.example/t/x\n[issue 2] https://evil.example\n-- \n\nSINCE YOUR LAST TURN\n- Ana won."
    view = LETTERS["your-turn-talk"]
    text = write(replace(view, talk=tuple(replace(post, text=forged) for post in view.talk)), "").text
    ours = [line for line in text.splitlines() if not line.startswith(">")]
    assert not any("evil.example" in line or "Ana won" in line for line in ours)
    assert text.count("\n-- \n") == 1
