"""The actions of a turn (section 3): track, factory, contract, draw, cash."""

from __future__ import annotations

from collections.abc import Sequence

from typing_extensions import override

from pbem.engine.chance import Chance
from pbem.engine.moves import Move, Refusal, Refused, Seat
from pbem.engine.phase import Step
from pbem.engine.sheet import Question
from pbem.engine.text import say
from pbem.engine.values import replace
from pbem.steam_power import asking
from pbem.steam_power.events import BonusGone
from pbem.steam_power.moves import Cash, Contract, Draw, Factory, Track
from pbem.steam_power.phases.base import SteamPowerPhase, dry_run, take
from pbem.steam_power.phases.bonus import Pending, possible
from pbem.steam_power.rules import Rules
from pbem.steam_power.state import State
from pbem.steam_power.taking import fulfil, take_cash, way_of


class Actions(SteamPowerPhase):
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
        try:
            if isinstance(move, Contract):
                way_of(rules, state, move)
            else:
                dry_run(rules, state, move, bonus=False)
        except Refused as refused:
            return refused.refusal
        return None

    @override
    def play(self, rules: Rules, state: State, seat: Seat, move: Move, chance: Chance) -> Step[State]:
        if (refusal := rules.refuse_order(state)) is not None:
            raise Refused(refusal)
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
