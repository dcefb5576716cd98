"""Whole pages: the board with head and panels, the map alone, the small picture of a map."""

from __future__ import annotations

from dataclasses import dataclass
from functools import lru_cache

from PIL import Image, ImageDraw

from pbem.rails.scene import Scene
from pbem.render import palette as p
from pbem.render.board import draw_board
from pbem.render.canvas import Canvas, paste
from pbem.render.display import TALL_ROW, WIDE_ROW, draw_half, half_height
from pbem.render.encode import encoded
from pbem.render.geometry import Frame, Lattice, framed, map_geometry, pixels, size
from pbem.render.head import MARGIN, draw_head
from pbem.render.key import LINE, Entry, draw_key, entries, rows
from pbem.render.places import Places
from pbem.render.players import TABLE, cards_height, draw_cards, draw_table, table_height
from pbem.render.text import write
from pbem.render.type import wrapped

WIDTH = 1400
BOARD_TOP = 170
COLUMN, COLUMN_GAP = 400, 24
NOTE, NOTE_STEP = 18.0, 25
NOTES_GAP = 22
RIGHT = WIDTH - 2 * MARGIN - TABLE - 26
"""The width of what stands right of the players' table."""


@dataclass(frozen=True)
class Sheet:
    """How a page is laid out: where the board lies and, if panels stand beside it, where their column begins."""

    frame: Frame
    board: tuple[int, int]
    tall: bool
    key: tuple[tuple[Entry, ...], ...]
    height: int


def board_png(scene: Scene) -> bytes:
    """The whole page, 1400 px wide, as PNG: head, board, players, goods display, key."""
    return encoded(page_picture(scene), scene)


def map_png(scene: Scene) -> bytes:
    """The map alone as PNG; ``map_geometry`` says where its hexes lie."""
    return encoded(map_picture(scene), scene)


def map_picture(scene: Scene) -> Image.Image:
    """The map alone in full colour."""
    geometry = map_geometry(scene.board)
    page = Image.new("RGB", (geometry.width, geometry.height), p.PAPER)
    draw_board(page, Places(scene, geometry.frame))
    return page


def page_picture(scene: Scene) -> Image.Image:
    """The whole page in full colour."""
    sheet = laid_out(scene)
    page = Image.new("RGB", (WIDTH, sheet.height), p.PAPER)
    draw_head(page, scene)
    draw_board(page, Places(scene, sheet.frame))
    if sheet.tall:
        _column(page, scene)
    else:
        _below(page, scene, BOARD_TOP + sheet.board[1] + 26)
    _foot(page, sheet)
    draw = ImageDraw.Draw(page)
    draw.rectangle((0, 0, WIDTH - 1, sheet.height - 1), outline=p.FRAME, width=3)
    return page


