"""A drawing is written in one form only."""

import tomllib
from pathlib import Path
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.age_of_steam.drawings.checks import canonical
from pbem.engine import catalog
from pbem.rails.drawing import read_drawing
from pbem.rails.drawing_text import written
from tests.age_of_steam.drawings import draw
from tests.fuzz.sentences import examples

MAPS = Path(__file__).parents[2] / "maps"
OTHERWISE = {
    "hungary": {
        "# Drawn only: no terrain.": "# Drawn only: rivers cost nothing.",
        "Danube =": '"Danube" =',
        "Tisza =": '"Tisza" =',
    },
    "western_us": {"# Towns that count as eastern or western once they are urbanized.\n": ""},
}
"""What two boards say in another way."""


@pytest.mark.parametrize("path", sorted(MAPS.glob("*/board.toml")), ids=lambda path: path.parent.name)
def test_a_board_that_is_read_and_written_is_the_same_text(path: Path) -> None:
    text = path.read_text("utf-8")
    for was, now in OTHERWISE.get(path.parent.name, {}).items():
        assert was in text
        text = text.replace(was, now)
    assert written(tomllib.loads(text)) == text
    assert canonical(text) == text


def test_the_order_of_keys_makes_no_other_map() -> None:
    germany = (MAPS / "germany" / "board.toml").read_text("utf-8")
    city = '"Berlin" = { hex = "J9", colours = ["black"], cubes = 2 }'
    cube = 'hex = "J9"\nwhen = "before production"'
    assert city in germany
    assert cube in germany
    turned = germany.replace(city, '"Berlin" = { cubes = 2, colours = ["black"], hex = "J9" } # the capital')
    turned = turned.replace(cube, 'when = "before production"\nhex = "J9"')
    assert canonical(turned) == germany
    assert catalog.own("age-of-steam", turned).slug == catalog.own("age-of-steam", germany).slug


def test_the_slug_follows_from_what_is_drawn() -> None:
    text = (MAPS / "rust_belt" / "board.toml").read_text("utf-8")
    slugs = {catalog.own("age-of-steam", text.replace("Toledo", name)).slug for name in ("Toledo", "Dayton")}
    assert len(slugs) == 2
    assert all(slug.startswith("own-") and len(slug) == 20 for slug in slugs)


@examples(60)
@given(luck=st.randoms(use_true_random=False))
def test_what_is_written_is_read_as_the_same_board(luck: Any) -> None:
    text = draw(luck)
    once = canonical(text)
    assert canonical(once) == once
    assert read_drawing("x", once) == read_drawing("x", text)


@given(text=st.text())
def test_any_text_of_people_comes_back(text: str) -> None:
    raw = {"name": text, "orientation": "flat-top", "provenance": "x", "sketch": ".", "towns": {text: "A0"}}
    again = tomllib.loads(written(raw))
    assert again.get("name", "") == text
    assert again["towns"] == {text: "A0"}
