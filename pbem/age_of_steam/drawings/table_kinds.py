"""What a key of the table ``[rules]`` may be, and the sentence for one that is something else."""

from collections.abc import Callable, Mapping
from typing import Any, Protocol

from pbem.engine import Say, Value, say
from pbem.engine.reading import shown


class NotThis(Exception):
    """A value that cannot be used; ``wanted``: what is possible."""

    def __init__(self, key: str, wanted: Say) -> None:
        self.sentence = say("The rule {key} must be {wanted}.", key=shown(key), wanted=wanted)
        super().__init__(str(self.sentence))


class Kind(Protocol):
    def read(self, key: str, value: Any) -> Any:
        """The value as the table keeps it. Raises :class:`NotThis`."""


class Whole(Value):
    least: int
    most: int

    def read(self, key: str, value: Any) -> int:
        if type(value) is not int or not self.least <= value <= self.most:
            raise NotThis(key, say("a whole number from {a} to {b}", a=self.least, b=self.most))
        return value


class Flag(Value):
    def read(self, key: str, value: Any) -> bool:
        if not isinstance(value, bool):
            raise NotThis(key, say("true or false"))
        return value


class OneOf(Value):
    words: tuple[str, ...]

    def read(self, key: str, value: Any) -> str:
        if not isinstance(value, str) or value not in self.words:
            raise NotThis(key, say("one of these words: {words}", words=", ".join(f"“{word}”" for word in self.words)))
        return value


class HexLabel(Value):
    def read(self, key: str, value: Any) -> str:
        if not isinstance(value, str):
            raise NotThis(key, say("a hex in quotation marks, such as “{hex}”", hex="K4"))
        return value


class ListOf(Value):
    """A list of ``least`` to ``most`` values; with ``once`` none of them twice."""

    kind: Kind
    most: int
    least: int = 0
    once: bool = False

    def read(self, key: str, value: Any) -> tuple[Any, ...]:
        if not isinstance(value, list) or not self.least <= len(value) <= self.most:
            raise NotThis(key, say("a list of {a} to {b} values in brackets", a=self.least, b=self.most))
        read = tuple(self.kind.read(key, one) for one in value)
        if self.once and len(set(read)) < len(read):
            raise NotThis(key, say("a list without a value twice"))
        return read


class Range(Value):
    """Two numbers, the smaller one first."""

    least: int
    most: int

    def read(self, key: str, value: Any) -> tuple[int, int]:
        first, last = ListOf(Whole(self.least, self.most), least=2, most=2).read(key, value)
        if first > last:
            raise NotThis(key, say("two numbers, the smaller one first"))
        return first, last


class Turns(Value):
    """How long the game is by the number of players; 0 for no last turn."""

    def read(self, key: str, value: Any) -> dict[int, int | None]:
        if not isinstance(value, dict) or not value or not set(value) <= set("123456"):
            raise NotThis(key, say("a table by the number of players, such as {example}", example="{ 3 = 9, 4 = 8 }"))
        return {int(n): Whole(0, 15).read(f"{key}.{n}", turns) or None for n, turns in value.items()}


class Each(Value):
    """A table with a value for some of these names."""

    names: tuple[str, ...]
    kind: Kind

    def read(self, key: str, value: Any) -> dict[str, Any]:
        if not isinstance(value, dict) or not set(value) <= set(self.names):
            raise NotThis(key, say("a table with these names: {words}", words=", ".join(self.names)))
        return {name: self.kind.read(f"{key}.{name}", one) for name, one in value.items()}


class Named(Value):
    """A table that makes a value; ``needs``: the keys that may not be missing."""

    make: Callable[..., Any]
    kinds: Mapping[str, Kind]
    needs: tuple[str, ...] = ()

    def read(self, key: str, value: Any) -> Any:
        if not isinstance(value, dict) or not set(self.needs) <= set(value) <= set(self.kinds):
            raise NotThis(key, say("a table with these names: {words}", words=", ".join(self.kinds)))
        return self.make(**{name: self.kinds[name].read(f"{key}.{name}", one) for name, one in value.items()})
