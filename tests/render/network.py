"""Full boards for tests of pictures: links between random neighbours, laid with tiles that exist."""

import random
from collections import deque
from collections.abc import Sequence
from itertools import combinations

from pbem.rails.board import Board, Label
from pbem.rails.hexes import TOWN, opposite
from pbem.rails.tiles import TILE_OF, TOWN_TILE_OF, ends
from pbem.rails.track import Segment

Way = list[tuple[Label, int, int]]
LONGEST = 6


def network(board: Board, seats: Sequence[str], pieces: int, seed: int = 1) -> dict[Label, tuple[Segment, ...]]:
    """Track of at least so many pieces, or as many as the board takes; some ends are left open."""
    luck = random.Random(seed)
    track: dict[Label, tuple[Segment, ...]] = {}
    nodes = [*board.city_at, *board.towns]
    pairs = [pair for pair in combinations(nodes, 2) if _steps(board, *pair) <= LONGEST]
    luck.shuffle(pairs)
    for number, (start, goal) in enumerate(pairs):
        if sum(map(len, track.values())) >= pieces:
            break
        way = _way(board, track, start, goal)
        if way is None:
            continue
        owner = None if number % 11 == 7 else seats[number % len(seats)]
        for label, a, b in way[:-1] if number % 9 == 4 and len(way) > 2 else way:
            track[label] = tuple(sorted((*track.get(label, ()), Segment(*ends(a, b), owner)), key=lambda s: s.ends))
    return track


def _steps(board: Board, first: Label, second: Label) -> int:
    a, b = board.hexes[first], board.hexes[second]
    return (abs(a.x - b.x) + abs(a.y - b.y)) // 2


def _way(board: Board, track: dict[Label, tuple[Segment, ...]], start: Label, goal: Label) -> Way | None:
    """The shortest way of pieces from one node to the other that fits what lies there."""
    queue: deque[tuple[Label, int, Way]] = deque()
    for edge in sorted(board.open_sides[start]):
        first: Way = [] if start in board.city_at else [(start, TOWN, edge)]
        if _fits(board, track, first):
            queue.append((start, edge, first))
    seen: set[tuple[Label, int]] = set()
    while queue:
        label, edge, way = queue.popleft()
        beyond = board.neighbours[label][edge]
        if beyond is None or (beyond, edge) in seen or len(way) > LONGEST:
            continue
        seen.add((beyond, edge))
        entered = opposite(edge)
        if beyond == goal:
            last = way if goal in board.city_at else [*way, (beyond, TOWN, entered)]
            if last and _fits(board, track, last):
                return last
        if beyond in board.city_at or beyond in board.towns:
            continue
        for out in sorted(board.open_sides[beyond]):
            piece = (beyond, entered, out)
            if out != entered and all(beyond != other for other, _, _ in way) and _fits(board, track, [piece]):
                queue.append((beyond, out, [*way, piece]))
    return None


def _fits(board: Board, track: dict[Label, tuple[Segment, ...]], way: Way) -> bool:
    for label, a, b in way:
        there = [segment.ends for segment in track.get(label, ())]
        if TOWN in (a, b):
            exits = frozenset(max(pair) for pair in (*there, (a, b)))
            if len(exits) != len(there) + 1 or exits not in TOWN_TILE_OF:
                return False
        elif len(there) > 1 or frozenset({*there, ends(a, b)}) not in TILE_OF:
            return False
    return True
