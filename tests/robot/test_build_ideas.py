"""Plans on the printed board: what a robot expects to deliver over links it has or would make."""

from pbem.engine import catalog
from pbem.robot.build_ideas import BuildIdea, Goods, Network, gains, ideas_on, price
from tests.every_map.games import deal

TAKES = {"A": ("red",), "B": ("blue",), "C": ("red",)}
NODES = {"A": ("blue", "red")}


def test_a_cube_stops_at_the_first_city_that_takes_it_and_goes_no_further_than_the_engine() -> None:
    there = Goods(NODES, {}, TAKES)
    links = Network({}).joined(BuildIdea((), ("A", "t", "B"))).joined(BuildIdea((), ("B", "C")))
    assert gains(there, links, 1) == []
    assert gains(there, links, 2) == [2]
    assert gains(there, links, 3) == [3, 2]


def test_a_cube_on_track_counts_the_stretch_it_lies_on() -> None:
    there = Goods({}, {"h": ("blue",), "far": ("blue",)}, TAKES)
    links = Network({}).joined(BuildIdea(("g N-S", "h N-S"), ("A", "B")))
    assert gains(there, links, 1) == [1]


def test_a_cube_on_a_town_is_delivered_from_there() -> None:
    there = Goods({"t": ("blue",)}, {}, TAKES)
    assert gains(there, Network({}).joined(BuildIdea(("t @N,S",), ("A", "t", "B"))), 1) == [1]


def test_plans_lead_from_a_city_to_a_node_and_cost_what_the_picture_says() -> None:
    sheet = catalog.sheet("age-of-steam", "switzerland")
    scene = sheet.scene(deal(sheet, 1))
    cities = {plate.label for plate in scene.cities}
    plans = list(ideas_on(scene, 2))
    assert plans
    for plan in plans:
        assert plan.nodes[0] in cities
        assert plan.nodes[-1] in cities | set(scene.towns)
        assert price(scene, plan) >= 4 * len(plan.steps)
