"""What a robot answers: an order, why, and what else it thought about."""

from collections.abc import Sequence
from dataclasses import dataclass
from operator import itemgetter

from pbem.engine.text import Say
from pbem.robot.reasons import Reason, Until
from pbem.robot.thinking.thought import Thought


@dataclass(frozen=True, slots=True)
class Option:
    """An order that was thought about, what the robot expects to have in the end after it, and the reason for it.

    ``open``: the reason says nothing but what the order and the table say; it is the same whatever the robot plans.
    """

    order: str
    value: float
    why: Say
    open: bool = False


@dataclass(frozen=True, slots=True)
class Decision:
    """An order and why it is given.

    ``until``: what must be over before others may read why. ``options``: what was thought about, the best first.
    ``work``: the number of outlooks that were looked at.
    """

    order: str
    why: Say
    until: Until
    options: tuple[Option, ...] = ()
    work: int = 0

    @property
    def reason(self) -> Reason:
        """Why, as it is stored with the order."""
        return Reason(self.why, self.until)


def decided(options: Sequence[Option], work: int, until: Until) -> Decision:
    """The first of these options. ``until``: what must be over before others may read a reason that is not open."""
    best = options[0]
    return Decision(best.order, best.why, Until.NOTHING if best.open else until, tuple(options), work)


def best_of(thought: Thought, options: Sequence[Option], until: Until) -> Decision:
    """The best of some options, the first of equal ones; a character that slips may take another for the best."""
    slip = thought.character.slip
    seen = [(option.value + (thought.luck.gauss(0, slip) if slip else 0.0), option) for option in options]
    return decided([option for _, option in sorted(seen, key=itemgetter(0), reverse=True)], thought.work, until)
