"""Private feeds of what waits for somebody: addresses that need no log-in, until their owner makes new ones."""

from datetime import datetime, timedelta

from sqlalchemy import ColumnElement, delete, or_, select

from pbem.engine import Sheet, Value
from pbem.service.base import Office, queries
from pbem.service.base.tokens import BadToken, FeedClaim
from pbem.store.statuses import GameStatus, SeatStatus
from pbem.store.tables import Account, Feed, Game, Seat

MOST = 100
"""Entries of a feed."""
KINDS = {GameStatus.RUNNING: "turn", GameStatus.OPEN: "invitation", GameStatus.OVER: "over"}
"""What an entry tells, by the status of its game."""
FINISHED_SHOWN = timedelta(days=30)


class FeedAddresses(Value):
    atom: str
    calendar: str
    made_at: datetime


class FeedEntry(Value):
    """One thing to be told. ``kind``: turn invitation over; ``at``: since when.

    ``turn`` and ``version`` are those of the position. ``page`` is the public page of the game, ``answer`` the
    private page on which the reader can answer.
    """

    kind: str
    game: str
    title: str
    sheet: Sheet
    version: int
    turn: int
    phase: str
    at: datetime
    deadline: datetime | None
    paused: bool
    page: str
    answer: str


class FeedView(Value):
    """A feed. ``changed``: when its latest entry came; ``zone`` and ``language``: the reader's."""

    account: int
    name: str
    zone: str
    language: str
    changed: datetime
    entries: tuple[FeedEntry, ...]


def addresses(office: Office, account_id: int) -> FeedAddresses | None:
    """The feeds of an account, ``None`` while it has none."""
    with office.read() as session:
        row = session.get(Feed, account_id)
        return None if row is None else _addresses(office, row)


def renew(office: Office, account_id: int, now: datetime) -> FeedAddresses:
    """Make feeds for an account; addresses it had before are void."""
    with office.work(now) as work:
        queries.account(work.session, account_id)
        row = work.session.get(Feed, account_id)
        if row is None:
            row = Feed(account_id=account_id)
            work.session.add(row)
        row.key, row.made_at = office.secret(12), now
        return _addresses(office, row)


def close(office: Office, account_id: int) -> None:
    with office.write() as session:
        session.execute(delete(Feed).where(Feed.account_id == account_id))


def read(office: Office, claim: FeedClaim, now: datetime) -> FeedView:
    """What waits for the owner of the feed. Raises ``BadToken`` for an address that is void."""
    with office.read() as session:
        feed = session.get(Feed, claim.account)
        if feed is None or feed.key != claim.key:
            raise BadToken
        account = session.get_one(Account, claim.account)
        invited = (Game.status == GameStatus.OPEN) & (Seat.status == SeatStatus.INVITED)
        over = (Game.status == GameStatus.OVER) & (Game.ended_at > now - FINISHED_SHOWN)
        query = (
            select(Game, Seat)
            .join(Seat, Seat.game_id == Game.id)
            .where(Seat.account_id == account.id, asked(now) | invited | over)
        )
        found = [_entry(office, game, seat) for game, seat in session.execute(query.limit(MOST))]
        entries = tuple(sorted(found, key=lambda entry: (entry.at, entry.game), reverse=True))
        changed = max((entry.at for entry in entries), default=feed.made_at)
        return FeedView(account.id, account.name, account.zone, account.language, changed, entries)


def asked(now: datetime) -> ColumnElement[bool]:
    """What holds of a game and a seat when the seat is asked, and the question has been put."""
    put = or_(Game.counted_from <= now, Game.paused_at.is_not(None))
    return (Game.status == GameStatus.RUNNING) & (Game.to_act == Seat.colour) & put


def _addresses(office: Office, row: Feed) -> FeedAddresses:
    to = office.addresses
    return FeedAddresses(to.feed(row.account_id, row.key, "atom"), to.feed(row.account_id, row.key, "ics"), row.made_at)


def _entry(office: Office, game: Game, seat: Seat) -> FeedEntry:
    kind = KINDS[game.status]
    to, answer = office.addresses, ""
    if kind == "turn":
        answer = to.turn(game.id, seat.colour, game.version)
    elif kind == "invitation":
        answer = to.invitation(game.id, seat.number, holder=seat.holder)
    sheet = queries.sheet(game)
    return FeedEntry(
        kind=kind,
        game=game.id,
        title=game.title,
        sheet=sheet,
        version=game.version,
        turn=game.turn,
        phase=sheet.word(game.phase) if game.phase else "",
        at={"turn": game.waiting_since, "over": game.ended_at}.get(kind) or game.opened_at,
        deadline=game.deadline_at if kind == "turn" else None,
        paused=game.paused_at is not None,
        page=to.game(game.id),
        answer=answer,
    )
