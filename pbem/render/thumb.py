"""Small pictures: a map in lists and beside links, and single placements of the build page."""

from collections.abc import Iterable

from PIL import Image

from pbem.engine import replace
from pbem.rails.board import Label
from pbem.rails.hexes import TOWN
from pbem.rails.scene import CityPlate, Marks, Scene
from pbem.rails.tiles import Ends, ends
from pbem.rails.track import Net, Piece, Seat, Segment
from pbem.render import palette as p
from pbem.render.board import draw_position
from pbem.render.canvas import Canvas, Point
from pbem.render.encode import encoded
from pbem.render.geometry import Frame, Lattice, curve, extent, near, size
from pbem.render.geometry import Lattice as Grid
from pbem.render.land import land_around
from pbem.render.places import Places
from pbem.render.sketch import Sketch

SCALE = 4
MARGIN = 0.03
CASING, CORE = 0.44, 0.28
"""Track is drawn wider than on the board: in a small picture only its colour is left."""


CARD = (1200, 630)
"""Width and height of the picture beside a link, in px."""


def thumb_png(scene: Scene, width: int = 240) -> bytes:
    """The map as a small PNG, ``width`` px wide and three quarters as high."""
    return encoded(_Thumb(scene, width, round(width * 0.75)).draw(), scene)


def card_png(scene: Scene) -> bytes:
    """The same as wide as other sites show beside a link: :data:`CARD` px."""
    return encoded(_Thumb(scene, *CARD).draw(), scene)


class _Thumb:
    def __init__(self, scene: Scene, width: int, height: int) -> None:
        self.scene, self.board = scene, scene.board
        across, down = size(self.board)
        room = 1 - 2 * MARGIN
        radius = min(width * room / across, height * room / down)
        # the lattice of whole pixels is too coarse here: draw with one many times finer, then scale
        self.fine = 16
        self.grid = Grid.of_radius(self.board.orientation, radius * self.fine)
        self.canvas = Canvas(width, height, scale=SCALE, origin=(0, 0), ground=p.PAPER)
        left, top, right, bottom = extent(self.board)
        self.left = width / 2 - (left + right) / 2 * self.grid.dx / self.fine
        self.top = height / 2 - (top + bottom) / 2 * self.grid.dy / self.fine
        self.r = self.grid.r / self.fine

    def draw(self) -> Image.Image:
        for label, hex_ in self.board.hexes.items():
            kind = hex_.terrain
            fill = p.mix(p.TERRAIN["river"].fill, p.RIVER, 0.3) if kind == "river" else p.TERRAIN[kind].fill
            self._hex(label, 1.0, p.GRID if kind != "water" else fill)
            self._hex(label, 0.96, fill)
        for core in (False, True):
            for label, segments in self.scene.track.items():
                for segment in segments:
                    self._piece(label, segment.a, segment.b, segment.owner, core=core)
        for label in self.scene.towns:
            self.canvas.disc(self._at(label), 0.26 * self.r, p.INK)
            self.canvas.disc(self._at(label), 0.17 * self.r, p.WHITE)
        for city in self.scene.cities:
            self._city(city)
        return self.canvas.done()

    def _at(self, label: Label, offset: Point = (0.0, 0.0)) -> Point:
        hex_ = self.board.hexes[label]
        return (
            self.left + (hex_.x * self.grid.dx + offset[0]) / self.fine,
            self.top + (hex_.y * self.grid.dy + offset[1]) / self.fine,
        )

    def _hex(self, label: Label, share: float, fill: p.Colour) -> None:
        self.canvas.polygon([self._at(label, corner) for corner in self.grid.corners(share)], fill)

    def _piece(self, label: Label, a: int, b: int, owner: str | None, *, core: bool) -> None:
        points = [self._at(label, point) for point in curve(self.grid, a, b).points]
        if core:
            colour = p.NOBODY if owner is None else p.PLAYERS[owner].core
            self.canvas.stroke(points, CORE * self.r, colour, round_ends=True)
        else:
            colour = p.NOBODY_CASING if owner is None else p.INK
            self.canvas.stroke(points, CASING * self.r, colour, round_ends=True)

    def _city(self, city: CityPlate) -> None:
        joined = len(city.hexes) > 1
        for hex_ in city.hexes:
            self._hex(hex_, 1.12 if joined else 1.02, p.INK)
        inner = 1.02 if joined else 0.86
        for hex_ in city.hexes:
            count = max(1, len(city.colours))
            for i, colour in enumerate(city.colours or ("",)):
                fill = p.GOODS[colour].fill if colour else p.TERRAIN["block"].fill
                corners = [self._at(hex_, corner) for corner in self.grid.corners(inner)]
                middle = self._at(hex_)[0]
                edge = middle - inner * self.r * (1 - 2 * i / count)
                self.canvas.polygon([(max(x, edge), y) for x, y in corners], fill)


SIZE, RADIUS = (264, 232), 74
"""Px of the picture, which a page shows half as large, and of the radius of its hexes."""


def crop_png(scene: Scene, label: Label, new: Iterable[Ends], seat: Seat) -> bytes:
    """The hex and its neighbours cut from the board as PNG, the new pieces laid and banded in amber.

    A piece that lay on the hex and shares a side with a new one gives way to it (redirecting).
    """
    lattice = Lattice.of_radius(scene.board.orientation, RADIUS)
    built = with_track(scene, label, [ends(a, b) for a, b in new], seat)
    page, frame = _land(built, label, lattice)
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


def _land(scene: Scene, label: Label, lattice: Lattice) -> tuple[Sketch, Frame]:
    """The land with the hex in the middle of a picture, and the frame it lies in."""
    hex_ = scene.board.hexes[label]
    frame = Frame(lattice, SIZE[0] // 2 - hex_.x * lattice.dx, SIZE[1] // 2 - hex_.y * lattice.dy)
    page = Sketch(*SIZE)
    page.ground(land_around(scene.board, frame, tuple(near(scene.board, label, 2)), SIZE), 0, 0)
    return page, frame


def _outline(page: Sketch, lattice: Lattice, middle: tuple[int, int]) -> None:
    width, height = lattice.half
    canvas = Canvas(2 * width, 2 * height, scale=4)
    outer, inner = lattice.corners(1.0), lattice.corners(1 - 4 / lattice.r)
    for i in range(6):
        canvas.polygon([outer[i - 1], outer[i], inner[i], inner[i - 1]], p.INK)
    page.lay(canvas.part(), *middle)
