"""The common sides of adjacent Cities: a white bar, whole where the group is open, four dots while it is not."""

from functools import lru_cache

from pbem.render import palette as p
from pbem.render.canvas import Canvas, Part
from pbem.render.geometry import Lattice
from pbem.render.places import Places
from pbem.render.sketch import Sketch

WIDTH, EDGE = 0.125, 0.035
START, END = 0.16, 0.84
DOTS, DOT = 4, 0.052


def draw_bars(page: Sketch, places: Places) -> None:
    """Every bar of the scene, over the plates of its two Cities."""
    for bar in places.scene.bars:
        page.lay(_bar(places.lattice, bar.edge, bar.open), *places.at(bar.hex))


@lru_cache(maxsize=32)
def _bar(lattice: Lattice, edge: int, whole: bool) -> Part:
    width, height = lattice.half
    room = round(0.15 * lattice.r)
    canvas = Canvas(2 * (width + room), 2 * (height + room), scale=4)
    (ax, ay), (bx, by) = lattice.corners()[edge - 1], lattice.corners()[edge]

    def at(share: float) -> tuple[float, float]:
        return ax + (bx - ax) * share, ay + (by - ay) * share

    for extra, colour in ((2 * EDGE, p.INK), (0.0, p.WHITE)):
        if whole:
            canvas.stroke([at(START), at(END)], (WIDTH + extra) * lattice.r, colour, round_ends=True)
        else:
            for i in range(DOTS):
                share = START + (END - START) * (i + 0.5) / DOTS
                canvas.disc(at(share), (DOT + extra / 2) * lattice.r, colour)
    return canvas.part()


@lru_cache(maxsize=1)
def bar_sign() -> Part:
    """A whole bar by itself, for the key."""
    canvas = Canvas(40, 30, scale=4)
    for half, thick, colour in ((13.0, 12.0, p.INK), (13.0, 8.0, p.WHITE)):
        canvas.stroke([(-half, 0), (half, 0)], thick, colour, round_ends=True)
    return canvas.part()
