"""Pictures in the colours for colour-blind eyes, made of the usual ones: only their list of colours differs."""

from functools import lru_cache
from itertools import product
from struct import unpack_from

from zlib_ng import zlib_ng

from pbem.render import palette as p
from pbem.render.encode import EDGE_SHARE
from pbem.render.palette import Colour, mix, rgb
from pbem.views.clear_colours import CLEAR

LENGTH = 4
NAME = 4
HEAD = len(b"\x89PNG\r\n\x1a\n") + LENGTH + NAME + 13 + 4
"""Where the list of colours begins in our pictures: after the signature and the first chunk."""


def clear_png(picture: bytes) -> bytes:
    """A picture of ours in the other colours. Raises ``ValueError`` for one that has no list of colours."""
    (length,) = unpack_from(">I", picture, HEAD)
    start = HEAD + LENGTH
    if picture[start : start + NAME] != b"PLTE":
        raise ValueError("this picture has no list of colours")
    end, instead = start + NAME + length, _instead()
    listed = picture[start + NAME : end]
    colours = ((listed[at], listed[at + 1], listed[at + 2]) for at in range(0, length, 3))
    chunk = b"PLTE" + b"".join(bytes(instead.get(colour, colour)) for colour in colours)
    return picture[:start] + chunk + zlib_ng.crc32(chunk).to_bytes(4, "big") + picture[end + 4 :]


@lru_cache(maxsize=1)
def _instead() -> dict[Colour, Colour]:
    """What stands for every colour of a picture, those at the edges of areas included."""
    flat = {rgb(code): rgb(other) for code, other in CLEAR.items()}
    edges = {
        mix(beside, colour, EDGE_SHARE): mix(beside, other, EDGE_SHARE)
        for (colour, other), beside in product(flat.items(), (p.INK, p.WHITE))
    }
    return {**edges, **flat}
