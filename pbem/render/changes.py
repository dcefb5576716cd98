"""What the last submission changed, in amber: bands under track, numbered steps, rings, the moved cube."""

from functools import lru_cache
from math import hypot

from pbem.rails.board import Label
from pbem.rails.hexes import TOWN
from pbem.rails.track import Piece
from pbem.render import palette as p
from pbem.render.canvas import Canvas, Part, Point
from pbem.render.geometry import Lattice, arc_length, curve
from pbem.render.links import glow_link
from pbem.render.places import Places
from pbem.render.signs import draw_cube
from pbem.render.sketch import Sketch
from pbem.render.track import glow

STEP, STEP_OFF = 0.40, 0.46


def draw_bands(page: Sketch, places: Places) -> None:
    """The bands under laid and used track: all edges first, so that they join without a line between."""
    marks = places.scene.marks
    pieces = [*(piece for step in marks.laid for piece in step), *marks.route]
    links = [link for link in places.scene.links if link.id == marks.special]
    for width, colour in ((p.GLOW_EDGE_WIDTH, p.GLOW_EDGE), (p.GLOW_WIDTH, p.GLOW)):
        for piece in pieces:
            page.lay(glow(places.lattice, piece.a, piece.b, width, colour), *places.at(piece.hex))
        for link in links:
            glow_link(page, places, link, width, colour)


def draw_rings(page: Sketch, places: Places) -> None:
    """Around the goal of a delivery, a New City and Cities that changed."""
    marks = places.scene.marks
    for city in places.scene.cities:
        if city.label in {marks.brought_to, marks.new_city, *marks.cities}:
            for hex_ in city.hexes:
                page.lay(_ring(places.lattice), *places.at(hex_))


@lru_cache(maxsize=8)
def _ring(lattice: Lattice) -> Part:
    room = round(0.25 * lattice.r)
    width, height = lattice.half
    canvas = Canvas(2 * (width + room), 2 * (height + room), scale=4)
    for size, colour in ((0.16, p.GLOW_EDGE), (0.125, p.GLOW)):
        canvas.polygon(lattice.corners(1 + size / 2), colour)
        for corner in lattice.corners():
            canvas.disc(corner, size * lattice.r, colour)
        for edge in range(6):
            canvas.stroke((lattice.corners()[edge - 1], lattice.corners()[edge]), 2 * size * lattice.r, colour)
    return canvas.part()


def draw_cube_moved(page: Sketch, places: Places) -> None:
    """The delivered cube on the last piece before its goal."""
    marks = places.scene.marks
    if not marks.cube or not marks.route:
        return
    # the pieces of a link can be listed from either end
    touching = [piece for piece in marks.route if _end_at(places, piece, marks.brought_to) is not None]
    last = touching[-1] if touching else marks.route[-1]
    way = curve(places.lattice, last.a, last.b)
    x, y = places.at(last.hex)
    share = 0.28 if _end_at(places, last, marks.brought_to) == last.a else 0.72
    spots = [way.at(way.length * s)[0] for s in (share, 0.5, 1 - share)]
    taken = [(coin.x, coin.y) for coin in places.coins]
    reach = 0.42 * places.lattice.r
    free = [(a, b) for a, b in spots if all(hypot(x + a - c, y + b - d) > reach for c, d in taken)]
    dx, dy = (free or spots)[0]
    page.lay(_moved(places.lattice, marks.cube), round(x + dx), round(y + dy))


def _end_at(places: Places, piece: Piece, goal: Label) -> int | None:
    """The end of a piece that touches a place, if one does."""
    hexes = next((city.hexes for city in places.scene.cities if city.label == goal), (goal,))
    for end in (piece.b, piece.a):
        there = piece.hex if end == TOWN else places.board.neighbours[piece.hex][end]
        if there in hexes:
            return end
    return None


@lru_cache(maxsize=32)
def _moved(lattice: Lattice, colour: str) -> Part:
    side = 0.42 * lattice.r
    size = 2 * round(side / 2 + 5)
    canvas = Canvas(size, size, scale=4)
    for room, fill in ((3.4, p.INK), (2.4, p.CARD)):
        half = side / 2 + room
        canvas.box((-half, -half, half, half), 0.24 * side + room / 2, fill)
    draw_cube(canvas, (0, 0), side, colour)
    return canvas.part()


