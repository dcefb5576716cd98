"""Games of robots for tests, by number: the same number is the same game."""

from collections.abc import Collection, Iterator
from dataclasses import dataclass

from pbem.engine import Seat, Sheet, State
from pbem.robot import matches
from pbem.robot.matches import Player, classic


@dataclass(frozen=True, slots=True)
class Ended:
    """How a game ended for the robots in question and for the others: the points of those who are not bankrupt."""

    won: float
    scores: tuple[int, ...]
    others: tuple[int, ...]
    out: int


def game(
    sheet: Sheet, players: int, number: int, ours: Collection[Seat], we: Player = classic, they: Player = classic
) -> Iterator[State]:
    """The states of one game, the last one at its end."""
    seats = {colour: we if colour in ours else they for colour in sheet.colours[:players]}
    return matches.game(sheet, seats, number.to_bytes(32, "big"), str(number))


def ended(sheet: Sheet, players: int, number: int, we: Player, count: int = 1) -> Ended:
    """A game against plain robots; ``count``: how many of the players are the robots in question."""
    ours = {sheet.colours[(number + each) % players] for each in range(count)}
    *_, end = game(sheet, players, number, ours, we)
    assert sheet.over(end)
    standings = sheet.standings(end)
    winners = sheet.winners(end, standings)
    alive = [line for line in standings if not line.out and line.score is not None]
    return Ended(
        won=len(ours & set(winners)) / max(1, len(winners)),
        scores=tuple(line.score or 0 for line in alive if line.seat in ours),
        others=tuple(line.score or 0 for line in alive if line.seat not in ours),
        out=sum(line.out for line in standings if line.seat in ours),
    )
