"""Kept pictures of pages as a phone shows them, so that nobody changes what people see without looking at it.

``python -m tests.every_page.shots`` takes them anew and names those that differ; look at each before you commit it.
"""

import io
import os
import re
import sys
from pathlib import Path

import pytest
from PIL import Image, ImageChops, ImageStat
from playwright.sync_api import Page

KEPT = Path(__file__).parent / "shots"
TAKE = "PBEM_TAKE_SHOTS"
"""In the environment: pictures are written instead of compared."""
WIDE, TALLEST = 320, 900
"""Pixels of a kept picture; what stands below on a longer page is not kept."""
QUALITY = 20
COARSE = 8
"""Pixels that are looked at as one: letters may be drawn a little otherwise by another browser."""
DIFFERENT = 40
"""How much darker or lighter such a square is when something else stands there, of 255."""
PART = 0.02
"""The part of a picture that may be different."""


def name_of(*words: str) -> str:
    """A file's name from the words that tell where the page is."""
    return re.sub(r"[^a-z0-9]+", "-", " ".join(words).lower()).strip("-")


def fault(page: Page, name: str) -> list[str]:
    """What is wrong with the picture of an open page; nothing while pictures are taken."""
    shown = Image.open(io.BytesIO(page.screenshot(full_page=True, animations="disabled"))).convert("RGB")
    shown = shown.crop((0, 0, WIDE, min(shown.height, TALLEST)))
    path = KEPT / f"{name}.webp"
    if os.environ.get(TAKE):
        if not path.exists() or _differ(Image.open(path).convert("RGB"), shown):
            KEPT.mkdir(exist_ok=True)
            shown.save(path, quality=QUALITY, method=6)
            print(f"new: {path.name}")
        return []
    if not path.exists():
        return [f"has no kept picture {path.name}: python -m tests.every_page.shots"]
    part = _differ(Image.open(path).convert("RGB"), shown)
    return [f"looks otherwise than {path.name} in {part:.0%} of it"] if part else []


def _differ(kept: Image.Image, shown: Image.Image) -> float:
    """The part of the pictures that is different, 0 when it is little enough."""
    if abs(kept.height - shown.height) > COARSE * 2:
        return 1.0
    size = (WIDE // COARSE, min(kept.height, shown.height) // COARSE)
    pair = [picture.convert("L").resize(size, Image.Resampling.BOX) for picture in (kept, shown)]
    squares = ImageChops.difference(*pair).point([0] * DIFFERENT + [255] * (256 - DIFFERENT))
    part = ImageStat.Stat(squares).mean[0] / 255
    return part if part > PART else 0.0


def main() -> int:
    """Open every page once, and keep what looks otherwise than before."""
    os.environ[TAKE] = "yes"
    return pytest.main(["-q", "-s", "-n", "0", "-m", "slow", str(Path(__file__).parent / "test_shots.py")])


if __name__ == "__main__":
    sys.exit(main())
