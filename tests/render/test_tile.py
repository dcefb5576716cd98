"""Pictures of single placements."""

from io import BytesIO

import pytest
from PIL import Image

from pbem.rails.hexes import TOWN
from pbem.rails.track import Segment
from pbem.render import crop_png, tile_png
from pbem.render.palette import GLOW, PAPER, PLAYERS, TERRAIN
from pbem.render.tile import with_track
from tests.render.scenes import late, opening


def opened(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png)).convert("RGB")


def colours(picture: Image.Image) -> dict[object, int]:
    return {colour: count for count, colour in picture.getcolors(1 << 16) or []}


@pytest.mark.parametrize("slug", ["rust_belt", "new_england"])
def test_a_tile_shows_the_hex_alone(slug: str) -> None:
    scene = opening(slug)
    label = next(name for name, h in scene.board.hexes.items() if h.terrain == "plain" and name not in scene.towns)
    picture = opened(tile_png(scene, label, ((0, 3),), (), "pink"))
    found = colours(picture)
    assert picture.size == (96, 96)
    assert picture.getpixel((0, 0)) == PAPER
    assert found[PLAYERS["pink"].core] > 100
    assert found[TERRAIN["plain"].fill] > 2000
    assert GLOW not in found


def test_new_pieces_glow_beside_kept_ones() -> None:
    picture = opened(tile_png(opening("rust_belt"), "K2", ((0, 3),), (Segment(1, 4, "brown"),), "pink"))
    found = colours(picture)
    assert found[GLOW] > 100
    assert found[PLAYERS["brown"].core] > 50


def test_tiles_are_small_and_sharp_ones_larger() -> None:
    small = tile_png(opening("rust_belt"), "K2", ((0, 2),), (), "blue")
    large = tile_png(opening("rust_belt"), "K2", ((0, 2),), (), "blue", 192)
    assert len(small) < 2500
    assert opened(large).size == (192, 192)
    assert len(large) < 7000


def test_a_crop_has_twice_the_px_of_its_place_on_the_page() -> None:
    png = crop_png(opening("rust_belt"), "K2", ((0, 2),), "blue")
    assert opened(png).size == (264, 232)
    assert opened(crop_png(opening("rust_belt"), "K2", ((0, 2),), "blue", scale=1)).size == (132, 116)
    assert len(png) < 12_000


def test_a_crop_shows_the_new_track_in_the_glow() -> None:
    found = colours(opened(crop_png(opening("rust_belt"), "K2", ((0, 3),), "pink")))
    assert found[GLOW] > 300
    assert found[PLAYERS["pink"].core] > 300


def test_a_redirected_piece_gives_way_and_a_crossed_one_stays() -> None:
    scene = with_track(opening("rust_belt"), "K2", ((0, 3),), "pink")
    turned = with_track(scene, "K2", ((0, 2),), "pink")
    assert turned.track["K2"] == (Segment(0, 2, "pink"),)
    crossed = with_track(scene, "K2", ((1, 4),), "blue")
    assert crossed.track["K2"] == (Segment(0, 3, "pink"), Segment(1, 4, "blue"))


def test_exits_of_a_town_are_added_to_those_it_has() -> None:
    scene = with_track(opening("rust_belt"), "N5", ((TOWN, 0),), "pink")
    more = with_track(scene, "N5", ((TOWN, 3),), "blue")
    assert more.track["N5"] == (Segment(TOWN, 0, "pink"), Segment(TOWN, 3, "blue"))
    assert len(more.chains) == 2


def test_every_hex_with_track_can_be_cut_out() -> None:
    scene = late()
    for label in list(scene.track)[:12]:
        assert opened(crop_png(scene, label, (), "pink")).size == (264, 232)
