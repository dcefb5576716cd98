"""Letters that answer an email which was neither orders nor a question: what was done, what is asked back, and why
nothing was."""

from __future__ import annotations

from dataclasses import dataclass
from datetime import date
from typing import Any

from typing_extensions import override

from pbem.engine.text import say, say_from_json
from pbem.service.letters.kinds.context import Context
from pbem.service.letters.kinds.declaration import LetterKind, Timing


@dataclass(frozen=True)
class NotTaken(LetterKind):
    """A reply to ``letter`` with which nothing could be done; ``why``: a sentence, as it is stored."""

    kind, title = "not-taken", say("a reply that could not be used")
    timing = Timing.ANY_HOUR
    letter: int
    why: dict[str, Any]

    @override
    def values(self, context: Context) -> dict[str, Any]:
        return {"why": say_from_json(self.why)}


@dataclass(frozen=True)
class Done(LetterKind):
    """What an email has asked for was done.

    ``what``: accepted, away, back, undone, resigned, closed (answers from elsewhere), asked (the others), voted, kept
    (nothing was done, as the reader wished). ``first``, ``last``: days, both
    included; ``vote``: its number; ``orders``: those that were taken back.
    """

    kind, title = "done", say("what you asked for was done")
    timing = Timing.ANY_HOUR
    what: str
    first: date | None = None
    last: date | None = None
    vote: int | None = None
    orders: str = ""

    @override
    def values(self, context: Context) -> dict[str, Any]:
        return {"vote": None if self.vote is None else context.vote(self.vote)}


@dataclass(frozen=True)
class AskedBack(LetterKind):
    """What an email has asked for cannot be undone, or came from elsewhere: it is done when this letter is answered
    with yes.

    ``what``: a word of ``service.email_in.mail_words``; ``first``, ``last``: its days; ``vote``: the vote
    that is meant; ``sender``: where the word came from, if that is no address of the reader.
    """

    kind, title = "asked-back", say("asks whether you mean it")
    timing = Timing.ANY_HOUR
    what: str
    first: date | None = None
    last: date | None = None
    vote: int | None = None
    sender: str = ""

    @override
    def values(self, context: Context) -> dict[str, Any]:
        return {"vote": None if self.vote is None else context.vote(self.vote)}


@dataclass(frozen=True)
class FromElsewhere(LetterKind):
    """Somebody has answered for the reader from another address: told once for each. ``sender``: that address."""

    kind, title = "from-elsewhere", say("an answer from another address")
    timing = Timing.ANY_HOUR
    sender: str

    @override
    def values(self, context: Context) -> dict[str, Any]:
        return {"account": f"{context.addresses.account()}#own-mail"}