def laid_out(scene: Scene) -> Sheet:
    """Panels under the board or beside it, whichever leaves the hexes larger."""
    wide, high = size(scene.board)
    below = min(60.0, (WIDTH - 2 * MARGIN) / wide, 1180 / high)
    beside = min(60.0, (WIDTH - 2 * MARGIN - COLUMN - COLUMN_GAP) / wide, 1560 / high)
    tall = beside >= 0.88 * below
    lattice = Lattice.of_radius(scene.board.orientation, beside if tall else below)
    board = pixels(scene.board, lattice)
    room = WIDTH - 2 * MARGIN - (COLUMN + COLUMN_GAP if tall else 0)
    content = max(board[1], _column_height(scene)) if tall else board[1] + 26 + _below_height(scene)
    top = BOARD_TOP + ((content - board[1]) // 2 if tall and content > board[1] + 200 else 0)
    frame = framed(scene.board, lattice, MARGIN + max(0, (room - board[0]) / 2), top)
    key = tuple(tuple(line) for line in rows(entries(scene), WIDTH - 2 * MARGIN))
    height = BOARD_TOP + content + 16 + LINE * len(key) + 26
    return Sheet(frame, board, tall, key, height)


def _below_height(scene: Scene) -> int:
    display = max(half_height(scene.light, WIDE_ROW), half_height(scene.dark, WIDE_ROW))
    table = table_height(scene)
    if scene.notes and _notes_on_the_right(scene):
        display += NOTES_GAP + _notes_height(scene, RIGHT)
    elif scene.notes:
        table += NOTES_GAP + _notes_height(scene, TABLE)
    return max(display, table)


def _notes_on_the_right(scene: Scene) -> bool:
    """Whether the notes stand under the display because the players' table is longer."""
    display = max(half_height(scene.light, WIDE_ROW), half_height(scene.dark, WIDE_ROW))
    table = table_height(scene)
    left, right = table + _notes_height(scene, TABLE), display + _notes_height(scene, RIGHT)
    return max(right, table) < max(left, display)


def _below(page: Image.Image, scene: Scene, y: int) -> None:
    draw_table(page, scene, MARGIN, y)
    x = MARGIN + TABLE + 26
    display = max(half_height(scene.light, WIDE_ROW), half_height(scene.dark, WIDE_ROW))
    if _notes_on_the_right(scene):
        _notes(page, scene, x, y + display + NOTES_GAP, RIGHT)
    else:
        _notes(page, scene, MARGIN, y + table_height(scene) + NOTES_GAP, TABLE)
    halves = [(scene.light, "Goods display · light"), (scene.dark, "dark" if scene.light else "Goods display · dark")]
    wide = (RIGHT - 20) // 2
    for half, title in halves:
        if half:
            draw_half(page, half, title, (x, y), wide, WIDE_ROW, scene.marks.grown)
            x += wide + 20


def _column_height(scene: Scene) -> int:
    parts = [cards_height(scene), half_height(scene.light, TALL_ROW), half_height(scene.dark, TALL_ROW)]
    if scene.notes:
        parts.append(_notes_height(scene, COLUMN))
    shown = [part for part in parts if part]
    return sum(shown) + 18 * (len(shown) - 1)


def _column(page: Image.Image, scene: Scene) -> None:
    x, y = WIDTH - MARGIN - COLUMN, BOARD_TOP
    draw_cards(page, scene, x, y, COLUMN)
    y += cards_height(scene) + 18
    for half, title in ((scene.light, "Goods display · light"), (scene.dark, "Goods display · dark")):
        if half:
            draw_half(page, half, title, (x, y), COLUMN, TALL_ROW, scene.marks.grown)
            y += half_height(half, TALL_ROW) + 18
    _notes(page, scene, x, y, COLUMN)


def _note_lines(scene: Scene, wide: int) -> list[list[str]]:
    return [wrapped(note, "regular", NOTE, wide - 20) for note in scene.notes]


def _notes_height(scene: Scene, wide: int) -> int:
    return 46 + sum(NOTE_STEP * len(lines) + 8 for lines in _note_lines(scene, wide)) if scene.notes else 0


def _notes(page: Image.Image, scene: Scene, x: int, y: int, wide: int) -> None:
    if not scene.notes:
        return
    draw = ImageDraw.Draw(page)
    write(page, (x, y + 16), "On this map", "semibold", 22, p.INK, align="left")
    draw.rectangle((x, y + 38, x + wide - 1, y + 39), fill=p.RULE)
    y += 58
    for lines in _note_lines(scene, wide):
        paste(page, _bullet(), x + 6, y)
        for line in lines:
            write(page, (x + 18, y), line, "regular", NOTE, p.INK, align="left")
            y += NOTE_STEP
        y += 8


@lru_cache(maxsize=1)
def _bullet() -> Image.Image:
    canvas = Canvas(10, 10, scale=4)
    canvas.disc((0, 0), 3, p.MUTED)
    return canvas.done()


def _foot(page: Image.Image, sheet: Sheet) -> None:
    """The key as lines under everything."""
    top = sheet.height - 26 - LINE * len(sheet.key)
    ImageDraw.Draw(page).rectangle((MARGIN, top, WIDTH - MARGIN - 1, top + 1), fill=p.RULE)
    draw_key(page, [list(line) for line in sheet.key], MARGIN, top + LINE // 2 + 8)
