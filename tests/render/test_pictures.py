"""Whole pictures: their form, their size, and that the same scene always gives the same bytes."""

from __future__ import annotations

import gc
from functools import _lru_cache_wrapper
from io import BytesIO

import pytest
from PIL import Image

from pbem import render
from pbem.engine import replace
from pbem.rails.scene import Scene
from pbem.render import board_png, map_png, thumb_png
from pbem.render.encode import cell, scene_palette
from pbem.render.page import page_sketch
from pbem.render.palette import GOODS, PAGE, PLAYERS, TERRAIN
from tests.render.scenes import SLUGS, built, delivered, late, opening

LARGEST = 160_000


def caches() -> list[_lru_cache_wrapper[object]]:
    gc.unfreeze()  # what there was when the tests were collected is told too
    kept = [one for one in gc.get_objects() if isinstance(one, _lru_cache_wrapper)]
    gc.freeze()
    return [one for one in kept if one.__module__.startswith(render.__name__)]


def opened(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png))


@pytest.mark.parametrize("slug", SLUGS)
def test_every_map_can_be_drawn_before_and_late_in_a_game(slug: str) -> None:
    for scene in (opening(slug), delivered(late(slug)), built(late(slug))):
        picture = opened(board_png(scene))
        assert picture.width == 1400
        assert 1050 < picture.height < 1900


def test_pictures_are_opaque_palette_pictures() -> None:
    for png in (board_png(late()), map_png(late()), thumb_png(late())):
        picture = opened(png)
        assert picture.mode == "P"
        assert "transparency" not in picture.info
        assert len(picture.getpalette() or ()) <= 3 * 96


def test_a_scene_gives_the_same_bytes_with_full_and_with_empty_caches() -> None:
    first = board_png(delivered(late()))
    board_png(late("new_england"))
    assert board_png(delivered(late())) == first
    for cache in caches():
        cache.cache_clear()
    assert board_png(delivered(late())) == first


@pytest.mark.parametrize("scene", [late(), delivered(late()), built(late())])
def test_a_late_picture_of_the_rust_belt_is_small(scene: Scene) -> None:
    assert len(board_png(scene)) <= LARGEST
    assert len(map_png(scene)) <= LARGEST


def test_the_flat_colours_are_exact() -> None:
    """No flat colour of the page is shifted by the palette: each that covers an area is found again."""
    scene = delivered(late())
    full = page_sketch(scene).picture()
    small = opened(board_png(scene)).convert("RGB")
    counted = full.getcolors(1 << 20) or []
    named = {*PAGE, *(ground.fill for ground in TERRAIN.values()), *(good.fill for good in GOODS.values())}
    named |= {livery.core for livery in PLAYERS.values()}
    flats = {colour: count for count, colour in counted if count > 40 and colour in named}
    found = {colour: count for count, colour in small.getcolors(1 << 20) or []}
    assert len(flats) > 30
    for colour, count in flats.items():
        assert isinstance(colour, tuple)
        assert found.get(colour, 0) >= count, colour


@pytest.mark.parametrize("slug", SLUGS)
def test_no_two_colours_of_a_palette_fall_together(slug: str) -> None:
    colours = scene_palette(late(slug))
    assert len({cell(colour) for colour in colours}) == len(colours)


def test_the_palette_depends_on_map_and_players_and_not_on_the_position() -> None:
    assert scene_palette(late()) == scene_palette(delivered(late()))
    assert scene_palette(late()) == scene_palette(replace(late(), track={}, chains=()))


def test_no_cache_grows_without_bound() -> None:
    board_png(late())
    assert len(caches()) > 15
    for cache in caches():
        most = cache.cache_parameters()["maxsize"]
        assert most is not None, cache
        assert cache.cache_info().currsize <= most


def test_a_game_without_a_last_turn_shows_the_turn_alone() -> None:
    shown = opened(board_png(replace(late(), turns=None))).convert("RGB")
    usual = opened(board_png(late())).convert("RGB")
    assert shown.crop((900, 10, 1398, 90)).tobytes() != usual.crop((900, 10, 1398, 90)).tobytes()


@pytest.mark.parametrize("text", ["", "W" * 300, "Zażółć gęślą jaźń " * 20, "\u0000\n\t", "漢字 🚂"])
def test_any_name_and_title_can_be_drawn(text: str) -> None:
    scene = late()
    players = tuple(replace(row, name=text, out=text if row.out else "") for row in scene.players)
    picture = opened(
        board_png(replace(scene, title=text, subtitle=text, headline=text, players=players, notes=(text,)))
    )
    assert picture.width == 1400


def test_a_small_picture_is_four_by_three() -> None:
    assert opened(thumb_png(late())).size == (240, 180)
    assert opened(thumb_png(late(), 480)).size == (480, 360)
    assert len(thumb_png(late())) < 12_000
