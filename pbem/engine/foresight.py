"""Questions to come, as far as a game knows of them: moments, and the position after orders that are not sent yet."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Any

from pbem.engine.moves import Move, Seat
from pbem.engine.phase import Step
from pbem.engine.standing_orders import phase_of
from pbem.engine.text import Say, Word, say

State = Any


class Foresight:
    """What a sheet says of questions to come; a game that foresees nothing needs none of these."""

    def moments(self, state: State, seat: Seat) -> tuple[str, ...]:
        """The decisions that the seat may still be asked for in this turn, the next one first."""
        return ()

    def moment_said(self, moment: str) -> Say:
        """A moment as a list names it: "move goods, round 2"."""
        phase, _, round_ = moment.partition(".")
        if round_:
            return say("{phase}, round {n}", phase=Word(phase), n=int(round_))
        return say("{phase}", phase=Word(phase_of(moment)))

    def asked_ahead(self, state: State, seat: Seat, moment: str) -> State | None:
        """The position as if the seat were asked now for a moment to come; ``None`` where that cannot be imagined."""
        return None

    def foreseen(self, state: State, seat: Seat, moves: Sequence[Move]) -> Step[State] | None:
        """The position after orders of the seat that is asked, as far as it is known before they are sent.

        What a draw brings is left out. ``None`` in games whose questions are answered one by one. Raises ``Refused``.
        """
        return None

    def drawn_cards(self, seat: Seat, events: Sequence[Any]) -> frozenset[str]:
        """The cards that came into a hand by these events (``Told``), each as orders that use it begin."""
        return frozenset()
