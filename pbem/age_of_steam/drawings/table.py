"""The table ``[rules]`` of a ``board.toml`` as a value; what is missing is the base rule."""

from collections.abc import Iterator, Mapping
from difflib import get_close_matches
from typing import Any, Final

from pbem.age_of_steam.drawings.table_kinds import (
    Each,
    Flag,
    HexLabel,
    Kind,
    ListOf,
    Named,
    NotThis,
    OneOf,
    Range,
    Turns,
    Whole,
)
from pbem.age_of_steam.rules import Rules
from pbem.engine import Value, field, say
from pbem.engine.faults import Fault
from pbem.rails.board import Label
from pbem.rails.entries import COLOURS

NO_LIMIT: Final = 40
"""More shares than anybody may have."""
LANDS: Final = ("plain", "river", "hill", "mountain", "dark_mountain", "swamp")
"""The kinds of land whose price a table may change."""


class Goods(Value):
    """What is special about cubes of a colour: more income for the mover; whether they leave the game."""

    income: int = 0
    leaves: bool = False


class ExtraCube(Value):
    """A cube that a City receives in goods growth, from turn ``first`` to turn ``last``; of any colour for ``""``."""

    hex: Label
    when: str = "before dice"
    turns: tuple[int, int] | None = None
    colour: str = ""

    def due(self, turn: int, when: str) -> bool:
        return self.when == when and (self.turns is None or self.turns[0] <= turn <= self.turns[1])


class Table(Value):
    """The rules of one map. Money in dollars, engines in links; ``turns``: ``None`` for no last turn."""

    players: tuple[int, int] = (3, 6)
    turns: Mapping[int, int | None] = field(default_factory=lambda: Rules.game_turns)
    cash: int = Rules.start_cash
    shares: int = Rules.start_shares
    engine: int = Rules.start_engine
    share_cap: int = Rules.share_cap
    shares_a_turn: int = NO_LIMIT
    actions: tuple[str, ...] = Rules.actions
    order: str = "auction"
    first_player: tuple[str, ...] = ()
    tiles: int = Rules.tiles
    rounds: int = Rules.rounds
    engine_cap: int = Rules.engine_cap
    engineer_tiles: int = Rules.engineer_tiles
    discount: str = "none"
    complete_links: bool = False
    own_links: str = "any"
    links_of_others: int = 0
    prices: Mapping[str, int] = field(default_factory=dict)
    display_rows: int = 3
    production: str = "display"
    growth_dice: tuple[int, int] | None = None
    income_reduction: str = "table"
    reduction_doubled: tuple[int, ...] = ()
    expenses_add_turn: bool = False
    bankruptcy: str = "normal"
    end: str = "turns"
    track_points: int = 1
    dollars_a_point: int = 0
    town_cube: str = "none"
    urbanized: str = "keep"
    town_income: int = 0
    goods: Mapping[str, Goods] = field(default_factory=dict)
    cubes: tuple[ExtraCube, ...] = ()


