"""Leagues as pages show them."""

from collections import defaultdict
from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.engine import Sheet, Value, catalog
from pbem.service.base import NoSuch, Office
from pbem.service.leagues import members, seasons
from pbem.service.leagues.standings import Standing
from pbem.store.statuses import GameStatus, IfLeft, LeagueKind, LeagueStatus, MemberStatus
from pbem.store.tables import Account, Game, League, LeagueGame, LeagueMember

LISTED = 50


class MemberView(Value):
    """Somebody who takes part. ``goes``: left the league, or was beaten; ``stand_in``: a robot for a season."""

    id: int
    name: str
    robot: str
    status: MemberStatus
    stand_in: bool
    own: bool


class LineView(Value):
    """A line of a table. ``moves``: 1 goes up or on by this table, -1 goes down, 0 stays."""

    member: MemberView
    games: int
    points: int
    won: int
    score: int
    moves: int


class LeagueGameView(Value):
    """A game of a division; ``id`` is empty until it is opened."""

    id: str
    sheet: Sheet
    over: bool
    turn: int


class DivisionView(Value):
    """A division of a season, or a table of a round."""

    number: int
    lines: tuple[LineView, ...]
    games: tuple[LeagueGameView, ...]


class LeagueView(Value):
    """A league. ``divisions``: of the season that is shown; ``own``: how the reader takes part."""

    id: str
    title: str
    knockout: bool
    status: LeagueStatus
    host: str
    hosted: bool
    sheets: tuple[Sheet, ...]
    tables_of: int
    games: int
    seasons: int
    season: int
    shown: int
    moves: int
    turn_time: timedelta
    pause_days: int
    robots_only: bool
    goes_on: datetime | None
    full_at: int
    members: tuple[MemberView, ...]
    divisions: tuple[DivisionView, ...]
    own: MemberView | None

    @property
    def taking_part(self) -> tuple[MemberView, ...]:
        return tuple(one for one in self.members if one.status == MemberStatus.IN and not one.stand_in)

    @property
    def waiting(self) -> tuple[MemberView, ...]:
        return tuple(one for one in self.members if one.status == MemberStatus.WAITING)

    @property
    def winner(self) -> str:
        """Who has won the last table that there was."""
        first = self.divisions[0].lines if self.divisions and self.status == LeagueStatus.OVER else ()
        return next((line.member.name for line in first if not line.member.stand_in), "")


class LeagueLineView(Value):
    id: str
    title: str
    knockout: bool
    status: LeagueStatus
    game: str
    season: int
    seasons: int
    members: int
    goes_on: datetime | None
    full_at: int


def listed(office: Office) -> tuple[LeagueLineView, ...]:
    """The latest leagues, those that can be joined first."""
    with office.read() as session:
        rows = session.scalars(select(League).order_by(League.opened_at.desc()).limit(LISTED)).all()
        counts: defaultdict[str, int] = defaultdict(int)
        inside = select(LeagueMember.league_id).where(
            LeagueMember.league_id.in_([row.id for row in rows]),
            LeagueMember.status == MemberStatus.IN,
            LeagueMember.stand_in.is_(False),
        )
        for league_id in session.scalars(inside):
            counts[league_id] += 1
    order = [LeagueStatus.OPEN, LeagueStatus.RUNNING, LeagueStatus.PAUSE, LeagueStatus.OVER, LeagueStatus.CANCELLED]
    found = [
        LeagueLineView(
            row.id, row.title, row.kind == LeagueKind.KNOCKOUT, row.status, row.game, row.season, row.seasons,
            counts[row.id], row.step_at, row.full_at,
        )
        for row in rows
        if row.status != LeagueStatus.CANCELLED
    ]  # fmt: skip
    return tuple(sorted(found, key=lambda line: order.index(line.status)))


def of_member(office: Office, member_id: int) -> tuple[str, int]:
    """The league of a member and the account. Raises :class:`NoSuch`."""
    with office.read() as session:
        member = session.get(LeagueMember, member_id)
        if member is None or member.account_id is None:
            raise NoSuch(f"There is no member {member_id}.")
        return member.league_id, member.account_id


def league(office: Office, league_id: str, reader: int | None, season: int = 0) -> LeagueView:
    """A league as somebody sees it; ``season``: whose tables are shown, the last one without. Raises ``NoSuch``."""
    with office.read() as session:
        row = session.get(League, league_id)
        if row is None:
            raise NoSuch(f"There is no league {league_id}.")
        shown = season if 1 <= season <= row.season else row.season
        found = {one.id: _member(one, reader) for one in members.of(session, league_id)}
        host = session.get(Account, row.host_id) if row.host_id is not None else None
        return LeagueView(
            id=row.id,
            title=row.title,
            knockout=row.kind == LeagueKind.KNOCKOUT,
            status=row.status,
            host=host.name if host else "",
            hosted=reader is not None and row.host_id == reader,
            sheets=tuple(catalog.sheet(row.game, slug) for slug in row.maps),
            tables_of=row.tables_of,
            games=row.games,
            seasons=row.seasons,
            season=row.season,
            shown=shown,
            moves=row.moves,
            turn_time=timedelta(seconds=row.turn_seconds),
            pause_days=row.pause_days,
            robots_only=row.if_left == IfLeft.ROBOT,
            goes_on=row.step_at,
            full_at=row.full_at,
            members=tuple(found.values()),
            divisions=_divisions(session, row, shown, found) if shown else (),
            own=next((one for one in found.values() if one.own), None),
        )


def _member(row: LeagueMember, reader: int | None) -> MemberView:
    own = reader is not None and row.account_id == reader
    return MemberView(row.id, row.name, row.robot, row.status, row.stand_in, own)


def _divisions(session: Session, row: League, season: int, found: dict[int, MemberView]) -> tuple[DivisionView, ...]:
    tables = seasons.tables_of(session, row, season)
    games: defaultdict[int, list[LeagueGameView]] = defaultdict(list)
    query = (
        select(LeagueGame, Game.status, Game.turn)
        .outerjoin(Game, Game.id == LeagueGame.game_id)
        .where(LeagueGame.league_id == row.id, LeagueGame.season == season)
        .order_by(LeagueGame.id)
    )
    for game, status, turn in session.execute(query):
        sheet = catalog.sheet(row.game, game.map)
        games[game.division].append(LeagueGameView(game.game_id or "", sheet, status == GameStatus.OVER, turn or 0))
    return tuple(
        DivisionView(number, _lines(row, number, tables, found), tuple(games[number]))
        for number, _ in enumerate(tables, 1)
    )


def _lines(
    row: League, number: int, tables: Sequence[Sequence[Standing]], found: dict[int, MemberView]
) -> tuple[LineView, ...]:
    lines = tables[number - 1]
    real = [line.member for line in lines if not found[line.member].stand_in]
    up, down = _moving(row, number, [len(one) for one in tables], real)
    return tuple(
        LineView(
            found[line.member], line.games, line.points, line.won, line.score,
            1 if line.member in up else -1 if line.member in down else 0,
        )
        for line in lines
    )  # fmt: skip


def _moving(row: League, number: int, sizes: Sequence[int], real: Sequence[int]) -> tuple[set[int], set[int]]:
    """Who of a division goes up (or on) and down by the table as it stands."""
    if row.kind == LeagueKind.KNOCKOUT:
        on = 1 if len(sizes) == 1 else max(1, row.tables_of // 2)
        return set(real[:on]), set()
    moves = min(row.moves, len(real) // 2)
    up = set(real[:moves]) if number > 1 else set()
    down = set(real[len(real) - moves :]) if number < len(sizes) and moves else set()
    return up, down
