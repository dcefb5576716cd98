"""The key: a sign and a word for every kind of thing this map has, and no other."""

from collections.abc import Callable, Iterator
from functools import lru_cache, partial
from typing import NamedTuple

from PIL import Image

from pbem.engine import Say, say
from pbem.language import ENGLISH, current
from pbem.language.voice import READER, spoken
from pbem.rails.board import Board
from pbem.rails.scene import NO_MARKS, Scene
from pbem.render import palette as p
from pbem.render.canvas import Canvas, Part
from pbem.render.geometry import Lattice
from pbem.render.land import draw_pattern, price_tag
from pbem.render.links import bar_sign
from pbem.render.signs import coin, cube, draw_disc, draw_hexagon, draw_pill, pill_width
from pbem.render.sketch import Sketch, write
from pbem.render.track import PUBLIC_OWNER, SPECIAL, bumper, is_printed, is_shut, sample, special_hexes
from pbem.render.type import width

LINE = 40
SIZE = 18.0
GAP, BETWEEN, TIGHT = 8, 20, 11
"""Px between a sign and its word, between entries, and between them where that keeps them on one line."""

KINDS = (
    # TRANSLATORS: A kind of land in the key of a map.
    ("plain", say("plain")),
    ("river", say("river")),
    ("hill", say("hill")),
    ("swamp", say("swamp")),
    ("mountain", say("mountain")),
    ("dark_mountain", say("high mountain")),
    ("difficult", say("difficult")),
    ("very_difficult", say("very difficult")),
    # TRANSLATORS: A kind of hex: no track can be laid there before a later turn.
    ("special", say("opens later")),
    ("impassable", say("impassable")),
    # TRANSLATORS: A part of Russia or Sweden on the map of Finland.
    ("zone", say("zone")),
    ("water", say("water")),
)
CLOSED = frozenset({"water", "impassable"})
# TRANSLATORS: In the key, after a kind of land: no track can be laid there.
NO_TRACK = say("no track")
TITLE, SIGN_ROOM = 50, 50
"""In a column: the height of the title, the width kept for a sign."""


Line = tuple[bool, Callable[[], Part], Say]
"""Whether a map has something, its sign, and the word for it."""


class Entry(NamedTuple):
    sign: Part
    text: str

    @property
    def wide(self) -> float:
        return self.sign.width + GAP + width(self.text, "regular", SIZE)


def land_word(kind: str) -> Say | None:
    """What a kind of land is called; ``None`` for a City."""
    return dict(KINDS).get(kind)


def entries(scene: Scene) -> list[Entry]:
    return [*_land(scene), *_signs(scene), *_colours(scene)]


def player_entries(scene: Scene) -> list[Entry]:
    return [Entry(coin(row.seat, 26), row.name) for row in scene.players]


@lru_cache(maxsize=32)
def _there(board: Board) -> frozenset[str]:
    """The kinds of land on a board, and ``$`` where the price of a hex is printed."""
    hexes = board.hexes.values()
    return frozenset([hex_.terrain for hex_ in hexes] + ["$" for hex_ in hexes if hex_.price is not None])


def _land(scene: Scene) -> Iterator[Entry]:
    for kind, word in KINDS:
        if kind in _there(scene.board):
            price = scene.prices.get(kind) or (spoken(NO_TRACK) if kind in CLOSED else "")
            if kind == SPECIAL and not any(is_shut(scene, label) for label in special_hexes(scene.board)):
                word = say("no tiles")
            yield Entry(_hex(scene.board.orientation, kind), f"{spoken(word)} {price}".rstrip())


def _signs(scene: Scene) -> Iterator[Entry]:
    return (
        Entry(sign(), spoken(text))
        for there, sign, text in (*_signs_of_places(scene), *_signs_of_track(scene))
        if there
    )


def _signs_of_places(scene: Scene) -> tuple[Line, ...]:
    kinds = {city.kind for city in scene.cities}
    lying = [colour for cubes in scene.cubes.values() for colour in cubes]
    word = say("cube on a town") if set(scene.cubes) <= set(scene.towns) else say("cube on land")
    return (
        (bool(scene.board.rivers), _stream, say("river, no terrain")),
        ("$" in _there(scene.board), partial(price_tag, "$6", 17.0), say("price of a hex")),
        (bool(scene.board.towns), _town, say("town")),
        (bool(scene.board.new_cities), _new_city, say("New City")),
        (
            any(len(city.colours) > 2 and city.kind == "city" for city in scene.cities),
            partial(_words, "RBY"),
            say("takes these colours"),
        ),
        *_industry(scene),
        ("block" in kinds, partial(_plate, "block"), say("City without colour")),
        ("zone" in kinds, partial(_plate, "zone"), say("zone")),
        ("terminal" in kinds, _terminal, say("terminal, accepts this colour")),
        (bool(lying), partial(cube, 24, *lying[:1]), word),
    )


