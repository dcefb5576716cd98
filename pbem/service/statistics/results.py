"""What somebody's finished games come to, for their page, and everybody in order of their ratings."""

from collections import Counter, defaultdict
from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import ColumnElement, func, or_, select
from sqlalchemy.orm import Session

from pbem.engine import Value, catalog
from pbem.robot import opponents
from pbem.service.base import NoSuch, Office
from pbem.service.statistics import ratings, tempo
from pbem.service.statistics.figures import Spread, spread
from pbem.store.tables import Account, CountedGame, Game, Rating, Result
from pbem.views.people import RatingView, Tempo

LATEST = 12
"""Games that the page lists."""
LINE = 200
"""Rated games of which the line of a rating is drawn."""
RANKED = 60
"""People and robots in a list of ratings."""


class OfMap(Value):
    """Somebody's games on a map with so many players. ``places``: how often each; ``out``: how often out of it."""

    game: str
    map: str
    players: int
    games: int
    places: tuple[int, ...]
    out: int
    points: Spread | None


class Latest(Value):
    """One of somebody's last games. ``change``: of the rating, ``None`` where it is not rated."""

    id: str
    title: str
    game: str
    map: str
    players: int
    ended_at: datetime
    place: int
    points: int | None
    out: bool
    change: float | None


class Person(Value):
    """A page of results. ``lines``: the last ratings in each game, oldest first; ``tempo`` is nothing for robots."""

    name: str
    robot: str
    everybody: bool
    games: int
    ratings: tuple[RatingView, ...]
    maps: tuple[OfMap, ...]
    latest: tuple[Latest, ...]
    lines: tuple[tuple[str, tuple[float, ...]], ...]
    tempo: Tempo | None


class Ranked(Value):
    """A line of a list of ratings. ``account`` or ``robot``: whose page it leads to."""

    name: str
    account: int | None
    robot: str
    rating: RatingView
    last_at: datetime


def own_ratings(office: Office, account_id: int) -> tuple[RatingView, ...]:
    with office.read() as session:
        return _ratings(session, _who(session.get_one(Account, account_id)))


def of_account(office: Office, account_id: int, reader: int | None) -> Person:
    """The page of somebody. Raises :class:`NoSuch` for others than its owner unless everybody may see it."""
    with office.read() as session:
        account = session.get(Account, account_id)
        if account is None or account.deleted_at is not None or not (account.statistics or account_id == reader):
            raise NoSuch(f"There is no page of results of account {account_id}.")
        found = tempo.tempos(session, [account_id])[account_id]
        return _person(session, _who(account), (account.name, "", account.statistics), found)


def _who(account: Account) -> str:
    return ratings.of_account(account.id, account.program)


def of_robot(office: Office, robot: str) -> Person:
    """The page of a robot. Raises :class:`NoSuch`."""
    if robot not in opponents.every():
        raise NoSuch(f"There is no robot {robot}.")
    with office.read() as session:
        return _person(session, f"r{robot}", (opponents.every()[robot].name, robot, True), None)


def ranked(office: Office, game: str) -> tuple[tuple[Ranked, ...], tuple[Ranked, ...]]:
    """The first of those whose ratings everybody may see: people and robots, and apart from them programs."""
    program = Rating.who.startswith(ratings.PROGRAM)
    with office.read() as session:
        people, programs = (_ranked(session, game, RANKED, apart) for apart in (~program, program))
        return tuple(people), tuple(programs)


def _ranked(session: Session, game: str, most: int | None, *which: ColumnElement[bool]) -> Sequence[Ranked]:
    query = (
        select(Rating, Account.name)
        .outerjoin(Account, Account.id == Rating.account_id)
        .where(Rating.game == game, or_(Rating.account_id.is_(None), Account.statistics.is_(True)), *which)
        .order_by(Rating.shown.desc(), Rating.who)
        .limit(most)
    )
    return [
        Ranked(
            name or _robot_name(row.who),
            row.account_id,
            "" if row.account_id else row.who[1:],
            ratings.view(row),
            row.last_at,
        )
        for row, name in session.execute(query)
    ]


