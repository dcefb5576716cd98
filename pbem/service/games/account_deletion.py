"""Deleting an account: its name, address and letters go, the games of other people stay.

The row of the account remains without a name, because the log of games points to it. Seats of games that have ended
keep their place in the result; seats of running games are free, as after resigning.
"""

from collections.abc import Mapping, Set
from datetime import datetime
from typing import Any

from sqlalchemy import delete as delete_rows
from sqlalchemy import or_, select, update
from sqlalchemy.orm import Session

from pbem.engine import Value, say
from pbem.service.base import BadInput, GameWork, NewLetter, NotNow, Office, Problem, queries, validation
from pbem.service.base.sentences import NOBODY
from pbem.service.games import departures, opening
from pbem.service.letters import push_messages
from pbem.service.letters.kinds.accounts import AccountDeleted
from pbem.service.operator import operating
from pbem.service.turns import audit_log
from pbem.store.statuses import LIVING, GameStatus, MemberStatus, MoveCause
from pbem.store.tables import (
    Absence,
    Account,
    AuditEntry,
    Block,
    Feed,
    Game,
    GameNotification,
    League,
    LeagueMember,
    LoggedIn,
    Login,
    MergedAccount,
    Move,
    Note,
    Offer,
    OwnMap,
    OwnMapComplaint,
    OwnMapDraft,
    OwnMapLike,
    OwnMapVersion,
    Post,
    ProgramToken,
    PushSubscription,
    PuzzleAnswer,
    Rating,
    Remark,
    Returned,
    Seat,
    Stop,
    Unreachable,
    Webhook,
    WebhookMessage,
)
from pbem.store.tables import Letter as LetterRow

IN_GAMES = (Seat.account_id, AuditEntry.account_id, Post.account_id, Offer.taken_by, Remark.account_id)
"""Where rows of a game name accounts, beside its host and notes."""


class Leaving(Value):
    """What deleting an account would do. Titles of the games it would leave, and of those it would cancel."""

    leaves: tuple[str, ...]
    cancels: tuple[str, ...]


def leaving(office: Office, account_id: int) -> Leaving:
    query = (
        select(Game)
        .outerjoin(Seat, (Seat.game_id == Game.id) & (Seat.account_id == account_id))
        .where(Game.status.in_(LIVING), or_(Seat.id.is_not(None), Game.host_id == account_id))
        .order_by(Game.opened_at, Game.id)
    )
    with office.read() as session:
        found = session.scalars(query).all()
        cancels = [game for game in found if game.status == GameStatus.OPEN and game.host_id == account_id]
        return Leaving(
            leaves=tuple(game.title for game in found if game not in cancels),
            cancels=tuple(game.title for game in cancels),
        )


def delete(office: Office, account_id: int, typed: str, now: datetime, *, by_operator: bool = False) -> None:
    """Delete an account, all or nothing; ``typed``: its address, as its owner or the operator typed it to confirm.

    Raises :class:`BadInput` for field ``address`` when it is another one, :class:`NotNow` when the account has got a
    seat at this very moment, or is the operator's own, which only its owner deletes.
    """
    with office.work(now) as work:
        # others may write letters to the account until its row changes: they hold locks of games we need
        account = queries.account(work.session, account_id)
        if by_operator and account.address == office.settings.operator:
            raise NotNow(say("This is the account of the operator. Delete it on its own account page."))
        if account.deleted_at is not None or validation.one_line(typed[:400]).casefold() != account.address:
            wrong = say("To delete this account, type its address: {address}.", address=account.address)
            raise BadInput(Problem("address", wrong))
        for game_id in games_of(work.session, account_id):
            _leave(work.lock(game_id), account)
        _forget(work.session, account_id)
        last = AccountDeleted(account.address, account.name, by_operator)
        make_nobody(account, now)
        work.session.flush()
        if work.session.scalar(select(Seat.id).where(Seat.account_id == account_id).limit(1)) is not None:
            raise NotNow(say("You have just been given a seat in a game. Nothing was deleted; try again."))
        work.write(NewLetter(last, f"{last.kind}:{account_id}", account_id))
        if by_operator:
            operating.write_down_if_known(work.session, office.settings.operator, "deletes", account_id, now)


def games_of(session: Session, account_id: int) -> list[str]:
    """Every game that knows the account, in the order in which they are locked."""
    found = set[str](session.scalars(select(Game.id).where(Game.host_id == account_id)))
    for column in (*IN_GAMES, Note.account_id):
        found.update(session.scalars(select(column.class_.game_id).where(column == account_id)))
    return sorted(found)


