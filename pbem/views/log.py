"""The log of a game as people read it, a line per order; shares, auction and actions are condensed to a line each. A
finished game as a book: its log turn by turn.
"""

from collections.abc import Iterable, Sequence
from itertools import groupby

from pbem.engine import Say, Value, Who, Word, replace, say
from pbem.engine.events import Told
from pbem.engine.flow import PlayedUnasked
from pbem.engine.overview import Column, Row
from pbem.engine.sheet import Standing
from pbem.rails.scene import Scene
from pbem.store.statuses import MoveCause
from pbem.views.games import GameView, MoveView

CONDENSED = frozenset({"issue_shares", "turn_order", "select_actions"})
"""Phases whose orders are read together."""


class LogLine(Value):
    """A line of the log.

    ``number``: of the last order in it. ``seat``: whose mark stands before it, empty for what happened to all
    or none. ``phase``: the phase as a head, only on condensed lines. ``cause``: of the order, on the line that tells
    what was ordered, see :class:`pbem.views.games.MoveView`. ``taken_back``: it no longer counts. ``whys``: the reasons
    of robots, on the first line of an order.
    """

    number: int
    seat: str
    sentences: tuple[Say, ...]
    phase: Word | None = None
    cause: MoveCause = MoveCause.PLAYER
    taken_back: bool = False
    whys: tuple[Say, ...] = ()


def since_own_orders(log: Iterable[MoveView], seat: str) -> tuple[MoveView, ...]:
    """What came of the last own orders of a player, and what happened after them.

    What was played for him counts as news. For emails and pages alike; everything for a player without orders.
    """
    moves, last = from_own_orders(log, seat)
    return tuple(move.parted(seat)[1] if move.number == last else move for move in moves)


def from_own_orders(log: Iterable[MoveView], seat: str) -> tuple[tuple[MoveView, ...], int]:
    """The same with these orders themselves, and their number; -1 for a player without any."""
    moves = tuple(log)
    last = max((move.number for move in moves if _is_own(move, seat)), default=-1)
    return tuple(move for move in moves if move.number >= last), last


def own_by_mail(log: Iterable[MoveView], seat: str) -> tuple[MoveView, ...]:
    """What a player has last ordered, if it came by email: nothing else confirms it but the next question."""
    return tuple(move.parted(seat)[0] for move in log if move.by_mail and _is_own(move, seat))


def _is_own(move: MoveView, seat: str) -> bool:
    return move.seat == seat and move.cause == MoveCause.PLAYER and move.counts


def log_lines(moves: Iterable[MoveView]) -> tuple[LogLine, ...]:
    """The lines of these orders, oldest first; an order without events has none."""
    lines: list[LogLine] = []
    for (_, phase, counts), run in groupby(moves, key=lambda move: (move.turn, move.phase, move.counts)):
        orders = list(run)
        if phase in CONDENSED and counts and len(orders) > 1:
            lines += _condensed(orders)
        else:
            lines += [line for order in orders for line in _one(order)]
    return tuple(lines)


def _condensed(orders: Sequence[MoveView]) -> list[LogLine]:
    sentences = tuple(event.say for order in orders for event in _told(order))
    whys = tuple(say("{player}: {why}", player=Who(order.seat), why=order.why) for order in orders if order.why)
    return [LogLine(orders[-1].number, "", sentences, Word(orders[-1].phase), whys=whys)] if sentences else []


def _one(order: MoveView) -> list[LogLine]:
    """Neighbouring events of one seat share a line, and so do those of one kind that are nobody's.

    The first line about the seat that was asked has the cause: it tells the order, the others what followed from it.
    """
    lines = [
        LogLine(order.number, seat, tuple(event.say for event in run), taken_back=order.taken_back)
        for (seat, _), run in groupby(_told(order), key=_subject)
    ]
    own = next((place for place, line in enumerate(lines) if line.seat == order.seat), None)
    if own is not None:
        lines[own] = replace(lines[own], cause=order.cause)
    if lines and order.why is not None:
        lines[0] = replace(lines[0], whys=(order.why,))
    return lines


def _subject(event: Told) -> tuple[str, str]:
    seat = _seat(event)
    return seat, "" if seat else event.kind


def _told(order: MoveView) -> tuple[Told, ...]:
    """The events of an order worth a sentence: those that a later one sums up give it their place."""
    events = [event for event in order.events if event.kind != PlayedUnasked.__name__]
    for summary in [event for event in events if event.sums_up]:
        parts = [event for event in events if (event.kind, _seat(event)) == (summary.sums_up, _seat(summary))]
        if parts:
            events.remove(summary)
            events[events.index(parts[0])] = summary
            events = [event for event in events if not any(event is part for part in parts)]
    return tuple(events)


def _seat(event: Told) -> str:
    """Whose deed it is: a player's, or in Steam Power that of a company or of the owner of a factory."""
    return next((str(event.fields[name]) for name in ("seat", "company", "owner") if name in event.fields), "")


class Chapter(Value):
    """A turn: the board and the players' table at its end, and its log. The first is the deal, without a log."""

    title: Say
    scene: Scene
    columns: tuple[Column, ...]
    rows: tuple[Row, ...]
    lines: tuple[LogLine, ...]


class Book(Value):
    """``address``: where the game can be opened; ``digest``: the SHA-256 of its record; ``draws``: rolls and draws."""

    game: GameView
    chapters: tuple[Chapter, ...]
    winners: tuple[Standing, ...]
    address: str
    digest: str
    draws: int
