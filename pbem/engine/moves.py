"""A move is a value with a text form, and no rules in it; three ways in which playing one can fail."""

from __future__ import annotations

from collections.abc import Callable
from typing import ClassVar

from typing_extensions import override

from pbem.engine.text import PLAIN, Say, Voice, say
from pbem.engine.values import Value, replace

Seat = str
"""A seat is named by its colour, the same word as on the board and in records."""
SEATS = ("red", "blue", "green", "yellow", "purple", "black", "brown", "white", "pink", "gray", "orange")
"""Every colour a seat can have, in games of ours and in records from elsewhere."""


class Move(Value):
    """Base of all moves: values whose ``str`` is the canonical notation: keyword and fields for most."""

    keyword: ClassVar[str]
    usage: ClassVar[str]

    @override
    def __str__(self) -> str:
        words = [self.keyword]
        for name in self.__struct_fields__:
            value = getattr(self, name)
            if value is not None:
                words += map(str, value if isinstance(value, tuple) else (value,))
        return " ".join(words)


class Cancel(Move):
    """Withdraw the standing orders."""

    keyword = "cancel"
    usage = "cancel"


class Resign(Move):
    keyword = "resign"
    usage = "resign"


class BadMove(Exception):
    """We cannot read it. Says what was expected and where; ``column`` counts from 0 in ``line`` (from 1).

    ``found``: what stands there, empty where something is missing; ``after``: the word behind which it is missing.
    ``surplus``: the order is complete before what was found.
    """

    def __init__(
        self, expected: Say, line: int = 1, column: int = 0, found: str = "", *, after: str = "", surplus: bool = False
    ) -> None:
        super().__init__(str(expected))
        self.expected, self.line, self.column, self.found = expected, line, column, found
        self.after, self.surplus = after, surplus

    def at(self, column: int, found: str, after: str) -> BadMove:
        """The same complaint about another text, in which other words stand there."""
        return BadMove(self.expected, self.line, column, found, after=after, surplus=self.surplus)

    def sentence(self) -> Say:
        """The whole answer: the line, what was found and what was expected; with the column, which is marked."""
        where = {"line": self.line, "column": self.column + 1, "expected": self.expected}
        if self.found and self.surplus:
            return say("Line {line}: “{found}” is too much here. {expected}", found=self.found, **where)
        if self.found:
            return say("Line {line}: “{found}” cannot be read. {expected}", found=self.found, **where)
        if self.after:
            return say("Line {line}: something is missing after “{after}”. {expected}", after=self.after, **where)
        return say("Line {line}: something is missing. {expected}", **where)


class Refusal(Value):
    """Why a move is not legal: one sentence, the ruling it rests on, the step of a build (from 1, 0 = none).

    ``asks``: it would be legal if it said which of several ways is meant; the alternatives after it do not apply.
    """

    why: Say
    rule: str = ""
    step: int = 0
    asks: bool = False

    def sentence(self, voice: Voice = PLAIN) -> str:
        """The sentence with the ruling in brackets before the full stop."""
        text = self.why.read(voice)
        if not self.rule:
            return text
        return f"{text.removesuffix('.')} ({self.rule})."

    @property
    def whole(self) -> bool:
        """Whether the sentence names its place itself, as those of :class:`BadMove` do."""
        return "column" in self.why.values and "line" in self.why.values

    def in_step(self, step: int) -> Refusal:
        return replace(self, step=step)


class Refused(Exception):
    """We can read it, but it is not legal now. Nothing was changed. ``line`` (from 1, 0 = the only one) failed."""

    def __init__(self, refusal: Refusal) -> None:
        super().__init__(refusal)
        self.refusal = refusal
        self.line = 0

    @override
    def __str__(self) -> str:
        return self.refusal.sentence()  # most are caught and never read


def refuse(rule: str, one: str, /, **values: object) -> Refusal:
    """Short for a refusal with its ruling first: ``refuse("R12", "…", cash=7)``."""
    return Refusal(say(one, **values), rule)


def no(rule: str, one: str, /, **values: object) -> Refused:
    """The same to raise."""
    return Refused(refuse(rule, one, **values))


def raise_for(refusal: Refusal | None) -> None:
    if refusal is not None:
        raise Refused(refusal)


def refusal_of(act: Callable[[], object]) -> Refusal | None:
    """Why something that is done is refused; ``None`` where it is not."""
    try:
        act()
    except Refused as refused:
        return refused.refusal
    return None


def placed(why: str, line: int, step: int, whole: bool = False) -> Say:
    """Why not, with line and step (from 1, 0 = the only one); ``whole``: the sentence may name its place itself."""
    if whole or not (line or step):
        return say("{why}", why=why)
    if not step:
        return say("Line {line}: {why}", line=line, why=why)
    if not line:
        return say("Step {step}: {why}", step=step, why=why)
    return say("Line {line}, step {step}: {why}", line=line, step=step, why=why)
