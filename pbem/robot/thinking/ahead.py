"""Shares by the build that follows, played on in thought until it comes.

Where players found all Cities, what somebody can build depends on the New City that another one founds before. Who
issues shares first cannot know where that will be; who issues them last plays the turn on with each number of shares,
everybody ordering what a quick robot would, until its own build.
"""

from __future__ import annotations

from collections.abc import Callable
from dataclasses import replace

from pbem.engine.sheet import State
from pbem.engine.text import Say, count_say, say
from pbem.robot.reasons import Until
from pbem.robot.thinking.characters import QUICK, Character
from pbem.robot.thinking.decision import Decision, Option, best_of
from pbem.robot.thinking.thought import Thought
from pbem.robot.trying import after, purse

BUDGET, WIDTH = 60, 4
"""Of those who play on in thought."""
DECISIONS = 20
"""Decisions until the build, at the most."""
Answer = Callable[[State], Decision]
"""What the seat to act would order, in thought."""


def hurried(character: Character) -> Character:
    """The same robot in a hurry, without tastes and slips."""
    budget, width = min(BUDGET, character.budget), min(WIDTH, character.width)
    return replace(character, budget=budget, width=width, tastes={}, slip=0.0)


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
            return Option(order, max(option.value for option in then.options), _why(int(order.split()[1]), cost))
        state = built
    return None


def _why(shares: int, cost: int) -> Say:
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
