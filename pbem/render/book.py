"""A finished game as a book: a cover, every turn with its board, figures and log, the final table, the dice.

A board stands whole. Where it has no room any more its turn begins with the log, and the board heads the next page.
"""

from collections.abc import Sequence
from html import escape

import pbem
from pbem.engine import Say, count_say, replace, say
from pbem.engine.sheet import Standing
from pbem.engine.text import Dated
from pbem.language import current
from pbem.language.voice import capital
from pbem.render import palette
from pbem.render.page import map_sketch
from pbem.render.palette import code
from pbem.render.pdf import font_name
from pbem.render.press import BOOK_PAPERS, COIN, MM, Cell, Press
from pbem.render.signs import coin
from pbem.render.sketch import Sketch
from pbem.render.type import in_our_letters, width, wrapped
from pbem.views.log import Book, Chapter, LogLine
from pbem.views.position import beside_points

NAME, END = "\ue000", "\ue001"
"""Around the names of players, which are set in bold type."""
MOST = 0.74
"""The part of a page that a board takes at most."""
LEAST = 0.42
"""The part that it takes at the least, so that its turn is whole on one page."""
TITLE, LEAST_TITLE = 3.6, 1.8
"""The size of the title on the cover, in sizes of the type, and the smallest."""
BAND = 0.36
"""The part of the cover that is coloured."""
CODE = 30 * MM
WIDEST = 0.66
"""The part of a line that the figures of the final table may take with how they are counted."""
PROOF = 24
"""The room that the dice take beside the code, in sizes of the type."""


def book_pdf(book: Book, paper: str) -> bytes:
    """The book as PDF, in the language that is read; ``paper``: a key of ``BOOK_PAPERS``."""
    return _Printing(book, paper).printed()


