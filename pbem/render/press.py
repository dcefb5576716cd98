"""Pages of a book: text that runs on from page to page, tables, and boards, which stand whole."""

from collections.abc import Callable, Sequence
from functools import lru_cache
from io import BytesIO

from reportlab.graphics.barcode.qrencoder import QRCode, QRErrorCorrectLevel
from reportlab.lib.colors import HexColor
from reportlab.lib.styles import ParagraphStyle
from reportlab.pdfbase import pdfmetrics
from reportlab.pdfgen.canvas import Canvas
from reportlab.platypus import Flowable, Paragraph

from pbem.engine import Value
from pbem.render import palette
from pbem.render.palette import Colour, code
from pbem.render.pdf import Painter, font_name
from pbem.render.signs import coin
from pbem.render.sketch import Sketch
from pbem.render.type import in_our_letters

MM = 72 / 25.4
COIN = 40
"""Px of a coin, which is drawn smaller."""
FULL_ENOUGH = 0.5
"""A page filled to this part may end there: what comes next begins a page."""
SMALL, HEAD, LEADING = 0.82, 1.7, 1.32
"""The size of small type and of heads, and how far apart lines are, in sizes of the type."""
ABOVE = 2.0
"""Above a paragraph, in points."""
GAP = 10.0
"""Between columns of a table, in points."""
LEAST = 0.6
"""To how small a part of its size a name is drawn that is longer than its room."""


class Paper(Value):
    """A size of paper, in points; ``type``: the size of its letters."""

    wide: float
    high: float
    side: float
    type: float


BOOK_PAPERS = {
    "a5": Paper(148 * MM, 210 * MM, 13 * MM, 8.6),
    "letter": Paper(8.5 * 72, 11 * 72, 24 * MM, 10.4),
}


class Cell(Value):
    """What stands in a table: a text, and the mark of a seat before it."""

    text: str
    seat: str = ""


