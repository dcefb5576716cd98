"""Opening a league, and who takes part: joining by link or by email, the waiting list, leaving."""

from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.engine import Value, catalog, field, say
from pbem.robot import opponents
from pbem.service.base import BadInput, NewLetter, NoSuch, NotNow, Office, Problem, Work, rate_limits, validation
from pbem.service.base.tokens import BadToken
from pbem.service.games.opening import ID_LENGTH, ID_LETTERS
from pbem.service.letters.kinds.leagues import LeagueInvitation, LeagueNews
from pbem.service.people import accounts, blocks
from pbem.store.statuses import IfLeft, LeagueKind, LeagueStatus, MemberStatus
from pbem.store.tables import Account, League, LeagueMember

SIZES = (4, 5, 6)
"""Players of a division, and of a table of a knock-out."""
MOST_GAMES, MOST_SEASONS, MOST_MEMBERS, MOST_ROBOTS = 6, 12, 120, 64
SOONEST, LATEST = timedelta(minutes=10), timedelta(days=84)
MOST_PAUSE = 60
TURN = (timedelta(hours=1), timedelta(days=14))
"""The shortest and the longest time for an answer."""


class NewLeague(Value):
    """What a host fills in. ``maps``: slugs of one game; ``robots``: how many of them take part like people."""

    title: str
    kind: LeagueKind
    game: str
    maps: tuple[str, ...]
    begins: datetime
    full_at: int = 0
    """How many who take part let it begin before that; 0: it begins on its date."""
    tables_of: int = 4
    games: int = 1
    seasons: int = 1
    moves: int = 1
    turn_time: timedelta = timedelta(days=3)
    pause_days: int = 7
    if_left: IfLeft = IfLeft.WAITING
    robots: int = 0
    invited: tuple[str, ...] = field(default_factory=tuple)
    plays: bool = True


def open_league(office: Office, host_id: int, new: NewLeague, now: datetime) -> str:
    """Open a league and invite people; returns its id. Raises :class:`BadInput` with every problem at once."""
    _check(new, now)
    with office.work(now) as work:
        host = work.session.get_one(Account, host_id)
        rate_limits.use(office, work.session, rate_limits.LEAGUES, host_id, now)
        league = League(
            id="".join(ID_LETTERS[byte % len(ID_LETTERS)] for byte in office.entropy(ID_LENGTH)),
            kind=new.kind,
            title=validation.one_line(new.title),
            host_id=host_id,
            status=LeagueStatus.OPEN,
            game=new.game,
            maps=list(new.maps),
            tables_of=new.tables_of,
            games=1 if new.kind == LeagueKind.KNOCKOUT else new.games,
            seasons=new.seasons,
            moves=new.moves,
            turn_seconds=int(new.turn_time.total_seconds()),
            pause_days=new.pause_days,
            if_left=new.if_left,
            opened_at=now,
            step_at=new.begins,
            full_at=new.full_at,
        )
        work.session.add(league)
        work.session.flush()
        if new.plays:
            _take_in(work, league, host)
        add_robots(work, league, new.robots)
        _begin_if_full(work, league)
        _invite(office, work, league, new.invited, host_id)
        return league.id


def add_robots(work: Work, league: League, count: int, *, stand_in: bool = False) -> list[LeagueMember]:
    """Robots take part, the strongest first; a ``stand_in`` until the end of the season."""
    strongest = list(opponents.every().values())[::-1]
    taken = {member.name.casefold() for member in of(work.session, league.id)}
    added = []
    for number in range(count):
        robot = strongest[number % len(strongest)]
        name = validation.distinct(robot.name, taken)
        status, since = MemberStatus.IN, work.now
        added.append(
            LeagueMember(league_id=league.id, robot=robot.key, name=name, status=status, stand_in=stand_in, since=since)
        )
    work.session.add_all(added)
    work.session.flush()
    return added


def invite(office: Office, league_id: str, host_id: int, addresses: tuple[str, ...], now: datetime) -> None:
    """The host invites more people. Raises :class:`NotNow` and :class:`BadInput`."""
    with office.work(now) as work:
        league = locked(work.session, league_id)
        if league.host_id != host_id:
            raise NotNow(say("Only the host can invite people."))
        goes_on(league)
        _invite(office, work, league, addresses, host_id)


def join(office: Office, league_id: str, account_id: int, now: datetime) -> None:
    """Take part, or go on the waiting list once the league has begun. Who takes part already stays. Raises
    :class:`NotNow`."""
    with office.work(now) as work:
        account = work.session.get_one(Account, account_id)
        league = locked(work.session, league_id)
        goes_on(league)
        rate_limits.use(office, work.session, rate_limits.JOINS, account_id, now)
        _take_in(work, league, account)


