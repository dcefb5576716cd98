"""The players: a table under a wide board, cards beside a tall one."""

from functools import lru_cache
from typing import NamedTuple

from pbem.engine import say
from pbem.language.voice import spoken
from pbem.rails.scene import PlayerRow, Scene
from pbem.render import palette as p
from pbem.render.canvas import Canvas, Part
from pbem.render.head import shortened
from pbem.render.signs import coin
from pbem.render.sketch import Sketch, write
from pbem.render.track import sample
from pbem.render.type import fitted, halves, width

TABLE, ROW, TITLE = 602, 44, 46
CARD, OUT_CARD, BAR_LINE, WORD_GAP = 74, 46, 36, 9
DONE = "done"
"""The column that a bar takes the place of."""
PLAYERS = say("Players")
CHANGED = 29
"""The height of the amber under a figure: the lines of a card are 30 px apart."""
FIGURES = 48
"""Px of a column of figures; the words of other columns take what is left."""


def table_height(scene: Scene) -> int:
    return TITLE + ROW * len(scene.players)


def draw_table(page: Sketch, scene: Scene, x: int, y: int) -> None:
    columns = _columns(scene, x)
    room = columns.each[0].place - x - 12 if columns.each[0].key in WORDS else columns.free - x - 12
    title = spoken(PLAYERS)
    write(page, (x, y + 18), title, "bold", fitted(title, "bold", 24, room, 15), p.INK, align="left")
    for key, head, place, align in columns.each:
        size = fitted(head, "regular", columns.size, columns.free - place, 11) if key in WORDS else columns.size
        write(page, (place, y + 19), head, "regular", size, p.MUTED, align=align)
    page.rectangle((x, y + TITLE - 6, x + TABLE - 1, y + TITLE - 5), p.RULE)
    for number, player in enumerate(scene.players):
        _row(page, scene, player, x, y + TITLE - 4 + number * ROW, columns)
        below = y + TITLE - 5 + (number + 1) * ROW
        last = number == len(scene.players) - 1
        if not last:
            page.rectangle((x, below, x + TABLE - 1, below), p.RULE)


WORDS = frozenset({"action"})
CARD_WORDS = (18, 17, 16, 15, 14, 13, 12, 11)
"""Sizes of the words before figures on cards, of which the largest is taken that fits."""
ACTION_X, ACTION = 190, 130
"""Where the column of words begins, and what it should have at the least."""
HEADS = (17, 16, 15, 14, 13, 12)
"""Sizes of the heads, the largest that leaves this room is taken."""


class Column(NamedTuple):
    """Key, head, where the column's text stands and how it is aligned."""

    key: str
    head: str
    place: float
    align: str


class Columns(NamedTuple):
    """The columns from the left, the size of their heads and of words, and where the first figure begins."""

    each: tuple[Column, ...]
    size: float
    words: float
    free: float


def _columns(scene: Scene, x: int) -> Columns:
    """Heads that are long in some language are written smaller, so that names and words keep their room."""
    words = [Column(key, head, float(x + ACTION_X), "left") for key, head in scene.columns if key in WORDS]
    for size in HEADS:
        figures, left = _figure_columns(scene, x, size)
        if left >= x + (ACTION_X + ACTION - 30 if words else ACTION_X + 10):
            break
    first = figures[0]
    texts = [width(row.cells.get(first.key, ""), "bold", 24) for row in scene.players]
    free = first.place - max(width(first.head, "regular", size), *texts) - 10
    said = [row.cells.get(column.key, "") for column in words for row in scene.players]
    smallest = min((fitted(word, "regular", 20, free - x - ACTION_X, 14) for word in said), default=20)
    return Columns((*words, *figures), size, smallest, free)


def _figure_columns(scene: Scene, x: int, size: float) -> tuple[list[Column], float]:
    """The columns of figures with heads of this size, and where the first of them begins."""
    found: list[Column] = []
    right = float(x + TABLE - 6)
    for key, head in reversed([column for column in scene.columns if column[0] not in WORDS]):
        found.append(Column(key, head, right, "right"))
        done = [(max(row.progress), row.progress[1]) for row in scene.players if row.progress and key == DONE]
        progress = [f"{most} / {needed}" for most, needed in done]
        right -= max(FIGURES, width(head, "regular", size) + 12, *(width(text, "bold", 24) + 34 for text in progress))
    return found[::-1], right


