"""The second painter: what the pictures show, as SVG. It is given the same sketches as the first, and adds nothing.

Every touch of a sketch is one element, in the same order: what is laid more than once stands in ``defs`` and is used.
Within a part neighbours that look alike are one path, with a sub-path for each. Places are rounded to a tenth of a px.
"""

from collections import Counter
from collections.abc import Collection, Iterable
from functools import lru_cache
from html import escape
from itertools import groupby
from math import hypot
from zlib import crc32

from pbem.render.canvas import Ground, Part
from pbem.render.drawn import Drawn
from pbem.render.palette import PAPER, Colour, code
from pbem.render.sketch import Sketch, Touch
from pbem.render.type import CAP, Mask, width

FONT = "'pbem Board','IBM Plex Sans Condensed','Roboto Condensed','Arial Narrow','Liberation Sans Narrow',sans-serif"
WEIGHTS = {
    "regular": 'font-weight="400"',
    "medium": 'font-weight="500"',
    "semibold": 'font-weight="600"',
    "bold": 'font-weight="700"',
    "italic": 'font-weight="400" font-style="italic"',
}
STRAIGHT = 0.12
"""Points of a curve nearer than this to the line between their neighbours are left out, in px."""
MEASURED = 100.0
"""The type size at which words of any size are measured."""
LANDS, PARTS, WORDS = 4, 400, 1000
"""Lands, parts and words that are kept as markup, some 40 KB, 1 KB and 200 bytes each; with them their pixels stay in
memory."""


def svg(sketch: Sketch, above: str = "") -> str:
    """The sketch as an SVG document; ``above``: elements that lie over it, in its coordinates."""
    laid = Counter(touch[0] for touch in sketch.touches if isinstance(touch[0], Part))
    defs, drawn = _pieces(sketch, {part for part, times in laid.items() if times > 1})
    return document(sketch.width, sketch.height, defs, drawn, above)


def pieces(sketch: Sketch) -> tuple[list[str], list[str]]:
    """What a document is made of: its ``defs``, and its elements one over the other. Whatever has a shape of its own is
    among the ``defs``, so that the boards of a game share it."""
    return _pieces(sketch, {touch[0] for touch in sketch.touches if isinstance(touch[0], Part)})


class Elements:
    """The same for sketches that have much in common: what one of them had is not written again."""

    def __init__(self) -> None:
        self._names: dict[Part, str] = {}
        self._written: dict[Touch, str] = {}

    def of(self, sketch: Sketch) -> tuple[dict[str, str], list[str]]:
        """The elements of a sketch, and by name those ``defs`` that none before it had."""
        defs: dict[str, str] = {}
        for touch in sketch.touches:
            if touch not in self._written:
                part = touch[0]
                if isinstance(part, Part) and part not in self._names:
                    name = self._names[part] = _name(part)
                    defs[name] = _def(part, name)
                self._written[touch] = _touch(sketch, touch, self._names)
        return defs, [_paper(sketch), *map(self._written.__getitem__, sketch.touches)]


def document(width: int, height: int, defs: Iterable[str], drawn: Iterable[str], above: str = "") -> str:
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" viewBox="0 0 {width} {height}" '
        f'font-family="{FONT}"><defs>{"".join(defs)}</defs><g class="drawn">{"".join(drawn)}</g>{above}</svg>'
    )


def _pieces(sketch: Sketch, named: Collection[Part]) -> tuple[list[str], list[str]]:
    # names tell what they stand for: two boards of one page may define the same
    names = {touch[0]: _name(touch[0]) for touch in sketch.touches if isinstance(touch[0], Part) and touch[0] in named}
    defs = [_def(part, name) for part, name in names.items()]
    return defs, [_paper(sketch), *(_touch(sketch, touch, names) for touch in sketch.touches)]


def _def(part: Part, name: str) -> str:
    return f'<g id="{name}">{_inside(part)}</g>'


