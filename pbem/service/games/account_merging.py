"""Merging two accounts of one person: one is kept and gets what the other has, the other is nobody's afterwards.

The row of the other stays, as that of a deleted account does, and ``merged_accounts`` says which account it has become:
its address leads there, and so do links that name its number. Links to seats name seats, and work on by themselves.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime
from typing import Any

from sqlalchemy import Select, delete, func, select, update
from sqlalchemy.orm import InstrumentedAttribute, Session, aliased

from pbem.engine import Say, Value, say
from pbem.service.base import NotNow, Office, queries
from pbem.service.games import account_deletion
from pbem.service.letters import outbox, webhook_messages
from pbem.service.operator import operating
from pbem.service.statistics import counting
from pbem.store.statuses import LIVING, GameStatus
from pbem.store.tables import (
    Absence,
    Account,
    Block,
    Feed,
    Game,
    GameNotification,
    League,
    LeagueMember,
    Letter,
    LoggedIn,
    Login,
    MergedAccount,
    Note,
    OperatorAction,
    OwnMap,
    OwnMapComplaint,
    OwnMapLike,
    ProgramToken,
    PushSubscription,
    PuzzleAnswer,
    Rating,
    Returned,
    Seat,
    ServerJob,
    Stop,
    Unreachable,
    Webhook,
)

Column = InstrumentedAttribute[int] | InstrumentedAttribute[int | None]

PASSED: tuple[Column, ...] = (
    *account_deletion.IN_GAMES, Game.host_id, League.host_id, LeagueMember.account_id, Letter.account_id,
    Webhook.account_id, Absence.account_id, PushSubscription.account_id, OperatorAction.operator_id,
    ServerJob.operator_id, MergedAccount.account_id, OwnMap.account_id,
)  # fmt: skip
"""All that passes as it is."""
UNITED: Mapping[Column, InstrumentedAttribute[Any]] = {
    Note.account_id: Note.game_id, GameNotification.account_id: GameNotification.game_id,
    Stop.account_id: Stop.game_id, Block.account_id: Block.blocked_id, Block.blocked_id: Block.account_id,
    OwnMapLike.account_id: OwnMapLike.map_key, PuzzleAnswer.account_id: PuzzleAnswer.day,
}  # fmt: skip
"""Passes where the account that is kept has none of the same; by which column it is the same."""
ENDED: tuple[Column, ...] = (
    Login.account_id, LoggedIn.account_id, Feed.account_id, Returned.account_id, Unreachable.account_id,
    ProgramToken.account_id, OwnMapComplaint.account_id,
)  # fmt: skip
"""What is about one address or one browser ends, and what was said against maps."""
COUNTED: tuple[Column, ...] = (Rating.account_id,)
"""Follows from the results, and only statistics write it."""
REMEMBERED: tuple[Column, ...] = (MergedAccount.id,)
"""Where the account that went can be found."""
NAMED = 5
"""Games and leagues that a refusal names."""


class Side(Value):
    """One of the two accounts. ``running``: games that are not over."""

    person: operating.Person
    running: int
    finished: int
    hosted: int
    leagues: int


class Merging(Value):
    kept: Side
    goes: Side
    refusals: tuple[Say, ...]


def merging(office: Office, kept: int, goes: int) -> Merging:
    """What :func:`merge` would do; changes nothing. Raises :class:`NoSuch`."""
    with office.read() as session:
        one, other = operating.known(session, kept), operating.known(session, goes)
        refusals = _refusals(session, office.settings.operator, one, other)
        return Merging(_side(session, one), _side(session, other), tuple(refusals))


def merge(office: Office, operator_id: int, kept: int, goes: int, now: datetime) -> None:
    """Make two accounts one, all or nothing. Raises :class:`NoSuch`, and :class:`NotNow` with the first obstacle."""
    with office.work(now) as work:
        session = work.session
        for number in sorted({kept, goes}):
            operating.known(session, number)
            queries.account(session, number)
        held = account_deletion.games_of(session, goes)
        for game_id in held:  # whoever holds one of them may write letters to the account
            work.lock(game_id)
        one, other = operating.known(session, kept), operating.known(session, goes)
        if refusals := _refusals(session, office.settings.operator, one, other):
            raise NotNow(refusals[0])
        address, silent = other.address, session.get(Unreachable, goes) is not None
        one.statistics, one.findable = one.statistics and other.statistics, one.findable and other.findable
        one.reviewed = one.reviewed and other.reviewed
        account_deletion.make_nobody(other, now)
        session.flush()  # others who point to its row have finished when this returns
        if set(account_deletion.games_of(session, goes)) - set(held):
            raise NotNow(say("Something has just happened in a game of this account. Nothing was changed; try again."))
        _unite(session, kept, goes)
        for column in PASSED:
            session.execute(update(column.class_).where(column == goes).values({column.key: kept}))
        for column in ENDED:
            session.execute(delete(column.class_).where(column == goes))
        counting.pass_on(session, goes, kept)
        session.add(MergedAccount(id=goes, address=address, account_id=kept, at=now))
        operating.write_down(session, operator_id, "merges", goes, now)
        session.flush()
        if silent and session.get(Unreachable, kept) is None:
            outbox.reachable_again(work, kept)


def _refusals(session: Session, operator: str, kept: Account, goes: Account) -> list[Say]:
    if kept.id == goes.id:
        return [say("Choose two different accounts.")]
    if operator and operator in (kept.address, goes.address):
        return [say("The account of the operator cannot be merged: PBEM_OPERATOR names its address.")]
    if kept.program or goes.program:
        return [say("The account of a program cannot be merged: what a program has played is never a person’s.")]
    refusals = []
    if games := _titles(session, Game, _both(Seat.account_id, Seat.game_id, kept.id, goes.id)):
        sentence = say("Both accounts have a seat in the same game, and nobody can have two: {games}.", games=games)
        refusals.append(sentence)
    if leagues := _titles(session, League, _both(LeagueMember.account_id, LeagueMember.league_id, kept.id, goes.id)):
        refusals.append(say("Both accounts take part in the same league: {leagues}.", leagues=leagues))
    return refusals


def _both(column: Column, place: InstrumentedAttribute[str], kept: int, goes: int) -> Select[str]:
    return select(place).where(column == kept, place.in_(select(place).where(column == goes)))


def _titles(session: Session, table: type[Game | League], places: Select[str]) -> str:
    query = select(table.title).where(table.id.in_(places)).order_by(table.opened_at.desc(), table.id)
    found = session.scalars(query.limit(NAMED + 1)).all()
    return ", ".join([*found[:NAMED], *(["…"] if len(found) > NAMED else [])])


def _unite(session: Session, kept: int, goes: int) -> None:
    """What the account that is kept may have already: of the same thing its own stays."""
    _unite_notes(session, kept, goes)
    session.execute(delete(Block).where(Block.account_id.in_((kept, goes)), Block.blocked_id.in_((kept, goes))))
    session.execute(delete(Stop).where(Stop.account_id == goes, Stop.game_id == ""))  # that of the kept one counts
    for column, same in UNITED.items():
        table, theirs = column.class_, aliased(column.class_)
        had = select(getattr(theirs, same.key)).where(getattr(theirs, column.key) == kept)
        session.execute(delete(table).where(column == goes, same.in_(had)))
        session.execute(update(table).where(column == goes).values({column.key: kept}))
    own = {(row.kind, row.url, row.game_id) for row in _webhooks(session, kept)}
    for row in _webhooks(session, goes):
        if (row.kind, row.url, row.game_id) in own:
            webhook_messages.forget(session, row)


def _unite_notes(session: Session, kept: int, goes: int) -> None:
    """Two notes on one game become one: nothing that was written is lost."""
    for row in session.scalars(select(Note).where(Note.account_id == kept)):
        if (other := session.get(Note, (row.game_id, goes))) is not None:
            row.text = f"{row.text}\n\n{other.text}".strip()
    session.flush()


def _webhooks(session: Session, account_id: int) -> Sequence[Webhook]:
    return session.scalars(select(Webhook).where(Webhook.account_id == account_id).order_by(Webhook.id)).all()


def _side(session: Session, account: Account) -> Side:
    seats = select(func.count()).select_from(Seat).join(Game).where(Seat.account_id == account.id)
    hosted = select(func.count()).select_from(Game).where(Game.host_id == account.id, Game.status.in_(LIVING))
    leagues = select(func.count()).select_from(LeagueMember).where(LeagueMember.account_id == account.id)
    return Side(
        person=operating.person(session, account),
        running=session.scalars(seats.where(Game.status.in_(LIVING))).one(),
        finished=session.scalars(seats.where(Game.status == GameStatus.OVER)).one(),
        hosted=session.scalars(hosted).one(),
        leagues=session.scalars(leagues).one(),
    )
