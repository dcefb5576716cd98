"""What the phases share: their base class and the desk of a phase in which seats act one after another."""

from __future__ import annotations

from dataclasses import dataclass
from typing import ClassVar

from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State
from pbem.engine.moves import Seat
from pbem.engine.phase import Phase
from pbem.engine.sheet import Question


class AgeOfSteamPhase(Phase[Rules, State]):
    """A phase of Age of Steam; one in which somebody decides says what it asks.

    ``act``: what a player does in it, for the headline of the picture: "Ana bids or drops".
    """

    act: ClassVar[str] = ""

    def ask(self, rules: Rules, state: State, seat: Seat) -> Question:
        """What is asked of the seat: the act, the figures that matter, the choices with what each leads to."""
        raise TypeError(f"{self.name} asks nothing")


@dataclass(frozen=True, slots=True)
class Waiting:
    """The seats that have not acted in this phase, the next one first."""

    seats: tuple[Seat, ...]

    @property
    def next(self) -> Seat | None:
        return self.seats[0] if self.seats else None

    def rest(self) -> Waiting:
        """After the next seat has acted."""
        return Waiting(self.seats[1:])


def led_by(state: State, action: str) -> tuple[Seat, ...]:
    """The turn order with the holder of an action (First Move, First Build) in front (R21)."""
    first = state.holder(action)
    return state.order if first is None else (first, *(seat for seat in state.order if seat != first))
