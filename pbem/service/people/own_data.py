"""Everything that is kept of one person, for that person: settings, games, what was written, emails, as JSON.

What lets somebody in is not part of it: no links, keys or log-ins.
"""

import json
from collections.abc import Iterator, Mapping, Sequence
from datetime import date, datetime, time
from typing import Any

from sqlalchemy import Select, case, literal, or_, select

from pbem.service.base import Office
from pbem.service.base.seals import sealed
from pbem.store import tables
from pbem.store.statuses import GameStatus
from pbem.store.tables import Game, OwnMap, OwnMapDraft, Seat

FORMAT = "pbem-account/1"
PARTS: Mapping[str, tuple[Any, str, str]] = {
    "seats": (Seat, "game_id number name colour status answered_at", "id"),
    "talk": (tables.Post, "game_id name text at", "id"),
    "notes": (tables.Note, "game_id text changed_at", "game_id"),
    "remarks": (tables.Remark, "game_id number shared text at", "id"),
    "complaints": (tables.OwnMapComplaint, "map_key words at", "map_key"),
    "likes": (tables.OwnMapLike, "map_key liked at", "map_key"),
    "puzzles": (tables.PuzzleAnswer, "day orders solved at", "day"),
    "emails": (tables.Letter, "kind game_id created_at sent_at status attempts last_error", "id"),
    "emails_of_games": (tables.GameNotification, "game_id mails talk", "game_id"),
    "stopped_emails": (tables.Stop, "game_id kind since", "id"),
    "absences": (tables.Absence, "first last created_at", "id"),
    "blocked": (tables.Block, "name since", "since"),
    "webhooks": (tables.Webhook, "game_id kind created_at result", "id"),
    "devices": (tables.PushSubscription, "label game_id created_at told_at result", "id"),
    "program_tokens": (tables.ProgramToken, "created_at used_at", "id"),
    "ratings": (tables.Rating, "game mu sigma games last_at", "game"),
}
"""What stands in rows of the account: their table, its columns, and by which of them they are in order."""
ACCOUNT = (
    "address name zone language mails mail_hours digest_at quiet_from quiet_to reminders substitute statistics "
    "findable reviewed own_mail pictures program created_at"
)


def of_account(office: Office, account_id: int) -> dict[str, Any]:
    """Times are in UTC, days by the calendar of the account."""
    account = _rows(office, _columns(tables.Account, ACCOUNT).where(tables.Account.id == account_id))[0]
    parts = {name: _rows(office, query) for name, query in _queries(office, account_id)}
    values = {"format": FORMAT, "account": account, **parts}
    return sealed(json.loads(json.dumps(values, default=_plain)))


def _queries(office: Office, account_id: int) -> Iterator[tuple[str, Select[*tuple[Any, ...]]]]:
    yield "games", _games(office, account_id)
    yield "maps", _maps(account_id)
    for name, (table, columns, order) in PARTS.items():
        yield name, _columns(table, columns).where(table.account_id == account_id).order_by(getattr(table, order))


def _games(office: Office, account_id: int) -> Select[*tuple[Any, ...]]:
    before, after = office.addresses.game_file("*").split("*")
    mine = select(Seat.game_id).where(Seat.account_id == account_id)
    return (
        _columns(Game, "id title game map status")
        .add_columns((Game.host_id == account_id).label("host"), Game.opened_at, Game.started_at, Game.ended_at)
        .add_columns(case((Game.status == GameStatus.OVER, literal(before) + Game.id + literal(after))).label("file"))
        .where(or_(Game.id.in_(mine), Game.host_id == account_id))
        .order_by(Game.opened_at, Game.id)
    )


def _maps(account_id: int) -> Select[*tuple[Any, ...]]:
    drawn = _columns(OwnMap, "key name status created_at").add_columns(OwnMapDraft.text, OwnMapDraft.saved_at)
    drawn = drawn.add_columns(OwnMap.reason, OwnMap.answer, OwnMap.answered_at)
    of_account = drawn.join(OwnMapDraft, OwnMapDraft.map_key == OwnMap.key).where(OwnMap.account_id == account_id)
    return of_account.order_by(OwnMap.created_at, OwnMap.key)


def _columns(table: Any, names: str) -> Select[*tuple[Any, ...]]:
    return select(*(getattr(table, name) for name in names.split()))


def _rows(office: Office, query: Select[*tuple[Any, ...]]) -> Sequence[Mapping[str, Any]]:
    with office.read() as session:
        return [dict(row._mapping) for row in session.execute(query)]


def _plain(value: object) -> str:
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    raise TypeError(f"{value!r} cannot be written as JSON")
