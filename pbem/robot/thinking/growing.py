"""Production: cubes where the robot can deliver them and others cannot."""

from collections.abc import Iterator, Sequence

from pbem.engine import Choice, Question, say
from pbem.rails.board import Label
from pbem.rails.scene import DisplayRow
from pbem.robot.reasons import Until
from pbem.robot.thinking.decision import Decision, Option, best_of
from pbem.robot.thinking.network import LONGEST
from pbem.robot.thinking.table import Cubes, turns_until
from pbem.robot.thinking.thought import Thought

ORDER = "produce "
DECLINE, DRAW = "decline", "display"
CUBE = 0.1
"""What cubes not yet drawn are worth at least, beside none: enough to draw them."""
LINK = 0.3
"""What a link of a delivery that it may make with the cube is worth, where the outlook has enough without it."""


def grow(thought: Thought, question: Question) -> Decision:
    """The cubes on the boxes, or on the City or town, from which they promise most."""
    spots = _Spots(thought)
    return best_of(thought, [spots.option(choice) for choice in question.choices], Until.NOTHING)


class _Spots:
    """What cubes in a place would be worth, each worked out once."""

    def __init__(self, thought: Thought) -> None:
        self.thought = thought
        self.columns = dict(_columns((*thought.table.scene.light, *thought.table.scene.dark)))
        self.known: dict[tuple[Label, str, int], tuple[float, float]] = {}
        me = thought.table.me
        self.holding = me
        reaches = thought.reaches(thought.land, me.engine)
        self.before = thought.after_moves(thought.cargo(reaches), self.holding, (), {}, 0.0).value

    def option(self, choice: Choice) -> Option:
        """What is done with the cubes, and its worth: the sum for cubes of several boxes."""
        text = choice.order.removeprefix(ORDER)
        if text == DECLINE:
            return Option(choice.order, 0.0, say("Draws no cubes: they would help others as much."))
        if text == DRAW:
            return Option(choice.order, CUBE, say("Draws cubes, to put them where it can deliver them."))
        found = [self._put(put) for put in text.split()] if ">" in text else self._colours(text.split()[-1])
        value, gain = sum(value for value, _ in found), sum(gain for _, gain in found)
        if gain > 0:
            return Option(
                choice.order, value, say("Puts cubes where it can deliver them, now or with a larger engine.")
            )
        return Option(
            choice.order, value, say("Puts cubes where they help others least: it could deliver them nowhere.")
        )

    def _put(self, put: str) -> tuple[float, float]:
        colour, _, box = put.partition(">")
        column, _, row = box.partition("/")
        node = self._fed(column)
        if node is None or column not in self.columns:
            return 0.0, 0.0
        ahead = sum(1 for cube in self.columns[column][: int(row) - 1] if cube is not None)
        return self._worth(node, colour, ahead + 1)

    def _fed(self, column: str) -> Label | None:
        plates = self.thought.table.scene.cities
        return next((plate.label for plate in plates if column in (plate.letter, *plate.chips)), None)

    def _colours(self, node: Label) -> list[tuple[float, float]]:
        """A cube of every colour, each with the same chance."""
        colours = sorted({entry.colour for entry in self.thought.table.cubes})
        found = [self._worth(node, colour, 0) for colour in colours]
        return [(value / len(colours), gain / len(colours)) for value, gain in found]

    def _worth(self, node: Label, colour: str, place: int) -> tuple[float, float]:
        """Points that a cube brings more than it brings others, and the most that it could gain itself."""
        key = node, colour, place
        if key not in self.known:
            thought = self.thought
            ready = turns_until(place, thought.table.dice)
            land = thought.land.with_cubes(Cubes(node, colour, ready, 1))
            reaches = thought.reaches(land, thought.table.me.engine)
            value = thought.after_moves(thought.cargo(reaches), self.holding, (), {}, 0.0).value - self.before
            gains = [r.best[LONGEST] for r in reaches if (r.node, r.colour, r.ready) == (node, colour, ready)]
            gain = max(gains, default=0.0)
            self.known[key] = value + LINK * gain - self._helps(node, colour, ready), gain
        return self.known[key]

    def _helps(self, node: Label, colour: str, ready: int) -> float:
        """What others could make of the cube with the engine they will have, each as far as it matters to the robot."""
        thought, table = self.thought, self.thought.table
        land = thought.land.with_cubes(Cubes(node, colour, ready, 1))
        total = 0.0
        for seat in table.order:
            if seat != table.seat:
                engine = min(LONGEST, table.companies[seat].engine + max(1, ready))
                reaches = land.reaches(seat, engine, thought.weights)
                found = [r.best[engine] for r in reaches if (r.node, r.colour, r.ready) == (node, colour, ready)]
                total += max(found, default=0.0)
        return thought.weights.rival * thought.step() * total / max(1, len(table.order) - 1)


def _columns(rows: Sequence[DisplayRow]) -> Iterator[tuple[str, tuple[str | None, ...]]]:
    """The boxes of every column by its name."""
    for row in rows:
        yield row.chip, row.boxes
        if row.new_letter:
            yield row.new_letter, row.new_boxes
