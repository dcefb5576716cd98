"""Orders given ahead of time (P1 to P8): which moment each is for, and what can be planned when a turn opens (P4)."""

from collections.abc import Sequence
from typing import Final

from pbem.age_of_steam.moves import Always, Pass
from pbem.age_of_steam.phases.base import AgeOfSteamPhase, AgeOfSteamSheet
from pbem.age_of_steam.state import State
from pbem.engine import Move, Refused, Seat, Typed, Word, say
from pbem.engine.flow import FirstLegal, ListNumber
from pbem.engine.moves import Cancel, Resign, no, raise_for
from pbem.engine.standing_orders import StandingOrder, TurnPlan, phase_of

ACTS: Final = {
    ("issue_shares", "turn_order", "select_actions"): say("Plan shares, bid and action"),
    ("issue_shares", "select_actions"): say("Plan shares and action"),
    ("turn_order", "select_actions"): say("Plan bid and action"),
}


def moments(sheet: AgeOfSteamSheet, state: State, seat: Seat) -> tuple[str, ...]:
    """What the seat may still be asked for in this turn, the next first."""
    if state.over or seat not in state.order:
        return ()
    now = sheet.phase_of(state)
    found = now.moments_left(sheet, state, seat) if now.moves else ()
    return (*found, *_moments_of(sheet, state, sheet.phases[sheet.phases.index(now) + 1 :]))


def _moments_of(sheet: AgeOfSteamSheet, state: State, phases: Sequence[AgeOfSteamPhase]) -> tuple[str, ...]:
    """What a seat may be asked for in phases that have not begun."""
    return tuple(moment for phase in phases if phase.moves for moment in phase.moments_to_come(sheet, state))


def _phase(sheet: AgeOfSteamSheet, name: str) -> AgeOfSteamPhase:
    return next(phase for phase in sheet.phases if phase.name == name)


# taking in --------------------------------------------------------------------------------------------------


def take(sheet: AgeOfSteamSheet, state: State, seat: Seat, moves: Sequence[Move]) -> tuple[StandingOrder, ...]:
    """The orders with their moments. Raises :class:`Refused` with ``line``."""
    left, again = list(moments(sheet, state, seat)), list(_moments_of(sheet, state, sheet.phases))
    taken: list[StandingOrder] = []
    for line, move in enumerate(moves, 1):
        try:
            if isinstance(move, Always):
                taken.append(_for_every_turn(sheet, move))
            else:
                taken.append(_take(sheet, state, seat, move, left, again))
        except Refused as refused:
            refused.line = line if len(moves) > 1 else 0
            raise
    return tuple(taken)


def _take(
    sheet: AgeOfSteamSheet, state: State, seat: Seat, move: Move, left: list[str], again: list[str]
) -> StandingOrder:
    phase, now = _phase_for(sheet, move), sheet.phase_of(state)
    if seat not in state.order:
        raise no("", "You are out of the game.")
    here, turn = _moment(phase, left), state.turn
    if here is None and phase.opens_turn and not now.opens_turn and not sheet.last_turn(state):
        here, turn = _moment(phase, again), state.turn + 1
    if here is None:
        raise no(
            "",
            "“{order}” came too late for this turn, or is one too many: there will be no more {phase} for you.",
            order=Typed(str(move)),
            phase=Word(phase.name),
        )
    if isinstance(move, Pass) and turn == state.turn and "turn_order" in map(phase_of, moments(sheet, state, seat)):
        raise no("P6", "“pass” could be meant for the auction as well: give it when the auction is over for you.")
    raise_for(phase.refuse_waiting(sheet, state, seat, move))
    begun = sheet.phases[: sheet.phases.index(now) + 1]
    chosen = any(phase.name == "select_actions" for phase in begun)
    guard = phase.guard(sheet, state, seat, move, chosen=chosen)
    return StandingOrder(move, here, sheet.moment_said(here), turn, isinstance(move, phase.lasting), guard)


def _moment(phase: AgeOfSteamPhase, left: list[str]) -> str | None:
    """The first moment of a phase among those that are left, which it then is no more."""
    here = next((moment for moment in left if phase_of(moment) == phase.name), None)
    if here is not None:
        left.remove(here)
    return here


def _for_every_turn(sheet: AgeOfSteamSheet, move: Always) -> StandingOrder:
    phase = next(phase for phase in sheet.phases if move.order in phase.always)
    raise_for(phase.refuse_always(sheet, move))
    return StandingOrder(move, phase.name, say("{phase}, every turn", phase=Word(phase.name)))


def _phase_for(sheet: AgeOfSteamSheet, move: Move) -> AgeOfSteamPhase:
    """The phase an order belongs to. Raises :class:`Refused` for one that cannot wait."""
    if any(isinstance(single, ListNumber) for single in (move.moves if isinstance(move, FirstLegal) else (move,))):
        raise no("", "A number from a list works only for the position it was sent with.")
    for phase in sheet.phases:
        if phase.takes_waiting(sheet, move):
            return phase
    if isinstance(move, (Cancel, Resign, *(kind for phase in sheet.phases for kind in phase.never_waits))):
        raise no("", "“{order}” cannot be given ahead of time.", order=Typed(str(move)))
    raise no("", "No phase of this map takes “{order}”.", order=Typed(str(move)))


# a moment before it comes, and when it comes ------------------------------------------------------------------


def asked_ahead(sheet: AgeOfSteamSheet, state: State, seat: Seat, moment: str) -> State | None:
    """The position as if the seat were asked now for one of the moments to come in this turn."""
    if moment not in moments(sheet, state, seat):
        return None
    return _phase(sheet, phase_of(moment)).imagined(state, seat, moment)


def due_order(sheet: AgeOfSteamSheet, state: State, order: StandingOrder) -> Move | None:
    """The order to be played now, ``None`` when nothing is said. Raises :class:`Refused` when it no longer holds."""
    seat = sheet.to_act(state)
    return None if seat is None else sheet.phase_of(state).due(sheet, state, seat, order)


def turn_plan(sheet: AgeOfSteamSheet, state: State, seat: Seat) -> TurnPlan | None:
    """What the first phases of a turn offer; ``None`` for a player alone, who can send a whole turn anyway."""
    if len(state.order) < 2:
        return None
    opening = (_phase(sheet, phase_of(moment)) for moment in moments(sheet, state, seat))
    offered = (phase.plan_part(sheet, state, seat) for phase in opening if phase.opens_turn)
    parts = tuple(part for part in offered if part is not None)
    if not parts:
        return None
    player, bill = state.players[seat], sheet.expenses(state, seat)
    lead = say("${cash} in hand, income {income}, bill ${bill}.", cash=player.cash, income=player.income, bill=bill)
    before = state.order[: state.order.index(seat)]
    act = ACTS.get(tuple(part.moment for part in parts), say("Plan the turn"))
    always = tuple(choice for phase in sheet.phases for choice in phase.offered_always(sheet, state, seat))
    return TurnPlan(act, (lead,), parts, len(before) + 1, before, always)
