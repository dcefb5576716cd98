"""The operator of the server cancels a game, whatever its players want.

One that has not started is cancelled as its host could do it. One that is played ends at once as by vote: it goes to
the archive with the standings so far, counts for no rating, and in a league as it stands.
"""

from datetime import datetime

from sqlalchemy import func, or_, select

from pbem.engine import Sheet, Value, catalog, say
from pbem.service.base import NotNow, Office, queries, validation
from pbem.service.games import ending, opening
from pbem.service.operator import operating
from pbem.service.turns import audit_log
from pbem.store.statuses import LIVING, GameStatus
from pbem.store.tables import Game, LeagueGame


class Cancelling(Value):
    """A game that can be cancelled. ``league``: whether it is played in one."""

    id: str
    title: str
    sheet: Sheet
    status: str
    turn: int
    players: tuple[str, ...]
    league: bool

    @property
    def started(self) -> bool:
        return self.status != GameStatus.OPEN


def find(office: Office, words: str, most: int) -> tuple[Cancelling, ...]:
    """Games with this id or this text in their title that are not over, newest first, at most so many."""
    wanted = validation.one_line(words).lower()
    if not wanted:
        return ()
    there = or_(Game.id == wanted, func.lower(Game.title).contains(wanted, autoescape=True))
    query = select(Game.id).where(there, Game.status.in_(LIVING)).order_by(Game.opened_at.desc(), Game.id).limit(most)
    with office.read() as session:
        found = session.scalars(query).all()
    return tuple(look(office, game_id) for game_id in found)


def look(office: Office, game_id: str) -> Cancelling:
    """The game as it is now. Raises :class:`NoSuch`, and :class:`NotNow` for one that is over."""
    with office.read() as session:
        game = queries.game(session, game_id)
        _refuse(game)
        return Cancelling(
            id=game.id,
            title=game.title,
            sheet=catalog.sheet(game.game, game.map),
            status=game.status,
            turn=game.turn,
            players=tuple(seat.name for seat in queries.seats(session, game.id) if seat.name),
            league=session.scalar(select(LeagueGame.id).where(LeagueGame.game_id == game.id).limit(1)) is not None,
        )


def cancel(office: Office, game_id: str, now: datetime) -> None:
    """Cancel a game; everybody in it gets an email. Raises :class:`NoSuch`; :class:`NotNow` for one that is over."""
    with office.game(game_id, now) as work:
        _refuse(work.game)
        if work.game.status == GameStatus.OPEN:
            opening.call_off(work, None)
        else:
            audit_log.write(work, "operator-cancels")
            ending.close(work, by_operator=True)
        operating.write_down_if_known(work.session, office.settings.operator, "cancels", 0, now)


def _refuse(game: Game) -> None:
    if game.status not in LIVING:
        raise NotNow(say("This game is over."))
