"""The pictures of emails: small files whose names can be read where a phone shows them 390 px wide."""

from html import escape
from io import BytesIO

import pytest
from PIL import Image

from pbem.engine import replace
from pbem.render import letter, letter_png
from pbem.render.canvas import Ground
from pbem.render.cities import _sign
from pbem.render.geometry import Lattice
from pbem.render.head import BAND
from pbem.render.labels import label_size
from pbem.render.names import name_size
from pbem.render.palette import TRIAL
from pbem.render.plates import Plate
from pbem.render.svg import svg
from tests.render.scenes import SLUGS, built, delivered, late

PHONE = 390
"""How wide phones show an email, in the px of style sheets."""
NAME, LABEL = 8.0, 5.0
"""The smallest type of names and of hex labels there that is still read, in the same px."""


def on_a_phone(px: float) -> float:
    return px * PHONE / letter.WIDTH


@pytest.mark.parametrize("slug", SLUGS)
def test_names_and_labels_can_be_read_on_a_phone(slug: str) -> None:
    scene = late(slug)
    lattice: Lattice = letter.lattice_of(scene)
    sizes = {
        city.name: _sign(lattice, Plate(city.name, city.colours, city.chips, city.cubes, city.kind, city.letter)).size
        for city in scene.cities
        if city.name
    }
    assert min(on_a_phone(size) for size in sizes.values()) >= NAME, sizes
    assert on_a_phone(name_size(lattice)) >= NAME
    assert on_a_phone(label_size(lattice)) >= LABEL


@pytest.mark.parametrize("slug", SLUGS)
def test_all_that_is_laid_lies_in_the_picture(slug: str) -> None:
    """Names of Cities at the edge of a board are wider than their hexes."""
    sketch = letter.letter_sketch(delivered(late(slug)))
    assert sketch.width == letter.WIDTH
    boxes = {touch[2:] for touch in sketch.touches if not isinstance(touch[0], Ground)}  # which has a rim of paper
    assert min(left for left, _, _, _ in boxes) >= 0
    assert max(right for _, _, right, _ in boxes) <= sketch.width
    assert max(bottom for _, _, _, bottom in boxes) <= sketch.height


@pytest.mark.parametrize("slug", SLUGS)
def test_a_late_picture_is_half_as_large_as_that_of_the_page(slug: str) -> None:
    scene = built(late(slug))
    assert len(letter_png(scene)) <= 100_000
    if slug == "rust_belt":
        assert len(letter_png(scene)) <= 80_000


def test_it_holds_what_an_email_does_not_say_in_words() -> None:
    """The players as the key to the colours of track, the goods display, the key of the map; no table of players."""
    scene = late()
    drawn = svg(letter.letter_sketch(scene))
    for word in (scene.title, *(escape(row.name) for row in scene.players), "Goods display", "unfinished", "Chicago"):
        assert word in drawn
    for word in ("Cash", "Income", scene.headline, scene.subtitle):
        assert word not in drawn


def test_a_trial_says_so_across_the_top() -> None:
    tried = replace(late(), trial="A trial")
    picture = Image.open(BytesIO(letter_png(tried))).convert("RGB")
    assert TRIAL in {colour for _, colour in picture.crop((0, 0, picture.width, BAND)).getcolors(99_999) or ()}
    usual = Image.open(BytesIO(letter_png(late()))).convert("RGB")
    assert picture.height == usual.height + BAND
