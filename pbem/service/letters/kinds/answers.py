"""Letters that answer one word of an email: help, status, board, log, rules."""

from __future__ import annotations

from dataclasses import dataclass
from typing import Any

from typing_extensions import override

from pbem.engine.text import say
from pbem.service.base.queries import LogPart
from pbem.service.letters.kinds import similar
from pbem.service.letters.kinds.context import Context
from pbem.service.letters.kinds.declaration import LAST, LetterKind, Timing
from pbem.views.games import MoveView

ENTRIES = 100
"""Entries of the log in one email, the latest; the whole of it is on the page."""
ORDERS = 30
"""Orders that are listed with the help for a question."""


@dataclass(frozen=True)
class Told(LetterKind):
    """What somebody asked for with one word: ``help``, ``status``, ``log`` or ``rules``."""

    kind, title = "told", say("answer to a word")
    timing, takes_orders, asks_again = Timing.ANY_HOUR, True, True
    word: str

    @override
    def values(self, context: Context) -> dict[str, Any]:
        """``orders`` that could be sent now, and whether there are ``more`` of them; ``words`` that do something now;
        what the reader has ordered ``ahead``."""
        asked = self.question(context) if self.word == "help" else None
        return {
            "orders": similar.examples(context.view.sheet, context.view.state, asked, ORDERS) if asked else (),
            "more": asked is not None and (len(asked.choices) > ORDERS or asked.form == "build"),
            "words": context.words() if self.word == "help" else (),
            "ahead": context.ahead() if self.word == "status" else (),
        }

    @override
    def log(self, context: Context) -> LogPart:
        if self.word != "log":
            return LAST
        return LogPart(first=max(0, (context.letter.version or 0) - ENTRIES + 1))

    @override
    def moves(self, context: Context) -> tuple[MoveView, ...]:
        return context.view.log if self.word == "log" else ()


@dataclass(frozen=True)
class ToldBoard(LetterKind):
    kind, title = "board", say("the board")
    timing, pictured, takes_orders, asks_again = Timing.ANY_HOUR, True, True, True
