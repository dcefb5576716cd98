"""Where the owners' coins lie: one on every link and every unfinished section that somebody owns."""

from collections.abc import Callable, Iterable
from functools import lru_cache
from itertools import pairwise
from math import hypot
from typing import NamedTuple

from pbem.rails.board import Board, Label
from pbem.rails.hexes import TOWN
from pbem.rails.scene import SpecialLink
from pbem.rails.track import Chain, Piece, Seat, Track
from pbem.render.geometry import Curve, Lattice, Point, arc_length, curve


class Coin(NamedTuple):
    seat: Seat
    x: int
    y: int


class Spot(NamedTuple):
    """A place a coin could lie: its own cost, its hex and the place from the hex's middle in px."""

    cost: float
    hex: Label
    x: float
    y: float


NEAR, CROWDED = 0.75, 2.0
"""Within so many hex radii of another coin a place costs so much more."""


def coins(
    board: Board, lattice: Lattice, track: Track, chains: Iterable[Chain], centre: Callable[[Label], tuple[int, int]]
) -> list[Coin]:
    """The coins of all owned chains; short chains choose first. The same result every time."""
    placed: list[Coin] = []
    owned = [chain for chain in chains if chain.owner is not None]
    for chain in sorted(owned, key=lambda c: (len(c.pieces), c.pieces)):
        crowded = tuple(len(track[piece.hex]) > 1 for piece in chain.pieces)
        best: tuple[float, int, int] | None = None
        for spot in _spots(lattice, chain.pieces, _backwards(board, chain.pieces), crowded):
            if best is not None and spot.cost >= best[0]:
                break
            x, y = centre(spot.hex)
            place = round(x + spot.x), round(y + spot.y)
            cost = spot.cost + CROWDED * _neighbours(placed, place, NEAR * lattice.r)
            if best is None or cost < best[0]:
                best = (cost, *place)
        if best is not None and chain.owner is not None:
            placed.append(Coin(chain.owner, best[1], best[2]))
    return placed


def _backwards(board: Board, pieces: tuple[Piece, ...]) -> tuple[bool, ...]:
    """Per piece whether the chain runs through it from its second end to its first."""
    if len(pieces) == 1:
        return (False,)
    found = [piece.a == board.neighbours[piece.hex].index(beyond.hex) for piece, beyond in pairwise(pieces)]
    return (*found, pieces[-1].b == board.neighbours[pieces[-1].hex].index(pieces[-2].hex))


def _neighbours(placed: list[Coin], place: tuple[int, int], reach: float) -> int:
    x, y = place
    return sum(
        1
        for coin in placed
        if abs(coin.x - x) < reach and abs(coin.y - y) < reach and hypot(coin.x - x, coin.y - y) < reach
    )


@lru_cache(maxsize=400)
def _spots(
    lattice: Lattice, pieces: tuple[Piece, ...], backwards: tuple[bool, ...], crowded: tuple[bool, ...]
) -> tuple[Spot, ...]:
    """The points at 1/2, 1/4 and 3/4 of every piece, the cheapest first."""
    lengths = [arc_length(piece.a, piece.b) for piece in pieces]
    total = sum(lengths)
    found = []
    start = 0.0
    for piece, length, back, shared in zip(pieces, lengths, backwards, crowded, strict=True):
        way = curve(lattice, piece.a, piece.b)
        for share in (0.5, 0.25, 0.75):
            along = start + share * length
            cost = abs(along - total / 2) * 0.6 + _surcharge(piece, share, shared)
            if min(along, total - along) < 0.30:
                cost += 2
            x, y = way.at((1 - share if back else share) * way.length)[0]
            found.append(Spot(cost, piece.hex, x, y))
        start += length
    return tuple(sorted(found, key=lambda spot: spot.cost))


def _surcharge(piece: Piece, share: float, shared: bool) -> float:
    """The middle of a hex with two pieces is dear, and so is the room beside a town."""
    if TOWN in (piece.a, piece.b):
        return 0.0 if share == 0.5 else 3.0
    if not shared:
        return 0.0
    return 3.0 if share == 0.5 else 0.8


DIRECT = (0.36, 0.64)
"""Which part of the line between two neighbouring places a direct link takes."""
ASIDE = (0.46, -0.46, 0.60, -0.60, 0.74, -0.74, 0.88, -0.88)
TAG_HALF, COIN_HALF = (0.40, 0.21), (0.25, 0.25)
"""Half the width and height of a price tag and of a coin, in hex radii."""

Box = tuple[float, float, float, float]
Centre = Callable[[Label], tuple[int, int]]


def span(lattice: Lattice, link: SpecialLink, centre: Centre) -> tuple[Curve, tuple[int, int]]:
    """The way of a link in px, and the place of the picture it is counted from."""
    if link.hex is not None and len(link.exits) == 2:
        return curve(lattice, *link.exits), centre(link.hex)
    (ax, ay), (bx, by) = (centre(label) for label in link.joins)
    origin = (ax + bx) // 2, (ay + by) // 2
    start, end = ((ax + (bx - ax) * share - origin[0], ay + (by - ay) * share - origin[1]) for share in DIRECT)
    return Curve((start, end), (0.0, hypot(end[0] - start[0], end[1] - start[1]))), origin


def tag_spot(lattice: Lattice, link: SpecialLink, centre: Centre, taken: Iterable[Box]) -> tuple[int, int]:
    """The middle of a price tag or coin: on the way of a ferry, beside a direct link where it covers least."""
    way, (x0, y0) = span(lattice, link, centre)
    (x, y), (ux, uy) = way.at(way.length / 2)
    if link.hex is not None:
        return round(x0 + x), round(y0 + y)
    boxes = list(taken)
    r = lattice.r
    ends: list[Point] = [(x0 + x - uy * off * r, y0 + y + ux * off * r) for off in ASIDE]
    best = min(ends, key=lambda end: (round(_covered(spot_box(lattice, link, end), boxes)), ends.index(end)))
    return round(best[0]), round(best[1])


def spot_box(lattice: Lattice, link: SpecialLink, spot: Point) -> Box:
    """What the tag or coin of a link covers whose middle is at a spot."""
    (x, y), (across, down) = spot, TAG_HALF if link.owner is None else COIN_HALF
    return x - across * lattice.r, y - down * lattice.r, x + across * lattice.r, y + down * lattice.r


def _covered(tag: Box, boxes: list[Box]) -> float:
    left, top, right, bottom = tag
    return sum(
        max(0.0, min(right, box[2]) - max(left, box[0])) * max(0.0, min(bottom, box[3]) - max(top, box[1]))
        for box in boxes
    )
