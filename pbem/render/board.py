"""The board of a scene, layer by layer from below."""

from functools import lru_cache

from pbem.rails.scene import CityPlate
from pbem.render import palette as p
from pbem.render.canvas import Canvas, Part, Point
from pbem.render.changes import draw_bands, draw_cube_moved, draw_rings, draw_steps
from pbem.render.enamel import enamel, joined
from pbem.render.geometry import Lattice
from pbem.render.labels import PALE, label_size
from pbem.render.land import draw_walls, land_picture, price_size, price_tag, wall_sides
from pbem.render.links import draw_bars, draw_links, draw_tags
from pbem.render.names import HALO, line_step, name_size
from pbem.render.places import Places
from pbem.render.signs import coin, cube
from pbem.render.sketch import Sketch, write, write_large
from pbem.render.track import as_shown, bumper, hex_track, is_printed, is_shut, town_ring

EDGE = 3
"""How near to the edge of a picture names come, in px."""
DARK_LABELS = frozenset({"mountain", "dark_mountain", "difficult"})


def draw_board(page: Sketch, places: Places) -> None:
    _land(page, places)
    draw_position(page, places)


def draw_position(page: Sketch, places: Places) -> None:
    draw_bands(page, places)
    _track(page, places)
    _towns(page, places)
    draw_rings(page, places)
    _plates(page, places)
    draw_links(page, places)
    draw_bars(page, places)
    for city, furniture in places.furnished:
        x, y = places.middle(city)
        for part, across, down in furniture.parts:
            inwards = _inwards(page, x + across + part.left, part.across) if places.lattice.legible else 0
            page.lay(part, x + across + inwards, y + down)
    for one in places.coins:
        page.lay(coin(one.seat, round(p.COIN * places.lattice.r)), one.x, one.y)
    draw_tags(page, places)
    _prices(page, places)
    _labels(page, places)
    _cubes(page, places)
    _names(page, places)
    draw_cube_moved(page, places)
    draw_steps(page, places)


def _land(page: Sketch, places: Places) -> None:
    left, top = places.plan.corner
    page.ground(land_picture(places.board, places.lattice), places.frame.left + left, places.frame.top + top)


def _track(page: Sketch, places: Places) -> None:
    lattice = places.lattice
    for label in sorted(places.near & set(places.scene.track)):
        segments = as_shown(places.board, label, places.scene.track[label])
        page.lay(hex_track(lattice, segments), *places.at(label))
    for chain in places.scene.chains:
        for label, edge in () if is_printed(places.board, chain) else chain.open:
            (x, y), (dx, dy) = places.at(label), lattice.side(edge)
            page.lay(bumper(lattice, edge), round(x + dx), round(y + dy))


def _towns(page: Sketch, places: Places) -> None:
    for label in places.scene.towns:
        if is_shut(places.scene, label):
            continue
        track = bool(places.scene.track.get(label))
        page.lay(town_ring(places.lattice, track), *places.at(label))


def _plates(page: Sketch, places: Places) -> None:
    lattice = places.lattice
    for city in places.scene.cities:
        if len(city.hexes) > 1:
            part = joined(lattice, tuple(_offsets(places, city)), city.colours)
            page.lay(part, *places.at(city.label))
        else:
            kind = "block" if city.used_up else city.kind
            page.lay(enamel(lattice, kind, city.colours), *places.at(city.label))
    _city_walls(page, places)


def _inwards(page: Sketch, left: float, wide: float) -> int:
    """How far something is to be moved so that it is whole on the page: names that are for reading are longer than the
    room beside the edge of a board."""
    return round(min(max(left, EDGE), page.width - EDGE - wide) - left)


def _offsets(places: Places, city: CityPlate) -> list[tuple[int, int]]:
    x0, y0 = places.at(city.label)
    return [(x - x0, y - y0) for x, y in map(places.at, city.hexes)]


def _city_walls(page: Sketch, places: Places) -> None:
    around: dict[tuple[int, int], list[list[Point]]] = {}
    corners = places.lattice.corners()
    for label, edge in wall_sides(places.board):
        if {label, places.board.neighbours[label][edge]} & places.city_hexes:
            around.setdefault(places.at(label), []).append([corners[edge - 1], corners[edge]])
    for at, lines in around.items():
        page.lay(_wall_part(places.lattice, tuple(map(tuple, lines))), *at)


@lru_cache(maxsize=64)
def _wall_part(lattice: Lattice, lines: tuple[tuple[Point, ...], ...]) -> Part:
    width, height = lattice.half
    canvas = Canvas(2 * (width + 8), 2 * (height + 8), scale=3)
    draw_walls(canvas, lattice, [list(line) for line in lines])
    return canvas.part()


def _prices(page: Sketch, places: Places) -> None:
    for price in places.prices:
        tag = price_tag(f"${places.board.hexes[price.label].price}", price_size(places.lattice))
        page.lay(tag, round(price.x), round(price.y))


def _labels(page: Sketch, places: Places) -> None:
    hexes, lattice = places.board.hexes, places.lattice
    for label in places.labels:
        at, text, terrain = (label.x, label.y), label.label, hexes[label.label].terrain
        size = label.large or label_size(lattice)
        if label.large >= PALE:
            ground = p.TERRAIN[terrain].fill if label.over else None
            write_large(page, at, text, label.large, p.pale(terrain), ground)
        elif terrain == "very_difficult":
            write(page, at, text, "medium", size, p.INK, halo=HALO * lattice.r)
        else:
            write(page, at, text, "medium", size, p.LABEL_DARK if terrain in DARK_LABELS else p.MUTED)


def _cubes(page: Sketch, places: Places) -> None:
    side = round(0.40 * places.lattice.r)
    for one in places.cubes:
        fresh = one.colour in places.scene.marks.grown.get(one.hex, ())
        page.lay(cube(side, one.colour, p.GLOW if fresh else None), one.x, one.y)


def _names(page: Sketch, places: Places) -> None:
    size = name_size(places.lattice)
    for label, name in places.names:
        x, y = places.at(label)
        x += _inwards(page, x + name.box[0], name.box[2] - name.box[0]) if places.lattice.legible else 0
        step = line_step(size)
        first = y + name.y - step * (len(name.lines) - 1) / 2
        for i, line in enumerate(name.lines):
            write(page, (x + name.x, first + i * step), line, "medium", size, p.INK, halo=HALO * places.lattice.r)
