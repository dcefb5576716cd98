"""Tiles and land in words, for the pages on which track is built."""

from __future__ import annotations

from collections.abc import Mapping

from pbem.engine.text import Say, say
from pbem.rails.board import Board
from pbem.rails.hexes import TOWN
from pbem.rails.tiles import Ends

SHAPES: Mapping[str, Say] = {
    "straight": say("straight"),
    "gentle": say("gentle curve"),
    "acute": say("sharp curve"),
    "cross_straight_straight": say("crossing of two straights"),
    "cross_gentle_straight": say("crossing of a straight and a gentle curve"),
    "cross_gentle_gentle": say("crossing of two gentle curves"),
    "coexist_gentle_gentle": say("two gentle curves side by side"),
    "coexist_straight_acute": say("straight and sharp curve side by side"),
    "coexist_gentle_acute_1": say("gentle and sharp curve side by side"),
    "coexist_gentle_acute_2": say("gentle and sharp curve side by side"),
}
"""What a tile shows, by its name."""
TERRAIN: Mapping[str, Say] = {
    "plain": say("plain"),
    "river": say("river"),
    "mountain": say("mountain"),
    "hill": say("hill"),
    "swamp": say("swamp"),
    "dark_mountain": say("high mountain"),
    "difficult": say("difficult"),
    "very_difficult": say("very difficult"),
}
"""Land by its kind."""


def ends_said(board: Board, ends: Ends) -> str:
    """A segment as orders write it: ``SW-NE``, ``@-N``."""
    return "-".join("@" if end == TOWN else board.directions[end] for end in ends)
