"""Absences: days on which no clock of a player runs, announced in all games of the player."""

from collections.abc import Sequence
from datetime import date, datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.engine import count_say, say
from pbem.service.base import BadInput, NewLetter, NoSuch, Office, Problem, Work, queries
from pbem.service.base.numbers import NUMBERS
from pbem.service.clocks import game_clock
from pbem.service.letters.kinds.clocks import Away, Back
from pbem.store.statuses import GameStatus
from pbem.store.tables import Absence, Account, Game, Seat
from pbem.store.time_controls import ONE_DAY, Span
from pbem.views.accounts import AbsenceView

DAYS_A_YEAR = 40
FARTHEST = timedelta(days=366)
NO_DAY = say("This is not a date. Write it like 2026-12-24.")


def add(office: Office, account_id: int, first: date, last: date, now: datetime) -> None:
    """Store an absence, both days included; deadlines move, and the players of all games get a letter.

    Raises :class:`BadInput`.
    """
    with office.work(now) as work:
        account = queries.account(work.session, account_id)
        _check(account, Span(first, last), _spans(work.session, account_id), now)
        work.session.add(Absence(account_id=account_id, first=first, last=last, created_at=now))
        work.session.flush()
        _tell(work, account, Away, (first, last))


def remove(office: Office, account_id: int, absence_id: int, now: datetime) -> None:
    """End an absence: the days that are still to come count again. Raises :class:`NoSuch`."""
    with office.work(now) as work:
        account = queries.account(work.session, account_id)
        row = work.session.get(Absence, absence_id) if absence_id in NUMBERS else None
        today = game_clock.today(account, now)
        if row is None or row.account_id != account_id or row.last < today:
            raise NoSuch(f"There is no absence {absence_id} to remove.")
        days = row.first, row.last
        if row.first < today:
            row.last = today - ONE_DAY
        else:
            work.session.delete(row)
        work.session.flush()
        _tell(work, account, Back, days)


def of(office: Office, account_id: int, now: datetime) -> tuple[AbsenceView, ...]:
    """The absences that are not over, soonest first."""
    with office.read() as session:
        account = session.get_one(Account, account_id)
        query = select(Absence).where(Absence.account_id == account_id, Absence.last >= game_clock.today(account, now))
        return tuple(AbsenceView(row.id, row.first, row.last) for row in session.scalars(query.order_by(Absence.first)))


def announced(session: Session, account: Account, now: datetime) -> bool:
    mine = (Absence.account_id == account.id, Absence.last >= game_clock.today(account, now))
    return session.scalar(select(Absence.id).where(*mine).limit(1)) is not None


def left(office: Office, account_id: int, year: int) -> int:
    """How many days of absence are left in a year."""
    with office.read() as session:
        return _free(year, _spans(session, account_id))


def _check(account: Account, wanted: Span, known: Sequence[Span], now: datetime) -> None:
    today = game_clock.today(account, now)
    if wanted.first < today:
        raise BadInput(Problem("from", say("An absence cannot begin before today.")))
    if wanted.last < wanted.first:
        raise BadInput(Problem("until", say("The last day cannot be before the first.")))
    if wanted.last > today + FARTHEST:
        raise BadInput(Problem("until", say("An absence must end within a year.")))
    if any(wanted.first <= span.last and span.first <= wanted.last for span in known):
        raise BadInput(Problem("from", say("You already have an absence on some of these days.")))
    for year in range(wanted.first.year, wanted.last.year + 1):
        free = _free(year, known)
        if _days_in(year, [wanted]) > free:
            left = count_say(
                "{n} day of absence is left in {year}.", "{n} days of absence are left in {year}.", free, year=str(year)
            )
            raise BadInput(Problem("until", left))


def _free(year: int, known: Sequence[Span]) -> int:
    """Days that are left; two accounts that were merged may have taken more than one may."""
    return max(0, DAYS_A_YEAR - _days_in(year, known))


def _days_in(year: int, spans: Sequence[Span]) -> int:
    begin, end = date(year, 1, 1), date(year, 12, 31)
    return sum(max(0, (min(span.last, end) - max(span.first, begin)).days + 1) for span in spans)


def _spans(session: Session, account_id: int) -> list[Span]:
    found = session.scalars(select(Absence).where(Absence.account_id == account_id))
    return [Span(row.first, row.last) for row in found]


def _tell(work: Work, account: Account, kind: type[Away | Back], days: tuple[date, date]) -> None:
    """Move the clocks of the account and tell all who play with it, the account itself where a deadline moves."""
    own = select(Game).join(Seat).where(Seat.account_id == account.id, Game.status == GameStatus.RUNNING)
    for game in work.session.scalars(own.order_by(Game.id).with_for_update(of=Game, key_share=True)).all():
        seats = work.session.scalars(select(Seat).where(Seat.game_id == game.id)).all()
        mine = next((seat for seat in seats if seat.account_id == account.id), None)
        if mine is None:  # the seat was given up while we waited for the game
            continue
        before = game.deadline_at
        if game.to_act == mine.colour:
            game_clock.set_anew(work.at(game))
            game_clock.at_least_awake(game, work.now)
        moved = before is not None and game.deadline_at != before
        news = kind(mine.name, *days, before if moved else None)
        for seat in seats:
            if seat.account_id is not None and (seat is not mine or moved):
                key = f"{news.kind}:{game.id}:{seat.number}:{mine.number}:{days[0]}:{work.now:%Y%m%d%H%M%S}"
                work.write(NewLetter(news, key, seat.account_id, game=game, seat=seat))
