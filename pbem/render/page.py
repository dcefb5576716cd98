"""Whole pages: the board with head and panels, the map alone, the small picture of a map."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from io import BytesIO

from PIL import Image

from pbem.engine import Value, say
from pbem.language.voice import spoken
from pbem.rails.board import Label
from pbem.rails.scene import Scene
from pbem.render import palette as p
from pbem.render.board import draw_board
from pbem.render.canvas import Canvas, Part
from pbem.render.display import TALL_ROW, WIDE_ROW, draw_half, draw_supply, half_height, supply_height
from pbem.render.encode import encoded, scene_palette
from pbem.render.geometry import Frame, Lattice, MapGeometry, framed, map_geometry, pixels, size
from pbem.render.head import MARGIN, draw_head, draw_trial, draw_trial_frame
from pbem.render.key import LINE, Entry, draw_key, draw_key_column, entries, key_height, rows
from pbem.render.places import Places
from pbem.render.players import TABLE, cards_height, draw_cards, draw_table, table_height
from pbem.render.sketch import Outlines, Sketch, write
from pbem.render.strips import png
from pbem.render.svg import Elements, pieces, svg
from pbem.render.type import wrapped

WIDTH = 1400
BOARD_TOP = 170
COLUMN, COLUMN_GAP = 400, 24
NOTE, NOTE_STEP = 18.0, 25
NOTES_GAP, PANEL_GAP = 22, 18
FULL = WIDTH - 2 * MARGIN
COLUMN_X = WIDTH - MARGIN - COLUMN
RIGHT = FULL - TABLE - 26
"""The width of what stands right of the players' table."""
TALL, TALL_WITH_STOCK = 0.88, 0.85
"""Panels stand beside the board where its hexes keep this share of their size. A stock is short: it leaves the
column to cards with bars."""
HIGHEST, STEP, STEPS = 1750, 0.04, 5
"""Pages are no longer than this: the board of a longer one is smaller, by steps so that it keeps its size from turn to
turn."""
AROUND = 5.0
"""Hex radii that a part of the map shows beside the hexes it is about, in all."""
TWO_COLUMNS = 660
"""Notes at least so many px wide stand in two columns."""


class Sheet(Value):
    """How a page is laid out.

    ``tall``: panels stand beside the board, not under it. ``notes``: where the notes stand, ``(x, y, width)``.
    ``key``: its lines, ``key_wide`` px wide from ``key_top`` on; none where it stands in the column.
    """

    frame: Frame
    board: tuple[int, int]
    tall: bool
    notes: tuple[int, int, int]
    key: list[list[Entry]]
    key_top: int
    key_wide: int
    height: int


def board_png(scene: Scene) -> bytes:
    """The whole page, 1400 px wide, as PNG: head, board, players, goods display, key."""
    return png(page_sketch(scene), scene_palette(scene))


def map_png(scene: Scene) -> bytes:
    """The map alone as PNG; ``map_geometry`` says where its hexes lie."""
    return png(map_sketch(scene), scene_palette(scene))


