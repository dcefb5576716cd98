"""Devices from their owner's side: browsers that are told when it is the owner's turn."""

import hashlib
from datetime import datetime

from sqlalchemy import func, or_, select
from sqlalchemy.orm import Session

from pbem.engine import Say, Value, say
from pbem.service.base import BadInput, NoSuch, NotNow, Office, Problem, queries, sentences, validation
from pbem.service.letters import push_messages
from pbem.store.tables import Game, PushMessage, PushSubscription
from pbem.transport import devices
from pbem.transport.devices import Device
from pbem.transport.webhooks import BadAddress, target

MOST = 10
"""Devices of one account."""
LONGEST_LABEL = 60
MARK = 16
"""How much of the hash of its address names a device to its own browser."""


class DeviceView(Value):
    """A device as its owner sees it. ``title``: of the one game it is told of, empty for all. ``refused``: the last
    message was not taken, ``result`` says why; ``trying``: a test has not been tried yet.
    """

    id: int
    label: str
    title: str
    refused: bool
    result: Say
    told_at: datetime | None
    created_at: datetime
    trying: bool


def key(office: Office) -> str:
    """What a browser needs to subscribe to messages of this server."""
    return devices.public_key(office.settings.push_key)


def marks(office: Office, account_id: int, game_id: str = "") -> tuple[str, ...]:
    """By which a browser finds out whether it is told of all turns of an account, or of those in this game."""
    here = or_(PushSubscription.game_id.is_(None), PushSubscription.game_id == game_id)
    query = select(PushSubscription.endpoint).where(PushSubscription.account_id == account_id, here)
    with office.read() as session:
        return tuple(hashlib.sha256(one.encode()).hexdigest()[:MARK] for one in session.scalars(query))


def owner(office: Office, game_id: str, seat_number: int) -> int | None:
    """The account of a seat; ``None`` for a robot, and as long as a guest has no confirmed address."""
    with office.read() as session:
        return queries.numbered(session, game_id, seat_number).account_id


def mine(office: Office, account_id: int) -> tuple[DeviceView, ...]:
    query = select(PushSubscription).where(PushSubscription.account_id == account_id).order_by(PushSubscription.id)
    with office.read() as session:
        return tuple(_view(session, row) for row in session.scalars(query))


def add(office: Office, account_id: int, device: Device, label: str, now: datetime, game_id: str = "") -> int:
    """Tell a device of all turns of an account, or, with ``game_id``, of those in one game; returns its id.

    Whoever switched a browser on last is told there: of all turns, nobody else is any more. Raises :class:`BadInput`
    for what no browser sends, and :class:`NotNow` when there are too many.
    """
    if problem := _problem(office, device):
        raise BadInput(Problem("device", problem))
    with office.work(now) as work:
        queries.account(work.session, account_id)
        same = select(PushSubscription).where(PushSubscription.endpoint == device.endpoint).with_for_update()
        known = work.session.scalars(same.order_by(PushSubscription.id)).all()
        covering = (row for row in known if row.account_id == account_id and row.game_id in (None, game_id or None))
        if (row := next(covering, None)) is not None:
            row.p256dh, row.auth = device.p256dh, device.auth
            return row.id
        if not game_id:
            push_messages.forget(work.session, [row.id for row in known])
        own = select(func.count()).where(PushSubscription.account_id == account_id)
        if (work.session.scalar(own) or 0) >= MOST:
            raise NotNow(say("You can have at most {n} devices. Remove one first.", n=MOST))
        label = validation.one_line(label)[:LONGEST_LABEL]
        new = PushSubscription(
            account_id=account_id, game_id=game_id or None, endpoint=device.endpoint, p256dh=device.p256dh,
            auth=device.auth, label=label, created_at=now,
        )  # fmt: skip
        work.session.add(new)
        work.session.flush()
        return new.id


def remove(office: Office, account_id: int, number: int) -> None:
    """Tell a device nothing more. Raises :class:`NoSuch`."""
    with office.write() as session:
        push_messages.forget(session, [_own(session, account_id, number).id])


def test(office: Office, account_id: int, number: int, now: datetime) -> None:
    """Send a test. Raises :class:`NoSuch` and :class:`NotNow`."""
    with office.work(now) as work:
        row = _own(work.session, account_id, number)
        push_messages.QUEUE.check_tests(work, row.id)
        push_messages.write_test(work, row)


def _problem(office: Office, device: Device) -> Say | None:
    try:
        target(device.endpoint, loopback=office.settings.webhooks_loopback)
    except BadAddress as bad:
        return bad.sentence
    return None if devices.well_formed(device) else say("The keys of this device are not valid.")


def _own(session: Session, account_id: int, number: int) -> PushSubscription:
    own = select(PushSubscription).where(PushSubscription.id == number, PushSubscription.account_id == account_id)
    row = session.scalar(own.with_for_update())
    if row is None:
        raise NoSuch(f"There is no device {number}.")
    return row


def _view(session: Session, row: PushSubscription) -> DeviceView:
    game = None if row.game_id is None else session.get(Game, row.game_id)
    tests = select(PushMessage.id).where(
        PushMessage.subscription_id == row.id, PushMessage.kind == "test", PushMessage.attempts == 0
    )
    return DeviceView(
        id=row.id,
        label=row.label,
        title=game.title if game else "",
        refused=bool(row.result),
        result=sentences.read(row.result),
        told_at=row.told_at,
        created_at=row.created_at,
        trying=session.scalar(tests.limit(1)) is not None,
    )
