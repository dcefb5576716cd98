"""What a robot says of itself."""

from __future__ import annotations

from abc import ABC, abstractmethod
from collections.abc import Mapping
from dataclasses import dataclass

from pbem.engine.sheet import Sheet, State
from pbem.engine.text import Say
from pbem.robot.reasons import Reason

PREFIX = "Robot "
"""What the name of a seat begins with that a robot has: it says so wherever the seat is named."""


@dataclass(frozen=True, slots=True)
class Answer:
    """Orders for the question that is open, and why; a plain robot has no reason."""

    orders: str
    why: Reason | None = None


@dataclass(frozen=True)
class Robot(ABC):
    """A robot that can have a seat, of any game: it asks a sheet only what everybody may ask of it.

    ``key``: its name in the database, in forms and commands. ``called``: what people call it. ``taste``: a sentence for
    people who choose an opponent. ``strength``: robots are listed the weakest first; those that think have 1 and more.
    """

    key: str
    called: str
    taste: Say
    strength: int = 0

    @property
    def name(self) -> str:
        """What its seat is called."""
        return PREFIX + self.called

    @abstractmethod
    def decide(self, sheet: Sheet, state: State, seed: str, options: Mapping[str, str]) -> Answer:
        """What it orders for the seat to act: always the same for the same ``seed``, in seconds at the most.

        ``options``: those with which the game was opened.
        """
