"""How a finished game went: the table of players after every turn, and the moments that decided it."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass
from itertools import pairwise

from sqlalchemy import select

from pbem.engine.events import Told
from pbem.engine.moves import Seat
from pbem.engine.sheet import Column
from pbem.engine.text import Say, Who, say
from pbem.service.base.office import Office
from pbem.service.reading.views import decoded
from pbem.store.tables import Move
from pbem.views import GameView, MoveView

MOST_MOMENTS = 6
POINTS = "points"
"""The column by which companies are ranked."""


@dataclass(frozen=True, slots=True)
class TurnEnd:
    """The table after the last order of a turn; turn 0 is the deal. ``figures``: by seat and column; ``out``: who is
    out of the game, and why in words."""

    turn: int
    number: int
    figures: Mapping[Seat, Mapping[str, int]]
    out: Mapping[Seat, Say]

    def ranked(self) -> list[tuple[int, Seat]]:
        """Points and seat, the best first."""
        return sorted(((row[POINTS], seat) for seat, row in self.figures.items() if POINTS in row), reverse=True)


@dataclass(frozen=True, slots=True)
class Course:
    """The turns of a game with the columns in which somebody has a figure, points first."""

    columns: tuple[Column, ...]
    turns: tuple[TurnEnd, ...]


@dataclass(frozen=True, slots=True)
class Moment:
    """Something that decided a game. ``number``: of the order after which it is seen."""

    number: int
    title: Say
    words: tuple[Say, ...]


def of_game(office: Office, view: GameView) -> Course:
    """The course of a finished game, whose whole log ``view`` holds."""
    ends = {0: 0} | {move.turn: move.number for move in view.log if move.number > 0}
    with office.read() as session:
        query = select(Move.number, Move.state).where(Move.game_id == view.id, Move.number.in_(ends.values()))
        stored = {row.number: row.state for row in session.execute(query)}
    turns = tuple(_end(view, turn, number, stored[number]) for turn, number in sorted(ends.items()) if number in stored)
    known = {key for end in turns for row in end.figures.values() for key in row}
    columns = [column for column in view.sheet.columns(view.state) if column.key in known]
    return Course(tuple(sorted(columns, key=lambda column: column.key != POINTS)), turns)


def _end(view: GameView, turn: int, number: int, stored: bytes) -> TurnEnd:
    rows = view.sheet.rows(decoded(view.sheet, stored))
    figures = {
        row.seat: {key: value for key, value in row.cells.items() if isinstance(value, int)}
        for row in rows
        if row.out is None
    }
    return TurnEnd(turn, number, figures, {row.seat: row.out for row in rows if row.out is not None})


def moments(view: GameView, course: Course) -> tuple[Moment, ...]:
    """What decided a finished game, in the order in which it happened: who went out of it, the dearest order, the order
    that gained its player most, and changes of the lead, the latest before earlier ones."""
    counted = [move for move in view.log if move.counts and move.number > 0]
    best = [found for found in (_dearest(counted), _greatest(counted)) if found]
    decided = [*_left(course), *best, *reversed(list(_leads(course)))]
    kept = {moment.number: moment for moment in reversed(decided[:MOST_MOMENTS])}
    return tuple(kept[number] for number in sorted(kept))


def _left(course: Course) -> Iterator[Moment]:
    for before, end in pairwise(course.turns):
        for seat, why in end.out.items():
            if seat not in before.out:
                title = say("Turn {turn}: {player} goes out", turn=end.turn, player=Who(seat))
                yield Moment(end.number, title, (why,))


def _leads(course: Course) -> Iterator[Moment]:
    """Turns after which somebody else led than before."""
    leader = ""
    for end in course.turns[1:]:
        ranked = end.ranked()
        if not ranked or (len(ranked) > 1 and ranked[0][0] == ranked[1][0]) or ranked[0][1] == leader:
            continue
        (points, first), *others = ranked
        if leader:
            title = say("Turn {turn}: {player} takes the lead", turn=end.turn, player=Who(first))
            rest = tuple(say("{player} {n}", player=Who(seat), n=n) for n, seat in others)
            words = say("{player} has {n} points now; the others: {rest}.", player=Who(first), n=points, rest=rest)
            yield Moment(end.number, title, (words,))
        leader = first


def _dearest(moves: Sequence[MoveView]) -> Moment | None:
    """The order that cost most."""
    paid = [(sum(_number(event.fields.get("price")) for event in move.events), move) for move in moves]
    price, move = max(paid, key=lambda found: found[0], default=(0, None))
    if move is None or not price:
        return None
    title = say("Turn {turn}: {player} pays ${price}", turn=move.turn, player=Who(move.seat), price=price)
    return Moment(move.number, title, tuple(event.say for event in move.events if _number(event.fields.get("price"))))


def _greatest(moves: Sequence[MoveView]) -> Moment | None:
    """The order that gained its own player most; the latest of equal ones."""
    gains = [
        (_gain(event, move.seat), move.number, move, event)
        for move in moves
        for event in move.events
        if event.fields.get("seat") == move.seat
    ]
    steps, number, move, event = max(gains, key=lambda found: found[:2], default=(0, 0, None, None))
    if move is None or event is None or not steps:
        return None
    title = say("Turn {turn}: {player} gains {n}", turn=move.turn, player=Who(move.seat), n=steps)
    return Moment(number, title, (event.say,))


def _gain(event: Told, seat: Seat) -> int:
    """What the event says that this seat gains by it."""
    gains = event.fields.get("gains")
    return sum(_number(steps) for one, steps in gains if one == seat) if isinstance(gains, list | tuple) else 0


def _number(value: object) -> int:
    return value if isinstance(value, int) else 0
