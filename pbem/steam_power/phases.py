"""The moments in which a seat of Steam Power is asked: the actions of a turn, a bonus, whose hand to draw from."""

from collections.abc import Sequence
from typing import ClassVar

from typing_extensions import override

from pbem.engine import Move, Question, Refusal, Seat, Step, Typed, Value, replace, say
from pbem.engine.chance import Chance
from pbem.engine.moves import no, raise_for, refusal_of
from pbem.rails.position_lines import NUMBER, FieldLine, Lines
from pbem.rails.sheet import AskingPhase
from pbem.steam_power import asking
from pbem.steam_power.events import BonusGone
from pbem.steam_power.laying import any_offer, run
from pbem.steam_power.moves import Bonus, Cash, Contract, Draw, Factory, Track
from pbem.steam_power.rules import Rules
from pbem.steam_power.state import State
from pbem.steam_power.taking import (
    Stealing,
    build_factory,
    can_draw,
    draw,
    factory_sites,
    fulfil,
    judge_draw,
    take_cash,
    victims,
    way_of,
)


class Actions(AskingPhase[Rules, State]):
    """Two actions, each fully resolved before the next; ``cash`` is always legal, so nobody passes (SP-R5)."""

    name = "actions"
    act = say("{player} takes an action")
    moves = (Track, Factory, Contract, Draw, Cash)

    @override
    def to_act(self, rules: Rules, state: State) -> Seat | None:
        return state.seat if state.left else None

    @override
    def refuse(self, rules: Rules, state: State, seat: Seat, move: Move) -> Refusal | None:
        if (refusal := rules.refuse_order(state)) is not None:
            return refusal
        if isinstance(move, Contract):
            return refusal_of(lambda: way_of(rules, state, move))
        return refusal_of(lambda: dry_run(rules, state, move, bonus=False))

    @override
    def play(self, rules: Rules, state: State, seat: Seat, move: Move, chance: Chance) -> Step[State]:
        raise_for(rules.refuse_order(state))
        return self.apply(rules, state, seat, move, chance)

    @override
    def apply(self, rules: Rules, state: State, seat: Seat, move: Move, chance: Chance) -> Step[State]:
        state = replace(state, left=state.left - 1)
        match move:
            case Contract(number):
                return _with_bonus(rules, fulfil(rules, state, move), number)
            case Cash():
                return take_cash(rules, state)
        return take(rules, state, move, chance, bonus=False)

    @override
    def legal(self, rules: Rules, state: State, seat: Seat) -> Sequence[Move] | None:
        """``None``: track actions are too many to list."""
        return None

    @override
    def default(self, rules: Rules, state: State, seat: Seat) -> Move:
        return Cash()

    @override
    def ask(self, rules: Rules, state: State, seat: Seat) -> Question:
        return asking.turn(rules, state, seat)


def _with_bonus(rules: Rules, step: Step[State], number: int) -> Step[State]:
    """Offer the bonus of a contract; one without a legal use is lost (SP-R41, A17)."""
    bonus = rules.contracts[number].bonus
    if not bonus:
        return step
    if possible(rules, step.state, bonus):
        return Step(replace(step.state, phase="bonus", scratch=Pending(number)), step.events)
    return Step(step.state, (*step.events, BonusGone(step.state.company, number, "impossible")))


KINDS: dict[str, type[Move]] = {"track": Track, "factory": Factory, "contracts": Draw}


class Pending(Value):
    number: int
    lines: ClassVar[Lines] = {"number": FieldLine("Bonus of contract", NUMBER)}


def possible(rules: Rules, state: State, bonus: str) -> bool:
    match bonus:
        case "track":
            return any_offer(rules, state)
        case "factory":
            return bool(factory_sites(rules, state, rules.railways(state)))
    return can_draw(state)


