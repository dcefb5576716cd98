"""Player marks and cubes as characters in coloured boxes, so that a letter needs no picture for them.

The colours and shapes are those of the board pictures: what is ▼ on pink in a table is ▼ on pink on the track.
"""

from functools import lru_cache

from markupsafe import Markup

PLAYERS = {
    "red": ("●", "#cb3644", "#ffffff"), "blue": ("■", "#2463cc", "#ffffff"), "green": ("▲", "#4fbb88", "#2a2926"),
    "yellow": ("◆", "#ffe04a", "#2a2926"), "purple": ("★", "#55117d", "#ffffff"), "black": ("✚", "#26262a", "#ffffff"),
    "brown": ("=", "#6a3009", "#ffffff"), "white": ("○", "#ffffff", "#2a2926"), "pink": ("▼", "#eba3cb", "#2a2926"),
    "gray": ("✕", "#7c7f84", "#ffffff"), "orange": ("◐", "#eb7f0a", "#2a2926"),
}  # fmt: skip
"""By seat: character, ground, ink."""

CUBES = {
    "red": ("R", "#c62f1b", "#ffffff"), "blue": ("B", "#0f53b7", "#ffffff"), "purple": ("P", "#ae82de", "#2a2926"),
    "yellow": ("Y", "#f2be14", "#2a2926"), "black": ("K", "#2a2a2e", "#ffffff"), "white": ("W", "#ffffff", "#2a2926"),
    "orange": ("O", "#ec8526", "#2a2926"), "gray": ("G", "#a3a8ae", "#2a2926"),
}  # fmt: skip
"""By colour: letter, ground, ink."""

_BOX = Markup('<span class="{kind}" style="background-color:{ground};color:{ink}" aria-hidden="true">{sign}</span>')


def mark(seat: str) -> Markup:
    return _box("mk", PLAYERS.get(seat))


def cube(colour: str) -> Markup:
    return _box("cb", CUBES.get(colour))


@lru_cache(maxsize=2 * (len(PLAYERS) + len(CUBES)))
def _box(kind: str, look: tuple[str, str, str] | None) -> Markup:
    if look is None:
        return Markup("")
    sign, ground, ink = look
    return _BOX.format(kind=kind, ground=ground, ink=ink, sign=sign)
