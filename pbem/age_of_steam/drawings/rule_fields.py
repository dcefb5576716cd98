"""The table ``[rules]`` of a drawing as fields of a form, and read from such fields again."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from pbem.age_of_steam.drawings.painting import raw_of
from pbem.age_of_steam.drawings.table import KEYS, Table, in_order, read_table
from pbem.age_of_steam.drawings.table_kinds import Each, Flag, Kind, ListOf, OneOf, Range, Turns, Whole
from pbem.age_of_steam.drawings.table_words import rules
from pbem.age_of_steam.rules import TERRAIN_PRICES
from pbem.age_of_steam.words import WORDS
from pbem.engine import Say, Value, Word, replace, say
from pbem.rails.board import Board
from pbem.rails.drawing import read_drawing
from pbem.rails.drawing_text import written
from pbem.rails.entries import COLOURS
from pbem.rails.hex_words import TERRAIN

CUBES: Final = "cubes"
MOST_CUBES: Final = 20
NUMBER: Final = re.compile(r"-?\d{1,4}")
CUBE_KINDS: Final[Mapping[str, Kind]] = {
    "when": OneOf(("before production", "before dice")),
    "colour": OneOf(COLOURS),
}


class Field(Value):
    """A field: ``kind`` is ``number``, ``flag``, ``choice`` or ``text``; ``usual``: what the base rule has there."""

    name: str
    label: Say | str
    kind: str
    value: str = ""
    usual: str = ""
    least: int = 0
    most: int = 0
    options: tuple[tuple[str, Say | str], ...] = ()


class Rule(Value):
    """Fields that say one thing; ``sentences``: what players read of them, none where the base rule holds."""

    title: Say
    fields: tuple[Field, ...]
    sentences: tuple[Say, ...] = ()


TITLES: Final[Mapping[str, Say]] = {
    "players": say("Players"),
    "turns": say("Turns, by the number of players; 0 for no last turn"),
    "start": say("At the start"),
    "share_cap": say("Shares of one player at most"),
    "shares_a_turn": say("Shares a turn at most"),
    "actions": say("Actions that can be taken"),
    "order": say("Order of players"),
    "first_player": say("First player of every turn, for two players without an auction"),
    "tiles": say("Tiles a turn"),
    "rounds": say("Rounds of moving goods"),
    "engine_cap": say("Links an engine pulls at most"),
    "engineer": say("Engineer"),
    "complete_links": say("Unfinished track"),
    "own_links": say("Own links of a delivery"),
    "links_of_others": say("Links of others that a delivery needs"),
    "prices": say("Dollars for a simple tile, by land"),
    "display_rows": say("Boxes of each column of the goods display that are filled at the start"),
    "production": say("Production"),
    "growth_dice": say("Dice of goods growth"),
    "income_reduction": say("Income reduction"),
    "reduction_doubled": say("Turns in which income reduction is doubled"),
    "expenses_add_turn": say("Expenses"),
    "bankruptcy": say("Bankruptcy"),
    "end": say("End of the game"),
    "points": say("Points"),
    "towns": say("Towns"),
    "goods": say("Delivered cubes, by colour"),
    "cubes": say("Cubes that a City receives every turn"),
}
IN_LISTS: Final = {**TITLES, "turns": say("Number of turns"), "first_player": say("First player of every turn")}
"""The titles where nothing is filled in."""
LABELS: Final[Mapping[str, Say]] = {
    "players.0": say("fewest"),
    "players.1": say("most"),
    "start.cash": say("dollars"),
    "start.shares": say("shares"),
    "start.engine": say("engine"),
    "engineer.tiles": say("tiles"),
    "engineer.discount": say("discount"),
    "complete_links": say("only complete links may be built"),
    "growth_dice.0": say("light half"),
    "growth_dice.1": say("dark half"),
    "expenses_add_turn": say("the number of the turn is added"),
    "points.track": say("for a piece of track"),
    "points.dollars": say("dollars for one point; 0: none"),
    "towns.cube": say("cube at the start"),
    "towns.urbanized": say("when a New City comes"),
    "towns.income": say("income for the first tile"),
    "hex": say("City"),
    "when": say("when"),
    "turns.0": say("from turn"),
    "turns.1": say("to turn"),
    "colour": say("colour"),
    "leaves": say("leaves the game"),
}
OPTIONS: Final[Mapping[str, Say]] = {
    "auction": say("by auction"),
    "none": say("none"),
    "cheapest free": say("the cheapest is free"),
    "half the dearest": say("half of the dearest"),
    "any": say("as many as one likes"),
    "half": say("half of them at least"),
    "display": say("onto the goods display"),
    "town": say("onto a town"),
    "table": say("by the table"),
    "fives": say("in steps of five"),
    "normal": say("as in the base game"),
    "never": say("nobody goes bankrupt"),
    "turns": say("after the last turn"),
    "last player": say("when one player is left"),
    "drawn": say("drawn from the bag"),
    "keep": say("the cube stays"),
    "bag": say("the cube goes back into the bag"),
    "before production": say("before Production"),
    "before dice": say("before the dice"),
}


def fields(text: str) -> tuple[Rule, ...]:
    """The rules of a drawing, whatever faults it has; none where its text cannot be written anew without a loss."""
    raw = raw_of(text)
    if raw is None:
        return ()
    rows = raw.get("rules", {})
    board, (table, _) = read_drawing("own", text).board, read_table(rows)
    cities = tuple((hexes[0], name) for name, hexes in _cities(raw))
    return tuple(
        Rule(title, tuple(_fields(key, rows, cities)), tuple(_told(board, table, key)) if board else ())
        for key, title in TITLES.items()
    )


def with_rules(text: str, form: Mapping[str, str]) -> str | None:
    """The drawing in its one form with the rules that such fields say; ``None`` where there are no fields."""
    raw = raw_of(text)
    if raw is None:
        return None
    found = {key: value for key in TITLES if (value := _read(key, form, raw)) not in (None, {}, [])}
    return written({**raw, "rules": in_order(found)})


def _cities(raw: Mapping[str, Any]) -> Iterator[tuple[str, list[str]]]:
    for name, city in raw.get("cities", {}).items():
        hexes = city.get("hex", [])
        if hexes := hexes if isinstance(hexes, list) else [hexes]:
            yield str(city.get("name", name)), [str(hexes[0])]


# fields -------------------------------------------------------------------------------------------------


def _fields(key: str, raw: Mapping[str, Any], cities: tuple[tuple[str, str], ...]) -> Iterator[Field]:
    """The fields of one key, and of the keys in it."""
    if key == CUBES:
        yield from _cubes(raw.get(key, []), cities)
        return
    for path, (name, kind) in KEYS.items():
        head, _, inner = path.partition(".")
        if head == key:
            value = raw.get(head)
            value = value.get(inner) if inner and isinstance(value, dict) else None if inner else value
            yield from _of_kind(path, kind, value, getattr(Table(), name))


def _of_kind(path: str, kind: Kind, value: Any, usual: Any) -> Iterator[Field]:
    match kind:
        case Whole() | Flag() | OneOf():
            yield _field(path, kind, value, usual)
        case Range() | ListOf(kind=Whole(), most=2):
            one = Whole(kind.least, kind.most) if isinstance(kind, Range) else kind.kind
            for at in (0, 1):
                yield _field(f"{path}.{at}", one, _item(value, at), _item(usual, at))
        case Turns():
            for n in range(1, 7):
                yield _field(f"{path}.{n}", Whole(0, 15), _item(value, str(n)), _item(usual, n), str(n))
        case ListOf(kind=OneOf(words=words), once=True):
            for word in words:
                given = word in (value if isinstance(value, list) else words)
                yield _field(f"{path}.{word}", Flag(), given, None, say("{action}", action=Word(WORDS[word])))
        case ListOf():
            listed = ", ".join(map(str, value)) if isinstance(value, list) else ""
            yield Field(path, TITLES[path], "text", listed)
        case Each(names=names, kind=Whole() as one):
            for name in names:
                yield _field(f"{path}.{name}", one, _item(value, name), TERRAIN_PRICES.get(name), TERRAIN[name])
        case Each(names=names):
            for name in names:
                colour = say("{colour}: more income", colour=Word(name))
                yield _field(f"{path}.{name}.income", Whole(-2, 3), _item(_item(value, name), "income"), 0, colour)
                yield _field(f"{path}.{name}.leaves", Flag(), _item(_item(value, name), "leaves"), None)


def _item(value: Any, key: Any) -> Any:
    """What is in a list or table, ``None`` where it is none or too short."""
    if isinstance(value, Mapping):
        return value.get(key)
    return value[key] if isinstance(value, list | tuple) and isinstance(key, int) and key < len(value) else None


def _field(path: str, kind: Kind, value: Any, usual: Any, label: Say | str = "") -> Field:
    label = label or LABELS.get(path) or LABELS.get(path.rpartition(".")[2]) or TITLES[path.partition(".")[0]]
    match kind:
        case Flag():
            return Field(path, label, "flag", "on" if value is True else "")
        case OneOf(words=words):
            options = tuple((word, OPTIONS.get(word) or say("{word}", word=Word(word))) for word in words)
            return Field(path, label, "choice", _shown(value), _shown(usual), options=options)
        case Whole(least=least, most=most):
            return Field(path, label, "number", _shown(value), _shown(usual), least, most)
    raise TypeError(f"{path} has no field of its own")


def _shown(value: Any) -> str:
    return "" if value is None else str(value)


def _cubes(raw: Any, cities: tuple[tuple[str, str], ...]) -> Iterator[Field]:
    """A row of fields for every cube, and one more."""
    rows = [one for one in raw if isinstance(one, dict)] if isinstance(raw, list) else []
    for number, row in enumerate([*rows, {}]):
        yield Field(f"cubes.{number}.hex", LABELS["hex"], "choice", _shown(row.get("hex")), options=cities)
        for name in ("when", "colour"):
            kind = CUBE_KINDS[name]
            yield _field(f"cubes.{number}.{name}", kind, row.get(name), None)
        for at in (0, 1):
            value = _item(row.get("turns"), at)
            yield _field(f"cubes.{number}.turns.{at}", Whole(1, 15), value, None, LABELS[f"turns.{at}"])


def _told(board: Board, table: Table, key: str) -> Iterator[Say]:
    """The sentences that would not be there if the base rule held."""
    usual = Table()
    names = [name for path, (name, _) in KEYS.items() if path.partition(".")[0] == key]
    without = {str(one) for one in rules(board, replace(table, **{name: getattr(usual, name) for name in names}))}
    return (one for one in rules(board, table) if str(one) not in without)


# what a form says ---------------------------------------------------------------------------------------


def _read(key: str, form: Mapping[str, str], raw: Mapping[str, Any]) -> Any:
    """The value of a key as the table has it; what cannot be a number stays as it was typed, and is told as a fault."""
    if key == CUBES:
        return list(_cubes_read(form))
    (path, (_, kind)), *others = [found for found in KEYS.items() if found[0].partition(".")[0] == key]
    if "." in path:
        return _some({one.partition(".")[2]: _value(form.get(one, "")) for one, _ in ((path, kind), *others)})
    match kind:
        case Flag():
            return bool(form.get(path)) or None
        case Range() | ListOf(kind=Whole(), most=2):
            pair = [_value(form.get(f"{path}.{at}", "")) for at in (0, 1)]
            usual = getattr(Table(), KEYS[path][0]) or (None, None)
            filled = [usual[at] if one is None else one for at, one in enumerate(pair)]
            return None if pair == [None, None] else [one for one in filled if one is not None]
        case Turns():
            return _turns({str(n): _value(form.get(f"{path}.{n}", "")) for n in range(1, 7)}, form)
        case ListOf(kind=OneOf(words=words), once=True):
            taken = [word for word in words if form.get(f"{path}.{word}")]
            return taken if len(taken) < len(words) else None
        case ListOf():
            return [_value(one.strip()) for one in form.get(path, "").split(",") if one.strip()]
        case Each(names=names, kind=Whole()):
            return _some({name: _value(form.get(f"{path}.{name}", "")) for name in names})
        case Each(names=names):
            return _some({name: _good(f"{path}.{name}", form) for name in names})
    return _value(form.get(path, ""))


def _value(text: str) -> Any:
    text = text.strip()
    return int(text) if NUMBER.fullmatch(text) else text or None


def _some(found: Mapping[str, Any]) -> dict[str, Any]:
    return {key: value for key, value in found.items() if value is not None}


def _turns(found: Mapping[str, Any], form: Mapping[str, str]) -> dict[str, Any]:
    """Numbers of players that are possible and have none are filled with what the base rule says."""
    given = _some(found)
    fewest, most = (_value(form.get(f"players.{at}", "")) or Table().players[at] for at in (0, 1))
    if not given or not isinstance(fewest, int) or not isinstance(most, int):
        return given
    usual = {str(n): Table().turns[n] for n in range(fewest, most + 1) if n in Table().turns}
    return dict(sorted({**_some(usual), **given}.items()))


def _good(path: str, form: Mapping[str, str]) -> dict[str, Any] | None:
    leaves = True if form.get(f"{path}.leaves") else None
    return _some({"income": _value(form.get(f"{path}.income", "")), "leaves": leaves}) or None


def _cubes_read(form: Mapping[str, str]) -> Iterator[dict[str, Any]]:
    for number in range(MOST_CUBES):
        at = f"cubes.{number}"
        if hex_ := form.get(f"{at}.hex"):
            turns = [_value(form.get(f"{at}.turns.{end}", "")) for end in (0, 1)]
            found = {"hex": hex_, "when": form.get(f"{at}.when") or None, "colour": form.get(f"{at}.colour") or None}
            yield _some({**found, "turns": None if None in turns else turns})
