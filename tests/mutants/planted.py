"""A change made real in this process: in functions that are loaded already, or before anything is loaded."""

import gc
import importlib.machinery
import tomllib
from collections import defaultdict
from collections.abc import Iterator
from pathlib import Path
from types import CodeType, FunctionType
from typing import Any

from tests.mutants.planting import Change

Place = tuple[str, str, int]
"""File, qualified name and first line of a function."""


class Loaded:
    """The functions of this process by their place. Look once, then fork."""

    def __init__(self) -> None:
        self._functions: dict[Place, list[FunctionType]] = defaultdict(list)
        gc.unfreeze()  # what was there when tests were collected is told too
        for found in gc.get_objects():
            if isinstance(found, FunctionType):
                self._functions[_place(found.__code__)].append(found)

    def plant(self, change: Change) -> bool:
        """Give the changed code to the functions that have it; false where that cannot be done."""
        for code in _codes(change.compiled()):
            if code.co_qualname == change.scope:
                functions = self._functions.get(_place(code), [])
                if not functions or any(function.__code__.co_freevars != code.co_freevars for function in functions):
                    return False
                for function in functions:
                    function.__code__ = code
        return True


def _place(code: CodeType) -> Place:
    return code.co_filename, code.co_qualname, code.co_firstlineno


def _codes(code: CodeType) -> Iterator[CodeType]:
    """All code in ``code``, but nothing within functions."""
    for constant in code.co_consts:
        if isinstance(constant, CodeType):
            yield constant
            if not constant.co_flags & 1:  # CO_OPTIMIZED: a function, not the body of a class
                yield from _codes(constant)


def plant_before_loading(change: Change) -> None:
    """Whoever loads the file from now on gets the changed text."""
    if change.path.endswith(".toml"):
        _plant_table(change)
    else:
        _plant_module(change)


def _plant_table(change: Change) -> None:
    text, loads = Path(change.path).read_text("utf-8"), tomllib.loads

    def changed(given: str, /, **more: Any) -> dict[str, Any]:
        return loads(change.source if given == text else given, **more)

    tomllib.loads = changed


def _plant_module(change: Change) -> None:
    path, get_code = str(Path(change.path).resolve()), importlib.machinery.SourceFileLoader.get_code

    def changed(self: importlib.machinery.SourceFileLoader, fullname: str) -> CodeType | None:
        if self.path == path:
            return change.compiled()
        return get_code(self, fullname)

    importlib.machinery.SourceFileLoader.get_code = changed  # type: ignore[assignment, method-assign]
