"""Labels of hexes can be read on a phone that shows the whole picture, wherever there is room for them."""

import pytest

from pbem.rails.scene import Scene
from pbem.rails.track import Segment
from pbem.render.encode import cell, scene_palette
from pbem.render.geometry import Lattice
from pbem.render.hex_labels import overlap
from pbem.render.labels import Surroundings, label_size
from pbem.render.large_labels import LARGEST, SIZES, PlacedLabel, large_spot
from pbem.render.page import WIDTH, laid_out
from pbem.render.palette import LABELLED, TERRAIN, pale
from pbem.render.pieces import moved
from pbem.render.places import Places
from pbem.render.type import CAP
from tests.render.eyes import contrast
from tests.render.scenes import SLUGS, built, delivered, late, opening

FLAT, POINTY = Lattice.of_radius("flat-top", 48), Lattice.of_radius("pointy-top", 48)
PHONE = 360


def on_a_phone(size: float) -> float:
    """The height of a capital of a type size where the page is as wide as a phone, in px."""
    return size * CAP * PHONE / WIDTH


def placed(scene: Scene) -> tuple[Places, list[PlacedLabel]]:
    found = Places(scene, laid_out(scene).frame)
    return found, found.labels


def heights(scene: Scene) -> dict[str, float]:
    """How high the capitals of every label of a page are on a phone, in px."""
    found, labels = placed(scene)
    return {label.label: on_a_phone(label.large or label_size(found.lattice)) for label in labels}


@pytest.mark.parametrize("slug", SLUGS)
def test_before_the_first_track_every_label_can_be_read_on_a_phone(slug: str) -> None:
    """All of them at 4 px and more, and four of five at 6."""
    found = sorted(heights(opening(slug)).values())
    assert found[0] >= 4.1
    assert found[len(found) // 5] >= 6.0


@pytest.mark.parametrize("slug", SLUGS)
def test_late_in_a_game_labels_can_be_read_on_a_phone_where_no_track_takes_their_room(slug: str) -> None:
    """Of hexes without track all, and many of those with a single piece."""
    for scene in (late(slug), built(late(slug)), delivered(late(slug))):
        found = heights(scene)
        empty = [high for label, high in found.items() if not scene.track.get(label)]
        single = [high for label, high in found.items() if len(scene.track.get(label, ())) == 1]
        assert min(empty, default=9.0) >= 4.1
        assert sum(high >= 4.1 for high in single) >= 0.4 * len(single)


@pytest.mark.parametrize("slug", SLUGS)
def test_large_labels_stand_clear_of_all_that_is_placed(slug: str) -> None:
    found, labels = placed(late(slug))
    boxes = [moved(name.box, *found.at(town)) for town, name in found.names] + found.tag_boxes
    large = [label for label in labels if label.large]
    assert len(large) > len(labels) // 2
    for label in large:
        assert not any(overlap(label.box, box) for box in boxes), label
        assert not any(overlap(label.box, other.box) for other in labels if other is not label), label


@pytest.mark.parametrize("lattice", [FLAT, POINTY])
@pytest.mark.parametrize("size", SIZES)
def test_a_label_stays_in_its_hex(lattice: Lattice, size: float) -> None:
    around = Surroundings((Segment(0, 2, "red"),))
    spot = large_spot(lattice, "K10", "plain", around)
    assert spot is not None
    reach = lattice.reach
    assert all(abs(side) <= reach[number % 2] for number, side in enumerate(spot.box))
    assert size <= LARGEST


def test_a_label_stands_in_the_middle_of_bare_land_and_beside_the_marks_of_others() -> None:
    bare = large_spot(FLAT, "K10", "plain", Surroundings())
    hilly = large_spot(FLAT, "K1", "mountain", Surroundings())
    assert bare is not None
    assert hilly is not None
    assert (bare.x, bare.y, bare.size, bare.over) == (0.0, 0.0, LARGEST, False)
    assert (hilly.x < 0, hilly.over) == (True, False)


def test_a_label_gives_way_to_track_and_at_last_becomes_small() -> None:
    """One piece leaves room, three leave none; an amber band takes more than track."""
    one = Surroundings((Segment(0, 2, "red"),))
    many = Surroundings((Segment(0, 3, "red"), Segment(1, 4, "blue"), Segment(2, 5, "green")))
    sizes = [
        0.0 if spot is None else spot.size
        for spot in (
            large_spot(FLAT, "K10", "plain", around)
            for around in (Surroundings(), one, one._replace(banded=frozenset({(0, 2)})), many)
        )
    ]
    assert sizes == sorted(sizes, reverse=True)
    assert sizes[0] == LARGEST
    assert sizes[1] > 0
    assert sizes[-1] == 0


def test_a_label_over_a_river_says_so_and_small_pictures_have_none() -> None:
    river = Surroundings(river=tuple((0.0, float(y)) for y in range(-41, 42, 3)))
    spot = large_spot(FLAT, "K10", "river", river)
    assert spot is not None
    assert spot.over
    assert large_spot(Lattice.of_radius("flat-top", 30), "K1", "plain", Surroundings()) is None


@pytest.mark.parametrize("kind", LABELLED)
def test_pale_labels_are_dark_enough(kind: str) -> None:
    assert contrast(pale(kind), TERRAIN[kind].fill) >= 2.4


@pytest.mark.parametrize("slug", SLUGS)
def test_the_colours_of_labels_are_in_the_palette_or_as_good_as(slug: str) -> None:
    scene = opening(slug)
    kinds = {scene.board.hexes[label.label].terrain for label in placed(scene)[1]}
    assert {cell(pale(kind)) for kind in kinds} <= {cell(colour) for colour in scene_palette(scene)}
