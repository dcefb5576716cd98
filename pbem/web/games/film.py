"""Markup that changes from position to position of a game: every piece once, every position as what is other in it."""

from collections.abc import Iterable, Sequence
from difflib import SequenceMatcher
from itertools import groupby
from typing import Any

FEW = 12
"""Pieces that are other, which are told place by place."""


class Film:
    """Positions one after the other, each a sequence of pieces of markup."""

    def __init__(self) -> None:
        self._numbers: dict[str, int] = {}
        self._last: list[int] = []
        self._steps: list[list[tuple[int, int, list[int]]]] = []

    def add(self, pieces: Iterable[str]) -> None:
        """The next position."""
        now = [self._numbers.setdefault(piece, len(self._numbers)) for piece in pieces]
        start = _alike(self._last, now)
        left = min(len(self._last), len(now)) - start
        end = _alike(self._last[: -left - 1 : -1], now[: -left - 1 : -1]) if left else 0
        before, after = self._last[start : len(self._last) - end], now[start : len(now) - end]
        # from the end to the start, so that the places of those still to come stay what they are
        self._steps.append(
            [
                (start + i, far - i, now[start + j : start + until])
                for i, far, j, until in reversed(_changes(before, after))
            ]
        )
        self._last = now

    def as_json(self) -> dict[str, Any]:
        """``pieces``, and by position its ``steps``: place, how many pieces go there, which come."""
        return {"pieces": list(self._numbers), "steps": self._steps}


def _changes(before: Sequence[int], after: Sequence[int]) -> list[tuple[int, int, int, int]]:
    """What is other, from the start on: from where to where in each. Most positions hold as much as the one before, and
    little of it is other."""
    if len(before) == len(after):
        other = [at for at, (a, b) in enumerate(zip(before, after, strict=True)) if a != b]
        if len(other) <= FEW:
            runs = [[at for _, at in run] for _, run in groupby(enumerate(other), key=lambda one: one[1] - one[0])]
            return [(run[0], run[-1] + 1, run[0], run[-1] + 1) for run in runs]
    found = SequenceMatcher(None, before, after, autojunk=False).get_opcodes()
    return [(i, far, j, until) for what, i, far, j, until in found if what != "equal"]


def _alike(one: Sequence[int], other: Sequence[int]) -> int:
    """At how many places from the start on both hold the same."""
    return next((at for at, (a, b) in enumerate(zip(one, other, strict=False)) if a != b), min(len(one), len(other)))
