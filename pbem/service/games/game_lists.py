"""The lines of games in lists, and somebody's own games."""

from collections import Counter, defaultdict
from collections.abc import Callable, Sequence
from datetime import datetime, timedelta

from sqlalchemy import func, select, union_all
from sqlalchemy.orm import Session, defer

from pbem.engine import replace
from pbem.service.base import Office, queries
from pbem.service.games.views import decoded, seat_view, seat_views
from pbem.store.statuses import LIVING, PLAYING, GameStatus, SeatStatus, Sending, StandingOrderStatus
from pbem.store.tables import Game, Letter, Post, Seat, StandingOrderRow
from pbem.views.games import GameLine, LobbyView

FINISHED_SHOWN = 10
RESULT = (defer(Game.imported),)
"""Options of a query for :func:`lines`: a record may be large, and no list shows it."""
BRIEF = (*RESULT, defer(Game.state))
"""The same for games that are not over."""
SOON = timedelta(days=1)
LOOKED_AT = 60
"""Games with answers due soon, at the most: few of them are in their last turn, and a start page is for a glance."""


def lobby(office: Office, account_id: int) -> LobbyView:
    """The games of one player: those that wait for an answer first, soonest first."""
    with office.read() as session:
        living, ended = _mine(session, account_id)
        shown = session.scalars(select(Game).where(Game.id.in_(living)).options(*BRIEF)).all()
        over = session.scalars(select(Game).where(Game.id.in_(ended)).options(*RESULT)).all()
        games = lines(office, session, [*shown, *sorted(over, key=lambda game: ended.index(game.id))], account_id)
        ahead = _ahead(session, [line for line in games if line.status in PLAYING])
        unread = _unread(session, living, account_id)
    games = tuple(replace(line, ahead=ahead.get(line.id, 0), unread=unread.get(line.id, 0)) for line in games)
    asked, waiting = _parted([line for line in games if line.status in PLAYING], lambda line: line.turn_page)
    invited, others = _parted([line for line in games if line.status == GameStatus.OPEN], lambda line: line.invitation)
    return LobbyView(
        your_turn=tuple(sorted(asked, key=_soonest)),
        waiting=tuple(sorted(waiting, key=_soonest)),
        invitations=invited,
        open=tuple(line for line in others if line.seat is None or line.seat.status != SeatStatus.DECLINED),
        finished=tuple(line for line in games if line.status == GameStatus.OVER),
    )


def _parted(
    lines: Sequence[GameLine], wanted: Callable[[GameLine], str]
) -> tuple[tuple[GameLine, ...], tuple[GameLine, ...]]:
    """Those for which something is true, and the others."""
    return tuple(line for line in lines if wanted(line)), tuple(line for line in lines if not wanted(line))


def _ahead(session: Session, games: Sequence[GameLine]) -> dict[str, int]:
    """How many standing orders of the reader wait in each of these games."""
    seats = {(line.id, line.seat.seat) for line in games if line.seat is not None}
    query = select(StandingOrderRow.game_id, StandingOrderRow.seat).where(
        StandingOrderRow.game_id.in_([game for game, _ in seats]),
        StandingOrderRow.status == StandingOrderStatus.WAITING,
    )
    return Counter(game for game, seat in session.execute(query) if (game, seat) in seats)


def _unread(session: Session, games: Sequence[str], account_id: int) -> dict[str, int]:
    """How many posts of others in each of these games a player has neither had by email nor marked as read."""
    mine = Letter.account_id == account_id, Letter.status == Sending.SENT, Letter.game_id.in_(games)
    had = select(Letter.game_id, func.max(Letter.talk_up_to).label("up_to")).where(*mine).group_by(Letter.game_id)
    carried = had.subquery()
    query = (
        select(Post.game_id, func.count().label("posts"))
        .join(Seat, (Seat.game_id == Post.game_id) & (Seat.account_id == account_id))
        .outerjoin(carried, carried.c.game_id == Post.game_id)
        .where(Post.game_id.in_(games), Post.account_id != account_id)
        .where(Post.id > Seat.talk_read, Post.id > func.coalesce(carried.c.up_to, 0))
        .group_by(Post.game_id)
    )
    return {row.game_id: row.posts for row in session.execute(query)}


