"""The base of all kinds of letter: what a declaration may say."""

import sys
from collections.abc import Callable, Mapping
from enum import StrEnum
from functools import cache
from typing import Any, ClassVar, Self

import msgspec
from sqlalchemy.orm import Session

from pbem.engine import Choice, Question, Say, Value, say
from pbem.robot import answers
from pbem.service.base import declared
from pbem.service.base.queries import LogPart
from pbem.service.letters.kinds.context import Context
from pbem.store.statuses import GameStatus
from pbem.store.tables import Game, Letter
from pbem.views.games import MoveView
from pbem.views.log import own_by_mail, since_own_orders

LAST = LogPart(first=sys.maxsize)


class Timing(StrEnum):
    """When letters of a kind may leave."""

    ANY_HOUR = "any hour"
    """At once, whatever the quiet hours: they answer what the reader has just done."""
    AWAKE = "awake"
    """Outside the quiet hours of the reader."""
    QUESTION = "question"
    """As often as the reader wants questions: they may be held back."""
    MERGED = "merged"
    """The same, and those that are held back are told together in a digest."""


class Case(Value):
    """A letter in the outbox and what it is about, for a kind to look at."""

    session: Session
    letter: Letter
    game: Game | None


class LetterKind(Value):
    """A kind of letter. The fields of a subclass are what a letter of the kind stores beside its columns.

    Rows of all releases are read: a field that came later has a default.
    """

    kind: ClassVar[str]
    """Its name in the database, in ``X-Pbem-Letter``, and of the folder of its templates."""
    title: ClassVar[Say]
    """What the delivery log calls it."""
    timing: ClassVar[Timing] = Timing.AWAKE
    asks: ClassVar[bool] = False
    """Tells what is asked of the reader: a reader who wants one such letter in so many hours has got it."""
    pictured: ClassVar[bool] = False
    """The board is in it."""
    carries_talk: ClassVar[bool] = False
    """What was said in the game since the last letter is in it."""
    asks_again: ClassVar[bool] = False
    """The question is in it that is open as it leaves, if it is asked of its reader."""
    concerns_asked: ClassVar[bool] = False
    """Leads who is asked to the page of the question."""
    tells_log: ClassVar[bool] = False
    """What has happened since the reader's last own orders is in it."""
    takes_orders: ClassVar[bool] = False
    """What is written in reply to it is orders; in reply to others it is a word, talk, or nothing."""
    always_sent: ClassVar[bool] = False
    """Was asked for: neither a stop nor an address that does not work keeps it back."""
    awaited: ClassVar[bool] = False
    """Somebody waits for it on a page: it is kept back for a minute at the most, whatever its provider was like."""
    to_deleted: ClassVar[bool] = False
    """Goes to an account that is deleted; name and address are in the letter itself until it has left."""
    to_strangers: ClassVar[bool] = False
    """May go to somebody who has never answered anything, and therefore only a few times."""
    decisive: ClassVar[bool] = False
    """Whoever cannot get this one is unreachable at once when it comes back."""
    thoughtful: ClassVar[bool] = False
    """Takes seconds of the processor to write, which is done where robots think, so that nobody waits behind it."""
    survives_restore: ClassVar[bool] = False
    """Asks for something that nothing else asks for: sent again after a backup was restored."""

    def unwanted(self, case: Case) -> str:
        """Why nobody needs this letter any more, or ``""``; what holds for all kinds is asked by the outbox."""
        return ""

    def about(self) -> str:
        """The game of a letter whose row names none, or ``""``."""
        return ""

    def tries(self) -> tuple[str, str] | None:
        """Orders that are tried on its position before it is shown, and the seed of their dice."""
        return None

    def values(self, context: Context) -> dict[str, Any]:
        """What only this kind says: its templates are given it as ``own``, with the fields that are not named here."""
        return {}

    def question(self, context: Context) -> Question | None:
        """What the reader is asked in it, with a link for each choice."""
        return context.question() if self.asks_again and context.view.waiting_for == context.colour else None

    def answers(self, context: Context, question: Question) -> tuple[Choice, ...]:
        """Those that it lists, by their numbers."""
        return answers.listed(context.view.sheet, context.view.state, question)

    def log(self, context: Context) -> LogPart:
        """What of the game's log is read for it; the last entry is, whatever it says."""
        return LogPart(since_orders_of=context.colour) if self.tells_log else LAST

    def moves(self, context: Context) -> tuple[MoveView, ...]:
        """The entries of the game's log that it tells, of those that are read."""
        return since_own_orders(context.view.log, context.colour) if self.tells_log and context.colour else ()

    def confirmed(self, context: Context) -> tuple[MoveView, ...]:
        """Orders of the reader that it confirms."""
        return own_by_mail(context.view.log, context.colour) if self.tells_log and self.asks else ()

    def page(self, context: Context, question: Question | None) -> str:
        """The address of the page on which the reader answers, empty when nothing is asked."""
        if question is not None:
            return context.addresses.turn(context.game.id, question.seat, context.game.version)
        if not self.concerns_asked or context.game.status != GameStatus.RUNNING or not context.colour:
            return ""
        game, seat = context.game, context.colour
        return context.addresses.turn(game.id, seat, game.version) if game.to_act == seat else ""

    def addressee(self, context: Context) -> tuple[str, str]:
        """The address the letter goes to, and what its reader is called in it."""
        seat = context.seat if context.letter.game_id is not None else None
        return context.account.address, seat.name if seat else context.account.name

    def stored(self) -> dict[str, Any]:
        return {key: value for key, value in msgspec.to_builtins(self).items() if value is not None}

    @classmethod
    def read(cls, data: Mapping[str, Any]) -> Self:
        """What a row of such a letter holds. Raises ``ValueError`` when it is no such row."""
        return msgspec.convert(data, cls)


@cache
def every() -> Mapping[str, type[LetterKind]]:
    return declared.classes("pbem.service.letters.kinds", LetterKind)


def named(name: str) -> type[LetterKind]:
    """A kind of letter. Raises ``ValueError`` when there is none of this name."""
    if name not in every():
        raise ValueError(f"there is no letter {name!r}")
    return every()[name]


def of(letter: Letter) -> LetterKind:
    """The kind of a letter with what this one stores. Raises ``ValueError`` for a row of no kind."""
    return named(letter.kind).read(letter.data)


def names(which: Callable[[type[LetterKind]], bool]) -> tuple[str, ...]:
    return tuple(name for name, kind in every().items() if which(kind))


def title(name: str) -> Say:
    """What a kind is called in the delivery log; one that is not known stands for itself."""
    return every()[name].title if name in every() else say("{kind}", kind=name)
