"""Production by thinking robots: cubes go where they can deliver them, and to nobody else's gain."""

import random

from bench.tournament import game
from pbem.engine import catalog
from pbem.engine.sheet import Sheet, State
from pbem.rails.scene import Scene
from pbem.robot.matches import classic
from pbem.robot.thinking import CHARACTERS, decide
from pbem.robot.thinking.network import LONGEST
from pbem.robot.thinking.outlook import scoring_of
from pbem.robot.thinking.table import Cubes, read_table
from pbem.robot.thinking.thought import Thought


def keen(sheet: Sheet, state: State, seed: str) -> str:
    """A plain robot that takes Production where it can."""
    wanted = "action production"
    return (
        wanted if wanted in {choice.order for choice in sheet.question(state).choices} else classic(sheet, state, seed)
    )


def growing(slug: str) -> tuple[Sheet, State]:
    """The first position after the third turn in which somebody is asked where drawn cubes go."""
    sheet = catalog.sheet("age-of-steam", slug)
    states = game(sheet, 3, 1, frozenset(sheet.colours), keen, keen)
    asked = (state for state in states if sheet.turn(state) > 3 and sheet.phase(state) == "goods_growth")
    return sheet, next(asked)


def test_cubes_go_on_boxes_of_cities_from_which_the_robot_can_deliver_them() -> None:
    sheet, state = growing("rust_belt")
    decision = decide(sheet, state, CHARACTERS["rufus"], "s")
    assert decision.order in {choice.order for choice in sheet.question(state).choices}
    values = [option.value for option in decision.options]
    assert values == sorted(values, reverse=True)
    assert values[0] > values[len(values) // 2]
    table = read_table(sheet, state, sheet.to_act(state) or "")
    thought = Thought(table, CHARACTERS["rufus"], scoring_of(sheet), random.Random(1))
    scene: Scene = sheet.scene(state)
    reached = set()
    for put in decision.order.removeprefix("produce ").split():
        colour, _, box = put.partition(">")
        column = box.partition("/")[0]
        for plate in scene.cities:
            if column in (plate.letter, *plate.chips):
                land = thought.land.with_cubes(Cubes(plate.label, colour, 9, 1))
                reached |= {
                    reach.best[LONGEST] > 0
                    for reach in land.reaches(table.seat, LONGEST, thought.weights)
                    if (reach.node, reach.ready) == (plate.label, 9)
                }
    said = str(decision.why)
    assert ("can deliver them" in said) == (True in reached)


def test_a_town_for_the_cube_is_chosen_by_what_it_brings() -> None:
    sheet, state = growing("poland")
    decision = decide(sheet, state, CHARACTERS["rufus"], "s")
    assert len(decision.options) == len(sheet.question(state).choices)
    assert decision.options[0].value == max(option.value for option in decision.options)
    assert str(decision.why).startswith("Puts cubes")
