"""A game of five on the Rust Belt in its last two turns, for benchmarks and for limits on what a turn costs.

It is played order by order through the service, so that every row is there which a server would have by then. The
seed is that of its record: the orders that follow are known, and are the same in every run.
"""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import update

from pbem.engine import catalog
from pbem.engine.record import Entry, Record
from pbem.service import Office
from pbem.service.base.tokens import InvitationClaim
from pbem.service.games import opening, views
from pbem.service.orders import submissions
from pbem.store.statuses import Sending
from pbem.store.tables import Letter
from tests.playthroughs.telling import GAMES, SUFFIX, load

KEPT = "rust_belt-5-to-the-last-turn-2"
NAMES = ("ann", "ben", "cleo", "dan", "eva")


@dataclass(frozen=True, slots=True)
class LateGame:
    """The id of the game, its version, and the orders that are still to come."""

    id: str
    version: int
    orders: tuple[Entry, ...]


def kept() -> Record:
    return load(GAMES / f"{KEPT}{SUFFIX}").record


def late_game(office: Office, at: datetime, record: Record | None = None) -> LateGame:
    """Play a game to the first order of its last turn but one; the letters so far count as sent."""
    record = record or kept()
    late = max(entry.turn for entry in record.turns) - 1
    early = [entry for entry in record.turns if entry.turn < late]
    game = opened(office, record, at)
    play(office, game, early, at)
    with office.database.write() as session:
        session.execute(update(Letter).values(status=Sending.SENT, sent_at=at))
    return LateGame(game, len(early), record.turns[len(early) :])


def opened(
    office: Office, record: Record, at: datetime, names: Sequence[str] = NAMES, title: str = "Late in the game"
) -> str:
    """A game with the seed of a record and these people, who have all accepted; its id."""
    offered = {option.key for option in catalog.sheet(record.game, record.map).options()}  # some are kept for old games
    new = opening.NewGame(
        title=title,
        game=record.game,
        map=record.map,
        players=tuple(opening.Invited(f"{name.lower()}@example.org", name.capitalize()) for name in names),
        options={key: value for key, value in record.options.items() if key in offered},
        grace=timedelta(0),
        seed=record.seed,
    )
    game = opening.open_game(office, None, new, at)
    for number in range(len(names)):
        opening.answer(office, InvitationClaim(game, number), True, at)
    return game


def play(office: Office, game: str, orders: Sequence[Entry], at: datetime, first: int = 0) -> None:
    """The orders of a record, the first of which has this number."""
    for version, entry in enumerate(orders, first):
        new = submissions.NewSubmission(entry.player, entry.orders, version, "page")
        submissions.submit(office, game, new, at)
        submissions.play_waiting(office, game, at)
    if (reached := views.game(office, game).version) != first + len(orders):
        raise RuntimeError(f"the kept game is no longer played as it was: it stops at order {reached}")
