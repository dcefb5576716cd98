"""Divisions, points, tables, promotion and the next round of a knock-out: pure figures, no database.

A member gets a point for everybody he comes in before. Equals are told apart by games won, then by the points of their
games, then by who was placed higher before the season.
"""

from collections.abc import Iterable, Sequence
from itertools import pairwise

from pbem.engine import Value


class Seated(Value):
    """Where a member came in, in a game with these places of all; ``score`` is ``None`` for who went out of it."""

    member: int
    place: int
    score: int | None


class Standing(Value):
    member: int
    games: int
    points: int
    won: int
    score: int


def divisions(members: Sequence[int], size: int) -> list[list[int]]:
    """Members in order, split into divisions of ``size``; the last one may be smaller."""
    return [list(members[first : first + size]) for first in range(0, len(members), size)]


def spread(members: Sequence[int], size: int) -> list[list[int]]:
    """Members in order, spread over tables of at most ``size``: the best sit apart, and to and fro."""
    count = -(-len(members) // size)
    tables: list[list[int]] = [[] for _ in range(count)]
    for at, member in enumerate(members):
        row, column = divmod(at, count)
        tables[column if row % 2 == 0 else count - 1 - column].append(member)
    return tables


def table(members: Sequence[int], games: Iterable[Sequence[Seated]]) -> list[Standing]:
    """The table of a division; ``members`` in the order in which they were placed before the season."""
    found = {member: Standing(member, 0, 0, 0, 0) for member in members}
    for game in games:
        for seat in game:
            if (before := found.get(seat.member)) is None:
                continue
            beaten = sum(other.place > seat.place for other in game)
            found[seat.member] = Standing(
                seat.member,
                before.games + 1,
                before.points + beaten,
                before.won + (seat.place == 1 and seat.score is not None),
                before.score + (seat.score or 0),
            )
    order = {member: at for at, member in enumerate(members)}
    return sorted(found.values(), key=lambda line: (-line.points, -line.won, -line.score, order[line.member]))


def moved(tables: Sequence[Sequence[int]], moves: int) -> list[int]:
    """Everybody in order after a season: of each division the last go down, and the first of the next come up.

    Never more than half of a division moves. Who comes down is placed before those who stay, who comes up behind.
    """
    found: list[list[int]] = [list(lines) for lines in tables]
    swaps = [min(moves, len(above) // 2, len(below) // 2) for above, below in pairwise(found)]
    order: list[int] = []
    for at, lines in enumerate(found):
        up, down = swaps[at - 1] if at else 0, swaps[at] if at < len(swaps) else 0
        relegated = found[at - 1][len(found[at - 1]) - up :] if at else []
        promoted = found[at + 1][:down] if at + 1 < len(found) else []
        order += [*relegated, *lines[up : len(lines) - down], *promoted]
    return order


def advance(tables: Sequence[Sequence[int]], size: int) -> list[int]:
    """Who goes on to the next round, the winners of all tables first; one alone when the round was the final."""
    if len(tables) == 1:
        return list(tables[0][:1])
    places = range(max(1, size // 2))
    return [lines[place] for place in places for lines in tables if place < len(lines)]


def rounds(members: int, size: int) -> int:
    found = 1
    while members > size:
        tables = -(-members // size)
        members = min(tables * max(1, size // 2), members - 1)
        found += 1
    return found