class _Printing:
    def __init__(self, book: Book, paper: str) -> None:
        self._book, self._game, self._voice = book, book.game, book.game.voice
        names = {seat.seat: f"{NAME}{self._voice.who(seat.seat)}{END}" for seat in self._game.seats}
        self._marking = replace(self._voice, names=names)
        subject = f"{self._game.sheet.full_name}. {book.address} SHA-256 {book.digest}"
        self._press = Press(BOOK_PAPERS[paper], self._game.title, f"pbem {pbem.__version__}", subject, current().code)
        self._late: tuple[str, Sketch] | None = None

    def printed(self) -> bytes:
        self._cover()
        for chapter in self._book.chapters:
            self._chapter(chapter)
        self._end()
        return self._press.done()

    # the cover -----------------------------------------------------------------------------------------------

    def _cover(self) -> None:
        press, game, size = self._press, self._game, self._press.paper.type
        livery = palette.PLAYERS[self._book.winners[0].seat] if self._book.winners else palette.PLAYERS["black"]
        pdf, high = press.canvas, BAND * press.paper.high
        pdf.setFillColor(code(livery.core))
        pdf.rect(0, press.paper.high - high, press.paper.wide, high, stroke=0, fill=1)
        pdf.setFillColor(code(livery.on))
        pdf.setFont(font_name("medium"), size * 1.2)
        pdf.drawString(press.left, press.paper.high - high + size * 2.2, in_our_letters(game.sheet.full_name))
        large, lines = _fitting(game.title, size * TITLE, size * LEAST_TITLE, press.wide)
        pdf.setFont(font_name("bold"), large)
        for up, line in enumerate(reversed(lines)):
            pdf.drawString(press.left, press.paper.high - high + size * 5.2 + up * large * 1.1, in_our_letters(line))
        if livery.core == palette.PLAYERS["white"].core:
            pdf.setStrokeColor(code(palette.INK))
            pdf.line(press.left, press.paper.high - high, press.left + press.wide, press.paper.high - high)
        press.y = press.paper.high - high - size * 2.4
        for standing in game.standings:
            self._standing(standing)
        press.write(escape(self._played()), style="quiet", above=press.paper.type)
        last = map_sketch(self._book.chapters[-1].scene)
        room = press.room - size
        press.y = press.bottom + press.board_height(last, room) - 3 * MM
        press.board(last, room)

    def _standing(self, standing: Standing) -> None:
        press, size = self._press, self._press.paper.type * 1.25
        press.y -= size * 1.55
        press.painter.lay(coin(standing.seat, COIN), press.left + size * 0.55, press.y + size * 0.34, 1.1 * size / COIN)
        points = "–" if standing.score is None else _figure(standing.score)
        name = f"{standing.place}. {self._voice.who(standing.seat)}"
        press.canvas.setFillColor(code(palette.INK))
        press.canvas.setFont(font_name("semibold"), size)
        press.canvas.drawString(press.left + size * 1.6, press.y, in_our_letters(name))
        press.canvas.setFont(font_name("regular"), size)
        press.canvas.drawRightString(press.left + press.wide, press.y, points)

    def _played(self) -> str:
        orders, game = self._game.version, self._game
        if game.imported or game.ended_at is None:
            return self._said(count_say("{n} order, played elsewhere.", "{n} orders, played elsewhere.", orders))
        day = Dated(f"{game.ended_at:%Y-%m-%d}", "year", f"{game.ended_at:%-d %B %Y}")
        return self._said(count_say("{n} order, ended {day}.", "{n} orders, ended {day}.", orders, day=day))

    # turns ---------------------------------------------------------------------------------------------------

    def _chapter(self, chapter: Chapter) -> None:
        """Head, board, table, log; where the board has no room it comes at the head of the next page."""
        press, sketch = self._press, map_sketch(chapter.scene)
        table = press.table_height(len(chapter.rows))
        page = press.top - press.bottom
        most = min(MOST * page, page - press.head_height() - table)
        log = sum(press.height(self._told(line), line.seat, "log") for line in chapter.lines)
        if (left := page - press.head_height() - table - log - 3 * press.paper.type) >= LEAST * page:
            most = min(most, left)
        high = press.board_height(sketch, most)
        if self._late is not None or chapter is self._book.chapters[0]:
            self._new_page()
        fits = press.is_fresh or press.room > press.head_height() * 2 + high + table
        if not fits and press.is_full:
            self._new_page()
            fits = True
        title = capital(self._said(chapter.title))
        press.chapter(title)
        press.head(title)
        if fits:
            press.board(sketch, most)
            self._table(chapter)
        else:
            self._table(chapter)
            self._late = capital(self._said(say("{turn}: the board at its end.", turn=chapter.title))), sketch
        for line in chapter.lines:
            self._line(line)

    def _new_page(self) -> None:
        """Begin a page with the board that waits for one."""
        self._press.turn()
        self._place()

    def _place(self) -> None:
        if self._late is not None:
            (words, sketch), self._late = self._late, None
            press = self._press
            press.board(sketch, MOST * (press.top - press.bottom))
            press.write(escape(words), style="quiet", above=3)
            press.y -= press.paper.type

    def _table(self, chapter: Chapter) -> None:
        columns = [column for column in chapter.columns if column.key != "action"]
        rows = []
        for row in chapter.rows:
            name = Cell(self._voice.who(row.seat), row.seat)
            cells = [Cell(self._cell(row.cells.get(column.key), money=column.money)) for column in columns]
            rows.append([name, Cell(self._said(row.out))] if row.out is not None else [name, *cells])
        self._press.table(["", *(capital(self._said(column.head)) for column in columns)], rows)

    def _line(self, line: LogLine) -> None:
        self._press.write(self._told(line), seat=line.seat, style="log", turned=self._place)

    def _told(self, line: LogLine) -> str:
        said = [capital(self._said(sentence, marked=True)) for sentence in line.sentences]
        text = _marked(" ".join(said))
        if line.phase is not None:
            text = f"<i>{escape(capital(self._voice.word(line.phase.word)))}:</i> {text}"
        return text

    # the end -------------------------------------------------------------------------------------------------

    def _end(self) -> None:
        """The final table and the dice, with the last board where it is still to come."""
        press, game = self._press, self._game
        proof = CODE + press.paper.type * PROOF
        table = 2 * press.table_height(len(game.standings)) + press.head_height() * 2
        if self._late is not None or (press.is_full and press.room < table + proof):
            self._new_page()
        if press.room < table:
            press.turn()
        press.chapter(self._said(say("Final table")))
        press.head(self._said(say("Final table")))
        self._final_table()
        if (verdict := game.sheet.verdict(game.state)) is not None:
            press.write(escape(self._said(verdict)), above=4)
        press.y -= press.paper.type
        if press.room < proof:
            press.turn()
        self._proof()

    def _final_table(self) -> None:
        game = self._game
        parts = list(dict.fromkeys(name for line in game.standings for name, _ in line.parts))
        beside = beside_points(game.sheet.columns(game.state), game.standings)
        at_end = {row.seat: row.cells for row in game.sheet.rows(game.state)}
        heads = ["", *(capital(self._voice.word(name)) for name in parts), self._said(say("Points"))]
        heads += [capital(self._said(column.head)) for column in beside]
        sums = {line.seat: game.sheet.sums(game.state, line.seat) for line in game.standings}
        rows, plain = [], []
        for line in game.standings:
            name, counted = Cell(f"{line.place}. {self._voice.who(line.seat)}", line.seat), dict(line.parts)
            if line.out:
                plain.append([name, Cell(self._said(say("out of the game")))])
                rows.append(plain[-1])
                continue
            cells = [self._cell(counted.get(part)) for part in parts]
            told = [self._sum(sums[line.seat].get(part), cell) for part, cell in zip(parts, cells, strict=True)]
            others = [self._cell(line.score)]
            others += [self._cell(at_end[line.seat].get(column.key), money=column.money) for column in beside]
            plain.append([name, *map(Cell, cells + others)])
            rows.append([name, *map(Cell, told + others)])
        if self._press.table_width(heads, rows) < WIDEST:
            self._press.table(heads, rows)
            return
        self._press.table(heads, plain)
        for line in game.standings:
            words = [
                f"{self._voice.word(part)} {self._sum(found, self._cell(dict(line.parts).get(part)))}"
                for part, found in sums[line.seat].items()
            ]
            if words and not line.out:
                self._press.write(escape(f"{self._voice.who(line.seat)}: {'; '.join(words)}"), style="quiet", above=2)

    def _sum(self, found: Say | None, value: str) -> str:
        return value if found is None else f"{self._said(found)} = {value}"

    def _proof(self) -> None:
        press, book = self._press, self._book
        title = self._said(say("The dice of this game"))
        press.chapter(title)
        press.head(title)
        facts = [(say("SHA-256 of the record"), book.digest), (say("Saved by"), f"pbem {pbem.__version__}")]
        if book.draws:
            facts = [(say("Commitment"), book.game.commitment), (say("Seed"), book.game.seed), *facts]
            press.write(escape(self._said(say("Every roll and every draw follows from the seed."))))
        else:
            elsewhere = say("This game was played elsewhere: its record has every roll and draw, but no seed.")
            press.write(escape(self._said(elsewhere)))
        for name, value in facts:
            press.write(escape(self._said(name)), style="quiet", above=5)
            press.write(value, above=0)
        press.y -= press.paper.type
        press.code(book.address, CODE)
        invites = count_say(
            "This code opens the game, where your browser computes {n} roll or draw again.",
            "This code opens the game, where your browser computes all {n} rolls and draws again.",
            book.draws,
        )
        press.write(escape(self._said(invites if book.draws else say("This code opens the game."))), above=6)
        press.write(escape(book.address), style="quiet", above=2)

    # words ---------------------------------------------------------------------------------------------------

    def _said(self, sentence: Say, *, marked: bool = False) -> str:
        return sentence.read(self._marking if marked else self._voice)

    def _cell(self, value: int | Say | None, *, money: bool = False) -> str:
        if value is None:
            return "–"
        return self._said(value) if isinstance(value, Say) else _figure(value, "$" if money else "")


def _figure(value: int, sign: str = "") -> str:
    return f"{'−' if value < 0 else ''}{sign}{abs(value)}"


def _marked(text: str) -> str:
    return escape(text).replace(NAME, "<b>").replace(END, "</b>")


def _fitting(text: str, size: float, least: float, room: float) -> tuple[float, Sequence[str]]:
    """The largest size at which the text has two lines, or as many as it needs at the least."""
    while size > least:
        lines = wrapped(text, "bold", size, room)
        if len(lines) <= 2 and all(width(line, "bold", size) <= room for line in lines):
            return size, lines
        size *= 0.94
    return least, wrapped(text, "bold", least, room)