def _paper(sketch: Sketch) -> str:
    return f'<rect width="{sketch.width}" height="{sketch.height}" fill="{code(PAPER)}"/>'


@lru_cache(maxsize=PARTS)
def _name(part: Part) -> str:
    return f"p{crc32(_inside(part).encode()):x}"


def _touch(sketch: Sketch, touch: Touch, names: dict[Part, str]) -> str:
    what, colour, left, top, right, bottom = touch
    if isinstance(what, Part):
        across, down = sketch.middle(touch)
        x, y = across + what.origin[0], down + what.origin[1]
        if what in names:
            return f'<use href="#{names[what]}" x="{number(x)}" y="{number(y)}"/>'
        return f'<g transform="translate({number(x)} {number(y)})">{_inside(what)}</g>'
    if isinstance(what, Ground):
        return f'<g transform="translate({left} {top})">{_land(what)}</g>'
    if isinstance(what, Mask):
        return _cut(what, colour, left - what.dx, top - what.dy)
    return f'<rect x="{left}" y="{top}" width="{right - left}" height="{bottom - top}" fill="{code(colour)}"/>'


@lru_cache(maxsize=LANDS)
def _land(ground: Ground) -> str:
    return elements(ground.drawn())


@lru_cache(maxsize=PARTS)
def _inside(part: Part) -> str:
    return elements(part.drawn)


@lru_cache(maxsize=WORDS)
def _cut(mask: Mask, colour: Colour, x: int, y: int) -> str:
    """A word, or a band along a way, in the colour with which it is laid."""
    drawn = mask.drawn
    if drawn is None:
        return ""
    if drawn.kind != "word":
        return f'<g transform="translate({x} {y})">{elements([drawn._replace(fill=colour)])}</g>'
    ring = f' stroke="{code(colour)}" stroke-width="{number(2 * drawn.grow)}" stroke-linejoin="round"'
    wide = width(drawn.text, drawn.weight, drawn.size)
    return _word(drawn, (x, y), wide, ring if drawn.grow else "", colour)


def _word(drawn: Drawn, place: tuple[float, float], wide: float, more: str, colour: Colour) -> str:
    # the width is said, so that letters of another font keep to the room of ours
    return (
        f'<text x="{number(place[0])}" y="{number(place[1])}" font-size="{number(drawn.size)}" '
        f'{WEIGHTS[drawn.weight]} textLength="{number(wide)}" lengthAdjust="spacingAndGlyphs" '
        f'fill="{code(colour)}"{more}>{escape(drawn.text, quote=False)}</text>'
    )


def elements(drawn: Iterable[Drawn]) -> str:
    """What is drawn, one after the other: neighbours of one look that can be one path are one."""
    return "".join(_element(look, list(group)) for look, group in groupby(drawn, _look))


Look = tuple[str, Colour, float, bool]


def _look(one: Drawn) -> Look:
    return one.kind, one.fill, 0.0 if one.kind in ("disc", "box", "text") else one.size, one.round


def _element(look: Look, group: list[Drawn]) -> str:
    kind, fill, size, rounded = look
    match kind:
        case "polygon":
            return f'<path fill="{code(fill)}" d="{"".join(_corners(one) for one in group)}"/>'
        case "line" | "stroke":
            ends = ' stroke-linecap="round"' if rounded else ""
            joint = ' stroke-linejoin="round"'
            ways = "".join(way(points_of(one)) for one in group)
            return (
                f'<path fill="none" stroke="{code(fill)}" stroke-width="{number(max(size, 0.4))}"{ends}{joint} '
                f'd="{ways}"/>'
            )
    return "".join(map(SINGLE[kind], group))


def _corners(one: Drawn) -> str:
    """A closed way, always clockwise: areas of one path that overlap must not cut holes into each other."""
    return way(turned(points_of(one))) + "z"


