"""Deliveries, and the larger engine, by what the rest of the game promises after them."""

from collections.abc import Sequence

from pbem.engine import Choice, Place, Question, Say, Word, say
from pbem.rails.track import RouteChoice
from pbem.robot.reasons import Until
from pbem.robot.thinking.decision import Decision, Option, best_of
from pbem.robot.thinking.thought import Taken, Thought

WAYS = 2
"""Ways of one cube that are thought about."""


def move(thought: Thought, question: Question) -> Decision:
    """What promises most: a delivery, the engine, or nothing."""
    table, seat = thought.table, thought.table.seat
    holding = table.me
    cargo = thought.cargo(thought.reaches(thought.land, holding.engine))
    may_raise = any(choice.order == "loco" for choice in question.choices)
    most = max((choice.gains.get(seat, 0) for choice in question.choices), default=0)
    options = []
    for choice in _few(thought, question.choices):
        gone: dict[Taken, int] = {}
        now, rivals = holding, 0.0
        if isinstance(choice, RouteChoice) and choice.route:
            gone[choice.route[0], choice.cube] = 1
            now = holding._replace(income=holding.income + choice.gains.get(seat, 0))
            rivals = float(sum(steps for other, steps in choice.gains.items() if other != seat))
        elif choice.order == "loco":
            now = holding._replace(engine=holding.engine + 1)
        thought.work += 1
        raises = may_raise and choice.order != "loco"
        ahead = thought.after_moves(cargo, now, table.moving[1:], gone, rivals, may_raise=raises)
        options.append(Option(choice.order, ahead.value, _why(thought, choice, now.engine, most), safe=ahead.safe))
    return best_of(thought, options, Until.NOTHING)


def _few(thought: Thought, choices: Sequence[Choice]) -> list[Choice]:
    """Of the ways of one cube the best for the robot, and everything that is no delivery."""
    ways: dict[Taken, list[Choice]] = {}
    rest = []
    for choice in choices:
        if isinstance(choice, RouteChoice) and choice.route:
            ways.setdefault((choice.route[0], choice.cube), []).append(choice)
        else:
            rest.append(choice)

    def worth(choice: Choice) -> float:
        own = choice.gains.get(thought.table.seat, 0)
        return own - thought.weights.foreign * (sum(choice.gains.values()) - own)

    return [choice for found in ways.values() for choice in sorted(found, key=worth, reverse=True)[:WAYS]] + rest


def _why(thought: Thought, choice: Choice, engine: int, most: int) -> Say:
    """The reason of a choice. ``most``: the income that the best delivery would bring now."""
    if isinstance(choice, RouteChoice) and choice.route:
        start, colour = Place(choice.route[0]), Word(choice.cube)
        gain = choice.gains.get(thought.table.seat, 0)
        if gain <= 0:
            return say("Takes the {colour} cube from {start} before others deliver it.", colour=colour, start=start)
        if gain == most:
            return say(
                "The {colour} cube from {start} brings {n} income, and none brings more now.",
                colour=colour,
                start=start,
                n=gain,
            )
        return say("Delivers the {colour} cube from {start} for {n} income.", colour=colour, start=start, n=gain)
    if choice.order == "loco":
        return say("Raises the engine to {n} links, for longer deliveries later.", n=engine)
    if choice.order == "pass":
        return say("Passes: nothing that it could deliver or raise is worth its price.")
    return say("Nothing else promises more.")
