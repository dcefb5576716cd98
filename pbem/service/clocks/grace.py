"""The grace time after orders, in which their sender alone may take them back and the next player is not told."""

from collections.abc import Sequence
from datetime import datetime, timedelta

from pbem.engine.events import Event
from pbem.service.base import GameWork
from pbem.store.statuses import MoveCause
from pbem.store.tables import Game, Move

GRACE = timedelta(minutes=10)
"""What a host gets who chooses nothing."""
LONGEST_GRACE = timedelta(hours=24)


def reveals(chance: Sequence[object], events: Sequence[Event]) -> bool:
    """Whether orders rolled or drew something, or showed somebody what others may not see: they stand for good."""
    return bool(chance) or any(event.seen_by() is not None for event in events)


def until(game: Game, cause: MoveCause, revealed: bool, now: datetime) -> datetime | None:
    """When the grace time of orders that were just played is over; ``None`` when they have none."""
    if cause != MoveCause.PLAYER or revealed or not game.grace_seconds:
        return None
    return now + timedelta(seconds=game.grace_seconds)


def runs(game: Game, now: datetime) -> bool:
    """Whether the last orders can still be taken back by their sender alone."""
    return game.grace_until is not None and now < game.grace_until


def sender(work: GameWork) -> str:
    """The seat whose grace time runs: that of the last entry of the log."""
    return work.session.get_one(Move, (work.game.id, work.game.version)).seat


def wait(game: Game, sender: str, asked: str, now: datetime) -> timedelta:
    """How long the question to the next player is held back; a player who is asked again is told at once."""
    if game.grace_until is None or sender == asked:
        return timedelta(0)
    return max(game.grace_until - now, timedelta(0))
