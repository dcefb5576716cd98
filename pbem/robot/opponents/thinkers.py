"""The robots that think: each plays as its character does."""

from collections.abc import Mapping

from typing_extensions import override

from pbem.engine.sheet import Sheet, State
from pbem.robot import thinking
from pbem.robot.opponents import Answer, Robot


class Thinker(Robot):
    """Thinks every decision through, as the character with its key."""

    @override
    def decide(self, sheet: Sheet, state: State, seed: str, options: Mapping[str, str]) -> Answer:
        decision = thinking.decide(sheet, state, thinking.CHARACTERS[self.key], seed, options)
        return Answer(decision.order, decision.reason)


ROBOTS = tuple(
    Thinker(one.key, one.name, one.manner, strength) for strength, one in enumerate(thinking.CHARACTERS.values(), 1)
)