def _signs_of_track(scene: Scene) -> tuple[Line, ...]:
    nobody = [chain for chain in scene.chains if chain.owner is None]
    printed = [chain for chain in nobody if is_printed(scene.board, chain)]
    return (
        # TRANSLATORS: In the key: track that leads nowhere yet.
        (any(c.open and not is_printed(scene.board, c) for c in scene.chains), _unfinished, say("unfinished")),
        # TRANSLATORS: In the key: track without an owner.
        (len(nobody) > len(printed), partial(sample, None, 44, 52), say("nobody’s")),
        (bool(printed), partial(sample, PUBLIC_OWNER, 44, 52), say("printed track")),
        (bool(scene.board.walls), _wall, say("impassable side")),
        (any(not link.public for link in scene.links), _special, _links_word(scene)),
        (any(link.public for link in scene.links), partial(sample, PUBLIC_OWNER, 44, 52), say("public link")),
        # TRANSLATORS: In the key: what the last order changed.
        (scene.marks != NO_MARKS, _amber, say("changed")),
    )


def _colours(scene: Scene) -> Iterator[Entry]:
    """The signs of the colours are letters of the English words: whoever reads another language is told what of."""
    if current() is ENGLISH:
        return
    used = {colour for city in scene.cities for colour in (*city.colours, *(city.cubes or ()))}
    used |= {colour for row in (*scene.light, *scene.dark) for colour in (*row.boxes, *row.new_boxes) if colour}
    for colour in sorted(used & set(p.GOODS), key=list(p.GOODS).index):
        yield Entry(cube(24, colour), READER.word(colour))


def _industry(scene: Scene) -> Iterator[Line]:
    """What Cities with factories need: coins, pills, bars between Cities."""
    if not scene.stock:
        return
    seat = scene.players[0].seat
    yield True, partial(coin, seat, 26), say("factory, train")
    for used_up, word in ((False, say("victory City")), (True, say("used-up factory"))):
        pill = next((city.pill for city in scene.cities if city.pill and city.used_up == used_up), "")
        yield bool(pill), partial(_words, pill), word
    yield bool(scene.bars), bar_sign, say("adjacent Cities")


@lru_cache(maxsize=8)
def _words(text: str) -> Part:
    wide = round(pill_width(22, text)) + 2
    canvas = _canvas(wide + wide % 2)
    draw_pill(canvas, (0, 0), 22, text)
    return canvas.part()


def _links_word(scene: Scene) -> Say:
    """What the links that can be bought are: ferries cross a hex of water, direct links a side."""
    ferries = {link.hex is not None for link in scene.links if not link.public}
    if len(ferries) > 1:
        return say("ferry, direct link")
    return say("ferry") if True in ferries else say("direct link")


def rows(listed: list[Entry], room: float) -> list[list[Entry]]:
    """The entries on lines of at most ``room`` px."""
    if sum(entry.wide for entry in listed) + TIGHT * (len(listed) - 1) <= room:
        return [listed]
    lines = _filled(listed, room)
    # no word alone on the last line: the same number of lines, as short as they can be
    while len(_filled(listed, room - 20)) == len(lines):
        room -= 20
    return _filled(listed, room)


def _filled(listed: list[Entry], room: float) -> list[list[Entry]]:
    """As many entries on each line as it takes."""
    found: list[list[Entry]] = [[]]
    used = 0.0
    for entry in listed:
        if found[-1] and used + entry.wide > room:
            found.append([])
            used = 0.0
        found[-1].append(entry)
        used += entry.wide + BETWEEN
    return found


def draw_key(page: Sketch, listed: list[list[Entry]], x: int, y: int, room: int) -> None:
    """Lines of entries, the middle of the first line at ``y``, at most ``room`` px wide."""
    for number, line in enumerate(listed):
        left = float(x)
        spare = room - sum(entry.wide for entry in line)
        between = max(TIGHT, min(BETWEEN, spare / max(1, len(line) - 1)))
        for entry in line:
            middle = y + number * LINE
            page.lay(entry.sign, round(left + entry.sign.width / 2), middle)
            left += entry.sign.width + GAP
            left += write(page, (left, middle), entry.text, "regular", SIZE, p.INK, align="left") + between


def key_height(listed: list[Entry], wide: int) -> int:
    """The height of the key in a column ``wide`` px wide, in px."""
    return TITLE + LINE * len(_in_column(listed, wide))


