"""The decisions of Age of Steam, each by what the outlook says of it."""

from __future__ import annotations

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace

from pbem.engine.sheet import Choice, Question
from pbem.engine.text import Place, Say, Word, count_say, say
from pbem.rails.routes import RouteChoice
from pbem.robot.thinking.building import best_plans, build, tiles_allowed, with_new_city
from pbem.robot.thinking.network import LONGEST
from pbem.robot.thinking.plans import Plan
from pbem.robot.thinking.thought import Holding, Thought

SHARES_MOST = 6
FEW = 3
"""Shares it thinks about, and dollars a share brings beside what it costs this turn."""


@dataclass(frozen=True, slots=True)
class Decision:
    """An order, why, and all orders that were thought about with what each is worth in the end, the best first."""

    order: str
    why: Say
    ranking: tuple[tuple[str, float], ...] = ()
    work: int = 0


def ranked(found: Sequence[tuple[float, str, Say]], work: int) -> Decision:
    """The best of what was thought about; of equal ones the first."""
    best = max(found, key=lambda entry: entry[0])
    ranking = sorted(((order, value) for value, order, _ in found), key=lambda entry: -entry[1])
    return Decision(best[1], best[2], tuple(ranking), work)


# shares -------------------------------------------------------------------------------------------------


def issue(thought: Thought, question: Question, budget: int) -> Decision:
    """As many shares as the best build and the bill need, by what they cost until the end."""
    me = thought.table.me
    rich = replace(Holding.of(me), cash=me.cash + 5 * SHARES_MOST)
    plans = _frontier(best_plans(thought, rich, tiles_allowed("engineer"), budget))
    found = []
    reserve = thought.weights.spare
    for choice in question.choices[: SHARES_MOST + 1]:
        shares = int(choice.order.split()[1])
        cash = me.cash + 5 * shares
        value, plan = max(
            ((_at(thought, plan, cash, me.shares + shares), plan) for plan in plans if plan.cost <= max(cash - reserve, 0)),
            key=lambda entry: entry[0],
            default=(-99.0, plans[0]),
        )
        found.append((value, choice.order, _issue_why(shares, plan)))
    return ranked(found, thought.work)


def _issue_why(shares: int, plan: Plan) -> Say:
    if shares == 0:
        return say("Issues no share: ${cost} for track can be paid without.", cost=plan.cost)
    return count_say(
        "Issues {n} share, to pay ${cost} for track that brings {gain} income this turn.",
        "Issues {n} shares, to pay ${cost} for track that brings {gain} income this turn.",
        shares,
        cost=plan.cost,
        gain=round(sum(plan.outlook.gains)),
    )


def _frontier(plans: Sequence[Plan]) -> list[Plan]:
    """The plans that are better than every cheaper one."""
    best: list[Plan] = []
    for plan in sorted(plans, key=lambda plan: (plan.cost, -plan.value)):
        if not best or plan.value > best[-1].value:
            best.append(plan)
    return best


def _at(thought: Thought, plan: Plan, cash: float, shares: int) -> float:
    holding = replace(
        Holding.of(thought.table.me), cash=cash - plan.cost, shares=shares, points=thought.table.me.points + plan.points
    )
    land = thought.land
    for way in plan.ways:
        land = land.joined(zip(way.nodes, way.nodes[1:], strict=False), thought.table.seat)
    return thought.outlook(land, holding).value


# turn order ---------------------------------------------------------------------------------------------


def bid(thought: Thought, question: Question, budget: int) -> Decision:
    """A bid as long as the first place is worth more than it costs, by the actions it opens."""
    orders = {choice.order for choice in question.choices}
    bids = sorted(int(order.split()[1]) for order in orders if order.startswith("bid "))
    worth, dollar = _first_place(thought, budget)
    me = thought.table.me
    most = thought.weights.bid_part * worth / max(dollar, 0.3)
    track = min(8.0, 2 + thought.weights.track_money)
    most = min(most, me.cash - track if thought.table.left else me.cash)
    out = next((order for order in ("drop", "pass") if order in orders), question.choices[0].order)
    if bids and bids[0] <= most:
        why = say("Bids ${n}: an early place is worth up to ${most} now.", n=bids[0], most=int(most))
        return Decision(f"bid {bids[0]}", why, ((f"bid {bids[0]}", worth), (out, 0.0)), thought.work)
    if "pass" in orders and "drop" in orders:
        return Decision("pass", say("Passes with Turn Order, to see what others bid."), (("pass", worth),), thought.work)
    return Decision(
        out,
        say("Leaves the auction: an early place is worth ${most} at the most.", most=max(0, int(most))),
        ((out, 0.0), *((f"bid {n}", worth - n) for n in bids[:1])),
        thought.work,
    )


