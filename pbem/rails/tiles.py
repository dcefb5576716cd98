"""The 136 track tiles: which pictures exist, how many of each, and what a town needs.

A tile is known by the set of its segments. On ordinary hexes a segment is a pair of edges ``(a, b)`` with
``a < b``; in a town hex every segment runs from the town to an edge, so a town tile is known by its exits.
"""

from collections.abc import Iterable, Mapping

from pbem.rails.hexes import TOWN

Ends = tuple[int, int]

TILES: dict[str, tuple[int, tuple[Ends, ...]]] = {
    "straight": (48, ((0, 3),)),
    "gentle": (55, ((0, 2),)),
    "acute": (7, ((0, 1),)),
    "cross_straight_straight": (4, ((0, 3), (1, 4))),
    "cross_gentle_straight": (4, ((0, 3), (2, 4))),
    "cross_gentle_gentle": (3, ((0, 2), (1, 3))),
    "coexist_gentle_gentle": (1, ((0, 2), (3, 5))),
    "coexist_straight_acute": (1, ((0, 3), (1, 2))),
    "coexist_gentle_acute_1": (1, ((0, 2), (4, 5))),
    "coexist_gentle_acute_2": (1, ((0, 2), (3, 4))),
}
TOWN_TILES: dict[str, tuple[int, tuple[int, ...]]] = {
    "town_1": (3, (0,)),
    "town_3_same_half": (2, (0, 1, 5)),
    "town_3_left": (2, (0, 3, 5)),
    "town_3_right": (2, (0, 1, 3)),
    "town_3_star": (2, (0, 2, 4)),
}
# towns made of an ordinary tile and a disc: exits, and the tiles any of which will do (R2)
DISC_TOWNS: dict[str, tuple[tuple[int, ...], tuple[str, ...]]] = {
    "town_2_straight": ((0, 3), ("straight",)),
    "town_2_gentle": ((0, 2), ("gentle",)),
    "town_2_acute": ((0, 1), ("acute",)),
    "town_4_x": ((0, 1, 3, 4), ("cross_straight_straight", "coexist_gentle_gentle")),
    "town_4_chicken_foot": (
        (0, 2, 3, 4),
        ("cross_gentle_straight", "coexist_gentle_acute_1", "coexist_gentle_acute_2"),
    ),
    "town_4_k": ((0, 1, 2, 3), ("cross_gentle_gentle", "coexist_straight_acute")),
}
SUPPLY: Mapping[str, int] = {
    **{name: count for name, (count, _) in TILES.items()},
    **{name: count for name, (count, _) in TOWN_TILES.items()},
}
"""Copies of each tile in the box: 136."""
TOWN_DISCS = 8


def ends(a: int, b: int) -> Ends:
    """The two ends of a segment in their canonical order."""
    return (a, b) if a < b else (b, a)


def _turned(segments: Iterable[Ends], by: int) -> frozenset[Ends]:
    return frozenset(ends((a + by) % 6, (b + by) % 6) for a, b in segments)


TILE_OF: Mapping[frozenset[Ends], str] = {
    _turned(segments, by): name for name, (_, segments) in TILES.items() for by in range(6)
}
"""The tile that shows exactly these segments; a set that is missing here exists on no tile."""

TOWN_TILE_OF: Mapping[frozenset[int], str] = {
    frozenset((exit_ + by) % 6 for exit_ in exits): name
    for name, (_, exits) in (TOWN_TILES | {name: (0, exits) for name, (exits, _) in DISC_TOWNS.items()}).items()
    for by in range(6)
}
"""The kind of town with exactly these exits; five and six exits exist on no tile."""

PICTURES: tuple[frozenset[Ends], ...] = tuple(sorted(TILE_OF, key=lambda p: (len(p), sorted(p))))
"""All pictures of ordinary tiles in all orientations: 15 simple ones and 36 with two segments."""


def tile_showing(segments: frozenset[Ends]) -> str:
    """The tile, or kind of town, that shows exactly these segments; empty where none does."""
    if any(start == TOWN for start, _ in segments):
        return TOWN_TILE_OF.get(frozenset(edge for _, edge in segments), "")
    return TILE_OF.get(segments, "")


def tile_class(name: str) -> str:
    """``simple``, ``coexist``, ``cross`` or ``town``: what prices ask for."""
    return name.split("_")[0] if "_" in name else "simple"


def lacking(used: Mapping[str, int], supply: Mapping[str, int]) -> str | None:
    """The kind of tile of which more lie on the board than the supply has, if any; towns by their kind (R1, R2)."""
    for name, count in used.items():
        if count > supply.get(name, count):
            return name
    for kind, (_, any_of) in DISC_TOWNS.items():
        towns = used.get(kind, 0)
        if towns and towns + sum(used.get(t, 0) for t in any_of) > sum(supply.get(t, 0) for t in any_of):
            return kind
    return None


def discs(used: Mapping[str, int]) -> int:
    """Town discs in use (R3)."""
    return sum(used.get(kind, 0) for kind in DISC_TOWNS)
