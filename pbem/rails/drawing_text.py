"""Writes a drawing in the one form in which equal maps are equal texts: a ``board.toml`` like those in ``maps/``."""

import re
from collections.abc import Iterator, Mapping
from typing import Any, Final

from pbem.rails.drawing import TABLES, TEXTS

HEAD: Final = {
    "flat-top": "# What is printed on the board. Letters count half rows downwards, numbers count columns.",
    "pointy-top": "# What is printed on the board. Letters count half columns to the right, numbers count rows.",
}
MEANINGS: Final = {
    ".": "plain",
    "~": "river",
    "h": "hill",
    "^": "mountain",
    "M": "high mountain",
    "%": "swamp",
    "=": "water",
    "d": "difficult",
    "D": "very difficult",
    "#": "impassable",
    "s": "opens later",
    "z": "zone",
    "*": "City",
    "o": "town",
}
REMARKS: Final = {
    "rivers": "# Drawn only: rivers cost nothing.",
    "walls": "# Sides no track may cross, each named on one of its two hexes.",
}
BARE_KEYS: Final = ("hexes", "walls", "new_cities", "rules")
"""Tables whose keys are words of ours and stand without quotation marks; others are names of people."""
ORDER: Final[Mapping[str, tuple[str, ...]]] = {
    "hexes": ("price", "terrain", "tags"),
    "cities": ("hex", "name", "colours", "columns", "cubes", "tags"),
    "new_cities": ("colours", "columns"),
    "connections": ("name", "joins", "price", "hex", "exits", "tags"),
}
"""The keys of an entry as they are written."""
_BARE = re.compile(r"[A-Za-z0-9_-]+")
_ESCAPED: Final = {'"': r"\"", "\\": r"\\", "\n": r"\n", "\t": r"\t", "\r": r"\r", "\b": r"\b", "\f": r"\f"}


def written(raw: Mapping[str, Any]) -> str:
    """The text of a drawing without faults. What it says in which order is kept, remarks are not."""
    return "\n".join(_lines(raw)) + "\n"


def _lines(raw: Mapping[str, Any]) -> Iterator[str]:
    sketch = raw["sketch"].strip("\n").splitlines()
    signs = {sign for line in sketch for sign in line}
    yield HEAD[raw["orientation"]]
    yield "# Signs: " + "  ".join(f"{sign} {meaning}" for sign, meaning in MEANINGS.items() if sign in signs)
    for key in TEXTS:
        if key == "sketch":
            yield from ('sketch = """', *sketch, '"""')
        elif raw.get(key):
            yield f"{key} = {_value(raw[key])}"
    for table in TABLES:
        yield from table_lines(table, raw.get(table, {}))


def table_lines(table: str, entries: Mapping[str, Any]) -> Iterator[str]:
    """The lines of a table with the blank one before it; none where nothing is in it."""
    if not entries:
        return
    lists = {key: value for key, value in entries.items() if table == "rules" and _tables(value)}
    yield ""
    if table in REMARKS:
        yield REMARKS[table]
    if len(entries) > len(lists):
        yield f"[{table}]"
        for key, value in entries.items():
            if key not in lists:
                yield f"{_key(key, bare=table in BARE_KEYS)} = {_value(_ordered(table, value))}"
    for number, (key, entry) in enumerate((key, entry) for key, value in lists.items() for entry in value):
        if number or len(entries) > len(lists):
            yield ""
        yield f"[[{table}.{key}]]"
        yield from (f"{name} = {_value(one)}" for name, one in entry.items())


def _tables(value: Any) -> bool:
    return isinstance(value, list) and bool(value) and all(isinstance(one, dict) for one in value)


def entries_in_order(table: str, entries: Mapping[str, Any]) -> dict[str, Any]:
    """The entries of a table, each with its keys as they are written."""
    return {key: _ordered(table, value) for key, value in entries.items()}


def _ordered(table: str, value: Any) -> Any:
    if table not in ORDER or not isinstance(value, dict):
        return value
    return {key: value[key] for key in ORDER[table] if key in value}


def _key(key: str, *, bare: bool) -> str:
    return key if bare and _BARE.fullmatch(key) else _text(key)


def _value(value: Any) -> str:
    if isinstance(value, bool):
        return "true" if value else "false"
    if isinstance(value, str):
        return _text(value)
    if isinstance(value, list):
        return f"[{', '.join(map(_value, value))}]"
    if isinstance(value, dict):
        inner = ", ".join(f"{_key(key, bare=True)} = {_value(one)}" for key, one in value.items())
        return f"{{ {inner} }}" if inner else "{}"
    return str(value)


def _text(text: str) -> str:
    letters = (_ESCAPED.get(letter) or (letter if letter.isprintable() else _code(letter)) for letter in text)
    return f'"{"".join(letters)}"'


def _code(letter: str) -> str:
    return f"\\u{ord(letter):04X}" if ord(letter) < 0x10000 else f"\\U{ord(letter):08X}"
