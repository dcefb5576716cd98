"""The charts of a balance report, put into coordinates; the template draws them as SVG."""

from collections.abc import Sequence
from itertools import pairwise
from math import isfinite

from pbem.engine.values import Value
from pbem.robot.balance.figures import Figures, medians
from pbem.robot.balance.games import Game

MIDDLE, REACH = 165, 90
"""Where a bar of 0 lies, and how far the longest line goes to each side."""
LEFT, RIGHT, TOP, FLOOR = 30, 290, 8, 108
LABELS = 12
"""Turns that are named below, at the most."""


class Bar(Value):
    """A seat: its bar, the line in which chance leaves it (none after one game), its figure, whether to look at it."""

    x: float
    width: float
    low: float | None
    high: float | None
    value: float
    look: bool


class Income(Value):
    """The median incomes with one number of players: a path for each seat, the turns with their places, the highest
    and the lowest; ``money``: cash, income and shares by turn and seat."""

    players: int
    paths: tuple[str, ...]
    turns: tuple[tuple[int, int], ...]
    high: int
    low: int
    money: tuple[tuple[tuple[float, float, float] | None, ...], ...]


def seats(found: Figures) -> list[tuple[int, tuple[Bar, ...]]]:
    """The seats of each number of players, all on one scale."""
    shown = [count for count in found.counts if count.players > 1]
    ends = (abs(seat.mean) + (seat.reach if isfinite(seat.reach) else 0) for count in shown for seat in count.seats)
    scale = REACH / (max(ends, default=0) or 1)
    return [
        (
            count.players,
            tuple(
                _bar(seat.mean, seat.reach if isfinite(seat.reach) else None, scale, seat.look) for seat in count.seats
            ),
        )
        for count in shown
    ]


def _bar(mean: float, reach: float | None, scale: float, look: bool) -> Bar:
    low, high = (None, None) if reach is None else (mean - reach, mean + reach)
    return Bar(
        round(MIDDLE + min(0, mean * scale), 1),
        round(abs(mean * scale), 1),
        None if low is None else round(MIDDLE + low * scale, 1),
        None if high is None else round(MIDDLE + high * scale, 1),
        mean,
        look,
    )


def income(games: Sequence[Game]) -> list[Income]:
    counts = sorted({game.players for game in games})
    return [_income(n, medians([game for game in games if game.players == n])) for n in counts]


def _income(players: int, money: tuple[tuple[tuple[float, float, float] | None, ...], ...]) -> Income:
    known = [held[1] for row in money for held in row if held is not None]
    low, high = min(0, *known, 0), max(1, *known, 1)
    step = (RIGHT - LEFT) / max(1, len(money) - 1)
    every = -(-len(money) // LABELS)

    def path(seat: int) -> str:
        points = [
            (round(LEFT + turn * step), round(FLOOR - (FLOOR - TOP) * (held[1] - low) / (high - low)))
            for turn, row in enumerate(money)
            if (held := row[seat]) is not None
        ]
        rest = "".join(f"l{x - left} {y - up}" for (left, up), (x, y) in pairwise(points))
        return f"M{points[0][0]} {points[0][1]}{rest}" if points else ""

    turns = tuple((turn + 1, round(LEFT + turn * step)) for turn in range(0, len(money), every))
    return Income(players, tuple(path(seat) for seat in range(players)), turns, round(high), round(low), money)
