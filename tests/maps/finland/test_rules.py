"""Finland: zones, the cubes that wait for Sweden, public track, lakes (R126 to R130)."""

from typing import Any

import pytest

from maps.finland.rules import CubeRemoved, Finland, SwedensCubes
from pbem.engine import catalog, replace
from pbem.engine.chance import NotedChance, SeededChance
from tests.age_of_steam.table import SIX, Table, position

SWEDEN, RUSSIA = "A4", "AA12"
WAITING = ("black", "red", "red", "blue", "yellow")
EAST = {"Z11": "green NW-SE"}
"""Green's link from Lappeenranta (Y10) to Russia."""
NORTH = {"D7": "green S-NW", "C6": "green SE-NW", "B5": "green SE-NW"}
"""Green's link from Oulu (F7) to Sweden."""


def _finland() -> Finland:
    sheet = catalog.sheet("age-of-steam", "finland")
    assert isinstance(sheet, Finland)
    return sheet


FINLAND = _finland()


def finland(phase: str = "move_goods", *, waiting: tuple[str, ...] = WAITING, **given: Any) -> Table:
    state = position(phase, sheet=FINLAND, **given)
    public = dict.fromkeys(FINLAND.board.connections)
    return Table(replace(state, links=public, extra=SwedensCubes(waiting)), sheet=FINLAND)


def moves(table: Table) -> list[str]:
    """The deliveries of the seat to act."""
    return [order for order in table.legal if order.startswith("move")]


def test_five_cubes_lie_in_russia_five_wait_for_sweden_and_ten_stay_in_the_bag() -> None:
    """Section 13: the waiting cubes are drawn after all others (R6)."""
    chance = NotedChance(SeededChance(bytes(32), "deal"))
    state = FINLAND.start(SIX[:3], chance, {}).state
    assert [note["for"] for note in chance.notes] == ["deal", "cities", "sweden", "order"]
    assert {label: len(cubes) for label, cubes in state.cubes.items()} == {
        label: 5 if label == RUSSIA else 2 for label in FINLAND.board.cities if label != SWEDEN
    }
    assert len(state.extra.cubes) == 5
    assert sum(state.bag.values()) == 10


def test_track_into_a_zone_completes_a_link_also_before_sweden_opens() -> None:
    """R126."""
    table = finland("build_track")
    table.play("blue", "build D7 S-NW; C6 SE-NW; B5 SE-NW")
    assert (frozenset({"F7", SWEDEN}), "blue") in table.links


def test_no_track_starts_from_a_zone() -> None:
    """R126: not from Sweden, not from Russia, although track at both is legal from elsewhere."""
    table = finland("build_track")
    refusal = table.refusal("blue", "build B5 NW-SE")
    assert refusal.rule == "R126"
    assert "build B5" not in " ".join(FINLAND.placements(table.state))
    assert table.refusal("blue", "build Z11 SE-N").rule == "R126"
    table.play("blue", "build Z11 SE-NW")


def test_a_section_that_hangs_on_a_zone_cannot_be_claimed_so_no_link_joins_the_zones() -> None:
    """R126: every link is anchored at a City or town; with a zone at its other end nothing is left to join."""
    table = finland("build_track", track={"Z11": "nobody N-SE"})
    assert table.refusal("blue", "build X11 S-NE").rule == "Building Track"
    assert not any(step.startswith("X11") for step in table.steps)


def test_russia_takes_every_colour_while_it_holds_cubes() -> None:
    """R127 and rule 5: the mover's cube stops there."""
    table = finland(track=EAST, cubes={"Y10": "purple white", RUSSIA: "black"})
    assert moves(table) == ["move purple Y10 > AA12 remove black"]


def test_a_zone_without_cubes_takes_nothing() -> None:
    """R127: nothing may end there; passing through is not forbidden."""
    table = finland(track=EAST, cubes={"Y10": "purple"})
    assert not moves(table)
    assert table.refusal("blue", "move purple Y10 > AA12").rule == "Move Goods"
    assert FINLAND.passes(table.state, RUSSIA, "purple")


def test_cubes_of_a_zone_are_moved_out_and_go_to_the_bag() -> None:
    """R128: a delivery from the zone removes nothing besides."""
    table = finland(track=EAST, cubes={RUSSIA: "red blue"}, bag={"red": 1})
    table.play("blue", "move red AA12 > Y10")
    assert table.state.cubes[RUSSIA] == ("blue",)
    assert (table.state.bag, table.state.gone) == ({"red": 2}, {})
    assert table["green"].income == 6


def test_the_mover_chooses_which_cube_leaves_the_zone_and_the_game() -> None:
    """R128: the delivered one goes to the bag."""
    table = finland(track=EAST, cubes={"Y10": "purple", RUSSIA: "yellow blue yellow"}, bag={})
    assert moves(table) == [f"move purple Y10 > AA12 remove {colour}" for colour in ("blue", "yellow")]
    assert "send one of these" in str(table.refusal("blue", "move purple Y10 > AA12").why)
    assert "remove yellow" in str(table.refusal("blue", "move purple Y10 > AA12 remove black").why)
    table.play("blue", "move purple Lappeenranta to Russia remove blue")
    assert table.state.cubes[RUSSIA] == ("yellow", "yellow")
    assert (table.state.bag, table.state.gone) == ({"purple": 1}, {"blue": 1})
    assert table.told(CubeRemoved) == [CubeRemoved("blue", RUSSIA, "blue")]