def draw_steps(page: Sketch, places: Places) -> None:
    placed: list[Point] = []
    laid = [max(pieces, key=lambda one: arc_length(one.a, one.b)) for pieces in places.scene.marks.laid if pieces]
    numbers = [number for number, pieces in enumerate(places.scene.marks.laid, 1) if pieces]
    around = [_beside(places, piece) for piece in laid]
    obstacles = _obstacles(places, [spot for spots in around for spot in spots]) if laid else []
    for number, spots in zip(numbers, around, strict=True):
        near = _near(spots, obstacles)
        x, y = min(spots, key=lambda spot: (_crowding(places, spot, near, placed), spots.index(spot)))
        placed.append((x, y))
        page.lay(_step(places.lattice, number), round(x), round(y))


def _beside(places: Places, piece: Piece) -> list[Point]:
    way = curve(places.lattice, piece.a, piece.b)
    x, y = places.at(piece.hex)
    off = STEP_OFF * places.lattice.r
    found = []
    for share in (0.5, 0.35, 0.65, 0.2, 0.8):
        (a, b), (ux, uy) = way.at(way.length * share)
        found += [(x + a - uy * off, y + b + ux * off), (x + a + uy * off, y + b - ux * off)]
    return found


def _obstacles(places: Places, spots: list[Point]) -> list[tuple[Point, float]]:
    """Points to keep away from, each with the distance in px that is enough; of track what is near any of the spots."""
    r = places.lattice.r
    found: list[tuple[Point, float]] = [((coin.x, coin.y), 0.42 * r) for coin in places.coins]
    found += [(places.at(hex_), 1.12 * r) for hex_ in sorted(places.city_hexes)]
    found += [(places.at(town), 0.46 * r) for town in places.scene.towns]
    for label, name in places.names:
        x, y = places.at(label)
        left, top, right, bottom = name.box
        found += [((x + left + (right - left) * i / 4, y + (top + bottom) / 2), 0.38 * r) for i in range(5)]
    for one in places.labels:
        left, _, right, _ = one.box
        found += [((x, one.y), 0.34 * r) for x in ((left, one.x, right) if one.large else (one.x,))]
    found += [((one.x, one.y), 0.44 * r) for one in places.cubes]
    left, top, right, bottom = _bounds(spots, 1.5 * r)
    for hex_, segments in places.scene.track.items():
        x, y = places.at(hex_)
        for segment in segments if left < x < right and top < y < bottom else ():
            found += [((x + a, y + b), 0.33 * r) for a, b in _sampled(places.lattice, segment.a, segment.b)]
    return found


@lru_cache(maxsize=256)
def _sampled(lattice: Lattice, a: int, b: int) -> tuple[Point, ...]:
    way = curve(lattice, a, b)
    return tuple(way.at(way.length * i / 8)[0] for i in range(9))


def _near(spots: list[Point], obstacles: list[tuple[Point, float]]) -> list[tuple[Point, float]]:
    """Those that any of the spots could come too close to."""
    left, top, right, bottom = _bounds(spots, 0)
    return [
        ((x, y), room)
        for (x, y), room in obstacles
        if left - room < x < right + room and top - room < y < bottom + room
    ]


def _bounds(spots: list[Point], room: float) -> tuple[float, float, float, float]:
    """Left, top, right and bottom of the box around the spots with so much room on each side."""
    across, down = zip(*spots, strict=True)
    return min(across) - room, min(down) - room, max(across) + room, max(down) + room


def _crowding(places: Places, spot: Point, obstacles: list[tuple[Point, float]], placed: list[Point]) -> float:
    """How much a disc at a spot would cover, roughly; whole steps so that equal spots keep their rank."""
    x, y = spot
    lack = 0.0
    for (a, b), room in (*obstacles, *((done, 0.46 * places.lattice.r) for done in placed)):
        if abs(a - x) < room and abs(b - y) < room:
            lack += max(0.0, room - hypot(a - x, b - y))
    return round(lack / places.lattice.r, 1)


@lru_cache(maxsize=16)
def _step(lattice: Lattice, number: int) -> Part:
    radius = max(9.5, STEP / 2 * lattice.r)
    side = 2 * round(radius + 2)
    canvas = Canvas(side, side, scale=4)
    canvas.disc((0, 0), radius, p.INK)
    canvas.disc((0, 0), radius - 1.3, p.GLOW)
    canvas.text((0, 0), str(number), "bold", 1.35 * radius, p.INK)
    return canvas.part()
