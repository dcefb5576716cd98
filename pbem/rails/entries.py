"""What the tables of a drawing are read with: every entry as far as it can be used, and a fault where it cannot."""

import re
from collections.abc import Callable, Iterator, Mapping
from typing import Any, Final

from pbem.engine import Say, say
from pbem.engine.faults import Fault
from pbem.engine.reading import shown
from pbem.rails.board import Label
from pbem.rails.names import folded, looks_like_label

COLOURS: Final = ("red", "blue", "purple", "yellow", "black", "white")
COLUMNS: Final = tuple(f"{half}{n}" for half in "LD" for n in range(1, 7))
NO_WORD: Final = re.compile(r'[;#"“”„‟«»<>|,@()\[\]{}\\]')
"""What ends a name in orders, or has a meaning of its own there."""


class Entries:
    """The tables of a drawing; ``signs``: what its sketch has, by hex."""

    signs: Mapping[Label, str]

    def __init__(self, raw: Mapping[str, Any]) -> None:
        self.raw = raw
        self.faults: list[Fault] = []

    def wrong(self, sentence: Say, hex_: object = None) -> None:
        self.faults.append(Fault(sentence, hex_ if isinstance(hex_, str) and hex_ in self.signs else None))

    def table(self, key: str) -> dict[str, Any]:
        table = self.raw.get(key, {})
        if isinstance(table, dict):
            return table
        self.wrong(say("[{key}] must be a table.", key=key))
        return {}

    def entries(self, table: str, keys: tuple[str, ...]) -> Iterator[tuple[str, dict[str, Any]]]:
        """The entries of a table that are tables with these keys."""
        for name, raw in self.table(table).items():
            if not isinstance(raw, dict):
                self.wrong(say("{name} in [{table}] must be written in braces.", name=shown(name), table=table))
                continue
            hex_ = raw.get("hex", name)
            hex_ = hex_[0] if isinstance(hex_, list) and hex_ else hex_
            for key in raw:
                if key not in keys:
                    self.wrong(say("{name}: there is no key “{key}”.", name=shown(name), key=shown(key)), hex_)
            yield name, raw

    def words(self, name: str, raw: Mapping[str, Any], key: str, hex_: Label | None = None) -> tuple[str, ...]:
        value = raw.get(key, [])
        if isinstance(value, list) and all(isinstance(one, str) for one in value):
            return tuple(value)
        self.wrong(say("{name}: {key} must be a list of words in brackets.", name=shown(name), key=key), hex_)
        return ()

    def colours(self, name: str, raw: Mapping[str, Any], hex_: Label | None = None) -> tuple[str, ...]:
        colours = self.words(name, raw, "colours", hex_)
        for colour in colours:
            if colour not in COLOURS:
                self.wrong(
                    say(
                        "{name}: there are no “{colour}” cubes. There are {colours}.",
                        name=shown(name),
                        colour=shown(colour),
                        colours=", ".join(COLOURS),
                    ),
                    hex_,
                )
        return colours

    def columns(self, name: str, raw: Mapping[str, Any], hex_: Label | None = None) -> tuple[str, ...]:
        columns = self.words(name, raw, "columns", hex_)
        for column in columns:
            if column not in COLUMNS:
                self.wrong(
                    say(
                        "{name}: there is no column {column} of the goods display.",
                        name=shown(name),
                        column=shown(column),
                    ),
                    hex_,
                )
        return columns

    def number(
        self, raw: Mapping[str, Any], key: str, most: int, wrong: Callable[[str], Say], hex_: Label | None
    ) -> int:
        value = raw.get(key, 0)
        if type(value) is int and 0 <= value <= most:
            return value
        self.wrong(wrong(shown(str(value))), hex_)
        return 0

    def name(self, name: str, hex_: Label | None) -> None:
        """A name that orders can hold and that is no hex."""
        if not folded(name) or not name.isprintable() or NO_WORD.search(name):
            self.wrong(
                say("The name “{name}” cannot stand in orders. Give the place another one.", name=shown(name)), hex_
            )
        elif looks_like_label(name):
            self.wrong(say("“{name}” looks like a hex. Give the place another name.", name=name), hex_)
