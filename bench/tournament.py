"""Games between robots on paper: who sits where, what they score, how long they think."""

from __future__ import annotations

import time
from collections.abc import Iterable, Iterator
from dataclasses import dataclass, field

from pbem.engine.chance import SeededChance
from pbem.engine.moves import Seat
from pbem.engine.sheet import Sheet, State
from pbem.robot import matches
from pbem.robot.matches import CLASSIC, Player, classic, contenders, steps, thinker
from tests.every_map.watched import referee
from tests.invariants import Invariants

__all__ = [
    "CLASSIC", "Played", "Result", "classic", "contenders", "game", "play", "seat_choices", "thinker", "tournament",
]  # fmt: skip
LOOKS = 0.1
"""The share of the positions of a watched game at which all that must always hold is looked at."""


@dataclass(frozen=True, slots=True)
class Played:
    """What came of one game for the robots in question and for the others.

    ``won``: a part of 1 where several win together. ``scores``, ``others``: of those who are not bankrupt; ``out``,
    ``others_out``: how many are. ``seconds``: of the processor for the decisions of the robots in question, in all;
    ``slowest``: for the longest of them.
    """

    number: int
    won: float
    scores: tuple[int, ...]
    others: tuple[int, ...]
    out: int
    others_out: int
    decisions: int
    seconds: float
    slowest: float


@dataclass
class Result:
    """What came of many games for the robots in question and for the others."""

    games: int = 0
    won: float = 0.0
    scores: list[int] = field(default_factory=list)
    others: list[int] = field(default_factory=list)
    out: int = 0
    others_out: int = 0
    decisions: int = 0
    seconds: float = 0.0
    slowest: float = 0.0

    @classmethod
    def of(cls, games: Iterable[Played]) -> Result:
        """The games counted together."""
        result = cls()
        for played in games:
            result.games += 1
            result.won += played.won
            result.scores += played.scores
            result.others += played.others
            result.out += played.out
            result.others_out += played.others_out
            result.decisions += played.decisions
            result.seconds += played.seconds
            result.slowest = max(result.slowest, played.slowest)
        return result

    @property
    def mean(self) -> float:
        return sum(self.scores) / max(1, len(self.scores))

    @property
    def others_mean(self) -> float:
        return sum(self.others) / max(1, len(self.others))


def seat_choices(colours: tuple[Seat, ...], number: int, count: int) -> frozenset[Seat]:
    """Where the robots in question sit in a game: everywhere equally often."""
    return frozenset(colours[(number + each) % len(colours)] for each in range(count))


def game(sheet: Sheet, players: int, number: int, ours: frozenset[Seat], we: Player, they: Player) -> Iterator[State]:
    """The states of one game, the last one at its end."""
    seats = {colour: we if colour in ours else they for colour in sheet.colours[:players]}
    return matches.game(sheet, seats, number.to_bytes(32, "big"), str(number))


def play(
    sheet: Sheet,
    players: int,
    number: int,
    we: Player,
    they: Player = classic,
    count: int = 1,
    *,
    watched: bool = False,
) -> Played:
    """One game; ``count``: how many of the players are the robots in question.

    ``watched``: whether the tests' referee looks at every order; it raises ``AssertionError`` for what is wrong.
    """
    took: list[float] = []

    def timed(sheet: Sheet, state: State, seed: str) -> str:
        began = time.process_time()
        order = we(sheet, state, seed)
        took.append(time.process_time() - began)
        return order

    ours = seat_choices(sheet.colours[:players], number, count)
    seats = {colour: timed if colour in ours else they for colour in sheet.colours[:players]}
    secret = number.to_bytes(32, "big")
    end = dealt = sheet.start(tuple(seats), SeededChance(secret, "deal"), {}).state
    watcher = referee(sheet, dealt, Invariants(sheet, seed=number, looks=LOOKS, listed=LOOKS)) if watched else None
    for seat, order, step in steps(sheet, seats, dealt, secret, str(number)):
        end = step.state
        if watcher is not None:
            watcher.watch(seat, order, step)
    if not sheet.over(end):
        raise AssertionError("the game has not come to its end")
    standings = sheet.standings(end)
    winners = sheet.winners(end, standings)
    scores: dict[bool, list[int]] = {True: [], False: []}
    out = {True: 0, False: 0}
    for line in standings:
        mine = line.seat in ours
        if line.out:
            out[mine] += 1
        elif line.score is not None:
            scores[mine].append(line.score)
    return Played(
        number,
        won=len(ours & set(winners)) / max(1, len(winners)),
        scores=tuple(scores[True]),
        others=tuple(scores[False]),
        out=out[True],
        others_out=out[False],
        decisions=len(took),
        seconds=sum(took),
        slowest=max(took, default=0.0),
    )


def tournament(
    sheet: Sheet, players: int, numbers: range, we: Player, they: Player = classic, count: int = 1
) -> Result:
    """Games with seats rotated; ``count``: how many of the players are the robots in question."""
    return Result.of(play(sheet, players, number, we, they, count) for number in numbers)
