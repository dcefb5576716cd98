"""How a robot builds: the plan that promises most among those that the judge of legality allows."""

from collections.abc import Iterator, Sequence
from operator import attrgetter

from pbem.engine import Place, Question, Say, say
from pbem.rails.board import Label
from pbem.robot.reasons import Until
from pbem.robot.thinking.decision import Decision, Option, best_of
from pbem.robot.thinking.network import Land
from pbem.robot.thinking.plans import Plan, Planner
from pbem.robot.thinking.table import Company, Cubes, turns_until
from pbem.robot.thinking.thought import Thought
from pbem.robot.trying import after, purse

TILES, ENGINEER_TILES = 3, 4
TRIED, LEGAL = 30, 3
"""Plans that are shown to the judge at the most, and legal ones after which it stops."""
DOLLAR = 0.8
"""What a dollar is worth by which the judge's price differs from the one expected."""
FEW_WAYS = 12
NEW_CITIES = 4
"""New Cities that whole builds are thought out for."""


def tiles_allowed(action: str | None) -> int:
    """Placements of a build turn with an action."""
    return ENGINEER_TILES if action == "engineer" else TILES


def best_plans(thought: Thought, holding: Company, tiles: int) -> list[Plan]:
    """Builds without a New City, the best first."""
    return Planner(thought, holding, thought.land, tiles, thought.character.budget).plans()


def with_new_city(thought: Thought, holding: Company, tiles: int) -> list[Plan]:
    """Builds that begin with a New City, the best first."""
    first = []
    base = thought.finder(tiles)
    for step, town, land in _new_cities(thought):
        finder = base.with_city(town)
        near = [way for way in finder.ways if town in way.nodes][:FEW_WAYS]
        inner = Planner(thought, holding, land, tiles, thought.character.budget // 20, finder)
        first.append((inner.plans(near, width=2)[0].value, step, town, land))
    first.sort(key=lambda entry: (-entry[0], entry[1]))
    plans: list[Plan] = []
    for _, step, town, land in first[:NEW_CITIES]:
        whole = Planner(thought, holding, land, tiles, thought.character.budget // 4, base.with_city(town))
        plans += [plan._replace(before=step) for plan in whole.plans()[:TRIED]]
    return sorted(plans, key=attrgetter("value"), reverse=True)


def _new_cities(thought: Thought) -> Iterator[tuple[str, Label, Land]]:
    """New Cities as steps with the land as it would be; of tiles of one colour the one with most to come."""
    table, scene = thought.table, thought.table.scene
    rows = {row.new_letter: row for row in (*scene.light, *scene.dark) if row.new_letter}
    used = {plate.letter for plate in scene.cities}
    best: dict[tuple[str, ...], tuple[str, tuple[str, ...]]] = {}
    for letter, tile in scene.board.new_cities.items():
        if letter not in used:
            coming = tuple(cube for cube in rows[letter].new_boxes if cube) if letter in rows else ()
            if tile.colours not in best or len(coming) > len(best[tile.colours][1]):
                best[tile.colours] = letter, coming
    for colours, (letter, coming) in best.items():
        for town in scene.towns:
            cubes = tuple(Cubes(town, cube, turns_until(n, table.dice), 1) for n, cube in enumerate(coming, 1))
            yield f"city {letter} {town}", town, thought.land.with_city(town, colours, cubes)


def build(thought: Thought, question: Question) -> Decision:
    """The build that promises most, of those that are legal."""
    table = thought.table
    holding = table.me
    tiles = tiles_allowed(table.me.action)
    plans = best_plans(thought, holding, tiles)
    if table.me.action == "urbanization":
        plans = sorted([*plans, *with_new_city(thought, holding, tiles)], key=attrgetter("value"), reverse=True)
    return best_of(thought, _legal(thought, holding, plans), Until.TURN)


def _legal(thought: Thought, holding: Company, plans: Sequence[Plan]) -> list[Option]:
    """The best plans that the judge allows, at the judge's prices."""
    table, found = thought.table, list[Option]()
    for tried, plan in enumerate(plans):
        if tried == TRIED or len(found) == LEGAL:
            break
        order = plan.order(table.scene.board)
        then = after(table.sheet, table.state, table.seat, order)
        if then is not None:
            cash = purse(table.sheet, then, table.seat).cash
            value = plan.value + DOLLAR * (cash - (holding.cash - plan.cost))
            found.append(Option(order, value, _why(plan), safe=plan.outlook.safe))
    return found or [Option("build nothing", 0.0, _why(None))]


def _why(plan: Plan | None) -> Say:
    if plan is not None and plan.rest is not None and not plan.before:
        return say("Begins a link at {place}, for deliveries in the turns to come.", place=Place(plan.rest.nodes[0]))
    if plan is None or not (plan.ways or plan.before):
        return say("Builds nothing: no track that it can pay for brings enough.")
    gain = round(sum(plan.outlook.gains))
    city = Place(plan.before.split()[-1]) if plan.before else None
    ends = tuple(dict.fromkeys(Place(node) for way in plan.ways for node in (way.nodes[0], way.nodes[-1])))
    if city is not None and gain:
        return say("A New City on {town} makes deliveries of {gain} income possible this turn.", town=city, gain=gain)
    if city is not None:
        return say("Puts a New City on {town}, for deliveries in the turns to come.", town=city)
    if gain:
        return say("Links {places}: deliveries of {gain} income this turn.", places=ends, gain=gain)
    return say("Links {places}, for deliveries in the turns to come.", places=ends)
