"""A finished game played on from an earlier position: a copy for one person, with robots in all other seats.

The copy has the seed of its game, so its record proves its dice as well. It is in no list, and no ratings follow.
"""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import undefer

from pbem.engine import say
from pbem.robot import opponents
from pbem.service.base import NotNow, Office, queries, rate_limits, validation
from pbem.service.games import opening
from pbem.service.games.new_games import NewGame, checked
from pbem.service.turns import audit_log, entries, progress
from pbem.store.statuses import NOTES, GameStatus
from pbem.store.tables import Account, Move
from pbem.store.time_controls import NO_LIMIT

ROBOT = "clara"
"""Sits in the other seats."""
NEVER = say("You cannot play on from here.")


def begin(office: Office, game_id: str, number: int, account_id: int, now: datetime) -> str:
    """Open a copy of a finished game, in which an account orders instead of the one who gave an order; returns its id.

    Raises ``NoSuch``, :class:`NotNow` for orders of no finished game of this server, and ``TooMuch``.
    """
    stands = Move.game_id == game_id, Move.taken_back_by.is_(None), Move.cause.not_in(NOTES)
    with office.work(now) as work:
        game, seats = queries.game(work.session, game_id), queries.seats(work.session, game_id)
        if game.status != GameStatus.OVER or not game.seed or not 0 < number <= game.version:
            raise NotNow(NEVER)
        query = select(Move).where(*stands, Move.number <= number).order_by(Move.number)
        *before, last = work.session.scalars(query.options(undefer(Move.state)))
        if last.number != number or not last.seat:
            raise NotNow(NEVER)
        host, names = work.session.get_one(Account, account_id), set[str]()
        rate_limits.use(office, work.session, rate_limits.GAMES, account_id, now)
        robots = (ROBOT,) * (len(seats) - 1)
        new = NewGame(
            game.title, game.game, game.map, (), options=game.options, seed=game.seed, unlisted=True, friendly=True,
            robots=robots,
        )  # fmt: skip
        copy = opening.made(office, work, host, checked(new, True, now), new)
        for seat in seats:
            own = seat.colour == last.seat
            name = validation.distinct(host.name if own else opponents.every()[ROBOT].name, names)
            holder, robot = (account_id, "") if own else (None, ROBOT)
            opening.add_seat(copy, seat.number, name, holder, robot).colour = seat.colour
        copy.game.status, copy.game.started_at, copy.game.time_control = GameStatus.RUNNING, now, NO_LIMIT
        entries.copy(copy, before)
        audit_log.write(copy, "plays-on", seat=copy.seat(last.seat), account=host)
        progress.ask(copy, last.seat)
        return copy.game.id