def _first_place(thought: Thought, budget: int) -> tuple[float, float]:
    """What choosing first is worth beside choosing in the middle, and what a dollar is worth, in points."""
    actions = tuple(a for a in ("locomotive", "urbanization", "engineer", "first-move", "first-build") )
    values = sorted((value for value, *_ in action_values(thought, actions, budget)), reverse=True)
    me = thought.table.me
    base = Holding.of(me)
    plans = best_plans(thought, base, 3, budget // 4)
    richer = _at(thought, plans[0], me.cash + 4, me.shares)
    dollar = (richer - _at(thought, plans[0], me.cash, me.shares)) / 4
    later = min(len(values) - 1, (len(thought.table.order) + 1) // 2)
    return (values[0] - values[later]) + thought.weights.order_value, dollar


# actions ------------------------------------------------------------------------------------------------


def act(thought: Thought, question: Question, budget: int) -> Decision:
    """The action with which the best build and deliveries promise most."""
    free = tuple(choice.order.partition(" ")[2] for choice in question.choices)
    return ranked(
        [(value, f"action {action}", why) for value, action, why in action_values(thought, free, budget)], thought.work
    )


def action_values(thought: Thought, actions: Sequence[str], budget: int) -> list[tuple[float, str, Say]]:
    """What each action promises, with a line of why."""
    table, weights = thought.table, thought.weights
    me = Holding.of(table.me)
    plans = best_plans(thought, me, 3, budget)
    base = plans[0]
    values = []
    for action in actions:
        value, why = base.value, say("Takes {action}.", action=Word(action))
        match action:
            case "locomotive":
                if me.engine < LONGEST:
                    best = best_plans(thought, replace(me, engine=me.engine + 1), 3, budget)[0]
                    value = best.value
                    why = _gain_why("Takes Locomotive: deliveries of up to {n} links, {gain} income this turn.", best, me.engine + 1)
            case "engineer":
                best = best_plans(thought, me, 4, budget)[0]
                value = best.value
                why = _gain_why("Takes Engineer: a fourth tile makes deliveries of {gain} income possible.", best)
            case "urbanization":
                found = with_new_city(thought, me, 3, budget)
                if found:
                    value = max(base.value, found[0].value)
                    town = found[0].before.split()[-1]
                    why = say(
                        "Takes Urbanization: a New City on {town} lets it deliver for {gain} income this turn.",
                        town=Place(town),
                        gain=round(sum(found[0].outlook.gains)),
                    )
            case "first-move":
                me_first = [seat for _ in range(1) for seat in table.moving if seat == table.seat]
                others = [seat for seat in table.moving if seat != table.seat]
                half = len(others) // max(1, table.rounds)
                led = [x for n in range(table.rounds) for x in (*me_first[n : n + 1], *others[n * half : (n + 1) * half])]
                again = _moved_as(thought, base, led)
                value = again + weights.first_move
                why = say("Takes First Move: nobody can take its cubes away.")
            case "first-build":
                before = table.order.index(table.seat)
                second = _without(plans, base)
                risk = 1 - 0.85**before
                value += weights.first_build + risk * max(0.0, base.value - second)
                why = say("Takes First Build: nobody can take its route away.")
            case "production":
                value += weights.production if table.left else 0.0
                why = say("Takes Production: new cubes for its Cities.")
            case "turn-order":
                value += weights.turn_order if table.left else 0.0
                why = say("Takes Turn Order, for an early place at a small price in the next turn.")
        values.append((value, action, why))
    return values


def _gain_why(one: str, plan: Plan, n: int = 0) -> Say:
    return say(one, gain=round(sum(plan.outlook.gains)), n=n)


def _moved_as(thought: Thought, plan: Plan, moving: Sequence[str]) -> float:
    me = thought.table.me
    land = thought.land
    for way in plan.ways:
        land = land.joined(zip(way.nodes, way.nodes[1:], strict=False), thought.table.seat)
    holding = replace(Holding.of(me), cash=me.cash - plan.cost, points=me.points + plan.points)
    return thought.outlook(land, holding, moving).value


def _without(plans: Sequence[Plan], base: Plan) -> float:
    """The best plan that does not go over the hexes of another."""
    taken = {part.hex for part in base.parts}
    return next((plan.value for plan in plans if not taken & {part.hex for part in plan.parts}), base.value)


# moving goods -------------------------------------------------------------------------------------------


def move(thought: Thought, question: Question, budget: int) -> Decision:
    """The delivery, or the larger engine, after which the rest of the game promises most."""
    table, seat = thought.table, thought.table.seat
    moving = table.moving[1:]
    holding = Holding.of(table.me)
    reaches = thought.reaches(thought.land, holding.engine)
    found: list[tuple[float, str, Say]] = []
    raised = len([other for other in table.moving if other == seat]) < table.rounds and _raised(thought)
    for choice in _few(question.choices, seat):
        gone: dict[tuple[str, str], int] = {}
        now = holding
        rivals = 0.0
        if isinstance(choice, RouteChoice) and choice.route:
            gone[choice.route[0], choice.cube] = 1
            now = replace(holding, income=holding.income + choice.gains.get(seat, 0))
            rivals = float(sum(steps for other, steps in choice.gains.items() if other != seat))
        elif choice.order == "loco":
            now = replace(holding, engine=holding.engine + 1)
        thought.work += 1
        may_raise = choice.order != "loco" and not raised
        ahead = thought.after_moves(reaches, now, moving, gone, rivals, may_raise=may_raise)
        found.append((ahead.value, choice.order, _move_why(choice, seat, now.engine)))
    return ranked(found, thought.work)


def _raised(thought: Thought) -> bool:
    """Whether it has raised its engine in this phase already: then the offer is missing."""
    question = thought.table.sheet.question(thought.table.state)
    return all(choice.order != "loco" for choice in question.choices)


def _few(choices: Sequence[Choice], seat: str) -> list[Choice]:
    """Of the ways of one cube only the best two for it, and everything that is no delivery."""
    best: dict[tuple[str, str], list[Choice]] = {}
    rest = []
    for choice in choices:
        if isinstance(choice, RouteChoice) and choice.route:
            best.setdefault((choice.route[0], choice.cube), []).append(choice)
        else:
            rest.append(choice)

    def net(choice: Choice) -> float:
        own = choice.gains.get(seat, 0)
        return own - 0.4 * (sum(choice.gains.values()) - own)

    return [choice for ways in best.values() for choice in sorted(ways, key=net, reverse=True)[:2]] + rest


def _move_why(choice: Choice, seat: str, engine: int) -> Say:
    if isinstance(choice, RouteChoice) and choice.route:
        return say(
            "Delivers the {colour} cube of {start} for {n} income.",
            colour=Word(choice.cube),
            start=Place(choice.route[0]),
            n=choice.gains.get(seat, 0),
        )
    if choice.order == "loco":
        return say("Raises its engine to {n} links, for longer deliveries in the turns to come.", n=engine)
    return say("Passes: every delivery would cost it more than it brings.")


# building -----------------------------------------------------------------------------------------------


def lay(thought: Thought, question: Question, budget: int) -> Decision:
    """The build that promises most."""
    order, plans, plan = build(thought, budget)
    if not plan.ways and not plan.before:
        why = say("Builds nothing: no track it can pay for brings enough.")
    else:
        places = tuple(Place(node) for way in plan.ways for node in (way.nodes[0], way.nodes[-1]))
        why = say(
            "Builds for deliveries of {gain} income this turn, linking {places}.",
            gain=round(sum(plan.outlook.gains)),
            places=tuple(dict.fromkeys(places)) or (Place(plan.before.split()[-1]),),
        )
    ranking = tuple((plan.before + ";" + str(plan.parts), plan.value) for plan in plans[:5])
    return Decision(order, why, ranking, thought.work)


_ = random
