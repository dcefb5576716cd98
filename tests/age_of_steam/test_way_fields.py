"""Links, drawn rivers, closed sides and terminals are fields of a form, and what the form says is the text."""

import tomllib
from pathlib import Path
from random import Random
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.age_of_steam.drawings.checks import check
from pbem.age_of_steam.drawings.edits import edited
from pbem.age_of_steam.drawings.way_fields import ways
from pbem.engine import Say
from pbem.rails.drawing_text import written
from tests.age_of_steam.drawings import draw

MAPS = Path(__file__).parents[2] / "maps"
PRINTED = {file.parent.name: written(tomllib.loads(file.read_text("utf-8"))) for file in MAPS.glob("*/board.toml")}
RUST_BELT = PRINTED["rust_belt"]


def form_of(text: str, **typed: str) -> dict[str, str]:
    """What a browser sends of the fields as they are, and of what is typed: ``_`` stands for a dot."""
    found = ways(text)
    assert found is not None
    form = {"ways": found.mark}
    for n, link in enumerate(found.links):
        only = {"only": "on"} if link.new_city_only else {}
        row = {"start": link.start, "end": link.end, "price": link.price, "over": link.over, "name": link.name, **only}
        form |= {f"link.{n}.{key}": value for key, value in row.items()}
    for n, (name, hexes) in enumerate(found.rivers):
        form |= {f"river.{n}.name": name, f"river.{n}.hexes": hexes}
    form |= {f"terminal.{hex_}": "on" for hex_, _, on in found.terminals if on}
    return form | {key.replace("_", "."): value for key, value in typed.items()}


def after(text: str, edit: str = "ways", **typed: str) -> str:
    found = edited(text, edit, form_of(text, **typed))
    assert isinstance(found, str)
    return found


def table(text: str, key: str) -> Any:
    return tomllib.loads(text).get(key, {})


@pytest.mark.parametrize("slug", PRINTED)
def test_fields_that_nobody_touched_change_nothing(slug: str) -> None:
    assert after(PRINTED[slug]) == PRINTED[slug]
    assert after(PRINTED[slug], "close") == PRINTED[slug]


@given(seed=st.integers(0, 10**6))
def test_fields_of_any_map_that_nobody_touched_change_nothing(seed: int) -> None:
    text = draw(Random(seed))
    assert after(text) == text


def test_a_ferry_and_a_public_link_are_made_and_removed() -> None:
    ferry = after(RUST_BELT, link_0_start="toledo", link_0_end="J15", link_0_price="$6", link_0_over="I14")
    assert table(ferry, "connections") == {
        "Toledo - Cleveland": {"joins": ["K12", "J15"], "price": 6, "hex": "I14"},
    }
    both = after(ferry, link_1_start="Chicago", link_1_end="Detroit", link_1_name="Lake line", link_1_only="on")
    assert table(both, "connections")["Lake line"] == {"joins": ["L7", "H13"], "tags": ["new city only"]}
    assert check("own", both).faults == ()
    assert after(after(both, link_0_start="", link_0_end=""), "drop link.0") == RUST_BELT
    assert after(both, "drop link.1") == ferry


def test_what_a_link_has_beside_its_fields_is_kept() -> None:
    germany = PRINTED["finland"]
    (key, old), *_ = table(germany, "connections").items()
    changed = table(after(germany, link_0_price="9", link_0_only="on"), "connections")[key]
    assert changed == {**old, "price": 9, "tags": [*old.get("tags", ()), "new city only"]}
    assert "exits" not in table(after(germany, link_0_over=""), "connections")[key]


def test_rivers_are_made_and_removed() -> None:
    one = after(RUST_BELT, river_0_hexes="d1, e2 F3")
    assert table(one, "rivers") == {"River D1": ["D1", "E2", "F3"]}
    two = after(one, river_1_name="Ohio", river_1_hexes="L3 M4")
    assert list(table(two, "rivers")) == ["River D1", "Ohio"]
    assert after(after(two, "drop river.0"), river_0_hexes="") == RUST_BELT


def test_sides_are_closed_and_opened() -> None:
    closed = after(RUST_BELT, "close", wall_hex="d3", wall_N="on", wall_SE="on")
    assert table(closed, "walls") == {"D3": ["N", "SE"]}
    more = after(closed, "close", wall_hex="D3", wall_N="on", wall_S="on")
    assert table(more, "walls") == {"D3": ["N", "SE", "S"]}
    assert after(more, "open", wall_hex="D3", wall_N="on", wall_S="on", wall_SE="on") == RUST_BELT


def test_a_side_that_the_neighbour_names_is_opened_as_well() -> None:
    closed = after(RUST_BELT, "close", wall_hex="D3", wall_N="on")
    assert after(closed, "open", wall_hex="B3", wall_S="on") == RUST_BELT
    assert after(closed, "close", wall_hex="B3", wall_S="on") == closed


def test_a_city_becomes_a_terminal_and_is_one_no_more() -> None:
    end = after(RUST_BELT, terminal_L7="on")
    assert table(end, "cities")["Chicago"]["tags"] == ["terminal"]
    found = ways(end)
    assert found is not None
    assert [name for _, name, on in found.terminals if on] == ["Chicago"]
    assert edited(end, "ways", {**form_of(end), "terminal.L7": ""}) == RUST_BELT


def test_what_cannot_be_used_stays_as_it_was_typed_and_is_a_fault() -> None:
    wrong = after(RUST_BELT, link_0_start="Toledo", link_0_end="Nowhere", link_0_price="dear", river_0_hexes="Q99")
    wrong = after(wrong, "close", wall_hex="ZZ9", wall_N="on")
    told = [str(fault.sentence) for fault in check("own", wrong).faults]
    assert any("ends on Nowhere, where no City or town is." in sentence for sentence in told)
    assert any("costs dear; $0 to $30 are possible." in sentence for sentence in told)
    assert any("flows on Q99, which is not on the map." in sentence for sentence in told)
    assert "[walls] names ZZ9, which is not on the map." in told
    found = ways(wrong)
    assert found is not None
    assert (found.links[0].end, found.links[0].price) == ("Nowhere", "dear")


def test_two_rows_of_one_name_are_two() -> None:
    first = after(RUST_BELT, link_0_start="Chicago", link_0_end="Toledo", link_0_name="Ferry", link_0_price="2")
    second = after(first, link_1_start="Chicago", link_1_end="Detroit", link_1_name="Ferry", link_1_price="3")
    assert [link["price"] for link in table(second, "connections").values()] == [2, 3]


def test_fields_of_another_text_are_refused() -> None:
    text = after(RUST_BELT, river_0_hexes="D1 E2")
    for edit in ("ways", "drop link.0"):
        assert isinstance(edited(text, edit, form_of(RUST_BELT)), Say)
    for edit in ("ways", "drop river.0", "close", "open"):
        assert isinstance(edited("name = ", edit, form_of(RUST_BELT)), Say)