def around_png(scene: Scene, hexes: Iterable[Label]) -> bytes:
    """The part of the map around these hexes, three wide and two high, or as much of it as there is; without any hex of
    the board the map alone."""
    geometry = map_geometry(scene.board)
    places = [geometry.centres[label] for label in hexes if label in geometry.centres]
    if not places:
        return map_png(scene)
    left, right = min(x for x, _ in places), max(x for x, _ in places)
    top, bottom = min(y for _, y in places), max(y for _, y in places)
    room = AROUND * geometry.radius
    wide = round(max(right - left + room, (bottom - top + room) * 3 / 2))
    wide, high = min(wide, geometry.width), min(round(wide * 2 / 3), geometry.height)
    x = max(0, min(geometry.width - wide, (left + right - wide) // 2))
    y = max(0, min(geometry.height - high, (top + bottom - high) // 2))
    whole = Image.open(BytesIO(map_png(scene))).convert("RGB")
    return encoded(whole.crop((x, y, x + wide, y + high)), scene)


def page_geometry(scene: Scene) -> MapGeometry:
    sheet = laid_out(scene)
    centres = {label: sheet.frame.centre(scene.board, label) for label in scene.board.hexes}
    return MapGeometry(WIDTH, sheet.height, sheet.frame, centres)


def map_svg(scene: Scene, above: str = "") -> str:
    """The map alone as SVG; ``above``: elements laid over it, in the px of ``map_geometry``."""
    return svg(map_sketch(scene, Outlines), above)


def map_pieces(scene: Scene) -> tuple[list[str], list[str]]:
    """The map alone as what an SVG document is made of: its ``defs``, and its elements one over the other."""
    return pieces(map_sketch(scene, Outlines))


class MapPieces:
    """The same for the scenes of a game one after the other: what one of them had is not written again."""

    def __init__(self) -> None:
        self._elements = Elements()

    def of(self, scene: Scene) -> tuple[dict[str, str], list[str]]:
        """The elements of a scene, and by name those ``defs`` that none before it had."""
        return self._elements.of(map_sketch(scene, Outlines))


def page_svg(scene: Scene, above: str = "") -> str:
    """The whole page as SVG; ``above``: elements laid over it, in the px of ``page_geometry``."""
    return svg(page_sketch(scene), above)


def map_sketch(scene: Scene, kind: type[Sketch] = Sketch) -> Sketch:
    geometry = map_geometry(scene.board)
    page = kind(geometry.width, geometry.height)
    draw_board(page, Places(scene, geometry.frame))
    if scene.trial:
        draw_trial_frame(page)
    return page


def page_sketch(scene: Scene) -> Sketch:
    sheet = laid_out(scene)
    page = Sketch(WIDTH, sheet.height)
    draw_head(page, scene)
    draw_board(page, Places(scene, sheet.frame))
    if sheet.tall:
        _column(page, scene)
    else:
        _below(page, scene, BOARD_TOP + sheet.board[1] + 26)
    _notes(page, scene, *sheet.notes)
    if sheet.key:
        _foot(page, sheet)
    else:
        draw_key_column(page, entries(scene), COLUMN_X, sheet.key_top, COLUMN)
    page.frame((0, 0, WIDTH - 1, sheet.height - 1), p.FRAME, 3)
    if scene.trial:
        draw_trial(page, scene.trial)
    return page


def laid_out(scene: Scene) -> Sheet:
    """Panels under the board or beside it, whichever leaves the hexes larger."""
    wide, high = size(scene.board)
    below = min(60.0, (WIDTH - 2 * MARGIN) / wide, 1180 / high)
    beside = min(60.0, (WIDTH - 2 * MARGIN - COLUMN - COLUMN_GAP) / wide, 1560 / high)
    lay_out = _tall if beside >= (TALL_WITH_STOCK if scene.stock else TALL) * below else _wide
    radius = beside if lay_out is _tall else below
    sheets = (_of_radius(scene, lay_out, radius * (1 - step * STEP)) for step in range(STEPS))
    fitting = next((sheet for sheet in sheets if sheet.height <= HIGHEST), None)
    return fitting or _of_radius(scene, lay_out, radius * (1 - STEPS * STEP))


def _of_radius(scene: Scene, lay_out: Callable[[Scene, Lattice], Sheet], radius: float) -> Sheet:
    return lay_out(scene, Lattice.of_radius(scene.board.orientation, radius))


def _wide(scene: Scene, lattice: Lattice) -> Sheet:
    """Panels under the board; the notes where they make the page the least longer."""
    board = pixels(scene.board, lattice)
    table, display = table_height(scene), _display_height(scene)
    top = BOARD_TOP + board[1] + 26
    right = MARGIN + TABLE + 26
    places = [
        (max(table + _notes_room(scene, TABLE), display), (MARGIN, top + table + NOTES_GAP, TABLE)),
        (max(table, display + _notes_room(scene, RIGHT)), (right, top + display + NOTES_GAP, RIGHT)),
        (max(table, display) + _notes_room(scene, FULL), (MARGIN, top + max(table, display) + NOTES_GAP, FULL)),
    ]
    panels, notes = min(places, key=lambda place: place[0])
    frame = framed(scene.board, lattice, MARGIN + max(0, (FULL - board[0]) / 2), BOARD_TOP)
    content = board[1] + 26 + panels
    key = rows(entries(scene), FULL)
    foot = BOARD_TOP + content + 16
    return Sheet(frame, board, False, notes, key, foot, FULL, foot + LINE * len(key) + 26)


def _tall(scene: Scene, lattice: Lattice) -> Sheet:
    """Panels beside the board; notes and key fill the column, or notes lie under a board that is shorter."""
    board = pixels(scene.board, lattice)
    room = FULL - COLUMN - COLUMN_GAP
    column = _column_height(scene)
    beside, under = column + _notes_room(scene, COLUMN), board[1] + _notes_room(scene, room)
    notes_below = max(column, under) < max(beside, board[1]) - NOTES_GAP
    left, right = (under, column) if notes_below else (board[1], beside)
    listed = entries(scene)
    in_column = right + NOTES_GAP + key_height(listed, COLUMN) <= left
    on_left = notes_below and left + 16 + LINE * len(rows(listed, room)) <= right
    key_wide = COLUMN if in_column else room if on_left else FULL
    key = [] if in_column else rows(listed, key_wide)
    if on_left:
        left += 16 + LINE * len(key)
    content = max(left, right)
    # a board much shorter than the column stands in the middle of its room
    top = BOARD_TOP + ((content - left) // 2 if content > left + 200 else 0)
    frame = framed(scene.board, lattice, MARGIN + max(0, (room - board[0]) / 2), top)
    if notes_below:
        notes = (MARGIN, top + board[1] + NOTES_GAP, room)
    else:
        notes = (COLUMN_X, BOARD_TOP + column + NOTES_GAP, COLUMN)
    if in_column or on_left:
        key_top = BOARD_TOP + right + NOTES_GAP if in_column else top + left - LINE * len(key)
        return Sheet(frame, board, True, notes, key, key_top, key_wide, BOARD_TOP + content + 26)
    foot = BOARD_TOP + content + 16
    return Sheet(frame, board, True, notes, key, foot, key_wide, foot + LINE * len(key) + 26)


def _display_height(scene: Scene) -> int:
    return max(half_height(scene.light, WIDE_ROW), half_height(scene.dark, WIDE_ROW), supply_height(scene))


LIGHT, DARK = say("Goods display · light"), say("Goods display · dark")


def _below(page: Sketch, scene: Scene, y: int) -> None:
    draw_table(page, scene, MARGIN, y)
    x = MARGIN + TABLE + 26
    halves = [(scene.light, LIGHT), (scene.dark, say("dark") if scene.light else DARK)]
    wide = (RIGHT - 20) // 2
    for half, title in halves:
        if half:
            draw_half(page, half, spoken(title), (x, y), wide, WIDE_ROW, scene.marks.grown)
            x += wide + 20
    if scene.stock:
        draw_supply(page, scene, x, y, MARGIN + FULL - x)


def _column_height(scene: Scene) -> int:
    parts = [
        cards_height(scene),
        half_height(scene.light, TALL_ROW),
        half_height(scene.dark, TALL_ROW),
        supply_height(scene),
    ]
    shown = [part for part in parts if part]
    return sum(shown) + PANEL_GAP * (len(shown) - 1)


def _column(page: Sketch, scene: Scene) -> None:
    x, y = COLUMN_X, BOARD_TOP
    draw_cards(page, scene, x, y, COLUMN)
    y += cards_height(scene) + PANEL_GAP
    for half, title in ((scene.light, LIGHT), (scene.dark, DARK)):
        if half:
            draw_half(page, half, spoken(title), (x, y), COLUMN, TALL_ROW, scene.marks.grown)
            y += half_height(half, TALL_ROW) + PANEL_GAP
    if scene.stock:
        draw_supply(page, scene, x, y, COLUMN)


def _note_columns(scene: Scene, wide: int) -> list[list[list[str]]]:
    """The notes as lines of text, in two columns where there is the width of both."""
    if wide < TWO_COLUMNS or len(scene.notes) < 2:
        return [[wrapped(note, "regular", NOTE, wide - 20) for note in scene.notes]]
    lines = [wrapped(note, "regular", NOTE, (wide - NOTES_GAP) // 2 - 20) for note in scene.notes]
    cut = min(range(len(lines) - 1, 0, -1), key=lambda at: max(_lines_height(lines[:at]), _lines_height(lines[at:])))
    return [lines[:cut], lines[cut:]]


def _lines_height(notes: list[list[str]]) -> int:
    return sum(NOTE_STEP * len(lines) + 8 for lines in notes)


def _notes_room(scene: Scene, wide: int) -> int:
    """The height of the notes and the gap above them in px, nothing where there are none."""
    if not scene.notes:
        return 0
    return NOTES_GAP + 46 + max(_lines_height(column) for column in _note_columns(scene, wide))


def _notes(page: Sketch, scene: Scene, x: int, top: int, wide: int) -> None:
    if not scene.notes:
        return
    write(page, (x, top + 16), spoken(say("On this map")), "semibold", 22, p.INK, align="left")
    page.rectangle((x, top + 38, x + wide - 1, top + 39), p.RULE)
    for column in _note_columns(scene, wide):
        y = top + 58
        for lines in column:
            page.lay(_bullet(), x + 6, y)
            for line in lines:
                write(page, (x + 18, y), line, "regular", NOTE, p.INK, align="left")
                y += NOTE_STEP
            y += 8
        x += (wide + NOTES_GAP) // 2


@lru_cache(maxsize=1)
def _bullet() -> Part:
    canvas = Canvas(10, 10, scale=4)
    canvas.disc((0, 0), 3, p.MUTED)
    return canvas.part()


def _foot(page: Sketch, sheet: Sheet) -> None:
    top = sheet.key_top
    page.rectangle((MARGIN, top, MARGIN + sheet.key_wide - 1, top + 1), p.RULE)
    draw_key(page, sheet.key, MARGIN, top + LINE // 2 + 8, sheet.key_wide)
