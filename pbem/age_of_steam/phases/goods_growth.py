"""IX. Goods growth (section 10)."""

from collections.abc import Sequence

from typing_extensions import override

from pbem.age_of_steam.events_goods import CubesGrew, DiceRolled
from pbem.age_of_steam.phases.production import Growing, Production, unasked
from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import Boxes, State
from pbem.engine.chance import Chance
from pbem.engine.events import Event
from pbem.engine.phase import Step
from pbem.engine.values import replace


class GoodsGrowth(Production):
    """Production, then one roll for each half; skipped in the last turn (R56, R58 to R60)."""

    @override
    def begin(self, rules: Rules, state: State, chance: Chance) -> Step[State]:
        state = replace(state, scratch=Growing())
        if rules.last_turn(state):
            seat = state.holder("production")
            return Step(state, () if seat is None else (unasked(state, seat, "A10"),))
        extra = rules.on_growth_begins(state, chance)
        return self.draw(rules, extra.state, chance).after(extra.events)

    @override
    def end(self, rules: Rules, state: State, chance: Chance) -> Step[State]:
        return Step(state) if rules.last_turn(state) else self.roll(rules, state, chance)

    def roll(self, rules: Rules, state: State, chance: Chance) -> Step[State]:
        """The extra cubes of the map, then one roll for each half (R59)."""
        extra = rules.on_growth(state, chance)
        state, events = extra.state, list(extra.events)
        for half, count in zip(("light", "dark"), rules.growth_dice(state), strict=True):
            if count:
                dice = chance.dice(f"growth-{half}", count)
                grown = grow(rules, state, half, dice)
                state = grown.state
                events += [DiceRolled(half, dice), *grown.events]
        return Step(state, tuple(events))


def grow(rules: Rules, state: State, half: str, dice: Sequence[int]) -> Step[State]:
    """Move cubes from the display to the Cities whose number was rolled, top box first."""
    events: list[Event] = []
    numbers = {f"{half[0].upper()}{n}": list(dice).count(n) for n in range(1, 7)}
    for column, cities in rules.columns_fed(state).items():
        new_city = rules.board.new_cities.get(column)
        wanted = sum(numbers.get(number, 0) for number in (new_city.columns if new_city else (column,)))
        taken, boxes = _take(state.display.get(column, ()), wanted)
        if not taken:
            continue
        city = cities[0]
        cubes = {**state.cubes, city: (*state.cubes.get(city, ()), *taken)}
        state = replace(state, cubes=cubes, display={**state.display, column: boxes})
        events.append(CubesGrew(city, taken))
    return Step(state, tuple(events))


def _take(boxes: Boxes, wanted: int) -> tuple[tuple[str, ...], Boxes]:
    taken: list[str] = []
    left: list[str | None] = []
    for cube in boxes:
        if cube is not None and len(taken) < wanted:
            taken.append(cube)
            left.append(None)
        else:
            left.append(cube)
    return tuple(taken), tuple(left)
