"""What the phases share: their base class and the scratch of a phase in which seats act one after another."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State
from pbem.engine.moves import Seat
from pbem.rails.sheet import AskingPhase


class AgeOfSteamPhase(AskingPhase[Rules, State]):
    """A phase of Age of Steam."""


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
