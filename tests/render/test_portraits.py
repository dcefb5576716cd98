"""The faces of the robots."""

import io
from itertools import combinations
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat

from pbem.render import portrait_png
from pbem.render.portraits import FACES, SIDE, STRANGER
from pbem.robot import thinking

DOCS = Path(__file__).parents[2] / "docs"
SMALL = 32
"""Pixels at which a portrait stands in a table."""
APART = 25
"""Mean difference of two pictures, of 255, at which nobody takes one for the other."""


def _picture(png: bytes) -> Image.Image:
    with Image.open(io.BytesIO(png)) as picture:
        return picture.convert("RGBA")


def _small(robot: str) -> Image.Image:
    return _picture(portrait_png(robot)).convert("RGB").resize((SMALL, SMALL), Image.Resampling.LANCZOS)


def test_robots_have_faces_and_there_is_one_for_those_without() -> None:
    assert {*thinking.CHARACTERS, STRANGER} <= set(FACES)


@pytest.mark.parametrize("robot", FACES)
def test_a_portrait_is_a_small_file_and_clear_only_at_its_corners(robot: str) -> None:
    png = portrait_png(robot)
    assert len(png) < 4_000
    picture = _picture(png)
    assert picture.size == (SIDE, SIDE)
    clear = picture.getchannel("A")
    assert clear.getpixel((0, 0)) == 0
    assert min(clear.crop((2, SIDE // 4, SIDE - 2, 3 * SIDE // 4)).tobytes()) > 250


@pytest.mark.parametrize(("one", "other"), list(combinations(FACES, 2)))
def test_two_robots_differ_at_the_size_of_a_line_of_text(one: str, other: str) -> None:
    difference = ImageChops.difference(_small(one), _small(other))
    assert sum(ImageStat.Stat(difference).mean) / 3 > APART


@pytest.mark.parametrize("robot", [face for face in FACES if face != STRANGER])
def test_the_documents_show_the_portraits_as_they_are_drawn(robot: str) -> None:
    kept = _picture((DOCS / f"{robot}.png").read_bytes())
    assert ImageChops.difference(kept, _picture(portrait_png(robot))).getbbox() is None
