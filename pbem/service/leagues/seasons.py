"""Seasons and rounds: what the clock does with a league, each step a transaction of its own that may be tried again.

A league is at one of these steps, which columns tell: it begins or goes on at ``step_at``; its games are opened at
``open_at``; what is over is noted; a seat whose member has left gets another one; and when all games of a season are
done, ``step_at`` is set again.
"""

from collections import defaultdict
from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import TypeVar

from sqlalchemy import Select, or_, select, update
from sqlalchemy.orm import Session

from pbem.engine import catalog
from pbem.robot import opponents
from pbem.service.base import NewLetter, Office, Work, queries, validation
from pbem.service.games import departures, opening, seat_changes
from pbem.service.games.new_games import Invited, NewGame
from pbem.service.leagues import standings
from pbem.service.leagues.members import add_robots, end, locked, of
from pbem.service.leagues.standings import Seated, Standing
from pbem.service.letters.kinds.leagues import LeagueNews
from pbem.service.statistics import ratings
from pbem.service.turns import audit_log
from pbem.store.statuses import GameStatus, IfLeft, LeagueKind, LeagueStatus, MemberStatus, SeatStatus
from pbem.store.tables import Account, Game, League, LeagueGame, LeagueMember, LeagueSeat, Rating, Seat

One = TypeVar("One", str, int)
AT_ONCE = 200
FEWEST = 2
"""Members without whom no season begins."""


# what is due ------------------------------------------------------------------------------------------------


_STATUS = select(Game.status).where(Game.id == LeagueGame.game_id).scalar_subquery()
"""Asked of each game of a league: joined to them, all games that are over might be looked through first."""


def due_steps(office: Office, now: datetime) -> Sequence[str]:
    """Leagues that begin, go on, or whose season is over."""
    return _found(office, select(League.id).where(League.step_at <= now).order_by(League.step_at))


def due_games(office: Office, now: datetime) -> Sequence[int]:
    return _found(office, select(LeagueGame.id).where(LeagueGame.open_at <= now).order_by(LeagueGame.open_at))


def due_results(office: Office) -> Sequence[int]:
    return _found(office, select(LeagueGame.id).where(LeagueGame.done_at.is_(None), _STATUS == GameStatus.OVER))


def due_seats(office: Office) -> Sequence[tuple[int, int]]:
    """Seats of running games whose member has left the league or the game: game of the league and number."""
    query = (
        select(LeagueSeat.league_game_id, LeagueSeat.number)
        .join(LeagueGame, LeagueGame.id == LeagueSeat.league_game_id)
        .join(Seat, (Seat.game_id == LeagueGame.game_id) & (Seat.number == LeagueSeat.number))
        .join(LeagueMember, LeagueMember.id == LeagueSeat.member_id)
        .where(LeagueGame.done_at.is_(None), _STATUS == GameStatus.RUNNING)
        .where(or_(Seat.status == SeatStatus.VACANT, LeagueMember.status == MemberStatus.LEFT))
    )
    with office.read() as session:
        return [(row[0], row[1]) for row in session.execute(query.limit(AT_ONCE))]


def _found(office: Office, query: Select[One]) -> Sequence[One]:
    with office.read() as session:
        return session.scalars(query.limit(AT_ONCE)).all()


# steps ------------------------------------------------------------------------------------------------------


def step(office: Office, league_id: str, now: datetime) -> bool:
    """Begin a league or its next season, or end the season that is played; returns whether it was time."""
    with office.work(now) as work:
        league = locked(work.session, league_id)
        if league.step_at is None or league.step_at > now:
            return False
        league.step_at = None
        if league.status == LeagueStatus.RUNNING:
            _close(work, league)
        else:
            _begin(work, league)
        return True


def open_game(office: Office, number: int, now: datetime) -> bool:
    """Open a game of a league with its members, none of whom is asked again; returns whether it was to be opened."""
    with office.work(now) as work:
        row = work.session.get_one(LeagueGame, number)
        league = locked(work.session, row.league_id)
        work.session.refresh(row)
        if row.open_at is None or row.open_at > now:
            return False
        seats = _seats(work.session, [row.id])[row.id]
        members = [work.session.get_one(LeagueMember, seat.member_id) for seat in seats]
        people = [member for member in members if member.account_id is not None]
        accounts = queries.accounts(work.session, {member.account_id or 0 for member in people})
        sheet = catalog.sheet(league.game, row.map)
        tail = f" {row.season}.{row.division}, {sheet.name}"
        new = NewGame(
            title=league.title[: validation.LONGEST_TITLE - len(tail)] + tail,
            game=league.game,
            map=row.map,
            players=tuple(Invited(accounts[member.account_id or 0].address, member.name) for member in people),
            robots=tuple(
                member.robot or list(opponents.every())[-1] for member in members if member.account_id is None
            ),
            turn_time=timedelta(seconds=league.turn_seconds),
        )
        row.game_id, row.open_at = opening.open_agreed(office, work, new), None
        return True


