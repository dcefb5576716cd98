"""A game of five on the Rust Belt in its last two turns, for benchmarks and for limits on what a turn costs.

It is one of the kept games, played order by order through the service, so that every row is there which a server
would have by then. Its seed is that of the record: the orders that follow are known, and are the same in every run.
"""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import update

from pbem.engine.record import Entry, Record
from pbem.service import Office
from pbem.service.base.tokens import InvitationClaim
from pbem.service.reading import views
from pbem.service.table import opening, submissions
from pbem.statuses import Sending
from pbem.store.tables import Letter
from tests.playthroughs.telling import GAMES, SUFFIX, load

KEPT = "rust_belt-5-to-the-last-turn-2"
LATE = 6
"""The first of the last two turns of seven."""
NAMES = ("ann", "ben", "cleo", "dan", "eva")


@dataclass(frozen=True, slots=True)
class LateGame:
    """The id of the game, and the orders that are still to come."""

    id: str
    orders: tuple[Entry, ...]


def record() -> Record:
    """The kept game."""
    return load(GAMES / f"{KEPT}{SUFFIX}").record


def late_game(office: Office, at: datetime, turn: int = LATE) -> LateGame:
    """Play the kept game until the first order of this turn; its letters so far count as sent."""
    kept = record()
    new = opening.NewGame(
        title="Late in the game",
        game=kept.game,
        map=kept.map,
        players=tuple(opening.Invited(f"{name}@example.org", name.capitalize()) for name in NAMES),
        options=dict(kept.options),
        grace=timedelta(0),
        seed=kept.seed,
    )
    game = opening.open_game(office, None, new, at)
    for number in range(len(NAMES)):
        opening.answer(office, InvitationClaim(game, number), True, at)
    early = [entry for entry in kept.turns if entry.turn < turn]
    play(office, game, early, at)
    with office.database.write() as session:
        session.execute(update(Letter).values(status=Sending.SENT, sent_at=at))
    return LateGame(game, kept.turns[len(early) :])


def play(office: Office, game: str, orders: Sequence[Entry], at: datetime) -> None:
    """Take in and play these orders; raises ``RuntimeError`` when one is not played."""
    first = views.game(office, game).version
    for version, entry in enumerate(orders, first):
        new = submissions.NewSubmission(entry.player, entry.orders, version, "page")
        submissions.submit(office, game, new, at)
        submissions.play_waiting(office, game, at)
    if (reached := views.game(office, game).version) != first + len(orders):
        raise RuntimeError(f"{KEPT} is no longer played as it was: it stops at order {reached}")
