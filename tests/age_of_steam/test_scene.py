"""What the picture shows of Cities."""

from collections import Counter

import pytest

from tests.age_of_steam.table import position, sheet_of


@pytest.mark.parametrize("slug", ["rust_belt", "germany", "finland", "heavy_cardboard"])
def test_terminals_zones_and_blocks_are_drawn_as_what_they_are(slug: str) -> None:
    """A terminal shows no cubes: none ever lie there."""
    sheet = sheet_of(slug)
    plates = sheet.scene(position(sheet=sheet)).cities
    special = {"terminal", "zone", "block"}
    wanted = Counter(next(iter(city.tags & special), "city") for city in sheet.board.cities.values())
    assert Counter(plate.kind for plate in plates) == wanted
    assert {plate.cubes is None for plate in plates if plate.kind == "terminal"} <= {True}
    assert {plate.cubes is None for plate in plates if plate.kind != "terminal"} == {False}


@pytest.mark.parametrize(("slug", "scored"), [("rust_belt", True), ("detroit", False)])
def test_the_picture_has_a_column_of_points_only_where_points_are_counted(slug: str, scored: bool) -> None:
    """Detroit counts turns, no points (its rules, 12)."""
    sheet = sheet_of(slug)
    columns = [key for key, _ in sheet.scene(position(sheet=sheet)).columns]
    assert columns == ["action", "cash", "income", "shares", "engine", *["points"] * scored]


def test_the_picture_shows_both_halves_of_the_display() -> None:
    """Section 8: every column of the display stands in the light half or in the dark one."""
    scene = sheet_of("rust_belt").scene(position())
    assert {row.chip[0] for row in scene.light} == {"L"}
    assert {row.chip[0] for row in scene.dark} == {"D"}
