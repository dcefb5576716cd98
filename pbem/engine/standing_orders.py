"""Orders given before they are asked for, and what can be planned when a turn opens: values, no rules.

A *moment* names a decision that a seat is asked for in a turn: ``issue_shares``, ``move_goods.2``. What stands
before its point is the phase.
"""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field
from typing import Any

from pbem.engine.moves import Move
from pbem.engine.text import Say

FIRST = "first"
"""In a guard: the seat is to be asked before anything is drawn for it, so that the order can be played (``Chance``)."""


@dataclass(frozen=True, slots=True)
class StandingOrder:
    """An order that waits for its moment.

    ``turn``: the turn it is for; 0 for every turn, until it is cancelled. ``lasting``: it answers every question of
    its moment, not only the first. ``guard``: what must still hold when it is played, as JSON. ``words``: what it
    answers, in words: "move goods, round 2".
    """

    move: Move
    moment: str
    words: Say
    turn: int = 0
    lasting: bool = False
    guard: Mapping[str, Any] = field(default_factory=dict)

    @property
    def every_turn(self) -> bool:
        return self.turn == 0


def phase_of(moment: str) -> str:
    return moment.partition(".")[0]


@dataclass(frozen=True, slots=True)
class PlanChoice:
    """One of the answers of a part: ``value`` completes the order, ``title`` names it, ``cells`` tell what it means."""

    value: str
    title: Say
    cells: tuple[Say, ...] = ()


@dataclass(frozen=True, slots=True)
class PlanPart:
    """One decision of a planning order.

    ``form``: ``pick`` (one of the choices), ``limit`` (the most to be bid; the choices are the places at which to
    stop early) or ``rank`` (choices in an order of preference). ``word`` and a value make the order: "issue 2".
    ``template`` is the line of the reply to be filled in, ``example`` one filled in.
    """

    moment: str
    form: str
    word: str
    head: Say
    choices: tuple[PlanChoice, ...]
    columns: tuple[Say, ...] = ()
    note: Say | None = None
    template: str = ""
    example: str = ""
    may_pass: bool = False


@dataclass(frozen=True, slots=True)
class TurnPlan:
    """What a seat can order when a turn opens. ``act``: "Plan shares, bid and action"; ``lead``: the figures that
    matter; ``place``: at which place the seat is asked first, after the seats ``after``. ``always``: orders for every
    turn that can be given with it, each with what it does."""

    act: Say
    lead: tuple[Say, ...]
    parts: tuple[PlanPart, ...]
    place: int
    after: Sequence[str] = ()
    always: tuple[PlanChoice, ...] = ()
