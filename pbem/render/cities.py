"""Cities as station signs: an enamelled hex, what it accepts, its name on white, its cubes in a tray."""

from collections import Counter
from functools import lru_cache
from math import ceil
from typing import NamedTuple

from pbem.engine import Value, replace
from pbem.render import palette as p
from pbem.render.canvas import Canvas, Part, Point
from pbem.render.geometry import ROOT3, Lattice, polar
from pbem.render.plates import Plate
from pbem.render.signs import (
    chip_width,
    draw_chip,
    draw_coin,
    draw_cube,
    draw_disc,
    draw_hexagon,
    draw_pill,
    pill_width,
)
from pbem.render.type import CAP, halves, width

SCALE = 3
SIGN_PAD, SIGN_BORDER = 0.075, 0.03
TRAY_PAD, CUBE_GAP = 0.05, 0.04
WORDS = 0.8
"""The height of a pill with words, of the head's."""
LEAST_DIE, LEAST_DIE_CROWDED = 17.6, 15.6
"""Dice of a page are at least so many px high: in an email 600 px wide their digits have 5, beside many cubes 4.4."""
TIGHT = 0.9
"""The height of a name's sign over two rows of cubes, of the usual one."""
SIDES = (1.0, 0.95, 0.9, 0.85, 0.8, 0.75, 0.7, 0.65, 0.6)
"""How large cubes can be, of the usual size: as large as fits."""
SMALL = 36
"""Hexes of a smaller radius in px are those of small pictures."""
NAME, LEAST_HEAD = 15.0, 11.0
"""In pictures of emails, which a phone shows 390 px wide of 700: the size of names, and the height of what stands above
them. What stands on a City may cover the land around it there."""
HEAD_TOP = 0.84
"""How far above the middle of a City it begins there at the most, in hex radii: its head lies on the plate."""
NAME_WIDE, NAME_BESIDE = 3.8, 2.6
"""The widths from which names stand there in two lines, in hex radii; the second beside another City."""
Odd = tuple[int, int]
"""Whether the middle of a City lies on an odd px of its canvas, across and down: 1 or 0."""


class _Sign(Value):
    lines: tuple[str, ...]
    size: float
    width: float
    height: float


def _sign(lattice: Lattice, plate: Plate) -> _Sign:
    """The name: shrunk if it is too long, then on two lines."""
    r = lattice.r
    limit = ((1.75 if lattice.flat else 1.6) if plate.beside_city else (2.25 if lattice.flat else 1.85)) * r
    full, small = max(17.0, 0.365 * r), max(15.0, 0.31 * r)
    if _close(lattice):
        full = small = NAME
        limit = (NAME_BESIDE if plate.beside_city else NAME_WIDE) * r
    elif r < SMALL:  # smaller pictures than any page: nothing is read there, only seen
        full, small = 0.365 * r, 0.31 * r
    pad = 2 * (SIGN_PAD + SIGN_BORDER) * r if plate.name else 0.0
    sizes = (full,) if plate.beside_city else (full, (full + small) / 2, small)
    for size in sizes:
        wide = width(plate.name, "bold", round(size, 1)) + pad
        if wide - pad <= limit:
            return _Sign((plate.name,), size, wide, 1.2 * size)
    lines = halves(plate.name)
    if lines is None:
        wide = width(plate.name, "bold", round(small, 1)) + pad
        return _Sign((plate.name,), small, wide, 1.2 * small)
    size = NAME if _close(lattice) else max(15.0, 0.325 * r) if r >= SMALL else 0.325 * r
    wide = max(width(line, "bold", round(size, 1)) for line in lines) + pad
    return _Sign(lines, size, wide, 1.98 * size)


def _close(lattice: Lattice) -> bool:
    """Whether names are written larger than hexes of this size have room for."""
    return lattice.legible and lattice.r < SMALL


class Item(NamedTuple):
    """What lies in a tray: a cube, the empty slot (no colour), or ``number`` cubes of a colour as one and a figure."""

    colour: str
    number: int = 1


class _Tray(Value):
    rows: tuple[tuple[Item, ...], ...]
    side: float
    width: float
    height: float


COUNTED = 9
"""With so many cubes a tray shows one of each colour and how many there are."""
DIGIT = 0.26
"""The room of a digit beside its cube, in hex radii."""


def tray_items(cubes: tuple[str, ...], *, gap: bool = False) -> list[Item]:
    """What a tray shows of its cubes: every one, or from ``COUNTED`` on how many there are of each colour."""
    items = [Item(colour) for colour in cubes]
    if len(cubes) >= COUNTED:
        items = [Item(colour, number) for colour, number in Counter(cubes).items()]
    return [*items, Item("")] if gap else items


