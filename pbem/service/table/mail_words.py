"""Emails that say one word, or something that is no order: help, status, board, log, rules, undo, say, note."""

from __future__ import annotations

import re
from collections.abc import Mapping
from dataclasses import dataclass
from datetime import datetime
from types import MappingProxyType

from pbem.engine.text import Say
from pbem.service.base import rate_limits
from pbem.service.base.errors import BadInput, NotNow
from pbem.service.base.office import Office
from pbem.service.kinds import LetterKind
from pbem.service.kinds.answers import Told, ToldBoard
from pbem.service.outbox import refusals, talk
from pbem.service.table import replies, takeback
from pbem.service.turns.plain_orders import ends_a_letter, without_programs

ASKED: Mapping[str, LetterKind] = MappingProxyType(
    {**{word: Told(word) for word in ("help", "status", "log", "rules")}, "board": ToldBoard()}
)
"""Words that are answered with an email."""
UNDO = "undo"
_SPOKEN = re.compile(r"^[ \t]*(say|note)\b[ \t]*:?[ \t]*", re.IGNORECASE | re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Parts:
    """What an email holds: one ``word`` or none, ``orders``, and what is to be said and noted; each may be empty."""

    orders: str
    word: str = ""
    talk: str = ""
    note: str = ""


def parts(text: str) -> Parts:
    """Tell orders from words.

    What follows a line that begins with ``say`` or ``note`` is said or noted, to the end or to the next such line.
    """
    spoken = list(_SPOKEN.finditer(text))
    orders = text[: spoken[0].start()] if spoken else text
    found = {"say": "", "note": ""}
    for number, match in enumerate(spoken):
        end = spoken[number + 1].start() if number + 1 < len(spoken) else len(text)
        found[match[1].lower()] += without_programs(text[match.end() : end]).strip() + "\n"
    lines = [line.strip() for line in orders.strip().splitlines()]
    word = lines[0].lower().rstrip(".!?") if lines else ""
    if word in (*ASKED, UNDO) and (len(lines) == 1 or (not lines[1] and ends_a_letter([*filter(None, lines[1:])]))):
        return Parts("", word, found["say"].strip(), found["note"].strip())
    return Parts(orders.strip(), "", found["say"].strip(), found["note"].strip())


def act(office: Office, letter_id: int, said: Parts, message_id: str, now: datetime) -> bool:
    """Do what was asked besides orders; returns whether there was anything. A mail that comes twice does it once.

    Raises what :func:`replies.check` does, and ``TooMuch``. What cannot be done is told in an email.
    """
    if not (said.word or said.talk or said.note):
        return False
    sender = replies.sender(office, letter_id, message_id)
    rate_limits.note(office, rate_limits.ORDERS, f"{sender.game}:{sender.colour}", now)
    why = _done(office, sender, said, now)
    if why is not None:
        replies.refuse(office, letter_id, why, f"{message_id or sender.source} beside orders", now)
    elif said.word in ASKED:
        with office.game(sender.game, now) as work:
            refusals.tell_asked(work, work.numbered(sender.number), ASKED[said.word], f"{said.word}:{sender.source}")
    return True


def _done(office: Office, sender: replies.Sender, said: Parts, now: datetime) -> Say | None:
    """Say, note and undo; why one of them cannot be done, if so."""
    try:
        if said.talk:
            talk.post(office, sender.game, sender.number, said.talk, now, sender.source)
        if said.note:
            talk.write_note(office, sender.game, sender.account, said.note, now)
        if said.word == UNDO:
            takeback.take_back(office, sender.game, sender.number, now)
    except NotNow as refused:
        return refused.sentence
    except BadInput as bad:
        return bad.problems[0].sentence
    return None
