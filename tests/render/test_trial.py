"""Pictures of what is only tried: a band with words and a frame say so, and nothing of the game is covered."""

from dataclasses import replace
from functools import cache
from io import BytesIO

import pytest
from PIL import Image

from pbem.engine import catalog
from pbem.rails.scene import Scene
from pbem.render import board_png, map_png, page_svg
from pbem.render.palette import TRIAL, TRIAL_DEEP
from pbem.render.trial import BAND, FRAME
from pbem.service.games.views import TRIAL as WORDS
from pbem.web.boards.pictures import sample


@cache
def scene(slug: str) -> Scene:
    """A deal on a map."""
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
