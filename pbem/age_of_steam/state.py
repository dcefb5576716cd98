"""The state of a game of Age of Steam: immutable values, nothing derived, nothing printed on the board."""

from collections.abc import Mapping
from typing import Any, Self, TypeVar

from pbem.engine import Seat, Value, field, replace
from pbem.engine.chance import Chance
from pbem.rails.board import Label
from pbem.rails.track import Segment

D = TypeVar("D")
Boxes = tuple[str | None, ...]


class Player(Value):
    """What lies in front of a player. Money in dollars, ``engine`` in links.

    ``action`` is the disc on the actions display in the words of the notation. ``out`` is the turn in which
    the player was eliminated, 0 for players in the game.
    """

    cash: int
    income: int
    shares: int
    engine: int
    action: str | None = None
    out: int = 0


class State(Value):
    """Everything on the table.

    ``seats``: the players who started. ``order``: the turn order of those still in. ``track``: segments per
    hex. ``cubes``: per City (its label) or other hex. ``display``: columns ``L1``…``D6`` and ``A``…``H``, top
    box first, ``None`` = empty. ``bag``, ``gone``: cubes in the bag and out of the game. ``new_cities``: letter
    to hex. ``links``: special links by id with their owner, ``None`` for an eliminated one. ``accepts``:
    colours dealt to places. ``step`` counts the orders played. ``scratch`` is what the present phase keeps while it
    lasts, ``extra`` a map's own state.
    """

    seats: tuple[Seat, ...]
    options: Mapping[str, str]
    order: tuple[Seat, ...]
    players: Mapping[Seat, Player]
    turn: int = 1
    phase: str = ""
    step: int = 0
    over: bool = False
    track: Mapping[Label, tuple[Segment, ...]] = field(default_factory=dict)
    cubes: Mapping[Label, tuple[str, ...]] = field(default_factory=dict)
    display: Mapping[str, Boxes] = field(default_factory=dict)
    bag: Mapping[str, int] = field(default_factory=dict)
    gone: Mapping[str, int] = field(default_factory=dict)
    new_cities: Mapping[str, Label] = field(default_factory=dict)
    links: Mapping[str, Seat | None] = field(default_factory=dict)
    accepts: Mapping[Label, tuple[str, ...]] = field(default_factory=dict)
    scratch: Any = field(default=None, name="desk")
    extra: Any = None

    def scratch_as(self, kind: type[D]) -> D:
        if not isinstance(self.scratch, kind):
            raise TypeError(f"the scratch of {self.phase} is {type(self.scratch).__name__}, not {kind.__name__}")
        return self.scratch

    def extra_as(self, kind: type[D]) -> D:
        """The map's own state with its type."""
        if not isinstance(self.extra, kind):
            raise TypeError(f"this map keeps its {kind.__name__} in state.extra")
        return self.extra

    def with_player(self, seat: Seat, **changes: Any) -> Self:
        return replace(self, players={**self.players, seat: replace(self.players[seat], **changes)})

    def holder(self, action: str) -> Seat | None:
        """The player still in the game who holds the action this turn."""
        return next((seat for seat in self.order if self.players[seat].action == action), None)


def add_cubes(pile: Mapping[str, int], cubes: tuple[str, ...]) -> dict[str, int]:
    """A bag (colour to number) with cubes put in."""
    changed = dict(pile)
    for cube in cubes:
        changed[cube] = changed.get(cube, 0) + 1
    return changed


def take_cubes(pile: Mapping[str, int], cubes: tuple[str, ...]) -> dict[str, int]:
    """A bag with cubes taken out; the caller knows that they are there."""
    changed = dict(pile)
    for cube in cubes:
        changed[cube] -= 1
        if changed[cube] == 0:
            del changed[cube]
    return changed


def without_cube(cubes: tuple[str, ...], cube: str) -> tuple[str, ...]:
    """A place's cubes with one cube of a colour taken away."""
    at = cubes.index(cube)
    return cubes[:at] + cubes[at + 1 :]


def fill_display(state: State, boxes: Mapping[str, int], chance: Chance, *, rows: int = 3) -> State:
    """Fill ``rows`` boxes of every column row by row, those of Cities before those of New Cities (section 2)."""
    places = [
        (column, row)
        for city_columns in (True, False)
        for row in range(rows)
        for column, count in boxes.items()
        if (len(column) == 2) is city_columns and row < count
    ]
    cubes = chance.draw("deal", state.bag, len(places))
    filled = dict(zip(places, cubes, strict=False))
    display = {column: tuple(filled.get((column, row)) for row in range(count)) for column, count in boxes.items()}
    return replace(state, display=display, bag=take_cubes(state.bag, cubes))
