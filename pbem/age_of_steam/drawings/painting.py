"""A drawing as the painter of the site holds it: all that its text says, in a form that JSON has, and written again."""

import tomllib
from collections.abc import Mapping
from typing import Any, Final

from pbem.age_of_steam.drawings.table import in_order
from pbem.engine import Value, field, say
from pbem.rails.board import Label
from pbem.rails.drawing import TABLES, TEXTS
from pbem.rails.drawing_text import HEAD as FIRST_LINE
from pbem.rails.drawing_text import ORDER, entries_in_order, table_lines, written
from pbem.rails.sketch import read_sketch

PAINTED: Final = tuple(table for table in TABLES if table != "rules")
HEAD: Final = tuple(key for key in TEXTS if key != "sketch")
LISTS: Final = ("rivers", "walls")
WORDS: Final = ("towns", "also_called")

LOST: Final = say("Nothing can be painted while the text holds what cannot be read: it would be lost.")


class Painting(Value):
    """``hexes``: the sign of each; ``tables``: their entries, in the order of the text; ``rules``: their lines.

    ``whole``: whether the text written from this says all that was read. Where it does not, as with an unknown key,
    nothing may be painted, since that would be lost. ``remarks``: there are lines behind ``#`` that are not ours.
    """

    head: Mapping[str, str] = field(default_factory=dict)
    hexes: Mapping[Label, str] = field(default_factory=dict)
    tables: Mapping[str, tuple[tuple[str, Any], ...]] = field(default_factory=dict)
    rules: str = ""
    whole: bool = False
    remarks: bool = False


def painting(text: str) -> Painting | None:
    """What a text says, whatever faults it has; ``None`` where it cannot be read at all."""
    try:
        raw = tomllib.loads(text)
    except (ValueError, RecursionError):
        return None
    head = {key: raw[key] if isinstance(raw.get(key), str) else "" for key in HEAD}
    sketch = raw["sketch"] if isinstance(raw.get("sketch"), str) else ""
    found = read_sketch(sketch, head["orientation"])
    tables = {key: raw[key] if isinstance(raw.get(key), dict) else {} for key in TABLES}
    whole = (not found.faults or not sketch.strip()) and _fits(raw)
    return Painting(
        head=head,
        hexes=found.signs,
        tables={key: tuple(entries_in_order(key, tables[key]).items()) for key in PAINTED},
        rules="".join(f"{line}\n" for line in table_lines("rules", in_order(tables["rules"]))) if whole else "",
        whole=whole,
        remarks=whole and not set(_remarks(text)) <= set(_remarks(written({"sketch": "", **raw, "rules": {}}))),
    )


def raw_of(text: str) -> dict[str, Any] | None:
    """The tables of a text that can be written anew without a loss; ``None`` for any other."""
    found = painting(text)
    return {"sketch": "", **tomllib.loads(text)} if found is not None and found.whole else None


def _remarks(text: str) -> list[str]:
    return [line for line in text.splitlines() if line.startswith("#")]


def _fits(raw: Mapping[str, Any]) -> bool:
    """Whether everything has a place in a painting."""
    if not set(raw) <= {*TEXTS, *TABLES} or raw.get("orientation") not in FIRST_LINE:
        return False
    texts = all(isinstance(raw[key], str) for key in raw if key in TEXTS)
    tables = {key: raw[key] for key in TABLES if key in raw}
    return texts and all(isinstance(table, dict) and _fitting(key, table) for key, table in tables.items())


def _fitting(key: str, table: Mapping[str, Any]) -> bool:
    if key in ORDER:
        return all(isinstance(one, dict) and set(one) <= set(ORDER[key]) and _plain(one) for one in table.values())
    if key in LISTS:
        return all(isinstance(one, list) and _plain(one) for one in table.values())
    if key in WORDS:
        return all(isinstance(one, str) for one in table.values())
    return in_order(table) == table and _plain(table)


def _plain(value: Any) -> bool:
    """Whether JSON has it, and a text in one form only."""
    if isinstance(value, dict):
        return all(map(_plain, value.values()))
    if isinstance(value, list):
        return all(map(_plain, value))
    return isinstance(value, str | int)