def _tray(lattice: Lattice, plate: Plate, scale: float = 1.0) -> _Tray | None:
    cubes = plate.cubes or ()
    items = tray_items(cubes, gap=plate.gap)
    if not items:
        return None
    r, count = lattice.r, len(items)
    if len(cubes) >= COUNTED:
        share, first = 0.325, count if count < 3 else (count + 1) // 2
    elif count < 4:
        share, first = 0.40, count
    elif count < 7:
        share, first = 0.345, 4 if count == 4 else 3
    else:
        share, first = 0.325, 4
    rows = tuple(tuple(row) for row in (items[:first], items[first:]) if row)
    side, gap, pad = scale * share * r, CUBE_GAP * r, TRAY_PAD * r
    across = max(sum(_wide(r, item, side) for item in row) + (len(row) - 1) * gap for row in rows)
    return _Tray(rows, side, across + 2 * pad, len(rows) * side + (len(rows) - 1) * gap + 2 * pad)


def _wide(r: float, item: Item, side: float) -> float:
    return side if item.number == 1 else side + DIGIT * r * (0.7 + 0.6 * (item.number > 9))


class Furniture(Value):
    """The head, sign and tray of a City, each with its place from the middle of the City.

    ``boxes``: what covers the board: left, top, right, bottom of the sign and of the tray, from the middle.
    """

    parts: tuple[tuple[Part, int, int], ...]
    boxes: tuple[tuple[float, float, float, float], ...]


class _Block(NamedTuple):
    """What stands on a City from its top to its bottom: kinds and heights, and px between them."""

    rows: tuple[tuple[str, float], ...]
    gap: float
    sign: _Sign
    tray: _Tray | None

    @property
    def total(self) -> float:
        return sum(height for _, height in self.rows) + self.gap * (len(self.rows) - 1)


def _block(lattice: Lattice, plate: Plate, scale: float) -> _Block:
    r = lattice.r
    sign, tray = _sign(lattice, plate), _tray(lattice, plate, scale)
    crowded = tray is not None and len(tray.rows) == 2
    if crowded and plate.kind != "block":
        sign = replace(sign, height=TIGHT * sign.height)
    gap = (0.02 if crowded else 0.05) * r
    head = _head_height(plate, crowded) * r
    if head:
        head = max(head, _least_head(lattice, plate, scale, crowded=crowded))
    rows = [("head", head)] if head else []
    below = [*([("sign", sign.height)] if plate.name else []), *([("tray", tray.height)] if tray else [])]
    rows += below if lattice.flat else below[::-1]
    return _Block(tuple(rows), gap, sign, tray)


def _least_head(lattice: Lattice, plate: Plate, scale: float, *, crowded: bool) -> float:
    if plate.chips and lattice.r >= SMALL:
        return LEAST_DIE_CROWDED if crowded and scale < 0.85 else LEAST_DIE
    return LEAST_HEAD if _close(lattice) else 0.0


HIGHEST_BLOCK = 1.68
"""What stands on a City is at most so many hex radii high where its upper and lower side are open."""
OUT, HEAD_OUT, WALL_IN = 0.12, 0.03, 0.04
"""How far corners of a tray and of the head may stand out of a hex, and how far inside an impassable side they stay."""


def _fits(lattice: Lattice, plate: Plate, block: _Block) -> bool:
    """Whether head and tray lie on the plate, and on no impassable side."""
    r, total = lattice.r, block.total
    if len(plate.cubes or ()) and lattice.flat and total > HIGHEST_BLOCK * r:
        return False
    top = -total / 2
    for kind, height in block.rows:
        wide, out = 0.0, OUT
        if kind == "head" and not lattice.flat:
            wide, out = _head_wide(lattice, plate, height), HEAD_OUT
        elif kind == "tray" and block.tray is not None:
            wide = block.tray.width
        for edge in range(6) if wide else ():
            nx, ny = polar(1.0, lattice.bearing(edge))
            far = abs(nx) * wide / 2 + max(ny * top, ny * (top + height))
            if far > ROOT3 / 2 * r + (-WALL_IN if edge in plate.walls else out) * r:
                return False
        top += height + block.gap
    return True


