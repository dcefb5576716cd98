"""Finished games: the list, page by page, and records of games that were played elsewhere."""

from base64 import urlsafe_b64decode, urlsafe_b64encode
from binascii import Error as Base64Error
from collections.abc import Iterator, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import CTE, ColumnElement, Select, exists, func, literal_column, or_, select, true
from sqlalchemy.orm import InstrumentedAttribute, Session

from pbem.engine import Value, replace
from pbem.service.base import Office
from pbem.service.games import game_lists
from pbem.store.statuses import GameStatus
from pbem.store.tables import CountedGame, Game, Seat
from pbem.views.games import ArchivePage, GameLine

PER_PAGE = 20
LONGEST_FILTER = 80
FEW_GAMES = 500
"""So many are asked for by their ids."""
FEW_TO_SORT = 3_000
"""So many games are sorted at once."""
MOST_POINTS = 2**31
"""No figure of a game is larger; databases do not take larger ones."""
MOST_COUNTED = 1_000
"""How many games there are is counted so far; nobody looks through more."""
MOST_NAMES = 10_000
"""Names and titles that are looked for, at the most: databases take about 30,000 values in a query."""


class Wanted(Value):
    """Which finished games are wanted, and in which order (a key of :data:`ORDERS`, else the latest first).

    ``map`` is a slug, ``text`` part of a player's name or of the title of a game, ``players`` their number, 0: any;
    ``account``: somebody who plays in them, 0: anybody.
    """

    map: str = ""
    text: str = ""
    players: int = 0
    order: str = ""
    account: int = 0


class _Order(Value):
    """By which figure of a counted game, and whether the largest comes first."""

    by: InstrumentedAttribute[Any]
    falling: bool = True


class _Called(Value):
    """A condition on the name of a game or a player; ``few``: it costs little to look at all games that fulfil it."""

    condition: ColumnElement[bool]
    few: bool


LISTED = Game.unlisted.is_(False)
IS_OVER = Game.status == literal_column(f"'{GameStatus.OVER}'")
"""Both stand in statements as they stand in migration 0025: the indexes of finished games hold no others, so games are
listed and counted without a look at their rows, and databases see that before they are told any value."""
ANY_NAME = _Called(true(), few=True)
ORDERS = {
    "longest": _Order(CountedGame.orders),
    "highest": _Order(CountedGame.best),
    "closest": _Order(CountedGame.margin, falling=False),
}
"""Besides the latest first. Games are sorted by these a moment after their end, when they have been counted."""


def page(office: Office, wanted: Wanted | None = None, *, older_than: str = "", size: int = PER_PAGE) -> ArchivePage:
    """Finished games; ``older_than`` is ``ArchivePage.older`` of the page before.

    A mark that is none of ours begins at the front.
    """
    wanted = wanted or Wanted()
    with office.read() as session:
        in_all = _counted(session, _after(_query(Wanted()), Wanted()))
        called = _called(session, wanted.text) if wanted.text else ANY_NAME
        if called is None:
            return ArchivePage((), in_all=in_all)
        query = _query(wanted).where(called.condition)
        found = _found(session, wanted, called, in_all)
        if wanted.order in ORDERS:
            query = _narrowed(session, query, wanted)
        rows = session.execute(_after(query, wanted, older_than).limit(size + 1).options(*game_lists.RESULT)).all()
        games = [row[0] for row in rows]
        elsewhere = _elsewhere(session, [game.id for game in games[:size]])
        found_lines = game_lists.lines(office, session, games[:size])
        lines = tuple(replace(line, imported=line.id in elsewhere) for line in found_lines)
    older = _mark(rows[size - 1][1], games[size - 1].id) if len(games) > size else ""
    return ArchivePage(lines, older, found, in_all)


def count(office: Office) -> int:
    with office.read() as session:
        return session.scalar(select(func.count()).select_from(Game).where(LISTED, IS_OVER)) or 0


def every(office: Office, size: int) -> Iterator[tuple[GameLine, ...]]:
    """All finished games, the earliest first, so many at a time; each time the database is looked at anew."""
    last: Game | None = None
    while True:
        query = select(Game).where(LISTED, IS_OVER).order_by(Game.ended_at, Game.id).limit(size)
        if last is not None:
            query = query.where(Game.ended_at >= last.ended_at, or_(Game.ended_at > last.ended_at, Game.id > last.id))
        with office.read() as session:
            games = session.scalars(query.options(*game_lists.RESULT)).all()
            found = game_lists.lines(office, session, games)
        if not found:
            return
        yield found
        last = games[-1]


def _found(session: Session, wanted: Wanted, called: _Called, in_all: int) -> int | None:
    """How many games are wanted. Not where many have the name: these would have to be looked through one by one."""
    plain = replace(wanted, order="")
    if plain == Wanted():
        return in_all
    if not called.few:
        return None
    query = _query(plain).where(called.condition)
    return _counted(session, _after(query, plain) if plain == Wanted(map=plain.map) else query)


