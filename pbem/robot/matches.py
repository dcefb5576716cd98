"""Games between robots on paper: who sits where, what each scores, how long each thinks."""

from __future__ import annotations

import math
import random
import statistics
import time
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass, field
from typing import Final

from pbem.engine import Seat, Sheet, State, Step
from pbem.engine.chance import SeededChance
from pbem.robot import choose, opponents, thinking
from pbem.robot.opponents import Robot
from pbem.robot.thinking.characters import Character

Player = Callable[[Sheet, State, str], str]
"""Chooses an order for the seat to act; the text is the seed of the robots."""
CLASSIC: Final = "classic"
"""The plain robot. It stays as it is, so that strengths that were measured at different times can be compared."""
MOST_ORDERS = 5_000
"""More than any game has; a game without points and without an end counts as it stands then."""
DEVIATIONS: Final = 1.96
"""Standard deviations of an interval that holds 95 of 100 values."""


def classic(sheet: Sheet, state: State, seed: str) -> str:
    """The plain robot, which here never chooses by chance alone."""
    luck = random.Random(f"{seed}|{sheet.place(state)}|{sheet.to_act(state)}")
    return choose(sheet, state, luck, sense=1.0)


def thinker(character: Character) -> Player:
    return lambda sheet, state, seed: thinking.decide(sheet, state, character, seed).order


def seated(robot: Robot) -> Player:
    return lambda sheet, state, seed: robot.decide(sheet, state, seed, {}).orders


def contenders() -> Mapping[str, Player]:
    """The plain robot and all others, the weakest first, by name."""
    return {CLASSIC: classic, **{key: seated(robot) for key, robot in opponents.every().items()}}


def game(sheet: Sheet, seats: Mapping[Seat, Player], secret: bytes, seed: str) -> Iterator[State]:
    """The states of one game, the last one at its end. ``secret``: the seed of its dice; ``seed``: of the robots."""
    state = sheet.start(tuple(seats), SeededChance(secret, "deal"), {}).state
    yield state
    for _, _, step in steps(sheet, seats, state, secret, seed):
        yield step.state


def steps(
    sheet: Sheet, seats: Mapping[Seat, Player], dealt: State, secret: bytes, seed: str
) -> Iterator[tuple[Seat, str, Step[State]]]:
    """The same from the deal on: who gave which order, and what it led to."""
    state = dealt
    for _ in range(MOST_ORDERS):
        seat = sheet.to_act(state)
        if seat is None:
            return
        order = seats[seat](sheet, state, seed)
        step = sheet.play(state, seat, sheet.parse(state, order, {}), SeededChance(secret, sheet.place(state)))
        state = step.state
        yield seat, order, step


BANKRUPT: Final = -25
"""Points that a bankrupt seat counts as where a lead is measured."""


@dataclass(frozen=True, slots=True)
class Played:
    """What became of one seat. ``score``: ``None`` for the bankrupt; ``won``: a part of 1 where several win together.

    ``seconds``: of the processor, for each of its decisions. ``place``: where it sat, from 0; ``cash``: dollars in the
    end, ``None`` where the table of players has none.
    """

    kind: str
    score: int | None
    won: float
    seconds: tuple[float, ...]
    place: int = 0
    cash: int | None = None

    @property
    def counted(self) -> int:
        """Its points where a lead is measured."""
        return BANKRUPT if self.score is None else self.score


def play(sheet: Sheet, kinds: Sequence[str], seed: str, number: int) -> tuple[Played, ...]:
    """Game ``number`` of a match. As many games as there are seats have one deal, and the same dice where they roll
    them at the same place; from one to the next the robots sit one place further."""
    deal, turned = divmod(number, len(kinds))
    colours = sheet.colours[: len(kinds)]
    sits = {colour: kinds[(place + turned) % len(kinds)] for place, colour in enumerate(colours)}
    took: dict[Seat, list[float]] = {colour: [] for colour in colours}
    known = contenders()

    def timed(kind: str, seat: Seat) -> Player:
        def decide(sheet: Sheet, state: State, seed: str) -> str:
            began = time.process_time()
            order = known[kind](sheet, state, seed)
            took[seat].append(time.process_time() - began)
            return order

        return decide

    players = {colour: timed(kind, colour) for colour, kind in sits.items()}
    *_, end = game(sheet, players, random.Random(f"{seed} {deal}").randbytes(32), f"{seed} {deal}")
    standings = sheet.standings(end)
    winners = sheet.winners(end, standings)
    cash = {row.seat: row.cells.get("cash") for row in sheet.rows(end)}
    return tuple(
        Played(
            sits[line.seat],
            None if line.out else line.score,
            1 / len(winners) if line.seat in winners else 0.0,
            tuple(took[line.seat]),
            colours.index(line.seat),
            found if isinstance(found := cash.get(line.seat), int) else None,
        )
        for line in standings
    )


@dataclass(frozen=True, slots=True)
class Mean:
    """A mean with its standard error, which is infinite for fewer than two values."""

    value: float
    error: float

    @classmethod
    def of(cls, values: Sequence[float]) -> Mean:
        many = len(values) > 1
        return cls(statistics.fmean(values), statistics.stdev(values) / math.sqrt(len(values)) if many else math.inf)