def test_cubes_of_one_colour_leave_no_choice() -> None:
    """A14: no colour need be named."""
    table = finland(track=EAST, cubes={"Y10": "purple", RUSSIA: "red red"})
    table.play("blue", "move purple Y10 > AA12")
    assert table.state.gone == {"red": 1}


def test_with_the_fifth_cube_removed_russia_is_closed() -> None:
    """D28, R128: for good, for nothing brings cubes there."""
    cubes = {"Y10": "red red red red red red", RUSSIA: "black blue red purple yellow"}
    table = finland(seats=SIX, track=EAST, cubes=cubes)
    for seat, colour in zip(SIX, cubes[RUSSIA].split(), strict=False):
        table.play(seat, f"move red Y10 > AA12 remove {colour}")
    assert (table.asked, moves(table)) == ("orange", [])
    assert sum(table.state.gone.values()) == 5
    assert not FINLAND.accepts(table.state, RUSSIA)


def test_the_first_engine_of_four_links_opens_sweden_for_the_same_round() -> None:
    """D41, R129: raised by a move, the next player delivers to Sweden and from it."""
    table = finland(track=NORTH, cubes={"F7": "purple"}, blue={"engine": 3})
    assert table.refusal("blue", "move purple F7 > A4").rule == "Move Goods"
    table.play("blue", "loco")
    assert table.state.cubes[SWEDEN] == WAITING
    assert (table.asked, FINLAND.facts(table.state)) == ("green", ())
    assert {"move purple F7 > A4 remove black", "move yellow A4 > F7"} <= set(moves(table))


def test_a_second_engine_of_four_links_brings_nothing() -> None:
    """R129: the cubes move once; with five cubes gone Sweden is closed (D41)."""
    table = finland(track=NORTH, waiting=(), cubes={"F7": "purple"}, blue={"engine": 3}, green={"engine": 4})
    table.play("blue", "loco")
    assert SWEDEN not in table.state.cubes
    assert not FINLAND.accepts(table.state, SWEDEN)


def test_the_locomotive_action_opens_sweden_at_once() -> None:
    """R129."""
    table = finland("select_actions", blue={"engine": 3})
    table.play("blue", "action locomotive")
    assert table.state.cubes[SWEDEN] == WAITING
    below = finland("select_actions", blue={"engine": 2}).play("blue", "action locomotive")
    assert SWEDEN not in below.state.cubes


def test_public_track_takes_a_link_of_the_engine_and_pays_nobody() -> None:
    """R130: it is nobody's and scores nothing."""
    table = finland(cubes={"AC4": "blue"})
    assert moves(table) == ["move blue AC4 > AD5"]
    table.play("blue", "move blue Espoo > Helsinki")
    assert [table[seat].income for seat in SIX[:3]] == [5, 5, 5]
    far = finland(cubes={"AC6": "red"}, blue={"engine": 2})
    assert moves(far) == ["move red AC6 > AD5 > AC4"]
    assert table.links == {(frozenset({"AC4", "AD5"}), None), (frozenset({"AD5", "AC6"}), None)}
    assert all(dict(line.parts)["track"] == 0 for line in FINLAND.standings(table.state))


@pytest.mark.parametrize("name", ["Espoo-Helsinki", "Vantaa-Helsinki"])
def test_nobody_builds_public_track(name: str) -> None:
    """R130: it cannot be owned, from the first turn on."""
    table = finland("build_track")
    assert table.refusal("blue", f"build link {name}").rule == "R130"
    assert not any("link" in step for step in table.steps)


def test_no_track_crosses_a_lake() -> None:
    """Rule 2: the side between Tampere and the hex to its south-east is closed from both."""
    board = FINLAND.board
    beyond = board.neighbours["W4"][board.edge("SE")]
    assert beyond == "X5"
    table = finland("build_track")
    assert table.refusal("blue", "build X5 NW-SE").rule == "Restrictions"
    table.play("blue", "build Y4 N-S")


def test_what_waits_for_sweden_is_told_and_stored() -> None:
    """The map's own state survives storage; the picture and the words name the cubes."""
    table = finland()
    assert FINLAND.decode(FINLAND.encode(table.state)) == table.state
    (fact,) = FINLAND.facts(table.state)
    assert str(fact) == "Waiting for Sweden: black, blue, 2 red and yellow."
    assert str(fact) in FINLAND.scene(table.state).notes


def test_the_cubes_that_lie_nowhere_else_wait_for_sweden_in_a_game_that_is_laid_out() -> None:
    """R129: the opening of a running record shows no cubes on the engine box; only five can be missing."""
    dealt = FINLAND.start(SIX[:3], SeededChance(bytes(32), "deal"), {}).state
    unknown = replace(dealt, extra=None)
    told = FINLAND.on_opening(unknown)
    assert isinstance(told.extra, SwedensCubes)
    assert sorted(told.extra.cubes) == sorted(dealt.extra.cubes)
    more = {**dealt.bag, "red": dealt.bag["red"] + 1}
    assert FINLAND.on_opening(replace(unknown, bag=more)).extra is None
