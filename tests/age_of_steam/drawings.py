"""Small maps that somebody might draw, with any rules that a table can say."""

from random import Random
from typing import Any

from pbem.age_of_steam.rules import Rules
from pbem.rails.drawing_text import written
from pbem.rails.hexes import directions, letters

COLUMNS = [f"{half}{n}" for half in "LD" for n in range(1, 7)]
CUBES = ("red", "blue", "purple", "yellow", "black")
LANDS = "....~h^M%="
WITH_PRICE = ("plain", "river", "hill", "mountain", "dark_mountain", "swamp")
SIDE = 6
"""Columns; a column has as many hexes, or one less."""


def draw(luck: Random) -> str:
    """The text of a map with two to five Cities; one in a while has a fault, as a City in a lake."""
    flat = luck.random() < 0.6
    hexes = _labels(flat=flat)
    signs = {label: luck.choice(LANDS) for label in hexes}
    places = luck.sample(hexes, luck.randrange(6, 11))
    cities, towns = places[: luck.randrange(2, 6)], places[5:]
    signs |= dict.fromkeys(cities, "*") | dict.fromkeys(towns, "o")
    columns = luck.sample(COLUMNS, len(cities) * 2)
    orientation = "flat-top" if flat else "pointy-top"
    raw: dict[str, Any] = {
        "name": "Drawn",
        "orientation": orientation,
        "provenance": "A test.",
        "sketch": _sketch(signs, flat=flat),
        "hexes": {label: {"price": luck.randrange(9)} for label in luck.sample(hexes, luck.randrange(4))},
        "walls": {label: luck.sample(directions(orientation), 2) for label in luck.sample(hexes, luck.randrange(4))},
        "cities": {
            f"City {letters(number)}y": {
                "hex": label,
                "colours": luck.sample([*CUBES, "white"], luck.randrange(1, 3)),
                "columns": columns[2 * number : 2 * number + luck.randrange(3)],
                "cubes": luck.randrange(4),
            }
            for number, label in enumerate(cities)
        },
        "towns": {f"Town {letters(number)}y": label for number, label in enumerate(towns)},
        "new_cities": {letter: {"colours": [luck.choice(CUBES)], "columns": ["L1"]} for letter in "ABCDEFGH"},
        "connections": _connections(luck, cities, towns),
        "rules": rules(luck, cities),
    }
    if luck.random() < 0.3:
        raw["cities"]["City Ay"] |= {"colours": [], "tags": ["terminal"]}
    return written(raw)


def _labels(*, flat: bool) -> list[str]:
    if flat:
        return [f"{letters(2 * row + column % 2)}{column}" for column in range(SIDE) for row in range(SIDE)]
    return [f"{letters(2 * column + row % 2)}{row}" for column in range(SIDE) for row in range(SIDE)]


def _sketch(signs: dict[str, str], *, flat: bool) -> str:
    if flat:
        at = {(2 * row + column % 2, 2 * column): f"{letters(2 * row + column % 2)}{column}"
              for column in range(SIDE) for row in range(SIDE)}  # fmt: skip
    else:
        at = {(row, 2 * column + row % 2): f"{letters(2 * column + row % 2)}{row}"
              for column in range(SIDE) for row in range(SIDE)}  # fmt: skip
    lines = 2 * SIDE if flat else SIDE
    rows = ("".join(signs.get(at.get((line, place), ""), " ") for place in range(2 * SIDE)) for line in range(lines))
    return "\n".join(rows)


def _connections(luck: Random, cities: list[str], towns: list[str]) -> dict[str, Any]:
    found = {}
    for number in range(luck.choice((0, 0, 1, 2))):
        joins = [cities[0], luck.choice([*cities[1:], *towns])]
        link: dict[str, Any] = {"name": f"Bridge {letters(number)}y", "joins": joins}
        if luck.random() < 0.7:
            link["price"] = luck.randrange(9)
            if joins[1] in towns and luck.random() < 0.5:
                link["tags"] = ["new city only"]
        found[f"link:{number}"] = link
    return found


