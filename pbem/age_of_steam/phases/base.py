"""What the phases share: their base class and the scratch of a phase in which seats act one after another."""

from __future__ import annotations

from collections.abc import Callable, Iterable, Mapping, Sequence
from typing import Any, ClassVar

from typing_extensions import override

from pbem.age_of_steam.moves import NO_ACTION, Always, BuildStep
from pbem.age_of_steam.notation import EveryTurn, OrderReader, OrderWord, Vocabulary
from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State
from pbem.engine import Move, Refusal, Seat, Value
from pbem.engine.flow import FirstLegal
from pbem.engine.standing_orders import PlanChoice, PlanPart, StandingOrder
from pbem.rails.position_lines import PLAYER, FieldLine, Lines, several
from pbem.rails.sheet import AskingPhase, MapSheet


class AgeOfSteamPhase(AskingPhase[Rules, State]):
    """A phase of Age of Steam: it judges the orders given in it, and says how they are read and given ahead."""

    words: ClassVar[Mapping[str, OrderWord]] = {}
    steps: ClassVar[Mapping[str, Callable[[OrderReader], BuildStep]]] = {}
    always: ClassVar[Mapping[str, EveryTurn]] = {}
    """Its orders that can be given for every turn, by what they are called (:class:`Always`)."""
    can_wait: ClassVar[tuple[type[Move], ...]] = ()
    """The kinds of orders that can be given before they are asked for, where those are not all of its orders."""
    never_waits: ClassVar[tuple[type[Move], ...]] = ()
    """Kinds of its orders that mean nothing before the question is known."""
    lasting: ClassVar[tuple[type[Move], ...]] = ()
    """Those among them that answer every question of the phase, not only the first."""
    opens_turn: ClassVar[bool] = False
    """Whether it belongs to the planning of a turn: orders for it can be given in the turn before."""

    @override
    def to_act(self, rules: Rules, state: State) -> Seat | None:
        """The first of those who have yet to act, in phases that keep them."""
        return next(iter(getattr(state.scratch, "seats", ())), None)

    # orders that wait: which moment they are for, what is wrong with them, what they say when it comes

    def moments_left(self, rules: Rules, state: State, seat: Seat) -> Sequence[str]:
        """What the seat may still be asked for while this phase is under way, the next first."""
        return [self.name] if isinstance(state.scratch, Waiting) and seat in state.scratch.seats else []

    def moments_to_come(self, rules: Rules, state: State) -> Sequence[str]:
        """What a seat may be asked for in this phase, which has not begun."""
        return [self.name]

    def takes_waiting(self, rules: Rules, move: Move) -> bool:
        """Whether an order that waits can be for this phase."""
        kinds = self.can_wait or self.moves
        return any(isinstance(one, kinds) for one in (move.moves if isinstance(move, FirstLegal) else (move,)))

    def refuse_waiting(self, rules: Rules, state: State, seat: Seat, move: Move) -> Refusal | None:
        """What is wrong with an order whatever happens until its moment."""
        return None

    def refuse_always(self, rules: Rules, always: Always) -> Refusal | None:
        return None

    def offered_always(self, rules: Rules, state: State, seat: Seat) -> tuple[PlanChoice, ...]:
        """Orders for every turn of which the email that plans a turn tells, each with what it does."""
        return ()

    def guard(self, rules: Rules, state: State, seat: Seat, move: Move, *, chosen: bool) -> dict[str, Any]:
        """What must still hold when it is played, as JSON. ``chosen``: the action of the turn is taken already."""
        return {}

    def due(self, rules: Rules, state: State, seat: Seat, waiting: StandingOrder) -> Move | None:
        """What an order that has waited says to this question. Raises ``Refused`` when it no longer holds."""
        return waiting.move

    def imagined(self, state: State, seat: Seat, moment: str) -> State | None:
        """The position as if the seat were asked for this moment now; ``None`` where it would tell nothing."""
        return None

    def plan_part(self, rules: Rules, state: State, seat: Seat) -> PlanPart | None:
        """What the seat can decide here when it plans a turn."""
        return None


class AgeOfSteamSheet(Rules, MapSheet[State, AgeOfSteamPhase]):
    phases: ClassVar[tuple[AgeOfSteamPhase, ...]]


class Waiting(Value):
    """The seats that have not acted in this phase, the next one first."""

    seats: tuple[Seat, ...]
    lines: ClassVar[Lines] = {"seats": FieldLine("Still to act", several(PLAYER))}

    def rest(self) -> Waiting:
        """After the next seat has acted."""
        return Waiting(self.seats[1:])


def led_by(state: State, action: str) -> tuple[Seat, ...]:
    """The turn order with the holder of an action (First Move, First Build) in front (R21)."""
    first = state.holder(action)
    return state.order if first is None else (first, *(seat for seat in state.order if seat != first))


def vocabulary(
    phases: Iterable[AgeOfSteamPhase], actions: tuple[str, ...], more: Mapping[str, OrderWord]
) -> Vocabulary:
    """The orders that the phases take, and ``more`` that belong to none of them."""
    orders: dict[str, OrderWord] = {}
    steps: dict[str, Callable[[OrderReader], BuildStep]] = {}
    always: dict[str, EveryTurn] = {}
    for phase in phases:
        orders |= phase.words
        steps |= phase.steps
        always |= {word: kind for kind in phase.always.values() for word in kind.words}
    alternatives = tuple(word for word, kind in {**orders, **more}.items() if kind.alternative)
    return Vocabulary({**orders, **more}, steps, always, (*actions, NO_ACTION), alternatives)
