"""New Cities (section 7.9)."""

from typing import Any

import pytest

from pbem.age_of_steam.events_build import CityPlaced, LinkCompleted
from pbem.age_of_steam.words import section_said
from tests.age_of_steam.table import RUST_BELT, Table, bent, position

HOLDER = {"action": "urbanization"}
POINTING = {"N3": "SW-NE", "M4": "SW-SE"}
"""A section from Des Moines that points at the town Rock Island (N5), which has no tile."""


def pointing(owner: str) -> dict[str, str]:
    return {hex_: f"{owner} {segment}" for hex_, segment in POINTING.items()}


def urbanizing(track: dict[str, str] | None = None, **more: Any) -> Table:
    return Table(position(track=track, blue=HOLDER, **more))


def test_a_new_city_is_free_and_no_placement() -> None:
    """7.9: three tiles may follow."""
    table = urbanizing().play("blue", "build city A N5; P3 NW-S; R3 N-S; T3 N-SE")
    assert table["blue"].cash == 30 - 6
    assert [(e.seat, e.letter, e.hex) for e in table.told(CityPlaced)] == [("blue", "A", "N5")]
    assert RUST_BELT.accepts(table.state, "N5") == ("red",)


@pytest.mark.parametrize(
    ("order", "why"),
    [
        ("build city A L7", "not a town"),
        ("build city A P3", "not a town"),
        ("build city B Q10", "on the board"),
        ("build city C N5", "not a town"),
        ("build city A Q6; city C Q8", "Only one"),
    ],
)
def test_a_new_city_needs_a_free_tile_and_a_town(order: str, why: str) -> None:
    """7.9: not on Cities, not on New Cities, once in a turn."""
    refusal = urbanizing(new_cities={"B": "N5"}).refusal("blue", order)
    assert refusal.rule == "New City Tiles"
    assert why in refusal.sentence()


def test_only_the_holder_places_a_new_city() -> None:
    """7.9."""
    assert Table(position(green=HOLDER)).refusal("blue", "build city A N5").rule == "New City Tiles"


def test_the_new_city_comes_first_wherever_it_stands_in_the_list() -> None:
    """R42: the tile beside it is held by the New City."""
    table = urbanizing().play("blue", "build N3 NE-SW; M4 SE-SW; city A N5")
    assert table.links == {(frozenset({"O2", "N5"}), "blue")}


def test_in_a_turn_given_in_parts_the_new_city_comes_with_or_before_the_first_placement() -> None:
    """R42a."""
    table = urbanizing().play("blue", "build P3 NW-S; more")
    assert table.refusal("blue", "build city A N5").rule == "R42a"
    assert not any(step.startswith("city") for step in table.steps)
    before = urbanizing().play("blue", "build city A N5; more", "build P3 NW-S; more")
    assert before.refusal("blue", "build city B Q10").rule == "New City Tiles"
    together = urbanizing().play("blue", "build P3 NW-S; city A N5; more")
    assert together.state.new_cities == {"A": "N5"}


def test_the_towns_tile_goes_and_its_links_end_at_the_city() -> None:
    """7.9, 1 and 3: links keep their owners, exits that led nowhere vanish, sections stay sections."""
    track = {
        **pointing("green"), "N5": "green @NW,@S; blue @NE; nobody @SW", "M6": "blue NE-SW",
        "P5": "green N-S", "O4": "nobody NE-SW",
    }  # fmt: skip
    table = urbanizing(track).play("blue", "build city A N5")
    assert "N5" not in table.state.track
    assert table.links == {(frozenset({"O2", "N5"}), "green"), (frozenset({"L7", "N5"}), "blue")}
    for hex_, segment, owner in (("P5", "N-S", "green"), ("O4", "NE-SW", None)):
        chain = table.chain(hex_, segment)
        assert (chain.complete, chain.anchor, chain.owner) == (False, "N5", owner)
    assert not table.told(LinkCompleted), "no link is new"


def test_an_unowned_section_that_reaches_the_new_city_goes_to_the_urbanizer() -> None:
    """R43, D19."""
    table = urbanizing(pointing("nobody")).play("blue", "build city A N5")
    assert table.links == {(frozenset({"O2", "N5"}), "blue")}
    assert [(e.seat, set(e.ends), e.points) for e in table.told(LinkCompleted)] == [("blue", {"O2", "N5"}, 2)]


