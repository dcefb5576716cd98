"""What else could have been ordered where a decision is clear enough to be a puzzle: robots play the game on after it
too, with the luck they had after the better order.
"""

from collections.abc import Sequence

from pbem.engine import Sheet, State
from pbem.robot import thinking
from pbem.robot.matches import Mean
from pbem.robot.review.comparisons import CLEAR, FIRST_PAIRS, SURE, Comparison
from pbem.robot.review.continuations import play_on
from pbem.robot.review.doubts import ADVISER
from pbem.robot.trying import after

PHASES = ("issue_shares", "select_actions", "move_goods")
"""Where nothing is hidden and an order is one choice."""
LEAST = 3.0
"""Points that one order is better by than the one played, and surely: :data:`SURE` standard errors."""
OTHERS, PLAYS = 4, 60
"""Options of a decision that are played on beside these two, and continuations of all of a game, at the most."""


def clear(one: Comparison) -> bool:
    """Whether the better order of a decision is that clearly better."""
    lead = one.lead
    return one.mistake and one.phase in PHASES and lead.value >= LEAST and lead.value > SURE * lead.error


def asks(one: Comparison) -> bool:
    """Whether it is a puzzle: no other option is clearly better, and most of those played on are clearly worse."""
    found = [mean for order in one.others or () if (mean := behind(one, order)) is not None]
    near = [mean for mean in found if is_near(mean)]
    return clear(one) and 2 * len(near) <= len(found) and all(mean.value >= -CLEAR * mean.error for mean in near)


def behind(one: Comparison, order: str) -> Mean | None:
    """Points that an option is worse than the better order; ``None`` where it was not played on often enough."""
    if order == one.played:
        return one.lead
    leads = (one.others or {}).get(order, [])
    if len(leads) < FIRST_PAIRS:
        return None
    return Mean.of([better.lead - lead for (better, _), lead in zip(one.pairs, leads, strict=False)])


def is_near(mean: Mean) -> bool:
    """Whether an option so far behind may be as good."""
    return mean.value <= CLEAR * mean.error


def following(compared: Sequence[Comparison]) -> tuple[Comparison, str] | None:
    """Which option of which decision is played on next; an empty one where its options are not known yet."""
    asked = [one for one in compared if clear(one)]
    for one in asked:
        if one.others is None:
            return one, ""
    found = [(len(leads), one, order) for one in asked for order, leads in (one.others or {}).items()]
    wanted = [each for each in found if _wants_more(each[1], each[2])]
    if not wanted or sum(number for number, _, _ in found) >= PLAYS:
        return None
    return min(wanted, key=lambda each: each[0])[1:]


def _wants_more(one: Comparison, order: str) -> bool:
    mean, number = behind(one, order), len((one.others or {})[order])
    return number < len(one.pairs) and (mean is None or abs(mean.value) <= SURE * mean.error)


def work_on(sheet: Sheet, state: State, one: Comparison, order: str) -> None:
    """Find the options of a decision, or play one of them on; ``state``: the position before it."""
    if one.others is None:
        one.others = {option: [] for option in _options(sheet, state, one)[:OTHERS]}
        one.at_once = _is_most_at_once(sheet, state, one)
    else:
        leads = one.others[order]
        leads.append(play_on(sheet, state, order, len(leads)).lead)


def _is_most_at_once(sheet: Sheet, state: State, one: Comparison) -> bool:
    """Whether the better order brings something at once, and no choice more."""
    gains = {choice.order: choice.gains.get(one.player, 0) for choice in sheet.question(state).choices}
    return gains.get(one.better, 0) == max(gains.values(), default=0) > 0


def _options(sheet: Sheet, state: State, one: Comparison) -> list[str]:
    """What a robot weighs, its first ones first, that leads to something else than both orders."""

    def end(order: str) -> object:
        then = after(sheet, state, one.player, order)
        return None if then is None else sheet.encode(then)

    known, found = [None, end(one.better), end(one.played)], []
    for option in thinking.decide(sheet, state, ADVISER, "review").options:
        if (there := end(option.order)) not in known:
            known.append(there)
            found.append(option.order)
    return found