def turned(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    turn = sum(ax * by - bx * ay for (ax, ay), (bx, by) in zip(points, (*points[1:], points[0]), strict=True))
    return points if turn >= 0 else points[::-1]


def _disc(one: Drawn) -> str:
    x, y = one.points
    return f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(one.size, 2)}" fill="{code(one.fill)}"/>'


def _box(one: Drawn) -> str:
    left, top, right, bottom = one.points
    return (
        f'<rect x="{number(left)}" y="{number(top)}" width="{number(right - left)}" height="{number(bottom - top)}" '
        f'rx="{number(one.size)}" fill="{code(one.fill)}"/>'
    )


def _text(one: Drawn) -> str:
    x, y = one.points
    wide = width(one.text, one.weight, MEASURED) * one.size / MEASURED
    return _word(one, (x - wide / 2, y + one.size * CAP / 2), wide, "", one.fill)


def flow_outline(one: Drawn) -> tuple[list[tuple[float, float]], tuple[float, float, float]]:
    """The outline of a flow, and its end: a disc, and how wide it is."""
    triples = [tuple(one.points[at : at + 3]) for at in range(0, len(one.points), 3)]
    left: list[tuple[float, float]] = []
    right: list[tuple[float, float]] = []
    for at, (x, y, wide) in enumerate(triples):
        (ax, ay, _), (bx, by, _) = triples[max(0, at - 1)], triples[min(len(triples) - 1, at + 1)]
        long = hypot(bx - ax, by - ay) or 1.0
        dx, dy = (by - ay) / long * wide / 2, (ax - bx) / long * wide / 2
        left.append((x + dx, y + dy))
        right.append((x - dx, y - dy))
    x, y, wide = triples[-1]
    return [*left, *right[::-1]], (x, y, wide)


def _flow(one: Drawn) -> str:
    outline, (x, y, wide) = flow_outline(one)
    end = f'<circle cx="{number(x)}" cy="{number(y)}" r="{number(wide / 2, 2)}"/>'
    return f'<g fill="{code(one.fill)}"><path d="{way(outline)}z"/>{end}</g>'


SINGLE = {"disc": _disc, "box": _box, "text": _text, "flow": _flow}


def points_of(one: Drawn) -> list[tuple[float, float]]:
    numbers = one.points
    return list(zip(numbers[::2], numbers[1::2], strict=True))


def way(points: list[tuple[float, float]]) -> str:
    """A way as the ``d`` of a path: the first point, then steps in px."""
    places = [(round(10 * x), round(10 * y)) for x, y in thinned(points)]
    (x, y), *others = places
    words = [f"M{x / 10:g} {y / 10:g}", "l" if others else "h0"]
    for place in others:
        words.append(_pair(place[0] - x, place[1] - y, first=words[-1] == "l"))
        x, y = place
    return "".join(words)


def _pair(x: int, y: int, *, first: bool) -> str:
    """A step in tenths of a px; a minus parts numbers as well as a space."""
    return f"{'' if first or x < 0 else ' '}{x / 10:g}{'' if y < 0 else ' '}{y / 10:g}"


def thinned(points: list[tuple[float, float]]) -> list[tuple[float, float]]:
    """The points without those that lie as good as on the line between the ones that stay."""
    if len(points) < 3:
        return points
    (ax, ay), (bx, by) = points[0], points[-1]
    long = hypot(bx - ax, by - ay)
    far, at = max((_off(point, points[0], points[-1], long), at) for at, point in enumerate(points[1:-1], 1))
    if far < STRAIGHT:
        return [points[0], points[-1]]
    return [*thinned(points[: at + 1])[:-1], *thinned(points[at:])]


def _off(point: tuple[float, float], start: tuple[float, float], end: tuple[float, float], long: float) -> float:
    (x, y), (ax, ay), (bx, by) = point, start, end
    if not long:
        return hypot(x - ax, y - ay)
    return abs((bx - ax) * (y - ay) - (by - ay) * (x - ax)) / long


def number(value: float, places: int = 1) -> str:
    """Without a point where there is nothing after it."""
    return f"{round(value, places):g}"
