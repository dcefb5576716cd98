"""How a thinking robot builds: the plan that promises most among those that the judge allows."""

from __future__ import annotations

from collections.abc import Iterator
from dataclasses import replace

from pbem.rails.board import Label
from pbem.rails.scene import CityPlate
from pbem.robot.thinking.network import Land
from pbem.robot.thinking.plans import Plan, Planner
from pbem.robot.thinking.table import Cubes
from pbem.robot.thinking.thought import Holding, Thought
from pbem.robot.trying import after

TILES, ENGINEER_TILES = 3, 4
TRIED = 25
"""Plans that are shown to the judge at the most."""
FEW_WAYS = 12
NEW_CITIES = 4
"""New Cities that whole builds are thought out for."""


def tiles_allowed(action: str | None) -> int:
    """Placements of a build turn with an action."""
    return ENGINEER_TILES if action == "engineer" else TILES


def best_plans(thought: Thought, holding: Holding, tiles: int, budget: int) -> list[Plan]:
    """Builds without a New City, the best first."""
    return Planner(thought, holding, thought.land, tiles, budget).plans()


def with_new_city(thought: Thought, holding: Holding, tiles: int, budget: int) -> list[Plan]:
    """Builds that begin with a New City, the best first."""
    planner = Planner(thought, holding, thought.land, tiles, budget)
    ways = planner.finder.ways()
    if thought.table.scene.cities:
        plain = planner.plans(ways, width=3)
        few = [way for plan in plain for way in plan.ways][:FEW_WAYS]
    else:
        few = []
    first = []
    for step, town, land in _new_cities(thought):
        near = [way for way in ways if town in way.nodes][:FEW_WAYS]
        inner = Planner(thought, holding, land, tiles, budget // 20)
        found = inner.plans(list(dict.fromkeys(few + near)), width=2)
        first.append((found[0].value, step, town, land))
        if thought.work > budget * 2:
            break
    first.sort(key=lambda entry: (-entry[0], entry[1]))
    plans: list[Plan] = []
    for _, step, town, land in first[:NEW_CITIES]:
        whole = Planner(thought, holding, land, tiles, budget // 4)
        whole.finder = _finder_with_city(whole, town)
        plans += [replace(plan, before=step) for plan in whole.plans()[:TRIED]]
    return sorted(plans, key=lambda plan: plan.value, reverse=True)


def _finder_with_city(planner: Planner, town: Label):
    """A finder that takes a town for a City."""
    scene = planner.thought.table.scene
    plate = CityPlate(town, (town,), "", ())
    towns = {label: name for label, name in scene.towns.items() if label != town}
    return type(planner.finder)(
        replace(scene, cities=(*scene.cities, plate), towns=towns), planner.thought.table.seat, planner.tiles
    )


def _new_cities(thought: Thought) -> Iterator[tuple[str, Label, Land]]:
    """New Cities as steps, with the land as it would be; of tiles of one colour only the one with most to come."""
    scene = thought.table.scene
    rows = {row.new_letter: row for row in (*scene.light, *scene.dark) if row.new_letter}
    used = {plate.letter for plate in scene.cities}
    best: dict[tuple[str, ...], str] = {}
    for letter, tile in scene.board.new_cities.items():
        if letter in used:
            continue
        waiting = sum(1 for cube in rows[letter].new_boxes if cube) if letter in rows else 0
        known = best.get(tile.colours)
        if known is None or waiting > (sum(1 for cube in rows[known].new_boxes if cube) if known in rows else 0):
            best[tile.colours] = letter
    dice = max(1, len(thought.table.order))
    for colours, letter in best.items():
        boxes = rows[letter].new_boxes if letter in rows else ()
        for town in scene.towns:
            coming = [cube for cube in boxes if cube]
            cubes = tuple(Cubes(town, cube, -(-6 * n // dice), 1) for n, cube in enumerate(coming, 1))
            yield f"city {letter} {town}", town, thought.land.with_city(town, colours, cubes)


def build(thought: Thought, budget: int) -> tuple[str, list[Plan], Plan]:
    """The order of a build turn, the plans it was chosen from, and the one chosen."""
    table = thought.table
    holding = Holding.of(table.me)
    tiles = tiles_allowed(table.me.action)
    plans = best_plans(thought, holding, tiles, budget)
    if table.me.action == "urbanization":
        plans = sorted([*plans, *with_new_city(thought, holding, tiles, budget)], key=lambda p: p.value, reverse=True)
    planner = Planner(thought, holding, thought.land, tiles, budget)
    best: tuple[float, str, Plan] | None = None
    tried = 0
    for plan in plans:
        if best is not None and plan.value <= best[0]:
            break
        order = planner.order(plan)
        then = after(table.sheet, table.state, table.seat, order)
        if then is None:
            continue
        tried += 1
        spent = table.me.cash - int(table.sheet.position(then)["players"][table.seat]["cash"])
        value = plan.value
        if spent != plan.cost:
            cash = holding.cash - spent
            value = _revalued(thought, plan, replace(holding, cash=cash, points=holding.points + plan.points))
        if best is None or value > best[0]:
            best = (value, order, plan)
        if tried >= TRIED:
            break
    if best is None:
        return "build nothing", plans, planner.nothing()
    return best[1], plans, best[2]


def _revalued(thought: Thought, plan: Plan, holding: Holding) -> float:
    """What a plan is worth at another price: dollars counted as the outlook counts them."""
    difference = holding.cash - (Holding.of(thought.table.me).cash - plan.cost)
    return plan.value + 0.8 * difference
