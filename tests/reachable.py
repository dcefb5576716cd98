"""Everything that can be reached from a value: what a template could print, if somebody wrote it so."""

from collections.abc import Iterator, Mapping
from datetime import date, time, timedelta, tzinfo
from enum import Enum
from types import BuiltinFunctionType, FunctionType, MethodType, ModuleType

LEAVES = (str, bytes, int, float, complex, type(None), date, time, timedelta, tzinfo, Enum, type, ModuleType)


def reachable(root: object) -> Iterator[tuple[str, object]]:
    """Every object that fields, slots, properties, items, closures and bound methods lead to, with its way there."""
    seen, waiting = set[int](), [("", root)]
    kept: list[object] = []  # what properties make has to live, or the next thing may have its identity
    while waiting:
        way, thing = waiting.pop()
        if id(thing) in seen and not isinstance(thing, LEAVES):
            continue
        seen.add(id(thing))
        kept.append(thing)
        yield way, thing
        if not isinstance(thing, LEAVES):
            waiting += [(f"{way}{step}", value) for step, value in _parts(thing)]


def _parts(thing: object) -> Iterator[tuple[str, object]]:
    match thing:
        case Mapping():
            yield from ((f"[{key!r}]", value) for key, value in thing.items())
            yield from ((f" key {number}", key) for number, key in enumerate(thing))
        case list() | tuple() | set() | frozenset():
            yield from ((f"[{number}]", value) for number, value in enumerate(thing))
        case MethodType():
            yield ".__self__", thing.__self__
        case FunctionType():
            cells = thing.__closure__ or ()
            yield from ((f" closure {number}", cell.cell_contents) for number, cell in enumerate(cells))
            yield from ((f" default {number}", value) for number, value in enumerate(thing.__defaults__ or ()))
        case BuiltinFunctionType():
            return
        case _:
            yield from _attributes(thing)


def _attributes(thing: object) -> Iterator[tuple[str, object]]:
    names = dict.fromkeys(getattr(thing, "__dict__", ()))
    for kind in type(thing).__mro__:
        slots = kind.__dict__.get("__slots__", ())
        names |= dict.fromkeys([slots] if isinstance(slots, str) else slots)
        names |= dict.fromkeys(name for name, value in vars(kind).items() if isinstance(value, property))
    for name in names:
        if not name.startswith("__") and hasattr(thing, name):
            yield f".{name}", getattr(thing, name)