def note_result(office: Office, number: int, now: datetime) -> bool:
    """Note how a game of a league has ended; with the last of a season its table is made. Whether it was new."""
    with office.work(now) as work:
        row = work.session.get_one(LeagueGame, number)
        league = locked(work.session, row.league_id)
        work.session.refresh(row)
        if row.done_at is not None or row.game_id is None:
            return False
        game = work.at(queries.game(work.session, row.game_id))
        if game.game.status != GameStatus.OVER:
            return False
        ends = {line.seat: line for line in game.sheet.standings(game.state)}
        colours = {seat.number: seat.colour for seat in game.seats}
        for seat in _seats(work.session, [row.id])[row.id]:
            line = ends[colours[seat.number]]
            seat.place, seat.score, seat.out = line.place, line.score, line.out
        row.done_at = now
        work.session.flush()
        left = select(LeagueGame.id).where(
            LeagueGame.league_id == league.id, LeagueGame.season == league.season, LeagueGame.done_at.is_(None)
        )
        if work.session.scalar(left.limit(1)) is None:
            league.step_at = now
        return True


def replace(office: Office, number: int, seat_number: int, now: datetime) -> bool:
    """Somebody has left: the next of the waiting list or a robot takes the place, in this game and in the table.

    Returns whether anybody had left.
    """
    with office.work(now) as begun:
        row = begun.session.get_one(LeagueGame, number)
        league = locked(begun.session, row.league_id)
        place = begun.session.get_one(LeagueSeat, (number, seat_number), populate_existing=True)
        member = begun.session.get_one(LeagueMember, place.member_id, populate_existing=True)
        assert row.game_id is not None
        work = begun.lock(row.game_id)
        seat = work.numbered(seat_number)
        if work.game.status != GameStatus.RUNNING:
            return False
        if member.status != MemberStatus.LEFT:
            if seat.status != SeatStatus.VACANT:
                return False
            member.status = MemberStatus.LEFT  # who leaves a game of the league, or is removed, leaves the league
        successor = _successor(begun, league, member)
        games = select(LeagueGame.id).where(LeagueGame.league_id == league.id, LeagueGame.season == league.season)
        here = (LeagueSeat.member_id == member.id, LeagueSeat.league_game_id.in_(games))
        begun.session.execute(update(LeagueSeat).where(*here).values(member_id=successor.id))
        if seat.account_id is not None and seat.account_id == member.account_id:
            audit_log.write(work, "resigned", seat=seat)
            departures.leave(work, seat, "resigned")
        if work.game.status != GameStatus.RUNNING or seat.status != SeatStatus.VACANT:
            return True
        account = begun.session.get(Account, successor.account_id) if successor.account_id is not None else None
        if account is not None:
            seat_changes.give(work, seat, account)
        else:
            seat_changes.robot_sits_down(work, seat, successor.robot)
        return True


def _successor(work: Work, league: League, left: LeagueMember) -> LeagueMember:
    """Who takes the place of a member: by the rule of the host the next who waits, else a robot."""
    members = of(work.session, league.id)
    waiting = [one for one in members if one.status == MemberStatus.WAITING]
    if league.if_left == IfLeft.WAITING and waiting:
        chosen = waiting[0]
        chosen.status = MemberStatus.IN
    else:
        (chosen,) = add_robots(work, league, 1, stand_in=True)
    chosen.division, chosen.seed = left.division, left.seed
    work.session.flush()
    return chosen


# seasons ----------------------------------------------------------------------------------------------------


def _begin(work: Work, league: League) -> None:
    members = _taking_part(work, league)
    if len(members) < FEWEST:
        end(work, league, LeagueStatus.CANCELLED if league.season == 0 else LeagueStatus.OVER)
        return
    order = [member.id for member in members]
    knockout = league.kind == LeagueKind.KNOCKOUT
    split = (standings.spread if knockout else standings.divisions)(order, league.tables_of)
    league.season += 1
    league.status = LeagueStatus.RUNNING
    if knockout:
        league.seasons = league.season - 1 + standings.rounds(len(order), league.tables_of)
    for member in of(work.session, league.id):
        member.division = 0
    known = {member.id: member for member in members}
    for number, division in enumerate(split, 1):
        here = [known[one] for one in division]
        here += add_robots(work, league, league.tables_of - len(here), stand_in=True)
        for seed, member in enumerate(here):
            member.division, member.seed = number, seed
        _plan_games(work, league, number, here)
        _tell(work, league, here, "begins")


def _taking_part(work: Work, league: League) -> list[LeagueMember]:
    """Members in the order of their divisions; before the first season by their ratings; who waits comes last."""
    members = of(work.session, league.id)
    for member in members:
        if member.status == MemberStatus.WAITING:
            member.status = MemberStatus.IN
    inside = [one for one in members if one.status == MemberStatus.IN and not one.stand_in]
    if league.season:
        return sorted(inside, key=lambda one: (one.division == 0, one.division, one.seed, one.id))
    whose = {one.id: f"r{one.robot}" if one.robot else f"a{one.account_id}" for one in inside}
    query = select(Rating).where(Rating.game == league.game, Rating.who.in_(set(whose.values())))
    shown = {row.who: row.shown for row in work.session.scalars(query)}
    unknown = ratings.NEW.mu - ratings.SURE * ratings.NEW.sigma
    return sorted(inside, key=lambda one: (-shown.get(whose[one.id], unknown), one.id))


