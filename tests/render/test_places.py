"""What is placed by rule: coins, hex labels, town names."""

from itertools import combinations
from math import hypot

import pytest

from pbem.rails.scene import Scene
from pbem.rails.track import Chain, Piece, Segment
from pbem.render.cities import chip_texts
from pbem.render.coins import coins
from pbem.render.encode import cell, scene_palette
from pbem.render.geometry import Frame, Lattice, curve, map_geometry
from pbem.render.labels import PlacedLabel, Surroundings, label_box, label_place, label_size
from pbem.render.page import WIDTH, laid_out
from pbem.render.palette import COIN, LABELLED, TERRAIN, TRACK_CASING, pale
from pbem.render.pieces import Box, moved
from pbem.render.places import Places, overlap
from pbem.render.type import CAP
from tests.render.eyes import contrast
from tests.render.scenes import SLUGS, board, built, delivered, late, opening

FLAT = Lattice.of_radius("flat-top", 48)


def places(slug: str, *, early: bool = False) -> Places:
    scene = opening(slug) if early else late(slug)
    return Places(scene, map_geometry(scene.board).frame)


def name_boxes(found: Places) -> list[Box]:
    return [moved(name.box, *found.at(label)) for label, name in found.names]


@pytest.mark.parametrize("slug", SLUGS)
def test_no_label_lies_under_track(slug: str) -> None:
    """Not under the dark of any track, that is: halos may touch it where six ends meet."""
    found = places(slug)
    r = found.lattice.r
    hidden = []
    for label in found.labels:
        left, top, right, bottom = label.box
        x, y = found.at(label.label)
        for segment in found.scene.track.get(label.label, ()):
            way = curve(found.lattice, segment.a, segment.b)
            for i in range(41):
                (a, b), _ = way.at(way.length * i / 40)
                near = hypot(max(left - x - a, 0, x + a - right), max(top - y - b, 0, y + b - bottom))
                if near < TRACK_CASING / 2 * r - 1:
                    hidden.append(label.label)
                    break
    assert len(hidden) <= 1 + len(found.scene.track) // 60, hidden


@pytest.mark.parametrize("slug", SLUGS)
@pytest.mark.parametrize("early", [True, False])
def test_names_of_towns_do_not_collide(slug: str, early: bool) -> None:
    for first, second in combinations(name_boxes(places(slug, early=early)), 2):
        assert not overlap(first, second)


@pytest.mark.parametrize("slug", SLUGS)
def test_before_a_game_no_name_covers_a_label_or_a_sign(slug: str) -> None:
    found = places(slug, early=True)
    signs = [moved(box, *found.middle(city)) for city, furniture in found.furnished for box in furniture.boxes]
    for name in name_boxes(found):
        inner = (name[0] + 3, name[1] + 3, name[2] - 3, name[3] - 3)
        assert not any(overlap(inner, label.box) for label in found.labels)
        assert not any(overlap(inner, sign) for sign in signs)


@pytest.mark.parametrize("slug", SLUGS)
def test_every_owned_chain_has_one_coin_on_its_own_track(slug: str) -> None:
    found = places(slug)
    owned = [chain for chain in found.scene.chains if chain.owner]
    assert sorted(coin.seat for coin in found.coins) == sorted(chain.owner or "" for chain in owned)
    for coin in found.coins:
        assert any(_on(found, coin.x, coin.y, chain) for chain in owned if chain.owner == coin.seat)


def _on(found: Places, x: int, y: int, chain: Chain) -> bool:
    for piece in chain.pieces:
        cx, cy = found.at(piece.hex)
        way = curve(found.lattice, piece.a, piece.b)
        if any(hypot(cx + a - x, cy + b - y) < 2 for a, b in (way.at(way.length * s)[0] for s in (0.25, 0.5, 0.75))):
            return True
    return False


@pytest.mark.parametrize("slug", SLUGS)
def test_coins_do_not_overlap_where_there_is_room(slug: str) -> None:
    found = places(slug)
    near = COIN * found.lattice.r
    pairs = combinations(found.coins, 2)
    close = [(one, other) for one, other in pairs if hypot(one.x - other.x, one.y - other.y) < near]
    assert len(close) <= 1, close


