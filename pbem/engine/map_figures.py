"""Figures of a map for whoever has yet to play on it: what a game begins with and what tiles cost."""

from __future__ import annotations

from collections.abc import Mapping
from dataclasses import dataclass, field

from pbem.engine.text import Say


@dataclass(frozen=True, slots=True)
class MapFigures:
    """``begins``: heads with what a game begins with. ``prices``: what a first tile on a hex costs, by kind of land,
    one price for each of ``tiles``, which are the kinds of tiles."""

    begins: tuple[tuple[Say, Say], ...] = ()
    tiles: tuple[Say, ...] = ()
    prices: Mapping[str, tuple[Say, ...]] = field(default_factory=dict)
