"""The kept picture of a late game. ``python -m tests.render.golden`` draws it anew after a wanted change."""

from pathlib import Path

from PIL import Image

from pbem.render.page import page_sketch
from tests.render.scenes import delivered, late

GOLDEN = Path(__file__).with_name("late.png")
SMALLER = 4
"""The kept picture has a quarter of the width: small, and the same with every version of FreeType."""


def draw() -> Image.Image:
    """The picture as it is drawn now, in the size of the kept one."""
    return page_sketch(delivered(late())).picture().reduce(SMALLER)


if __name__ == "__main__":
    draw().quantize(64, dither=Image.Dither.NONE).save(GOLDEN, optimize=True)
