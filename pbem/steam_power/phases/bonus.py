"""The bonus of a contract that was just fulfilled (section 9): free, optional, before anything else."""

from __future__ import annotations

from collections.abc import Sequence

from typing_extensions import override

from pbem.engine.chance import Chance
from pbem.engine.moves import Move, Refusal, Refused, Seat
from pbem.engine.phase import Step
from pbem.engine.sheet import Question
from pbem.engine.text import Typed, say
from pbem.engine.values import Value, replace
from pbem.rails.judging import no
from pbem.steam_power import asking
from pbem.steam_power.events import BonusGone
from pbem.steam_power.moves import Bonus, Draw, Factory, Track
from pbem.steam_power.phases.base import SteamPowerPhase, dry_run, go_on, take
from pbem.steam_power.placements import any_offer
from pbem.steam_power.rules import Rules
from pbem.steam_power.state import State
from pbem.steam_power.taking import can_draw, factory_sites

KINDS: dict[str, type[Move]] = {"track": Track, "factory": Factory, "contracts": Draw}


class Pending(Value, frozen=True):
    """The contract whose bonus may be taken now."""

    number: int


def possible(rules: Rules, state: State, bonus: str) -> bool:
    """Whether a bonus has any legal use now."""
    match bonus:
        case "track":
            return any_offer(rules, state)
        case "factory":
            return bool(factory_sites(rules, state, rules.railways(state)))
    return can_draw(state)


class TakeBonus(SteamPowerPhase):
    """One free action of the kind that the contract shows, or none."""

    name = "bonus"
    act = say("{player} takes a bonus")
    moves = (Bonus,)
    scratch = Pending

    @override
    def to_act(self, rules: Rules, state: State) -> Seat | None:
        return state.seat

    def kind(self, rules: Rules, state: State) -> str:
        """The bonus: track, factory or contracts."""
        return rules.contracts[state.scratch_as(Pending).number].bonus

    @override
    def refuse(self, rules: Rules, state: State, seat: Seat, move: Move) -> Refusal | None:
        try:
            inner = self._inner(rules, state, move)
            if inner is not None:
                dry_run(rules, state, inner, bonus=True)
        except Refused as refused:
            return refused.refusal
        return None

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
