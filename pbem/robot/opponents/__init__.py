"""The robots one can play against: what each says of itself, where they are found, and what they order.

The modules of this package are searched for them, so a new robot is a new module (``docs/extending.md``).
"""

from __future__ import annotations

import importlib
import pkgutil
import random
from abc import ABC, abstractmethod
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass
from functools import cache

from pbem.engine import Say, Sheet, State
from pbem.robot import choose, thinking
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
    ``level``: the rung of the ladder it stands on. ``adapts``: it plays by what its opponent has reached against it, so
    no ratings follow from its games.
    """

    key: str
    called: str
    taste: Say
    strength: int = 0
    level: Say | None = None
    adapts: bool = False

    @property
    def name(self) -> str:
        return PREFIX + self.called

    @abstractmethod
    def decide(self, sheet: Sheet, state: State, seed: str, options: Mapping[str, str]) -> Answer:
        """What it orders for the seat to act: always the same for the same ``seed``, in seconds at the most.

        ``options``: those with which the game was opened.
        """

    def against(self, record: Sequence[bool]) -> Robot:
        """How it plays against somebody who has so won and lost against it, the oldest game first."""
        return self


@cache
def every() -> Mapping[str, Robot]:
    """All robots by key, the weakest first: those that the modules of this package name in ``ROBOTS``."""
    found: list[Robot] = []
    for module in pkgutil.iter_modules(__path__, f"{__name__}."):
        found += getattr(importlib.import_module(module.name), "ROBOTS", ())
    return {robot.key: robot for robot in sorted(found, key=lambda robot: (robot.strength, robot.key))}


def adapts(robots: Iterable[str]) -> bool:
    """Whether one of these robots plays by what its opponent has reached."""
    return any(every()[robot].adapts for robot in robots if robot in every())


def decide(
    sheet: Sheet, state: State, robot: str, seed: str, options: Mapping[str, str], record: Sequence[bool] = ()
) -> Answer:
    """What this robot orders for the seat to act; the same for the same seed.

    ``record``: as :meth:`Robot.against` has it.

    A robot that is not known plays like the plain one: those of a later version may sit in the games of an older one.
    """
    found = every().get(robot)
    return found.against(record).decide(sheet, state, seed, options) if found else plain(sheet, state, seed)


def caretaker(sheet: Sheet, state: State, seed: str, options: Mapping[str, str]) -> Answer:
    """What a caretaker orders for the seat to act: within about 0.2 seconds, the same for the same seed.

    It thinks where its budget says how long that takes; elsewhere it plays like the plain robot.
    """
    if sheet.game not in thinking.BOUNDED:
        return plain(sheet, state, seed)
    decision = thinking.decide(sheet, state, thinking.CARETAKER, seed, options)
    return Answer(decision.order, decision.reason)


def plain(sheet: Sheet, state: State, seed: str) -> Answer:
    """What the robot orders that does not think, in milliseconds."""
    return Answer(choose(sheet, state, random.Random(seed)))
