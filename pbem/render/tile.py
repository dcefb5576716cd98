"""Pictures of single placements for the build page: the bare hex, or the hex among its neighbours."""

from collections.abc import Iterable

from PIL import Image, ImageDraw

from pbem.engine.values import replace
from pbem.rails.board import Label
from pbem.rails.hexes import TOWN
from pbem.rails.scene import Marks, Scene
from pbem.rails.tiles import Ends, ends
from pbem.rails.track import Net, Piece, Seat, Segment
from pbem.render import palette as p
from pbem.render.board import draw_position
from pbem.render.canvas import Canvas
from pbem.render.encode import encoded
from pbem.render.geometry import Frame, Lattice, near
from pbem.render.land import land_around
from pbem.render.places import Places
from pbem.render.sketch import Sketch
from pbem.render.track import glow, hex_track, town_ring

TILE_RADIUS, CROP_RADIUS = 46 / 96, 74 / 264
"""The hex radius in picture widths."""


def tile_png(
    scene: Scene, label: Label, new: Iterable[Ends], kept: Iterable[Segment], seat: Seat, size: int = 96
) -> bytes:
    """The bare hex as PNG of ``size`` x ``size`` px: its land, the track ``kept`` there and the ``new`` pieces.

    Where something is kept, the new pieces have the amber band. No text; outside the hex lies paper.
    """
    lattice = Lattice.of_radius(scene.board.orientation, size * TILE_RADIUS)
    page, frame = _land(scene, label, lattice, (size, size), steps=0)
    middle = frame.centre(scene.board, label)
    fresh = tuple(Segment(*ends(a, b), seat) for a, b in new)
    there = tuple(kept)
    if there:
        for width, colour in ((p.GLOW_EDGE_WIDTH, p.GLOW_EDGE), (p.GLOW_WIDTH, p.GLOW)):
            for segment in fresh:
                page.lay(glow(lattice, segment.a, segment.b, width, colour), *middle)
    page.lay(hex_track(lattice, tuple(sorted((*there, *fresh), key=lambda s: s.ends))), *middle)
    if label in scene.towns:
        page.lay(town_ring(lattice, bool(there or fresh)), *middle)
    return encoded(_cut(page.picture(), lattice, middle), scene)


def _cut(page: Image.Image, lattice: Lattice, middle: tuple[int, int]) -> Image.Image:
    """The picture clipped to the hex, with a thin outline."""
    x, y = middle
    canvas = Canvas(*page.size, scale=4, origin=(x, y))
    canvas.polygon(lattice.corners(), p.RIM)
    sheet = Image.new("RGB", page.size, p.PAPER)
    sheet.paste(p.RIM, (0, 0), canvas.done())
    inside = Image.new("L", (page.width * 4, page.height * 4))
    points = [((x + dx) * 4, (y + dy) * 4) for dx, dy in lattice.corners(1 - 1.4 / lattice.r)]
    ImageDraw.Draw(inside).polygon(points, fill=255)
    sheet.paste(page, (0, 0), inside.reduce(4))
    return sheet


def crop_png(
    scene: Scene,
    label: Label,
    new: Iterable[Ends],
    seat: Seat,
    width: int = 132,
    height: int = 116,
    *,
    scale: int = 2,
) -> bytes:
    """The hex and its neighbours cut from the board as PNG, the new pieces laid and banded in amber.

    ``width``, ``height``: px on the page; the picture has ``scale`` times as many for sharp screens. A piece that
    lay on the hex and shares a side with a new one gives way to it (redirecting).
    """
    size = width * scale, height * scale
    lattice = Lattice.of_radius(scene.board.orientation, size[0] * CROP_RADIUS)
    built = with_track(scene, label, [ends(a, b) for a, b in new], seat)
    page, frame = _land(built, label, lattice, size)
    _outline(page, lattice, frame.centre(scene.board, label))
    draw_position(page, Places(built, frame, frozenset(near(built.board, label, 2))))
    return encoded(page.picture(), built)


def with_track(scene: Scene, label: Label, new: Iterable[Ends], seat: Seat) -> Scene:
    """The scene with new pieces on a hex, and only these marked as changed."""
    fresh = tuple(Segment(a, b, seat) for a, b in new)
    sides = {end for segment in fresh for end in segment.ends if end != TOWN}
    kept = tuple(s for s in scene.track.get(label, ()) if not sides & set(s.ends))
    track = {**scene.track, label: tuple(sorted((*kept, *fresh), key=lambda s: s.ends))}
    cities = [hex_ for city in scene.cities for hex_ in city.hexes]
    pieces = tuple(Piece(label, s.a, s.b) for s in fresh)
    return replace(
        scene,
        track=track,
        chains=tuple(Net(scene.board, track, cities).chains),
        # a route is a band without a number, and there is only one step to see
        marks=Marks(route=pieces),
    )


def _land(scene: Scene, label: Label, lattice: Lattice, size: tuple[int, int], steps: int = 2) -> tuple[Sketch, Frame]:
    """The land with the hex in the middle of a picture of a size, and the frame it lies in."""
    hex_ = scene.board.hexes[label]
    frame = Frame(lattice, size[0] // 2 - hex_.x * lattice.dx, size[1] // 2 - hex_.y * lattice.dy)
    page = Sketch(*size)
    page.ground(land_around(scene.board, frame, tuple(near(scene.board, label, steps)), size), 0, 0)
    return page, frame


def _outline(page: Sketch, lattice: Lattice, middle: tuple[int, int]) -> None:
    """The chosen hex, told from its neighbours by an ink line."""
    width, height = lattice.half
    canvas = Canvas(2 * width, 2 * height, scale=4)
    outer, inner = lattice.corners(1.0), lattice.corners(1 - 4 / lattice.r)
    for i in range(6):
        canvas.polygon([outer[i - 1], outer[i], inner[i], inner[i - 1]], p.INK)
    page.lay(canvas.part(), *middle)