class TakeBonus(AskingPhase[Rules, State]):
    """One free action of the kind that the contract shows, or none, before anything else (section 9)."""

    name = "bonus"
    act = say("{player} takes a bonus")
    moves = (Bonus,)
    scratch = Pending

    @override
    def to_act(self, rules: Rules, state: State) -> Seat | None:
        return state.seat

    def kind(self, rules: Rules, state: State) -> str:
        return rules.contracts[state.scratch_as(Pending).number].bonus

    @override
    def refuse(self, rules: Rules, state: State, seat: Seat, move: Move) -> Refusal | None:
        return refusal_of(lambda: dry_run(rules, state, self._inner(rules, state, move), bonus=True))

    def _inner(self, rules: Rules, state: State, move: Move) -> Track | Factory | Draw | None:
        if not isinstance(move, Bonus):
            raise TypeError(move)
        kind = KINDS[self.kind(rules, state)]
        if move.move is not None and not isinstance(move.move, kind):
            raise no(
                "SP-R42",
                "The bonus of contract {number} is “bonus {kind}”; “bonus skip” declines it.",
                number=state.scratch_as(Pending).number,
                kind=Typed(kind.keyword),
            )
        return move.move

    @override
    def apply(self, rules: Rules, state: State, seat: Seat, move: Move, chance: Chance) -> Step[State]:
        inner, number = self._inner(rules, state, move), state.scratch_as(Pending).number
        state = replace(state, scratch=None)
        if inner is None:
            return go_on(Step(state, (BonusGone(state.company, number, "declined"),)))
        return take(rules, state, inner, chance, bonus=True)

    @override
    def legal(self, rules: Rules, state: State, seat: Seat) -> Sequence[Move] | None:
        return asking.bonus_orders(rules, state, self.kind(rules, state))

    @override
    def default(self, rules: Rules, state: State, seat: Seat) -> Move:
        return Bonus(None)

    @override
    def ask(self, rules: Rules, state: State, seat: Seat) -> Question:
        return asking.bonus(rules, state, seat, state.scratch_as(Pending).number)


class Steal(AskingPhase[Rules, State]):
    """Which hand to draw from when the bag is empty and several hold as many contracts (SP-R37)."""

    name = "draw"
    act = say("{player} chooses a hand to draw from")
    moves = (Draw,)
    scratch = Stealing

    @override
    def to_act(self, rules: Rules, state: State) -> Seat | None:
        return state.seat

    @override
    def refuse(self, rules: Rules, state: State, seat: Seat, move: Move) -> Refusal | None:
        return refusal_of(lambda: self._judge(state, move))

    def _judge(self, state: State, move: Move) -> Draw:
        if not isinstance(move, Draw):
            raise TypeError(move)
        if move.victim is None:
            raise no(
                "SP-R37",
                "Say whose hand you draw from: “{orders}”.",
                orders=tuple(Typed(str(order)) for order in self._orders(state)),
            )
        judge_draw(state, move, state.scratch_as(Stealing).missing)
        return move

    def _orders(self, state: State) -> list[Draw]:
        return [Draw(victim) for victim in victims(state)]

    @override
    def apply(self, rules: Rules, state: State, seat: Seat, move: Move, chance: Chance) -> Step[State]:
        order = self._judge(state, move)
        return go_on(draw(state, order, chance, state.scratch_as(Stealing).missing))

    @override
    def legal(self, rules: Rules, state: State, seat: Seat) -> Sequence[Move]:
        return self._orders(state)

    @override
    def default(self, rules: Rules, state: State, seat: Seat) -> Move:
        return self._orders(state)[0]

    @override
    def ask(self, rules: Rules, state: State, seat: Seat) -> Question:
        return asking.whose_hand(rules, state, seat, state.scratch_as(Stealing).missing)


def go_on(step: Step[State]) -> Step[State]:
    """After an order: choose a hand to draw from, else the next action."""
    waiting = isinstance(step.state.scratch, Stealing)
    return Step(replace(step.state, phase="draw" if waiting else "actions"), step.events)


def dry_run(rules: Rules, state: State, move: Move | None, *, bonus: bool) -> None:
    """Try an action that a bonus can give as well, and change nothing. Raises :class:`Refused`."""
    match move:
        case Track(operations):
            run(rules, state, operations)
        case Factory():
            build_factory(rules, state, move, bonus=bonus)
        case Draw():
            judge_draw(state, move)


def take(rules: Rules, state: State, move: Move, chance: Chance, *, bonus: bool) -> Step[State]:
    """Carry out an action that a bonus can give as well. Raises :class:`Refused`."""
    match move:
        case Track(operations):
            laid = run(rules, state, operations)
            return go_on(Step(laid.state, laid.events))
        case Factory():
            return go_on(build_factory(rules, state, move, bonus=bonus))
        case Draw():
            return go_on(draw(state, move, chance))
    raise TypeError(move)
