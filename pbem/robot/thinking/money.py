"""Shares by what the best build needs, and bids by what the first place opens."""

from collections.abc import Callable, Sequence
from dataclasses import replace

from pbem.engine import Question, Say, State, count_say, say
from pbem.robot.reasons import Until
from pbem.robot.thinking.actions import action_values
from pbem.robot.thinking.building import TILES, best_plans, tiles_allowed, with_new_city
from pbem.robot.thinking.characters import QUICK, Character
from pbem.robot.thinking.decision import Decision, Option, best_of, decided, ranked
from pbem.robot.thinking.outlook import DOLLARS_A_SHARE
from pbem.robot.thinking.plans import Plan
from pbem.robot.thinking.thought import Thought
from pbem.robot.trying import after, purse

SHARES_MOST = 6
"""Shares of one turn it thinks about."""
TRACK_LEAST = 8.0
"""Dollars it keeps for track when it bids."""
FIRST_PLACE = 5
"""Dollars that the first place costs where it has a price."""
FEW_PLAYERS = 2
"""Among so many it counts on getting Urbanization when it wants it."""
BRIEFLY = 3
"""The part of the usual work that goes into a bid."""
LIKED = ("locomotive", "urbanization", "engineer", "first-move", "first-build")
"""Actions that players bid for."""
BUDGET, WIDTH = 60, 4
"""Of those who play on in thought."""
DECISIONS = 20
"""Decisions until the build, at the most."""
Answer = Callable[[State], Decision]
"""What the seat to act would order, in thought."""


def issue(thought: Thought, question: Question) -> Decision:
    """As many shares as the best build and the bill need, by what they cost until the end."""
    me = thought.table.me
    rich = me._replace(cash=me.cash + DOLLARS_A_SHARE * SHARES_MOST)
    plans = best_plans(thought, rich, tiles_allowed("engineer"))
    if len(thought.table.order) <= FEW_PLAYERS and "urbanization" in thought.table.actions:
        plans += with_new_city(thought, rich, TILES)
    plans = _frontier(plans)
    options = []
    issuing = [choice for choice in question.choices if choice.order.startswith("issue ")]
    for choice in issuing[: SHARES_MOST + 1]:
        shares = int(choice.order.split()[1])
        cash = me.cash + DOLLARS_A_SHARE * shares
        payable = [plan for plan in plans if plan.cost <= max(cash - thought.weights.spare, 0)] or plans[:1]
        values = [(_at(thought, plan, cash, me.shares + shares), plan) for plan in payable]
        value, plan = max(values, key=lambda entry: entry[0])
        safe = plan.outlook_to(thought, plan.built(me._replace(cash=cash, shares=me.shares + shares))).safe
        value += shares * thought.tastes.share
        options.append(Option(choice.order, value, _why(shares, plan), safe=safe))
    return best_of(thought, options, Until.TURN)


def _why(shares: int, plan: Plan) -> Say:
    gain = round(sum(plan.outlook.gains))
    if shares == 0:
        return say("Issues no share: ${cost} for track and the bill can be paid without.", cost=plan.cost)
    if not gain:
        return _why_ahead(shares, plan.cost)
    return count_say(
        "Issues {n} share: ${cost} of track brings {gain} income this turn.",
        "Issues {n} shares: ${cost} of track brings {gain} income this turn.",
        shares,
        cost=plan.cost,
        gain=gain,
    )


def _frontier(plans: Sequence[Plan]) -> list[Plan]:
    """The plans that are better than every cheaper one, the cheapest first."""
    best: list[Plan] = []
    for plan in sorted(plans, key=lambda plan: (plan.cost, -plan.value)):
        if not best or plan.value > best[-1].value:
            best.append(plan)
    return best


def _at(thought: Thought, plan: Plan, cash: float, shares: int) -> float:
    """What a plan is worth to a company with so many dollars and shares."""
    me = thought.table.me
    return plan.value_to(thought, plan.built(me._replace(cash=cash, shares=shares)))


# Shares by the build that follows: where players found all Cities, what can be built depends on the New City that
# another founds before. Who issues shares last plays the turn on with each number of them, until its own build.


def hurried(character: Character) -> Character:
    """The same robot in a hurry, without slips."""
    budget, width = min(BUDGET, character.budget), min(WIDTH, character.width)
    return replace(character, budget=budget, width=width, slip=0.0)


def decides_by_build(thought: Thought) -> bool:
    """Whether shares are decided so: the sheet asks for it, nobody issues shares afterwards, and there is the time.

    A caretaker, for whom the clock waits, has not.
    """
    last = thought.table.order[-1] == thought.table.seat
    return thought.scoring.by_build and last and thought.character.budget >= QUICK


