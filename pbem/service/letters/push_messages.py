"""The outbox of devices: like letters, messages are written in the transaction that causes them.

A device shows one notification for each game: that of the question which is open. The next one takes its place; when
somebody else is asked, it is withdrawn (docs/decisions/web-push.md).
"""

from collections.abc import Iterable, Sequence
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import delete, func, or_, select
from sqlalchemy.orm import Session
from typing_extensions import override

from pbem.engine import Say, Value, say
from pbem.language import reading
from pbem.language.times import Calendar
from pbem.language.voice import GameVoice, capital, spoken
from pbem.service.base import GameWork, Office, Work, queries, sentences
from pbem.service.base.task_hints import push_hint
from pbem.service.letters import schedule
from pbem.service.letters.queue import ASKING, LONGEST_RESULT, BackOff, MessageQueue
from pbem.store.statuses import GameStatus, Sending
from pbem.store.tables import Account, Game, PushMessage, PushSubscription, Seat
from pbem.transport.devices import LONGEST_KEPT, Device, Notice

BACK_OFF = BackOff(attempts=7, first=timedelta(seconds=30))
WITHDRAWN_WITHIN = timedelta(days=1)
"""How long a push service waits for a device to take a notification away from it."""
TRIED_FOR = timedelta(hours=1)


class Call(Value):
    device: Device
    message: Notice


class Facts(NamedTuple):
    subscription: PushSubscription
    owner: Account
    game: Game | None


class Messages(MessageQueue[PushMessage, Facts, PushSubscription]):
    @override
    def facts(self, office: Office, work: Work, row: PushMessage) -> Facts:
        subscription = work.session.get_one(PushSubscription, row.subscription_id)
        owner = work.session.get_one(Account, subscription.account_id)
        return Facts(subscription, owner, None if row.game_id is None else work.session.get(Game, row.game_id))

    @override
    def unwanted(self, work: Work, row: PushMessage, facts: Facts) -> str:
        if row.kind == "test":
            return ""
        if row.kind in ASKING and not _is_asked(work.session, row, facts):
            return str(say("the question has been answered"))
        return str(say("a later message takes its place")) if _is_replaced(work.session, row) else ""

    @override
    def waits_until(self, office: Office, work: Work, row: PushMessage, facts: Facts) -> datetime | None:
        if row.kind in ASKING and (awake := schedule.awake(facts.owner, work.now)) > work.now:
            return awake
        return self.resting(office, work, facts.subscription.endpoint)


QUEUE = Messages(PushMessage, "subscription_id", push_hint, BACK_OFF, PushSubscription, "push")
hint_due, talked = QUEUE.hint_due, QUEUE.talked


def turn(work: GameWork, seat: Seat, wait: timedelta = timedelta(0), *, again: bool = False) -> None:
    """Tell the devices of the player that the seat is asked what the position asks; take away from those of others what
    an earlier position asked. ``again``: although they may have been told before.
    """
    asked = None if seat.robot or seat.caretaker_since is not None else seat.account_id
    _withdraw_all(work, but=asked)
    about = f"{work.game.id}:{work.game.version}" + (f":{work.now:%Y%m%d%H%M%S}" if again else "")
    _ask(work, asked, "turn", about, seat, wait)


def remind(work: GameWork, seat: Seat) -> None:
    about = f"{work.game.id}:{work.game.version}:{work.now:%Y%m%d%H%M%S}"
    _ask(work, seat.account_id, "reminder", about, seat, timedelta(0))


def nobody_asked(work: GameWork) -> None:
    """Take away what an earlier position asked: the game is over, or about to be."""
    _withdraw_all(work)


def write_test(work: Work, subscription: PushSubscription) -> None:
    QUEUE.write(work, [subscription.id], "test", f"{work.now:%Y%m%d%H%M%S%f}", work.now)


def claim(office: Office, message_id: int, now: datetime) -> Call | None:
    """What to send, if the caller is to send this message now; it is then nobody else's for two minutes."""
    with office.work(now) as work:
        claimed = QUEUE.claim(office, work, message_id)
        if claimed is None:
            return None
        row, facts = claimed
        device = Device(facts.subscription.endpoint, facts.subscription.p256dh, facts.subscription.auth)
        with reading(facts.owner.language) as language:
            return Call(device, _notice(office, work, row, facts, language.code))


def told(office: Office, message_id: int, code: int, now: datetime) -> None:
    """The push service has taken the message. A question that was answered meanwhile is withdrawn at once."""
    with office.work(now) as work:
        if (found := QUEUE.locked(work.session, message_id)) is None:
            return
        row, subscription = found
        QUEUE.note(row, str(say("Delivered, the answer was {code}.", code=code)))
        subscription.told_at, subscription.result = now, ""
        QUEUE.sent(work, row)
        if row.kind in ASKING and not _is_asked(work.session, row, QUEUE.facts(office, work, row)):
            _withdraw(work, row)


def failed(
    office: Office, message_id: int, why: Say, now: datetime, *, for_good: bool = False, gone: bool = False
) -> None:
    """The message could not be delivered: try again later, each time more patient, or give it up.

    ``gone``: there is no such subscription any more, and it is forgotten.
    """
    with office.work(now) as work:
        if (found := QUEUE.locked(work.session, message_id)) is None:
            return
        row, subscription = found
        if gone:
            forget(work.session, [subscription.id])
            return
        QUEUE.failed(work, row, str(why), for_good=for_good)
        subscription.result = sentences.kept(why, LONGEST_RESULT)


