"""Reviews of finished games: each is a row from the end of its game on, and is worked on in the background bit by bit.

The only place that writes ``reviews``. Games that have just ended come first, then those somebody has asked for, then
old ones.
"""

from bisect import bisect_left
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta
from typing import Any

from sqlalchemy import ColumnElement, Select, and_, exists, func, or_, select, update
from sqlalchemy.orm import Session, aliased, defer

from pbem.engine import Seat as Colour
from pbem.engine import Sheet, State, Value, say, say_to_json
from pbem.robot import review
from pbem.robot.review import Given, Reviewing
from pbem.robot.review.comparisons import CLEAR, Comparison
from pbem.robot.review.course import Course, by_turn
from pbem.robot.review.doubts import in_words
from pbem.service.base import GameWork, NotNow, Office, queries, rate_limits
from pbem.service.base.rate_limits import REVIEWS
from pbem.service.letters.kinds.reviews import Reviewed
from pbem.store.statuses import NOTES, GameStatus, MoveCause, ReviewStatus, SubmissionStatus
from pbem.store.tables import Account, AuditEntry, Game, Move, Rating, ReviewRow, Seat, Submission
from pbem.store.upserts import upsert

ENDED, ASKED, OLD = 0, 1, 2
"""Ranks of games that have just ended, of those somebody has asked for, and of all others."""
LEASE = timedelta(minutes=1)
"""How long a process has for its next unit before another may go on with the review."""
TRIES = 3
TAKEN = ("took-seat", "plays-on")
"""Entries of the audit log with which a seat has a new player: earlier orders are not theirs."""
BEFORE_ALL = datetime.min.replace(tzinfo=UTC)
LATEST = 50
"""Games of somebody that are added up, and seats of players of similar rating at the most."""
ALIKE = 3_000_000
"""Millionths by which the rating of these may differ: the better of two so far apart wins two games in three."""
ENOUGH = 10
"""Seats of these to compare with, at the least."""


class ReviewView(Value):
    """The review of a game as everybody may read it: orders of those who want none of theirs listed are left out.

    ``part``: hundredths of it that are done; ``left``: seconds it will still take at about, ``None`` before that can be
    told. ``kept_out``: who wants no own orders listed; ``asked``: whether it comes before old ones.
    ``course``: what every order came to, as in :class:`pbem.robot.review.Review`.
    """

    status: ReviewStatus
    part: int
    left: float | None
    decisions: tuple[Comparison, ...]
    kept_out: frozenset[Colour]
    asked: bool
    course: Course


def enter(work: GameWork) -> None:
    """Enter a game that has just ended, unless it has been or no person has played in it."""
    if _is_reviewed(work.game, work.seats) and work.session.get(ReviewRow, work.game.id) is None:
        work.session.add(ReviewRow(game_id=work.game.id, rank=ENDED, since=work.now))


def _is_reviewed(game: Game, seats: Sequence[Seat]) -> bool:
    return game.status == GameStatus.OVER and not all(seat.robot for seat in seats)


def enter_old(office: Office) -> None:
    """Enter games that ended before this server reviewed games like them, and those reviewed by another method; they
    come after all others."""
    people = select(Seat.game_id).where(Seat.robot == "")
    query = (
        select(Game.id, Game.ended_at)
        .where(Game.status == GameStatus.OVER, Game.ended_at.is_not(None), Game.count_at.is_(None))
        .where(Game.id.in_(people), ~exists().where(ReviewRow.game_id == Game.id))
    )
    otherwise = update(ReviewRow).where(ReviewRow.found["method"].as_integer() != review.METHOD)
    with office.write() as session:
        session.execute(
            otherwise.values(status=ReviewStatus.WAITING, rank=OLD, tries=0, part=0, spent=0, found=None),
            execution_options={"synchronize_session": False},
        )
        rows = [{"game_id": game_id, "rank": OLD, "since": ended_at} for game_id, ended_at in session.execute(query)]
        if rows:
            session.execute(upsert(session, ReviewRow).on_conflict_do_nothing(), rows)


def _is_entered_soon(session: Session, game_id: str) -> bool:
    """Whether a game has just ended and will have a review as soon as it is counted."""
    game = queries.game(session, game_id)
    return game.count_at is not None and _is_reviewed(game, queries.seats(session, game_id))


def ask(office: Office, game_id: str, account_id: int, now: datetime) -> None:
    """Have a game reviewed before older ones. Raises ``NoSuch``, :class:`NotNow` and ``TooMuch``."""
    with office.game(game_id, now) as work:
        row = work.session.get(ReviewRow, game_id)
        if row is None:
            raise NotNow(say("This game has no review."))
        if row.status == ReviewStatus.WAITING and row.rank > ASKED:
            row.rank, row.since = ASKED, now
            rate_limits.use(office, work.session, REVIEWS, str(account_id), now)


