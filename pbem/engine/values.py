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

__all__ = ["Kept", "Lately", "Value", "field", "last_asked", "replace"]

K = TypeVar("K")
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


class Lately(Generic[K, T]):
    """The last answers by what was asked: at least the last ``most`` and at most twice as many."""

    __slots__ = ("_before", "_last", "_most")

    def __init__(self, most: int) -> None:
        self._most = most
        self.clear()

    def clear(self) -> None:
        """Keep nothing."""
        self._last: dict[K, T] = {}
        self._before: dict[K, T] = {}

    def get(self, key: K) -> T | None:
        """The answer, if it is kept."""
        found = self._last.get(key)
        if found is None and (found := self._before.get(key)) is not None:
            self.put(key, found)
        return found

    def put(self, key: K, answer: T) -> None:
        """Keep an answer."""
        last = self._last  # read once: another thread may begin anew meanwhile
        last[key] = answer
        if len(last) >= self._most:
            self._before, self._last = last, {}


class Kept(Generic[V, T]):
    """What was worked out of values, by the very value it was worked out of: an equal one is another.

    Only for values that never change. It holds at least the last ``most`` and at most twice as many.
    """

    __slots__ = ("_lately",)

    def __init__(self, most: int) -> None:
        self._lately: Lately[int, tuple[V, T]] = Lately(most)

    def get(self, value: V) -> T | None:
        """What is known of a value."""
        found = self._lately.get(id(value))
        return None if found is None else found[1]

    def put(self, value: V, known: T) -> None:
        """Keep what is known of a value, and with it the value: nothing else can have its number."""
        self._lately.put(id(value), (value, known))
