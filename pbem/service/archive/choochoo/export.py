"""The file that a server of choochoo.games writes of a finished game, as it is read."""

from typing import Annotated, Any

import msgspec

from pbem.engine import Value, field
from pbem.engine.record import BadRecord

MAPS = {
    "barbados": "barbados",
    "detroit-bankruptcy": "detroit",
    "germany": "germany",
    "heavy-cardboard": "heavy_cardboard",
    "new-england": "new_england",
    "pittsburgh": "pittsburgh",
    "poland": "poland",
    "rust-belt": "rust_belt",
    "southern-us": "southern_us",
    "st-lucia": "st_lucia",
}
"""The maps that both have, by their key there."""
SEATS = ("", "red", "yellow", "green", "purple", "black", "blue", "brown", "white", "pink", "orange", "gray")
CUBES = ("blue", "black", "red", "purple", "yellow", "white")
"""Colours of players, counted from 1, and of cubes, counted from 0."""
Place = Annotated[int, msgspec.Meta(ge=-1000, le=1000)]
MOST_ACTIONS, MOST_HEXES, MOST_CUBES = 20_000, 2_000, 1_000


class Coordinates(Value):
    q: Place
    r: Place


class Action(Value, rename="camel"):
    """What a player did. ``data``: as the player's page sent it; ``seed``: of the random numbers that it needed."""

    version: int
    action_name: str
    action_data: Any = None
    seed: str | None = None


class Export(Value, rename="camel"):
    """A game: the position after its deal, as JSON in a text, and what was done from then on."""

    id: int
    game_key: str
    actions: Annotated[tuple[Action, ...], msgspec.Meta(min_length=1, max_length=MOST_ACTIONS)]
    variant: dict[str, Any] = field(default_factory=dict)
    start_state: str | None = None


class OnRoll(Value, rename="camel"):
    """A column of the display: of the light half (group 1) or the dark one (2), with its number."""

    group: int
    on_roll: int
    goods: tuple[int | None, ...]

    @property
    def column(self) -> str:
        return f"{'?LD'[self.group] if 0 < self.group < 3 else '?'}{self.on_roll}"


class Space(Value, rename="camel"):
    """A hex; ``type`` is 1 for a City, which takes cubes of its ``color``."""

    type: int
    color: int | tuple[int, ...] = ()
    town_name: str | None = None
    goods: tuple[int, ...] = ()
    on_roll: tuple[OnRoll, ...] = ()


class AvailableCity(Value, rename="camel"):
    on_roll: tuple[OnRoll, ...]


class PlayerData(Value, rename="camel"):
    player_id: int
    color: int
    income: int
    shares: int
    money: int
    locomotive: int


class GameData(Value, rename="camel"):
    grid: Annotated[tuple[tuple[Coordinates, Space], ...], msgspec.Meta(min_length=1, max_length=MOST_HEXES)]
    bag: Annotated[tuple[int, ...], msgspec.Meta(max_length=MOST_CUBES)]
    players: tuple[PlayerData, ...]
    turn_order: tuple[int, ...]
    available_cities: tuple[AvailableCity, ...]


class StartState(Value, rename="camel"):
    game_data: GameData


class Differs(ValueError):
    """What was done there had another effect than it has here."""


def seat(color: int | None) -> str:
    """A player by the number of the colour. Raises ``ValueError`` for a colour that there is not."""
    if color is None or not 0 < color < len(SEATS):
        raise ValueError(f"There is no colour {color} of players.")
    return SEATS[color]


def cube(good: int) -> str:
    """A cube by the number of its colour. Raises ``ValueError`` for a colour that there is not."""
    if not 0 <= good < len(CUBES):
        raise ValueError(f"There is no colour {good} of cubes.")
    return CUBES[good]


def is_export(raw: object) -> bool:
    """Whether it is what such a server answers, or the game in it."""
    game = raw.get("game", raw) if isinstance(raw, dict) else None
    return isinstance(game, dict) and "gameKey" in game and "actions" in game


def read(raw: dict[str, Any]) -> tuple[Export, GameData]:
    """Raises :class:`BadRecord` for a game that is not on one of our maps, and for a file without its deal."""
    game = raw.get("game", raw)
    try:
        export = msgspec.convert(game, Export)
        if export.game_key not in MAPS:
            known = ", ".join(sorted(MAPS))
            raise BadRecord(
                f"The game is on the map “{str(export.game_key)[:40]}” of choochoo.games, which is not one of "
                f"those that both have: {known}."
            )
        if options := sorted(key for key, value in export.variant.items() if value and key != "gameKey"):
            raise BadRecord(f"The game has a variant that is not understood: {', '.join(options)[:200]}.")
        if export.start_state is None:
            raise BadRecord(
                "The file has no startState, which is the position after the deal: only what a server exports has it."
            )
        return export, msgspec.json.decode(export.start_state, type=StartState).game_data
    except (msgspec.ValidationError, msgspec.DecodeError) as error:
        raise BadRecord(f"The export of choochoo.games cannot be used: {error}.") from error
