"""Checks what every game promises in every position, without knowing its rules.

Stored positions come back, legal orders can be read, print back and are accepted, and so is the default.
Raises ``AssertionError`` with a sentence that names the fault.
"""

import json
import random

from pbem.engine import Refused, Sheet, State
from pbem.engine.chance import SeededChance

TRIED = 1
"""Legal orders played and taken back in every position."""
READ = 12
"""Legal orders read and printed in every position."""
LISTED = 0.4
"""The chance that all placements of a build turn are listed and tried too; that takes longest."""


class Invariants:
    """Watches one game. ``looks``: the share of the positions that are looked at, ``listed`` as :data:`LISTED`."""

    def __init__(self, sheet: Sheet, *, seed: int = 1, looks: float = 1.0, listed: float = LISTED) -> None:
        self.sheet, self.luck = sheet, random.Random(seed)
        self.looks, self.listed = looks, listed

    def check(self, state: State) -> bool:
        """Everything that holds in every position of every game; returns whether this one was looked at."""
        asked = self.sheet.to_act(state)
        assert (asked is None) is self.sheet.over(state), "nobody is asked, or somebody after the end"
        if self.luck.random() >= self.looks:
            return False
        self._storage(state)
        if asked is not None:
            self._orders(state, asked)
        return True

    def _storage(self, state: State) -> None:
        stored = self.sheet.encode(state)
        again = self.sheet.decode(stored)
        assert again == state, "the state does not come back from its stored form"
        assert self.sheet.encode(again) == stored, "the stored form changes"
        position = self.sheet.position(state)
        assert json.loads(json.dumps(position)) == position, "the position is not plain JSON"

    def _orders(self, state: State, asked: str) -> None:
        sheet = self.sheet
        question = sheet.question(state)
        assert question.seat == asked, f"{question.seat} is asked while it is the turn of {asked}"
        legal = sheet.legal(state)
        offers = legal if legal is not None else self._placements(state)
        assert len(set(offers)) == len(offers), "an order is listed twice"
        if legal is not None:
            assert legal, "nothing is legal"
            assert {choice.order for choice in question.choices} <= set(legal), "a button that is not legal"
        for order in self.luck.sample(offers, min(READ, len(offers))):
            moves = sheet.parse(state, order, {})
            assert [str(move) for move in moves] == [order], f"“{order}” prints back as {moves}"
        for order in (*self.luck.sample(offers, min(TRIED, len(offers))), str(sheet.default(state))):
            rule = self._refused(state, asked, order)
            # a single tile need not be a whole build where only links may be left
            assert rule is None or (rule == "R97" and legal is None), f"{order} is refused: {rule}"

    def _placements(self, state: State) -> tuple[str, ...]:
        return self.sheet.placements(state) if self.luck.random() < self.listed else ()

    def _refused(self, state: State, seat: str, order: str) -> str | None:
        """The ruling with which an order is refused, ``None`` when it is legal."""
        try:
            self.sheet.play(state, seat, self.sheet.parse(state, order, {}), SeededChance(bytes(32), "tried"))
        except Refused as refused:
            return refused.refusal.rule or "no ruling"
        return None
