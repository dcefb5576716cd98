"""Every colour and stroke width of the pictures, by what it means. Widths are in hex radii.

Goods and players keep these colours in mails and pages too. A colour never carries a meaning alone: goods have
a letter, players a symbol and a rhythm, terrain a pattern.
"""

from functools import lru_cache
from typing import NamedTuple

Colour = tuple[int, int, int]


def rgb(code: str) -> Colour:
    """``#E9ECD9`` as three numbers."""
    return int(code[1:3], 16), int(code[3:5], 16), int(code[5:7], 16)


def code(colour: Colour) -> str:
    """``#e9ecd9``."""
    return "#{:02x}{:02x}{:02x}".format(*colour)


def mix(first: Colour, second: Colour, share: float) -> Colour:
    """``first`` with ``share`` (0 to 1) of ``second`` in it."""
    r, g, b = (round(x + (y - x) * share) for x, y in zip(first, second, strict=True))
    return r, g, b


class Ground(NamedTuple):
    """A kind of land: its area and the marks upon it."""

    fill: Colour
    mark: Colour


class Good(NamedTuple):
    """A colour of cubes and Cities; ``on`` is a letter upon it."""

    fill: Colour
    edge: Colour
    on: Colour
    letter: str


class Livery(NamedTuple):
    core: Colour
    on: Colour
    inlay: Colour
    rhythm: str
    symbol: str


PAPER = rgb("#F8F4EA")
CARD = rgb("#FFFDF7")
ROW = rgb("#EEE6D1")
RULE = rgb("#D8D0BD")
FRAME = rgb("#B8AD98")
INK = rgb("#2A2926")
MUTED = rgb("#625E4E")
LABEL_DARK = rgb("#4B4638")
PAST = rgb("#908878")
PAST_TEXT = rgb("#726D5C")
CHEVRON = rgb("#B5AE9C")
SLOT = rgb("#D2CBB9")
HALO = CARD
GLOW = rgb("#FFC226")
GLOW_EDGE = rgb("#8A5A00")
GLOW_SOFT = rgb("#FFDC80")
GRID = rgb("#C9CBB4")
RIM = rgb("#8E8B74")
SHORE = rgb("#7FA9BF")
RIVER = rgb("#8DBAD2")
RIVER_EDGE = rgb("#6C9FBA")
BARRIER = rgb("#7B2D26")
DIE_DARK = rgb("#2C2C30")
WHITE = rgb("#FFFFFF")
TRIAL = rgb("#6B2F8F")
TRIAL_DEEP = rgb("#55246F")
"""The colours of what is only tried, as on the pages of a trial."""

PAGE = (
    PAPER, CARD, ROW, RULE, FRAME, INK, MUTED, LABEL_DARK, PAST, PAST_TEXT, CHEVRON, SLOT, HALO, GLOW, GLOW_EDGE,
    GLOW_SOFT, GRID, RIM, SHORE, RIVER, RIVER_EDGE, DIE_DARK, WHITE,
)  # fmt: skip
"""The flat colours every picture can hold."""

TERRAIN = {
    kind: Ground(rgb(fill), rgb(mark))
    for kind, fill, mark in (
        ("plain", "#E9ECD9", "#D8DCC2"),
        ("river", "#E4ECDC", "#8DBAD2"),
        ("hill", "#E4DDB8", "#BDB27C"),
        ("mountain", "#DCCDB0", "#AE9772"),
        ("dark_mountain", "#C3AE8D", "#8E7650"),
        ("swamp", "#CEDDC6", "#88A680"),
        ("water", "#CCE0EA", "#A9C9D9"),
        ("difficult", "#DDC29B", "#BF9C6B"),
        ("very_difficult", "#A99A86", "#87765F"),
        ("impassable", "#8B857C", "#6C665E"),
        ("special", "#E3DDEA", "#A79BB8"),
        ("zone", "#E7DFEA", "#CDBFD4"),
        ("block", "#DAD4C6", "#BFB7A5"),
        ("terminal", "#E2E1D6", "#CDCBBB"),
    )
}
TERRAIN["city"] = TERRAIN["plain"]
LABELLED = ("plain", "river", "hill", "mountain", "dark_mountain", "swamp", "difficult", "very_difficult", "special")
"""Kinds of land whose hexes have labels."""
PALE, PALE_ON_DARK = 0.5, 0.62


@lru_cache(maxsize=len(LABELLED))
def pale(kind: str) -> Colour:
    """The colour of large labels on a kind of land: quiet, and dark enough to be read."""
    return mix(TERRAIN[kind].fill, INK, PALE_ON_DARK if kind == "very_difficult" else PALE)


GOODS = {
    name: Good(rgb(fill), rgb(edge), rgb(on), letter)
    for name, fill, edge, on, letter in (
        ("red", "#C62F1B", "#741408", "#FFFFFF", "R"),
        ("blue", "#0F53B7", "#072C66", "#FFFFFF", "B"),
        ("purple", "#AE82DE", "#5B3A86", "#2A2926", "P"),
        ("yellow", "#F2BE14", "#86660A", "#2A2926", "Y"),
        ("black", "#2A2A2E", "#0E0E10", "#FFFFFF", "K"),
        ("white", "#FFFFFF", "#55534B", "#2A2926", "W"),
        ("orange", "#EC8526", "#83470A", "#2A2926", "O"),
        ("gray", "#A3A8AE", "#52575D", "#2A2926", "G"),
    )
}
"""In the order in which cubes lie in a tray."""

PLAYERS = {
    seat: Livery(rgb(core), rgb(on), rgb(inlay), rhythm, symbol)
    for seat, core, on, inlay, rhythm, symbol in (
        ("red", "#CB3644", "#FFFFFF", "#FFFFFF", "plain", "disc"),
        ("blue", "#2463CC", "#FFFFFF", "#FFFFFF", "dash", "square"),
        ("green", "#4FBB88", "#2A2926", "#2A2926", "dot", "up"),
        ("yellow", "#FFE04A", "#2A2926", "#2A2926", "line", "diamond"),
        ("purple", "#55117D", "#FFFFFF", "#FFFFFF", "dashdot", "star"),
        ("black", "#26262A", "#FFFFFF", "#FFFFFF", "line", "plus"),
        ("brown", "#6A3009", "#FFFFFF", "#F6E3CC", "ties", "bars"),
        ("white", "#FFFFFF", "#2A2926", "#2A2926", "dash", "ring"),
        ("pink", "#EBA3CB", "#2A2926", "#2A2926", "cross", "down"),
        ("gray", "#7C7F84", "#FFFFFF", "#FFFFFF", "dashdot", "cross"),
        ("orange", "#EB7F0A", "#2A2926", "#2A2926", "ties", "half"),
    )
}

NOBODY = rgb("#F1EEE4")
NOBODY_CASING = rgb("#75716A")
PUBLIC = rgb("#5F6670")

TRACK_HALO, TRACK_CASING, TRACK_CORE, TRACK_INLAY = 0.335, 0.235, 0.16, 0.052
GLOW_WIDTH, GLOW_EDGE_WIDTH = 0.58, 0.64
GRID_WIDTH, SHORE_WIDTH, RIM_WIDTH = 0.022, 0.055, 0.03
RIVER_WIDTH, RIVER_EDGE_WIDTH = 0.135, 0.19
BARRIER_WIDTH, BARRIER_HALO = 0.125, 0.2
COIN = 0.42
TOWN_PLAIN = (0.215, 0.185, 0.12)
TOWN_TRACK = (0.24, 0.205, 0.13)