def draw_key_column(page: Sketch, listed: list[Entry], x: int, top: int, wide: int) -> None:
    """The key as a panel, its left upper corner at (x, top)."""
    write(page, (x, top + 16), spoken(say("Key")), "semibold", 22, p.INK, align="left")
    page.rectangle((x, top + 38, x + wide - 1, top + 39), p.RULE)
    for number, line in enumerate(_in_column(listed, wide)):
        middle = top + TITLE + number * LINE + LINE // 2
        for place, entry in enumerate(line):
            left = x + place * wide // 2
            page.lay(entry.sign, left + SIGN_ROOM // 2, middle)
            write(page, (left + SIGN_ROOM + GAP, middle), entry.text, "regular", SIZE, p.INK, align="left")


def _in_column(listed: list[Entry], wide: int) -> list[list[Entry]]:
    """Lines of two entries, of one where a word is too long for half the width."""
    room = wide // 2 - SIGN_ROOM - 2 * GAP
    lines: list[list[Entry]] = []
    for entry in listed:
        fits = width(entry.text, "regular", SIZE) <= room
        if fits and lines and len(lines[-1]) == 1 and width(lines[-1][0].text, "regular", SIZE) <= room:
            lines[-1].append(entry)
        else:
            lines.append([entry])
    return lines


@lru_cache(maxsize=32)
def _hex(orientation: str, kind: str) -> Part:
    lattice = Lattice.of_radius(orientation, 19)
    width_, height = lattice.half
    canvas = Canvas(2 * width_, 2 * height, scale=4)
    ground = p.TERRAIN[kind]
    canvas.polygon(lattice.corners(), p.RIM)
    canvas.polygon(lattice.corners(0.945), ground.fill)
    if kind == "river":
        points = [(-15.5 + i, 4.0 * (1 if (i // 8) % 2 else -1) * _bump(i % 8)) for i in range(32)]
        canvas.stroke(points, 4.6, p.RIVER_EDGE)
        canvas.stroke(points, 3.2, p.RIVER)
    elif kind not in ("plain", "block", "city"):
        draw_pattern(canvas, lattice, (0, 0), kind)
    return canvas.part()


def _bump(step: int) -> float:
    return step * (8 - step) / 16


def _canvas(wide: int, high: int = 30) -> Canvas:
    return Canvas(wide, high, scale=4)


@lru_cache(maxsize=1)
def _stream() -> Part:
    canvas = _canvas(40)
    points = [(-16.0 + i, 4.0 * (1 if (i // 8) % 2 else -1) * _bump(i % 8)) for i in range(33)]
    canvas.stroke(points, 6, p.RIVER_EDGE)
    canvas.stroke(points, 4.2, p.RIVER)
    return canvas.part()


@lru_cache(maxsize=2)
def _plate(kind: str) -> Part:
    lattice = Lattice.of_radius("flat-top", 19)
    width_, height = lattice.half
    canvas = Canvas(2 * width_, 2 * height, scale=4)
    canvas.polygon(lattice.corners(), p.INK)
    canvas.polygon(lattice.corners(0.9), p.TERRAIN[kind].fill)
    draw_pattern(canvas, Lattice.of_radius("flat-top", 17), (0, 0), kind)
    return canvas.part()


@lru_cache(maxsize=1)
def _town() -> Part:
    canvas = _canvas(24)
    for radius, colour in ((9.0, p.INK), (5.8, p.WHITE)):
        canvas.disc((0, 0), radius, colour)
    return canvas.part()


@lru_cache(maxsize=1)
def _new_city() -> Part:
    canvas = _canvas(40, 36)
    draw_hexagon(canvas, (0, 0), 32, "A", p.WHITE, p.INK, p.INK)
    return canvas.part()


@lru_cache(maxsize=1)
def _terminal() -> Part:
    canvas = _canvas(32, 32)
    draw_disc(canvas, (0, 0), 28, "yellow")
    return canvas.part()


@lru_cache(maxsize=1)
def _unfinished() -> Part:
    image = Image.new("RGBA", (48, 30))
    way, end = sample("blue", 40, 52), bumper(Lattice.of("flat-top", 72, 42), 0)
    for piece, x in ((way.whole(), 22), (end.whole().rotate(90), 42)):
        image.paste(piece, (x - piece.width // 2, 15 - piece.height // 2), piece)
    drawn = [one.placed(lambda x, y: (x - 2, y)) for one in way.drawn]
    return Part(image.size, lambda: image, (*drawn, *(one.placed(lambda x, y: (y + 18, -x)) for one in end.drawn)))


@lru_cache(maxsize=1)
def _wall() -> Part:
    canvas = _canvas(40)
    canvas.stroke([(-15, 0), (15, 0)], 8, p.BARRIER, round_ends=True)
    for x in (-12, -4, 4, 12):
        canvas.disc((x, 0), 1.6, p.PAPER)
    return canvas.part()


@lru_cache(maxsize=1)
def _special() -> Part:
    canvas = _canvas(50)
    for x in range(-20, 21, 10):
        canvas.box((x - 4, -5.5, x + 4, 5.5), 1, p.INK)
        canvas.box((x - 2.4, -3.9, x + 2.4, 3.9), 0.5, p.CARD)
    return canvas.part()


@lru_cache(maxsize=1)
def _amber() -> Part:
    canvas = _canvas(48)
    canvas.box((-23, -14, 23, 14), 8, p.GLOW_EDGE)
    canvas.box((-21.6, -12.6, 21.6, 12.6), 7, p.GLOW)
    return canvas.part()
