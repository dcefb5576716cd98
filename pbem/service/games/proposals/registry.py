"""Finds the kinds of vote: every class with a kind in the modules of this package."""

from collections.abc import Mapping
from functools import cache

import pbem.service.games.proposals as package
from pbem.service.base import declared
from pbem.service.games.proposals.declaration import Proposal
from pbem.store.tables import Vote


@cache
def every() -> Mapping[str, type[Proposal]]:
    return declared.classes(package, Proposal)


def of(vote: Vote) -> Proposal:
    return every()[vote.kind].read(vote.proposal)


def offered() -> tuple[type[Proposal], ...]:
    """Those that the page of a game's people has a button for, by name."""
    return tuple(kind for _, kind in sorted(every().items()) if kind.button is not None)
