"""Where everything that is placed by rule lies in one picture: what stands on the board, hex labels, town names."""

from __future__ import annotations

from functools import cached_property

from typing_extensions import override

from pbem.rails.board import Label
from pbem.rails.scene import Scene
from pbem.render.coins import Coin, coins
from pbem.render.geometry import Frame
from pbem.render.hex_labels import HexLabels, Layout, overlap, place_of
from pbem.render.large_labels import PlacedLabel
from pbem.render.names import Name
from pbem.render.pieces import Box, Pieces, PlacedCube
from pbem.render.town_names import TownNames

__all__ = ["Box", "Layout", "PlacedCube", "PlacedLabel", "Places", "overlap"]


class Places(Pieces):
    """One scene in one frame: names keep clear of labels, then labels of names."""

    def __init__(
        self, scene: Scene, frame: Frame, near: frozenset[Label] | None = None, before: Layout | None = None
    ) -> None:
        """``near``: the hexes that are in the picture, where it shows only part of the board; ``before``: how the
        labels of a whole one stood."""
        super().__init__(scene, frame, near)
        self._before = before

    @cached_property
    @override
    def coins(self) -> list[Coin]:
        """One coin per link and per unfinished section that somebody owns: where they lay, if nothing was built."""
        before, scene = self._before, self.scene
        if before is not None and (before.place, before.chains, before.on[0]) == (
            place_of(self),
            scene.chains,
            scene.track,
        ):
            return before.coins
        return coins(self.board, self.lattice, scene.track, scene.chains, self.at)

    @cached_property
    def _hex_labels(self) -> HexLabels:
        return HexLabels(self, self._before)

    @property
    def layout(self) -> Layout:
        """How the labels stand, for the next picture."""
        return self._hex_labels.layout

    @cached_property
    def names(self) -> list[tuple[Label, Name]]:
        """The names of towns, one after the other so that none covers another."""
        return TownNames(self, self._hex_labels.first).all()

    @cached_property
    def labels(self) -> list[PlacedLabel]:
        """The labels of all land hexes but Cities and impassable ones; none where the scene wants none."""
        return self._hex_labels.beside(self.names) if self.scene.hex_labels else []
