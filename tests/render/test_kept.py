"""Of a picture only what differs from the one before is drawn: the result is the same to the byte."""

import zlib
from collections import deque
from collections.abc import Iterator
from dataclasses import replace
from io import BytesIO
from itertools import pairwise

import pytest
from PIL import Image

from pbem.engine.phase import Step
from pbem.engine.sheet import Sheet, State
from pbem.rails.scene import Scene
from pbem.render import board_png, kept, map_png, page
from pbem.render.boards import Boards
from pbem.render.deflate import BAND, KNOWN, deflated
from pbem.render.encode import file_of, scene_palette
from pbem.render.kept import DrawnPicture, Gallery, differing, merged
from pbem.render.kept import drawn as drawn_with_rows
from pbem.render.page import laid_out, map_sketch, page_sketch
from pbem.render.palette import GLOW, INK, PAPER, Colour
from pbem.render.places import Layout, Places
from pbem.render.signs import cube
from pbem.render.sketch import Sketch
from tests.every_map.games import deal, every_sheet, seed_of
from tests.every_map.random_player import RandomPlayer
from tests.render.scenes import SLUGS, built, delivered, late, opening

BEGUN, POSITIONS = 45, 8
"""How far a game is, if it lasts so long, when its pictures are compared, and how many of them there are."""


def drawn(sketch: Sketch, colours: tuple[Colour, ...], before: DrawnPicture | None = None) -> DrawnPicture:
    """The sketch drawn over what was before."""
    return drawn_with_rows(sketch, colours, before)[0]


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


def compare(scenes: list[Scene]) -> int:
    """Draw each over the one before and from nothing; in how many cases something was there to be drawn over."""
    before, palette, over = None, None, 0
    layout: Layout | None = None
    for scene in scenes:
        sketch, colours = page_sketch(scene), scene_palette(scene)
        layout = labels_stand_where_they_do_alone(scene, layout)
        fresh = drawn(sketch, colours)
        if before and palette == colours and before.pixels.high == fresh.pixels.high:
            after = drawn(sketch, colours, before)
            assert after.pixels == fresh.pixels
            assert file_of(after.pixels, colours) == file_of(fresh.pixels, colours)
            over += 1
        before, palette = fresh, colours
    return over


def labels_stand_where_they_do_alone(scene: Scene, before: Layout | None) -> Layout:
    """Place labels and names with those of another picture at hand; how they stand now."""
    frame = laid_out(scene).frame
    alone, after = Places(scene, frame), Places(scene, frame, before=before)
    assert after.labels == alone.labels
    assert after.names == alone.names
    assert after.coins == alone.coins
    return after.layout


@pytest.mark.parametrize("sheet", every_sheet())
def test_a_picture_drawn_over_the_one_before_is_the_one_drawn_from_nothing(sheet: Sheet) -> None:
    assert compare(list(in_a_row(sheet))) > 0


@pytest.mark.parametrize("slug", SLUGS)
def test_so_it_is_between_positions_that_have_little_in_common(slug: str) -> None:
    scenes = [late(slug), delivered(late(slug)), built(late(slug)), opening(slug), late(slug)]
    assert compare(scenes) > 1


def test_a_map_alone_is_drawn_over_the_one_before_too() -> None:
    colours = scene_palette(late())
    before = drawn(map_sketch(delivered(late())), colours)
    assert drawn(map_sketch(built(late())), colours, before).pixels == drawn(map_sketch(built(late())), colours).pixels


def test_any_part_of_a_picture_can_be_drawn_alone() -> None:
    sketch = page_sketch(delivered(late()))
    whole = sketch.picture()
    for box in ((0, 0, 40, 30), (300, 500, 777, 801), (1390, 1400, 1400, whole.height), (600, 160, 601, 161)):
        assert sketch.cut(box).tobytes() == whole.crop(box).tobytes()


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
    colours = (PAPER, INK, GLOW, (198, 47, 27), (15, 83, 183), (242, 190, 20))
    before = drawn(cubes("red", "blue"), colours)
    assert drawn(cubes(*after), colours, before).pixels == drawn(cubes(*after), colours).pixels
    assert differing(cubes("red", "blue").laid(), cubes(*after).laid())


def test_merged_boxes_cover_all_that_is_in_the_picture_and_nothing_outside() -> None:
    boxes = [(-20, -20, 10, 10), (5, 5, 30, 30), (500, 500, 900, 900), (880, 10, 890, 20), (2000, 0, 2100, 50)]
    found = merged(boxes, (800, 800))
    assert all(0 <= left < right <= 800 and 0 <= top < low <= 800 for left, top, right, low in found)
    for left, top, right, low in ((0, 0, 10, 10), (5, 5, 30, 30), (500, 500, 800, 800)):
        assert any(a <= left and b <= top and c >= right and d >= low for a, b, c, d in found)
    assert sum((c - a) * (d - b) for a, b, c, d in found) < 100_000


@pytest.mark.parametrize("height", [1, KNOWN, BAND - 1, BAND, BAND + 1, 3 * BAND + 5])
def test_rows_are_compressed_in_bands_that_any_reader_reads(height: int) -> None:
    rows = bytes((x * y) % 7 for y in range(height) for x in range(50))
    found = deflated(rows, 50)
    assert zlib.decompress(found.zlib()) == rows
    assert len(found.bands) == -(-height // BAND)


def test_a_gallery_keeps_so_many_bytes_of_the_pictures_asked_for_last() -> None:
    colours = PAPER, INK
    gallery = Gallery(room=2 * drawn(cubes("black"), colours).weight)
    for name in ("one", "two", "one", "three"):
        gallery.png(name, cubes("black"), colours)
    names = [place[0] for place in gallery._kept if isinstance(place, tuple)]
    assert names == ["one", "three"]


def test_a_game_is_drawn_over_its_own_last_picture_whoever_leads(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "PICTURES", Gallery())
    scene = late()
    turned = replace(scene, players=scene.players[::-1])
    for one in (scene, turned):
        board_png(one)
        board_png(one, "one")
    assert len(page.PICTURES._kept) == 2
    board_png(scene, "another")
    assert len(page.PICTURES._kept) == 3


def test_pictures_of_other_sizes_and_palettes_are_not_drawn_over(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "PICTURES", Gallery())
    shown = [board_png(late()), map_png(late()), board_png(replace(late(), notes=("One more note.",) * 4))]
    sizes = {Image.open(BytesIO(png)).size for png in shown}
    assert len(sizes) == 3
    assert len(page.PICTURES._kept) == 3
    assert kept.ROOM < 15_000_000


def test_a_change_of_one_figure_is_seen_in_the_file() -> None:
    scenes = [late(), replace(late(), turn=6), late()]
    files = [board_png(scene) for scene in scenes]
    assert files[0] == files[2]
    assert all(one != other for one, other in pairwise(files))


def test_a_board_is_laid_out_as_if_no_other_had_been_before(monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(page, "BOARDS", Boards())
    scenes = [late(), replace(late(), headline="Red pays", phase=0), delivered(late()), opening("rust_belt"), late()]
    after = [page_sketch(scene).touches for scene in scenes]
    for scene, touches in zip(scenes, after, strict=True):
        page.BOARDS.clear()
        assert page_sketch(scene).touches == touches
