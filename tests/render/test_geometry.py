"""Where things lie in the picture of a map."""

import pytest

from pbem.rails.hexes import TOWN, opposite
from pbem.render import map_geometry
from pbem.render.geometry import Lattice, curve
from tests.render.scenes import SLUGS, board


@pytest.mark.parametrize("slug", SLUGS)
def test_every_hex_lies_in_the_picture_with_its_corners(slug: str) -> None:
    geometry = map_geometry(board(slug))
    for label in board(slug).hexes:
        for x, y in geometry.polygon(label):
            assert 0 <= x <= geometry.width
            assert 0 <= y <= geometry.height


@pytest.mark.parametrize("slug", SLUGS)
def test_neighbours_share_the_middle_of_their_side(slug: str) -> None:
    geometry, neighbours = map_geometry(board(slug)), board(slug).neighbours
    for label, around in neighbours.items():
        for edge, beyond in enumerate(around):
            if beyond is not None:
                here, there = geometry.side(label, edge), geometry.side(beyond, opposite(edge))
                assert here == pytest.approx(there, abs=1)


@pytest.mark.parametrize("slug", ["rust_belt", "new_england"])
def test_the_directions_point_where_the_board_says(slug: str) -> None:
    geometry = map_geometry(board(slug))
    label = next(name for name, around in board(slug).neighbours.items() if None not in around)
    x, y = geometry.centre(label)
    for edge, name in enumerate(board(slug).directions):
        side_x, side_y = geometry.side(label, edge)
        assert ("E" in name) == (side_x > x + 1)
        assert ("W" in name) == (side_x < x - 1)
        assert ("N" in name) == (side_y < y - 1)
        assert ("S" in name) == (side_y > y + 1)


@pytest.mark.parametrize("orientation", ["flat-top", "pointy-top"])
@pytest.mark.parametrize(("a", "b"), [(0, 1), (0, 2), (0, 3), (1, 4), (2, 5), (1, 5), (0, 5), (TOWN, 2)])
def test_a_curve_leaves_its_hex_square_to_the_side(orientation: str, a: int, b: int) -> None:
    lattice = Lattice.of_radius(orientation, 48)
    way = curve(lattice, a, b)
    for end, place in ((a, 0.0), (b, way.length)):
        if end == TOWN:
            continue
        (x, y), (dx, dy) = way.at(place)
        side_x, side_y = lattice.side(end)
        assert (x, y) == pytest.approx((side_x, side_y), abs=0.01)
        reach = (side_x**2 + side_y**2) ** 0.5
        assert abs(dx * side_x + dy * side_y) / reach == pytest.approx(1, abs=0.003)