def of_game(office: Office, game_id: str) -> ReviewView | None:
    """What is known of a game so far; ``None`` where there will be no review."""
    with office.read() as session:
        row = session.get(ReviewRow, game_id)
        if row is None:
            soon = _is_entered_soon(session, game_id)
            return ReviewView(ReviewStatus.WAITING, 0, None, (), frozenset(), True, ()) if soon else None
        against = select(Seat.colour).join(Account).where(Seat.game_id == game_id, Account.reviewed.is_(False))
        kept_out, (found, course) = frozenset(session.scalars(against)), review.stored(row.found)
        left = row.spent / 1000 * (100 - row.part) / row.part if row.part else None
        shown = tuple(one for one in found if one.player not in kept_out)
        return ReviewView(row.status, row.part, left, shown, kept_out, row.rank <= ASKED, course)


class ReviewedGame(Value):
    """A reviewed game of somebody, with the own clear mistakes, the dearest first."""

    id: str
    title: str
    sheet: Sheet
    ended_at: datetime
    mistakes: tuple[Comparison, ...]


class Mistakes(Value):
    """The latest reviewed games of somebody, and clear mistakes of others beside their own.

    ``theirs``: those of ``others`` seats, of players of similar rating if ``alike``, else of the other people in these
    games.
    """

    games: tuple[ReviewedGame, ...]
    alike: bool
    others: int
    theirs: tuple[Comparison, ...]


def of_account(office: Office, account_id: int) -> Mistakes:
    """Of the games whose review is done, the latest first."""
    query = (
        select(Game, ReviewRow.found, Seat.colour)
        .join(ReviewRow, ReviewRow.game_id == Game.id)
        .join(Seat, Seat.game_id == Game.id)
        .where(Seat.account_id == account_id, ReviewRow.status == ReviewStatus.DONE)
        .order_by(Game.ended_at.desc(), Game.id)
        .limit(LATEST)
        .options(defer(Game.state), defer(Game.imported))
    )
    with office.read() as session:
        games = tuple(
            ReviewedGame(game.id, game.title, queries.sheet(game), game.ended_at or game.opened_at, _of(found, colour))
            for game, found, colour in session.execute(query)
        )
        people = _others(account_id).where(Game.game.in_({game.sheet.game for game in games}))
        others = session.execute(_alike(people, account_id)).all()
        if not (alike := len(others) >= ENOUGH):
            others = session.execute(people.where(Game.id.in_([game.id for game in games]))).all()
        theirs = tuple(one for found, colour in others for one in _of(found, colour))
    return Mistakes(games, alike, len(others), theirs)


Beside = Select[dict[str, Any] | None, Colour]
"""Reviews, each with a seat that somebody is compared with."""


def _others(account_id: int) -> Beside:
    """Those of other people who let reviews list their orders, the latest first."""
    return (
        select(ReviewRow.found, Seat.colour)
        .join(Game, Game.id == ReviewRow.game_id)
        .join(Seat, Seat.game_id == Game.id)
        .join(Account, Account.id == Seat.account_id)
        .where(ReviewRow.status == ReviewStatus.DONE, Account.id != account_id)
        .where(Account.reviewed.is_(True), Account.program.is_(False))
        .order_by(Game.ended_at.desc(), Game.id)
    )


def _alike(people: Beside, account_id: int) -> Beside:
    """Those of them whose rating is similar."""
    own = aliased(Rating)
    return (
        people.join(own, and_(own.game == Game.game, own.account_id == account_id))
        .join(Rating, and_(Rating.game == Game.game, Rating.account_id == Account.id))
        .where(Rating.mu.between(own.mu - ALIKE, own.mu + ALIKE))
        .limit(LATEST)
    )


def _of(found: dict[str, Any] | None, colour: Colour) -> tuple[Comparison, ...]:
    """The mistakes of a seat."""
    return tuple(one for one in review.stored(found)[0] if one.mistake and one.player == colour)


def there_is(office: Office, game_id: str) -> bool:
    """Whether a game has a review, or will have one."""
    with office.read() as session:
        return session.get(ReviewRow, game_id) is not None or _is_entered_soon(session, game_id)


def waits(office: Office, now: datetime) -> bool:
    """Whether there is a review to be worked on."""
    with office.read() as session:
        return session.scalar(select(ReviewRow.game_id).where(_free(now)).limit(1)) is not None


def orders_wait(office: Office, until: datetime) -> bool:
    """Whether an order that came before ``until`` has not been played yet: reviews are not worked on meanwhile."""
    query = select(Submission.id).where(Submission.status == SubmissionStatus.WAITING, Submission.received_at <= until)
    with office.read() as session:
        return session.scalar(query.limit(1)) is not None


