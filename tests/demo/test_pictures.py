"""The pictures of the README are those of a demo, and none is missing."""

import re
from pathlib import Path

import pytest
from PIL import Image

from tests import pictures

ROOT = Path(__file__).parents[2]
NAMES = {"board.png", "email.png", "phone.png"}


def test_the_readme_shows_every_picture_that_is_made() -> None:
    shown = set(re.findall(r"docs/pictures/([\w.]+)", (ROOT / "README.md").read_text("utf-8")))
    assert shown == NAMES == {path.name for path in pictures.FOLDER.iterdir()}


@pytest.mark.slow
def test_a_demo_makes_them_all_at_the_size_of_those_that_are_shown(tmp_path: Path) -> None:
    pictures.take(tmp_path)
    assert {path.name for path in tmp_path.iterdir()} == NAMES
    for name in NAMES:
        with Image.open(tmp_path / name) as made, Image.open(pictures.FOLDER / name) as kept:
            assert made.size == kept.size, name
            assert len(made.getcolors() or ()) > 64, "it shows something"