def ask_to_join(office: Office, league_id: str, name: str, address: str, now: datetime, *, client: str = "") -> None:
    """Email the link with which somebody joins who is not logged in. Raises :class:`BadInput` and :class:`NotNow`.

    Nothing is told of the address. ``client``: for the limit, where one holds.
    """
    problems, known = validation.introduced(name, address)
    if problems:
        raise BadInput(*problems)
    if client:
        rate_limits.note(office, rate_limits.GUEST_JOINS, client, now)
    with office.work(now) as work:
        if (reader := accounts.introduced(office, work, known, name)) is None:
            return
        league = locked(work.session, league_id)
        goes_on(league)
        member = _member(work.session, league_id, reader.id)
        if member is None:
            member = _add(work, league, reader, MemberStatus.INVITED)
        if member.status in (MemberStatus.DECLINED, MemberStatus.LEFT):
            member.status = MemberStatus.INVITED
        key = f"league-invitation:{member.id}:{now.timestamp():.0f}"
        work.write(NewLetter(LeagueInvitation(member.id), key, reader.id))


def answer(office: Office, member_id: int, accept: bool, now: datetime) -> str:
    """Who reads the mail of a member accepts, declines, or leaves; returns the id of the league. Raises
    :class:`NotNow`, and ``BadToken`` for nobody."""
    with office.work(now) as work:
        account, league = _who(work.session, member_id)
        if not accept:
            _leave(work, work.session.get_one(LeagueMember, member_id, populate_existing=True))
        else:
            goes_on(league)
            _take_in(work, league, account)
        return league.id


def leave(office: Office, league_id: str, account_id: int, now: datetime) -> None:
    """Leave a league; what becomes of running games is seen to by the clock, as its host chose before."""
    with office.work(now) as work:
        locked(work.session, league_id)
        member = _member(work.session, league_id, account_id)
        if member is not None:
            _leave(work, member)


def call_off(office: Office, league_id: str, host_id: int, now: datetime) -> None:
    """The host calls a league off before it begins, or ends it after the season that runs. Raises :class:`NotNow`."""
    with office.work(now) as work:
        league = locked(work.session, league_id)
        if league.host_id != host_id:
            raise NotNow(say("Only the host can call a league off."))
        goes_on(league)
        if league.status == LeagueStatus.RUNNING:
            league.seasons = league.season
            return
        end(work, league, LeagueStatus.CANCELLED if league.season == 0 else LeagueStatus.OVER)


def end(work: Work, league: League, status: LeagueStatus) -> None:
    """A league is over; who takes part or waits is told, unless a table has told it already."""
    league.status, league.ended_at, league.step_at = status, work.now, None
    if status == LeagueStatus.CANCELLED:
        for member in of(work.session, league.id):
            if member.account_id is not None and member.status in (MemberStatus.IN, MemberStatus.WAITING):
                news = LeagueNews(member.id, "off")
                work.write(NewLetter(news, f"league-off:{member.id}", member.account_id))


def locked(session: Session, league_id: str) -> League:
    """The row of a league, locked: whoever changes one takes this before any game. Raises :class:`NoSuch`."""
    row = session.scalar(select(League).where(League.id == league_id).with_for_update())
    if row is None:
        raise NoSuch(f"There is no league {league_id}.")
    return row


def of(session: Session, league_id: str) -> list[LeagueMember]:
    """All members in the order in which they came."""
    query = select(LeagueMember).where(LeagueMember.league_id == league_id).order_by(LeagueMember.id)
    return list(session.scalars(query))


def goes_on(league: League) -> None:
    """Raises :class:`NotNow` for a league that is over or was called off."""
    if league.status == LeagueStatus.CANCELLED:
        raise NotNow(say("This league was called off."))
    if league.status == LeagueStatus.OVER:
        raise NotNow(say("This league is over."))


def _who(session: Session, member_id: int) -> tuple[Account, League]:
    member = session.get(LeagueMember, member_id)
    account = session.get(Account, member.account_id) if member is not None and member.account_id else None
    if member is None or account is None or account.deleted_at is not None:
        raise BadToken
    return account, locked(session, member.league_id)


def _member(session: Session, league_id: str, account_id: int) -> LeagueMember | None:
    here = (LeagueMember.league_id == league_id, LeagueMember.account_id == account_id)
    return session.scalar(select(LeagueMember).where(*here))


def _take_in(work: Work, league: League, account: Account) -> None:
    member = _member(work.session, league.id, account.id)
    if member is not None and member.status not in (MemberStatus.INVITED, MemberStatus.DECLINED):
        if member.status in (MemberStatus.IN, MemberStatus.WAITING):
            return
        raise NotNow(say("You have left this league or were eliminated, and cannot join it again."))
    if account.program:
        raise NotNow(say("Programs do not take part in leagues."))
    inside = [one for one in of(work.session, league.id) if one.status in (MemberStatus.IN, MemberStatus.WAITING)]
    if blocks.between(work.session, account.id, [one.account_id for one in inside]):
        raise NotNow(say("You cannot take part in this league."))
    if len(inside) >= MOST_MEMBERS:
        raise NotNow(say("This league is full."))
    if member is None:
        member = _add(work, league, account, MemberStatus.INVITED)
    begun = league.status != LeagueStatus.OPEN
    member.status, member.since = (MemberStatus.WAITING if begun else MemberStatus.IN), work.now
    work.session.flush()
    _begin_if_full(work, league)
    later = league.step_at if league.step_at is not None and league.step_at > work.now else None
    news = LeagueNews(member.id, "waits" if begun else "joined", goes_on=later)
    work.write(NewLetter(news, f"league-joined:{member.id}:{work.now.timestamp():.0f}", account.id))


