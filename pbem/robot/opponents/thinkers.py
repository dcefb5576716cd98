"""The robots that think: each plays as its character does."""

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace

from typing_extensions import override

from pbem.engine import Sheet, State
from pbem.robot import thinking
from pbem.robot.opponents import Answer, Robot

FIRST, STEP, LEAST, MOST = 10.0, 2.0, 3.0, 20.0
"""The slip of a robot that adapts: in the first game, from one game to the next, and its limits."""


@dataclass(frozen=True)
class Thinker(Robot):
    """Thinks every decision through, as the character with its key. ``slip``: another than the character has."""

    slip: float | None = None

    @override
    def decide(self, sheet: Sheet, state: State, seed: str, options: Mapping[str, str]) -> Answer:
        character = thinking.CHARACTERS[self.key]
        if self.slip is not None:
            character = replace(character, slip=self.slip, steam_slip=self.slip)
        decision = thinking.decide(sheet, state, character, seed, options)
        return Answer(decision.order, decision.reason)

    @override
    def against(self, record: Sequence[bool]) -> Robot:
        if not self.adapts:
            return self
        slip = FIRST
        for won in record:
            slip = max(LEAST, slip - STEP) if won else min(MOST, slip + STEP)
        return replace(self, slip=slip)


ROBOTS = tuple(
    Thinker(one.key, one.name, one.manner, strength, one.level, one.adapts)
    for strength, one in enumerate(thinking.CHARACTERS.values(), 1)
)
