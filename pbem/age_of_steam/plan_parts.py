"""The parts of a planned turn, with the figures to decide by (P4)."""

from __future__ import annotations

from collections.abc import Sequence
from typing import Final

from pbem.age_of_steam.bill import left
from pbem.age_of_steam.rules import SHARE_PRICE, Rules
from pbem.age_of_steam.state import State
from pbem.engine.moves import Seat
from pbem.engine.standing_orders import PlanChoice, PlanPart
from pbem.engine.text import Word, count_say, nth, say

SHOWN: Final = 8
"""Numbers of shares in the table; more can be typed."""


def shares_part(rules: Rules, state: State, seat: Seat) -> PlanPart | None:
    """The shares to issue; nothing where none is allowed."""
    player, most = state.players[seat], rules.shares_allowed(state, seat)
    if most == 0:
        return None
    choices = tuple(_share(rules, state, seat, n) for n in range(min(most, SHOWN) + 1))
    note = count_say(
        "You have {shares} shares; {n} more is allowed.",
        "You have {shares} shares; {n} more are allowed.",
        most,
        shares=player.shares,
    )
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
    cash, bill = player.cash + SHARE_PRICE * shares, rules.expenses(state, seat) + shares
    title = say("{n}", n=shares)
    cells = (say("${n}", n=cash), say("${n}", n=bill), left(rules, state, seat, cash, bill))
    return PlanChoice(str(shares), title, cells)


def bids_part(state: State, seat: Seat) -> PlanPart:
    """The limit in the auction."""
    places = tuple(
        PlanChoice(str(place), say("{place} or better", place=nth(place))) for place in range(2, len(state.order))
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


def actions_part(rules: Rules, state: State, seat: Seat) -> PlanPart:
    """The action to take."""
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