def _begin_if_full(work: Work, league: League) -> None:
    if league.status != LeagueStatus.OPEN or not league.full_at or league.step_at is None:
        return
    if sum(member.status == MemberStatus.IN for member in of(work.session, league.id)) >= league.full_at:
        league.step_at = min(league.step_at, work.now)


def _add(work: Work, league: League, account: Account, status: MemberStatus) -> LeagueMember:
    taken = {member.name.casefold() for member in of(work.session, league.id)}
    name = validation.distinct(account.name, taken)
    member = LeagueMember(league_id=league.id, account_id=account.id, name=name, status=status, since=work.now)
    work.session.add(member)
    work.session.flush()
    return member


def _leave(work: Work, member: LeagueMember) -> None:
    match member.status:
        case MemberStatus.INVITED:
            member.status = MemberStatus.DECLINED
        case MemberStatus.IN | MemberStatus.WAITING:
            begun = member.division > 0
            member.status = MemberStatus.LEFT if begun else MemberStatus.DECLINED


def _invite(office: Office, work: Work, league: League, addresses: tuple[str, ...], host_id: int) -> None:
    known, problems = [], []
    for address in addresses:
        try:
            known.append(validation.address(address))
        except BadInput as bad:
            problems.append(Problem("invited", bad.problems[0].sentence))
    if len(known) > MOST_MEMBERS:
        problems.append(Problem("invited", say("Invite at most {n} people.", n=MOST_MEMBERS)))
    if problems:
        raise BadInput(*problems)
    rate_limits.use(office, work.session, rate_limits.INVITATIONS, host_id, work.now, len(known))
    for address in sorted(dict.fromkeys(known)):
        guest = accounts.account(work.session, address, "", work.now)
        if _member(work.session, league.id, guest.id) is not None:
            continue
        if blocks.between(work.session, guest.id, [host_id]):
            raise BadInput(Problem("invited", blocks.cannot_invite(address)))
        member = _add(work, league, guest, MemberStatus.INVITED)
        work.write(NewLetter(LeagueInvitation(member.id), f"league-invitation:{member.id}", guest.id))


def _check(new: NewLeague, now: datetime) -> None:
    problems = []
    if (wrong := validation.name_problem(validation.one_line(new.title[:1000]), validation.LONGEST_TITLE)) is not None:
        problems.append(Problem("title", wrong))
    if new.tables_of not in SIZES:
        problems.append(Problem("tables_of", say("A division has four, five or six players.")))
    if not 1 <= len(new.maps) <= 20:
        problems.append(Problem("maps", say("Choose at least one map.")))
    for slug in new.maps[:20]:
        try:
            sheet = catalog.sheet(new.game, slug if not catalog.is_own(slug) else "")
        except catalog.UnknownSheet:
            problems.append(Problem("maps", say("Choose maps of one game from the list.")))
            break
        if new.tables_of not in sheet.player_counts():
            sentence = say("{map} cannot be played by {n}.", map=sheet.name, n=new.tables_of)
            problems.append(Problem("maps", sentence))
    if not now + SOONEST <= new.begins <= now + LATEST:
        sentence = say("Choose a time between 10 minutes and 12 weeks from now.")
        problems.append(Problem("begins", sentence))
    for name, value, most in (
        ("games", new.games, MOST_GAMES), ("seasons", new.seasons, MOST_SEASONS),
        ("moves", new.moves, 2), ("pause_days", new.pause_days, MOST_PAUSE),
    ):  # fmt: skip
        if not (0 if name in ("moves", "pause_days") else 1) <= value <= most:
            problems.append(Problem(name, say("Choose a number up to {n}.", n=most)))
    if new.full_at and not new.tables_of <= new.full_at <= MOST_MEMBERS:
        sentence = say("Choose {least} to {most} players, or none.", least=new.tables_of, most=MOST_MEMBERS)
        problems.append(Problem("full_at", sentence))
    if not 0 <= new.robots <= MOST_ROBOTS:
        problems.append(Problem("robots", say("At most {n} robots can take part.", n=MOST_ROBOTS)))
    if not TURN[0] <= new.turn_time <= TURN[1]:
        problems.append(Problem("turn_time", say("Choose between one hour and 14 days for an answer.")))
    if problems:
        raise BadInput(*problems)
