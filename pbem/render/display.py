"""The goods display: one row per die number, cubes queueing towards their City."""

from collections import Counter
from collections.abc import Mapping

from pbem.rails.scene import DisplayRow
from pbem.render import palette as p
from pbem.render.head import shortened
from pbem.render.signs import chip, cube, hexagon, slot
from pbem.render.sketch import Sketch
from pbem.render.text import write
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