class Press:
    """A book in the making; ``head``: what stands at the foot of every page but the first."""

    def __init__(self, paper: Paper, title: str, author: str, subject: str, language: str) -> None:
        self.paper, self._title = paper, title
        self._file = BytesIO()
        size = (paper.wide, paper.high)
        self.canvas = Canvas(self._file, pagesize=size, pageCompression=1, lang=language, invariant=1)
        self.canvas.setTitle(title)
        self.canvas.setAuthor(author)
        self.canvas.setCreator(author)
        self.canvas.setSubject(subject)
        self.painter = Painter(self.canvas)
        self.left, self.bottom, self.top = paper.side, 15 * MM, paper.high - 13 * MM
        self.wide = paper.wide - 2 * paper.side
        self.y, self._number = self.top, 1

    # pages -------------------------------------------------------------------------------------------------

    @property
    def room(self) -> float:
        return self.y - self.bottom

    @property
    def is_full(self) -> bool:
        """Whether the page is filled so far that it may end here."""
        return self.room < (1 - FULL_ENOUGH) * (self.top - self.bottom)

    @property
    def is_fresh(self) -> bool:
        return self.y == self.top

    def turn(self) -> None:
        """Begin a page."""
        self.canvas.showPage()
        self._number += 1
        self.y = self.top
        small = self.paper.type * SMALL
        self._text(self.left, 8 * MM, self._title, "regular", small, palette.MUTED)
        self.canvas.drawRightString(self.paper.wide - self.left, 8 * MM, str(self._number))

    def chapter(self, title: str) -> None:
        """The place of a chapter, for those who read it on a screen."""
        key = f"c{self._number}-{round(self.y)}"
        self.canvas.bookmarkHorizontal(key, 0, self.y)
        self.canvas.addOutlineEntry(title, key)

    def done(self) -> bytes:
        self.canvas.showPage()
        self.canvas.save()
        return self._file.getvalue()

    # what stands on them -------------------------------------------------------------------------------------

    def head(self, text: str, size: float = HEAD) -> None:
        """A head; what follows it must have room on the page."""
        height = self.head_height(size)
        self.y -= height if self.is_fresh else height + self.paper.type
        self._text(self.left, self.y + 0.35 * height, text, "semibold", self.paper.type * size, palette.INK)

    def head_height(self, size: float = HEAD) -> float:
        return self.paper.type * size * 1.5

    def write(
        self,
        text: str,
        *,
        seat: str = "",
        style: str = "",
        above: float = ABOVE,
        turned: Callable[[], None] | None = None,
    ) -> None:
        """A paragraph with markup, after the mark of a seat; it goes on over the end of the page.

        ``turned``: called on a page that is begun for it.
        """
        indent = self._indent(seat, style)
        rest: list[Flowable] = [Paragraph(in_our_letters(text), _style(self.paper.type, style))]
        self.y -= above
        while rest:
            parts = rest[0].split(self.wide - indent, self.room)
            if not parts or parts[0].wrap(self.wide - indent, self.room)[1] > self.room:
                self._go_on(turned)
                continue
            _, height = parts[0].wrap(self.wide - indent, self.room)
            if seat:
                side = self.paper.type * 1.02
                self.painter.lay(coin(seat, COIN), self.left + side / 2, self.y - self.paper.type * 0.62, side / COIN)
                seat = ""
            parts[0].drawOn(self.canvas, self.left + indent, self.y - height)
            self.y -= height
            rest = parts[1:]
            if rest:
                self._go_on(turned)

    def height(self, text: str, seat: str, style: str) -> float:
        """How much of a page a paragraph takes."""
        found = Paragraph(in_our_letters(text), _style(self.paper.type, style))
        return ABOVE + float(found.wrap(self.wide - self._indent(seat, style), self.top)[1])

    def _indent(self, seat: str, style: str) -> float:
        return self.paper.type * 1.5 if seat or style == "log" else 0.0

    def _go_on(self, turned: Callable[[], None] | None) -> None:
        self.turn()
        if turned is not None:
            turned()

    def board(self, sketch: Sketch, height: float) -> None:
        """A board in the middle of the line, at most as wide as it."""
        scale = min(self.wide / sketch.width, height / sketch.height)
        wide, high = sketch.width * scale, sketch.height * scale
        x = self.left + (self.wide - wide) / 2
        self.painter.paint(sketch, x, self.y - high, wide)
        self.canvas.setStrokeColor(code(palette.FRAME))
        self.canvas.setLineWidth(0.6)
        self.canvas.rect(x, self.y - high, wide, high, stroke=1, fill=0)
        self.y -= high

    def board_height(self, sketch: Sketch, most: float) -> float:
        return min(self.wide * sketch.height / sketch.width, most)

    def code(self, text: str, side: float) -> None:
        """A QR code."""
        found = QRCode(None, QRErrorCorrectLevel.M)
        found.addData(text)
        found.make()
        step = side / found.moduleCount
        self.canvas.setFillColor(code(palette.INK))
        self.y -= side
        dark = self.canvas.beginPath()
        for row in range(found.moduleCount):
            for column in range(found.moduleCount):
                if found.modules[row][column]:
                    dark.rect(self.left + column * step, self.y + side - (row + 1) * step, step, step)
        self.canvas.drawPath(dark, stroke=0, fill=1)

    # tables --------------------------------------------------------------------------------------------------

    def table_height(self, rows: int) -> float:
        return (rows + 2) * self.paper.type * 1.55 + 8

    def table_width(self, heads: Sequence[str], rows: Sequence[Sequence[Cell]]) -> float:
        """The part of the line that is taken by figures."""
        widths = self._widths(heads, rows)
        return (sum(widths) + GAP * len(widths)) / self.wide

    def _widths(self, heads: Sequence[str], rows: Sequence[Sequence[Cell]]) -> list[float]:
        size = self.paper.type
        whole = [row for row in rows if len(row) == len(heads)]
        return [
            max([self._width(word, size * SMALL) for word in head.split(" ")]
                + [self._width(row[at].text, size) for row in whole])
            for at, head in enumerate(heads)
        ][1:]  # fmt: skip

    def table(self, heads: Sequence[str], rows: Sequence[Sequence[Cell]]) -> None:
        """The first column has the room that the others leave, which are figures."""
        size, step = self.paper.type, self.paper.type * 1.55
        small = size * SMALL
        lines = [head.split(" ") if at else [head] for at, head in enumerate(heads)]
        widths = self._widths(heads, rows)
        self.y -= step * (0.35 + 0.72 * max(len(line) for line in lines))
        for at, words in enumerate(lines):
            for up, word in enumerate(reversed(words)):
                self._in_column(word, at, widths, self.y + up * small * 1.12, small, palette.MUTED)
        self._rule(self.y - 3)
        for row in rows:
            self.y -= step
            base = self.y - 0.05 * step
            self._first(row[0], base, self.wide - sum(widths) - GAP * len(widths))
            for at, cell in enumerate(row[1:], 1):
                if len(row) < len(heads):  # one word for all columns
                    self._right(cell.text, self.left + self.wide, base, size, palette.MUTED)
                else:
                    self._in_column(cell.text, at, widths, base, size, palette.INK)
            self._rule(self.y - 0.42 * step, palette.RULE)
        self.y -= step * 0.7

    def _first(self, cell: Cell, base: float, room: float) -> None:
        size, x = self.paper.type, self.left
        if cell.seat:
            side = size * 1.1
            self.painter.lay(coin(cell.seat, COIN), x + side / 2, base + size * 0.32, side / COIN)
            x, room = x + side * 1.35, room - side * 1.35
        wide = self._width(cell.text, size, "semibold")
        self._text(x, base, cell.text, "semibold", size * max(LEAST, min(1, room / max(wide, 1))), palette.INK)

    def _in_column(self, text: str, at: int, widths: Sequence[float], y: float, size: float, colour: Colour) -> None:
        if at == 0:
            self._text(self.left, y, text, "regular", size, colour)
            return
        self._right(text, self.left + self.wide - sum(widths[at:]) - GAP * (len(widths) - at), y, size, colour)

    def _right(self, text: str, x: float, y: float, size: float, colour: Colour) -> None:
        self._text(x - self._width(text, size), y, text, "regular", size, colour)

    def _rule(self, y: float, colour: Colour = palette.FRAME) -> None:
        self.canvas.setStrokeColor(code(colour))
        self.canvas.setLineWidth(0.5)
        self.canvas.line(self.left, y, self.left + self.wide, y)

    def _text(self, x: float, y: float, text: str, weight: str, size: float, colour: Colour) -> None:
        self.canvas.setFont(font_name(weight), size)
        self.canvas.setFillColor(code(colour))
        self.canvas.drawString(x, y, in_our_letters(text))

    @staticmethod
    def _width(text: str, size: float, weight: str = "regular") -> float:
        return pdfmetrics.stringWidth(in_our_letters(text), font_name(weight), size)


@lru_cache(maxsize=16)
def _style(size: float, kind: str) -> ParagraphStyle:
    shade = palette.MUTED if kind == "quiet" else palette.INK
    used = size * SMALL if kind == "quiet" else size
    return ParagraphStyle(
        kind or "text", fontName=font_name("regular"), fontSize=used, leading=used * LEADING,
        textColor=HexColor(code(shade)), allowWidows=0, allowOrphans=0, splitLongWords=1,
    )  # fmt: skip
