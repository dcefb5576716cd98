"""Two or three orders for a question that is not answered from a list: whoever reads an email can play one as it is.

They are legal now, told with their price and what they bring; which is best is for the player to judge.
"""

from collections.abc import Iterator
from functools import reduce

from pbem.engine.sheet import Choice, Question, Sheet, State
from pbem.engine.text import Place, Say, count_say, say
from pbem.rails.scene import Scene
from pbem.robot.build_ideas import Promises, ideas_on
from pbem.robot.trying import Purse, after, purse
from pbem.robot.walks import Way, order_of

MOST = 3
JUDGED = 12
"""Plans that are tried on the judge at most; three of four are legal."""
DELIVERIES = 2
DOLLAR = 0.12
"""What a dollar is worth in income steps."""


def suggestions(sheet: Sheet, state: State, question: Question) -> tuple[Choice, ...]:
    """Orders for the seat that is asked, the most promising first; none where the choices are all there is."""
    if question.form == "build":
        return tuple(_builds(sheet, state, question.seat))
    return sheet.suggestions(state)[:MOST] if question.builder else ()


def _builds(sheet: Sheet, state: State, seat: str) -> Iterator[Choice]:
    """Links between different nodes that the seat can pay for, with what its best deliveries give then."""
    own, scene, found = purse(sheet, state, seat), sheet.scene(state), 0
    for plan, earned in _promising(scene, own, seat)[:JUDGED]:
        order = order_of(scene.board, (), plan.parts)
        then = after(sheet, state, seat, order)
        if then is not None:
            spent = own.cash - purse(sheet, then, seat).cash
            yield Choice(order, _named(plan), _effect(len(plan.parts), spent, own.cash - spent, earned))
            found += 1
        if found == MOST:
            return


def _promising(scene: Scene, own: Purse, seat: str) -> list[tuple[Way, list[int]]]:
    """The plans that can be paid, one for each set of nodes, by what they promise."""
    promises = Promises(scene, seat, own.engine)
    best: dict[frozenset[str], tuple[float, Way, list[int]]] = {}
    for plan in ideas_on(scene):
        if plan.cost > own.cash:
            continue
        nodes, earned = frozenset(plan.nodes), promises.of(plan)
        known, worth = best.get(nodes), sum(earned[:DELIVERIES]) - DOLLAR * plan.cost
        if known is None or worth > known[0]:
            best[nodes] = worth, plan, earned
    ranked = sorted(best.values(), key=lambda one: one[0], reverse=True)
    return [(plan, earned) for _, plan, earned in ranked]


def _named(plan: Way) -> Say:
    first, *others = plan.nodes
    return reduce(lambda way, node: say("{a}–{b}", a=way, b=Place(node)), others, say("{place}", place=Place(first)))


def _effect(tiles: int, spent: int, left: int, earned: list[int]) -> Say:
    """What a build costs, and what its best deliveries give of the cubes that lie there now."""
    cost = count_say(
        "{n} tile for ${price}; ${left} left.",
        "{n} tiles for ${price}; ${left} left.",
        tiles,
        price=spent,
        left=left,
    )
    match earned[:DELIVERIES]:
        case [first, second]:
            return say(
                "{cost} Your best deliveries over your own links then give {first} and {second}.",
                cost=cost,
                first=first,
                second=second,
            )
        case [first]:
            return say("{cost} Your best delivery over your own links then gives {first}.", cost=cost, first=first)
    return say("{cost} No cube can be delivered over it now.", cost=cost)
