"""A board on sheets of paper, as large as the tiles that lie on a table: SVG in millimetres."""

from collections.abc import Mapping
from math import ceil, sqrt

from pbem.engine import Value
from pbem.rails.scene import Scene
from pbem.render.geometry import map_geometry
from pbem.render.page import map_pieces
from pbem.render.svg import FONT

PAPERS: Mapping[str, tuple[float, float]] = {"a4": (190.0, 258.0), "letter": (195.0, 240.0)}
"""Millimetres of the board that a sheet shows; around it are margins of 10 mm, below it the line that is measured."""
LINE, FOOT = 100.0, 10.0
TILES = range(25, 51)
"""Millimetres of a tile from flat side to flat side."""


class Sheets(Value):
    """How a board is cut: ``scale`` px to a millimetre, and so many sheets across and down."""

    scale: float
    across: int
    down: int

    @property
    def number(self) -> int:
        return self.across * self.down


def sheets(scene: Scene, tile: int, paper: str) -> Sheets:
    geometry = map_geometry(scene.board)
    wide, high = PAPERS[paper]
    scale = geometry.radius * sqrt(3) / tile
    return Sheets(scale, ceil(geometry.width / scale / wide), ceil(geometry.height / scale / high))


def sheet_svg(scene: Scene, tile: int, paper: str, number: int) -> str:
    """One of the sheets, from 0 along the rows, with a line of 100 mm below the board."""
    cut, (wide, high) = sheets(scene, tile, paper), PAPERS[paper]
    defs, drawn = map_pieces(scene)
    row, column = divmod(number, cut.across)
    px = cut.scale
    x, y, w, h = column * wide * px, row * high * px, wide * px, high * px
    foot = y + h + FOOT * px / 2
    line = f'<path d="M{x:.2f} {foot:.2f}h{LINE * px:.2f}" stroke="#000" stroke-width="{0.4 * px:.2f}"/>'
    said = (
        f'<text x="{x + (LINE + 3) * px:.2f}" y="{foot + px:.2f}" font-size="{3.5 * px:.2f}">'
        f"{LINE:.0f} mm · {number + 1}/{cut.number}</text>"
    )
    return (
        f'<svg xmlns="http://www.w3.org/2000/svg" width="{wide:g}mm" height="{high + FOOT:g}mm" '
        f'viewBox="{x:.2f} {y:.2f} {w:.2f} {h + FOOT * px:.2f}" font-family="{FONT}"><defs>{"".join(defs)}'
        f'<clipPath id="cut"><path d="M{x:.2f} {y:.2f}h{w:.2f}v{h:.2f}h-{w:.2f}z"/></clipPath></defs>'
        f'<g clip-path="url(#cut)">{"".join(drawn)}</g>{line}{said}</svg>'
    )
