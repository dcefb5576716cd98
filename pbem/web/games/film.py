"""Markup that changes from position to position of a game: every piece once, every position as what is other in it."""

from collections.abc import Iterable
from difflib import SequenceMatcher
from typing import Any


class Film:
    """Positions one after the other, each a sequence of pieces of markup."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._last: list[int] = []
        self._steps: list[list[tuple[int, int, list[int]]]] = []

    def add(self, pieces: Iterable[str]) -> None:
        """The next position."""
        now = [self._numbers.setdefault(piece, len(self._numbers)) for piece in pieces]
        both = enumerate(zip(self._last, now, strict=False))
        start = next((at for at, (one, other) in both if one != other), min(len(self._last), len(now)))
        changes = SequenceMatcher(None, self._last[start:], now[start:], autojunk=False).get_opcodes()
        # from the end to the start, so that the places of those still to come stay what they are
        self._steps.append(
            [
                (start + i, far - i, now[start + j : start + end])
                for what, i, far, j, end in reversed(changes)
                if what != "equal"
            ]
        )
        self._last = now

    def as_json(self) -> dict[str, Any]:
        """``pieces``, and by position its ``steps``: place, how many pieces go there, which come."""
        return {"pieces": list(self._numbers), "steps": self._steps}
