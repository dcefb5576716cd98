"""What a player can plan when a turn opens: the parts that its first phases offer (P4)."""

from __future__ import annotations

from typing import Final

from pbem.age_of_steam.standing_orders import SequenceOfPlay
from pbem.engine.moves import Seat
from pbem.engine.standing_orders import TurnPlan, phase_of
from pbem.engine.text import say

ACTS: Final = {
    ("issue_shares", "turn_order", "select_actions"): say("Plan shares, bid and action"),
    ("issue_shares", "select_actions"): say("Plan shares and action"),
    ("turn_order", "select_actions"): say("Plan bid and action"),
}


def turn_plan(play: SequenceOfPlay, seat: Seat) -> TurnPlan | None:
    """The parts of a planning order; ``None`` for a player alone, who can send a whole turn anyway."""
    rules, state = play.rules, play.state
    if len(state.order) < 2:
        return None
    found = []
    for moment in play.moments(seat):
        phase = play.phase(phase_of(moment))
        if phase.opens_turn and (part := phase.plan_part(rules, state, seat)) is not None:
            found.append(part)
    if not found:
        return None
    parts = tuple(found)
    player, bill = state.players[seat], rules.expenses(state, seat)
    lead = say("${cash} in hand, income {income}, bill ${bill}.", cash=player.cash, income=player.income, bill=bill)
    before = state.order[: state.order.index(seat)]
    act = ACTS.get(tuple(part.moment for part in parts), say("Plan the turn"))
    always = tuple(choice for phase in play.phases for choice in phase.offered_always(rules, state, seat))
    return TurnPlan(act, (lead,), parts, len(before) + 1, before, always)