def test_a_rivals_section_that_reaches_the_new_city_becomes_the_rivals_link() -> None:
    """R44, D19."""
    table = urbanizing(pointing("green")).play("blue", "build city A N5")
    assert table.links == {(frozenset({"O2", "N5"}), "green")}


def test_the_urbanizers_own_section_becomes_a_link_and_is_not_lost() -> None:
    """7.9, 4."""
    table = urbanizing(pointing("blue")).play("blue", "build city A N5")
    assert table.links == {(frozenset({"O2", "N5"}), "blue")}


def test_two_sections_may_reach_the_new_city_at_once() -> None:
    """R43, R44."""
    table = urbanizing({**pointing("green"), "M6": "nobody NE-SW"}).play("blue", "build city A N5")
    assert table.links == {(frozenset({"O2", "N5"}), "green"), (frozenset({"L7", "N5"}), "blue")}


AROUND = {**{hex_: f"green {s}" for hex_, s in POINTING.items()}, "N5": "green @NW,@S", "P5": "green N-NE"}
"""Green's exit south of Rock Island leads round to its south-eastern side (O6)."""


def ring(owner: str = "green") -> dict[str, str]:
    return {hex_: text.replace("green", owner) for hex_, text in {**AROUND, "O6": "green SW-NW"}.items()}


def test_a_chain_that_leads_back_to_the_new_city_is_an_unfinished_section() -> None:
    """R45: legal, no link, no points; it may be turned at either end."""
    table = urbanizing(ring("blue")).play("blue", "build city A N5; more")
    chain = table.chain("P5", "N-NE")
    assert (chain.complete, chain.ends, chain.open) == (False, ("N5", "N5"), ())
    assert str(section_said(RUST_BELT, chain)) == "N5 towards N5"
    assert table.links == {(frozenset({"O2", "N5"}), "blue")}
    assert {step for step in table.steps if step.split()[0] in ("P5", "O6")} >= {"P5 NE-S", "O6 NE-SW"}
    turned = Table(table.state).play("blue", "build P5 NE-S; more")
    assert turned.chain("P5", "NE-S").anchor == "N5"
    turned = Table(table.state).play("blue", "build O6 SW-S; more")
    assert turned.chain("O6", "S-SW").anchor == "N5"
    table.play("blue", "build nothing")
    assert table.owner("P5", "N-NE") is None, "not extended, so it is lost like every section"


def test_such_a_chain_earns_and_scores_nothing() -> None:
    """R45."""
    table = urbanizing(ring()).play("blue", "build city A N5")
    links = RUST_BELT.links(table.state)
    assert dict(RUST_BELT.score(table.state, "green", links))["track"] == 2, "only Des Moines-Rock Island"
    assert table.owner("P5", "N-NE") == "green"


def test_neighbouring_cities_are_not_linked() -> None:
    """R46, D20: the one-segment link of a town exit into a City vanishes with the town."""
    sheet = bent(towns={**RUST_BELT.board.towns, "R11": "Beside"})
    track = {"R11": "green @NE"}
    table = Table(position(sheet=sheet, track=track, blue=HOLDER), sheet=sheet)
    assert table.links == {(frozenset({"R11", "Q12"}), "green")}
    table.play("blue", "build city A R11")
    assert table.links == set()
    assert table.state.track == {}
    assert dict(sheet.score(table.state, "green", sheet.links(table.state)))["track"] == 0


def test_no_cube_comes_with_a_new_city_on_the_base_map() -> None:
    """R47: towns of the Rust Belt have no cubes."""
    table = urbanizing(cubes={"L7": "red"}).play("blue", "build city A N5")
    assert dict(table.state.cubes) == {"L7": ("red",)}
    assert not set(Table.deal().state.cubes) & set(RUST_BELT.board.towns)


def test_a_new_city_anchors_track_of_everybody() -> None:
    """7.9, 2: the hex is a City now."""
    table = urbanizing().play("blue", "build city A N5").play("green", "build P5 N-S")
    assert table.owner("P5", "N-S") == "green"
    assert table.refusal("yellow", "build N5 @S").rule == "Restrictions"
