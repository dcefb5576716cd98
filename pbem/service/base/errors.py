"""How a call of the service can fail; the sentences are for the person who asked for it."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.engine.text import Say


class NoSuch(LookupError):
    """There is no such game, seat, letter or submission."""


class NotNow(Exception):
    """It is not possible now; nothing was changed."""

    def __init__(self, sentence: Say) -> None:
        super().__init__(str(sentence))
        self.sentence = sentence


@dataclass(frozen=True, slots=True)
class Problem:
    """What is wrong with one field. ``field`` is its name in the form: title, map, players, players.2 …"""

    field: str
    sentence: Say


class BadInput(ValueError):
    """Fields that cannot be taken as they are; nothing was changed."""

    def __init__(self, *problems: Problem) -> None:
        super().__init__(" ".join(str(problem.sentence) for problem in problems))
        self.problems = problems
