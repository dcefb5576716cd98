"""What an order that has waited says when its moment comes: an ordinary order, nothing, or that it no longer holds."""

from __future__ import annotations

from collections.abc import Mapping
from typing import Any

from pbem.age_of_steam.building import run
from pbem.age_of_steam.deliveries import deliveries, meant
from pbem.age_of_steam.moves import (
    Always,
    Bid,
    BidLimit,
    Build,
    Decline,
    Deliver,
    Drop,
    Issue,
    Pass,
    Pay,
)
from pbem.age_of_steam.phases.build_track import site
from pbem.age_of_steam.phases.turn_order import Auction, can_pass
from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State
from pbem.engine.flow import FirstLegal
from pbem.engine.moves import Move, Refused, Seat, refuse
from pbem.engine.standing_orders import StandingOrder


def due_order(rules: Rules, state: State, seat: Seat, order: StandingOrder) -> Move | None:
    """The order to be played now, ``None`` when nothing is said. Raises :class:`Refused` when it no longer holds."""
    match order.move:
        case Always() as always:
            return _always(rules, state, seat, always)
        case BidLimit() as limit:
            return _bid(state, seat, limit)
        case Build() as build if (price := order.guard.get("price")) is not None:
            return _build(rules, state, seat, build, int(price))
        case FirstLegal(moves, True):
            return _same_income(rules, state, seat, moves, order.guard)
    return order.move


def _bid(state: State, seat: Seat, limit: BidLimit) -> Move:
    """P2: one more than the high bid while that is at most the limit; then drop, pass or ask."""
    auction = state.scratch_as(Auction)
    if limit.until is not None and auction.next_place <= limit.until:
        return Drop()
    bid = auction.highest + 1
    if limit.first is not None and seat not in auction.bids:
        bid = max(bid, limit.first)
    if bid <= min(limit.most, state.players[seat].cash):
        return Bid(bid)
    if limit.then == "pass" and can_pass(state, seat):
        return Pass()
    if limit.then == "ask":
        raise Refused(refuse("P2", "The next bid is ${bid}, above your limit of ${most}.", bid=bid, most=limit.most))
    return Drop()


def _build(rules: Rules, state: State, seat: Seat, build: Build, most: int) -> Move:
    """P5: only for the price it had when it was given."""
    laid = run(rules, site(state, seat), build)
    price = rules.build_price(laid.site.state, seat, laid.site.prices)
    if price > most:
        raise Refused(refuse("P5", "The build now costs ${price}; it was given for ${most}.", price=price, most=most))
    return build


def _same_income(rules: Rules, state: State, seat: Seat, moves: tuple[Move, ...], guard: Mapping[str, Any]) -> Move:
    """P6: without the alternatives that would no longer pay the same players the same."""
    changed: Refused | None = None
    kept: list[Move] = []
    for move, gains in zip(moves, guard["gains"], strict=True):
        if isinstance(move, Deliver):
            try:
                found = dict(meant(rules, state, seat, move).gains)
            except Refused as refused:
                changed = refused
                continue
            if found != gains:
                changed = Refused(refuse("P6", "“{order}” would not pay the same players the same.", order=str(move)))
                continue
        kept.append(move)
    if not kept:
        assert changed is not None, "there is at least one alternative"
        raise changed
    return kept[0] if len(kept) == 1 else FirstLegal(tuple(kept))


def _always(rules: Rules, state: State, seat: Seat, always: Always) -> Move | None:
    """P8."""
    match always.order, always.number:
        case "issue", int(shares):
            return Issue(shares)
        case "bid max", int(most):
            return _bid(state, seat, BidLimit(most))
        case "pay", _:
            return Pay()
        case "decline", _:
            return Decline()
        case "auto-pass", _:
            return _auto_pass(rules, state, seat)
    return None


def _auto_pass(rules: Rules, state: State, seat: Seat) -> Move | None:
    """Pass when the engine is at its most and no delivery gives the player income."""
    if state.players[seat].engine < rules.engine_cap:
        return None
    return None if any(way.gain(seat) > 0 for way in deliveries(rules, state, seat)) else Pass()
