"""The small picture of a map for lists: land, Cities and links, no letters."""

from PIL import Image

from pbem.rails.board import Label
from pbem.rails.scene import CityPlate, Scene
from pbem.render import palette as p
from pbem.render.canvas import Canvas, Point
from pbem.render.encode import encoded
from pbem.render.geometry import Lattice as Grid
from pbem.render.geometry import curve, extent, size

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
