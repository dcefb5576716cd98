"""What a player can plan when a turn opens, with the figures to decide by: shares, bid and action (P4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pbem.age_of_steam.moves import Bid, BuyBack, Pay
from pbem.age_of_steam.phases.issue_shares import PRICE
from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.standing_orders import PLANNED, SequenceOfPlay
from pbem.age_of_steam.state import State
from pbem.engine.moves import Seat
from pbem.engine.standing_orders import PlanChoice, PlanPart, TurnPlan, phase_of
from pbem.engine.text import Say, Word, count_say, say

SHOWN: Final = 8
"""Numbers of shares in the table; more can be typed."""
ACTS: Final = {
    ("issue_shares", "turn_order", "select_actions"): say("Plan shares, bid and action"),
    ("issue_shares", "select_actions"): say("Plan shares and action"),
    ("turn_order", "select_actions"): say("Plan bid and action"),
    ("issue_shares", "turn_order"): say("Plan shares and bid"),
}


def turn_plan(play: SequenceOfPlay, seat: Seat) -> TurnPlan | None:
    """The parts of a planning order; ``None`` for a player alone, who can send a whole turn anyway."""
    rules, state = play.rules, play.state
    if len(state.order) < 2:
        return None
    open_moments = [moment for moment in play.moments(seat) if phase_of(moment) in PLANNED]
    parts = tuple(part for moment in open_moments if (part := _part(play, seat, moment)) is not None)
    if not parts:
        return None
    player, bill = state.players[seat], rules.expenses(state, seat)
    lead = say("${cash} in hand, income {income}, bill ${bill}.", cash=player.cash, income=player.income, bill=bill)
    before = state.order[: state.order.index(seat)]
    act = ACTS.get(tuple(part.moment for part in parts), say("Plan the turn"))
    return TurnPlan(act, (lead,), parts, len(before) + 1, before)


def _part(play: SequenceOfPlay, seat: Seat, moment: str) -> PlanPart | None:
    phase = play.phase(moment)
    match moment:
        case "issue_shares":
            return _shares(play, seat)
        case "turn_order" if phase is not None and Bid in phase.moves:
            return _bids(play.state, seat)
        case "turn_order" if phase is not None and Pay in phase.moves:
            return _pay()
        case "select_actions":
            return _actions(play, seat)
    return None


def _shares(play: SequenceOfPlay, seat: Seat) -> PlanPart | None:
    rules, state = play.rules, play.state
    player, most = state.players[seat], rules.shares_allowed(state, seat)
    if most == 0:
        return None
    choices = tuple(_share(rules, state, seat, n) for n in range(min(most, SHOWN) + 1))
    phase = play.phase("issue_shares")
    note = count_say(
        "You have {shares} shares; {n} more is allowed.",
        "You have {shares} shares; {n} more are allowed.",
        most,
        shares=player.shares,
    )
    if phase is not None and BuyBack in phase.moves:
        note = say("{note} Buying one back is typed: “buyback”.", note=note)
    return PlanPart(
        "issue_shares",
        "pick",
        "issue",
        say("Shares to issue"),
        choices,
        (say("Cash"), say("Bill"), say("If you spend and deliver nothing")),
        note,
        "issue _",
        "issue 2",
    )


def _share(rules: Rules, state: State, seat: Seat, shares: int) -> PlanChoice:
    player = state.players[seat]
    cash, bill = player.cash + PRICE * shares, rules.expenses(state, seat) + shares
    title = say("{n}", n=shares) if shares else say("none")
    cells = (say("${n}", n=cash), say("${n}", n=bill), _then(rules, state, seat, cash, bill))
    return PlanChoice(str(shares), title, cells)


def _then(rules: Rules, state: State, seat: Seat, cash: int, bill: int) -> Say:
    """What is left at the end of the turn, as things stand."""
    income = state.players[seat].income
    left = cash + income - bill
    if left < 0:
        lowered = rules.lowered_income(state, seat, -left)
        if lowered < 0:
            return say("${short} short: you would be out of the game", short=-left)
        return say("${short} short: income {income} becomes {lowered}", short=-left, income=income, lowered=lowered)
    reduced = income - rules.income_reduction(state, income)
    if reduced < income:
        return say(
            "${left} left; income {income}, then {reduced} after income reduction",
            left=left,
            income=income,
            reduced=reduced,
        )
    return say("${left} left; income {income}", left=left, income=income)


def _bids(state: State, seat: Seat) -> PlanPart:
    places = tuple(
        PlanChoice(str(place), say("{place} or better", place=_nth(place))) for place in range(2, len(state.order))
    )
    return PlanPart(
        "turn_order",
        "limit",
        "bid max",
        say("Auction"),
        places,
        note=say("One more than the high bid each time, never more than this. 0 drops at once."),
        template="bid max _",
        example="bid max 4 until 3" if len(state.order) > 3 else "bid max 4",
        may_pass=state.players[seat].action == "turn-order",
    )


def _pay() -> PlanPart:
    choices = (PlanChoice("pay", say("pay")), PlanChoice("decline", say("decline")))
    return PlanPart(
        "turn_order",
        "pick",
        "",
        say("Pay to be first"),
        choices,
        note=say("Played when you are asked and can pay."),
        template="pay",
        example="decline",
    )


def _actions(play: SequenceOfPlay, seat: Seat) -> PlanPart:
    rules, state = play.rules, play.state
    choices = tuple(_action(rules, state, seat, action) for action in rules.actions)
    names: Sequence[str] = [choice.value for choice in choices]
    return PlanPart(
        "select_actions",
        "rank",
        "action",
        say("Action, best first"),
        choices,
        note=say("The first one still free is taken."),
        template="action _ > _ > _",
        example=f"action {' > '.join(names[:2])}",
    )


def _action(rules: Rules, state: State, seat: Seat, action: str) -> PlanChoice:
    effect = rules.action_effect(state, seat, action)
    return PlanChoice(action, say("{action}", action=Word(action)), () if effect is None else (effect,))


def _nth(place: int) -> Say:
    ends = {1: say("{n}st", n=place), 2: say("{n}nd", n=place), 3: say("{n}rd", n=place)}
    return ends.get(place, say("{n}th", n=place))
