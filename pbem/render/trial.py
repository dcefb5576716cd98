"""The band across pictures of what is only tried, so that no such picture is ever taken for the game."""

from functools import lru_cache

from PIL import Image, ImageDraw

from pbem.render import palette as p
from pbem.render.drawn import Drawn, packed
from pbem.render.sketch import Sketch
from pbem.render.text import write
from pbem.render.type import Mask, fitted

BAND, FRAME = 34, 8
"""The height of the band, and how wide the frame around the picture is, in px."""
STRIPE, APART = 26, 52


def draw_trial(page: Sketch, words: str) -> None:
    """A striped band across the top with the words upon it, in the room above the head, and the frame."""
    draw_trial_frame(page)
    page.rectangle((0, 0, page.width - 1, BAND - 1), p.TRIAL)
    stripe = _stripe()
    for left in range(0, page.width - stripe.across + 1, APART):
        page.tint(stripe, p.TRIAL_DEEP, left, 0)
    size = fitted(words, "bold", 22, page.width - 2 * BAND, 12)
    write(page, (page.width / 2, BAND / 2), words, "bold", size, p.WHITE)


def draw_trial_frame(page: Sketch) -> None:
    """A frame of the colour of trials, which covers nothing of a map."""
    page.frame((0, 0, page.width - 1, page.height - 1), p.TRIAL, FRAME)


@lru_cache(maxsize=1)
def _stripe() -> Mask:
    image = Image.new("L", (BAND + STRIPE, BAND))
    corners = [(BAND, 0), (BAND + STRIPE - 1, 0), (STRIPE - 1, BAND - 1), (0, BAND - 1)]
    ImageDraw.Draw(image).polygon(corners, fill=255)
    return Mask(image, 0, 0, Drawn("polygon", packed([(float(x), float(y)) for x, y in corners])))
