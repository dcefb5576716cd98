"""From a picture in full colour to the bytes of a small PNG: a fixed palette, flat colours exact, no dithering."""

from functools import lru_cache
from itertools import chain, product
from math import hypot
from struct import pack, unpack_from

from PIL import Image
from zlib_ng import zlib_ng

from pbem.rails.scene import Scene
from pbem.render import palette as p
from pbem.render.palette import Colour, mix, rgb
from pbem.views.clear_colours import CLEAR

LEVEL = 5
"""Of zlib-ng: smaller than zlib's sixth level, in well under half the time."""
SIGNATURE = b"\x89PNG\r\n\x1a\n"
EDGE_SHARE = 0.5
"""How much of a good's or a player's colour is at the edge of its area."""
APART = 40
"""A mix nearer than this to another colour is not worth its bytes: even enlarged nobody sees it."""


def encoded(picture: Image.Image, scene: Scene) -> bytes:
    return png(picture, scene_palette(scene))


def png(picture: Image.Image, colours: tuple[Colour, ...]) -> bytes:
    """The picture as PNG with these colours, at most 256, and no others."""
    return file_of(picture.size, zlib_ng.compress(rows(picture, colours), LEVEL), colours)


def rows(picture: Image.Image, colours: tuple[Colour, ...]) -> bytes:
    """The rows of a PNG: before the pixels of each a byte that says how they are filtered.

    They are not: in a picture of flat colours a difference of two palette numbers says nothing.
    """
    width, height = picture.size
    page = Image.new("P", (width + 1, height))
    page.paste(picture.quantize(palette=_carrier(colours), dither=Image.Dither.NONE), (1, 0))
    return page.tobytes()


def file_of(size: tuple[int, int], packed: bytes, colours: tuple[Colour, ...]) -> bytes:
    """Compressed rows as PNG, one byte a pixel.

    Pillow would write the same with the deflate that it was built with.
    """
    return b"".join(
        (
            SIGNATURE,
            _chunk(b"IHDR", pack(">IIBBBBB", *size, 8, 3, 0, 0, 0)),
            _chunk(b"PLTE", bytes(channel for colour in colours for channel in colour)),
            _chunk(b"IDAT", packed),
            _chunk(b"IEND", b""),
        )
    )


def _chunk(name: bytes, body: bytes) -> bytes:
    return pack(">I", len(body)) + name + body + pack(">I", zlib_ng.crc32(body, zlib_ng.crc32(name)))


@lru_cache(maxsize=4)
def _carrier(colours: tuple[Colour, ...]) -> Image.Image:
    """A picture with these colours. Pillow keeps with it which is the nearest to which, half a megabyte."""
    image = Image.new("P", (1, 1))
    image.putpalette([channel for colour in colours for channel in colour])
    return image


def scene_palette(scene: Scene) -> tuple[Colour, ...]:
    """Every flat colour that can occur on the map with these players, then the mixes at their edges."""
    flipped = {"block"} if scene.stock else set()
    kinds = {hex_.terrain for hex_ in scene.board.hexes.values()} | {city.kind for city in scene.cities} | flipped
    found = colours_of(
        tuple(sorted(kinds)),
        tuple(sorted(_seats(scene))),
        tuple(sorted(_goods(scene))),
        walls=bool(scene.board.walls),
        links=bool(scene.links),
    )
    return (p.TRIAL, p.TRIAL_DEEP, *found)[:256] if scene.trial else found


def _seats(scene: Scene) -> set[str]:
    """Every colour of a player; alone you run companies that are nobody's seat."""
    owners = {track.owner for track in scene.chains} | {city.factory for city in scene.cities}
    return {row.seat for row in scene.players} | {owner for owner in owners if owner is not None}


def _goods(scene: Scene) -> set[str]:
    """Every colour of goods that is printed, or lies somewhere."""
    board = scene.board
    printed = [city.colours for city in board.cities.values()] + [tile.colours for tile in board.new_cities.values()]
    rows = (boxes for row in (*scene.light, *scene.dark) for boxes in (row.boxes, row.new_boxes))
    lying = (*scene.cubes.values(), *(city.cubes or () for city in scene.cities), *rows, scene.left_over)
    colours = chain.from_iterable((*printed, *(city.colours for city in scene.cities), *lying))
    return {good for good in colours if good} | {good for good, _ in scene.stock}


@lru_cache(maxsize=128)
def colours_of(
    kinds: tuple[str, ...], seats: tuple[str, ...], goods: tuple[str, ...], *, walls: bool, links: bool
) -> tuple[Colour, ...]:
    """The palette for kinds of land, seats and goods: flats first, exact, then mixes."""
    lands = [p.TERRAIN[kind] for kind in kinds if kind in p.TERRAIN]
    found = dict.fromkeys(p.PAGE)
    for land in lands:
        found[land.fill] = found[land.mark] = None
    for good in goods:
        found.update(dict.fromkeys((p.GOODS[good].fill, p.GOODS[good].edge)))
    for seat in (*seats, "blue"):
        found.update(dict.fromkeys((p.PLAYERS[seat].core, p.PLAYERS[seat].inlay)))
    found.update(dict.fromkeys((p.NOBODY, p.NOBODY_CASING)))
    if walls:
        found[p.BARRIER] = None
    if links:
        found[p.PUBLIC] = None
    for colour in (p.pale(kind) for kind in kinds if kind in p.LABELLED):
        _add(found, colour)
    for colour in _mixes(lands, seats, goods):
        if min(_far(colour, other) for other in found) > APART:
            _add(found, colour)
    return tuple(found)[:256]


def _add(found: dict[Colour, None], colour: Colour) -> None:
    """One more colour, where no other is in its cell."""
    if cell(colour) not in map(cell, found):
        found[colour] = None


def cell(colour: Colour) -> Colour:
    """Pillow looks colours up in cells of 8 x 8 x 8 values: two flat colours must not share one."""
    r, g, b = colour
    return r >> 3, g >> 3, b >> 3


def _far(first: Colour, second: Colour) -> float:
    return hypot(*(a - b for a, b in zip(first, second, strict=True)))


def _mixes(lands: list[p.Ground], seats: tuple[str, ...], goods: tuple[str, ...]) -> list[Colour]:
    pairs: list[tuple[Colour, Colour, tuple[float, ...]]] = [
        (p.INK, p.PAPER, (0.25, 0.5, 0.75)),
        (p.MUTED, p.TERRAIN["plain"].fill, (0.3, 0.5, 0.7)),
        (p.INK, p.TERRAIN["plain"].fill, (0.5,)),
        (p.TERRAIN["plain"].fill, p.RIVER, (0.5,)),
        (p.TERRAIN["plain"].fill, p.GRID, (0.5,)),
    ]
    pairs += [(p.INK, p.GOODS[good].fill, (EDGE_SHARE,)) for good in goods]
    pairs += [(p.WHITE, p.GOODS[good].fill, (EDGE_SHARE,)) for good in goods]
    pairs += [(p.INK, p.PLAYERS[seat].core, (EDGE_SHARE,)) for seat in seats]
    pairs += [(p.WHITE, p.PLAYERS[seat].core, (EDGE_SHARE,)) for seat in seats]
    pairs += [(land.fill, land.mark, (0.5,)) for land in lands]
    return [mix(first, second, share) for first, second, shares in pairs for share in shares]


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
