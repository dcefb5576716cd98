"""The log as people read it: one line an order, with shares, auction and actions condensed to one line each."""

from __future__ import annotations

from collections.abc import Iterable, Sequence
from dataclasses import dataclass
from itertools import groupby

from pbem.engine.events import Told
from pbem.engine.text import Say, Word
from pbem.views import MoveView

CONDENSED = frozenset({"issue_shares", "turn_order", "select_actions"})
"""Phases whose orders are read together."""


@dataclass(frozen=True, slots=True)
class LogLine:
    """A line of the log.

    ``number``: of the last order in it. ``seat``: whose mark stands before it, empty for what happened to all
    or none. ``phase``: the phase as a head, only on condensed lines. ``cause``: of the order, see
    :class:`pbem.views.MoveView`.
    """

    number: int
    seat: str
    sentences: tuple[Say, ...]
    phase: Word | None = None
    cause: str = "player"


def log_lines(moves: Iterable[MoveView]) -> tuple[LogLine, ...]:
    """The lines of these orders, oldest first; an order without events has none."""
    lines: list[LogLine] = []
    for (_, phase), run in groupby(moves, key=lambda move: (move.turn, move.phase)):
        orders = list(run)
        if phase in CONDENSED and len(orders) > 1:
            lines += _condensed(orders)
        else:
            lines += [line for order in orders for line in _one(order, order.events)]
    return tuple(lines)


def _condensed(orders: Sequence[MoveView]) -> list[LogLine]:
    """One line for the run; what the last order set off beyond its own seat keeps lines of its own."""
    last = orders[-1]
    own, after = _split(last)
    events = [event for order in orders[:-1] for event in order.events] + own
    head = LogLine(last.number, "", tuple(event.say for event in events), Word(last.phase))
    return [head, *_one(last, after)] if events else _one(last, after)


def _split(order: MoveView) -> tuple[list[Told], list[Told]]:
    own = 0
    while own < len(order.events) and _seat(order.events[own]) == order.seat:
        own += 1
    return list(order.events[:own]), list(order.events[own:])


def _one(order: MoveView, events: Sequence[Told]) -> list[LogLine]:
    """Neighbouring events of one seat share a line, and so do those of one kind that are nobody's."""
    return [
        LogLine(order.number, seat, tuple(event.say for event in run), cause=order.cause)
        for (seat, _), run in groupby(events, key=_subject)
    ]


def _subject(event: Told) -> tuple[str, str]:
    seat = _seat(event)
    return seat, "" if seat else event.kind


def _seat(event: Told) -> str:
    return str(event.fields.get("seat", ""))
