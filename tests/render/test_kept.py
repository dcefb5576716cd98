"""Of a picture only what differs from the one before is drawn: the result is the same to the byte."""

from __future__ import annotations

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
from pbem.render.deflate import BAND, KNOWN, ROWS, SECTION, Deflated, Rows, deflated, first_row, section_of
from pbem.render.encode import file_of, scene_palette
from pbem.render.hex_labels import HexLabels
from pbem.render.kept import DrawnPicture, Gallery, differing, merged
from pbem.render.kept import drawn as drawn_with_rows
from pbem.render.large_labels import PlacedLabel
from pbem.render.page import laid_out, map_sketch, page_sketch
from pbem.render.palette import GLOW, INK, PAPER, Colour
from pbem.render.places import Layout, Places
from pbem.render.signs import cube
from pbem.render.sketch import Box, Sketch
from pbem.render.type import mask
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


def test_little_is_drawn_where_little_differs(monkeypatch: pytest.MonkeyPatch) -> None:
    areas: list[int] = []
    cut = Sketch.cut

    def noted(sketch: Sketch, box: Box) -> Image.Image:
        areas.append((box[2] - box[0]) * (box[3] - box[1]))
        return cut(sketch, box)

    colours, scene = scene_palette(late()), late()
    before = drawn(page_sketch(scene), colours)
    monkeypatch.setattr(Sketch, "cut", noted)
    drawn(page_sketch(replace(scene, headline="Ana moves goods, round 2 of 2")), colours, before)
    assert 0 < sum(areas) < 40_000


def test_any_part_of_a_picture_can_be_drawn_alone() -> None:
    sketch = page_sketch(delivered(late()))
    whole = sketch.picture()
    for box in ((0, 0, 40, 30), (300, 500, 777, 801), (1390, 1400, 1400, whole.height), (600, 160, 601, 161)):
        assert sketch.cut(box).tobytes() == whole.crop(box).tobytes()


def test_labels_are_placed_anew_only_where_something_changed(monkeypatch: pytest.MonkeyPatch) -> None:
    anew: list[str] = []
    placed = HexLabels._placed

    def noted(labels: HexLabels, label: str) -> PlacedLabel:
        anew.append(label)
        return placed(labels, label)

    scene = late()
    frame = laid_out(scene).frame
    before = Places(scene, frame)
    assert len(before.labels) > 50
    monkeypatch.setattr(HexLabels, "_placed", noted)
    assert Places(scene, frame, before=before.layout).labels == before.labels
    assert anew == []
    label = before.labels[7].label
    loaded = replace(scene, cubes={**scene.cubes, label: ("red", "blue")})
    moved = Places(loaded, frame, before=before.layout).labels
    assert label in anew
    assert len(anew) < 5
    assert moved == Places(loaded, frame).labels != before.labels


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


def test_nothing_differs_between_a_sketch_and_itself() -> None:
    assert differing(page_sketch(late()).laid(), page_sketch(late()).laid()) == set()


def test_what_is_made_anew_counts_as_the_same_when_it_looks_the_same() -> None:
    assert cube.__wrapped__(20, "red").key == cube(20, "red").key != cube(20, "blue").key
    assert mask.__wrapped__("Ana", "medium", 20).key == mask("Ana", "medium", 20).key != mask("Ben", "medium", 20).key


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


def test_only_bands_that_changed_or_follow_a_change_are_compressed_anew() -> None:
    rows = bytes((x * y) % 7 for y in range(4 * BAND) for x in range(50))
    first = deflated(rows, 50)
    last_row = 2 * BAND - 1
    changed = rows[: 50 * last_row] + bytes(50) + rows[50 * (last_row + 1) :]
    second = with_row(first, last_row, bytes(50))
    assert second == deflated(changed, 50)
    assert [one is other for one, other in zip(first.bands, second.bands, strict=True)] == [True, False, False, True]


