"""Which hand to draw from when the bag is empty and several hold as many contracts (SP-R37)."""

from __future__ import annotations

from collections.abc import Sequence

from typing_extensions import override

from pbem.engine.chance import Chance
from pbem.engine.moves import Move, Refusal, Refused, Seat
from pbem.engine.phase import Step
from pbem.engine.sheet import Question
from pbem.engine.text import Typed, say
from pbem.rails.judging import no
from pbem.steam_power import asking
from pbem.steam_power.moves import Draw
from pbem.steam_power.phases.base import SteamPowerPhase, go_on
from pbem.steam_power.rules import Rules
from pbem.steam_power.state import State
from pbem.steam_power.taking import Stealing, draw, judge_draw, victims


class Steal(SteamPowerPhase):
    """The rest of a draw."""

    name = "draw"
    act = say("{player} chooses a hand to draw from")
    moves = (Draw,)
    scratch = Stealing

    @override
    def to_act(self, rules: Rules, state: State) -> Seat | None:
        return state.seat

    @override
    def refuse(self, rules: Rules, state: State, seat: Seat, move: Move) -> Refusal | None:
        try:
            self._judge(state, move)
        except Refused as refused:
            return refused.refusal
        return None

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
