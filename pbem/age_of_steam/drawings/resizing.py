"""A board with a column or a row more or less on one of its sides; all that lies on hexes moves along."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from pbem.age_of_steam.drawings.checks import HEXES
from pbem.age_of_steam.drawings.painting import LOST, painting, raw_of
from pbem.engine import Say, Value, say
from pbem.rails.board import Label
from pbem.rails.drawing_text import written
from pbem.rails.hexes import grid_place, label_at
from pbem.rails.sketch import ACROSS, SIZES

SIDES: Final = ("left", "right", "above", "below")
FARTHEST: Final = 26 * 27
"""What two letters can count."""
PLAIN: Final = "."
_LABEL: Final = re.compile(r"[A-Z]{1,2}\d{1,3}")


class _Move(Value):
    """How far hexes go, and which of them are no more."""

    flat: bool
    right: int
    down: int
    gone: frozenset[Label]

    def of(self, label: Label) -> Label:
        """Where a hex lies then; words that name no place of the sketch stay."""
        if not _LABEL.fullmatch(label):
            return label
        x, y = grid_place(label, flat=self.flat)
        x, y = x + self.right, y + self.down
        return label_at(x, y, flat=self.flat) if min(x, y) >= 0 and max(x, y) < FARTHEST else label


class _Frame(Value):
    """A sketch along the axis of one of its sides: its first and last line of hexes, and how many lines are a column or
    a row."""

    flat: bool
    axis: int
    unit: int
    before: bool
    places: Mapping[Label, tuple[int, int]]
    first: int
    last: int

    @property
    def edge(self) -> frozenset[Label]:
        """The hexes of the outermost column or row."""
        low = self.first if self.before else self.last - self.unit + 1
        lines = range(low, low + self.unit)
        return frozenset(label for label, place in self.places.items() if place[self.axis] in lines)


def _frame(model: Any, side: str) -> _Frame:
    flat = model.head["orientation"] == "flat-top"
    axis = 0 if side in ("left", "right") else 1
    places = {label: grid_place(label, flat=flat) for label in model.hexes}
    first, last = (end(place[axis] for place in places.values()) for end in (min, max))
    return _Frame(flat, axis, 1 if (axis == 0) == flat else 2, side in ("left", "above"), places, first, last)


def lost(text: str, side: str) -> tuple[str, ...]:
    """What a board loses with a column or a row: names of Cities, towns, links and rivers, and hexes with a price or a
    closed side."""
    model, raw = painting(text), raw_of(text)
    if model is None or raw is None or not model.hexes:
        return ()
    gone = _frame(model, side).edge
    return tuple(dict.fromkeys(_lost(raw, gone)))


def _lost(raw: Mapping[str, Any], gone: frozenset[Label]) -> Iterator[str]:
    for key in ("cities", "towns", "connections", "rivers"):
        for name, entry in raw.get(key, {}).items():
            entry = entry if isinstance(entry, dict) else {"hex": entry}
            hexes = [entry.get("hex"), entry.get("joins")]
            if any(label in gone for one in hexes for label in (one if isinstance(one, list) else [one])):
                yield str(entry.get("name", name))
    for key in ("hexes", "walls"):
        yield from (label for label in raw.get(key, {}) if label in gone)


def resized(text: str, side: str, *, more: bool) -> str | Say:
    """The text of the larger or smaller board, or why there is none. A hex more is plain."""
    model, raw = painting(text), raw_of(text)
    if model is None or raw is None:
        return LOST
    if not model.hexes:
        return say("The map has no sketch.")
    frame = _frame(model, side)
    flat, axis, unit, before, first, last = frame.flat, frame.axis, frame.unit, frame.before, frame.first, frame.last
    across = (last - first) // unit + 1
    if more and last + unit >= ACROSS * unit:
        return say("The sketch is larger than {n} by {n} hexes.", n=ACROSS)
    if not more and across <= SIZES[0]:
        return say("A map has {a} to {b} hexes from side to side.", a=SIZES[0], b=SIZES[-1])
    far = (unit if more else -unit) if before else 0
    gone = frame.edge if not more else frozenset[Label]()
    move = _Move(flat, far * (1 - axis), far * axis, gone)
    signs = {move.of(label): sign for label, sign in model.hexes.items() if label not in gone}
    if more:
        new = range(first, first + unit) if before else range(last + 1, last + unit + 1)
        signs |= dict.fromkeys(_new(signs, axis, new, unit, flat=flat), PLAIN)
    if len(signs) > HEXES[1]:
        return say("The map has {n} hexes; {a} to {b} are possible.", n=len(signs), a=HEXES[0], b=HEXES[1])
    return written({**raw, **_tables(raw, move), "sketch": _sketch(signs, flat=flat)})


def _new(signs: Mapping[Label, str], axis: int, lines: range, unit: int, *, flat: bool) -> Iterator[Label]:
    """The hexes of a new column or row, from end to end of the board."""
    places = [grid_place(label, flat=flat) for label in signs]
    parity = sum(places[0]) % 2
    ends = [place[1 - axis] for place in places]
    for along in range(min(ends), max(max(ends), min(ends) + (unit == 1)) + 1):
        for line in lines:
            place = (line, along) if axis == 0 else (along, line)
            if sum(place) % 2 == parity:
                yield label_at(*place, flat=flat)


def _sketch(signs: Mapping[Label, str], *, flat: bool) -> str:
    """Lines without a hex have a space, so that labels stay."""
    lines: dict[int, dict[int, str]] = {}
    for label, sign in signs.items():
        x, y = grid_place(label, flat=flat)
        lines.setdefault(y, {})[2 * x if flat else x] = sign
    rows = (lines.get(y, {0: " "}) for y in range(max(lines) + 1))
    return "\n".join("".join(row.get(at, " ") for at in range(max(row) + 1)) for row in rows)


# tables -------------------------------------------------------------------------------------------------


def _tables(raw: Mapping[str, Any], move: _Move) -> dict[str, Any]:
    tables = {key: raw[key] for key in _MOVED if key in raw}
    return {key: dict(_entries(key, table, move)) for key, table in tables.items()}


def _entries(key: str, table: Mapping[str, Any], move: _Move) -> Iterator[tuple[str, Any]]:
    for name, entry in table.items():
        match key:
            case "hexes" | "walls":
                if name not in move.gone:
                    yield move.of(name), entry
            case "rules":
                if (kept := _moved(entry, move) if name == "cubes" else entry) is not None:
                    yield name, kept
            case "rivers":
                if len(moved := _moved(entry, move) or []) >= min(2, len(entry)):
                    yield (f"River {moved[0]}" if entry and name == f"River {entry[0]}" else name), moved
            case _:
                if (moved := _moved(entry, move)) is not None:
                    yield name, moved


def _moved(entry: Any, move: _Move) -> Any:
    """A hex, a list of them, or what names one; ``None`` where nothing is left of it."""
    if isinstance(entry, str):
        return None if entry in move.gone else move.of(entry)
    if isinstance(entry, list):
        left = [moved for one in entry if (moved := _moved(one, move)) is not None]
        return left if left or not entry else None
    if not isinstance(entry, dict):
        return entry
    entry = dict(entry)
    if isinstance(joins := entry.get("joins"), list):
        if len(kept := _moved(joins, move) or []) < len(joins):
            return None
        entry["joins"] = kept
    if "hex" in entry:
        entry["hex"] = _moved(entry["hex"], move)
        if entry["hex"] is None and joins is None:
            return None
        entry = entry if entry["hex"] is not None else {key: entry[key] for key in entry if key not in ("hex", "exits")}
    return entry


_MOVED: Final = ("hexes", "rivers", "walls", "cities", "towns", "also_called", "connections", "rules")
