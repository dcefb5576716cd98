"""Whoever damages a drawing at one hex is told that hex: 95 times of 100 at least, whatever the damage."""

import re
import tomllib
from collections import Counter
from collections.abc import Callable, Iterator
from random import Random
from typing import Any

from pbem.rails.drawing_text import written
from pbem.rails.hexes import directions
from tests.age_of_steam.test_checks import DATA, check, drawn

Raw = dict[str, Any]
Damage = Callable[[Raw, Random], str]
ROUNDS = 1000
OF_A_HUNDRED = 95


def places(raw: Raw) -> dict[str, tuple[int, int]]:
    """Every hex with its place in the sketch: line and letter."""
    found = {}
    for line, row in enumerate(raw["sketch"].strip("\n").splitlines()):
        for at, sign in enumerate(row):
            if sign != " ":
                letter, number = (line, at // 2) if raw["orientation"] == "flat-top" else (at, line)
                word = chr(65 + letter) if letter < 26 else chr(64 + letter // 26) + chr(65 + letter % 26)
                found[f"{word}{number}"] = (line, at)
    return found


def some(luck: Random, raw: Raw, signs: str) -> str:
    """A hex of one of these signs."""
    return luck.choice([hex_ for hex_, at in places(raw).items() if _at(raw, at) in signs])


def _at(raw: Raw, at: tuple[int, int]) -> str:
    return str(raw["sketch"].strip("\n").splitlines()[at[0]][at[1]])


def redraw(raw: Raw, hex_: str, sign: str) -> None:
    lines = raw["sketch"].strip("\n").splitlines()
    line, at = places(raw)[hex_]
    lines[line] = lines[line][:at] + sign + lines[line][at + 1 :]
    raw["sketch"] = "\n".join(lines)


def a_city(raw: Raw, luck: Random) -> tuple[str, Raw]:
    """The first hex of some City, and what is said of it."""
    city = luck.choice(list(raw["cities"].values()))
    return city["hex"] if isinstance(city["hex"], str) else city["hex"][0], city


def sign(raw: Raw, luck: Random) -> str:
    """The sign of a place is another land, or a place without a name is drawn, or a sign that is none."""
    was, now = luck.choice((("*", ".^~="), ("o", ".^~="), (".", "*o"), (".^~", "x?!")))
    hex_ = some(luck, raw, was)
    redraw(raw, hex_, luck.choice(now))
    return hex_


def hole(raw: Raw, luck: Random) -> str:
    """A place is wiped out of the sketch."""
    hex_ = some(luck, raw, "*o")
    redraw(raw, hex_, " ")
    return hex_


def shift(raw: Raw, luck: Random) -> str:
    """A sign slips to the next place of its line, between the hexes, where labels of boards of lines are others."""
    room = [hex_ for hex_, (line, at) in places(raw).items() if _free(raw, line, at)]
    hex_ = luck.choice(room)
    line, at = places(raw)[hex_]
    lines = raw["sketch"].strip("\n").splitlines()
    lines[line] = lines[line][:at] + " " + lines[line][at] + lines[line][at + 2 :]
    raw["sketch"] = "\n".join(lines)
    return {place: label for label, place in places(raw).items()}[line, at + 1]


def _free(raw: Raw, line: int, at: int) -> bool:
    row = raw["sketch"].strip("\n").splitlines()[line]
    return row[at + 1 : at + 2] in ("", " ")


def moat(raw: Raw, luck: Random) -> str:
    """Water all around a town."""
    flat = raw["orientation"] == "flat-top"
    steps = ((0, -2), (2, -1), (2, 1), (0, 2), (-2, 1), (-2, -1)) if flat else ()
    steps = steps or ((1, -1), (2, 0), (1, 1), (-1, 1), (-2, 0), (-1, -1))
    hex_ = str(luck.choice([label for label in raw["towns"].values() if not _linked(raw, label)]))
    line, at = places(raw)[hex_]
    by_place = {place: label for label, place in places(raw).items()}
    for across, down in steps:
        if (beside := by_place.get((line + down, at + across))) and beside not in _taken(raw):
            redraw(raw, beside, "=")
    raw.setdefault("walls", {})[hex_] = list(directions(raw["orientation"]))
    return hex_


def _taken(raw: Raw) -> set[str]:
    return {*raw["towns"].values(), *(str(city["hex"]) for city in raw["cities"].values())}


def _linked(raw: Raw, hex_: str) -> bool:
    return any(hex_ in link["joins"] for link in raw.get("connections", {}).values())


def name(raw: Raw, luck: Random) -> str:
    """A place loses its name, or has one that cannot be."""
    table = luck.choice(("cities", "towns"))
    was = luck.choice(list(raw[table]))
    one = raw[table].pop(was)
    hex_ = one if table == "towns" else one["hex"] if isinstance(one["hex"], str) else one["hex"][0]
    now = luck.choice(("", "K12", "a;b", "x" * 30, None))
    if now is not None and now not in raw[table]:
        raw[table][now] = {**one, "name": now} if table == "cities" else one
    return str(hex_)


def away(raw: Raw, luck: Random) -> str:
    """A place is said to lie where none can be: on land without its sign, on another place, off the map."""
    table = luck.choice(("cities", "towns"))
    was = luck.choice(list(raw[table]))
    now = luck.choice((some(luck, raw, ".^~"), some(luck, raw, "*o"), "Z99", 7))
    one = raw[table][was]
    hexes = one["hex"] if table == "cities" else one
    if table == "cities":
        one["hex"] = now
    else:
        raw[table][was] = now
    return now if now in places(raw) and now != hexes else hexes if isinstance(hexes, str) else hexes[0]


def figures(raw: Raw, luck: Random) -> str:
    """Cubes, colours, columns and tags of a City that cannot be."""
    hex_, city = a_city(raw, luck)
    key, value = luck.choice(
        (
            ("cubes", -1), ("cubes", 12), ("cubes", "two"), ("cubes", 1.5), ("colours", ["mauve"]), ("colours", "red"),
            ("columns", ["L9"]), ("columns", "L1"), ("tags", "terminal"), ("columns", ["L1", "L1"]),
        )
    )  # fmt: skip
    city[key] = value
    return hex_


def columns(raw: Raw, luck: Random) -> str:
    """A City is fed by the column of another one, drawn before it."""
    fed = [city for city in raw["cities"].values() if city.get("columns")]
    first, second = sorted(luck.sample(range(len(fed)), 2))
    fed[second]["columns"] = [fed[first]["columns"][0]]
    hex_ = fed[second]["hex"]
    return str(hex_ if isinstance(hex_, str) else hex_[0])


def price(raw: Raw, luck: Random) -> str:
    hex_ = some(luck, raw, ".^~")
    key, value = luck.choice(
        (("price", 60), ("price", -2), ("price", "six"), ("price", 2.5), ("terrain", "lava"), ("tags", "x")),
    )
    raw.setdefault("hexes", {})[hex_] = {key: value}
    return hex_


def entry(raw: Raw, luck: Random) -> str:
    """What is said of a hex is no table, or of a hex that is not there."""
    hex_ = luck.choice((some(luck, raw, ".^~"), "Z99"))
    raw.setdefault("hexes", {})[hex_] = {"price": 3} if hex_ == "Z99" else 3
    return hex_


def wall(raw: Raw, luck: Random) -> str:
    hex_ = luck.choice((some(luck, raw, ".^~"), "Z99"))
    raw.setdefault("walls", {})[hex_] = luck.choice((["UP"], "N", ["N", 3])) if hex_ != "Z99" else ["S"]
    return hex_


def link(raw: Raw, luck: Random) -> str:
    """A special link that ends on land without a place, or at its own beginning, or has a price that cannot be."""
    start, (end, _) = luck.choice(list(raw["towns"].values())), a_city(raw, luck)
    hex_, found = luck.choice(
        (
            (there := some(luck, raw, ".^~"), {"joins": [start, there]}),
            (start, {"joins": [start, start]}),
            ("Z99", {"joins": [start, "Z99"]}),
            (there, {"joins": [start, end], "hex": there}),
            ("Z98", {"joins": [start, end], "hex": "Z98"}),
        )
    )
    raw.setdefault("connections", {})["Ferry"] = found
    return hex_


def river(raw: Raw, luck: Random) -> str:
    raw.setdefault("rivers", {})["Ohio"] = [some(luck, raw, "."), "Z99"]
    return "Z99"


def cube(raw: Raw, luck: Random) -> str:
    """A City that is none receives cubes."""
    hex_ = some(luck, raw, ".o^")
    raw.setdefault("rules", {})["cubes"] = [{"hex": hex_}]
    return hex_


DAMAGES: tuple[Damage, ...] = (
    sign, hole, shift, moat, name, away, figures, columns, price, entry, wall, link, river, cube,
)  # fmt: skip


def damaged() -> Iterator[tuple[str, str, str]]:
    """The damage, its hex, the text. One that leaves a map without any fault is none."""
    for number in range(ROUNDS):
        luck = Random(number)
        raw = tomllib.loads(drawn(luck.choice(DATA)))
        damage = DAMAGES[number % len(DAMAGES)]
        hex_ = damage(raw, luck)
        yield damage.__name__, hex_, written(raw)


def test_damage_at_a_hex_names_that_hex() -> None:
    told, missed = Counter[str](), []
    for damage, hex_, text in damaged():
        faults = check(text).faults
        named = any(fault.hex == hex_ or re.search(rf"\b{hex_}\b", str(fault.sentence)) for fault in faults)
        told[damage] += named
        if not named:
            missed.append((damage, hex_, [str(fault.sentence) for fault in faults][:2]))
    assert 100 * told.total() >= OF_A_HUNDRED * ROUNDS, missed[:9]
    assert len(told) == len(DAMAGES)
