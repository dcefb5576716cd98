"""The head of a page: map, game and turn, then the phases and who acts."""

from functools import lru_cache

from PIL import Image, ImageDraw

from pbem.rails.scene import Scene
from pbem.render import palette as p
from pbem.render.canvas import Canvas, Part
from pbem.render.drawn import Drawn, packed
from pbem.render.signs import coin
from pbem.render.sketch import Sketch, write
from pbem.render.type import Mask, fitted, width

MARGIN = 36
TITLE_Y, RULE_Y, PHASE_Y, HEAD = 60, 98, 122, 148
TURN, GAP, PRESENT = 16, 9, 20


def draw_head(page: Sketch, scene: Scene) -> None:
    """Everything above the board, down to the hairline at ``HEAD`` px."""
    right = page.width - MARGIN
    for y in (RULE_Y, HEAD):
        page.rectangle((MARGIN, y, right - 1, y + 1), p.RULE)
    turns = _turns(page, scene, right)
    size = fitted(scene.title, "bold", 46, (turns - MARGIN) * 0.62, 24)
    x = MARGIN + write(page, (MARGIN, TITLE_Y), scene.title, "bold", size, p.INK, align="left") + 18
    subtitle = shortened(scene.subtitle, "regular", 22, turns - 24 - x)
    write(page, (x, TITLE_Y + 5), subtitle, "regular", 22, p.MUTED, align="left")
    actor = _actor(page, scene, right)
    _acts(page, scene, _phases(page, scene, actor), actor)


def draw_title(page: Sketch, scene: Scene, x: int, y: int) -> None:
    """The name of the map at ``x``, and the turns or how the game ends at the right, in one line with its middle at
    ``y``."""
    right = page.width - x
    said = scene.end
    size = fitted(said, "regular", 19, (right - x) * 0.7, 13)
    end = right - write(
        page, (right, y), shortened(said, "regular", size, (right - x) * 0.72), "regular", size, p.MUTED, align="right"
    )
    write(page, (x, y), scene.title, "bold", fitted(scene.title, "bold", 30, end - x - 16, 18), p.INK, align="left")


def shortened(text: str, weight: str, size: float, limit: float) -> str:
    """The text, cut with an ellipsis where it is wider than ``limit`` px."""
    if width(text, weight, size) <= limit:
        return text
    while text and width(f"{text}…", weight, size) > limit:
        text = text[:-1].rstrip()
    return f"{text}…"


def _turns(page: Sketch, scene: Scene, right: int) -> float:
    """The circles of the turns from the right, or how the game ends; returns where they begin."""
    if scene.end:
        return right - write(page, (right, TITLE_Y), scene.end, "regular", 22, p.MUTED, align="right")
    if scene.turns is None:
        wide = width(str(scene.turn), "bold", 22)
        write(page, (right, TITLE_Y), str(scene.turn), "bold", 22, p.INK, align="right")
        write(page, (right - wide - 8, TITLE_Y), scene.unit, "medium", 22, p.MUTED, align="right")
        return right - wide - 60
    x = float(right)
    for turn in range(scene.turns, 0, -1):
        radius = PRESENT if turn == scene.turn else TURN
        x -= radius
        kind = "present" if turn == scene.turn else "past" if turn < scene.turn else "future"
        page.lay(_circle(kind), round(x), TITLE_Y)
        size, colour = (22, p.WHITE) if kind == "present" else (19, p.WHITE if kind == "past" else p.MUTED)
        write(page, (x, TITLE_Y), str(turn), "bold" if kind == "present" else "semibold", size, colour)
        x -= radius + GAP
    x -= 4
    return x - write(page, (x, TITLE_Y), scene.unit, "medium", 22, p.MUTED, align="right")


@lru_cache(maxsize=4)
def _circle(kind: str) -> Part:
    radius = PRESENT if kind == "present" else TURN
    canvas = Canvas(2 * radius + 2, 2 * radius + 2, scale=4)
    canvas.disc((0, 0), radius, {"present": p.INK, "past": p.PAST, "future": p.PAST}[kind])
    if kind == "future":
        canvas.disc((0, 0), radius - 1.8, p.PAPER)
    return canvas.part()