def claim(office: Office, now: datetime) -> str | None:
    """Take the review of the next game in hand; ``None`` when there is none.

    One that was begun too often in vain is given up.
    """
    next_one = select(ReviewRow).where(_free(now)).order_by(ReviewRow.rank, ReviewRow.since, ReviewRow.game_id).limit(1)
    with office.write() as session:
        while (row := session.scalar(next_one.with_for_update(skip_locked=True))) is not None:
            if row.tries < TRIES:
                row.status, row.tries, row.claimed_until = ReviewStatus.WORKING, row.tries + 1, now + LEASE
                return row.game_id
            row.status = ReviewStatus.FAILED
            session.flush()
    return None


def opened(office: Office, game_id: str) -> Reviewing:
    """The review of a game as far as it has come: of the orders of whoever sits in its seats, since they sit there."""
    counts = Move.game_id == game_id, Move.taken_back_by.is_(None), Move.cause.not_in(NOTES)
    columns = Move.number, Move.turn, Move.seat, Move.orders, Move.cause, Move.at
    query = select(*columns).where(*counts).order_by(Move.number)
    with office.read() as session:
        game, seats = queries.game(session, game_id), queries.seats(session, game_id)
        sheet = queries.sheet(game)
        moves = session.execute(query).all()
        found = session.get_one(ReviewRow, game_id).found
        usual = not game.ended_early and review.usual(sheet, game.options)
        taken = select(AuditEntry.seat_number, func.max(AuditEntry.at)).where(
            AuditEntry.game_id == game_id, AuditEntry.kind.in_(TAKEN)
        )
        since = {row[0]: row[1] for row in session.execute(taken.group_by(AuditEntry.seat_number))}
    numbers = [move.number for move in moves]
    orders = [Given(move.number, move.turn, move.seat, move.orders) for move in moves]
    people = {seat.colour: since.get(seat.number, BEFORE_ALL) for seat in seats if not seat.robot}
    by_people = {
        move.number
        for move in moves
        if move.cause == MoveCause.PLAYER and move.seat in people and move.at > people[move.seat]
    }
    given = [order for order in orders if order.number in by_people]
    by_all = [order for order in orders if order.player and usual]
    played = review.Played(tuple(seat.colour for seat in seats), given, by_all)

    def position(number: int) -> State:
        before = numbers[bisect_left(numbers, number) - 1]
        with office.read() as session:
            return sheet.decode(session.get_one(Move, (game_id, before)).state)

    return review.begin(sheet, played, position).restored(found)


def keep(office: Office, game_id: str, reviewing: Reviewing, spent: float, now: datetime) -> None:
    """Keep what a unit has found; ``spent``: seconds it took.

    When the review of a game that has just ended is done, its players are told what was clear.
    """
    with office.game(game_id, now) as work:
        row = work.session.get_one(ReviewRow, game_id, with_for_update=True)
        row.found, row.part, row.spent = reviewing.to_json(), int(100 * reviewing.part), row.spent + round(1000 * spent)
        row.tries, row.claimed_until = 0, now + LEASE
        if reviewing.done:
            row.status, row.part, row.claimed_until = ReviewStatus.DONE, 100, None
            if row.rank == ENDED and not work.game.imported:
                _write(work, reviewing)


def _write(work: GameWork, reviewing: Reviewing) -> None:
    work.read_players()
    course = tuple(
        {seat: round(100 * worth.chance) for seat, worth in worths.items()} for _, worths in by_turn(reviewing.course)
    )
    for seat in work.seats:
        player = work.player(seat)
        if player is None or not player.reviewed or player.program:
            continue
        clear = [one for one in reviewing.review.decisions if one.player == seat.colour and one.clear]
        dearest, best = (
            next((_stored(reviewing, one) for one in clear if one.best is wanted), None) for wanted in (False, True)
        )
        if dearest or best:
            work.write_to(seat, Reviewed(dearest, best, course), f"review:{work.game.id}:{seat.number}")


def _stored(reviewing: Reviewing, one: Comparison) -> dict[str, Any]:
    lead, state = one.lead, reviewing.position(one.number)
    words = {
        key: [say_to_json(sentence) for sentence in in_words(reviewing.sheet, state, order)]
        for key, order in (("played", one.played), ("better", one.better))
    }
    figures = {"points": round(abs(lead.value)), "give": round(CLEAR * lead.error)}
    return {"order": one.number, "turn": one.turn, **figures, **words}


def _free(now: datetime) -> ColumnElement[bool]:
    waiting = ReviewRow.status == ReviewStatus.WAITING
    left = and_(ReviewRow.status == ReviewStatus.WORKING, ReviewRow.claimed_until <= now)
    return or_(waiting, left)
