"""Germany: terminals, boxed prices, the Engineer's half, complete links, Berlin (R93 to R98a)."""

from collections.abc import Mapping
from typing import Any

from pbem.age_of_steam.game import AgeOfSteam
from pbem.age_of_steam.position_text import CITIES, DEALT
from pbem.age_of_steam.proposals import Placement
from pbem.age_of_steam.state import State
from pbem.engine import catalog, replace
from pbem.engine.chance import Draw, NotedChance, SeededChance
from pbem.engine.position_text import Fixed
from tests.age_of_steam.table import Table, dice, enter, position

TERMINALS = ("K0", "Q0", "W0", "AC0", "B7", "K12")
"""Rotterdam, Antwerp, Paris, Lyon, Copenhagen, Warsaw: in the order of the board."""
BOTH = "build P3 N-NW"
"""One tile between Essen (N) and Düsseldorf (NW): $2."""
ENGINEER: Mapping[str, Any] = {"action": "engineer"}


def _germany() -> AgeOfSteam:
    sheet = catalog.sheet("age-of-steam", "germany")
    assert isinstance(sheet, AgeOfSteam)
    return sheet


GERMANY = _germany()


def germany(phase: str = "build_track", **given: Any) -> Table:
    return Table(position(phase, sheet=GERMANY, **given), sheet=GERMANY)


def test_koenigsberg_begins_with_three_cubes_wien_with_four_the_others_with_two() -> None:
    """R94: Berlin two."""
    cubes = Table.deal(sheet=GERMANY).state.cubes
    others = {label: 2 for label in GERMANY.board.cities if label not in TERMINALS}
    assert {label: len(lying) for label, lying in cubes.items()} == {**others, "E12": 3, "AC12": 4}


def test_a_cube_drawn_after_all_others_decides_what_each_terminal_takes() -> None:
    """Section 13: 52 + 29 + 6 cubes leave 9 in the bag; the six are out of the game."""
    chance = NotedChance(SeededChance(bytes(32), "deal"))
    state = GERMANY.start(("blue", "green", "yellow"), chance, {}).state
    assert [note["for"] for note in chance.notes] == ["deal", "cities", "terminal", "order"]
    assert chance.notes[2]["cubes"] == [state.accepts[label][0] for label in TERMINALS]
    assert sum(state.bag.values()) == 9
    assert sum(state.gone.values()) == 6


def test_the_board_in_words_says_what_the_terminals_take() -> None:
    """Rule 2: who cannot see the picture has to know it."""
    table = Table.deal(sheet=GERMANY)
    (cities,) = [section for section in GERMANY.words(table.state) if section.head == (Fixed(CITIES),)]
    assert len([line for line in cities.lines if Fixed(DEALT) in line]) == 6


def test_a_link_between_two_terminals_is_legal() -> None:
    """R93: terminals anchor track and end links like Cities."""
    table = germany()
    table.play("blue", "build L1 NW-S; N1 N-S; P1 N-SW")
    assert (frozenset({"K0", "Q0"}), "blue") in table.links


def test_nothing_passes_through_a_terminal_and_only_its_colour_ends_there() -> None:
    """R93, rule 3: Köln – Antwerp – Rotterdam."""
    track = {"L1": "blue NW-S", "N1": "blue N-S", "P1": "blue N-SW", "R1": "blue NE-NW", "Q2": "blue N-SW"}
    table = germany("move_goods", track=track, cubes={"O2": "red blue"}, blue={"engine": 2})
    table.state = replace(table.state, accepts={"K0": ("blue",), "Q0": ("red",)})
    assert (frozenset({"O2", "Q0"}), "blue") in table.links
    assert [order for order in table.legal if order.startswith("move")] == ["move red O2 > Q0"]
    assert "Nothing may pass" in str(table.refusal("blue", "move blue O2 > Q0 > K0").why)


def test_a_boxed_number_is_the_price_of_a_simple_tile_complex_ones_cost_more() -> None:
    """R95: J1 shows 6; replacing is as in the base game."""
    state = germany().state

    def price(tile: str, old: str = "") -> int:
        return GERMANY.placement_price(state, "blue", Placement("J1", tile, old, ((0, 3),)))

    assert (price("straight"), price("coexist_gentle_gentle"), price("cross_straight_straight")) == (6, 7, 8)
    assert price("cross_straight_straight", "straight") == 3


