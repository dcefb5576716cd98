"""Hexes, directions, tiles and columns of choochoo.games in our words."""

from collections.abc import Iterable

from pbem.rails.board import Board, Label
from pbem.rails.hexes import letters
from pbem.service.archive.choochoo.export import Coordinates, GameData

CITY = 1
"""The type of a hex with a City."""
ROUND = 6
DIRECTIONS = {
    "upright": ("NW", "N", "NE", "SE", "S", "SW"),
    "clockwise": ("NE", "E", "SE", "SW", "W", "NW"),
    "counter-clockwise": ("SW", "W", "NW", "NE", "E", "SE"),
}
"""Directions 1 to 6 by how the board is turned before it is shown."""
TILES: dict[int, tuple[tuple[int, int], ...]] = {
    1: ((2, 5),),
    2: ((2, 6),),
    3: ((2, 1),),
    11: ((1, 4), (6, 3)),
    12: ((6, 4), (5, 2)),
    13: ((1, 5), (6, 2)),
    14: ((2, 5), (6, 1)),
    15: ((1, 5), (2, 4)),
    16: ((2, 4), (1, 6)),
    17: ((2, 4), (6, 5)),
}
"""Tiles with the ends of their track when they lie with direction 2 (north) up."""
TOWNS: dict[int, tuple[int, ...]] = {
    101: (2,),
    102: (2, 5),
    103: (2, 6),
    104: (2, 1),
    105: (2, 6, 4),
    106: (2, 5, 1),
    107: (2, 5, 3),
    108: (2, 1, 3),
    109: (2, 5, 3, 6),
    110: (2, 5, 4, 6),
    111: (2, 3, 4, 5),
}
"""The same for towns: their exits."""


class Places:
    """How the hexes of a file lie on a board of ours; ``nodes``: the Cities and towns that are printed on it.

    Raises ``ValueError`` where they do not lie alike.
    """

    def __init__(self, board: Board, data: GameData) -> None:
        self._board = board
        self.nodes = {*board.city_at, *board.towns}
        there = [at for at, space in data.grid if space.type == CITY or space.town_name]
        rows = [2 * at.r + at.q for at, _ in data.grid]
        columns = [at.q for at, _ in data.grid]
        upright = board.orientation == "flat-top"
        for turned in ("upright",) if upright else ("clockwise", "counter-clockwise"):
            labels = _labels(turned, (at for at, _ in data.grid), rows, columns)
            if {labels[at] for at in there} == self.nodes:
                self._labels, self._directions = labels, DIRECTIONS[turned]
                return
        raise ValueError(f"The Cities and towns of the file do not lie as on {board.name} here.")

    def label(self, at: Coordinates) -> Label:
        """The label of a hex; of a City with several, the first. Raises ``KeyError`` beside the board."""
        label = self._labels[at]
        return self._board.city_at.get(label, label)

    def segments(self, tile: int, orientation: int) -> list[tuple[str, str]]:
        """The track of a plain tile. Raises ``KeyError`` for a tile that is not known."""
        return [(self._end(a, orientation), self._end(b, orientation)) for a, b in TILES[tile]]

    def exits(self, tile: int, orientation: int) -> list[str]:
        return [self._end(end, orientation) for end in TOWNS[tile]]

    def _end(self, end: int, orientation: int) -> str:
        return self._directions[(end - 1 + orientation - 2) % ROUND]

    def letter(self, column: str) -> str:
        """The New City that a column feeds. Raises ``ValueError`` where there is none."""
        for letter, city in self._board.new_cities.items():
            if column in city.columns:
                return letter
        raise ValueError(f"There is no New City with the column {column}.")


def _labels(
    turned: str, spaces: Iterable[Coordinates], rows: list[int], columns: list[int]
) -> dict[Coordinates, Label]:
    found = {}
    for at in spaces:
        row, column = 2 * at.r + at.q - min(rows), at.q - min(columns)
        if turned == "clockwise":
            row = max(rows) - min(rows) - row
        if turned == "counter-clockwise":
            column = max(columns) - min(columns) - column
        found[at] = f"{letters(row)}{column}"
    return found
