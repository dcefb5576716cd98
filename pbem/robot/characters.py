"""The robots that take seats: who lets one decide calls :func:`decide`, and needs to know nothing of how it thinks."""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from pbem.engine.sheet import Sheet, State
from pbem.engine.text import Say
from pbem.robot import choose, thinking
from pbem.robot.reasons import Reason

PREFIX = "Robot "
"""What the name of a seat begins with that a robot has: it says so wherever the seat is named."""


@dataclass(frozen=True, slots=True)
class Robot:
    """``name``: what its seat is called; ``taste``: a sentence for people who choose an opponent."""

    key: str
    name: str
    taste: Say


@dataclass(frozen=True, slots=True)
class Answer:
    """Orders for the question that is open, and why; a plain robot has no reason."""

    orders: str
    why: Reason | None = None


ROBOTS: Mapping[str, Robot] = {
    one.key: Robot(one.key, f"{PREFIX}{one.name}", one.manner) for one in thinking.CHARACTERS.values()
}
"""By key, the weakest first."""


def decide(sheet: Sheet, state: State, robot: str, seed: str, options: Mapping[str, str]) -> Answer:
    """What this robot orders for the seat to act; the same for the same seed.

    A robot that is not known plays like the plain one: those of a later version may sit in the games of an older one.
    """
    if robot not in ROBOTS:
        return plain(sheet, state, seed)
    decision = thinking.decide(sheet, state, thinking.CHARACTERS[robot], seed, options)
    return Answer(decision.order, decision.reason)


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
