"""What is not on the board: cubes in stock, what is said about the bag, City tiles left over."""

from collections import Counter
from functools import lru_cache

from pbem.engine.text import say
from pbem.language.voice import spoken
from pbem.rails.scene import Scene
from pbem.render import palette as p
from pbem.render.canvas import Canvas, Part
from pbem.render.geometry import polar
from pbem.render.signs import cube
from pbem.render.sketch import Sketch
from pbem.render.text import write
from pbem.render.type import fitted

TITLE, CUBES, TILES = 46, 48, 40
CUBE, TILE, COUNT = 30, 13, 24
"""The side of a cube and the radius of a tile in px."""


def supply_height(scene: Scene) -> int:
    """The height of the panel in px, 0 for a game without stock."""
    return TITLE + CUBES + (TILES if scene.left_over else 0) if scene.stock else 0


def draw_supply(page: Sketch, scene: Scene, x: int, y: int, wide: int) -> None:
    """The panel with its left upper corner at (x, y)."""
    # TRANSLATORS: Cubes that are not on the board.
    write(page, (x, y + 18), spoken(say("Stock")), "semibold", 22, p.INK, align="left")
    write(page, (x + wide - 4, y + 19), scene.bag, "regular", 19, p.MUTED, align="right")
    page.rectangle((x, y + TITLE - 6, x + wide - 1, y + TITLE - 5), p.RULE)
    middle = y + TITLE + CUBES // 2
    step = min(wide / len(scene.stock), 120.0)
    for number, (colour, count) in enumerate(scene.stock):
        left = round(x + 4 + number * step)
        page.lay(cube(CUBE, colour), left + CUBE // 2, middle)
        write(page, (left + CUBE + 10, middle), str(count), "medium", 24, p.INK, align="left")
    if scene.left_over:
        _tiles(page, scene, x, middle + (CUBES + TILES) // 2, wide)


def _tiles(page: Sketch, scene: Scene, x: int, y: int, wide: int) -> None:
    label = spoken(say("City tiles left over"))
    size = fitted(label, "regular", 18, wide - 22 - len(set(scene.left_over)) * (2 * TILE + COUNT), 11)
    left = x + write(page, (x, y), label, "regular", size, p.MUTED, align="left") + 22
    step: float = 2 * TILE + 6
    if left + step * len(scene.left_over) <= x + wide:
        for number, colour in enumerate(scene.left_over):
            page.lay(_tile(colour), round(left + number * step), y)
        return
    counted = Counter(scene.left_over)
    step = (x + wide - left) / len(counted)
    for number, (colour, count) in enumerate(counted.items()):
        page.lay(_tile(colour), round(left + number * step), y)
        write(page, (left + number * step + TILE + 5, y), str(count), "medium", 20, p.INK, align="left")


@lru_cache(maxsize=16)
def _tile(colour: str) -> Part:
    good = p.GOODS[colour]
    canvas = Canvas(2 * TILE + 4, 2 * TILE + 4, scale=4)
    for radius, fill in ((TILE, p.INK), (TILE - 1.6, good.fill)):
        canvas.polygon([polar(radius, 60 * i) for i in range(6)], fill)
    canvas.text((0, 0), good.letter, "bold", 15, good.on)
    return canvas.part()
