"""The goods display: one row per die number, cubes queueing towards their City."""

from __future__ import annotations

from collections import Counter
from collections.abc import Mapping

from PIL import Image, ImageDraw

from pbem.rails.scene import DisplayRow
from pbem.render import palette as p
from pbem.render.canvas import paste
from pbem.render.head import shortened
from pbem.render.signs import chip, cube, hexagon, slot
from pbem.render.text import write
from pbem.render.type import fitted, halves, width

TITLE = 46
CUBE, STEP, SLOT = 26, 28, 19
WIDE_ROW, TALL_ROW = 40, 36


def half_height(rows: tuple[DisplayRow, ...], row: int) -> int:
    """The height of one half in px, 0 for a half without a column."""
    return TITLE + row * len(rows) if rows else 0


def draw_half(
    page: Image.Image,
    rows: tuple[DisplayRow, ...],
    title: str,
    place: tuple[int, int],
    wide: int,
    row: int,
    grown: Mapping[str, tuple[str, ...]],
) -> None:
    """One half of the display with its left upper corner at ``place``; ``grown``: new cubes by column."""
    x, top = place
    draw = ImageDraw.Draw(page)
    write(page, (x, top + 18), title, "semibold", 22, p.INK, align="left")
    draw.rectangle((x, top + TITLE - 6, x + wide - 1, top + TITLE - 5), fill=p.RULE)
    boxes = max((len(one.boxes) for one in rows), default=0)
    extra = max((len(one.new_boxes) for one in rows), default=0)
    # cubes at the right: those of New Cities, their hexagon, those of printed Cities
    new_x = x + wide - extra * STEP
    city_x = new_x - (44 if any(one.new_letter for one in rows) else 0) - boxes * STEP
    for number, one in enumerate(rows):
        y = top + TITLE - 4 + number * row + row // 2
        _row(page, one, x, y, city_x, new_x, grown)
        if number < len(rows) - 1:
            below = top + TITLE - 5 + (number + 1) * row
            draw.rectangle((x, below, x + wide - 1, below), fill=p.RULE)


def _row(
    page: Image.Image, one: DisplayRow, x: int, y: int, city_x: int, new_x: int, grown: Mapping[str, tuple[str, ...]]
) -> None:
    mark = chip(28, one.chip[1:] or one.chip, dark=one.chip.startswith("D"))
    paste(page, mark, x + 13, y)
    _bar(page, one.colours, x + 32, y)
    _name(page, one.name, x + 44, y, city_x - x - 48)
    _boxes(page, one.boxes, city_x, y, grown.get(one.chip, ()))
    if one.new_letter:
        paste(page, hexagon(31, one.new_letter, one.new_colours, on_board=one.new_on_board), new_x - 22, y)
        _boxes(page, one.new_boxes, new_x, y, grown.get(one.new_letter, ()))


def _bar(page: Image.Image, colours: tuple[str, ...], x: int, y: int) -> None:
    draw = ImageDraw.Draw(page)
    step = 26 / max(1, len(colours))
    for i, colour in enumerate(colours):
        good = p.GOODS[colour]
        top, bottom = round(y - 13 + i * step), round(y - 13 + (i + 1) * step) - 1
        draw.rectangle((x, top, x + 4, bottom), fill=good.fill, outline=good.edge if colour == "white" else None)


def _name(page: Image.Image, name: str, x: int, y: int, room: float) -> None:
    if width(name, "medium", 20) <= room:
        write(page, (x, y), name, "medium", 20, p.INK, align="left")
        return
    lines = halves(name)
    if lines is None:
        size = fitted(name, "medium", 17, room, 15)
        write(page, (x, y), shortened(name, "medium", size, room), "medium", size, p.INK, align="left")
        return
    for line, off in zip(lines, (-8, 9), strict=True):
        size = fitted(line, "medium", 17, room, 15)
        write(page, (x, y + off), shortened(line, "medium", size, room), "medium", size, p.INK, align="left")


def _boxes(page: Image.Image, boxes: tuple[str | None, ...], x: int, y: int, grown: tuple[str, ...]) -> None:
    left = Counter(grown)
    for number, colour in enumerate(boxes):
        middle = x + number * STEP + STEP // 2
        if colour is None:
            paste(page, slot(SLOT), middle, y)
            continue
        fresh = left[colour] > 0
        left[colour] -= fresh
        paste(page, cube(CUBE - 4, colour, p.GLOW) if fresh else cube(CUBE, colour), middle, y)
