"""Where everything that is placed by rule lies in one picture: what stands on the board, hex labels, town names."""

from functools import cached_property

from pbem.rails.board import Label
from pbem.render.hex_labels import HexLabels
from pbem.render.large_labels import PlacedLabel
from pbem.render.names import Name
from pbem.render.pieces import Pieces
from pbem.render.town_names import TownNames


class Places(Pieces):
    """One scene in one frame: names keep clear of labels, then labels of names."""

    @cached_property
    def _hex_labels(self) -> HexLabels:
        return HexLabels(self)

    @cached_property
    def names(self) -> list[tuple[Label, Name]]:
        """The names of towns, one after the other so that none covers another."""
        return TownNames(self, self._hex_labels.first).all()

    @cached_property
    def labels(self) -> list[PlacedLabel]:
        """The labels of all land hexes but Cities and impassable ones; none where the scene wants none."""
        return self._hex_labels.beside(self.names) if self.scene.hex_labels else []
