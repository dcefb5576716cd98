"""Values that play changes: states, what they are made of, and what passes between phases while an order is played.

They are frozen like the dataclasses around them. An order makes dozens of them, each from the one before with a field
or two changed, which costs a fiftieth of what ``dataclasses.replace`` does; and a stored state is read straight into
them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import TypeVar, TypeVarTuple

import msgspec
from msgspec import field
from msgspec.structs import replace

__all__ = ["Value", "field", "last_asked", "replace"]

V = TypeVar("V")
T = TypeVar("T")
Ts = TypeVarTuple("Ts")


class Value(msgspec.Struct, frozen=True):
    """Base of these values; a subclass says ``frozen=True`` again, for mypy."""


def last_asked(work: Callable[[V, *Ts], T]) -> Callable[[V, *Ts], T]:
    """Keep the last answer of a function for whoever asks about the very same first value again.

    Only for values that never change, and answers that nobody changes: while an order is judged and played, a dozen
    rules ask the same of one position.
    """
    last: tuple[V, tuple[*Ts], T] | None = None

    @wraps(work)
    def asked(value: V, *more: *Ts) -> T:
        nonlocal last
        known = last  # read once: another thread may ask meanwhile
        if known is None or known[0] is not value or known[1] != more:
            known = last = value, more, work(value, *more)
        return known[2]

    return asked
