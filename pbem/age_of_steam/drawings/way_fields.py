"""Links, drawn rivers, closed sides and terminals of a drawing as fields of a form, and read from such fields again."""

import hashlib
import re
from collections.abc import Iterable, Iterator, Mapping
from typing import Any, Final

from pbem.age_of_steam.drawings.painting import LOST, raw_of
from pbem.age_of_steam.drawings.table_words import NEW_CITY_ONLY, TERMINAL
from pbem.engine import Say, Value, say
from pbem.rails.board import Label
from pbem.rails.drawing_text import written
from pbem.rails.hexes import directions, grid_place, label_at, opposite, steps
from pbem.rails.names import folded, looks_like_label

MOST: Final = 80
"""Rows of a kind that a form may have."""
NUMBER: Final = re.compile(r"\d{1,4}")


class Link(Value):
    """A row: ``start`` and ``end`` are names of places, ``price`` is empty for a link that belongs to everybody."""

    name: str = ""
    start: str = ""
    end: str = ""
    price: str = ""
    over: str = ""
    new_city_only: bool = False


class Ways(Value):
    """What the fields of a drawing hold, with an empty row of links and rivers; ``terminals``: every City with its hex.

    ``mark`` is the same as long as the text says the same of all that.
    """

    mark: str
    links: tuple[Link, ...]
    rivers: tuple[tuple[str, str], ...]
    walls: tuple[tuple[Label, str], ...]
    sides: tuple[str, ...]
    terminals: tuple[tuple[Label, str, bool], ...]
    places: tuple[str, ...]


def ways(text: str) -> Ways | None:
    """``None`` where the text cannot be written anew without a loss."""
    raw = raw_of(text)
    if raw is None:
        return None
    names = {label: name for name, label in _places(raw)}
    links = [_link(name, one, names) for name, one in raw.get("connections", {}).items()]
    rivers = [(name, " ".join(map(str, flow))) for name, flow in raw.get("rivers", {}).items()]
    return Ways(
        mark=_mark(raw),
        links=(*links, Link()),
        rivers=(*rivers, ("", "")),
        walls=tuple((label, " ".join(map(str, sides))) for label, sides in raw.get("walls", {}).items()),
        sides=directions(raw["orientation"]),
        terminals=tuple(
            (label, str(city.get("name", name)), TERMINAL in _listed(city, "tags"))
            for name, city in raw.get("cities", {}).items()
            for label in _hexes(city)[:1]
        ),
        places=tuple(names.values()),
    )


def with_ways(text: str, form: Mapping[str, str], without: str = "") -> str | Say:
    """The text with what such fields say, but for one row, or why there is none.

    What is no place, price or hex stays as it was typed, and is told as a fault.
    """
    raw = raw_of(text)
    if raw is None:
        return LOST
    if form.get("ways") != _mark(raw):
        return say("The text says something else of links, rivers or Cities than these fields. Save the text first.")
    links = dict(_links_read(raw, form, without))
    rivers = dict(_rivers_read(form, without))
    cities = {name: _city_read(city, form) for name, city in raw.get("cities", {}).items()}
    return written({**raw, "connections": links, "rivers": rivers, "cities": cities})


def with_walls(text: str, form: Mapping[str, str], *, closed: bool) -> str | Say:
    """The text in which chosen sides of a hex are closed or open, or why there is none."""
    raw = raw_of(text)
    if raw is None:
        return LOST
    walls, hex_ = dict(raw.get("walls", {})), form.get("wall.hex", "").strip().upper()[:40]
    for side in directions(raw["orientation"]) if hex_ else ():
        if form.get(f"wall.{side}"):
            ends = tuple(_ends(hex_, side, raw["orientation"]))
            if not closed:
                walls |= {label: [one for one in walls.get(label, []) if one != name] for label, name in ends}
            elif not any(name in walls.get(label, []) for label, name in ends):
                walls[hex_] = [*walls.get(hex_, []), side]
    return written({**raw, "walls": {label: sides for label, sides in walls.items() if sides}})


# fields -------------------------------------------------------------------------------------------------


def _mark(raw: Mapping[str, Any]) -> str:
    told = repr([raw.get(key) for key in ("connections", "rivers", "cities", "towns")])
    return hashlib.sha256(told.encode("utf-8", "replace")).hexdigest()[:12]


