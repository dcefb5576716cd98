"""Actions by what the best build and the deliveries after it promise with each of them."""

from collections.abc import Sequence

from pbem.engine import Place, Question, Say, Seat, Word, say
from pbem.robot.reasons import Until
from pbem.robot.thinking.building import ENGINEER_TILES, TILES, best_plans, with_new_city
from pbem.robot.thinking.decision import Decision, Option, best_of
from pbem.robot.thinking.network import LONGEST
from pbem.robot.thinking.plans import Plan
from pbem.robot.thinking.table import Company
from pbem.robot.thinking.thought import Thought
from pbem.robot.trying import after, purse

PLANNED = ("locomotive", "engineer", "urbanization")
"""Actions of which the reason tells what the robot plans to build and to deliver."""
LEFT_ALONE = 0.85
"""The chance that a player who builds before leaves a route alone."""


def take(thought: Thought, question: Question) -> Decision:
    options = []
    by_price: dict[float, list[str]] = {}
    for choice in question.choices:
        by_price.setdefault(_price(thought, choice.order), []).append(choice.order.partition(" ")[2])
    for price, actions in by_price.items():
        options += action_values(thought, actions, price)
    return best_of(thought, options, Until.TURN)


def _price(thought: Thought, order: str) -> float:
    """Dollars that an action costs, which it does on few maps."""
    table = thought.table
    then = after(table.sheet, table.state, table.seat, order)
    return 0 if then is None else table.me.cash - purse(table.sheet, then, table.seat).cash


def action_values(thought: Thought, actions: Sequence[str], price: float = 0) -> list[Option]:
    """What each action promises at a price; its order and why."""
    me = thought.table.me
    holding = me._replace(cash=me.cash - price)
    plans = best_plans(thought, holding, TILES)
    values = {
        "locomotive": _locomotive,
        "engineer": _engineer,
        "urbanization": _urbanization,
        "first-move": _first_move,
        "first-build": _first_build,
        "production": _production,
        "turn-order": _turn_order,
    }
    options = []
    for action in actions:
        value, why = values[action](thought, holding, plans) if action in values else (plans[0].value, _plainly(action))
        options.append(Option(f"action {action}", value, why, open=action not in PLANNED))
    return options


def _plainly(action: str) -> Say:
    return say("Takes {action}: nothing that is left promises more.", action=Word(action))


def _gain(plan: Plan) -> int:
    return round(sum(plan.outlook.gains))


def _locomotive(thought: Thought, me: Company, plans: Sequence[Plan]) -> tuple[float, Say]:
    if me.engine >= LONGEST:
        return plans[0].value, _plainly("locomotive")
    best = best_plans(thought, me._replace(engine=me.engine + 1), TILES)[0]
    return best.value + thought.tastes.locomotive, say(
        "Takes Locomotive: with {n} links it can deliver for {gain} income this turn.",
        n=me.engine + 1,
        gain=_gain(best),
    )


def _engineer(thought: Thought, me: Company, plans: Sequence[Plan]) -> tuple[float, Say]:
    best = best_plans(thought, me, ENGINEER_TILES)[0]
    if best.tiles < ENGINEER_TILES or best.rest is not None:  # a link that is only begun delivers nothing yet
        return best.value, _plainly("engineer")
    return best.value, say(
        "Takes Engineer: a fourth tile makes deliveries of {gain} income possible.", gain=_gain(best)
    )


def _urbanization(thought: Thought, me: Company, plans: Sequence[Plan]) -> tuple[float, Say]:
    found = with_new_city(thought, me, TILES)
    if not found or found[0].value <= plans[0].value:
        return plans[0].value, _plainly("urbanization")
    town, gain = Place(found[0].before.split()[-1]), _gain(found[0])
    why = say(
        "Takes Urbanization: a New City on {town} makes deliveries of {gain} income possible.", town=town, gain=gain
    )
    return found[0].value + thought.tastes.urbanization, why


def _first_move(thought: Thought, me: Company, plans: Sequence[Plan]) -> tuple[float, Say]:
    table, plan = thought.table, plans[0]
    led = _led(table.moving, table.seat, table.rounds)
    value = plan.value_to(thought, plan.built(me), led)
    return value + thought.weights.first_move, say("Takes First Move: nobody can deliver its cubes before it does.")


def _led(moving: Sequence[Seat], seat: Seat, rounds: int) -> list[Seat]:
    """The order of moving with a seat first in every round."""
    others = [other for other in moving if other != seat]
    each = len(others) // max(rounds, 1)
    return [mover for n in range(rounds) for mover in (seat, *others[n * each : (n + 1) * each])]


def _first_build(thought: Thought, me: Company, plans: Sequence[Plan]) -> tuple[float, Say]:
    best = plans[0]
    second = next((plan for plan in plans if best.apart(plan)), best)
    risk = 1 - LEFT_ALONE ** thought.table.order.index(thought.table.seat)
    value = best.value + thought.weights.first_build + risk * (best.value - second.value)
    return value, say("Takes First Build: nobody can take its route away.")


def _production(thought: Thought, me: Company, plans: Sequence[Plan]) -> tuple[float, Say]:
    worth = thought.weights.production * thought.scoring.production if thought.table.left else 0.0
    return plans[0].value + worth, say("Takes Production, for more cubes in the turns to come.")


def _turn_order(thought: Thought, me: Company, plans: Sequence[Plan]) -> tuple[float, Say]:
    worth = thought.weights.turn_order if thought.table.left else 0.0
    return plans[0].value + worth, say("Takes Turn Order, for a better place at a small price in the next turn.")
