"""Orders given ahead of time (P1 to P8): which moment each is for, and what must still hold then.

No phase knows that an order has waited. What the orders say when their moment comes is in ``due_orders``.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any, Final

from pbem.age_of_steam.building import run
from pbem.age_of_steam.deliveries import meant
from pbem.age_of_steam.moves import (
    Always,
    Bid,
    BidLimit,
    Build,
    BuyBack,
    Decline,
    Deliver,
    Drop,
    Issue,
    Lift,
    Loco,
    Pass,
    Pay,
    Produce,
    ProduceAt,
    ProduceForm,
    TakeAction,
)
from pbem.age_of_steam.phases.base import AgeOfSteamPhase, Waiting
from pbem.age_of_steam.phases.build_track import Building, begun
from pbem.age_of_steam.phases.goods_growth import Growing
from pbem.age_of_steam.phases.move_goods import Moving
from pbem.age_of_steam.phases.turn_order import Auction
from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State
from pbem.engine.flow import FirstLegal, ListNumber
from pbem.engine.moves import Move, Refusal, Refused, Seat, refuse
from pbem.engine.standing_orders import FIRST, StandingOrder, phase_of
from pbem.engine.text import Say, Word, say

PLENTY: Final = 10_000
"""Dollars with which a build is priced before it can be paid: the money may come first."""
PLANNED: Final = ("issue_shares", "turn_order", "select_actions")
"""The phases that open a turn: when all of them are over, orders for them are for the next turn."""


@dataclass(frozen=True, slots=True)
class SequenceOfPlay:
    """The sequence of play of a rule sheet and where it stands."""

    rules: Rules
    phases: Sequence[AgeOfSteamPhase]
    state: State

    def phase(self, name: str) -> AgeOfSteamPhase | None:
        """The phase of this name, if the sheet has it."""
        return next((phase for phase in self.phases if phase.name == name), None)

    def moments(self, seat: Seat) -> tuple[str, ...]:
        """What the seat may still be asked for in this turn, the next first."""
        state = self.state
        if state.over or seat not in state.order:
            return ()
        names = [phase.name for phase in self.phases]
        found = list(_of_desk(self.rules, state, seat))
        for phase in self.phases[names.index(state.phase) + 1 :]:
            if phase.moves:
                found += _to_come(self.rules, state, phase.name)
        return tuple(found)

    def every_moment(self) -> tuple[str, ...]:
        """What a seat may be asked for in a whole turn."""
        return tuple(
            moment for phase in self.phases if phase.moves for moment in _to_come(self.rules, self.state, phase.name)
        )


def _of_desk(rules: Rules, state: State, seat: Seat) -> Sequence[str]:
    match state.scratch:
        case Waiting(seats) | Building(seats):
            return [state.phase] if seat in seats else []
        case Auction() as auction:
            return [state.phase] if seat in auction.bidding and len(auction.bidding) > 1 else []
        case Moving(number, seats):
            later = range(number + 1, rules.rounds + 1)
            return [f"{state.phase}.{n}" for n in ([number] if seat in seats else []) + list(later)]
        case Growing(grower):
            return [state.phase] if seat == grower else []
    return []


def _to_come(rules: Rules, state: State, phase: str) -> Sequence[str]:
    match phase:
        case "move_goods":
            return [f"{phase}.{n}" for n in range(1, rules.rounds + 1)]
        case "turn_order" if len(state.order) < 2:
            return []
        case "goods_growth" if rules.last_turn(state):
            return []
    return [phase]


# taking in --------------------------------------------------------------------------------------------------


def take(play: SequenceOfPlay, seat: Seat, moves: Sequence[Move]) -> tuple[StandingOrder, ...]:
    """The orders with their moments. Raises :class:`Refused` with ``line``."""
    left, again = list(play.moments(seat)), list(play.every_moment())
    taken: list[StandingOrder] = []
    for line, move in enumerate(moves, 1):
        try:
            taken.append(
                _standing(play, seat, move) if isinstance(move, Always) else _take(play, seat, move, left, again)
            )
        except Refused as refused:
            refused.line = line if len(moves) > 1 else 0
            raise
    return tuple(taken)


def _take(play: SequenceOfPlay, seat: Seat, move: Move, left: list[str], again: list[str]) -> StandingOrder:
    rules, state = play.rules, play.state
    phase = _phase_for(play, move)
    if seat not in state.order:
        raise Refused(refuse("", "You are out of the game."))
    here = next((moment for moment in left if phase_of(moment) == phase), None)
    turn = state.turn
    if here is not None:
        left.remove(here)
    elif phase in PLANNED and state.phase not in PLANNED and not rules.last_turn(state):
        here = next((moment for moment in again if phase_of(moment) == phase), None)
        if here is not None:
            again.remove(here)
            turn += 1
    if here is None:
        one = "“{order}” came too late for this turn or is one too many: you are asked no more for {phase}."
        raise Refused(refuse("", one, order=str(move), phase=Word(phase)))
    _judge(play, seat, move, turn)
    guard = _guard(play, seat, move)
    return StandingOrder(move, here, moment_words(rules, here), turn, isinstance(move, BidLimit), guard)


def _standing(play: SequenceOfPlay, seat: Seat, move: Always) -> StandingOrder:
    single: Move
    match move.order:
        case "issue":
            single = Issue(move.number or 0)
        case "bid max":
            single = BidLimit(move.number or 0)
        case "pay":
            single = Pay()
        case "decline":
            single = Decline()
        case _:
            single = Loco()
    phase = _phase_for(play, single)
    if isinstance(single, Issue) and single.shares > play.rules.share_cap:
        raise Refused(refuse("R10", "Nobody has more than {most} shares.", most=play.rules.share_cap))
    return StandingOrder(move, phase, say("{phase}, every turn", phase=Word(phase)))


def _phase_for(play: SequenceOfPlay, move: Move) -> str:
    """The phase an order belongs to. Raises :class:`Refused` for one that cannot wait."""
    match move:
        case FirstLegal(moves) if any(isinstance(alternative, ListNumber) for alternative in moves):
            raise Refused(_of_a_list())
        case Issue() | BuyBack():
            name = "issue_shares"
        case BidLimit() | Drop() | Pay() | Decline():
            name = "turn_order"
        case TakeAction():
            name = "select_actions"
        case Build():
            name = "build_track"
        case Deliver() | Loco() | Pass() | Lift() | FirstLegal():
            name = "move_goods"
        case Produce() | ProduceForm() | ProduceAt():
            name = "goods_growth"
        case Bid():
            raise Refused(
                refuse("P2", "A single bid cannot be given ahead of time; a limit can: “bid max {n}”.", n=move.amount)
            )
        case ListNumber():
            raise Refused(_of_a_list())
        case _:
            raise Refused(refuse("", "“{order}” cannot be given ahead of time.", order=str(move)))
    phase = play.phase(name)
    produces = name != "goods_growth" or "production" in play.rules.actions
    if phase is None or not produces or not _takes(phase, move):
        raise Refused(refuse("", "On this map nobody is asked for “{order}”.", order=str(move)))
    return name


def _of_a_list() -> Refusal:
    return refuse("", "A number of a list holds only for the position it was sent with.")


def _takes(phase: AgeOfSteamPhase, move: Move) -> bool:
    match move:
        case BidLimit():
            return Bid in phase.moves
        case FirstLegal(moves):
            return any(isinstance(alternative, phase.moves) for alternative in moves)
        case ListNumber(word, _):
            return any(kind.keyword == word for kind in phase.moves)
    return isinstance(move, phase.moves)


def _judge(play: SequenceOfPlay, seat: Seat, move: Move, turn: int) -> None:
    """What is wrong with an order whatever happens until its moment. Raises :class:`Refused`."""
    rules, state = play.rules, play.state
    match move:
        case Issue() | BuyBack() if (phase := play.phase("issue_shares")) is not None:
            refusal = phase.refuse(rules, state, seat, move)
            if refusal is not None and isinstance(move, Issue):
                raise Refused(refusal)
        case BidLimit(until=int(place)) if not 1 <= place <= len(state.order):
            raise Refused(
                refuse("P2", "There are {n} places in the order, not {place}.", n=len(state.order), place=place)
            )
        case BidLimit(most, int(first)) if first > most:
            raise Refused(
                refuse("P2", "The first bid of ${first} is above the limit of ${most}.", first=first, most=most)
            )
        case TakeAction(actions) if not set(actions) & {*rules.actions, "none"}:
            names = tuple(map(Word, rules.actions))
            raise Refused(refuse("R19", "On this map the actions are {actions}.", actions=names))
        case Pass() if any(phase_of(moment) == "turn_order" for moment in play.moments(seat)) and turn == state.turn:
            raise Refused(
                refuse("P6", "“pass” could be meant for the auction as well: give it when the auction is over for you.")
            )
        case ProduceForm("display") | ProduceAt() if not _form_first(play):
            raise Refused(
                refuse("P7", "On this map the cubes are drawn before you are asked: “{order}” cannot be given ahead.",
                       order=str(move))
            )  # fmt: skip


def _form_first(play: SequenceOfPlay) -> bool:
    """Whether the holder of Production is asked before anything is drawn (France, R114a)."""
    phase = play.phase("goods_growth")
    return phase is not None and {Produce, ProduceAt} <= set(phase.moves)


def _guard(play: SequenceOfPlay, seat: Seat, move: Move) -> dict[str, Any]:
    """What must still hold: the price of a build, who gains by a delivery. ``first``: asked before cubes are drawn."""
    match move:
        case ProduceForm() if not _form_first(play):
            return {FIRST: True}
        case Build(limit=None) if move.steps:
            return {"price": _price_given(play, seat, move)}
        case FirstLegal(moves, True):
            return {"gains": [_gains_given(play, seat, alternative) for alternative in moves]}
    return {}


def _price_given(play: SequenceOfPlay, seat: Seat, move: Build) -> int:
    """The price of a build as the board stands. Raises :class:`Refused` when it has none yet."""
    rules, state = play.rules, play.state
    player = state.players[seat]
    names = [phase.name for phase in play.phases]
    action = player.action if names.index(state.phase) >= names.index("select_actions") else None
    started = (
        state.scratch if isinstance(state.scratch, Building) and state.scratch.seats[:1] == (seat,) else Building(())
    )
    rich = state.with_player(seat, cash=player.cash + PLENTY, action=action)
    try:
        done = run(rules, begun(rich, seat, started), move).site
    except Refused as refused:
        raise Refused(
            refuse(
                "P5",
                "As the board stands this build has no price ({why}); say what it may cost: end it with “max 9”.",
                why=say("{sentence}", sentence=refused.refusal.why),
            )
        ) from refused
    return rules.build_price(done.state, seat, done.prices)


def _gains_given(play: SequenceOfPlay, seat: Seat, move: Move) -> dict[Seat, int] | None:
    """Who gains by a delivery as the board stands, ``None`` for what is no delivery."""
    if not isinstance(move, Deliver):
        return None
    try:
        return dict(meant(play.rules, play.state, seat, move).gains)
    except Refused as refused:
        raise Refused(
            refuse(
                "P6",
                "“same income” compares with what is possible now, and “{order}” is not: {why}",
                order=str(move),
                why=refused.refusal.why,
            )
        ) from refused


def moment_words(rules: Rules, moment: str) -> Say:
    """A moment as sentences name it."""
    name, _, number = moment.partition(".")
    if number and rules.rounds > 1:
        return say("{phase}, round {n}", phase=Word(name), n=int(number))
    return say("{phase}", phase=Word(name))


def answers(play: SequenceOfPlay, move: Move) -> bool:
    """Whether the order is of the kind that the phase takes."""
    phase = play.phase(play.state.phase)
    return phase is not None and not isinstance(move, BidLimit) and _takes(phase, move)
