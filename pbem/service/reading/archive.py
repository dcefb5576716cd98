"""Finished games: the list, page by page, and records of games that were played elsewhere."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import CTE, ColumnElement, exists, func, or_, select
from sqlalchemy.orm import Session

from pbem.service.base.office import Office
from pbem.service.reading import views
from pbem.statuses import GameStatus
from pbem.store.tables import Game, Seat
from pbem.views import ArchivePage

PER_PAGE = 20
LONGEST_FILTER = 80
FEW_GAMES = 500
"""So many are asked for by their ids."""


def page(office: Office, *, older_than: str = "", map: str = "", player: str = "", size: int = PER_PAGE) -> ArchivePage:
    """Finished games, latest first; ``older_than`` is ``ArchivePage.older`` of the page before.

    ``map`` is a slug, ``player`` part of a player's name. A mark that is none of ours begins at the front.
    """
    query = select(Game).where(Game.status == GameStatus.OVER, Game.unlisted.is_(False))
    if map:
        query = query.where(Game.map == map[:LONGEST_FILTER])
    if (mark := _read_mark(older_than)) is not None:
        ended, number = mark
        query = query.where(Game.ended_at <= ended, or_(Game.ended_at < ended, Game.id < number))
    with office.read() as session:
        if player:
            if (played := _played_by(session, player)) is None:
                return ArchivePage((), "")
            query = query.where(played)
        found = query.order_by(Game.ended_at.desc(), Game.id.desc()).limit(size + 1).options(*views.RESULT)
        games = session.scalars(found).all()
        elsewhere = _elsewhere(session, [game.id for game in games[:size]])
        found_lines = views.lines(office, session, games[:size])
        lines = tuple(replace(line, imported=line.id in elsewhere) for line in found_lines)
    return ArchivePage(lines, mark_after(games[size - 1]) if len(games) > size else "")


def _elsewhere(session: Session, game_ids: Sequence[str]) -> frozenset[str]:
    """Which of these games are records of games that were played elsewhere; the records are not read for it."""
    query = select(Game.id).where(Game.id.in_(game_ids), Game.imported.is_not(None))
    return frozenset(session.scalars(query))


def _played_by(session: Session, player: str) -> ColumnElement[bool] | None:
    """Whether somebody plays in a game whose name has this part; ``None`` when nobody is called so.

    Names are far fewer than seats and are looked through first. Games of those who played little are found from their
    names; those of all others soon turn up when games are looked through, latest first.
    """
    every = _every_name().c.name
    wanted = select(every).where(every.icontains(player[:LONGEST_FILTER].replace("\0", ""), autoescape=True))
    names = session.scalars(wanted).all()
    games = (
        session.scalars(select(Seat.game_id).where(Seat.name.in_(names)).limit(FEW_GAMES + 1)).all() if names else ()
    )
    if len(games) <= FEW_GAMES:
        return Game.id.in_(games) if games else None
    return exists().where(Seat.game_id == Game.id, Seat.name.in_(names))


def _every_name() -> CTE:
    """The names of all seats, each once: from one to the next in the index, not through all seats."""
    first = select(func.min(Seat.name).label("name")).cte("each_name", recursive=True)
    following = select(func.min(Seat.name)).where(Seat.name > first.c.name).scalar_subquery()
    return first.union_all(select(following).where(first.c.name.is_not(None)))


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