def _row(page: Sketch, scene: Scene, player: PlayerRow, x: int, top: int, columns: Columns) -> None:
    y = top + ROW // 2
    if player.to_act:
        page.lay(_ground(TABLE + 12, ROW - 4, p.ROW), x + TABLE // 2, y)
        page.lay(_pointer(), x - 16, y)
    muted = p.PAST_TEXT if player.out else p.INK
    write(page, (x + 8, y), player.place, "medium", 22, p.MUTED)
    _mark(page, player, x + 54, y)
    weight = "bold" if player.to_act else "semibold"
    action = next((column.place for column in columns.each if column.key in WORDS), min(x + 300, columns.free + 10))
    _name(page, player.name, weight, (x + 92, y), action - x - 102, muted)
    if player.out:
        write(page, (action, y), player.out, "italic", 20, muted, align="left")
        return
    for key, _, place, align in columns.each:
        _cell(page, scene, player, key, (place, y), align, columns)


def _name(page: Sketch, name: str, weight: str, place: tuple[float, float], room: float, colour: p.Colour) -> None:
    """A name: shrunk a little if it must be, then on two lines, then cut."""
    x, y = place
    size = fitted(name, weight, 23, room, 18)
    lines = halves(name) if width(name, weight, size) > room else None
    if lines is None:
        size = fitted(name, weight, size, room, 15)
        write(page, place, shortened(name, weight, size, room), weight, size, colour, align="left")
        return
    for line, off in zip(lines, (-10, 8), strict=True):
        size = fitted(line, weight, 17, room, 15)
        write(page, (x, y + off), shortened(line, weight, size, room), weight, size, colour, align="left")


def _cell(
    page: Sketch,
    scene: Scene,
    player: PlayerRow,
    key: str,
    place: tuple[float, float],
    align: str,
    columns: Columns | None = None,
) -> None:
    """A figure, or a word, which is cut where the ``columns`` of a table leave no room for it."""
    text = player.cells.get(key, "")
    if not text:
        return
    if key == DONE and player.progress:
        text = f"{text} / {player.progress[1]}"
    changed = (player.seat, key) in scene.marks.cells
    if key in WORDS and columns is not None:
        weight, size = "regular", columns.words
        text = shortened(text, weight, size, columns.free - place[0])
    else:
        weight, size = ("bold" if changed or key == "points" else "medium"), 24.0
    if changed:
        wide = round(width(text, weight, size))
        middle = place[0] - wide / 2 if align == "right" else place[0] + wide / 2
        page.lay(_ground(wide + 14, CHANGED, p.GLOW_SOFT), round(middle), round(place[1]))
    write(page, place, text, weight, size, p.INK, align=align)


def _mark(page: Sketch, player: PlayerRow, x: int, y: int) -> None:
    page.lay(sample(None if player.out else player.seat, 56, 66), x, y)
    page.lay(coin(player.seat, 28), x, y)


@lru_cache(maxsize=64)
def _ground(width_: int, height: int, colour: p.Colour) -> Part:
    canvas = Canvas(width_ + width_ % 2, height, scale=4)
    canvas.box((-width_ / 2, -height / 2, width_ / 2, height / 2), 8, colour)
    return canvas.part()


@lru_cache(maxsize=1)
def _pointer() -> Part:
    canvas = Canvas(14, 20, scale=4)
    canvas.polygon([(-6, -9), (6, 0), (-6, 9)], p.INK)
    return canvas.part()


def cards_height(scene: Scene) -> int:
    return TITLE + sum(map(_card_height, scene.players))


def _card_height(player: PlayerRow) -> int:
    """A player who is out has no second line; one with a bar has a third."""
    if not player.cells:
        return OUT_CARD
    return CARD + BAR_LINE if player.progress else CARD


def draw_cards(page: Sketch, scene: Scene, x: int, y: int, wide: int) -> None:
    write(page, (x, y + 18), spoken(PLAYERS), "bold", 24, p.INK, align="left")
    keys = [key for key, _ in scene.columns]
    if "points" in keys:
        write(page, (x + wide - 6, y + 19), dict(scene.columns)["points"], "regular", 17, p.MUTED, align="right")
    page.rectangle((x, y + TITLE - 6, x + wide - 1, y + TITLE - 5), p.RULE)
    top = y + TITLE - 4
    for number, player in enumerate(scene.players):
        _card(page, scene, player, x, top, wide)
        top += _card_height(player)
        if number < len(scene.players) - 1:
            page.rectangle((x, top - 1, x + wide - 1, top - 1), p.RULE)


def _card(page: Sketch, scene: Scene, player: PlayerRow, x: int, top: int, wide: int) -> None:
    if player.to_act:
        high = _card_height(player)
        page.lay(_ground(wide + 12, high - 4, p.ROW), x + wide // 2, top + high // 2)
        page.lay(_pointer(), x - 16, top + 24)
    y = top + 24
    colour = p.PAST_TEXT if player.out else p.INK
    write(page, (x + 10, y), player.place, "medium", 22, p.MUTED)
    _mark(page, player, x + 56, y)
    points = player.cells.get("points", "")
    action = player.out or player.cells.get("action", "").strip("–")
    room = wide - 100 - 70 - (width(action, "regular", 19) + 12 if action else 0)
    weight = "bold" if player.to_act else "semibold"
    _name(page, player.name, weight, (x + 96, y), room, colour)
    if action:
        style = "italic" if player.out else "regular"
        write(page, (x + wide - 68, y), action, style, 19, p.MUTED, align="right")
    if points:
        changed = (player.seat, "points") in scene.marks.cells
        if changed:
            half = round(width(points, "bold", 26))
            page.lay(_ground(half + 14, CHANGED, p.GLOW_SOFT), round(x + wide - 6 - half / 2), y)
        write(page, (x + wide - 6, y), points, "bold", 26, p.INK, align="right")
    _figures(page, scene, player, x + 28, top + 54, wide - 40)
    if player.progress:
        write(page, (x + 28, top + 84), scene.progress, "regular", 18, p.MUTED, align="left")
        start = x + 28 + width(scene.progress, "regular", 18) + 14
        _bar(page, scene, player, (start, top + 84), x + wide - 6)


def _bar(page: Sketch, scene: Scene, player: PlayerRow, place: tuple[float, float], right: float) -> None:
    """As many boxes as end the game, filled for what is done, and both in figures at the right."""
    if player.progress is None:
        return
    done, goal = player.progress
    text = f"{done} / {goal}"
    wide = width(text, "medium", 20)
    if (player.seat, DONE) in scene.marks.cells:
        page.lay(_ground(round(wide) + 14, CHANGED, p.GLOW_SOFT), round(right - wide / 2), round(place[1]))
    write(page, (right, place[1]), text, "medium", 20, p.INK, align="right")
    step = min(17.0, (right - wide - 14 - place[0]) / max(goal, done))
    for number in range(max(goal, done)):
        box = _box(number < done, min(13, round(step) - 3))
        page.lay(box, round(place[0] + (number + 0.5) * step), round(place[1]))


@lru_cache(maxsize=16)
def _box(full: bool, wide: int) -> Part:
    canvas = Canvas(wide + wide % 2, 18, scale=4)
    canvas.box((-wide / 2, -8.5, wide / 2, 8.5), 3, p.INK if full else p.PAST)
    if not full:
        canvas.box((1.5 - wide / 2, -7, wide / 2 - 1.5, 7), 2, p.PAPER)
    return canvas.part()


def _figures(page: Sketch, scene: Scene, player: PlayerRow, x: int, y: int, wide: int) -> None:
    """The second line of a card: each figure after its word, which is smaller where it is long in some language."""
    hidden = {"action", "points", *((DONE,) if player.progress else ())}
    keys = [(key, head.lower()) for key, head in scene.columns if key not in hidden]
    for size in CARD_WORDS:
        needs = [width(word, "regular", size) + WORD_GAP + _widest(scene, key) for key, word in keys]
        if sum(needs) + WORD_GAP * (len(needs) - 1) <= wide:
            break
    gap = (wide - sum(needs)) / max(1, len(needs) - 1)
    left = float(x)
    for (key, word), need in zip(keys, needs, strict=True):
        if key in player.cells:
            start = left + write(page, (left, y), word, "regular", size, p.MUTED, align="left") + WORD_GAP
            _cell(page, scene, player, key, (start, y), "left")
        left += need + gap


def _widest(scene: Scene, key: str) -> float:
    return max((width(player.cells.get(key, ""), "bold", 24) for player in scene.players), default=0.0)
