"""Everything that is kept of one person, for that person: settings, games, what was written, emails, as JSON.

What lets somebody in is not part of it: no links, keys or log-ins.
"""

import json
from collections.abc import Mapping, Sequence
from datetime import date, datetime, time
from typing import Any

from sqlalchemy import Select, case, literal, or_, select

from pbem.service.base.office import Office
from pbem.service.base.seals import sealed
from pbem.store.statuses import GameStatus
from pbem.store.tables import (
    Absence,
    Account,
    Block,
    Game,
    GameNotification,
    Letter,
    Note,
    OwnMap,
    OwnMapComplaint,
    OwnMapDraft,
    OwnMapLike,
    Post,
    ProgramToken,
    PushSubscription,
    PuzzleAnswer,
    Rating,
    Remark,
    Seat,
    Stop,
    Webhook,
)

FORMAT = "pbem-account/1"


def of_account(office: Office, account_id: int) -> dict[str, Any]:
    """Times are in UTC, days by the calendar of the account."""
    parts: dict[str, object] = {name: _rows(office, query) for name, query in _parts(office, account_id).items()}
    values = {"format": FORMAT, "account": _rows(office, _account(account_id))[0], **parts}
    return sealed(json.loads(json.dumps(values, default=_plain)))


def _account(account_id: int) -> Select[*tuple[Any, ...]]:
    return select(
        Account.address, Account.name, Account.zone, Account.language, Account.mails, Account.mail_hours,
        Account.digest_at, Account.quiet_from, Account.quiet_to, Account.reminders, Account.substitute,
        Account.statistics, Account.findable, Account.reviewed, Account.own_mail, Account.pictures,
        Account.program, Account.created_at,
    ).where(Account.id == account_id)  # fmt: skip


def _parts(office: Office, account_id: int) -> Mapping[str, Select[*tuple[Any, ...]]]:
    mine = select(Seat.game_id).where(Seat.account_id == account_id)
    before, after = office.addresses.game_file("*").split("*")
    return {
        "games": select(
            Game.id, Game.title, Game.game, Game.map, Game.status, (Game.host_id == account_id).label("host"),
            Game.opened_at, Game.started_at, Game.ended_at,
            case((Game.status == GameStatus.OVER, literal(before) + Game.id + literal(after))).label("file"),
        ).where(or_(Game.id.in_(mine), Game.host_id == account_id)).order_by(Game.opened_at, Game.id),
        "seats": select(Seat.game_id, Seat.number, Seat.name, Seat.colour, Seat.status, Seat.answered_at)
        .where(Seat.account_id == account_id).order_by(Seat.id),
        "talk": select(Post.game_id, Post.name, Post.text, Post.at).where(Post.account_id == account_id)
        .order_by(Post.id),
        "notes": select(Note.game_id, Note.text, Note.changed_at).where(Note.account_id == account_id)
        .order_by(Note.game_id),
        "remarks": select(Remark.game_id, Remark.number, Remark.shared, Remark.text, Remark.at)
        .where(Remark.account_id == account_id).order_by(Remark.id),
        "maps": select(
            OwnMap.key, OwnMap.name, OwnMap.status, OwnMap.created_at, OwnMapDraft.text, OwnMapDraft.saved_at,
            OwnMap.reason, OwnMap.answer, OwnMap.answered_at,
        ).join(OwnMapDraft, OwnMapDraft.map_key == OwnMap.key).where(OwnMap.account_id == account_id)
        .order_by(OwnMap.created_at, OwnMap.key),
        "complaints": select(OwnMapComplaint.map_key, OwnMapComplaint.words, OwnMapComplaint.at)
        .where(OwnMapComplaint.account_id == account_id).order_by(OwnMapComplaint.map_key),
        "likes": select(OwnMapLike.map_key, OwnMapLike.liked, OwnMapLike.at)
        .where(OwnMapLike.account_id == account_id).order_by(OwnMapLike.map_key),
        "puzzles": select(PuzzleAnswer.day, PuzzleAnswer.orders, PuzzleAnswer.solved, PuzzleAnswer.at)
        .where(PuzzleAnswer.account_id == account_id).order_by(PuzzleAnswer.day),
        "emails": select(
            Letter.kind, Letter.game_id, Letter.created_at, Letter.sent_at, Letter.status, Letter.attempts,
            Letter.last_error,
        ).where(Letter.account_id == account_id).order_by(Letter.id),
        "emails_of_games": select(GameNotification.game_id, GameNotification.mails, GameNotification.talk)
        .where(GameNotification.account_id == account_id).order_by(GameNotification.game_id),
        "stopped_emails": select(Stop.game_id, Stop.kind, Stop.since).where(Stop.account_id == account_id)
        .order_by(Stop.id),
        "absences": select(Absence.first, Absence.last, Absence.created_at).where(Absence.account_id == account_id)
        .order_by(Absence.id),
        "blocked": select(Block.name, Block.since).where(Block.account_id == account_id).order_by(Block.since),
        "webhooks": select(Webhook.game_id, Webhook.kind, Webhook.created_at, Webhook.result)
        .where(Webhook.account_id == account_id).order_by(Webhook.id),
        "devices": select(
            PushSubscription.label, PushSubscription.game_id, PushSubscription.created_at, PushSubscription.told_at,
            PushSubscription.result,
        ).where(PushSubscription.account_id == account_id).order_by(PushSubscription.id),
        "program_tokens": select(ProgramToken.created_at, ProgramToken.used_at)
        .where(ProgramToken.account_id == account_id).order_by(ProgramToken.id),
        "ratings": select(Rating.game, Rating.mu, Rating.sigma, Rating.games, Rating.last_at)
        .where(Rating.account_id == account_id).order_by(Rating.game),
    }  # fmt: skip


def _rows(office: Office, query: Select[*tuple[Any, ...]]) -> Sequence[Mapping[str, Any]]:
    with office.read() as session:
        return [dict(row._mapping) for row in session.execute(query)]


def _plain(value: object) -> str:
    if isinstance(value, datetime | date | time):
        return value.isoformat()
    raise TypeError(f"{value!r} cannot be written as JSON")
