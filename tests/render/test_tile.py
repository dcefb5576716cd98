"""Pictures of single placements."""

from functools import cache
from io import BytesIO

import pytest
from PIL import Image

from pbem.engine import catalog, replace
from pbem.rails.hexes import TOWN
from pbem.rails.scene import Marks, Scene
from pbem.rails.track import Segment
from pbem.render import board_png, changes, crop_png, map_png, page_svg
from pbem.render.canvas import Part
from pbem.render.geometry import map_geometry
from pbem.render.head import BAND, FRAME
from pbem.render.palette import GLOW, PLAYERS, TRIAL, TRIAL_DEEP
from pbem.render.places import Places
from pbem.render.sketch import Sketch
from pbem.render.thumb import with_track
from pbem.service.games.views import TRIAL as WORDS
from pbem.web.boards.pictures import sample
from tests.render.scenes import late, opening


def opened(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png)).convert("RGB")


def colours(picture: Image.Image) -> dict[object, int]:
    return {colour: count for count, colour in picture.getcolors(1 << 16) or []}


def test_a_crop_has_twice_the_px_of_its_place_on_the_page() -> None:
    png = crop_png(opening("rust_belt"), "K2", ((0, 2),), "blue")
    assert opened(png).size == (264, 232)
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


# steps -------------------------------------------------------------------------------------------------------


def test_a_step_without_track_has_a_number_but_no_disc_and_the_next_ones_go_on(monkeypatch: pytest.MonkeyPatch) -> None:
    chain = next(chain for chain in late().chains if len(chain.pieces) >= 2)
    new_city: tuple[()] = ()
    scene = replace(late(), marks=Marks(laid=((chain.pieces[0],), new_city, (chain.pieces[1],))))
    geometry = map_geometry(scene.board)
    numbers: list[int] = []

    def noted(_: object, number: int) -> Part:
        numbers.append(number)
        return Part((2, 2), lambda: Image.new("RGBA", (2, 2)))

    monkeypatch.setattr(changes, "_step", noted)
    changes.draw_steps(Sketch(2000, 2000), Places(scene, geometry.frame))
    assert numbers == [1, 3]


# trials ------------------------------------------------------------------------------------------------------


@cache
def scene(slug: str) -> Scene:
    return sample(catalog.sheet("steam-power" if slug == "ireland" else "age-of-steam", slug))


def picture(png: bytes) -> Image.Image:
    return Image.open(BytesIO(png)).convert("RGB")


@pytest.mark.parametrize("slug", ["barbados", "ireland"])
def test_a_trial_says_so_in_words_and_in_a_colour_of_its_own_and_covers_nothing(slug: str) -> None:
    tried = replace(scene(slug), trial=str(WORDS))
    real, shown = picture(board_png(scene(slug))), picture(board_png(tried))
    band = {colour for _, colour in shown.crop((0, 0, shown.width, BAND)).getcolors(99_999) or ()}
    assert {TRIAL, TRIAL_DEEP} <= band
    assert "A trial: nothing here is played" in page_svg(tried)
    assert "A trial" not in page_svg(scene(slug))
    inside = (FRAME, BAND, real.width - FRAME, real.height - FRAME)
    assert real.size == shown.size
    assert real.crop(inside).tobytes() == shown.crop(inside).tobytes()


def test_the_map_alone_has_the_frame() -> None:
    tried = picture(map_png(replace(scene("barbados"), trial=str(WORDS))))
    assert {tried.getpixel((x, y)) for x in (0, tried.width - 1) for y in range(0, tried.height, 9)} == {TRIAL}
