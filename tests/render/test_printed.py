"""What is printed on single maps: rivers that are no terrain, tunnels that open later, prices, links, full trays."""

import dataclasses
from math import cos, radians, sin, sqrt

import pytest

from pbem.engine import replace
from pbem.rails.hexes import TOWN
from pbem.rails.track import Net, Segment
from pbem.render.cities import LEAST_DIE, LEAST_DIE_CROWDED, furniture
from pbem.render.display import NAME_X, boxes_width, name_lines
from pbem.render.geometry import Lattice, map_geometry
from pbem.render.key import entries
from pbem.render.land import river_lines
from pbem.render.page import RIGHT, WIDTH, laid_out, page_sketch
from pbem.render.pieces import moved
from pbem.render.places import Places, overlap
from pbem.render.plates import Plate
from pbem.render.signs import DIGIT
from pbem.render.track import PUBLIC_OWNER, as_shown, is_shut
from pbem.render.type import CAP, width
from tests.render.scenes import COLOURS, SLUGS, board, opening
from tests.render.test_places import name_boxes, places

TUNNELS = {
    "O11": (Segment(0, 3, None),),
    "P8": (Segment(0, 3, None),),
    "R8": (Segment(TOWN, 0, None), Segment(TOWN, 2, None), Segment(TOWN, 4, None)),
}


def opened() -> Places:
    scene = replace(opening("switzerland"), track=TUNNELS)
    scene = replace(scene, chains=tuple(Net(scene.board, TUNNELS, ()).chains))
    return Places(scene, map_geometry(scene.board).frame)


def test_named_rivers_of_hungary_are_drawn_through_every_hex_they_touch() -> None:
    hungary = board("hungary")
    drawn = river_lines(hungary, Lattice.of_radius("flat-top", 40))
    assert {hex_ for river in hungary.rivers.values() for hex_ in river} <= set(drawn)
    assert not any(h.terrain == "river" for h in hungary.hexes.values())
    assert "river, no terrain" in [entry.text for entry in entries(opening("hungary"))]


def test_hexes_that_open_later_have_their_name_and_no_ring() -> None:
    found = places("switzerland", early=True)
    names = {label: " ".join(name.lines) for label, name in found.names}
    assert (names["O11"], names["P8"], names["R8"]) == ("St. Gotthard", "Lötschberg", "Raron")
    assert all(is_shut(found.scene, label) for label in TUNNELS)
    assert not any(is_shut(opened().scene, label) for label in TUNNELS)
    assert "opens later" in [entry.text for entry in entries(found.scene)]


def test_printed_track_looks_public_until_somebody_joins_it() -> None:
    switzerland = board("switzerland")
    assert as_shown(switzerland, "O11", TUNNELS["O11"]) == (Segment(0, 3, PUBLIC_OWNER),)
    assert as_shown(switzerland, "O11", (Segment(0, 3, "blue"),)) == (Segment(0, 3, "blue"),)
    assert as_shown(switzerland, "N10", (Segment(0, 3, None),)) == (Segment(0, 3, None),)
    words = [entry.text for entry in entries(opened().scene)]
    assert "printed track" in words
    assert "nobody’s" not in words
    assert "unfinished" not in words


def test_every_price_of_germany_shows_before_the_game_and_none_lies_under_track_later() -> None:
    first, then = places("germany", early=True), places("germany")
    priced = {label for label, hex_ in first.board.hexes.items() if hex_.price is not None}
    assert {price.label for price in first.prices} == priced - first.city_hexes
    gone = priced - then.city_hexes - {price.label for price in then.prices}
    assert all(then.scene.track.get(label) for label in gone)
    bare = page_sketch(opening("germany")).picture()
    without = replace(
        opening("germany"),
        board=dataclasses.replace(
            first.board, hexes={label: replace(hex_, price=None) for label, hex_ in first.board.hexes.items()}
        ),
    )
    assert page_sketch(without).picture().tobytes() != bare.tobytes()


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("early", [True, False])
def test_no_label_or_name_covers_a_price_or_the_coin_of_a_link(slug: str, early: bool) -> None:
    found = places(slug, early=early)
    for box in found.tag_boxes:
        inner = (box[0] + 2, box[1] + 2, box[2] - 2, box[3] - 2)
        assert not any(overlap(inner, label.box) for label in found.labels)
        assert not any(overlap(inner, name) for name in name_boxes(found))


@pytest.mark.parametrize("slug", SLUGS)
def test_before_a_game_no_label_lies_under_a_sign(slug: str) -> None:
    found = places(slug, early=True)
    signs = [moved(box, *found.middle(city)) for city, furniture in found.furnished for box in furniture.boxes]
    hidden = [label.label for label in found.labels if any(overlap(label.box, sign) for sign in signs)]
    assert not hidden


@pytest.mark.parametrize("slug", SLUGS)
def test_no_name_of_a_city_is_cut_in_the_display(slug: str) -> None:
    scene = opening(slug)
    for half in (scene.light, scene.dark):
        room = (RIGHT - 20) // 2 - boxes_width(half) - NAME_X - 4
        for row in half:
            lines = name_lines(row.name, room)
            assert "…" not in "".join(line for line, _ in lines)
            assert all(width(line, "medium", size) <= room + 1 for line, size in lines)


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
