"""Finished games: the list, page by page, and records of games that were played elsewhere."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from datetime import datetime

from sqlalchemy import exists, or_, select

from pbem.service.base.office import Office
from pbem.service.reading import views
from pbem.statuses import GameStatus
from pbem.store.tables import Game, Seat
from pbem.views import ArchivePage

PER_PAGE = 20
LONGEST_FILTER = 80


def page(office: Office, *, older_than: str = "", map: str = "", player: str = "", size: int = PER_PAGE) -> ArchivePage:
    """Finished games, latest first; ``older_than`` is ``ArchivePage.older`` of the page before.

    ``map`` is a slug, ``player`` part of a player's name. A mark that is none of ours begins at the front.
    """
    query = select(Game).where(Game.status == GameStatus.OVER, Game.unlisted.is_(False))
    if map:
        query = query.where(Game.map == map[:LONGEST_FILTER])
    if player:
        named = Seat.name.icontains(player[:LONGEST_FILTER].replace("\0", ""), autoescape=True)
        query = query.where(exists().where(Seat.game_id == Game.id, named))
    if (mark := _read_mark(older_than)) is not None:
        ended, number = mark
        query = query.where(Game.ended_at <= ended, or_(Game.ended_at < ended, Game.id < number))
    with office.read() as session:
        found = query.order_by(Game.ended_at.desc(), Game.id.desc()).limit(size + 1).options(*views.RESULT)
        games = session.scalars(found).all()
        lines = views.lines(office, session, games[:size])
    return ArchivePage(lines, mark_after(games[size - 1]) if len(games) > size else "")


def mark_after(game: Game) -> str:
    """What names the page after this game."""
    assert game.ended_at is not None
    return urlsafe_b64encode(f"{game.ended_at.isoformat()} {game.id}".encode()).decode("ascii")


def _read_mark(mark: str) -> tuple[datetime, str] | None:
    try:
        ended, _, number = urlsafe_b64decode(mark[:LONGEST_FILTER].encode()).decode("ascii").partition(" ")
        time = datetime.fromisoformat(ended)
    except (Base64Error, ValueError):
        return None
    return (time, number) if time.tzinfo is not None else None
