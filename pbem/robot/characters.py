"""The robots that take seats: who lets one decide calls :func:`decide`, and needs to know nothing of how it thinks."""

from __future__ import annotations

import random
from collections.abc import Mapping

from pbem.engine.sheet import Sheet, State
from pbem.robot import choose, opponents, thinking
from pbem.robot.opponents import Answer


def decide(sheet: Sheet, state: State, robot: str, seed: str, options: Mapping[str, str]) -> Answer:
    """What this robot orders for the seat to act; the same for the same seed.

    A robot that is not known plays like the plain one: those of a later version may sit in the games of an older one.
    """
    found = opponents.every().get(robot)
    return found.decide(sheet, state, seed, options) if found else plain(sheet, state, seed)


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
