"""What earlier decisions have worked out from the same things on the table."""

from __future__ import annotations

from collections import OrderedDict
from collections.abc import Callable, Hashable
from typing import Generic, TypeVar

Value = TypeVar("Value")


class Memory(Generic[Value]):
    """The last values, by all that they depend on: a key must hold every such thing, so an answer never changes.

    ``most``: how many are kept; the one not asked for the longest goes first.
    """

    def __init__(self, most: int) -> None:
        self.most = most
        self.values: OrderedDict[Hashable, Value] = OrderedDict()

    def get(self, key: Hashable, make: Callable[[], Value]) -> Value:
        """The value of a key, made where it is not known."""
        try:
            value = self.values.pop(key)
        except KeyError:
            value = make()
        self.values[key] = value
        while len(self.values) > self.most:
            self.values.popitem(last=False)
        return value
