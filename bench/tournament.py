"""Games between robots on paper: who sits where, what they score, how long they think."""

from __future__ import annotations

import time
from collections import defaultdict
from collections.abc import Iterator
from dataclasses import dataclass, field

from pbem.engine.moves import Seat
from pbem.engine.sheet import Sheet, Standing, State
from pbem.robot import matches
from pbem.robot.matches import Player, classic, thinker

__all__ = ["Result", "classic", "game", "seat_choices", "thinker", "tournament"]


@dataclass
class Result:
    """What came of many games for the robots in question and for the others."""

    games: int = 0
    won: float = 0.0
    scores: list[int] = field(default_factory=list)
    others: list[int] = field(default_factory=list)
    out: int = 0
    others_out: int = 0
    slowest: float = 0.0
    seconds: dict[str, list[float]] = field(default_factory=lambda: defaultdict(list))

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


def tournament(
    sheet: Sheet, players: int, numbers: range, we: Player, they: Player = classic, count: int = 1
) -> Result:
    """Games with seats rotated; ``count``: how many of the players are the robots in question."""
    result = Result()

    def timed(sheet: Sheet, state: State, seed: str) -> str:
        phase, began = sheet.phase(state), time.process_time()
        order = we(sheet, state, seed)
        took = time.process_time() - began
        result.seconds[phase].append(took)
        result.slowest = max(result.slowest, took)
        return order

    for number in numbers:
        ours = seat_choices(sheet.colours[:players], number, count)
        *_, end = game(sheet, players, number, ours, timed, they)
        _count(result, sheet.standings(end), sheet.winners(end, sheet.standings(end)), ours)
    return result


def _count(result: Result, standings: tuple[Standing, ...], winners: tuple[Seat, ...], ours: frozenset[Seat]) -> None:
    result.games += 1
    result.won += len(ours & set(winners)) / max(1, len(winners))
    for line in standings:
        mine = line.seat in ours
        if line.out:
            result.out += mine
            result.others_out += not mine
        elif line.score is not None:
            (result.scores if mine else result.others).append(line.score)
