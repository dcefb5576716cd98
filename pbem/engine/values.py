"""Values that play changes: states, what they are made of, and what passes between phases while an order is played.

They are frozen like the dataclasses around them. An order makes dozens of them, each from the one before with a field
or two changed, which costs a fiftieth of what ``dataclasses.replace`` does; and a stored state is read straight into
them.
"""

from __future__ import annotations

from collections.abc import Callable
from functools import wraps
from typing import Generic, TypeVar, TypeVarTuple

import msgspec
from msgspec import field
from msgspec.structs import replace

__all__ = ["Kept", "Value", "field", "last_asked", "replace"]

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


class Kept(Generic[V, T]):
    """What was worked out of values, by the very value it was worked out of: an equal one is another.

    Only for values that never change. It holds at least the last ``most`` and at most twice as many.
    """

    __slots__ = ("_before", "_last", "_most")

    def __init__(self, most: int) -> None:
        self._most = most
        self._last: dict[int, tuple[V, T]] = {}
        self._before: dict[int, tuple[V, T]] = {}

    def get(self, value: V) -> T | None:
        """What is known of a value."""
        known = self._last.get(id(value))
        if known is None:
            known = self._before.get(id(value))
            if known is None:
                return None
            self.put(value, known[1])
        return known[1]

    def put(self, value: V, known: T) -> None:
        """Keep what is known of a value, and with it the value: nothing else can have its number."""
        last = self._last
        last[id(value)] = value, known
        if len(last) >= self._most:
            self._before, self._last = last, {}
