"""What a robot answers: an order, why, and what else it thought about."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass

from pbem.engine.text import Say
from pbem.robot.thinking.thought import Thought


@dataclass(frozen=True, slots=True)
class Option:
    """An order that was thought about, what the robot expects to have in the end after it, and the reason for it."""

    order: str
    value: float
    why: Say


@dataclass(frozen=True, slots=True)
class Decision:
    """An order and why it is given.

    ``options``: what was thought about, the best first. ``work``: the number of outlooks that were looked at.
    """

    order: str
    why: Say
    options: tuple[Option, ...] = ()
    work: int = 0


def best_of(thought: Thought, options: Sequence[Option]) -> Decision:
    """The best of some options, the first of equal ones; a character that slips may take another for the best."""
    slip = thought.slip
    seen = [(option.value + (thought.luck.gauss(0, slip) if slip else 0.0), option) for option in options]
    ordered = [option for _, option in sorted(seen, key=_seen, reverse=True)]
    return Decision(ordered[0].order, ordered[0].why, tuple(ordered), thought.work)


def _seen(entry: tuple[float, Option]) -> float:
    return entry[0]
