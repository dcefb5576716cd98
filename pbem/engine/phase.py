"""A phase of the sequence of play: stateless, the only judge of legality in its part of the turn."""

from __future__ import annotations

from collections.abc import Sequence
from typing import ClassVar, Generic, TypeVar

from pbem.engine.chance import Chance
from pbem.engine.events import Event
from pbem.engine.moves import Move, Refusal, Seat, raise_for
from pbem.engine.values import Value, replace

S = TypeVar("S")
R = TypeVar("R")


class Step(Value, Generic[S]):
    """A state and what happened on the way to it.

    ``played``: the orders of a submission as they were played, alternatives decided; empty elsewhere. That is what
    a log may show: an alternative that was not played can name what only its player knows.
    """

    state: S
    events: tuple[Event, ...] = ()
    played: tuple[Move, ...] = ()

    def after(self, before: tuple[Event, ...]) -> Step[S]:
        return replace(self, events=before + self.events)


class Forced(Value):
    """The single legal move of a seat and the automatic rule (A1…A20) that plays it unasked."""

    move: Move
    rule: str


class Phase(Generic[R, S]):
    """One phase. ``R`` is the rule sheet, ``S`` the state; scratch lives in ``state.scratch`` (type ``scratch``)."""

    name: ClassVar[str]
    moves: ClassVar[tuple[type[Move], ...]] = ()
    scratch: ClassVar[type | None] = None

    def begin(self, rules: R, state: S, chance: Chance) -> Step[S]:
        """Enter the phase: lay out its scratch, or do everything at once where nobody is asked."""
        return Step(state)

    def to_act(self, rules: R, state: S) -> Seat | None:
        """The seat that is asked now; ``None`` ends the phase."""
        return None

    def forced(self, rules: R, state: S, seat: Seat) -> Forced | None:
        """The move to play without asking, if there is only one."""
        return None

    def refuse(self, rules: R, state: S, seat: Seat, move: Move) -> Refusal | None:
        """Why the move is not legal for the seat now, or ``None``."""
        raise TypeError(f"{self.name} takes no moves")

    def apply(self, rules: R, state: S, seat: Seat, move: Move, chance: Chance) -> Step[S]:
        """Play a move that :meth:`refuse` lets through."""
        raise TypeError(f"{self.name} takes no moves")

    def play(self, rules: R, state: S, seat: Seat, move: Move, chance: Chance) -> Step[S]:
        """Judge and play. Raises :class:`Refused`."""
        raise_for(self.refuse(rules, state, seat, move))
        return self.apply(rules, state, seat, move, chance)

    def legal(self, rules: R, state: S, seat: Seat) -> Sequence[Move] | None:
        """Every legal move in a useful order, or ``None`` where they are too many to list."""
        return ()

    def default(self, rules: R, state: S, seat: Seat) -> Move:
        """The safest legal move, played when a deadline passes (turn_prompts, section 3)."""
        raise TypeError(f"{self.name} takes no moves")

    def end(self, rules: R, state: S, chance: Chance) -> Step[S]:
        return Step(state)
