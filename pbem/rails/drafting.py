"""Steps of a draft as they stand in an address, before anybody has judged them."""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import dataclass
from typing import Generic, TypeVar

from pbem.engine.moves import BadMove, Move, Refusal, refuse
from pbem.engine.reading import shown

T = TypeVar("T")

PLANNING_CASH = 1_000
"""Cash with which tiles are listed that the player cannot pay, so that the page can say what they cost."""


@dataclass(frozen=True, slots=True)
class ReadStep(Generic[T]):
    """A step of a draft: its text, and what it reads as or why it cannot be read."""

    text: str
    step: T | None
    refusal: Refusal | None = None


def read_step(
    text: str, keyword: str, parse: Callable[[str], tuple[Move, ...]], only: Callable[[Move], T | None]
) -> ReadStep[T]:
    """Read one step; never raises for what a person may have typed.

    ``keyword`` starts the order that the step is a part of, ``only`` takes the step out of an order that has no other.
    """
    try:
        moves = parse(f"{keyword} {text}")
    except BadMove as bad:
        return ReadStep(text, None, Refusal(bad.sentence()))
    step = only(moves[0]) if len(moves) == 1 else None
    if step is None:
        return ReadStep(
            text, None, refuse("", "“{text}” is not one step of “{keyword}”.", text=shown(text), keyword=keyword)
        )
    return ReadStep(text, step)
