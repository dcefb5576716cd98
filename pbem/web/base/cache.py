"""Things that are costly to make and never change, kept while they are asked for."""

from collections.abc import Callable
from threading import Lock
from typing import Generic, TypeVar

T = TypeVar("T")


class Shelf(Generic[T]):
    """The things asked for last, by everything that decides what they are; safe for threads."""

    def __init__(self, size: int) -> None:
        self._size, self._lock = size, Lock()
        self._kept: dict[tuple[object, ...], T] = {}

    def get(self, key: tuple[object, ...], make: Callable[[], T]) -> T:
        """The thing for a key, made when it is not at hand."""
        with self._lock:
            found = self._kept.pop(key, None)
            if found is not None:
                self._kept[key] = found
                return found
        made = make()
        with self._lock:
            self._kept[key] = made
            while len(self._kept) > self._size:
                del self._kept[next(iter(self._kept))]
        return made
