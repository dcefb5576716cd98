"""Track: each piece a halo, a dark casing, the owner's colour and inside it the owner's rhythm.

All the track of one hex is one picture, kept per lattice and set of pieces. A piece runs one px over its sides,
square to them, so that two hexes meet without a seam.
"""

from functools import lru_cache
from itertools import pairwise
from math import hypot

from pbem.rails.board import Board, Label
from pbem.rails.hexes import TOWN
from pbem.rails.scene import Scene
from pbem.rails.track import Chain, Seat, Segment
from pbem.render import palette as p
from pbem.render.canvas import Canvas, Part, Point, shifted
from pbem.render.geometry import Curve, Lattice, arc_length, curve

PERIODS = {"dash": 0.43, "dot": 0.29, "dashdot": 0.58, "ties": 0.22, "cross": 0.43}
DOT = 0.064
OVER = 1.4
"""Px that are added to a piece at both ends."""
SCALE = 2
"""More would cost bytes and show nothing: the palette has three shades between two colours."""
WALL_WIDTH, WALL_LENGTH, WALL_OFF = 0.042, 0.52, 0.158
BUMPER, BUMPER_THICK = 0.41, 0.095

PUBLIC_OWNER = "public"
"""Stands for an owner where track belongs to everybody."""


@lru_cache(maxsize=256)
def hex_track(lattice: Lattice, segments: tuple[Segment, ...]) -> Part:
    """The track of one hex, the upper piece of a crossing last. Do not draw on it: it is shared."""
    canvas = _canvas(lattice)
    pieces = sorted(segments, key=_height)
    curves = [curve(lattice, s.a, s.b) for s in pieces]
    if any(TOWN in s.ends for s in pieces):
        for layer in range(2):
            for segment, way in zip(pieces, curves, strict=True):
                draw_piece(canvas, lattice, way, segment, layers=(layer,))
    else:
        for i, (segment, way) in enumerate(zip(pieces, curves, strict=True)):
            draw_piece(canvas, lattice, way, segment)
            for lower in curves[:i]:
                _bridge(canvas, lattice, way, lower)
    return canvas.part()


def _canvas(lattice: Lattice, room: int = 0) -> Canvas:
    width, height = lattice.half
    return Canvas(2 * (width + room), 2 * (height + room), scale=SCALE)


def _height(segment: Segment) -> tuple[float, tuple[int, int]]:
    """Straight lies over gentle, gentle over acute; among equals the one whose exits sort later."""
    return arc_length(*segment.ends), segment.ends


def draw_piece(
    canvas: Canvas,
    lattice: Lattice,
    way: Curve,
    segment: Segment,
    *,
    layers: tuple[int, ...] = (0, 1),
) -> None:
    """One piece: layer 0 is its halo, layer 1 all the rest."""
    r = lattice.r
    core, casing, livery = _look(segment.owner)

    def lay(width: float, colour: p.Colour, share: float) -> None:
        # each stroke is a little longer than the one under it, so that no light or dark line shows at a joint
        canvas.stroke(way.part(-OVER * share, way.length + OVER * share), width * r, colour)

    if 0 in layers:
        lay(p.TRACK_HALO, p.HALO, 0.0)
    if 1 in layers:
        lay(p.TRACK_CASING, casing, 0.55)
        lay(p.TRACK_CORE, core, 1.0)
        if livery:
            _rhythm(canvas, r, way, arc_length(segment.a, segment.b), livery, OVER)


def _look(owner: Seat | None) -> tuple[p.Colour, p.Colour, p.Livery | None]:
    if owner is None:
        return p.NOBODY, p.NOBODY_CASING, None
    if owner == PUBLIC_OWNER:
        return p.PUBLIC, p.INK, None
    return p.PLAYERS[owner].core, p.INK, p.PLAYERS[owner]


def _rhythm(canvas: Canvas, r: float, way: Curve, ideal: float, livery: p.Livery, over: float) -> None:
    """The inlay: a whole number of periods, beginning and ending with half a gap."""
    if livery.rhythm == "plain":
        return
    if livery.rhythm == "line":
        canvas.stroke(way.part(-1.2 * over, way.length + 1.2 * over), 0.92 * p.TRACK_INLAY * r, livery.inlay)
        return
    count = max(1, round(ideal / PERIODS[livery.rhythm]))
    period = way.length / count

    def dash(number: int, start: float, end: float, width: float) -> None:
        canvas.stroke(way.part((number + start) * period, (number + end) * period), width * r, livery.inlay)

    def dot(number: int, place: float) -> None:
        canvas.disc(way.at((number + place) * period)[0], DOT * r / 2, livery.inlay)

    for number in range(count):
        match livery.rhythm:
            case "dash":
                dash(number, 0.19, 0.81, p.TRACK_INLAY)
            case "dot":
                dot(number, 0.5)
            case "dashdot":
                dash(number, 0.10, 0.56, p.TRACK_INLAY)
                dot(number, 0.83)
            case "cross":
                dash(number, 0.20, 0.80, 0.5 * p.TRACK_INLAY)
                dash(number, 0.40, 0.60, 0.86 * p.TRACK_CORE)
            case "ties":
                dash(number, 0.31, 0.69, 0.86 * p.TRACK_CORE)


