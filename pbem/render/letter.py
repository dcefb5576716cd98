"""The picture of an email: narrow, of few bytes, with names that can be read on a phone.

It holds what the email does not say in words: the board, the goods display or the stock, and the key. Who is to act,
the phase, and what players have stands above and below it as text.
"""

from pbem.engine import replace
from pbem.language.voice import spoken
from pbem.rails.scene import Scene
from pbem.render import palette as p
from pbem.render.board import draw_board
from pbem.render.display import TALL_ROW, draw_half, draw_supply, half_height, supply_height
from pbem.render.encode import scene_palette
from pbem.render.geometry import Lattice, framed, pixels, size
from pbem.render.head import BAND, draw_title, draw_trial
from pbem.render.key import LINE, draw_key, entries, player_entries, rows
from pbem.render.page import DARK, LIGHT
from pbem.render.places import Places
from pbem.render.sketch import Sketch
from pbem.render.strips import png

WIDTH = 700
"""Px. An email is 640 wide on a desk, and a phone shows it 390 wide with up to three of its own for each."""
MARGIN, HEAD, GAP = 14, 48, 14
HIGHEST = 1.25
"""A board is at most so many times as high as wide."""


def letter_png(scene: Scene) -> bytes:
    return png(letter_sketch(scene), scene_palette(scene))


def letter_sketch(scene: Scene) -> Sketch:
    scene = replace(scene, marks=replace(scene.marks, cells=frozenset()))  # of the table of players, which is not here
    inner, top = WIDTH - 2 * MARGIN, MARGIN + (BAND if scene.trial else 0)
    lattice = lattice_of(scene)
    across, down = pixels(scene.board, lattice)
    panels = max(half_height(scene.light, TALL_ROW), half_height(scene.dark, TALL_ROW), supply_height(scene))
    keys = rows(player_entries(scene), inner) + rows(entries(scene), inner)
    below = top + HEAD + down + GAP
    height = below + (panels + GAP if panels else 0) + LINE * len(keys) + GAP
    page = Sketch(WIDTH, height)
    draw_title(page, scene, MARGIN, top + HEAD // 2 - 8)
    draw_board(page, Places(scene, framed(scene.board, lattice, (WIDTH - across) / 2, top + HEAD)))
    _panels(page, scene, below, inner)
    draw_key(page, keys, MARGIN, height - GAP - LINE * len(keys) + LINE // 2, inner)
    page.frame((0, 0, WIDTH - 1, height - 1), p.FRAME, 2)
    if scene.trial:
        draw_trial(page, scene.trial)
    return page


def lattice_of(scene: Scene) -> Lattice:
    """On which the board lies: as wide as the picture, or as high as it may be."""
    (wide, high), inner = size(scene.board), WIDTH - 2 * MARGIN
    radius = min(inner / wide, inner * HIGHEST / high)
    return Lattice.of_radius(scene.board.orientation, radius, legible=True)


def _panels(page: Sketch, scene: Scene, top: int, wide: int) -> None:
    halves = [(half, title) for half, title in ((scene.light, LIGHT), (scene.dark, DARK)) if half]
    each = (wide - GAP * (len(halves) - 1)) // max(1, len(halves))
    for number, (half, title) in enumerate(halves):
        x = MARGIN + number * (each + GAP)
        draw_half(page, half, spoken(title), (x, top), each, TALL_ROW, scene.marks.grown)
    if scene.stock:
        draw_supply(page, scene, MARGIN, top, wide)
