"""What a new tile costs by the land it lies on, where a map says nothing else (R23)."""

import pytest

from pbem.age_of_steam.rules import TERRAIN_PRICES


@pytest.mark.parametrize(
    ("terrain", "dollars"),
    [("plain", 2), ("river", 3), ("hill", 3), ("mountain", 4), ("swamp", 4), ("dark_mountain", 5)],
)
def test_a_tile_costs_what_its_land_costs(terrain: str, dollars: int) -> None:
    assert TERRAIN_PRICES[terrain] == dollars
