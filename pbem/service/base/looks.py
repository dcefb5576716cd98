"""One look at the database: a session that only reads, in which what is asked again comes from what was read before.

Pages ask many functions of the service, and most of them begin with the game and its seats. Outside of one look
everything here reads as if it were not there.
"""

from __future__ import annotations

from collections.abc import Callable
from typing import TypeVar

from sqlalchemy.orm import Session

from pbem.store.database import ReadSession

KNOWN = "pbem.known"
T = TypeVar("T")


def begin(session: ReadSession) -> None:
    """Let this session read everything once, and keep it."""
    session.info[KNOWN] = {}
    session.kept = []


def once(session: Session, key: tuple[object, ...], read: Callable[[], T]) -> T:
    """What ``read`` gives, in one look read once for a key."""
    known: dict[tuple[object, ...], T] | None = session.info.get(KNOWN)
    if known is None:
        return read()
    if key not in known:
        known[key] = read()
    return known[key]
