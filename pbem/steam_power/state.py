"""The state of a game of Steam Power: immutable values, nothing derived, nothing printed on the board."""

from collections.abc import Mapping
from typing import Any, Final, Self, TypeVar

from pbem.engine import Seat, Value, field, replace
from pbem.rails.board import Label
from pbem.rails.track import Segment

D = TypeVar("D")

COLOURS: Final = ("black", "white", "orange", "gray")
"""Colours of cubes and of factory Cities."""
VICTORY: Final = "purple"


class CityTile(Value):
    """The tile on a City hex: its colour, the owner of the factory on it, the cubes beside that."""

    colour: str
    factory: Seat | None = None
    cubes: int = 0

    @property
    def flipped(self) -> bool:
        """Used up: there was a factory and its last cube is gone."""
        return self.factory is not None and self.cubes == 0


class Player(Value):
    """What lies in front of a player; money in dollars. ``hand`` is secret, ``done`` are fulfilled contracts."""

    cash: int
    hand: tuple[int, ...]
    done: tuple[int, ...] = ()


class State(Value):
    """Everything on the table.

    ``seats``: the players, the first player first. ``companies``: the owners of track and factories; played by
    several people, the same as ``seats``. ``cities``: the tile on every City hex. ``left_over``: colours of the City
    tiles that are not on the board. ``bag``: contracts that can be drawn, secret like the hands. ``turn`` counts
    rounds, ``step`` orders. ``seat`` has ``left`` actions to take, for ``company``. ``counters``: contracts laid
    aside, ``trains``: companies still to be drawn, ``known``: from which order on the drawn train is known (solo).
    ``scratch`` is what the present phase keeps while it lasts.
    """

    seats: tuple[Seat, ...]
    companies: tuple[Seat, ...]
    options: Mapping[str, str]
    players: Mapping[Seat, Player]
    cities: Mapping[Label, CityTile]
    left_over: tuple[str, ...]
    bag: tuple[int, ...]
    seat: Seat
    company: Seat
    left: int = 0
    turn: int = 1
    phase: str = "actions"
    step: int = 0
    over: bool = False
    track: Mapping[Label, tuple[Segment, ...]] = field(default_factory=dict)
    counters: tuple[int, ...] = ()
    trains: tuple[Seat, ...] = ()
    known: int = 0
    scratch: Any = field(default=None, name="desk")

    def scratch_as(self, kind: type[D]) -> D:
        if not isinstance(self.scratch, kind):
            raise TypeError(f"the scratch of {self.phase} is {type(self.scratch).__name__}, not {kind.__name__}")
        return self.scratch

    def with_player(self, seat: Seat, **changes: Any) -> Self:
        return replace(self, players={**self.players, seat: replace(self.players[seat], **changes)})

    def with_cash(self, seat: Seat, change: int) -> Self:
        return self.with_player(seat, cash=self.players[seat].cash + change)

    def with_city(self, label: Label, tile: CityTile) -> Self:
        return replace(self, cities={**self.cities, label: tile})

    @property
    def cash(self) -> int:
        return self.players[self.seat].cash

    def stock(self, colour: str) -> int:
        """Cubes of a colour that are not on the board; there are 30 of each."""
        return CUBES - sum(tile.cubes for tile in self.cities.values() if tile.colour == colour)

    def factories(self, company: Seat) -> int:
        return sum(1 for tile in self.cities.values() if tile.factory == company)


CUBES: Final = 30
