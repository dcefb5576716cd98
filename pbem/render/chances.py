"""The chances to win after every turn as the picture of an email."""

from collections.abc import Mapping, Sequence

from pbem.language import current
from pbem.render import palette as p
from pbem.render.canvas import Canvas
from pbem.render.encode import colours_of, png
from pbem.render.signs import draw_coin

WIDTH, HEIGHT = 700, 300
LEFT, RIGHT, TOP, BOTTOM = 70, 104, 24, 44
STEPS = (0, 25, 50, 75, 100)
COIN, APART, WORDS = 24, 28, 20
"""Diameter of the marks at the ends of lines, how far apart they stand, and the size of letters."""


def chances_png(course: Sequence[Mapping[str, int]]) -> bytes:
    """``course``: in per cent by seat, from the start of the game on, after every turn."""
    canvas = Canvas(WIDTH, HEIGHT, scale=3, origin=(0, 0), ground=p.PAPER)

    def place(turn: int, chance: float) -> tuple[float, float]:
        across, down = WIDTH - LEFT - RIGHT, HEIGHT - TOP - BOTTOM
        return LEFT + across * turn / max(1, len(course) - 1), TOP + down * (100 - chance) / 100

    for step in STEPS:
        canvas.stroke([place(0, step), place(len(course) - 1, step)], 1, p.GRID)
        canvas.text((LEFT - 36, place(0, step)[1]), current().percent(step / 100), "regular", WORDS, p.MUTED)
    for turn in range(1, len(course)):
        canvas.text((place(turn, 0)[0], HEIGHT - BOTTOM / 2), str(turn), "regular", WORDS, p.MUTED)
    ends = sorted(course[-1], key=lambda seat: -course[-1][seat])
    for seat in reversed(ends):
        points = [place(turn, chances[seat]) for turn, chances in enumerate(course)]
        canvas.stroke(points, 6, p.INK, round_ends=True)
        canvas.stroke(points, 4, p.PLAYERS[seat].core, round_ends=True)
    lowest = HEIGHT - TOP - APART * (len(ends) - 1)
    free = 0.0
    for number, seat in enumerate(ends):
        x, y = place(len(course) - 1, course[-1][seat])
        free = min(max(y, free), lowest + APART * number)
        draw_coin(canvas, (x + 24, free), COIN, seat)
        canvas.text((x + 64, free), str(course[-1][seat]), "bold", WORDS, p.INK)
        free += APART
    return png(canvas.done(), colours_of((), tuple(sorted(ends)), (), walls=False, links=False))
