"""Finished games: the list, page by page, and records of games that were played elsewhere."""

from __future__ import annotations

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from collections.abc import Sequence
from dataclasses import replace
from datetime import datetime

from sqlalchemy import CTE, ColumnElement, exists, func, or_, select
from sqlalchemy.orm import InstrumentedAttribute, Session

from pbem.service.base.office import Office
from pbem.service.reading import views
from pbem.statuses import GameStatus
from pbem.store.tables import Game, Seat
from pbem.views import ArchivePage

PER_PAGE = 20
LONGEST_FILTER = 80
FEW_GAMES = 500
"""So many are asked for by their ids."""
MOST_NAMES = 10_000
"""Names and titles that are looked for, at the most: databases take about 30,000 values in a query."""


def page(office: Office, *, older_than: str = "", map: str = "", text: str = "", size: int = PER_PAGE) -> ArchivePage:
    """Finished games, latest first; ``older_than`` is ``ArchivePage.older`` of the page before.

    ``map`` is a slug, ``text`` part of a player's name or of the title of a game. A mark that is none of ours begins at
    the front.
    """
    query = select(Game).where(Game.status == GameStatus.OVER, Game.unlisted.is_(False))
    if map:
        query = query.where(Game.map == map[:LONGEST_FILTER])
    if (mark := _read_mark(older_than)) is not None:
        ended, number = mark
        query = query.where(Game.ended_at <= ended, or_(Game.ended_at < ended, Game.id < number))
    with office.read() as session:
        if text:
            if (called := _called(session, text)) is None:
                return ArchivePage((), "")
            query = query.where(called)
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


def _called(session: Session, text: str) -> ColumnElement[bool] | None:
    """Whether the title of a game, or the name of somebody who plays in it, has this part; ``None`` when none has.

    Names and titles are looked through first, each once. Few games are found by their ids; where there are more, they
    soon turn up when games are looked through, latest first.
    """
    names, titles = (_with_part(session, column, text) for column in (Seat.name, Game.title))
    games = [
        *(session.scalars(select(Seat.game_id).where(Seat.name.in_(names)).limit(FEW_GAMES + 1)) if names else ()),
        *(session.scalars(select(Game.id).where(Game.title.in_(titles)).limit(FEW_GAMES + 1)) if titles else ()),
    ]
    if len(games) <= FEW_GAMES:
        return Game.id.in_(games) if games else None
    plays = exists().where(Seat.game_id == Game.id, Seat.name.in_(names))
    return or_(plays, Game.title.in_(titles))


def _with_part(session: Session, column: InstrumentedAttribute[str], text: str) -> Sequence[str]:
    """The names or titles that have this part, at most as many as a query takes."""
    every = _every(column).c.name
    wanted = select(every).where(every.icontains(text[:LONGEST_FILTER].replace("\0", ""), autoescape=True))
    return session.scalars(wanted.limit(MOST_NAMES)).all()


def _every(column: InstrumentedAttribute[str]) -> CTE:
    """All there are, each once: from one to the next in the index, not through all rows."""
    first = select(func.min(column).label("name")).cte(f"each_{column.key}", recursive=True)
    following = select(func.min(column)).where(column > first.c.name).scalar_subquery()
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
