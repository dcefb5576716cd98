"""The players' table and the final table, as values for HTML and as aligned lines for text."""

from collections.abc import Sequence
from itertools import zip_longest

from pbem.engine import Say, Value
from pbem.engine.overview import Column, Overview, Row
from pbem.engine.overview import Line as OverviewLine
from pbem.engine.sheet import Standing
from pbem.engine.standing_orders import PlanPart
from pbem.engine.text import YOU
from pbem.language.voice import capital
from pbem.mail.voices import TextVoice
from pbem.mail.words import COLUMNS, fill, tidy
from pbem.views.position import Position, beside_points

MINUS = "−"
NAME_IN_TEXT, LEAST_NAME = 18, 8
"""Longest name in a table of the text part, and how much of it stands there in any case."""


class Line(Value):
    """A row ready to print: ``cells`` are figures, ``note`` words under the name, ``out`` stands for all cells."""

    seat: str
    name: str
    cells: tuple[str, ...]
    note: str = ""
    out: str = ""
    me: bool = False
    place: str = ""


class Table(Value):
    """Heads of the figures and the rows. ``main``: which column decides, counted from 0, of a final table."""

    heads: tuple[str, ...]
    lines: tuple[Line, ...]
    main: int | None = None


def amount(value: int, money: bool = False) -> str:
    if value < 0:
        return f"{MINUS}{'$' if money else ''}{-value}"
    return f"${value}" if money else str(value)


def named(seat: str, voice: TextVoice) -> str:
    """What a line about a player begins with: the name, or "You"."""
    return capital(voice.word(YOU)) if seat and seat == voice.reader else voice.who(seat)


def players_table(columns: Sequence[Column], rows: Sequence[Row], voice: TextVoice, me: str) -> Table:
    """The players in turn order; columns that hold words become the note under the name."""
    figures = [c for c in columns if any(isinstance(row.cells.get(c.key), int) for row in rows)]
    words = [c for c in columns if c not in figures]
    lines = tuple(_player(row, figures, words, voice, me) for row in rows)
    return Table(tuple(voice.read(column.head) for column in figures), lines)


def _player(row: Row, figures: list[Column], words: list[Column], voice: TextVoice, me: str) -> Line:
    cells = row.cells
    notes = [voice.read(cell) for c in words if isinstance(cell := cells.get(c.key), Say)]
    return Line(
        seat=row.seat,
        name=named(row.seat, voice),
        cells=tuple([_figure(cells.get(column.key), column.money, voice) for column in figures]),
        note=voice.listed(notes) if notes else "",
        out=voice.read(row.out) if row.out else "",
        me=row.seat == me,
    )


def _figure(value: int | Say | None, money: bool, voice: TextVoice) -> str:
    if isinstance(value, int):
        return amount(value, money)
    return "–" if value is None else voice.read(value)


def final_table(standings: Sequence[Standing], position: Position, voice: TextVoice, me: str) -> Table:
    """The standings with the parts of each score, best first, and what is no part of it: cash and engine."""
    heads = next((tuple(name for name, _ in s.parts) for s in standings if s.parts), ())
    more, ends = beside_points(position.columns, standings), {row.seat: row for row in position.rows}
    lines = tuple(
        Line(
            seat=standing.seat,
            name=named(standing.seat, voice),
            cells=(
                *(amount(value) for _, value in standing.parts),
                "–" if standing.score is None else amount(standing.score),
                *(_figure(ends[standing.seat].cells.get(column.key), column.money, voice) for column in more),
            ),
            out=voice.word("out") if standing.out else "",
            me=standing.seat == me,
            place=f"{standing.place}.",
        )
        for standing in sorted(standings, key=lambda standing: standing.place)
    )
    added = (voice.read(column.head) for column in more)
    return Table((*(voice.word(head) for head in heads), voice.word("points"), *added), lines, main=len(heads))


def as_text(table: Table) -> str:
    """The table in columns, the reader's own row marked with ">", within 72 columns."""
    widths = [max(map(len, column)) for column in _columns(table)]
    gap = "  " if LEAST_NAME + 2 + sum(width + 2 for width in widths) <= COLUMNS else " "
    widths = [len(gap) + width for width in widths]
    name = min(NAME_IN_TEXT, max((len(_named(line)) for line in table.lines), default=0))
    name = max(LEAST_NAME, min(name, COLUMNS - 2 - sum(widths)))
    heads = "".join(f"{text.lower():>{width}}" for text, width in zip(table.heads, widths, strict=True))
    return "\n".join([" " * (name + 2) + heads, *(_text_line(line, name, widths) for line in table.lines)])


def _columns(table: Table) -> list[tuple[str, ...]]:
    rows = [line.cells for line in table.lines if not line.out]
    return list(zip_longest(table.heads, *rows, fillvalue=""))


def _named(line: Line) -> str:
    return f"{line.place} {line.name}" if line.place else line.name


def _text_line(line: Line, name: int, widths: list[int]) -> str:
    sign = ">" if line.me else " "
    start = f"{sign} {tidy(_named(line), name):<{name}}"
    if line.out:
        return f"{start}  {line.out}"
    figures = "".join(f"{cell:>{width}}" for cell, width in zip(line.cells, widths, strict=True))
    whole = f"{start}{figures}  {line.note}".rstrip()
    return whole if len(whole) <= COLUMNS else f"{start}{figures}\n{fill(line.note, hang=4, first='    ')}"


def part_as_text(part: PlanPart, voice: TextVoice) -> str:
    """What each choice of a planning part means, in columns within 72; the last column goes on below."""
    heads = [voice.word(part.word), *(voice.read(column).lower() for column in part.columns)]
    rows = [[voice.read(choice.title), *(voice.read(cell) for cell in choice.cells)] for choice in part.choices]
    return _in_columns([heads, *rows])


def overview_as_text(overview: Overview, voice: TextVoice) -> str:
    """The figures of a question in columns within 72, or a line each where the rows explain themselves."""
    if not overview.columns:
        return "\n".join(
            fill(f"{voice.read(line.about)}: {cells_of(line, overview, voice)[0]}", 2) for line in overview.lines
        )
    rows = [[voice.read(column.title).lower() for column in overview.columns]]
    rows += [[voice.read(line.about), *cells_of(line, overview, voice)] for line in overview.lines]
    return _in_columns(rows)


def cells_of(line: OverviewLine, overview: Overview, voice: TextVoice) -> tuple[str, ...]:
    money = [column.money for column in overview.columns[1:]] or [False]
    return tuple(_figure(value, of_money, voice) for value, of_money in zip(line.cells, money, strict=False))


def _in_columns(rows: Sequence[Sequence[str]]) -> str:
    widths = [max(len(row[at]) for row in rows) for at in range(len(rows[0]) - 1)]
    lines = []
    for *cells, last in rows:
        first, *figures = (text if at == 0 else text.rjust(widths[at]) for at, text in enumerate(cells))
        start = "  ".join((first.ljust(widths[0]), *figures, ""))
        lines.append(fill(last, hang=len(start), first=start))
    return "\n".join(lines)