def _mine(session: Session, account_id: int) -> tuple[list[str], list[str]]:
    """The games somebody plays in or hosts: those that go on, and of those that are over the latest first.

    Sorted here: asked for a status, a database might look through all games that have it.
    """
    seated = select(Seat.game_id).where(Seat.account_id == account_id)
    hosted = select(Game.id).where(Game.host_id == account_id)
    query = select(Game.id, Game.status, Game.ended_at).where(Game.id.in_(union_all(seated, hosted)))
    found = session.execute(query).all()
    over = sorted(((row.ended_at, row.id) for row in found if row.status == GameStatus.OVER), reverse=True)
    return [row.id for row in found if row.status in LIVING], [number for _, number in over[:FINISHED_SHOWN]]


def lines(
    office: Office, session: Session, games: Sequence[Game], account_id: int | None = None
) -> tuple[GameLine, ...]:
    """Games as a list shows them; to one of their players with the address of the question if one is open.

    Of ``games`` only those that are over need their state.
    """
    found = select(Seat).where(Seat.game_id.in_([game.id for game in games])).order_by(Seat.number)
    seats: defaultdict[str, list[Seat]] = defaultdict(list)
    for seat in session.scalars(found):
        seats[seat.game_id].append(seat)
    return tuple(_line(office, game, seats[game.id], account_id) for game in games)


def in_last_turn(office: Office, now: datetime, most: int) -> tuple[GameLine, ...]:
    """Games of public lists whose last turn goes on, with an answer due within a day, the soonest first; only of sheets
    with a fixed last turn."""
    query = (
        select(Game)
        .where(
            Game.status == GameStatus.RUNNING,
            Game.deadline_at <= now + SOON,
            Game.unlisted.is_(False),
            Game.lesson == "",
            Game.paused_at.is_(None),
        )
        .order_by(Game.deadline_at)
        .limit(LOOKED_AT)
        .options(*BRIEF)
    )
    with office.read() as session:
        found = lines(office, session, session.scalars(query).all())
    return tuple(line for line in found if line.turn == line.sheet.turns(len(line.seats)))[:most]


def _line(office: Office, row: Game, seats: Sequence[Seat], account_id: int | None) -> GameLine:
    mine = next((s for s in seats if account_id is not None and s.account_id == account_id), None)
    sheet = queries.sheet(row)
    plays_at = row.standing_order_at if mine is not None and _is_asked(row, mine) else None
    return GameLine(
        id=row.id,
        title=row.title,
        sheet=sheet,
        status=row.status,
        seats=seat_views(seats, row.host_id),
        turn=row.turn,
        phase=row.phase,
        waiting_for=row.to_act,
        waiting_since=row.waiting_since,
        deadline=row.deadline_at if row.robot_at is None else None,
        paused=row.paused_at is not None,
        version=row.version,
        opened_at=row.opened_at,
        ended_at=row.ended_at,
        seat=None if mine is None else seat_view(mine, row.host_id),
        turn_page=office.addresses.turn(row.id, mine.colour, row.version)
        if mine is not None and _is_asked(row, mine) and plays_at is None
        else "",
        plays_at=plays_at,
        invitation=office.addresses.invitation(row.id, mine.number, holder=mine.holder)
        if mine is not None and row.status == GameStatus.OPEN and mine.status == SeatStatus.INVITED
        else "",
        standings=sheet.standings(decoded(sheet, row.state)) if row.status == GameStatus.OVER else (),
        ended_early=row.ended_early,
        turn_time=row.time_control.turn,
        weekends=row.time_control.weekends,
        started_at=row.started_at,
    )


def _is_asked(row: Game, mine: Seat) -> bool:
    return row.status == GameStatus.RUNNING and mine.colour == row.to_act


def _soonest(line: GameLine) -> tuple[float, str]:
    return (line.deadline.timestamp() if line.deadline else 0.0, line.id)
