"""What a robot answers: an order, why, and what else it thought about."""

import random
from collections.abc import Sequence
from dataclasses import dataclass, replace
from math import inf
from operator import attrgetter

from pbem.engine import Question, Say, Typed, count_say, say
from pbem.robot.reasons import Reason, Until
from pbem.robot.thinking.thought import Thought


@dataclass(frozen=True, slots=True)
class Option:
    """An order that was thought about, what the robot expects to have in the end after it, and the reason for it.

    ``open``: the reason says nothing but what the order and the table say; it is the same whatever the robot plans.
    ``safe``: it does not lead to bankruptcy this turn if a delivery is taken away.
    """

    order: str
    value: float
    why: Say
    open: bool = False
    safe: bool = True


@dataclass(frozen=True, slots=True)
class Decision:
    """An order and why it is given.

    ``until``: what must be over before others may read why. ``options``: what was thought about, the best first.
    ``work``: the number of outlooks that were looked at. ``second``: what else it would have ordered, and
    ``later``: what must be over before others may read that.
    """

    order: str
    why: Say
    until: Until
    options: tuple[Option, ...] = ()
    work: int = 0
    second: Say | None = None
    later: Until = Until.TURN

    @property
    def reason(self) -> Reason:
        """Why, as it is stored with the order."""
        return Reason(self.why, self.until, self.second, self.later)


def decided(options: Sequence[Option], work: int, until: Until) -> Decision:
    """The first of these options. ``until``: what must be over before others may read a reason that is not open."""
    best = options[0]
    return Decision(best.order, best.why, Until.NOTHING if best.open else until, tuple(options), work)


def best_of(thought: Thought, options: Sequence[Option], until: Until) -> Decision:
    """The best of some options, the first of equal ones, as the character sees them."""
    slip, ruin = thought.character.slip, thought.scoring.ruin
    return decided(misjudged(options, slip, thought.luck, ruin) if slip else ranked(options), thought.work, until)


def ranked(options: Sequence[Option]) -> list[Option]:
    """The best first, the first of equal ones."""
    return sorted(options, key=attrgetter("value"), reverse=True)


def misjudged(options: Sequence[Option], slip: float, luck: random.Random, ruin: float = -inf) -> list[Option]:
    """Options, the best first, as one sees them who errs by ``slip`` points, but not about what may lead to ruin."""
    seen = [replace(option, value=option.value + luck.gauss(0, slip)) for option in options]
    sound = [option.safe and option.value > ruin for option in options]
    both = sorted(zip(sound, seen, strict=True), key=lambda pair: (pair[0], pair[1].value), reverse=True)
    return [option for _, option in both]


def with_second(decision: Decision, question: Question, ruin: float, later: Until) -> Decision:
    """A decision that names its second choice, another way of the same cube excepted. Of bids none is: how far it would
    have gone could be read from it.

    ``later``: what must be over before others may read it.
    """
    if decision.until == Until.PHASE or len(decision.options) < 2:
        return decision
    titles = {choice.order: choice.title for choice in question.choices}
    first, *others = decision.options
    named = {option.order: titles.get(option.order, Typed(option.order)) for option in decision.options}
    second = next((option for option in others if named[option.order] != named[first.order]), None)
    if second is None or second.value <= ruin:
        return decision
    order, less = named[second.order], round(first.value - second.value)
    if less < 1:
        return replace(decision, second=say("Second choice: “{order}”, about as good.", order=order), later=later)
    sentence = count_say(
        "Second choice: “{order}”, {n} point less.", "Second choice: “{order}”, {n} points less.", less, order=order
    )
    return replace(decision, second=sentence, later=later)
