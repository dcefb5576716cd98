"""The faces of the robots."""

import io
from itertools import combinations

import pytest
from PIL import Image, ImageChops, ImageStat

from pbem.robot import thinking
from pbem.web.base.voices import STRANGER, portraits

SIDE = 96
SMALL = 32
"""Pixels at which a portrait stands in a table."""
APART = 25
"""Mean difference of two pictures, of 255, at which nobody takes one for the other."""


def _picture(png: bytes) -> Image.Image:
    with Image.open(io.BytesIO(png)) as picture:
        return picture.convert("RGBA")


def _small(robot: str) -> Image.Image:
    return _picture(portraits()[robot]).convert("RGB").resize((SMALL, SMALL), Image.Resampling.LANCZOS)


def test_robots_have_faces_and_there_is_one_for_those_without() -> None:
    assert {*thinking.CHARACTERS, STRANGER} <= set(portraits())


@pytest.mark.parametrize("robot", portraits())
def test_a_portrait_is_a_small_file_and_clear_only_at_its_corners(robot: str) -> None:
    png = portraits()[robot]
    assert len(png) < 4_000
    picture = _picture(png)
    assert picture.size == (SIDE, SIDE)
    clear = picture.getchannel("A")
    assert clear.getpixel((0, 0)) == 0
    assert min(clear.crop((2, SIDE // 4, SIDE - 2, 3 * SIDE // 4)).tobytes()) > 250


@pytest.mark.parametrize(("one", "other"), list(combinations(portraits(), 2)))
def test_two_robots_differ_at_the_size_of_a_line_of_text(one: str, other: str) -> None:
    difference = ImageChops.difference(_small(one), _small(other))
    assert sum(ImageStat.Stat(difference).mean) / 3 > APART
