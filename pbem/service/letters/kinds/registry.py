"""Finds the kinds of letter: every class with a name in the modules of this package."""

from collections.abc import Callable, Mapping
from functools import cache

import pbem.service.letters.kinds as package
from pbem.engine.text import Say, say
from pbem.service.base import declared
from pbem.service.letters.kinds.declaration import LetterKind
from pbem.store.tables import Letter


@cache
def every() -> Mapping[str, type[LetterKind]]:
    return declared.classes(package, LetterKind)


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