KEYS: Final[Mapping[str, tuple[str, Kind]]] = {
    "players": ("players", Range(1, 6)),
    "turns": ("turns", Turns()),
    "start.cash": ("cash", Whole(0, 100)),
    "start.shares": ("shares", Whole(0, 15)),
    "start.engine": ("engine", Whole(1, 6)),
    "share_cap": ("share_cap", Whole(1, NO_LIMIT)),
    "shares_a_turn": ("shares_a_turn", Whole(1, NO_LIMIT)),
    "actions": ("actions", ListOf(OneOf(Rules.actions), most=7, once=True)),
    "order": ("order", OneOf(("auction", "none"))),
    "first_player": ("first_player", ListOf(OneOf(("white", "black")), most=15)),
    "tiles": ("tiles", Whole(1, 8)),
    "rounds": ("rounds", Whole(1, 4)),
    "engine_cap": ("engine_cap", Whole(1, 12)),
    "engineer.tiles": ("engineer_tiles", Whole(1, 8)),
    "engineer.discount": ("discount", OneOf(("none", "cheapest free", "half the dearest"))),
    "complete_links": ("complete_links", Flag()),
    "own_links": ("own_links", OneOf(("any", "half"))),
    "links_of_others": ("links_of_others", Whole(0, 2)),
    "prices": ("prices", Each(LANDS, Whole(0, 20))),
    "display_rows": ("display_rows", Whole(0, 3)),
    "production": ("production", OneOf(("display", "town"))),
    "growth_dice": ("growth_dice", ListOf(Whole(0, 8), least=2, most=2)),
    "income_reduction": ("income_reduction", OneOf(("table", "fives", "none"))),
    "reduction_doubled": ("reduction_doubled", ListOf(Whole(1, 15), most=15, once=True)),
    "expenses_add_turn": ("expenses_add_turn", Flag()),
    "bankruptcy": ("bankruptcy", OneOf(("normal", "never"))),
    "end": ("end", OneOf(("turns", "last player"))),
    "points.track": ("track_points", Whole(0, 5)),
    "points.dollars": ("dollars_a_point", Whole(0, 50)),
    "towns.cube": ("town_cube", OneOf(("none", "drawn", *COLOURS))),
    "towns.urbanized": ("urbanized", OneOf(("keep", "bag"))),
    "towns.income": ("town_income", Whole(0, 3)),
    "goods": ("goods", Each(COLOURS, Named(Goods, {"income": Whole(-2, 3), "leaves": Flag()}))),
    "cubes": (
        "cubes",
        ListOf(
            Named(
                ExtraCube,
                {
                    "hex": HexLabel(),
                    "when": OneOf(("before production", "before dice")),
                    "turns": Range(1, 15),
                    "colour": OneOf(COLOURS),
                },
                needs=("hex",),
            ),
            most=20,
        ),
    ),
}
"""Every key of the table: the field of :class:`Table` that it fills, and what it may be."""
INNER: Final = (
    *(path.partition(".")[2] for path in KEYS if "." in path),
    *("leaves", "hex", "when", "turns", "colour"),
    *LANDS,
    *COLOURS,
    *"123456",
)
"""The keys of the tables in it, in the order in which they are written."""


def read_table(raw: object) -> tuple[Table, tuple[Fault, ...]]:
    """The rules that ``[rules]`` says, and what of it cannot be used; there the base rule stands."""
    if not isinstance(raw, dict):
        return Table(), (Fault(say("[rules] must be a table.")),)
    read: dict[str, Any] = {}
    faults: list[Fault] = []
    for path, value in _flat(raw):
        found = KEYS.get(path)
        if found is None:
            faults.append(_unknown(path))
            continue
        name, kind = found
        try:
            read[name] = kind.read(path, value)
        except NotThis as wrong:
            faults.append(Fault(wrong.sentence))
    return Table(**read), tuple(faults)


def in_order(raw: Mapping[str, Any]) -> dict[str, Any]:
    """The table with its keys in the order in which they are written."""
    return {key: _inner_order(raw[key]) for key in dict.fromkeys(path.partition(".")[0] for path in KEYS) if key in raw}


def _inner_order(value: Any) -> Any:
    if isinstance(value, dict):
        return {key: _inner_order(value[key]) for key in INNER if key in value}
    if isinstance(value, list):
        return [_inner_order(one) for one in value]
    return value


def _flat(raw: Mapping[str, Any]) -> Iterator[tuple[str, Any]]:
    """The values by their whole key: ``start.cash``."""
    heads = {path.partition(".")[0] for path in KEYS if "." in path}
    for key, value in raw.items():
        if key in heads and isinstance(value, dict):
            yield from ((f"{key}.{inner}", one) for inner, one in value.items())
        else:
            yield key, value


def _unknown(path: str) -> Fault:
    heads = {known.partition(".")[0] for known in KEYS}
    if path in heads:
        return Fault(NotThis(path, say("a table")).sentence)
    close = get_close_matches(path, [*KEYS, *heads], 1)
    if close:
        return Fault(say("There is no rule “{key}”. Is “{known}” meant?", key=path, known=close[0]))
    return Fault(say("There is no rule “{key}”.", key=path))