def test_a_section_is_compressed_without_the_rows_before_it() -> None:
    end = first_row(2)
    rows = bytes((x * y) % 7 for y in range(end + BAND + 1) for x in range(50))
    first = deflated(rows, 50)
    second = with_row(first, end - 1, bytes(50))
    assert zlib.decompress(second.zlib()) == rows[: 50 * (end - 1)] + bytes(50) + rows[50 * end :]
    same = [one is other for one, other in zip(first.bands, second.bands, strict=True)]
    assert same == [True] * (end // BAND - 1) + [False, True, True]


def with_row(before: Deflated, number: int, row: bytes) -> Deflated:
    """The rows with another one in the place of that one."""
    rows, section = Rows(before), section_of(number)
    at = before.wide * (number - first_row(section))
    rows.unpack([(number, number + 1)])
    rows.section(section)[at : at + before.wide] = row
    return rows.redone([number])


def test_a_gallery_keeps_so_many_bytes_of_the_pictures_asked_for_last() -> None:
    colours = PAPER, INK
    gallery = Gallery(room=2 * drawn(cubes("black"), colours).weight)
    for name in ("one", "two", "one", "three"):
        gallery.png(name, cubes("black"), colours)
    names = [place[0] for place in gallery._kept if isinstance(place, tuple)]
    assert names == ["one", "three"]


def test_rows_are_had_from_their_bands_again() -> None:
    rows = bytes((x * y) % 7 for y in range(2 * ROWS + BAND + 5) for x in range(50))
    sections = [deflated(rows, 50).section(number) for number in range(3)]
    assert b"".join(sections) == rows


def unpacking(monkeypatch: pytest.MonkeyPatch) -> list[int]:
    """Which sections are unpacked, as soon as they are."""
    unpacked: list[int] = []
    section = Deflated.section

    def noted(pixels: Deflated, number: int, bands: int) -> bytearray:
        unpacked.append(number)
        return section(pixels, number, bands)

    monkeypatch.setattr(Deflated, "section", noted)
    return unpacked


def test_rows_that_change_stay_unpacked_in_the_last_picture_alone(monkeypatch: pytest.MonkeyPatch) -> None:
    unpacked = unpacking(monkeypatch)
    colours, gallery = (PAPER, INK), Gallery()
    gallery.png("red", cubes("red"), colours)
    gallery.png("black", cubes("black"), colours)
    two = gallery.png("black", cubes("black", "black"), colours)
    gallery.png("black", cubes("black", "black", "black"), colours)
    assert unpacked == [0]
    gallery.png("red", cubes("red", "red"), colours)
    assert unpacked == [0, 0]
    assert gallery.png("black", cubes("black", "black"), colours) == two
    assert unpacked == [0, 0, 0]


def test_only_what_changes_of_a_picture_is_unpacked(monkeypatch: pytest.MonkeyPatch) -> None:
    colours, scene = scene_palette(late()), late()
    before = drawn(page_sketch(scene), colours)
    unpacked = unpacking(monkeypatch)
    drawn(page_sketch(replace(scene, headline="Ana moves goods, round 2 of 2")), colours, before)
    assert unpacked == [0]


def test_a_section_is_unpacked_no_further_than_to_what_changes_and_what_depends_on_it() -> None:
    rows = bytes((x * y) % 7 for y in range(first_row(2)) for x in range(50))
    first, start = deflated(rows, 50), first_row(1)
    for row, bands in (
        (start, 1),
        (start + BAND - KNOWN - 1, 1),
        (start + BAND - KNOWN, 2),
        (first_row(2) - 1, SECTION),
    ):
        opened = Rows(first)
        opened.unpack([(row, row + 1)])
        assert bytes(opened.section(1)) == rows[50 * start : 50 * (start + bands * BAND)]
    opened = Rows(first)
    opened.unpack([(start, start + 1)])
    opened.unpack([(start + BAND, start + 2 * BAND)])
    assert len(opened.section(1)) == 50 * 3 * BAND


def test_nothing_is_unpacked_for_a_picture_that_is_the_one_before(monkeypatch: pytest.MonkeyPatch) -> None:
    colours, gallery = (PAPER, INK), Gallery()
    first = gallery.png("red", cubes("red"), colours)
    gallery.png("black", cubes("black"), colours)
    monkeypatch.delattr(Deflated, "section")
    assert gallery.png("red", cubes("red"), colours) == first


def test_sections_follow_one_another_and_the_headline_ends_the_first() -> None:
    numbers = [section_of(row) for row in range(1500)]
    assert numbers == sorted(numbers)
    sections = range(numbers[-1] + 1)
    assert [numbers.index(number) for number in sections] == [first_row(number) for number in sections]
    assert {first_row(number) % BAND for number in sections} == {0}
    headline = replace(late(), headline="Ana moves goods, round 2 of 2")
    touched = differing(page_sketch(late()).laid(), page_sketch(headline).laid())
    assert {section_of(bottom - 1) for _, _, _, bottom in touched} == {0}
    assert max(bottom for _, _, _, bottom in touched) > first_row(1) - KNOWN


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


def test_a_picture_larger_than_the_room_is_kept_alone() -> None:
    gallery = Gallery(room=1)
    for name in ("one", "two"):
        gallery.png(name, cubes("black"), (PAPER, INK))
    assert len(gallery._kept) == 1


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
