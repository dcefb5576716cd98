"""What the games of a balance report come to, and what a designer should look at."""

import math
import statistics
from collections import Counter
from collections.abc import Iterable, Mapping, Sequence

from pbem.engine import Value
from pbem.rails.board import Label
from pbem.robot.balance.games import Game
from pbem.robot.balance.student import quantile
from pbem.robot.matches import DEVIATIONS, Mean

DOUBT = 0.05
"""How probable it may be that any seat of a fair map is named."""
LEAST = 5
"""Games with a number of players before anything is said about its seats."""
BANKRUPT = 0.05
"""Of all players, at the most."""
DELIVERED = (0.3, 0.9)
"""Of all cubes, at the least and at the most."""
SELDOM = 0.2
"""Deliveries a game that a place should have at the least."""


class SeatFigure(Value):
    """Points above the mean of its games; ``reach``: how far chance leaves that, 19 times of 20; ``look``: it is more
    than chance."""

    mean: float
    reach: float
    look: bool


class OfCount(Value):
    """The games with one number of players: means of a game. ``points``: of a player, ``winner``: of the best.

    ``out``: players who went bankrupt. ``delivered``: the part of the cubes, ``ridden``: links of a delivery, ``None``
    without any. ``built``: links.
    """

    players: int
    games: int
    points: float
    winner: float
    out: int
    delivered: float | None
    ridden: float | None
    built: float
    orders: float
    turns: float
    seats: tuple[SeatFigure, ...]

    @property
    def look(self) -> bool:
        """Whether many or few cubes were delivered."""
        return self.delivered is not None and not DELIVERED[0] <= self.delivered <= DELIVERED[1]


class Use(Value):
    """Deliveries a game that begin, end and pass at a place."""

    label: Label
    begin: float
    end: float
    passing: float

    @property
    def all(self) -> float:
        return self.begin + self.end + self.passing

    @property
    def look(self) -> bool:
        return self.all < SELDOM


class Figures(Value):
    """``uses``: of every place, what is used most first. ``track``: in which part of the games a hex carries some.
    ``out`` and ``delivered``: as in :class:`OfCount`, of all games."""

    games: int
    players: int
    out: int
    delivered: float | None
    counts: tuple[OfCount, ...]
    uses: tuple[Use, ...]
    track: Mapping[Label, float]

    @property
    def much_bankrupt(self) -> bool:
        return self.out > BANKRUPT * self.players

    @property
    def unfair(self) -> tuple[tuple[int, int, SeatFigure], ...]:
        """Seats that are better or worse by more than chance: players, the place of the seat from 1, its figure."""
        return tuple(
            (count.players, place, seat)
            for count in self.counts
            for place, seat in enumerate(count.seats, 1)
            if seat.look
        )

    @property
    def judged(self) -> bool:
        """Whether there are enough games to say something about seats."""
        return any(count.games >= LEAST and count.players > 1 for count in self.counts)


def figures(games: Sequence[Game], places: Iterable[Sequence[Label]] = ()) -> Figures:
    """``places``: the Cities and towns of the map, each with all its hexes."""
    by_count: dict[int, list[Game]] = {}
    for game in games:
        by_count.setdefault(game.players, []).append(game)
    compared = sum(players for players, found in by_count.items() if players > 1 and len(found) >= LEAST)
    uses = [_use(place, games) for place in places]
    carried = Counter(label for game in games for label in game.track)
    return Figures(
        games=len(games),
        players=sum(game.players for game in games),
        out=sum(sum(game.out) for game in games),
        delivered=_delivered(games),
        counts=tuple(_of_count(found, compared) for _, found in sorted(by_count.items())),
        uses=tuple(sorted(uses, key=lambda use: (-use.all, use.label))),
        track={label: n / len(games) for label, n in sorted(carried.items())},
    )


def _of_count(games: Sequence[Game], compared: int) -> OfCount:
    delivered = sum(game.delivered for game in games)
    return OfCount(
        players=games[0].players,
        games=len(games),
        points=statistics.fmean(point for game in games for point in game.points),
        winner=statistics.fmean(max(game.points) for game in games),
        out=sum(sum(game.out) for game in games),
        delivered=_delivered(games),
        ridden=sum(game.ridden for game in games) / delivered if delivered else None,
        built=statistics.fmean(game.built for game in games),
        orders=statistics.fmean(sum(game.orders) for game in games),
        turns=statistics.fmean(len(game.orders) for game in games),
        seats=seats(games, compared),
    )


def _delivered(games: Sequence[Game]) -> float | None:
    """The part of all cubes that was delivered, ``None`` without any."""
    cubes = sum(game.cubes for game in games)
    return sum(game.delivered for game in games) / cubes if cubes else None


def seats(games: Sequence[Game], compared: int) -> tuple[SeatFigure, ...]:
    """Every seat against the mean of its games. ``compared``: seats of the whole report, so that it does not name one
    of a fair map just because it looks at many."""
    found = []
    for place in range(games[0].players):
        mean = Mean.of([game.points[place] - statistics.fmean(game.points) for game in games])
        judged = len(games) >= LEAST and games[0].players > 1
        bound = quantile(1 - DOUBT / (2 * compared), len(games) - 1) * mean.error if judged else math.inf
        found.append(SeatFigure(mean.value, DEVIATIONS * mean.error, abs(mean.value) > bound))
    return tuple(found)


def _use(place: Sequence[Label], games: Sequence[Game]) -> Use:
    found = [game.uses[label] for game in games for label in place if label in game.uses]
    begin, end, passing = (sum(use[way] for use in found) / max(1, len(games)) for way in range(3))
    return Use(place[0], begin, end, passing)


def medians(games: Sequence[Game]) -> tuple[tuple[tuple[float, float, float] | None, ...], ...]:
    """Cash, income and shares at the end of every turn by seat, of games with one number of players; ``None`` where
    nobody is left."""
    longest = max((len(game.money) for game in games), default=0)
    return tuple(tuple(_median(games, turn, seat) for seat in range(games[0].players)) for turn in range(longest))


def _median(games: Sequence[Game], turn: int, seat: int) -> tuple[float, float, float] | None:
    found = [row for game in games if turn < len(game.money) and (row := game.money[turn][seat]) is not None]
    if not found:
        return None
    cash, income, shares = (statistics.median(row[part] for row in found) for part in range(3))
    return cash, income, shares