@lru_cache(maxsize=384)
def furniture(lattice: Lattice, plate: Plate) -> Furniture:
    """All that stands on the enamel of a City: its cubes as large as they can be on the plate."""
    r = lattice.r
    blocks = (_block(lattice, plate, scale) for scale in ((1.0,) if _close(lattice) else SIDES))
    block = next((block for block in blocks if _fits(lattice, plate, block)), None)
    rows, gap, sign, tray = block or _block(lattice, plate, 1.0 if _close(lattice) else SIDES[-1])
    total = sum(height for _, height in rows) + gap * (len(rows) - 1)
    wide = max(2 * r, sign.width, tray.width if tray else 0)
    odd = round(wide / 2 + 4) % 2, round(max(total / 2, r) + 4) % 2
    top = max(-total / 2, -HEAD_TOP * r) if _close(lattice) else -total / 2
    parts, boxes = [], []
    for kind, height in rows:
        if kind == "head":
            unladen = replace(plate, cubes=None, amber=(), gap=False, walls=())
            parts.append(_head_part(lattice, unladen, top, height, odd))
        elif kind == "sign":
            boxes.append((-sign.width / 2, top, sign.width / 2, top + height))
            parts.append(_sign_part(lattice, sign, top, odd))
        elif tray is not None:
            boxes.append((-tray.width / 2, top, tray.width / 2, top + height))
            parts.append(_tray_part(lattice, tray, top, plate.amber, odd))
        top += height + gap
    return Furniture(tuple(parts), tuple(boxes))


def _head_wide(lattice: Lattice, plate: Plate, height: float) -> float:
    items = _head_items(lattice, plate, height)
    return sum(wide for _, _, wide in items) + 0.055 * lattice.r * (len(items) - 1)


def _strip(wide: float, top: float, height: float, odd: Odd) -> tuple[Canvas, int]:
    """A canvas for what lies between two heights, and where its middle is from that of the City.

    It lies an even number of px from a canvas of the whole City, so that on both a half is rounded to the same side.
    """
    across, down, middle = ceil(wide / 2 + 4), ceil(height / 2 + 6), round(top + height / 2)
    across += (across - odd[0]) % 2
    middle += (down - middle - odd[1]) % 2
    return Canvas(2 * across, 2 * down, scale=SCALE, origin=(across, down - middle)), middle


@lru_cache(maxsize=128)
def _head_part(lattice: Lattice, plate: Plate, top: float, height: float, odd: Odd) -> tuple[Part, int, int]:
    wide = max(2 * lattice.r, sum(wide + 0.055 * lattice.r for _, _, wide in _head_items(lattice, plate, height)))
    canvas, middle = _strip(wide, top, height, odd)
    _draw_head(canvas, lattice, plate, top + height / 2, height)
    return canvas.part(), 0, middle


@lru_cache(maxsize=128)
def _sign_part(lattice: Lattice, sign: _Sign, top: float, odd: Odd) -> tuple[Part, int, int]:
    canvas, middle = _strip(sign.width, top, sign.height, odd)
    _draw_sign(canvas, lattice, sign, top + sign.height / 2)
    return canvas.part(), 0, middle


@lru_cache(maxsize=256)
def _tray_part(lattice: Lattice, tray: _Tray, top: float, amber: tuple[str, ...], odd: Odd) -> tuple[Part, int, int]:
    canvas, middle = _strip(tray.width, top, tray.height, odd)
    _draw_tray(canvas, lattice, tray, top, amber)
    return canvas.part(), 0, middle


def _head_height(plate: Plate, crowded: bool) -> float:
    if plate.kind == "terminal":
        return 0.66
    if plate.kind in ("zone", "block") or not (plate.colours or plate.chips or plate.letter or plate.pill):
        return 0.0
    return 0.33 if crowded else 0.37


def _card(canvas: Canvas, lattice: Lattice, box: tuple[float, float, float, float]) -> None:
    line = max(1.0, SIGN_BORDER * lattice.r)
    left, top, right, bottom = box
    canvas.box(box, 0.11 * lattice.r, p.INK)
    canvas.box((left + line, top + line, right - line, bottom - line), 0.085 * lattice.r, p.CARD)


def _draw_sign(canvas: Canvas, lattice: Lattice, sign: _Sign, middle: float) -> None:
    half = sign.height / 2
    _card(canvas, lattice, (-sign.width / 2, middle - half, sign.width / 2, middle + half))
    step = 0.92 * sign.size
    first = middle - step * (len(sign.lines) - 1) / 2
    for i, line in enumerate(sign.lines):
        canvas.text((0, first + i * step), line, "bold", sign.size, p.INK)


