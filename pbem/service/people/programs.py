"""Accounts that a program plays for: how one becomes such an account, its tokens, and the questions it is asked."""

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy import func, select, update
from sqlalchemy.orm import Session

from pbem.engine import Say, say
from pbem.service.base import NoSuch, NotNow, Office, queries, validation
from pbem.service.base.tokens import BadToken
from pbem.service.people import feeds
from pbem.service.people.accounts import hashed
from pbem.store.statuses import GameStatus, SeatStatus, SubmissionStatus
from pbem.store.tables import Account, Game, LeagueMember, ProgramToken, Result, Seat, Submission

MOST = 5
"""Tokens of one account."""
BEGINS = "pbem_"
"""How every token begins, so that one that was published by mistake can be found."""
NOTED = timedelta(hours=1)
"""How exactly the last use of a token is kept: a program that looks every second does not write every second."""
QUESTIONS = 200
"""Questions that are told at once, those with the least time left."""


@dataclass(frozen=True, slots=True)
class TokenView:
    id: int
    created_at: datetime
    used_at: datetime | None


@dataclass(frozen=True, slots=True)
class Caller:
    """Who has sent a token. ``token``: its number."""

    account: int
    token: int
    barred: bool


@dataclass(frozen=True, slots=True)
class Asked:
    """An open question. ``seat``: the colour that is asked; ``paused``: no clock runs."""

    game: str
    title: str
    kind: str
    map: str
    seat: str
    version: int
    turn: int
    phase: str
    since: datetime
    deadline: datetime | None
    paused: bool


def tokens(office: Office, account_id: int) -> tuple[TokenView, ...]:
    query = select(ProgramToken).where(ProgramToken.account_id == account_id).order_by(ProgramToken.id)
    with office.read() as session:
        return tuple(TokenView(row.id, row.created_at, row.used_at) for row in session.scalars(query))


def obstacle(office: Office, account_id: int) -> Say | None:
    """Why a person's account cannot become that of a program."""
    with office.read() as session:
        return _obstacle(session, account_id)


def make_token(office: Office, account_id: int, now: datetime) -> str:
    """A new token, which is told once and never again. The first makes the account that of a program, for good.

    Raises :class:`NotNow`.
    """
    with office.work(now) as work:
        account = queries.account(work.session, account_id)
        if not account.program:
            if (why := _obstacle(work.session, account_id)) is not None:
                raise NotNow(why)
            account.program = account.statistics = True
            account.name = validation.as_program(account.name)
        made = select(func.count()).where(ProgramToken.account_id == account_id)
        if (work.session.scalar(made) or 0) >= MOST:
            raise NotNow(say("You can have at most {n} tokens. Withdraw one first.", n=MOST))
        secret = f"{BEGINS}{office.secret(32)}"
        work.session.add(ProgramToken(account_id=account_id, hash=hashed(secret), created_at=now))
        return secret


def withdraw(office: Office, account_id: int, number: int) -> None:
    """Let nobody in with this token any more. Raises :class:`NoSuch`."""
    with office.write() as session:
        row = session.get(ProgramToken, number)
        if row is None or row.account_id != account_id:
            raise NoSuch(f"There is no token {number}.")
        session.delete(row)


def caller(office: Office, token: str, now: datetime) -> Caller:
    """Whose token this is. Raises ``BadToken``."""
    query = select(ProgramToken, Account.barred_at).join(Account, Account.id == ProgramToken.account_id)
    with office.read() as session:
        found = session.execute(query.where(ProgramToken.hash == hashed(token))).one_or_none()
        if found is None:
            raise BadToken
        row, barred_at = found
        known = Caller(row.account_id, row.id, barred_at is not None)
        noted = row.used_at is not None and now < row.used_at + NOTED
    if not noted:
        with office.write() as session:
            used = update(ProgramToken).where(ProgramToken.id == known.token)
            session.execute(used.values(used_at=now))
    return known


def questions(office: Office, account_id: int, now: datetime) -> Sequence[Asked]:
    """What the account is asked now and has not sent orders for, the least time left first."""
    sent = select(Submission.id).where(
        Submission.status == SubmissionStatus.WAITING,
        Submission.game_id == Game.id,
        Submission.seat == Seat.colour,
        Submission.version == Game.version,
    )
    query = (
        select(Game, Seat.colour)
        .join(Seat, Seat.game_id == Game.id)
        .where(Seat.account_id == account_id, feeds.asked(now), ~sent.exists())
        .order_by(Game.deadline_at.is_(None), Game.deadline_at, Game.id)
    )
    with office.read() as session:
        return [_asked(game, colour) for game, colour in session.execute(query.limit(QUESTIONS))]


def colour(office: Office, account_id: int, game_id: str) -> str:
    """The colour of the account in a game. Raises :class:`NoSuch` where it has none."""
    seat = select(Seat.colour).where(
        Seat.game_id == game_id, Seat.account_id == account_id, Seat.status == SeatStatus.ACCEPTED
    )
    with office.read() as session:
        found = session.scalar(seat)
    if not found:
        raise NoSuch(f"Account {account_id} has no seat in game {game_id}.")
    return found


def may_sit(game: Game, account: Account) -> None:
    """Raises :class:`NotNow` for a program where the host of a game allows none."""
    if account.program and not game.programs:
        raise NotNow(say("The host of this game does not allow programs."))


def _obstacle(session: Session, account_id: int) -> Say | None:
    sits = (
        select(Seat.id)
        .join(Game, Game.id == Seat.game_id)
        .where(Seat.account_id == account_id, Seat.status == SeatStatus.ACCEPTED, Game.status != GameStatus.CANCELLED)
    )
    played = select(Result.game_id).where(Result.who == f"a{account_id}")
    member = select(LeagueMember.id).where(LeagueMember.account_id == account_id)
    if any(session.execute(query.limit(1)).first() is not None for query in (sits, played, member)):
        return say("You have played here yourself with this account. Log in with another address for your program.")
    return None


def _asked(game: Game, colour: str) -> Asked:
    return Asked(
        game=game.id,
        title=game.title,
        kind=game.game,
        map=game.map,
        seat=colour,
        version=game.version,
        turn=game.turn,
        phase=game.phase,
        since=game.waiting_since or game.opened_at,
        deadline=game.deadline_at,
        paused=game.paused_at is not None,
    )
