"""What several placements of one build on the same hex cost together (R23)."""

from __future__ import annotations

from pbem.age_of_steam.proposals import Placement
from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State
from pbem.engine.moves import Seat
from pbem.engine.values import Value, replace


class Visit(Value, frozen=True):
    """All that a build has done on one hex so far, as one placement, and the dollars paid for it."""

    placement: Placement
    paid: int


Visits = tuple[Visit, ...]


def priced(rules: Rules, state: State, seat: Seat, visits: Visits, placement: Placement) -> tuple[int, Visits]:
    """Dollars for a placement, and the visits with it.

    All visits of a hex cost at least what its tile costs when it is laid at once, as the hex was before the build.
    """
    price = rules.placement_price(state, seat, placement)
    before = next((visit for visit in visits if visit.placement.hex == placement.hex), None)
    if before is None:
        return price, (*visits, Visit(placement, price))
    whole = at_once(before.placement, placement)
    if whole.added or whole.turned:
        price = max(price, rules.placement_price(state, seat, whole) - before.paid)
    others = (visit for visit in visits if visit is not before)
    return price, (*others, Visit(whole, before.paid + price))


def at_once(first: Placement, second: Placement) -> Placement:
    """The one placement that leads to the same tile as two on the same hex, the second one after the first."""
    into = dict(second.turned)
    turned = [(old, into.get(new, new)) for old, new in first.turned]
    laid = {*first.added, *(new for _, new in first.turned)}
    turned += [(old, new) for old, new in second.turned if old not in laid]
    return replace(
        second,
        old=first.old,
        added=(*(into.get(ends, ends) for ends in first.added), *second.added),
        turned=tuple((old, new) for old, new in turned if old != new),
    )