def rules(luck: Random, cities: list[str]) -> dict[str, Any]:
    """Rules that fit together."""
    found: dict[str, Any] = {}
    fewest, most = sorted(luck.choice(((1, 3), (2, 2), (2, 4), (3, 4), (3, 6))))
    found["players"] = [fewest, most]
    found["turns"] = {str(n): luck.randrange(1, 4) for n in range(fewest, most + 1)}
    actions = list(Rules.actions)
    if most <= 2 and luck.random() < 0.6:
        found["order"] = "none"
        actions.remove("turn-order")
        if (fewest, most) == (2, 2):
            found["first_player"] = [luck.choice(("white", "black")) for _ in range(found["turns"]["2"])]
    if luck.random() < 0.5 or "order" in found:
        found["actions"] = luck.sample(actions, luck.randrange(most, len(actions) + 1))
    if luck.random() < 0.15:
        del found["turns"]
        found.pop("first_player", None)
        found |= {"end": "last player", "expenses_add_turn": True}
    for key, value in _any(luck, cities).items():
        if luck.random() < 0.3:
            found.setdefault(key, value)
    if found.get("end") == "last player":
        found.pop("bankruptcy", None)
        if found.get("income_reduction") == "none":
            del found["income_reduction"]
    if "engine_cap" in found and found["engine_cap"] < found.get("start", {}).get("engine", 1):
        del found["engine_cap"]
    if "share_cap" in found and found["share_cap"] < found.get("start", {}).get("shares", 2):
        del found["share_cap"]
    return found


def _any(luck: Random, cities: list[str]) -> dict[str, Any]:
    """A value for every key that needs no other."""
    start = {"cash": luck.randrange(31), "shares": luck.randrange(6), "engine": luck.randrange(1, 4)}
    towns = {"cube": luck.choice(("none", "drawn", "white", *CUBES)), "urbanized": luck.choice(("keep", "bag"))}
    cube: dict[str, Any] = {"hex": luck.choice(cities), "when": luck.choice(("before production", "before dice"))}
    if luck.random() < 0.5:
        cube["turns"] = sorted(luck.sample(range(1, 5), 2))
    if luck.random() < 0.5:
        cube["colour"] = luck.choice((*CUBES, "white"))
    return {
        "start": {key: value for key, value in start.items() if luck.random() < 0.6},
        "share_cap": luck.randrange(1, 41),
        "shares_a_turn": luck.randrange(1, 5),
        "tiles": luck.randrange(1, 5),
        "rounds": luck.randrange(1, 5),
        "engine_cap": luck.randrange(1, 9),
        "engineer": {
            "tiles": luck.randrange(1, 6),
            "discount": luck.choice(("none", "cheapest free", "half the dearest")),
        },
        "complete_links": luck.random() < 0.7,
        "own_links": luck.choice(("any", "half")),
        "links_of_others": luck.randrange(3),
        "prices": {
            land: luck.randrange(8) for land in ("plain", "river", "hill", "mountain", "dark_mountain", "swamp")
        },
        "display_rows": luck.randrange(4),
        "production": luck.choice(("display", "town")),
        "growth_dice": [luck.randrange(9), luck.randrange(9)],
        "income_reduction": luck.choice(("table", "fives", "none")),
        "reduction_doubled": sorted(luck.sample(range(1, 5), 2)),
        "expenses_add_turn": luck.random() < 0.7,
        "bankruptcy": luck.choice(("normal", "never")),
        "points": {"track": luck.randrange(6), "dollars": luck.randrange(21)},
        "towns": towns | {"income": luck.randrange(4)},
        "goods": {
            colour: {"income": luck.randrange(-2, 4), "leaves": luck.random() < 0.5}
            for colour in luck.sample([*CUBES, "white"], 2)
        },
        "cubes": [cube],
    }