def _counted(session: Session, query: Select[Any]) -> int:
    """How many games these are, at most one more than :data:`MOST_COUNTED`.

    All of them, and those on a map, are given in order: it is the one of an index that holds nothing else. Left free,
    PostgreSQL goes through the rows of a table that it has not tidied up yet (``VACUUM``).
    """
    some = query.with_only_columns(Game.id).limit(MOST_COUNTED + 1).subquery("counted_here")
    return session.scalar(select(func.count()).select_from(some)) or 0


def _query(wanted: Wanted) -> Select[Any]:
    query: Select[Any] = select(Game).where(LISTED)
    if wanted.order in ORDERS or wanted.players:
        # only games that are over are counted; an index of the other table must not be taken for it
        query = query.join(CountedGame, CountedGame.game_id == Game.id)
    else:
        # the games of an account are few: they are found by its seats, not among all games that are over
        query = query.where(func.coalesce(Game.status, Game.status) == GameStatus.OVER if wanted.account else IS_OVER)
    if wanted.map:
        query = query.where(Game.map == wanted.map[:LONGEST_FILTER])
    if wanted.players:
        # sorted by a figure, games are looked through by its index, not by that of the players; those of an account by
        # its seats
        players = CountedGame.players + 0 if wanted.order in ORDERS or wanted.account else CountedGame.players
        query = query.where(players == wanted.players)
    if wanted.account:
        query = query.where(Game.id.in_(select(Seat.game_id).where(Seat.account_id == wanted.account)))
    return query.add_columns(_sorted_by(wanted)[0])


def _narrowed(session: Session, query: Select[Any], wanted: Wanted) -> Select[Any]:
    """With the ids of the games, where a filter leaves few: these are sorted. Where all leave many, those that are
    wanted soon turn up when games are looked through in order."""
    over = select(Game.id).where(LISTED, IS_OVER)
    filters = (
        over.where(Game.map == wanted.map[:LONGEST_FILTER]) if wanted.map else None,
        select(CountedGame.game_id).where(CountedGame.players == wanted.players) if wanted.players else None,
    )
    for one in filters:
        if one is not None and len(ids := session.scalars(one.limit(FEW_TO_SORT + 1)).all()) <= FEW_TO_SORT:
            return query.where(Game.id.in_(ids))
    return query


def _sorted_by(wanted: Wanted) -> tuple[InstrumentedAttribute[Any], InstrumentedAttribute[str], bool]:
    """The columns by which games are sorted, of the table whose index has them, and whether the largest comes first."""
    if (order := ORDERS.get(wanted.order)) is not None:
        return order.by, CountedGame.game_id, order.falling
    if wanted.players:
        return CountedGame.ended_at, CountedGame.game_id, True
    return Game.ended_at, Game.id, True


def _after(query: Select[Any], wanted: Wanted, mark: str = "") -> Select[Any]:
    """In order, and only what comes after a mark."""
    by, number, falling = _sorted_by(wanted)
    if by.class_ is CountedGame and by.key != "ended_at":
        query = query.where(by.is_not(None))
    known = _read_mark(mark, a_time=by.key == "ended_at")
    if known is not None:
        value, last = known
        if falling:
            query = query.where(by <= value, or_(by < value, number < last))
        else:
            query = query.where(by >= value, or_(by > value, number > last))
    return query.order_by(*((by.desc(), number.desc()) if falling else (by, number)))


def _elsewhere(session: Session, game_ids: Sequence[str]) -> frozenset[str]:
    """Which of these games are records of games that were played elsewhere; the records are not read for it."""
    query = select(Game.id).where(Game.id.in_(game_ids), Game.imported.is_not(None))
    return frozenset(session.scalars(query))


def _called(session: Session, text: str) -> _Called | None:
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
        return _Called(Game.id.in_(games), few=True) if games else None
    plays = exists().where(Seat.game_id == Game.id, Seat.name.in_(names))
    return _Called(or_(plays, Game.title.in_(titles)), few=False)


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


def _mark(value: datetime | int | None, game_id: str) -> str:
    text = value.isoformat() if isinstance(value, datetime) else str(value)
    return urlsafe_b64encode(f"{text} {game_id}".encode()).decode("ascii")


def _read_mark(mark: str, *, a_time: bool) -> tuple[datetime | int, str] | None:
    try:
        text, _, number = urlsafe_b64decode(mark[:LONGEST_FILTER].encode()).decode("ascii").partition(" ")
        value = datetime.fromisoformat(text) if a_time else int(text)
    except (Base64Error, ValueError):
        return None
    if isinstance(value, datetime):
        return (value, number) if value.tzinfo is not None else None
    return (value, number) if abs(value) < MOST_POINTS else None
