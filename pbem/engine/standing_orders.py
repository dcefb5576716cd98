"""Orders given before they are asked for, what can be planned when a turn opens, and questions to come.

A *moment* names a decision that a seat is asked for in a turn: ``issue_shares``, ``move_goods.2``. What stands
before its point is the phase.
"""

from collections.abc import Mapping, Sequence
from typing import Any

from pbem.engine.moves import Move, Seat
from pbem.engine.phase import Step
from pbem.engine.text import Say, Word, say
from pbem.engine.values import Value, field

FIRST = "first"
"""In a guard: the seat is to be asked before anything is drawn for it, so that the order can be played (``Chance``)."""


class StandingOrder(Value):
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


class PlanChoice(Value):
    """One of the answers of a part: ``value`` completes the order, ``title`` names it, ``cells`` tell what it means."""

    value: str
    title: Say
    cells: tuple[Say, ...] = ()


class PlanPart(Value):
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


class TurnPlan(Value):
    """What a seat can order when a turn opens. ``act``: "Plan shares, bid and action"; ``lead``: the figures that
    matter; ``place``: at which place the seat is asked first, after the seats ``after``. ``always``: orders for every
    turn that can be given with it, each with what it does."""

    act: Say
    lead: tuple[Say, ...]
    parts: tuple[PlanPart, ...]
    place: int
    after: Sequence[str] = ()
    always: tuple[PlanChoice, ...] = ()


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
        """The position after orders not sent yet, without draws; ``None``: unknown. May raise ``Refused``."""
        return None

    def drawn_cards(self, seat: Seat, events: Sequence[Any]) -> frozenset[str]:
        """The cards that came into a hand by these events (``Told``), each as orders that use it begin."""
        return frozenset()