def _draw_tray(canvas: Canvas, lattice: Lattice, tray: _Tray, top: float, amber: tuple[str, ...]) -> None:
    r = lattice.r
    _card(canvas, lattice, (-tray.width / 2, top, tray.width / 2, top + tray.height))
    gap = CUBE_GAP * r
    fresh = Counter(amber)
    for number, row in enumerate(tray.rows):
        y = top + TRAY_PAD * r + tray.side / 2 + number * (tray.side + gap)
        left = -(sum(_wide(r, item, tray.side) for item in row) + gap * (len(row) - 1)) / 2
        for item in row:
            x = left + tray.side / 2
            if not item.colour:
                _draw_gap(canvas, (x, y), tray.side)
            else:
                if fresh[item.colour] > 0:
                    fresh[item.colour] -= 1
                    half = tray.side / 2 + 0.05 * r
                    canvas.box((x - half, y - half, x + half, y + half), 0.27 * tray.side, p.GLOW)
                draw_cube(canvas, (x, y), tray.side, item.colour)
            wide = _wide(r, item, tray.side)
            if item.number > 1:
                middle = left + (tray.side + wide) / 2 - 0.01 * r
                canvas.text((middle, y), str(item.number), "bold", 0.86 * tray.side, p.INK)
            left += wide + gap


def _draw_gap(canvas: Canvas, centre: Point, side: float) -> None:
    x, y = centre
    half, line = side / 2, max(1.4, 0.1 * side)
    canvas.box((x - half, y - half, x + half, y + half), 0.22 * side, p.GLOW_EDGE)
    canvas.box((x - half + line, y - half + line, x + half - line, y + half - line), 0.17 * side, p.GLOW_SOFT)


def _draw_head(canvas: Canvas, lattice: Lattice, plate: Plate, y: float, height: float) -> None:
    """From left to right: the New City's hexagon, what the City accepts, the dice that feed it."""
    if plate.kind == "terminal":
        for colour in plate.colours[:1]:
            draw_disc(canvas, (0, y), height, colour)
        return
    items = _head_items(lattice, plate, height)
    gap = 0.055 * lattice.r
    x = -(sum(wide for _, _, wide in items) + gap * (len(items) - 1)) / 2
    if plate.kind == "new" and plate.colours:
        # no ring behind the letter, nor a sliver of it above
        top = max(y - height / 2 - 0.06 * lattice.r, -0.80 * lattice.r)
        canvas.box((x, top, -x, y + height / 2), 0.1 * height, p.GOODS[plate.colours[0]].fill)
    for kind, text, wide in items:
        centre = (x + wide / 2, y)
        match kind:
            case "hexagon":
                draw_hexagon(canvas, centre, 1.12 * height, text, p.WHITE, p.INK, p.INK)
            case "letter":
                good = p.GOODS[text]
                canvas.text(centre, good.letter, "bold", height / CAP * 0.80, good.on)
            case "disc":
                draw_disc(canvas, centre, wide, text)
            case "coin":
                draw_coin(canvas, centre, 1.05 * height, text)
            case "words":
                draw_pill(canvas, centre, WORDS * height, text)
            case "pill":
                draw_pill(canvas, centre, 0.92 * height, text)
            case _:
                draw_chip(canvas, centre, height, text, dark=kind == "D")
        x += wide + gap


def _head_items(lattice: Lattice, plate: Plate, height: float) -> list[tuple[str, str, float]]:
    items: list[tuple[str, str, float]] = []
    if plate.factory is not None:
        items.append(("coin", plate.factory, 1.05 * height))
    if plate.letter:
        items.append(("hexagon", plate.letter, height * 1.29))
    if len(plate.colours) == 1:
        letter = p.GOODS[plate.colours[0]].letter
        items.append(("letter", plate.colours[0], width(letter, "bold", round(height / CAP * 0.80, 1))))
    elif len(plate.colours) == 2:
        items += [("disc", colour, 1.1 * height) for colour in plate.colours]
    elif plate.colours:
        text = "".join(good.letter for colour, good in p.GOODS.items() if colour in plate.colours)
        items.append(("pill", text, pill_width(0.92 * height, text)))
    if plate.pill:
        items.append(("words", plate.pill, pill_width(WORDS * height, plate.pill)))
    return items + [(half, text, chip_width(height, text)) for half, text in chip_texts(plate.chips)]


def chip_texts(chips: tuple[str, ...]) -> list[tuple[str, str]]:
    """Columns as (half, text) of their chips; four or more neighbours of a half share one (``1–6``)."""
    found: list[tuple[str, str]] = []
    for half in sorted({chip[0] for chip in chips}, reverse=True):
        numbers = [chip[1:] for chip in chips if chip[0] == half]
        if len(numbers) > 3:
            found.append((half, f"{numbers[0]}–{numbers[-1]}"))
        else:
            found += [(half, number) for number in numbers]
    return found