def by_build(thought: Thought, decision: Decision, answer: Answer) -> Decision:
    """The number of shares with which the build that follows promises most; of equal ones what was decided before."""
    found = [_option(thought, option.order, answer) for option in decision.options]
    options = [option for option in found if option is not None]
    return best_of(thought, options, Until.TURN) if options else decision


def _option(thought: Thought, order: str, answer: Answer) -> Option | None:
    """A number of shares with what the own build then promises; ``None`` when there comes no build."""
    table = thought.table
    sheet, turn = table.sheet, table.sheet.turn(table.state)
    state = after(sheet, table.state, table.seat, order)
    for _ in range(DECISIONS):
        seat = None if state is None else sheet.to_act(state)
        if state is None or seat is None or sheet.turn(state) != turn:
            return None
        then = answer(state)
        thought.work += then.work
        built = after(sheet, state, seat, then.order)
        if seat == table.seat and sheet.question(state).form == "build":
            cost = 0 if built is None else purse(sheet, state, seat).cash - purse(sheet, built, seat).cash
            return Option(order, max(option.value for option in then.options), _why_ahead(int(order.split()[1]), cost))
        state = built
    return None


def _why_ahead(shares: int, cost: int) -> Say:
    if not shares and not cost:
        return say("Issues no share: it expects to build nothing this turn.")
    if not shares:
        return say("Issues no share: it can pay without for the ${cost} of track that it expects to build.", cost=cost)
    if not cost:
        return count_say(
            "Issues {n} share to have dollars in hand: it expects to build nothing this turn.",
            "Issues {n} shares to have dollars in hand: it expects to build nothing this turn.",
            shares,
        )
    return count_say(
        "Issues {n} share: it expects to build ${cost} of track this turn.",
        "Issues {n} shares: it expects to build ${cost} of track this turn.",
        shares,
        cost=cost,
    )


# the auction ------------------------------------------------------------------------------------------------


def bid(thought: Thought, question: Question) -> Decision:
    """A bid as long as the first place is worth more than it costs."""
    orders = {choice.order for choice in question.choices}
    bids = sorted(int(order.split()[1]) for order in orders if order.startswith("bid "))
    most = thought.weights.bid_part * _most(thought)
    leave = next((order for order in ("drop", "pass") if order in orders), question.choices[0].order)
    left = Option(
        leave, 0.0, say("Leaves the auction: an early place is worth no more than ${n}.", n=max(0, int(most)))
    )
    options = [left]
    if bids:
        why = say("Bids ${n}: an early place is worth up to ${most}.", n=bids[0], most=int(most))
        options.append(Option(f"bid {bids[0]}", most - bids[0] + 0.01, why))
    if {"pass", "drop"} <= orders:
        options.append(Option("pass", 0.005, say("Passes with Turn Order, to see what the others bid."), open=True))
    return decided(ranked(options), thought.work, Until.PHASE)


def pay(thought: Thought, question: Question) -> Decision:
    """The price of the first place, where it is worth that much."""
    most = _most(thought)
    why = say("The first place is worth ${n}.", n=max(0, int(most)))
    options = [
        Option(choice.order, (most if choice.order == "pay" else FIRST_PLACE), why) for choice in question.choices
    ]
    return decided(ranked(options), thought.work, Until.PHASE)


def _most(thought: Thought) -> float:
    """Dollars that the first place is worth and can be spared: choosing first beside choosing in the middle.

    Thought about in less detail than the choice itself.
    """
    brief = replace(thought, character=replace(thought.character, budget=max(1, thought.character.budget // BRIEFLY)))
    me, table = brief.table.me, brief.table
    actions = [action for action in LIKED if action in table.actions or not table.actions]
    values = sorted((option.value for option in action_values(brief, actions)), reverse=True)
    later = min(len(values) - 1, (len(table.order) + 1) // 2)
    plan = best_plans(brief, me, TILES)[0]
    dollar = (_at(brief, plan, me.cash + 4, me.shares) - _at(brief, plan, me.cash, me.shares)) / 4
    worth = values[0] - values[later] + brief.weights.order_value + brief.tastes.early
    track = min(TRACK_LEAST, plan.cost + brief.weights.spare) if table.left else 0.0
    owed = max(0.0, me.shares + me.engine + me.extra - me.income - sum(plan.outlook.gains) / 2)
    thought.work += brief.work
    return min(worth / max(dollar, 0.3), me.cash - track - owed)
