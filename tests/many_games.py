"""Many stored games around the few that are measured or looked at: copies of real ones, made by the database.

Of each template those rows are copied that every game has, with ids of their own: the game with its position, the
seats (taken by other people), the deal and the first order with their positions, its submission, the letters of the
start, which have been sent, and the deed that opened it. Most copies are of the game that is over; how many run and
wait is in :func:`shares`. A game takes about 10 KB.
"""

from collections.abc import Callable, Iterator, Mapping
from dataclasses import dataclass
from datetime import datetime, timedelta
from functools import partial
from typing import Any

from sqlalchemy import Column, ColumnElement, Integer, MetaData, String, Table, func, insert, literal, select, update
from sqlalchemy.orm import Session

from pbem.service import Office
from pbem.store import tables
from pbem.store.tables import Account, AuditEntry, Game, Letter, Move, Seat, Submission, UtcTime

FIRST_ORDER = 1
LETTERS = ("game-started", "your-turn")
MOST_RUNNING = 5_000
APART = 613
"""How far the accounts of neighbours at a table are apart; prime to every number of people."""

copies = Table(
    "copied_games",
    MetaData(),
    Column("number", Integer, primary_key=True),
    Column("id", String(16)),
    Column("template", String(16), index=True),
    Column("since", UtcTime),
    Column("deadline", UtcTime),
    Column("remind", UtcTime),
    Column("ended", UtcTime),
    Column("made", UtcTime),
)


@dataclass(frozen=True, slots=True)
class Templates:
    """The ids of a game that is over, one that runs and one that waits for its players."""

    over: str
    running: str
    open: str


def shares(games: int) -> tuple[int, int, int]:
    """How many of so many games are over, run and wait: an eighth runs, at most five thousand."""
    running = min(games // 8 + 2, MOST_RUNNING)
    waiting = running // 5 + 1
    return games - running - waiting, running, waiting


def fill(office: Office, templates: Templates, games: int, now: datetime) -> None:
    """Store so many games beside those that are there; letters and clocks are such that nothing is due."""
    with office.database.write() as session:
        copies.create(session.connection())
        session.execute(insert(copies), list(_members(templates, games, now)))
        first, people = _people(session, max(games // 4, 8), now)
    for copy in _copies(first, people):
        with office.database.write() as session:  # each kind of row on its own: SQLite's log of one would be huge
            copy(session)
    with office.database.write() as session:
        copies.drop(session.connection())
    _settle(office)


def _settle(office: Office) -> None:
    """What databases do by themselves after a while. SQLite runs without statistics here, as it does for hosts."""
    with office.database.engine.connect() as connection:
        if connection.dialect.name == "postgresql":
            connection.exec_driver_sql("ANALYZE")
            connection.commit()


def give_games(office: Office, account_id: int, games: int) -> list[str]:
    """Let somebody sit in so many of the copied games, most of them over, and have had their letters."""
    over, running, waiting = games * 3 // 4, games // 5, games - games * 3 // 4 - games // 5
    with office.database.write() as session:
        ids: list[str] = []
        for status, count in (("over", over), ("running", running), ("open", waiting)):
            some = select(Game.id).where(Game.status == status, Game.id.like("c%")).order_by(Game.id).limit(count)
            ids += session.scalars(some)
        for table, number in ((Seat, Seat.number), (Letter, Letter.seat_number)):
            session.execute(update(table).where(table.game_id.in_(ids), number == 0).values(account_id=account_id))
        return ids


def _members(templates: Templates, games: int, now: datetime) -> Iterator[dict[str, Any]]:
    """One row for each copy, the kinds mixed evenly; each is a minute younger than the one before."""
    over, running, _ = shares(games)
    for number in range(games):
        place = number * 7919 % games if games % 7919 else number
        template = templates.over if place < over else templates.running if place < over + running else templates.open
        since = now - timedelta(minutes=1 + number % 1440)
        made = now - timedelta(hours=2, minutes=games - number)
        yield {
            "number": number,
            "id": f"c{number:07}",
            "template": template,
            "since": since,
            "deadline": since + timedelta(days=3) if template == templates.running else None,
            "remind": since + timedelta(days=2) if template == templates.running else None,
            "ended": made if template == templates.over else None,
            "made": made,
        }


def _people(session: Session, people: int, now: datetime) -> tuple[int, int]:
    """The number of the first of the people of the copied games, and how many they are."""
    rows = [{"address": f"p{n}@copies.invalid", "name": f"P{n}", "created_at": now} for n in range(people)]
    session.execute(insert(Account), rows)
    first = session.scalars(select(func.min(Account.id)).where(Account.address.like("p%@copies.invalid"))).one()
    return first or 0, people


def _sits(seat: Any, first: int, people: int) -> ColumnElement[int]:
    """Who sits in a seat of a copy."""
    sits: ColumnElement[int] = first + (copies.c.number + seat * APART) % people
    return sits


def _copies(first: int, people: int) -> tuple[Callable[[Session], None], ...]:
    """What is copied, table by table."""
    game = {
        "id": copies.c.id,
        "host_id": _sits(0, first, people),
        "waiting_since": copies.c.since,
        "counted_from": copies.c.since,
        "deadline_at": copies.c.deadline,
        "remind_at": copies.c.remind,
        "ended_at": copies.c.ended,
    }
    letter = {
        "key": func.replace(Letter.key, Letter.game_id, copies.c.id),
        "account_id": _sits(Letter.seat_number, first, people),
        "status": literal("sent"),
        "created_at": copies.c.made,
        "sent_at": copies.c.made,
        "claimed_until": literal(None),
    }
    seat = {"account_id": _sits(Seat.number, first, people)}
    submission = {
        "source": func.replace(Submission.source, Submission.game_id, copies.c.id),
        "received_at": copies.c.made,
        "done_at": copies.c.made,
    }
    return (
        partial(_copy, table=Game, which=(), ours=game, whose=Game.id),
        partial(_copy, table=Seat, which=(), ours=seat),
        partial(_copy, table=Move, which=(Move.number <= FIRST_ORDER,), ours={}),
        partial(_copy, table=Submission, which=(Submission.move_number == FIRST_ORDER,), ours=submission),
        partial(_copy, table=Letter, which=(Letter.kind.in_(LETTERS), Letter.version == 0), ours=letter),
        partial(_copy, table=AuditEntry, which=(AuditEntry.kind == "opened",), ours={"account_id": literal(None)}),
    )


def _copy(
    session: Session,
    table: type[tables.Table],
    which: tuple[ColumnElement[bool], ...],
    ours: Mapping[str, Any],
    *,
    whose: Any = None,
) -> None:
    """Copy the rows of each member's template, with ``ours`` instead of some columns."""
    columns = table.__table__.c
    values = dict(ours)
    own_number = [c.name for c in columns if c.primary_key and c.name == "id" and c.name not in values]
    game = columns.game_id if whose is None else whose
    if whose is None:
        values["game_id"] = copies.c.id
    names = [c.name for c in columns if c.name not in own_number]
    rows = select(*(values.get(name, columns[name]).label(name) for name in names)).join_from(
        copies, table.__table__, game == copies.c.template
    )
    session.execute(insert(table).from_select(names, rows.where(*which).order_by(copies.c.number)))