def _plan_games(work: Work, league: League, division: int, members: Sequence[LeagueMember]) -> None:
    """The games of a division: on the next maps of the list, people before robots, the first seat going round."""
    ordered = sorted(members, key=lambda one: one.account_id is None)
    people = sum(one.account_id is not None for one in ordered)
    for nth in range(league.games):
        slug = league.maps[((league.season - 1) * league.games + nth) % len(league.maps)]
        game = LeagueGame(league_id=league.id, season=league.season, division=division, map=slug, open_at=work.now)
        work.session.add(game)
        work.session.flush()
        turn = nth % people if people else 0
        seated = [*ordered[turn:people], *ordered[:turn], *ordered[people:]]
        for number, member in enumerate(seated):
            work.session.add(LeagueSeat(league_game_id=game.id, number=number, member_id=member.id))
    work.session.flush()


def _close(work: Work, league: League) -> None:
    """All games of a season are done: its tables, who goes up and down or on, and when it goes on."""
    tables = tables_of(work.session, league, league.season)
    members = {member.id: member for member in of(work.session, league.id)}
    ids = [[line.member for line in table if not members[line.member].stand_in] for table in tables]
    _leave([member for member in members.values() if member.stand_in], MemberStatus.LEFT)
    if league.kind == LeagueKind.KNOCKOUT:
        order = standings.advance(ids, league.tables_of)
        _leave([members[number] for table in ids for number in table if number not in order], MemberStatus.BEATEN)
        over = len(ids) == 1
    else:
        order = standings.moved(ids, league.moves)
        over = league.season >= league.seasons
    league.step_at = None if over else work.now + timedelta(days=league.pause_days)
    for division, table in enumerate(tables, 1):
        _tell_table(work, league, division, table, members, set(order))
    for seed, number in enumerate(order):
        members[number].division, members[number].seed = 1 + seed // league.tables_of, seed
    if over:
        end(work, league, LeagueStatus.OVER)
    else:
        league.status = LeagueStatus.PAUSE


def _leave(members: Iterable[LeagueMember], status: MemberStatus) -> None:
    for member in members:
        if member.status == MemberStatus.IN:
            member.status = status


def tables_of(session: Session, league: League, season: int) -> list[list[Standing]]:
    here = (LeagueGame.league_id == league.id, LeagueGame.season == season)
    games = session.scalars(select(LeagueGame).where(*here).order_by(LeagueGame.division, LeagueGame.id)).all()
    seats = _seats(session, [game.id for game in games])
    seeds = {member.id: member.seed for member in of(session, league.id)}
    divisions: defaultdict[int, set[int]] = defaultdict(set)
    played: defaultdict[int, list[list[Seated]]] = defaultdict(list)
    for game in games:
        divisions[game.division] |= {seat.member_id for seat in seats[game.id]}
        if game.done_at is not None:
            played[game.division].append(
                [Seated(seat.member_id, seat.place or 0, None if seat.out else seat.score) for seat in seats[game.id]]
            )
    return [
        standings.table(sorted(members, key=lambda one: (seeds.get(one, 0), one)), played[division])
        for division, members in sorted(divisions.items())
    ]


def _seats(session: Session, games: Sequence[int]) -> defaultdict[int, list[LeagueSeat]]:
    found: defaultdict[int, list[LeagueSeat]] = defaultdict(list)
    query = select(LeagueSeat).where(LeagueSeat.league_game_id.in_(games)).order_by(LeagueSeat.number)
    for seat in session.scalars(query):
        found[seat.league_game_id].append(seat)
    return found


# letters ----------------------------------------------------------------------------------------------------


def _tell(work: Work, league: League, division: Sequence[LeagueMember], what: str) -> None:
    names = tuple(member.name for member in division)
    none = (0,) * len(names)
    for at, member in enumerate(division):
        if member.account_id is not None:
            news = LeagueNews(member.id, what, league.season, member.division, names, none, none, at)
            key = f"league-{what}:{member.id}:{league.season}"
            work.write(NewLetter(news, key, member.account_id))


def _tell_table(
    work: Work,
    league: League,
    division: int,
    table: Sequence[Standing],
    members: dict[int, LeagueMember],
    further: set[int],
) -> None:
    names = tuple(members[line.member].name for line in table)
    points, won = tuple(line.points for line in table), tuple(line.won for line in table)
    for at, line in enumerate(table):
        member = members[line.member]
        if member.account_id is not None and member.status != MemberStatus.LEFT:
            on = league.step_at is not None and member.id in further
            news = LeagueNews(member.id, "ends", league.season, division, names, points, won, at, league.step_at, on)
            work.write(NewLetter(news, f"league-ends:{member.id}:{league.season}", member.account_id))
