"""Finds the kinds of vote: every class with a kind in the modules of this package."""

from __future__ import annotations

import importlib
import pkgutil
from collections.abc import Iterator, Mapping
from functools import cache
from types import ModuleType

import pbem.service.games.proposals as package
from pbem.service.games.proposals.declaration import Proposal
from pbem.store.tables import Vote


@cache
def every() -> Mapping[str, type[Proposal]]:
    """All kinds of vote by their names."""
    found = pkgutil.iter_modules(package.__path__, f"{package.__name__}.")
    return {kind.kind: kind for module in found for kind in _declared_in(importlib.import_module(module.name))}


def of(vote: Vote) -> Proposal:
    """What a vote is about."""
    return every()[vote.kind].read(vote.proposal)


def offered() -> tuple[type[Proposal], ...]:
    """Those that the page of a game's people has a button for, by name."""
    return tuple(kind for _, kind in sorted(every().items()) if kind.button is not None)


def _declared_in(module: ModuleType) -> Iterator[type[Proposal]]:
    """The classes of a module that have a kind, without those that it imports."""
    own = (value for value in vars(module).values() if getattr(value, "__module__", None) == module.__name__)
    proposals = (value for value in own if isinstance(value, type) and issubclass(value, Proposal))
    return (proposal for proposal in proposals if "kind" in vars(proposal))
