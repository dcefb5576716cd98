"""The letters: IBM Plex Sans Condensed in four weights, measured and cut out as masks.

The plain layout engine is asked for by name so that pictures are the same with and without Raqm.
"""

from functools import lru_cache
from hashlib import blake2b
from importlib.resources import files
from struct import pack
from unicodedata import category, normalize

from PIL import Image, ImageDraw, ImageFont

from pbem.render.drawn import Drawn, packed

CAP = 0.698
"""Height of a capital letter in units of the type size."""
MISSING, SEEN = "\U0010ffff", 20.0
"""A character that no font has: drawn as the box that stands for all of these. The size at which they are compared."""
WEIGHTS = {"regular": "Regular", "medium": "Medium", "semibold": "SemiBold", "bold": "Bold", "italic": "Italic"}


class Mask:
    """A word cut out: ``image`` (mode L), and where its left upper corner lies from the start of its baseline.

    ``across``, ``down``: its size. ``drawn``: what was cut out, counted from there as well. ``key``: of two masks that
    look the same it is the same, in every process.
    """

    __slots__ = ("across", "down", "drawn", "dx", "dy", "image", "key")

    def __init__(self, image: Image.Image, dx: int, dy: int, drawn: Drawn | None = None) -> None:
        self.image, self.dx, self.dy, self.drawn = image, dx, dy, drawn
        self.across, self.down = image.size
        self.key = key_of(image.tobytes(), image.size)


def key_of(pixels: bytes, size: tuple[int, int]) -> int:
    """A number for what something looks like, which nothing else has: 64 bits of a digest."""
    return int.from_bytes(blake2b(pixels, digest_size=8, salt=pack("<II", *size)).digest(), "little")


@lru_cache(maxsize=14)
def font(weight: str, size: float) -> ImageFont.FreeTypeFont:
    """The font of a weight (a key of ``WEIGHTS``) at a size in px.

    Few are kept: each takes a quarter of a megabyte, and words that are drawn again are kept as masks.
    """
    return ImageFont.truetype(font_file(weight), size, layout_engine=ImageFont.Layout.BASIC)


@lru_cache(maxsize=len(WEIGHTS))
def font_file(weight: str) -> str:
    return str(files("fontpkg_ibm_plex_sans_condensed") / "files" / f"IBMPlexSansCondensed-{WEIGHTS[weight]}.ttf")


@lru_cache(maxsize=4096)
def in_our_letters(text: str) -> str:
    """The text with letters of the font in place of those that it lacks, as the Latin alphabet writes them: people and
    their maps may be called as they are anywhere, and no picture shows empty boxes."""
    if text.isascii():
        return text
    found = "".join(map(_letter, normalize("NFC", text)))
    return found if found.strip() else "?" * bool(text.strip())


@lru_cache(maxsize=2048)
def _letter(letter: str) -> str:
    face = font("regular", SEEN)
    if letter.isascii() or bytes(face.getmask(letter)) != bytes(face.getmask(MISSING)):
        return letter
    from anyascii import anyascii  # its tables are read when something is called so

    return anyascii(letter) or "?" * (category(letter)[0] not in "CLM")


@lru_cache(maxsize=4096)
def width(text: str, weight: str, size: float) -> float:
    """How far the pen moves over a text, in px."""
    return font(weight, size).getlength(in_our_letters(text))


@lru_cache(maxsize=1200)
def mask(text: str, weight: str, size: float, grow: float = 0) -> Mask:
    """The text cut out, every stroke widened by ``grow`` px on each side."""
    face, text = font(weight, size), in_our_letters(text)
    left, top, right, bottom = (round(n) for n in face.getbbox(text, anchor="ls", stroke_width=grow))
    pad = 2
    image = Image.new("L", (max(1, right - left) + 2 * pad, max(1, bottom - top) + 2 * pad))
    ImageDraw.Draw(image).text((pad - left, pad - top), text, fill=255, font=face, anchor="ls", stroke_width=grow)
    drawn = Drawn("word", packed([(0, 0)]), size, text=text, weight=weight, grow=grow)
    return Mask(image, left - pad, top - pad, drawn)


@lru_cache(maxsize=600)
def stencil(text: str, weight: str, size: float) -> Mask:
    """The text cut out with edges of one shade only: large quiet letters look the same, and compress better."""
    fine = mask(text, weight, size)
    return Mask(fine.image.point(_shade), fine.dx, fine.dy, fine.drawn)


def _shade(value: int) -> int:
    return 0 if value < 70 else 128 if value < 185 else 255


def fitted(text: str, weight: str, size: float, limit: float, least: float) -> float:
    """The size at which the text is at most ``limit`` px wide, not below ``least``."""
    wide = width(text, weight, size)
    if wide <= limit:
        return size
    size = size * limit / wide
    # letters are whole px wide: a little smaller type can be as wide as before
    while size > least and width(text, weight, round(size, 1)) > limit:
        size -= 0.4
    return max(least, round(size, 1))


def halves(text: str) -> tuple[str, str] | None:
    """The text on two lines, broken at the space or hyphen that leaves the shorter longest line."""
    breaks = [i for i, letter in enumerate(text) if letter in " -" and 0 < i < len(text) - 1]
    if not breaks:
        return None
    pairs = [(text[: i + 1].rstrip(), text[i + 1 :]) for i in breaks]
    return min(pairs, key=lambda pair: max(map(len, pair)))


def wrapped(text: str, weight: str, size: float, limit: float) -> list[str]:
    """The words on lines of at most ``limit`` px; a single longer word keeps its line."""
    lines: list[str] = []
    for word in text.split():
        longer = f"{lines[-1]} {word}" if lines else word
        if lines and width(longer, weight, size) <= limit:
            lines[-1] = longer
        else:
            lines.append(word)
    return lines
