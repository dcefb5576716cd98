"""A board grows and shrinks on every side, and what lies on its hexes stays where it is drawn."""

import tomllib
from pathlib import Path
from random import Random

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.age_of_steam.drawings.checks import check
from pbem.age_of_steam.drawings.resizing import SIDES, lost, resized
from pbem.engine import Say
from pbem.rails.drawing import read_drawing
from pbem.rails.drawing_text import written
from pbem.service.own_maps.beginnings import empty
from tests.age_of_steam.drawings import draw

MAPS = Path(__file__).parents[2] / "maps"
PRINTED = {folder.parent.name: folder.read_text("utf-8") for folder in sorted(MAPS.glob("*/board.toml"))}


def grown(text: str, side: str) -> str:
    found = resized(text, side, more=True)
    assert isinstance(found, str)
    return found


def shrunk(text: str, side: str) -> str:
    found = resized(text, side, more=False)
    assert isinstance(found, str)
    return found


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("slug", PRINTED)
def test_a_printed_map_that_grows_and_shrinks_is_the_same_byte_for_byte(slug: str, side: str) -> None:
    text = written(tomllib.loads(PRINTED[slug]))
    assert shrunk(grown(text, side), side) == text


@given(seed=st.integers(0, 10**6), sides=st.lists(st.sampled_from(SIDES), min_size=1, max_size=4))
def test_every_map_that_grows_and_shrinks_is_the_same_byte_for_byte(seed: int, sides: list[str]) -> None:
    text = larger = "\n".join(map(str.rstrip, draw(Random(seed)).split("\n")))
    for side in sides:
        larger = grown(larger, side)
    for side in reversed(sides):
        larger = shrunk(larger, side)
    assert larger == text


@pytest.mark.parametrize("side", SIDES)
@pytest.mark.parametrize("slug", PRINTED)
def test_what_is_drawn_stays_as_it_is_beside_each_other(slug: str, side: str) -> None:
    """Every place has the same neighbours and ways; the new hexes are plains that lie beside old ones."""
    before = read_drawing(slug, PRINTED[slug]).board
    after = read_drawing(slug, grown(PRINTED[slug], side)).board
    assert before is not None
    assert after is not None
    first, moved = (next(iter([*board.cities, *board.towns])) for board in (before, after))
    a, b = before.hexes[first], after.hexes[moved]
    step = (b.x - a.x, b.y - a.y)
    assert step == {
        ("left", "flat-top"): (1, 0),
        ("left", "pointy-top"): (2, 0),
        ("above", "flat-top"): (0, 2),
        ("above", "pointy-top"): (0, 1),
    }.get((side, before.orientation), (0, 0))
    there = {(hex_.x, hex_.y): hex_.label for hex_ in after.hexes.values()}
    to = {hex_.label: there[hex_.x + step[0], hex_.y + step[1]] for hex_ in before.hexes.values()}
    assert {to[label]: name for label, name in before.towns.items()} == after.towns
    assert {to[city.label]: city.name for city in before.cities.values()} == {
        city.label: city.name for city in after.cities.values()
    }
    assert [tuple(to[end] for end in one.joins) for one in before.connections.values()] == [
        one.joins for one in after.connections.values()
    ]
    assert {(to[label], edge) for label, edge in before.walls} == after.walls
    assert [[to[one] for one in flow] for flow in before.rivers.values()] == list(map(list, after.rivers.values()))
    assert {name: to[label] for name, label in before.also_called.items()} == after.also_called
    for label, new in to.items():
        assert (before.hexes[label].terrain, before.hexes[label].price) == (
            after.hexes[new].terrain,
            after.hexes[new].price,
        )
    assert len(after.hexes) > len(before.hexes)
    assert {after.hexes[label].terrain for label in set(after.hexes) - set(to.values())} == {"plain"}


def test_cubes_of_the_rules_and_faults_name_the_hexes_where_they_lie_now() -> None:
    text = written(tomllib.loads(PRINTED["germany"])).replace('"Düsseldorf" = { hex', '"Duesseldorf" = { hex')
    text = text.rstrip("\n") + '\n\n[[rules.cubes]]\nhex = "J9"\n'
    assert '[[rules.cubes]]\nhex = "J10"\n' in grown(text, "left")
    assert '[[rules.cubes]]\nhex = "L9"\n' in grown(text, "above")
    nameless = PRINTED["rust_belt"].replace('"La Crosse" = "G4"\n', "")
    for side, hex_ in (("left", "G5"), ("above", "I4"), ("right", "G4"), ("below", "G4")):
        (fault,) = check("own", grown(nameless, side)).faults
        assert (fault.hex, str(fault.sentence)) == (hex_, f"The town on {hex_} has no name.")


def test_a_river_that_is_called_after_its_first_hex_is_so_afterwards() -> None:
    text = empty("Small", "", "Own.", 6, 6, "flat-top") + '\n[rivers]\n"River C0" = ["C0", "D1"]\n"Po" = ["E0", "F1"]\n'
    assert tomllib.loads(grown(text, "left"))["rivers"] == {"River C1": ["C1", "D2"], "Po": ["E1", "F2"]}


def test_what_lies_on_hexes_that_go_goes_with_them() -> None:
    text = empty("Small", "", "Own.", 6, 6, "flat-top").replace(".   .", "*   o", 1)
    text += '\n[cities]\n"Ams" = { hex = "A0" }\n\n[towns]\n"Ber" = "A2"\n\n[also_called]\n"Mokum" = "A0"\n'
    text = text.replace("\n[cities]", '\n[rivers]\n"Rhine" = ["C0", "D1"]\n\n[walls]\nC0 = ["N"]\n\n[cities]')
    text += '\n[connections]\n"Ferry" = { joins = ["A0", "A2"], price = 3 }\n\n[[rules.cubes]]\nhex = "A0"\n'
    assert lost(text, "left") == ("Ams", "Ferry", "Rhine", "C0")
    assert lost(text, "above") == ("Ams", "Ber", "Ferry")
    assert (lost(text, "right"), lost(text, "below"), lost("name =", "left")) == ((), (), ())
    less = tomllib.loads(shrunk(text, "left"))
    assert set(less) == {"name", "orientation", "provenance", "sketch", "towns"}
    assert less["towns"] == {"Ber": "A1"}
    assert less["sketch"].count(".") == 29


@pytest.mark.parametrize("orientation", ["flat-top", "pointy-top"])
def test_a_board_has_its_limits(orientation: str) -> None:
    def told(text: str, side: str, *, more: bool) -> str:
        found = resized(text, side, more=more)
        assert isinstance(found, Say)
        return str(found)

    long = empty("Long", "", "Own.", 40, 4, orientation)
    high = empty("High", "", "Own.", 4, 40, orientation)
    for side in ("left", "right"):
        assert told(long, side, more=True) == "The sketch is larger than 40 by 40 hexes."
        assert told(high, side, more=False) == "A map has 4 to 40 hexes from side to side."
        assert isinstance(resized(long, side, more=False), str)
    for side in ("above", "below"):
        assert told(high, side, more=True) == "The sketch is larger than 40 by 40 hexes."
        assert told(long, side, more=False) == "A map has 4 to 40 hexes from side to side."
    full = empty("Full", "", "Own.", 20, 20, orientation)
    assert told(full, "below", more=True) == "The map has 420 hexes; 20 to 400 are possible."
    assert told("name = ", "left", more=True).startswith("Nothing can be painted")
    assert told('orientation = "flat-top"\n', "left", more=True) == "The map has no sketch."
