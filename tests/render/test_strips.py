"""Strips of a picture that were drawn before are taken as they are: the result is the same to the byte."""

import zlib
from collections import deque
from collections.abc import Iterator
from io import BytesIO

import pytest
from PIL import Image

from pbem.engine import Sheet, State, Step, replace
from pbem.rails.scene import Scene
from pbem.render import board_png, letter_png, strips
from pbem.render.encode import rows
from pbem.render.page import page_sketch
from pbem.render.palette import GLOW, INK, PAPER, Colour
from pbem.render.signs import cube
from pbem.render.sketch import Box, Sketch, Touch
from pbem.render.strips import KNOWN, ROWS, png
from tests.every_map.games import deal, every_sheet, seed_of
from tests.every_map.random_player import RandomPlayer
from tests.render.scenes import SLUGS, built, delivered, late, opening

BEGUN, POSITIONS = 45, 3
"""How far a game is, if it lasts so long, when its pictures are compared, and how many of them there are."""


@pytest.fixture(autouse=True)
def drawn(monkeypatch: pytest.MonkeyPatch) -> list[Box]:
    """Nothing is kept of other tests; the boxes of strips that were drawn since."""
    boxes: list[Box] = []
    draw = Sketch.drawn

    def noted(box: Box, touches: list[Touch]) -> Image.Image:
        boxes.append(box)
        return draw(box, touches)

    monkeypatch.setattr(Sketch, "drawn", staticmethod(noted))
    strips.forget()
    return boxes


def in_a_row(sheet: Sheet) -> Iterator[Scene]:
    """The pictures of a game one order after the other, each with what its order changed."""
    states, players = deque([deal(sheet, 1)], maxlen=POSITIONS + 1), RandomPlayer(sheet, seed_of(1), rash=False)
    steps = deque[Step[State]](maxlen=POSITIONS)
    for _ in range(BEGUN + POSITIONS):
        if sheet.over(states[-1]):
            break
        steps.append(players.play(states[-1])[1])
        states.append(steps[-1].state)
    for before, step in zip(states, steps, strict=False):
        yield sheet.scene(step.state, subtitle="a test", marks=sheet.marks(before, step.state, step.events))


def compare(scenes: list[Scene], drawn: list[Box]) -> None:
    """Draw them one after the other and each from nothing; somewhere strips were taken from the one before."""
    after = [letter_png(scene) for scene in scenes]
    with_others = len(drawn)
    drawn.clear()
    for scene, picture in zip(scenes, after, strict=True):
        strips.forget()
        assert letter_png(scene) == picture
    assert with_others < len(drawn)


@pytest.mark.parametrize("sheet", every_sheet())
def test_a_picture_drawn_after_others_is_the_one_drawn_from_nothing(sheet: Sheet, drawn: list[Box]) -> None:
    compare(list(in_a_row(sheet)), drawn)


@pytest.mark.parametrize("slug", SLUGS)
def test_so_it_is_between_positions_that_have_little_in_common(slug: str, drawn: list[Box]) -> None:
    compare([late(slug), delivered(late(slug)), built(late(slug)), opening(slug)], drawn)


def test_little_is_drawn_where_little_differs(drawn: list[Box]) -> None:
    board_png(late())
    drawn.clear()
    board_png(replace(late(), headline="Ana moves goods, round 2 of 2"))
    assert {bottom <= 4 * ROWS for _, _, _, bottom in drawn} == {True}
    drawn.clear()
    board_png(late())
    assert not drawn


def cubes(*colours: str) -> Sketch:
    """Cubes one over the other, each a little beside the one before."""
    sketch = Sketch(60, 60)
    for number, colour in enumerate(colours):
        sketch.lay(cube(20, colour), 20 + 6 * (number % 3), 30)
    return sketch


@pytest.mark.parametrize(
    "after",
    [("blue", "red"), ("red",), ("red", "blue", "red", "blue"), ("red", "blue", "yellow", "red"), ()],
)
def test_order_and_number_of_what_is_laid_are_seen(after: tuple[str, ...]) -> None:
    colours: tuple[Colour, ...] = (PAPER, INK, GLOW, (198, 47, 27), (15, 83, 183), (242, 190, 20))
    alone = png(cubes(*after), colours)
    strips.forget()
    before = png(cubes("red", "blue"), colours)
    assert png(cubes(*after), colours) == alone != before


@pytest.mark.parametrize("height", [1, KNOWN, ROWS - 1, ROWS, ROWS + 1, 3 * ROWS + 5])
def test_any_reader_reads_the_strips(height: int) -> None:
    sketch = Sketch(50, height)
    for row in range(0, height, 3):
        sketch.rectangle((row % 50, row, 49, row), INK)
    with Image.open(BytesIO(png(sketch, (PAPER, INK)))) as shown:
        assert shown.convert("RGB").tobytes() == sketch.picture().tobytes()


def test_the_checksum_is_that_of_all_rows() -> None:
    sketch = page_sketch(late())
    whole = png(sketch, (PAPER, INK, GLOW))
    start = whole.index(b"IDAT") + 4
    length = int.from_bytes(whole[start - 8 : start - 4], "big")
    assert zlib.decompress(whole[start : start + length]) == rows(sketch.picture(), (PAPER, INK, GLOW))
