"""Who may look at a game: everybody, or where it is not listed its people and those with the link of spectators."""

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.service.base import Office, queries
from pbem.service.base.tokens import BadToken, WatchClaim
from pbem.service.turns import audit_log
from pbem.store.statuses import SeatStatus
from pbem.store.tables import Game, Seat


def may_look(office: Office, game_id: str, account_id: int | None) -> bool:
    """Whether somebody may open a game by its plain address. Raises ``NoSuch``."""
    with office.read() as session:
        game = queries.game(session, game_id)
        return not game.unlisted or (account_id is not None and _belongs(session, game, account_id))


def hosts(office: Office, game_id: str, account_id: int) -> bool:
    """Whether somebody is the host of a game. Raises ``NoSuch``."""
    with office.read() as session:
        return queries.game(session, game_id).host_id == account_id


def watched(office: Office, claim: WatchClaim) -> str:
    """The game a link of spectators shows. Raises ``BadToken`` when the host has made the link void."""
    with office.read() as session:
        game = queries.game(session, claim.game)
        if not game.watch_key or game.watch_key != claim.key:
            raise BadToken
        return game.id


def key_of(office: Office, game_id: str) -> tuple[str, ...]:
    """The key in the link of spectators, nothing while there is none."""
    with office.read() as session:
        key = queries.game(session, game_id).watch_key
        return (key,) if key else ()


def open_link(office: Office, game_id: str, host_id: int, now: datetime) -> str:
    """Create a link for spectators, or give the one there is. Raises :class:`NotNow` for others than the host."""
    with office.game(game_id, now) as work:
        game, host = work.game, work.host(host_id)
        if not game.watch_key:
            game.watch_key = office.secret(9)
            audit_log.write(work, "watch-on", seat=work.seat_of(host_id), account=host)
        return office.addresses.watch(game.id, game.watch_key)


def close_link(office: Office, game_id: str, host_id: int, now: datetime) -> None:
    """Revoke the link. Raises :class:`NotNow` for others than the host."""
    with office.game(game_id, now) as work:
        game, host = work.game, work.host(host_id)
        if game.watch_key:
            game.watch_key = ""
            audit_log.write(work, "watch-off", seat=work.seat_of(host_id), account=host)


def _belongs(session: Session, game: Game, account_id: int) -> bool:
    seat = select(Seat.id).where(
        Seat.game_id == game.id, Seat.account_id == account_id, Seat.status != SeatStatus.DECLINED
    )
    return game.host_id == account_id or session.scalar(seat) is not None