def lead(played: Sequence[Played], kind: str) -> float:
    """By how many points the seats of a kind are ahead of the others in a game, mean against mean."""
    mine = [seat.counted for seat in played if seat.kind == kind]
    others = [seat.counted for seat in played if seat.kind != kind]
    return statistics.fmean(mine) - statistics.fmean(others) if mine and others else 0.0


def by_deal(games: Mapping[int, Sequence[Played]], seats: int, kind: str) -> list[float]:
    """The leads of a kind, one for each deal: the games of one deal are not independent."""
    found: dict[int, list[float]] = {}
    for number, played in games.items():
        found.setdefault(number // seats, []).append(lead(played, kind))
    return [statistics.fmean(leads) for leads in found.values()]


@dataclass
class Tally:
    """What robots of one kind have reached. ``bankruptcies`` and ``scores``: of all its seats in all games.

    ``lead``: before the mean of the others, in points; ``None`` where there are no others.
    """

    kind: str
    seats: int
    games: int = 0
    wins: float = 0.0
    bankruptcies: int = 0
    scores: list[int] = field(default_factory=list)
    seconds: list[float] = field(default_factory=list)
    lead: Mean | None = None

    def add(self, played: Played) -> None:
        """One more seat of this kind has played."""
        self.wins += played.won
        self.seconds.extend(played.seconds)
        if played.score is None:
            self.bankruptcies += 1
        else:
            self.scores.append(played.score)

    @property
    def share(self) -> float:
        """The part of the games that one of this kind has won."""
        return self.wins / self.games if self.games else 0.0

    @property
    def interval(self) -> tuple[float, float]:
        """Where the share lies with 95 %, by Wilson's score."""
        return wilson(self.share, self.games)

    @property
    def mean(self) -> float | None:
        """Points of those who did not go bankrupt; ``None`` without any."""
        return statistics.fmean(self.scores) if self.scores else None

    @property
    def points(self) -> Mean | None:
        """The same with its standard error."""
        return Mean.of(self.scores) if self.scores else None

    @property
    def quartiles(self) -> tuple[float, float, float] | None:
        """A quarter of the points lies below the first, half below the second, three quarters below the third."""
        if not self.scores:
            return None
        return quantile(self.scores, 0.25), quantile(self.scores, 0.5), quantile(self.scores, 0.75)


def wilson(share: float, games: int) -> tuple[float, float]:
    """The 95 % interval of a share of so many games: all that is possible without any."""
    if not games:
        return 0.0, 1.0
    square = DEVIATIONS**2 / games
    middle = (share + square / 2) / (1 + square)
    spread = DEVIATIONS * math.sqrt(share * (1 - share) / games + square / (4 * games)) / (1 + square)
    return max(0.0, middle - spread), min(1.0, middle + spread)


def quantile(values: Sequence[float], part: float) -> float:
    """The value below which this part of the values lies, between two of them where it does not fall on one."""
    ordered = sorted(values)
    place = (len(ordered) - 1) * part
    below = math.floor(place)
    above = min(below + 1, len(ordered) - 1)
    return ordered[below] + (ordered[above] - ordered[below]) * (place - below)


def tallies(kinds: Sequence[str], games: Mapping[int, Sequence[Played]]) -> tuple[Tally, ...]:
    """All games, by their number, by kind of robot in the order in which they were named."""
    found = {kind: Tally(kind, kinds.count(kind), len(games)) for kind in dict.fromkeys(kinds)}
    for played in games.values():
        for seat in played:
            found[seat.kind].add(seat)
    for tally in found.values() if len(found) > 1 and games else ():
        tally.lead = Mean.of(by_deal(games, len(kinds), tally.kind))
    return tuple(found.values())


@dataclass(frozen=True, slots=True)
class Chair:
    """What seats at one place have reached, whoever sat there."""

    place: int
    points: Mean
    cash: Mean | None


def chairs(games: Iterable[Sequence[Played]]) -> tuple[Chair, ...]:
    """All games by where somebody sat."""
    found: dict[int, list[Played]] = {}
    for played in games:
        for seat in played:
            found.setdefault(seat.place, []).append(seat)
    return tuple(
        Chair(
            place,
            Mean.of([seat.counted for seat in seats]),
            Mean.of(cash) if (cash := [seat.cash for seat in seats if seat.cash is not None]) else None,
        )
        for place, seats in sorted(found.items())
    )


def pair(
    sheet: Sheet, state: State, orders: tuple[str, str], kinds: Mapping[Seat, str], seed: str, number: int
) -> float:
    """By how many points the seat to act leads more after the first order than after the second.

    Both are played on to the end by the same robots with the same dice. Raises ``BadMove`` and ``Refused``.
    """
    seat, secret = sheet.to_act(state), random.Random(f"{seed} {number}").randbytes(32)
    assert seat is not None, "somebody is asked"
    known, seeds = contenders(), f"{seed} {number}"

    def ahead(order: str) -> float:
        chance = SeededChance(secret, sheet.place(state))
        end = sheet.play(state, seat, sheet.parse(state, order, {}), chance).state
        for _, _, step in steps(sheet, {colour: known[kind] for colour, kind in kinds.items()}, end, secret, seeds):
            end = step.state
        points = {
            line.seat: BANKRUPT if line.out or line.score is None else line.score for line in sheet.standings(end)
        }
        others = [score for other, score in points.items() if other != seat]
        return points[seat] - (statistics.fmean(others) if others else 0.0)

    return ahead(orders[0]) - ahead(orders[1])
