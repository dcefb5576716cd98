"""What stands on Cities: as large as can be read, and no larger than their plates."""

from dataclasses import replace
from math import cos, radians, sin, sqrt

import pytest

from pbem.render.cities import LEAST_DIE, LEAST_DIE_CROWDED, furniture
from pbem.render.geometry import Lattice
from pbem.render.page import WIDTH, laid_out
from pbem.render.places import Places
from pbem.render.plates import Plate
from pbem.render.signs import DIGIT
from pbem.render.type import CAP
from tests.render.scenes import COLOURS, SLUGS, opening

EMAIL = 600


def in_an_email(height: float) -> float:
    """The height of the digit of a die in an email of the narrowest usual width, in px."""
    return height * DIGIT * CAP * EMAIL / WIDTH


def test_dice_of_cities_can_be_read_in_an_email() -> None:
    assert in_an_email(LEAST_DIE) >= 4.9
    assert in_an_email(LEAST_DIE_CROWDED) >= 4.3


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("cubes", [3, 6])
def test_the_dice_of_every_map_are_as_high_as_that(slug: str, cubes: int) -> None:
    """On the smallest hexes too: the heads of Cities with dice, measured as they are drawn."""
    scene = opening(slug)
    held = tuple((COLOURS * 2)[:cubes])
    full = replace(
        scene, cities=tuple(city if city.cubes is None else replace(city, cubes=held) for city in scene.cities)
    )
    least = LEAST_DIE if cubes == 3 else LEAST_DIE_CROWDED
    for city, found in Places(full, laid_out(full).frame).furnished:
        if city.chips and city.kind == "city":
            head = found.parts[0][0]
            inside = [one for one in head.drawn if one.kind == "text" and set(one.text) <= set("123456–")]
            assert inside, city.name
            assert all(one.size >= DIGIT * least - 0.11 for one in inside), city.name


@pytest.mark.parametrize("orientation", ["flat-top", "pointy-top"])
@pytest.mark.parametrize("radius", [39, 48, 60])
@pytest.mark.parametrize("cubes", [1, 3, 4, 6, 8])
def test_no_tray_lies_on_an_impassable_side(orientation: str, radius: int, cubes: int) -> None:
    lattice = Lattice.of_radius(orientation, radius)
    plate = Plate(
        "Joensuu",
        ("yellow",),
        ("L2",),
        ("red", "blue") * (cubes // 2) or ("red",),
        "city",
        "",
        walls=(0, 1, 2, 3, 4, 5),
    )
    found = furniture(lattice, plate).boxes
    left, top, right, bottom = found[1] if lattice.flat else found[0]
    for edge in range(6):
        x, y = cos(radians(lattice.bearing(edge))), sin(radians(lattice.bearing(edge)))
        far = max(x * left, x * right) + max(y * top, y * bottom)
        assert far <= sqrt(3) / 2 * lattice.r + 1, edge


def test_cubes_are_smaller_only_where_there_is_no_room() -> None:
    lattice = Lattice.of_radius("flat-top", 48)
    free = Plate("Ulm", ("red",), ("L2",), ("red", "blue"), "city", "")
    walled = replace(free, cubes=("red", "blue", "red"), walls=(2, 3, 4))
    wide = [right - left for left, _, right, _ in (furniture(lattice, one).boxes[1] for one in (free, walled))]
    assert wide[0] == pytest.approx((2 * 0.4 + 0.04 + 0.1) * lattice.r)
    assert wide[1] < (3 * 0.4 + 2 * 0.04 + 0.1) * lattice.r


def test_the_head_of_a_city_with_two_dice_stays_on_its_plate() -> None:
    """New York's, with six cubes under it: on a hex that stands on a corner the head is where the hex is narrow."""
    lattice = Lattice.of_radius("pointy-top", 60)
    crowded = Plate("New York", ("red",), ("D5", "D6"), ("red",) * 6, "city", "")
    head, sign = furniture(lattice, crowded).parts[0], furniture(lattice, crowded).boxes[1]
    texts = [one for one in head[0].drawn if one.kind == "box"]
    assert texts
    top = min(one.points[1] for one in texts)
    right = max(one.points[2] for one in texts)
    assert 0.5 * right + sqrt(3) / 2 * -top <= (sqrt(3) / 2 + 0.04) * lattice.r
    assert sign[3] <= 0.86 * lattice.r
