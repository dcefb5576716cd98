"""Ways of new track on the Rust Belt: legal as they are found, at the judge's prices, through towns."""

import random
from dataclasses import replace

import pytest

from bench.tournament import classic, game, thinker, tournament
from maps.western_us.rules import WesternUS
from pbem.engine import catalog
from pbem.engine.sheet import Sheet, State
from pbem.robot.thinking import decide
from pbem.robot.thinking.building import best_plans
from pbem.robot.thinking.characters import CHARACTERS
from pbem.robot.thinking.outlook import scoring_of
from pbem.robot.thinking.railway import Line, Works, groups_of, view, worth
from pbem.robot.thinking.table import read_table
from pbem.robot.thinking.thought import Thought
from pbem.robot.thinking.ways import Finder, Part, Way, hung, merged, order_of
from pbem.robot.trying import after
from tests.every_map.games import deal


def sheet() -> Sheet:
    return catalog.sheet("age-of-steam", "rust_belt")


def finder_of(sheet: Sheet, state: State, seat: str) -> Finder:
    """Finds ways of three tiles."""
    table = read_table(sheet, state, seat)
    return Finder(table.scene, seat, 3, table.price)


def building(number: int) -> list[State]:
    """The positions of a game in which somebody builds."""
    states = game(sheet(), 4, number, frozenset(), classic, classic)
    return [state for state in states if not sheet().over(state) and sheet().phase(state) == "build_track"]


def test_evansville_and_cincinnati_are_linked_through_a_town_or_directly() -> None:
    """Digest, E3 and E4: T9 to Q12 with two tiles for $4, or by Indianapolis (Q10) with three for $7."""
    found = finder_of(sheet(), deal(sheet(), 1, 4), "blue").ways
    ways = {way.nodes: way for way in reversed(found)}
    assert (ways["T9", "Q12"].cost, ways["T9", "Q12"].tiles) == (4, 2)
    assert (ways["T9", "Q10", "Q12"].cost, ways["T9", "Q10", "Q12"].points) == (7, 4)


def test_most_ways_are_legal_and_cost_what_was_said() -> None:
    legal = tried = 0
    for state in building(3)[4::5]:
        seat = sheet().to_act(state) or ""
        rich = state.with_player(seat, cash=50)
        for way in finder_of(sheet(), rich, seat).ways[::3]:
            tried += 1
            then = after(sheet(), rich, seat, order_of(sheet().scene(rich).board, (way,), way.parts))
            if then is not None:
                legal += 1
                assert 50 - sheet().position(then)["players"][seat]["cash"] == way.cost
    assert tried > 100
    assert legal > 0.8 * tried


def test_towns_of_several_ways_become_one_tile_and_other_hexes_cannot_be_shared() -> None:
    into = Way(("A", "T"), (Part("T", (0,), town=True),), 2)
    out = Way(("T", "B"), (Part("T", (3,), town=True), Part("H", (0, 3), town=False)), 4)
    assert merged((into, out)) == (Part("T", (0, 3), town=True), Part("H", (0, 3), town=False))
    assert merged((out, Way(("C", "D"), (Part("H", (1, 4), town=False),), 2))) is None


def test_a_new_city_on_a_town_needs_no_exit_there() -> None:
    finder = finder_of(sheet(), deal(sheet(), 1, 4), "blue")
    ways = {way.nodes: way for way in finder.with_city("Q10").ways}
    (way,) = [way for nodes, way in ways.items() if set(nodes) == {"T9", "Q10"}]
    assert all(part.hex != "Q10" for part in way.parts)


A_TO_B = Way(("A", "B"), (Part("H", (0, 3), town=False),), 2)
C_TO_B = Way(("C", "B"), (Part("K", (0, 3), town=False), Part("L", (0, 2), town=False)), 4)


def test_a_way_is_laid_from_the_end_at_which_track_may_begin() -> None:
    assert hung((A_TO_B,), frozenset("B"), frozenset("A"), together=True) == (A_TO_B,)
    assert hung((A_TO_B,), frozenset("A"), frozenset("B"), together=True) == (A_TO_B.turned(),)
    assert A_TO_B.turned().nodes == ("B", "A")
    assert hung((A_TO_B,), frozenset("AB"), frozenset(), together=True) is None


def test_a_way_may_begin_at_the_end_of_another_one() -> None:
    assert hung((C_TO_B, A_TO_B), frozenset("BC"), frozenset("A"), together=True) == (A_TO_B, C_TO_B.turned())
    assert hung((C_TO_B,), frozenset("BC"), frozenset("A"), together=True) is None


