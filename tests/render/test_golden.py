"""A late picture looks as it did when somebody last looked at it."""

from PIL import Image, ImageChops, ImageStat

from tests.render.golden import GOLDEN, draw

FAR = 60
"""Levels between two pixels that a person would notice."""


def test_a_late_picture_looks_like_the_kept_one() -> None:
    kept, now = Image.open(GOLDEN).convert("RGB"), draw()
    assert now.size == kept.size
    apart = ImageChops.difference(kept, now)
    assert sum(ImageStat.Stat(apart).mean) / 3 < 2.5
    far = sum(apart.convert("L").histogram()[FAR:])
    assert far / (now.width * now.height) < 0.002