def meeting(upper: Curve, lower: Curve) -> float | None:
    """How far along the upper piece the lower one crosses it, in px; ``None`` where they do not cross."""
    for i, (a, b) in enumerate(pairwise(upper.points)):
        for c, d in pairwise(lower.points):
            share = _crossing(a, b, c, d)
            if share is not None:
                return upper.ways[i] + share * (upper.ways[i + 1] - upper.ways[i])
    return None


def _crossing(a: Point, b: Point, c: Point, d: Point) -> float | None:
    """Where on the way from a to b (0 to 1) the way from c to d crosses it."""
    (ux, uy), (vx, vy) = (b[0] - a[0], b[1] - a[1]), (d[0] - c[0], d[1] - c[1])
    slope = ux * vy - uy * vx
    if slope == 0:
        return None
    wx, wy = c[0] - a[0], c[1] - a[1]
    first, second = (wx * vy - wy * vx) / slope, (wx * uy - wy * ux) / slope
    return first if 0 <= first <= 1 and 0 <= second <= 1 else None


def _bridge(canvas: Canvas, lattice: Lattice, upper: Curve, lower: Curve) -> None:
    way = meeting(upper, lower)
    if way is None:
        return
    r = lattice.r
    reach = WALL_LENGTH * r / 2
    part = upper.part(max(0, way - reach), min(upper.length, way + reach))
    for side in (WALL_OFF, -WALL_OFF):
        canvas.stroke(shifted(part, side * r), WALL_WIDTH * r, p.INK)


@lru_cache(maxsize=32)
def bumper(lattice: Lattice, edge: int) -> Part:
    """The buffer stop of an unfinished end, its middle on the middle of the picture."""
    r = lattice.r
    side = 2 * (round(0.3 * r) + 3)
    canvas = Canvas(side, side, scale=4)
    x, y = lattice.side(edge)
    length = hypot(x, y)
    ux, uy = x / length, y / length
    for extra, colour in ((0.07, p.HALO), (0.0, p.INK)):
        half = (BUMPER + extra) / 2 * r
        ends = [(-uy * half, ux * half), (uy * half, -ux * half)]
        canvas.stroke(ends, (BUMPER_THICK + extra) * r, colour)
    return canvas.part()


@lru_cache(maxsize=128)
def glow(lattice: Lattice, a: int, b: int, width: float, colour: p.Colour) -> Part:
    """The amber band (or its edge) under one piece, with round ends."""
    room = round(0.36 * lattice.r)
    canvas = _canvas(lattice, room)
    canvas.stroke(curve(lattice, a, b).points, width * lattice.r, colour, round_ends=True)
    return canvas.part()


@lru_cache(maxsize=8)
def town_ring(lattice: Lattice, track: bool) -> Part:
    r = lattice.r
    outer, middle, inner = p.TOWN_TRACK if track else p.TOWN_PLAIN
    side = 2 * round(outer * r + 2)
    canvas = Canvas(side, side, scale=4)
    for radius, colour in ((outer, p.HALO), (middle, p.INK), (inner, p.WHITE)):
        canvas.disc((0, 0), radius * r, colour)
    return canvas.part()


@lru_cache(maxsize=64)
def sample(owner: Seat | None, length: int, radius: float) -> Part:
    """A straight piece of track for tables and keys, ``length`` px long, as on hexes of a radius in px."""
    height = round(p.TRACK_HALO * radius) + 4
    canvas = Canvas(length, height, scale=4)
    half = length / 2
    way = Curve(((-half, 0.0), (half, 0.0)), (0.0, float(length)))
    lattice = Lattice.of("flat-top", round(1.5 * radius), round(0.866 * radius))
    core, casing, livery = _look(owner)
    points: list[Point] = [(-half, 0.0), (half, 0.0)]
    canvas.stroke(points, p.TRACK_CASING * radius, casing)
    canvas.stroke(points, p.TRACK_CORE * radius, core)
    if livery:
        _rhythm(canvas, lattice.r, way, 1.35 * length / radius, livery, 0)
    return canvas.part()


SPECIAL = "special"


def special_hexes(board: Board) -> list[Label]:
    """The hexes of a board whose track is printed, in the order of the board."""
    return [label for label, hex_ in board.hexes.items() if hex_.terrain == SPECIAL]


def is_shut(scene: Scene, label: Label) -> bool:
    """Whether a hex is one that has not opened yet; a town on it is none so far."""
    return scene.board.hexes[label].terrain == SPECIAL and not scene.track.get(label)


def as_shown(board: Board, label: Label, segments: tuple[Segment, ...]) -> tuple[Segment, ...]:
    """The pieces of a hex as they look: printed track that nobody owns is public."""
    if board.hexes[label].terrain != SPECIAL:
        return segments
    return tuple(s if s.owner is not None else s._replace(owner=PUBLIC_OWNER) for s in segments)


def is_printed(board: Board, chain: Chain) -> bool:
    """Whether a chain is printed track alone that nobody has joined."""
    return chain.owner is None and all(board.hexes[piece.hex].terrain == SPECIAL for piece in chain.pieces)