def _link(name: str, raw: Mapping[str, Any], names: Mapping[Label, str]) -> Link:
    start, end, *_ = (*(names.get(one, one) for one in _listed(raw, "joins")), "", "")
    return Link(
        name=str(raw.get("name", name)),
        start=start,
        end=end,
        price=str(raw.get("price", "")),
        over=str(raw.get("hex", "")),
        new_city_only=NEW_CITY_ONLY in _listed(raw, "tags"),
    )


def _places(raw: Mapping[str, Any]) -> Iterator[tuple[str, Label]]:
    """Cities and towns by name, each with the hex that names it."""
    for name, city in raw.get("cities", {}).items():
        yield from ((str(city.get("name", name)), label) for label in _hexes(city)[:1])
    yield from raw.get("towns", {}).items()


def _hexes(city: Mapping[str, Any]) -> list[str]:
    hexes = city.get("hex")
    return [one for one in (hexes if isinstance(hexes, list) else [hexes]) if isinstance(one, str)]


def _listed(raw: Mapping[str, Any], key: str) -> list[str]:
    value = raw.get(key)
    return [one for one in value if isinstance(one, str)] if isinstance(value, list) else []


def _ends(hex_: Label, side: str, orientation: str) -> Iterator[tuple[Label, str]]:
    """A side as its two hexes call it."""
    sides, flat = directions(orientation), orientation == "flat-top"
    yield hex_, side
    if looks_like_label(hex_):
        x, y = grid_place(hex_, flat=flat)
        dx, dy = steps(orientation)[edge := sides.index(side)]
        if x + dx >= 0 and y + dy >= 0:
            yield label_at(x + dx, y + dy, flat=flat), sides[opposite(edge)]


# what a form says ---------------------------------------------------------------------------------------


def _links_read(raw: Mapping[str, Any], form: Mapping[str, str], without: str) -> Iterator[tuple[str, dict[str, Any]]]:
    """The links of all rows with an end. What no field has, as the way over a hex, is kept from the row of the text."""
    known = {folded(name) or name: label for name, label in _places(raw)}
    names = {label: name for name, label in _places(raw)}
    before, taken = list(raw.get("connections", {}).items()), set[str]()
    for number in range(MOST):
        at = f"link.{number}"
        typed = [form.get(f"{at}.{end}", "").strip() for end in ("start", "end")]
        if at == without or not any(typed):
            continue
        key, old = before[number] if number < len(before) else ("", {})
        joins = [known.get(folded(one) or one, one) for one in typed]
        name = form.get(f"{at}.name", "").strip() or " - ".join(names.get(one, one) for one in joins)
        new = {**old, "joins": joins, "price": _price(form.get(f"{at}.price", ""))}
        if (over := form.get(f"{at}.over", "").strip().upper()) != old.get("hex", ""):
            new |= {"hex": over or None, "exits": None}
        tags = _tagged(old, NEW_CITY_ONLY, on=bool(form.get(f"{at}.only")))
        if "name" in old:
            new["name"], name = name, key
        yield _free(name, taken), {word: one for word, one in {**new, "tags": tags}.items() if one not in (None, [])}


def _rivers_read(form: Mapping[str, str], without: str) -> Iterator[tuple[str, list[str]]]:
    taken = set[str]()
    for number in range(MOST):
        at = f"river.{number}"
        flow = re.split(r"[\s,;]+", form.get(f"{at}.hexes", "").strip().upper())
        if at != without and flow != [""]:
            yield _free(form.get(f"{at}.name", "").strip() or f"River {flow[0]}", taken), flow


def _city_read(city: Mapping[str, Any], form: Mapping[str, str]) -> dict[str, Any]:
    on = any(form.get(f"terminal.{label}") for label in _hexes(city)[:1])
    tags = _tagged(city, TERMINAL, on=on)
    return {**{key: city[key] for key in city if key != "tags"}, **({"tags": tags} if tags else {})}


def _tagged(raw: Mapping[str, Any], tag: str, *, on: bool) -> list[str]:
    tags = _listed(raw, "tags")
    if on == (tag in tags):
        return tags
    return [*tags, tag] if on else [one for one in tags if one != tag]


def _price(typed: str) -> int | str | None:
    typed = typed.strip().removeprefix("$")
    return int(typed) if NUMBER.fullmatch(typed) else typed[:40] or None


def _free(name: str, taken: set[str]) -> str:
    """The name, or with a number where another row has it."""
    names: Iterable[str] = (name, *(f"{name} {n}" for n in range(2, MOST + 2)))
    found = next(one for one in names if one not in taken)
    taken.add(found)
    return found