def _actor(page: Sketch, scene: Scene, right: int) -> float:
    """Who acts, at the right of the second line; returns where it begins."""
    # the phases keep at least three fifths of the line
    text = shortened(scene.headline, "semibold", 23, (right - MARGIN) * 0.42)
    x = right - write(page, (right, PHASE_Y), text, "semibold", 23, p.INK, align="right")
    if scene.actor is not None:
        page.lay(coin(scene.actor, 28), round(x - 30), PHASE_Y)
        x -= 46
    return x


def _acts(page: Sketch, scene: Scene, start: float, end: float) -> None:
    """What may be done now, between the phases and who acts, where there is room."""
    text = " · ".join(scene.acts)
    for size in (21, 19, 17):
        if start + 30 + width(text, "regular", size) <= end - 24:
            write(page, (start + 30, PHASE_Y), text, "regular", size, p.MUTED, align="left")
            return


def _phases(page: Sketch, scene: Scene, end: float) -> float:
    """The phases in a row; returns where they end."""
    size = 23.0
    while size > 15 and _row(scene, size) > end - 24 - MARGIN:
        size -= 1
    x = float(MARGIN)
    for number, phase in enumerate(scene.phases):
        if number:
            x += _chevron(page, x + 0.55 * size, size)
        if number == scene.phase:
            wide = width(phase, "bold", size)
            page.lay(_pill(round(wide + 28)), round(x + wide / 2 + 14), PHASE_Y)
            write(page, (x + 14, PHASE_Y), phase, "bold", size, p.WHITE, align="left")
            x += wide + 28
        else:
            x += write(page, (x, PHASE_Y), phase, "regular", size, p.MUTED, align="left")
    return x


def _row(scene: Scene, size: float) -> float:
    words = sum(width(phase, "bold" if i == scene.phase else "regular", size) for i, phase in enumerate(scene.phases))
    return words + (len(scene.phases) - 1) * 1.3 * size + 28


def _chevron(page: Sketch, x: float, size: float) -> float:
    cut = _angle(round(0.22 * size))
    page.tint(cut, p.CHEVRON, round(x) + cut.dx, PHASE_Y + cut.dy)
    return 1.3 * size


@lru_cache(maxsize=16)
def _angle(reach: int) -> Mask:
    """The mark between two phases, from the middle of its left side."""
    room = reach + 3
    image = Image.new("L", (2 * room, 2 * room))
    points = [(room, room - reach), (room + reach, room), (room, room + reach)]
    ImageDraw.Draw(image).line(points, fill=255, width=2)
    way = [(x - room, y - room) for x, y in points]
    return Mask(image, -room, -room, Drawn("line", packed(way), 2.0))


@lru_cache(maxsize=16)
def _pill(wide: int) -> Part:
    canvas = Canvas(wide + wide % 2, 38, scale=4)
    canvas.box((-wide / 2, -19, wide / 2, 19), 19, p.INK)
    return canvas.part()


BAND, FRAME = 34, 8
"""The height of the band, and how wide the frame around the picture is, in px."""
STRIPE, APART = 26, 52


def draw_trial(page: Sketch, words: str) -> None:
    """A striped band across the top with the words upon it, in the room above the head, and the frame."""
    draw_trial_frame(page)
    page.rectangle((0, 0, page.width - 1, BAND - 1), p.TRIAL)
    stripe = _stripe()
    for left in range(0, page.width - stripe.across + 1, APART):
        page.tint(stripe, p.TRIAL_DEEP, left, 0)
    size = fitted(words, "bold", 22, page.width - 2 * BAND, 12)
    write(page, (page.width / 2, BAND / 2), words, "bold", size, p.WHITE)


def draw_trial_frame(page: Sketch) -> None:
    """A frame of the colour of trials, which covers nothing of a map."""
    page.frame((0, 0, page.width - 1, page.height - 1), p.TRIAL, FRAME)


@lru_cache(maxsize=1)
def _stripe() -> Mask:
    image = Image.new("L", (BAND + STRIPE, BAND))
    corners = [(BAND, 0), (BAND + STRIPE - 1, 0), (STRIPE - 1, BAND - 1), (0, BAND - 1)]
    ImageDraw.Draw(image).polygon(corners, fill=255)
    return Mask(image, 0, 0, Drawn("polygon", packed([(float(x), float(y)) for x, y in corners])))