def coin_of(pieces: tuple[Piece, ...], others: tuple[Piece, ...] = ()) -> tuple[int, int]:
    """Where the coin of one red link lies on the Rust Belt, whose origin is at (0, 0)."""
    track: dict[str, tuple[Segment, ...]] = {}
    for piece in pieces:
        track[piece.hex] = (*track.get(piece.hex, ()), Segment(piece.a, piece.b, "red"))
    for piece in others:
        track[piece.hex] = (*track.get(piece.hex, ()), Segment(piece.a, piece.b, None))
    chain = Chain(pieces, (None, None), "red", ())
    frame = Frame(FLAT, 0, 0)
    found = coins(board("rust_belt"), FLAT, track, [chain], lambda label: frame.centre(board("rust_belt"), label))
    return found[0].x, found[0].y


def centre(label: str) -> tuple[int, int]:
    return Frame(FLAT, 0, 0).centre(board("rust_belt"), label)


STRAIGHT = (Piece("M2", 0, 3), Piece("K2", 0, 3), Piece("I2", 0, 3))


@pytest.mark.parametrize(
    ("pieces", "others", "hex_", "higher"),
    [
        (STRAIGHT, (), "K2", 0),  # the middle of its link
        (STRAIGHT, (Piece("K2", 1, 4),), "K2", 63),  # off a crossing: a quarter point of the hex before it
        ((Piece("N5", -1, 0),), (), "N5", 21),  # on the exit of a town: halfway to the side
    ],
)
def test_a_coin_hides_little(pieces: tuple[Piece, ...], others: tuple[Piece, ...], hex_: str, higher: int) -> None:
    x, y = coin_of(pieces, others)
    assert x == centre(hex_)[0]
    assert abs(y - centre(hex_)[1]) == pytest.approx(higher, abs=1)


def test_the_second_coin_keeps_off_the_first() -> None:
    """Two links that cross far from their middles share no place."""
    board_ = board("rust_belt")
    track = {"K2": (Segment(0, 3, "red"), Segment(1, 4, "blue"))}
    chains = [Chain((Piece("K2", a, b),), (None, None), seat, ()) for a, b, seat in ((0, 3, "red"), (1, 4, "blue"))]
    first, second = coins(board_, FLAT, track, chains, centre)
    assert hypot(first.x - second.x, first.y - second.y) >= 0.42 * FLAT.r


def test_a_label_keeps_off_amber() -> None:
    far = Surroundings((Segment(1, 2, "red"),))
    assert label_place(FLAT, "K12", far._replace(banded=frozenset({(1, 2)}))) == label_place(FLAT, "K12", far)
    near = Surroundings((Segment(0, 2, "red"), Segment(3, 4, "red")))
    assert label_place(FLAT, "K12", near._replace(banded=frozenset({(3, 4)}))) != label_place(FLAT, "K12", near)
    assert label_place(FLAT, "K12", Surroundings(ringed=(4, 5))) != label_place(FLAT, "K12", Surroundings())


@pytest.mark.parametrize("orientation", ["flat-top", "pointy-top"])
def test_labels_stay_in_their_hex(orientation: str) -> None:
    lattice = Lattice.of_radius(orientation, 48)
    for a in range(6):
        for b in range(a + 1, 6):
            x, y = label_place(lattice, "AB12", Surroundings((Segment(a, b, None),)))
            left, top, right, bottom = label_box(lattice, (x / lattice.r, y / lattice.r), 0.6)
            assert max(map(abs, (left, right))) < 1.0
            assert max(map(abs, (top, bottom))) < 1.0


def test_four_columns_of_one_half_share_a_chip() -> None:
    assert chip_texts(("L1", "L2", "L3", "L4", "D2")) == [("L", "1–4"), ("D", "2")]
    assert chip_texts(("L1", "D2", "D3")) == [("L", "1"), ("D", "2"), ("D", "3")]


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


@pytest.mark.parametrize("kind", LABELLED)
def test_pale_labels_are_dark_enough(kind: str) -> None:
    assert contrast(pale(kind), TERRAIN[kind].fill) >= 2.4


@pytest.mark.parametrize("slug", SLUGS)
def test_the_colours_of_labels_are_in_the_palette_or_as_good_as(slug: str) -> None:
    scene = opening(slug)
    kinds = {scene.board.hexes[label.label].terrain for label in placed(scene)[1]}
    assert {cell(pale(kind)) for kind in kinds} <= {cell(colour) for colour in scene_palette(scene)}