def test_all_first_track_hangs_together_where_it_may_not_begin_everywhere() -> None:
    other = Way(("X", "Y"), (Part("M", (0, 3), town=False),), 2)
    assert hung((A_TO_B, other), frozenset("Z"), frozenset(), together=True) is None
    assert hung((A_TO_B, other), frozenset("Z"), frozenset(), together=False) == (A_TO_B, other)
    assert hung((A_TO_B, other), frozenset(), frozenset(), together=True) == (A_TO_B, other)


def test_the_first_builds_of_the_western_us_are_legal_as_they_are_thought_of() -> None:
    """Track begins at starting Cities there, and hangs together: plans for anything else are not made."""
    western = WesternUS()
    states = game(western, 3, 1, frozenset(), classic, classic)
    state = next(state for state in states if western.phase(state) == "build_track")
    seat = western.to_act(state) or ""
    rich = state.with_player(seat, cash=30)
    table = read_table(western, rich, seat)
    plans = best_plans(Thought(table, CHARACTERS["rufus"], scoring_of(western), random.Random(1)), table.me, 3)
    orders = [plan.order(western.board) for plan in plans[:12]]
    assert "Denver" in {western.board.cities[node].name for node in table.barred if node in western.board.cities}
    assert sum(after(western, rich, seat, order) is not None for order in orders) >= 10


@pytest.mark.parametrize("slug", ["pittsburgh", "switzerland", "france"])
def test_ways_cost_what_the_sheet_says(slug: str) -> None:
    """Pittsburgh: a straight $10, a curve $3, towns nothing; Switzerland: $4 for everything."""
    other = catalog.sheet("age-of-steam", slug)
    states = [state for state in game(other, 3, 1, frozenset(), classic, classic) if not other.over(state)]
    builds = [state for state in states if other.phase(state) == "build_track"]
    legal = 0
    for state in builds[:: max(1, len(builds) // 4)]:
        seat = other.to_act(state) or ""
        rich = state.with_player(seat, cash=80, action="production")
        for way in finder_of(other, rich, seat).ways[::9]:
            then = after(other, rich, seat, order_of(other.scene(rich).board, (way,), way.parts))
            if then is not None:
                legal += 1
                assert 80 - other.position(then)["players"][seat]["cash"] == way.cost
    assert legal > 10


# Steam Power -------------------------------------------------------------------------------------------------


def test_one_against_two_plain_robots_does_better_than_they_do() -> None:
    result = tournament(catalog.sheet("steam-power", "ireland"), 3, range(2), thinker(CHARACTERS["rufus"]))
    assert result.mean > result.others_mean


def test_a_connection_to_a_factory_makes_contracts_worth_more() -> None:
    sheet = catalog.sheet("steam-power", "ireland")
    state = deal(sheet, 1, 3)
    seat = sheet.to_act(state) or ""
    seen = view(sheet, state, seat)
    black = next(label for label, works in seen.works.items() if works.colour == "black")
    other = next(label for label in seen.works if seen.groups[label] != seen.groups[black])
    furnished = replace(seen, works={**seen.works, black: Works("black", "red", 5)})
    assert worth(replace(furnished, lines=(Line((black, other), seen.company),))) > worth(furnished)


def test_money_has_a_worth_that_falls_when_there_is_plenty() -> None:
    sheet = catalog.sheet("steam-power", "ireland")
    state = deal(sheet, 1, 3)
    seen = replace(view(sheet, state, sheet.to_act(state) or ""), hand=())
    values = [worth(replace(seen, cash=cash, points=cash // 5)) for cash in (0, 5, 30, 35)]
    assert values[1] - values[0] > values[3] - values[2] > 0


def test_cities_that_touch_are_one_group() -> None:
    scene = catalog.sheet("steam-power", "ireland").scene(deal(catalog.sheet("steam-power", "ireland"), 1, 3))
    groups = groups_of(scene)
    for label, group in groups.items():
        for beside in scene.board.neighbours[label]:
            assert beside not in groups or groups[beside] == group


def test_nobody_gathers_money_for_ever() -> None:
    """Seen among three of them: all took cash, turn after turn, and the game did not end."""
    sheet = catalog.sheet("steam-power", "ireland")
    state = deal(sheet, 1, 3)
    seat = sheet.to_act(state) or ""
    rich = state.with_cash(seat, 40)
    assert decide(sheet, rich, CHARACTERS["rufus"], "s").order != "cash"