def _leave(work: GameWork, account: Account) -> None:
    """Have no part in a game any more, and no name in it."""
    seat = work.seat_of(account.id)
    names = _names(work, account, seat)
    if work.game.status == GameStatus.OPEN and work.game.host_id == account.id:
        opening.call_off(work, account)
    if seat is not None:
        _stand_up(work, seat)
    if work.game.host_id == account.id:
        work.game.host_id = None
    _rename(work, account.id, names)


def _stand_up(work: GameWork, seat: Seat) -> None:
    match work.game.status:
        case GameStatus.OPEN:
            opening.decline(work, seat)
        case GameStatus.RUNNING | GameStatus.STOPPING:
            audit_log.write(work, "resigned", seat=seat)
            departures.leave(work, seat, "resigned")
    seat.account_id = None
    seat.holder += 1
    work.session.flush()


def _names(work: GameWork, account: Account, seat: Seat | None) -> set[str]:
    said = select(Post.name).where(Post.game_id == work.game.id, Post.account_id == account.id)
    done = select(AuditEntry.name).where(AuditEntry.game_id == work.game.id, AuditEntry.account_id == account.id)
    names = {*work.session.scalars(said), *work.session.scalars(done)}
    return names | {seat.name} if seat else names


def _rename(work: GameWork, account_id: int, names: Set[str]) -> None:
    """Put :data:`NOBODY` wherever the game says one of these names."""
    seats = work.seats
    own = [seat for seat in seats if seat.account_id is None and not seat.robot and seat.name in names]
    new = validation.distinct(NOBODY, {seat.name.casefold() for seat in seats if seat not in own})
    for seat in own:
        seat.name = new
    for post in work.session.scalars(select(Post).where(Post.game_id == work.game.id, Post.account_id == account_id)):
        post.name = new
    for done in work.session.scalars(select(AuditEntry).where(AuditEntry.game_id == work.game.id)):
        if done.account_id == account_id:
            done.name, done.account_id = new, None
        if done.data.get("other") in names:
            done.data = {**done.data, "other": new}
    for move in work.session.scalars(select(Move).where(Move.game_id == work.game.id, Move.cause == MoveCause.SEAT)):
        move.events = _without(move.events, names, new)


def _without(stored: Any, names: Set[str], new: str) -> Any:
    """Stored events in which these names are replaced."""
    if isinstance(stored, Mapping):
        return {key: _without(value, names, new) for key, value in stored.items()}
    if isinstance(stored, list):
        return [_without(value, names, new) for value in stored]
    return new if isinstance(stored, str) and stored in names else stored


def _forget(session: Session, account_id: int) -> None:
    """Everything that is about the account and about nobody else."""
    session.execute(update(League).where(League.host_id == account_id).values(host_id=None))
    nobody = {"account_id": None, "name": NOBODY, "status": MemberStatus.LEFT}
    session.execute(update(LeagueMember).where(LeagueMember.account_id == account_id).values(nobody))
    webhooks = select(Webhook.id).where(Webhook.account_id == account_id)
    devices = select(PushSubscription.id).where(PushSubscription.account_id == account_id)
    session.execute(delete_rows(WebhookMessage).where(WebhookMessage.webhook_id.in_(webhooks)))
    push_messages.forget(session, session.scalars(devices))
    session.execute(delete_rows(Block).where(or_(Block.account_id == account_id, Block.blocked_id == account_id)))
    _leave_maps(session, account_id)
    for table in (
        Webhook, Feed, Returned, Unreachable, LetterRow, Login, LoggedIn, Stop, GameNotification, Absence, Note, Rating,
        Remark, MergedAccount, ProgramToken, OwnMapComplaint, OwnMapLike, PuzzleAnswer,
    ):  # fmt: skip
        session.execute(delete_rows(table).where(table.account_id == account_id))


def _leave_maps(session: Session, account_id: int) -> None:
    """Drafts go, and with them maps on which nothing was played; versions that games name stay."""
    owned = select(OwnMap.key).where(OwnMap.account_id == account_id)
    for table in (OwnMapDraft, OwnMapComplaint):
        session.execute(delete_rows(table).where(table.map_key.in_(owned)))
    played = select(OwnMapVersion.map_key).where(OwnMapVersion.map_key.is_not(None))
    session.execute(delete_rows(OwnMap).where(OwnMap.account_id == account_id, OwnMap.key.not_in(played)))
    session.execute(update(OwnMap).where(OwnMap.account_id == account_id).values(account_id=None))


def make_nobody(account: Account, now: datetime) -> None:
    """The row is that of an account that nobody has any more, and its address is free."""
    account.address, account.name, account.deleted_at = f"deleted:{account.id}", NOBODY, now
    account.zone, account.language = "UTC", ""
    account.mails, account.reminders, account.substitute = "turn", "", False
    account.statistics = account.findable = account.own_mail = False
    account.quiet_from = account.quiet_to = None
