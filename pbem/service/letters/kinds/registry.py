"""Finds the kinds of letter: every class with a name in the modules of this package."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Callable, Iterator, Mapping
from functools import cache
from types import ModuleType

import pbem.service.letters.kinds as package
from pbem.engine.text import Say, say
from pbem.service.letters.kinds.declaration import LetterKind
from pbem.store.tables import Letter


@cache
def every() -> Mapping[str, type[LetterKind]]:
    found = pkgutil.iter_modules(package.__path__, f"{package.__name__}.")
    return {kind.kind: kind for module in found for kind in _declared_in(importlib.import_module(module.name))}


def named(name: str) -> type[LetterKind]:
    """A kind of letter. Raises ``ValueError`` when there is none of this name."""
    if name not in every():
        raise ValueError(f"there is no letter {name!r}")
    return every()[name]


def of(letter: Letter) -> LetterKind:
    """The kind of a letter with what this one stores. Raises ``ValueError`` for a row of no kind."""
    return named(letter.kind).read(letter.data)


def names(which: Callable[[type[LetterKind]], bool]) -> tuple[str, ...]:
    return tuple(name for name, kind in every().items() if which(kind))


def title(name: str) -> Say:
    """What a kind is called in the delivery log; one that is not known stands for itself."""
    return every()[name].title if name in every() else say("{kind}", kind=name)


def _declared_in(module: ModuleType) -> Iterator[type[LetterKind]]:
    """The classes of a module that have a name, without those that it imports."""
    own = (value for value in vars(module).values() if getattr(value, "__module__", None) == module.__name__)
    kinds = (value for value in own if isinstance(value, type) and issubclass(value, LetterKind))
    return (kind for kind in kinds if "kind" in vars(kind))