def test_the_engineer_builds_three_tiles_and_pays_half_of_the_dearest() -> None:
    """R96, D25: 2, 7, 3 cost 9; a single $5 tile costs 3."""
    state = germany(blue=ENGINEER).state
    assert GERMANY.tile_limit(state, "blue") == 3
    assert GERMANY.build_price(state, "blue", (2, 7, 3)) == 9
    assert GERMANY.build_price(state, "blue", (5,)) == 3
    assert GERMANY.build_price(state, "green", (2, 7, 3)) == 12


def test_half_a_tile_can_be_paid_with_one_dollar() -> None:
    """R96: nobody else is asked with $1."""
    table = germany(blue={"cash": 1, **ENGINEER}).settle()
    assert table.asked == "blue"
    assert table.paid("blue", BOTH) == 1
    assert germany(blue={"cash": 1}).settle().asked == "green"


def test_the_direct_link_is_not_halved() -> None:
    """R96: it is no track tile."""
    table = germany(blue=ENGINEER)
    assert table.paid("blue", "build link Düsseldorf-Essen") == 2
    assert table.paid("blue", f"{BOTH}; link Düsseldorf-Essen") == 3
    assert table.paid("blue", f"build link Düsseldorf-Essen; {BOTH.removeprefix('build ')}") == 3


def test_an_engineer_who_built_the_link_earlier_has_the_whole_reduction() -> None:
    """R96."""
    table = germany().play("blue", "build link Düsseldorf-Essen")
    later = germany(blue=ENGINEER, turn=2)
    later.state = replace(later.state, links=table.state.links, extra=table.state.extra)
    assert later.paid("blue", BOTH) == 1


def test_only_complete_links_may_be_built() -> None:
    """R97: no open track, no unused exit of a town, at the end; on the way there is."""
    table = germany()
    assert table.refusal("blue", "build P3 N-S").rule == "R97"
    assert table.refusal("blue", "build P3 N-NW; N5 @NW,S").rule in ("R33", "R97")
    assert table.refusal("blue", "build M4 SW-SE; N5 @NW,S").rule == "R97"
    table.play("blue", "build M4 SW-SE; N5 @NW")
    assert table.links == {(frozenset({"N3", "N5"}), "blue")}


def test_a_build_turn_is_not_given_in_parts() -> None:
    """R97a."""
    assert germany().refusal("blue", f"{BOTH}; more").rule == "R97a"


def test_the_direct_link_needs_no_track_and_is_one_link_of_one_point() -> None:
    """R98: and one placement; it cannot be built twice."""
    table = germany().play("blue", "build link Düsseldorf-Essen")
    (link,) = GERMANY.links(table.state)
    assert (link.ends, link.owner, GERMANY.link_points(table.state, link)) == (("O2", "N3"), "blue", 1)
    assert table.refusal("green", "build link Düsseldorf-Essen").rule == "R98"
    full = "build L1 NW-S; N1 N-S; P1 N-SW; link Düsseldorf-Essen"
    assert germany().refusal("blue", full).rule == "Building Track"


def test_berlin_receives_its_cube_before_production_and_before_the_dice() -> None:
    """R98a."""
    rolls: list[Draw] = [
        {"for": "extra", "cubes": ["red"]},
        {"for": "production", "cubes": ["blue", "black"]},
        *dice(1, 1, 1, dark=(1, 1, 1)),
    ]
    state = position("move_goods", sheet=GERMANY, blue={"action": "production"})
    grown = enter(state, "goods_growth", rules=GERMANY, rolls=rolls)
    assert grown.cubes["J9"] == ("red",)
    assert grown.scratch.drawn == ("blue", "black")


def test_berlin_receives_nothing_in_the_last_turn_nor_from_an_empty_bag() -> None:
    """R56, R98a."""
    last = position("move_goods", sheet=GERMANY, turn=10)
    assert "J9" not in enter(last, "goods_growth", rules=GERMANY).cubes
    empty = position("move_goods", sheet=GERMANY, bag={})
    assert "J9" not in enter(empty, "goods_growth", rules=GERMANY).cubes


def test_what_the_engineer_paid_for_survives_storage() -> None:
    """The map's own state is stored with the rest."""
    state: State = germany().play("blue", "build link Düsseldorf-Essen").state
    assert GERMANY.decode(GERMANY.encode(state)) == state


def test_that_only_complete_links_count_is_said_before_the_first_tile() -> None:
    lead = germany().sheet.question(germany().state).lead
    assert str(lead[-1]).startswith("Only complete links may be built: at the end of your build no track of yours")