def everybody(office: Office, game: str) -> Sequence[Ranked]:
    with office.read() as session:
        return _ranked(session, game, None)


def _robot_name(who: str) -> str:
    robot = opponents.every().get(who[1:])
    return robot.name if robot else who[1:].capitalize()


def _ratings(session: Session, who: str) -> tuple[RatingView, ...]:
    games = {sheet.game for sheet in catalog.sheets()}  # the index begins with the game
    query = select(Rating).where(Rating.game.in_(games), Rating.who == who).order_by(Rating.game)
    return tuple(ratings.view(row) for row in session.scalars(query))


def _person(session: Session, who: str, known: tuple[str, str, bool], found: Tempo | None) -> Person:
    name, robot, seen = known
    maps = _maps(session, who)
    rated = _ratings(session, who)
    return Person(
        name=name,
        robot=robot,
        everybody=seen,
        games=sum(line.games for line in maps),
        ratings=rated,
        maps=maps,
        latest=_latest(session, who),
        lines=tuple((one.game, _line(session, who, one.game)) for one in rated),
        tempo=found,
    )


def _maps(session: Session, who: str) -> tuple[OfMap, ...]:
    """Most often played first: one statement that adds up in the database."""
    query = (
        select(
            CountedGame.game,
            CountedGame.map,
            CountedGame.players,
            Result.place,
            Result.out,
            Result.points,
            func.count(),
        )
        .join(CountedGame, CountedGame.game_id == Result.game_id)
        .where(Result.who == who, CountedGame.listed.is_(True))
        .group_by(CountedGame.game, CountedGame.map, CountedGame.players, Result.place, Result.out, Result.points)
    )
    places: defaultdict[tuple[str, str, int], Counter[int]] = defaultdict(Counter)
    points: defaultdict[tuple[str, str, int], Counter[int]] = defaultdict(Counter)
    out: Counter[tuple[str, str, int]] = Counter()
    for game, map, players, place, is_out, score, number in session.execute(query):
        there = (game, map, players)
        places[there][place] += number
        out[there] += number if is_out else 0
        if score is not None:
            points[there][score] += number
    found = (
        OfMap(
            *there,
            sum(n.values()),
            tuple(n[place] for place in range(1, there[2] + 1)),
            out[there],
            spread(points[there]),
        )
        for there, n in places.items()
    )
    return tuple(sorted(found, key=lambda line: (-line.games, line.game, line.map, line.players)))


def _latest(session: Session, who: str) -> tuple[Latest, ...]:
    query = (
        select(Result, CountedGame, Game.title)
        .join(CountedGame, CountedGame.game_id == Result.game_id)
        .join(Game, Game.id == Result.game_id)
        .where(Result.who == who, CountedGame.listed.is_(True))
        .order_by(Result.ended_at.desc(), Result.game_id.desc())
        .limit(LATEST)
    )
    found = []
    for row, counted, title in session.execute(query):
        change = None
        if row.mu is not None:
            before = ratings.before(session, row.game, who, ratings.Mark(row.ended_at, row.game_id))
            change = (row.mu - before.mu) / ratings.MILLION
        found.append(
            Latest(
                row.game_id,
                title,
                counted.game,
                counted.map,
                counted.players,
                row.ended_at,
                row.place,
                row.points,
                row.out,
                change,
            )
        )
    return tuple(found)


def _line(session: Session, who: str, game: str) -> tuple[float, ...]:
    query = (
        select(Result.mu)
        .where(Result.who == who, Result.game == game, Result.mu.is_not(None))
        .order_by(Result.ended_at.desc(), Result.game_id.desc())
        .limit(LINE)
    )
    return tuple((mu or 0) / ratings.MILLION for mu in session.scalars(query))[::-1]
