"""The goods display: one row per die number, cubes queueing towards their City."""

from collections import Counter
from collections.abc import Mapping
from functools import lru_cache

from pbem.engine import say
from pbem.language.voice import spoken
from pbem.rails.scene import DisplayRow, Scene
from pbem.render import palette as p
from pbem.render.canvas import Canvas, Part
from pbem.render.geometry import polar
from pbem.render.head import shortened
from pbem.render.signs import chip, cube, hexagon, slot
from pbem.render.sketch import Sketch, write
from pbem.render.type import fitted, halves, width

TITLE = 46
CUBE, STEP, SLOT, HEXAGON, NAME_X = 26, 28, 19, 44, 44
WIDE_ROW, TALL_ROW = 40, 36


def half_height(rows: tuple[DisplayRow, ...], row: int) -> int:
    """The height of one half in px, 0 for a half without a column."""
    return TITLE + row * len(rows) if rows else 0


def draw_half(
    page: Sketch,
    rows: tuple[DisplayRow, ...],
    title: str,
    place: tuple[int, int],
    wide: int,
    row: int,
    grown: Mapping[str, tuple[str, ...]],
) -> None:
    """One half of the display with its left upper corner at ``place``; ``grown``: new cubes by column."""
    x, top = place
    write(page, (x, top + 18), title, "semibold", 22, p.INK, align="left")
    page.rectangle((x, top + TITLE - 6, x + wide - 1, top + TITLE - 5), p.RULE)
    city_x, new_x = x + wide - boxes_width(rows), x + wide - max((len(one.new_boxes) for one in rows), default=0) * STEP
    for number, one in enumerate(rows):
        y = top + TITLE - 4 + number * row + row // 2
        _row(page, one, x, y, city_x, new_x, grown)
        if number < len(rows) - 1:
            below = top + TITLE - 5 + (number + 1) * row
            page.rectangle((x, below, x + wide - 1, below), p.RULE)


def boxes_width(rows: tuple[DisplayRow, ...]) -> int:
    """The width in px of the boxes of a half: those of printed Cities, the hexagons, those of New Cities."""
    boxes = max((len(one.boxes) for one in rows), default=0) + max((len(one.new_boxes) for one in rows), default=0)
    return boxes * STEP + (HEXAGON if any(one.new_letter for one in rows) else 0)


def _row(
    page: Sketch, one: DisplayRow, x: int, y: int, city_x: int, new_x: int, grown: Mapping[str, tuple[str, ...]]
) -> None:
    mark = chip(28, one.chip[1:] or one.chip, dark=one.chip.startswith("D"))
    page.lay(mark, x + 13, y)
    _bar(page, one.colours, x + 32, y)
    _name(page, one.name, x + NAME_X, y, city_x - x - NAME_X - 4)
    _boxes(page, one.boxes, city_x, y, grown.get(one.chip, ()))
    if one.new_letter:
        page.lay(hexagon(31, one.new_letter, one.new_colours, on_board=one.new_on_board), new_x - 22, y)
        _boxes(page, one.new_boxes, new_x, y, grown.get(one.new_letter, ()))


def _bar(page: Sketch, colours: tuple[str, ...], x: int, y: int) -> None:
    step = 26 / max(1, len(colours))
    for i, colour in enumerate(colours):
        good = p.GOODS[colour]
        top, bottom = round(y - 13 + i * step), round(y - 13 + (i + 1) * step) - 1
        page.rectangle((x, top, x + 4, bottom), good.fill)
        if colour == "white":
            page.frame((x, top, x + 4, bottom), good.edge)


def name_lines(name: str, room: float) -> list[tuple[str, float]]:
    """A name on one line or two of at most ``room`` px, each with its type size; cut only where nothing else fits."""
    if width(name, "medium", 20) <= room:
        return [(name, 20.0)]
    lines = halves(name) or (name,)
    sizes = [fitted(line, "medium", 17, room, 15) for line in lines]
    return [(shortened(line, "medium", size, room), size) for line, size in zip(lines, sizes, strict=True)]


def _name(page: Sketch, name: str, x: int, y: int, room: float) -> None:
    lines = name_lines(name, room)
    for (line, size), off in zip(lines, (-8, 9) if len(lines) > 1 else (0,), strict=True):
        write(page, (x, y + off), line, "medium", size, p.INK, align="left")


def _boxes(page: Sketch, boxes: tuple[str | None, ...], x: int, y: int, grown: tuple[str, ...]) -> None:
    left = Counter(grown)
    for number, colour in enumerate(boxes):
        middle = x + number * STEP + STEP // 2
        if colour is None:
            page.lay(slot(SLOT), middle, y)
            continue
        fresh = left[colour] > 0
        left[colour] -= fresh
        page.lay(cube(CUBE - 4, colour, p.GLOW) if fresh else cube(CUBE, colour), middle, y)


CUBES, TILES = 48, 40
STOCKED, TILE, COUNT = 30, 13, 24
"""The side of a cube and the radius of a tile in px."""


def supply_height(scene: Scene) -> int:
    return TITLE + CUBES + (TILES if scene.left_over else 0) if scene.stock else 0


def draw_supply(page: Sketch, scene: Scene, x: int, y: int, wide: int) -> None:
    # TRANSLATORS: Cubes that are not on the board.
    write(page, (x, y + 18), spoken(say("Stock")), "semibold", 22, p.INK, align="left")
    write(page, (x + wide - 4, y + 19), scene.bag, "regular", 19, p.MUTED, align="right")
    page.rectangle((x, y + TITLE - 6, x + wide - 1, y + TITLE - 5), p.RULE)
    middle = y + TITLE + CUBES // 2
    step = min(wide / len(scene.stock), 120.0)
    for number, (colour, count) in enumerate(scene.stock):
        left = round(x + 4 + number * step)
        page.lay(cube(STOCKED, colour), left + STOCKED // 2, middle)
        write(page, (left + STOCKED + 10, middle), str(count), "medium", 24, p.INK, align="left")
    if scene.left_over:
        _tiles(page, scene, x, middle + (CUBES + TILES) // 2, wide)


def _tiles(page: Sketch, scene: Scene, x: int, y: int, wide: int) -> None:
    label = spoken(say("City tiles left over"))
    size = fitted(label, "regular", 18, wide - 22 - len(set(scene.left_over)) * (2 * TILE + COUNT), 11)
    left = x + write(page, (x, y), label, "regular", size, p.MUTED, align="left") + 22
    step: float = 2 * TILE + 6
    if left + step * len(scene.left_over) <= x + wide:
        for number, colour in enumerate(scene.left_over):
            page.lay(_tile(colour), round(left + number * step), y)
        return
    counted = Counter(scene.left_over)
    step = (x + wide - left) / len(counted)
    for number, (colour, count) in enumerate(counted.items()):
        page.lay(_tile(colour), round(left + number * step), y)
        write(page, (left + number * step + TILE + 5, y), str(count), "medium", 20, p.INK, align="left")


@lru_cache(maxsize=16)
def _tile(colour: str) -> Part:
    good = p.GOODS[colour]
    canvas = Canvas(2 * TILE + 4, 2 * TILE + 4, scale=4)
    for radius, fill in ((TILE, p.INK), (TILE - 1.6, good.fill)):
        canvas.polygon([polar(radius, 60 * i) for i in range(6)], fill)
    canvas.text((0, 0), good.letter, "bold", 15, good.on)
    return canvas.part()