def forget(session: Session, subscriptions: Iterable[int]) -> None:
    """Delete subscriptions and what was still to be sent to them."""
    numbers = list(subscriptions)
    session.execute(delete(PushMessage).where(PushMessage.subscription_id.in_(numbers)))
    session.execute(delete(PushSubscription).where(PushSubscription.id.in_(numbers)))


def _devices(work: GameWork, account_id: int) -> Sequence[int]:
    """The ids of the devices of an account, as far as they are told of this game; nobody forgets one of them now."""
    here = or_(PushSubscription.game_id.is_(None), PushSubscription.game_id == work.game.id)
    query = select(PushSubscription.id).where(PushSubscription.account_id == account_id, here)
    return work.session.scalars(query.order_by(PushSubscription.id).with_for_update(read=True, key_share=True)).all()


def _ask(work: GameWork, account_id: int | None, kind: str, about: str, seat: Seat, wait: timedelta) -> None:
    owner = None if account_id is None else work.player(seat)
    if owner is None or not (devices := _devices(work, owner.id)):
        return
    at = schedule.may_ring(work.session, owner, work.game, work.now + wait)
    game = work.game
    QUEUE.write(work, devices, kind, about, at, game_id=game.id, version=game.version, seat_number=seat.number)


def _withdraw_all(work: GameWork, but: int | None = None) -> None:
    """Take the notification about the game away from all devices that show one, but from those of this account."""
    of_game = (PushMessage.game_id == work.game.id, PushMessage.status == Sending.SENT)
    last = select(func.max(PushMessage.id)).where(*of_game).group_by(PushMessage.subscription_id)
    shown = select(PushMessage).join(PushSubscription).where(PushMessage.id.in_(last), PushMessage.kind.in_(ASKING))
    others = shown.where(PushSubscription.account_id.is_distinct_from(but))
    locked = others.order_by(PushMessage.id).with_for_update(read=True, key_share=True, of=PushSubscription)
    for row in work.session.scalars(locked).all():
        _withdraw(work, row)


def _withdraw(work: Work, row: PushMessage) -> None:
    place = {"game_id": row.game_id, "version": row.version, "seat_number": row.seat_number}
    QUEUE.write(work, [row.subscription_id], "answered", str(row.id), work.now, **place)


def _is_asked(session: Session, row: PushMessage, facts: Facts) -> bool:
    """Whether the position still stands, and the owner of the device is still asked in it."""
    game = facts.game
    if game is None or game.status != GameStatus.RUNNING or game.version != row.version:
        return False
    seat = select(Seat.id).where(
        Seat.game_id == game.id, Seat.number == row.seat_number, Seat.account_id == facts.owner.id
    )
    return session.scalar(seat) is not None


def _is_replaced(session: Session, row: PushMessage) -> bool:
    later = select(PushMessage.id).where(
        PushMessage.subscription_id == row.subscription_id,
        PushMessage.game_id == row.game_id,
        PushMessage.id > row.id,
        PushMessage.kind.in_(ASKING),
        PushMessage.status.in_([Sending.WAITING, Sending.SENT]),
        PushMessage.next_try_at <= row.next_try_at if row.kind in ASKING else PushMessage.status == Sending.SENT,
    )
    return session.scalar(later.limit(1)) is not None


def _notice(office: Office, work: Work, row: PushMessage, facts: Facts, language: str) -> Notice:
    """What a device shows, in the language that is read; it is for the eyes of its owner."""
    game = facts.game
    if game is None:
        text = spoken(say("This is a test: you will be notified here."))
        return Notice("test", "pbem", text, office.addresses.root, TRIED_FOR, "high", language=language)
    if row.kind == "answered":
        text = spoken(say("Answered. There is nothing left to do."))
        link = office.addresses.game(game.id)
        return Notice(game.id, game.title, text, link, WITHDRAWN_WITHIN, "low", answered=True, language=language)
    sheet = queries.sheet(game)
    seats = queries.seats(work.session, game.id)
    asked = next(seat for seat in seats if seat.number == row.seat_number)
    state = sheet.decode(game.state)
    voice = GameVoice(sheet, state, {seat.colour: seat.name for seat in seats})
    return Notice(
        about=game.id,
        title=f"{game.title}: {capital(sheet.question(state).act.read(voice))}",
        text=_told(row, game, facts.owner, sheet.unit.nth(game.turn), work.now).read(voice),
        link=office.addresses.turn(game.id, asked.colour, game.version),
        kept=LONGEST_KEPT if game.deadline_at is None else game.deadline_at - work.now,
        urgency="high" if row.kind == "reminder" else "normal",
        language=language,
    )


def _told(row: PushMessage, game: Game, owner: Account, turn: Say, now: datetime) -> Say:
    if game.deadline_at is None:
        return say("It is your turn ({turn}).", turn=turn)
    when = Calendar(owner.zone, now).limit(game.deadline_at)
    if row.kind == "reminder":
        return say("It is still your turn ({turn}). Answer by {when}.", turn=turn, when=when)
    return say("It is your turn ({turn}). Answer by {when}.", turn=turn, when=when)
