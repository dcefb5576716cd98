"""The third painter: what the pictures show, as lines, areas and letters of a PDF. It is given the same sketches as the
others, and adds nothing. What is laid more than once, or on more than one page, is kept in the file once."""

from collections.abc import Iterable
from functools import lru_cache
from typing import Final

from reportlab.lib.colors import Color
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfbase.ttfonts import TTFont
from reportlab.pdfgen.canvas import Canvas
from reportlab.pdfgen.pathobject import PDFPathObject

from pbem.render import palette
from pbem.render.canvas import Ground, Part
from pbem.render.drawn import Drawn
from pbem.render.sketch import Sketch, Touch
from pbem.render.svg import flow_outline, points_of, thinned, turned
from pbem.render.type import CAP, WEIGHTS, Mask, font_file

THINNEST = 0.4
"""Px of the thinnest line."""
FILL_AND_STROKE: Final = 2
"""How letters are painted whose strokes are widened."""


@lru_cache(maxsize=1)
def _registered() -> None:
    for weight in WEIGHTS:
        pdfmetrics.registerFont(TTFont(font_name(weight), font_file(weight)))
    pdfmetrics.registerFontFamily(font_name("regular"), bold=font_name("semibold"), italic=font_name("italic"))


def font_name(weight: str) -> str:
    return f"Plex-{weight}"


class Painter:
    """Paints on the pages of one file."""

    def __init__(self, canvas: Canvas) -> None:
        _registered()
        self._canvas = canvas
        self._forms: dict[int, str] = {}

    def paint(self, sketch: Sketch, x: float, y: float, wide: float) -> None:
        """The sketch, its left lower corner on (x, y), in points."""
        forms = [self._form(touch[0]) for touch in sketch.touches]
        pdf, scale = self._canvas, wide / sketch.width
        pdf.saveState()
        pdf.translate(x, y + sketch.height * scale)
        pdf.scale(scale, -scale)
        window = pdf.beginPath()
        window.rect(0, 0, sketch.width, sketch.height)
        pdf.clipPath(window, stroke=0, fill=0)
        self._fill(palette.PAPER)
        pdf.rect(0, 0, sketch.width, sketch.height, stroke=0, fill=1)
        for form, touch in zip(forms, sketch.touches, strict=True):
            self._touch(form, touch)
        pdf.restoreState()

    def lay(self, part: Part, x: float, y: float, scale: float) -> None:
        """A part alone, its middle on (x, y), in points; ``scale``: points of a px."""
        form = self._form(part)
        pdf = self._canvas
        pdf.saveState()
        pdf.translate(x, y)
        pdf.scale(scale, -scale)
        pdf.translate(*part.origin)
        pdf.doForm(form)
        pdf.restoreState()

    def _form(self, what: Part | Ground | Mask | None) -> str:
        """The name under which a part or a land is kept in the file, which must be before the page that shows it."""
        if not isinstance(what, Part | Ground):
            return ""
        if what.key not in self._forms:
            name = self._forms[what.key] = f"f{len(self._forms)}"
            drawn = what.drawn if isinstance(what, Part) else what.drawn()
            wide, high = (what.width, what.height) if isinstance(what, Part) else what.size
            self._canvas.beginForm(name, -wide - 9, -high - 9, wide + 9, high + 9)
            self._elements(drawn)
            self._canvas.endForm()
        return self._forms[what.key]

    def _touch(self, form: str, touch: Touch) -> None:
        what, colour, left, top, right, bottom = touch
        pdf = self._canvas
        if isinstance(what, Part | Ground):
            x, y = (left, top) if isinstance(what, Ground) else _origin(what, left, top)
            pdf.saveState()
            pdf.translate(x, y)
            pdf.doForm(form)
            pdf.restoreState()
        elif isinstance(what, Mask):
            if what.drawn is not None:
                pdf.saveState()
                pdf.translate(left - what.dx, top - what.dy)
                self._elements([what.drawn._replace(fill=colour)])
                pdf.restoreState()
        else:
            self._fill(colour)
            pdf.rect(left, top, right - left, bottom - top, stroke=0, fill=1)

    def _elements(self, drawn: Iterable[Drawn]) -> None:
        for one in drawn:
            self._fill(one.fill)
            match one.kind:
                case "line" | "stroke":
                    self._line(one)
                case "disc":
                    x, y = one.points
                    self._canvas.circle(x, y, one.size, stroke=0, fill=1)
                case "box":
                    left, top, right, bottom = one.points
                    self._canvas.roundRect(left, top, right - left, bottom - top, one.size, stroke=0, fill=1)
                case "text" | "word":
                    self._word(one)
                case _:
                    self._area(one)

    def _line(self, one: Drawn) -> None:
        pdf = self._canvas
        pdf.setStrokeColor(_colour(one.fill))
        pdf.setLineWidth(max(one.size, THINNEST))
        pdf.setLineCap(1 if one.round else 0)
        pdf.setLineJoin(1)
        pdf.drawPath(_way(pdf, points_of(one)), stroke=1, fill=0)

    def _area(self, one: Drawn) -> None:
        if one.kind == "flow":
            outline, (x, y, wide) = flow_outline(one)
            self._canvas.circle(x, y, wide / 2, stroke=0, fill=1)
        else:
            outline = turned(points_of(one))
        path = _way(self._canvas, outline)
        path.close()
        self._canvas.drawPath(path, stroke=0, fill=1, fillMode=1)

    def _word(self, one: Drawn) -> None:
        pdf, name = self._canvas, font_name(one.weight)
        x, y = one.points
        if one.kind == "text":
            x -= pdfmetrics.stringWidth(one.text, name, one.size) / 2
            y += one.size * CAP / 2
        pdf.saveState()
        pdf.translate(x, y)
        pdf.scale(1, -1)
        text = pdf.beginText(0, 0)
        text.setFont(name, one.size)
        if one.grow:
            pdf.setStrokeColor(_colour(one.fill))
            pdf.setLineWidth(2 * one.grow)
            pdf.setLineJoin(1)
            text.setTextRenderMode(FILL_AND_STROKE)
        text.textOut(one.text)
        pdf.drawText(text)
        pdf.restoreState()

    def _fill(self, colour: palette.Colour) -> None:
        self._canvas.setFillColor(_colour(colour))


def _origin(part: Part, left: int, top: int) -> tuple[float, float]:
    return left - part.left + part.origin[0], top - part.top + part.origin[1]


def _way(pdf: Canvas, points: list[tuple[float, float]]) -> PDFPathObject:
    path = pdf.beginPath()
    (x, y), *others = [(round(x, 1), round(y, 1)) for x, y in thinned(points)]
    path.moveTo(x, y)
    for place in others or [(x, y)]:
        path.lineTo(*place)
    return path


@lru_cache(maxsize=256)
def _colour(colour: palette.Colour) -> Color:
    return Color(*(part / 255 for part in colour))
