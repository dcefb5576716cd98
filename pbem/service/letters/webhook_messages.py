"""The outbox of the webhooks: like letters, messages are written in the transaction that causes them.

A message names a game and a version; what it says is read when it leaves. One whose question has been answered by
then is withdrawn.
"""

from collections.abc import Iterable
from datetime import datetime, timedelta
from typing import NamedTuple

from sqlalchemy import ColumnElement, delete, select, update
from sqlalchemy.orm import Session
from typing_extensions import override

from pbem.engine import Say, Sheet, State, Value, Word, replace, say
from pbem.language import reading
from pbem.language.voice import GameVoice, capital, spoken
from pbem.service.base import GameWork, NewLetter, Office, Work, queries, sentences
from pbem.service.base.task_hints import tell_hint
from pbem.service.letters.kinds.accounts import WebhookStopped
from pbem.service.letters.queue import ASKING, LONGEST_RESULT, BackOff, MessageQueue, shown_host
from pbem.store.statuses import GameStatus, Sending
from pbem.store.tables import Account, Game, Seat, Webhook, WebhookMessage
from pbem.transport.webhooks import Message

BACK_OFF = BackOff(attempts=7, first=timedelta(seconds=30))
FAILURES, FAILING = 10, timedelta(days=1)
"""A webhook is stopped when this many tries in a row have failed, and for so long."""


class Call(Value):
    kind: str
    url: str
    message: Message


class Facts(NamedTuple):
    webhook: Webhook
    game: Game | None


class Messages(MessageQueue[WebhookMessage, Facts, Webhook]):
    @override
    def facts(self, office: Office, work: Work, row: WebhookMessage) -> Facts:
        return Facts(work.session.get_one(Webhook, row.webhook_id), _game(work.session, row.game_id))

    @override
    def unwanted(self, work: Work, row: WebhookMessage, facts: Facts) -> str:
        webhook, game = facts
        if webhook.stopped_at is not None:
            return str(say("the webhook has been stopped"))
        asked = game is not None and game.status == GameStatus.RUNNING and game.version == row.version
        if row.kind in ASKING and not asked:
            return str(say("the question has been answered"))
        return "" if _may_be_told(work.session, webhook, game, row) else str(say("its owner is no longer in the game"))

    @override
    def waits_until(self, office: Office, work: Work, row: WebhookMessage, facts: Facts) -> datetime | None:
        return self.resting(office, work, facts.webhook.url)


QUEUE = Messages(WebhookMessage, "webhook_id", tell_hint, BACK_OFF, Webhook, "webhook")
hint_due, talked = QUEUE.hint_due, QUEUE.talked


def turn(work: GameWork, seat: Seat, wait: timedelta = timedelta(0), *, again: bool = False) -> None:
    """Tell the webhooks of the game and of the player that the seat is asked what the position asks.

    ``again``: although they may have been told before.
    """
    mine = Webhook.game_id.is_(None) & (Webhook.account_id == seat.account_id)
    about = f"{work.game.id}:{work.game.version}" + (f":{work.now:%Y%m%d%H%M%S}" if again else "")
    write(work, _open(work.session, _of_host(work.game) | mine), "turn", about, work.game, seat, wait)


def remind(work: GameWork, seat: Seat) -> None:
    """Tell the webhooks of a player that the seat is still asked; those of a game, which everybody reads, are not."""
    own = _open(work.session, Webhook.game_id.is_(None) & (Webhook.account_id == seat.account_id))
    about = f"{work.game.id}:{work.game.version}:{work.now:%Y%m%d%H%M%S}"
    write(work, own, "reminder", about, work.game, seat)


def over(work: GameWork) -> None:
    players = select(Seat.account_id).where(Seat.game_id == work.game.id, Seat.account_id.is_not(None))
    theirs = Webhook.game_id.is_(None) & Webhook.account_id.in_(players)
    write(work, _open(work.session, _of_host(work.game) | theirs), "over", work.game.id, work.game)


def write(
    work: Work,
    webhooks: Iterable[Webhook],
    kind: str,
    about: str,
    game: Game | None = None,
    seat: Seat | None = None,
    wait: timedelta = timedelta(0),
) -> None:
    """Put a message to each of these webhooks into the outbox, unless there is one of its kind ``about`` the same."""
    place = {"game_id": game.id, "version": game.version} if game else {}
    owners = [webhook.id for webhook in webhooks]
    QUEUE.write(work, owners, kind, about, work.now + wait, seat_number=seat.number if seat else None, **place)


def claim(office: Office, message_id: int, now: datetime) -> Call | None:
    """What to send, if the caller is to send this message now; it is then nobody else's for two minutes.

    While the host rests because it was slow, its messages wait.
    """
    with office.work(now) as work:
        claimed = QUEUE.claim(office, work, message_id)
        if claimed is None:
            return None
        row, (webhook, game) = claimed
        return Call(webhook.kind, webhook.url, message_of(office, work.session, webhook, row, game))


def host_changed(work: GameWork) -> None:
    """Delete the webhooks of the game, and their messages: they end with the rights of the host who made them."""
    of_others = Webhook.account_id.is_distinct_from(work.game.host_id)
    former = select(Webhook).where(Webhook.game_id == work.game.id, of_others)
    for webhook in work.session.scalars(former.order_by(Webhook.id).with_for_update()):
        forget(work.session, webhook)


def forget(session: Session, webhook: Webhook) -> None:
    session.execute(delete(WebhookMessage).where(WebhookMessage.webhook_id == webhook.id))
    session.delete(webhook)


def told(office: Office, message_id: int, code: int, now: datetime) -> None:
    """The other side has taken the message; the next one to this webhook can go."""
    with office.work(now) as work:
        if (found := QUEUE.locked(work.session, message_id)) is None:
            return
        row, webhook = found
        answer = say("Delivered, the answer was {code}.", code=code)
        QUEUE.note(row, str(answer))
        webhook.good, webhook.result, webhook.tried_at = True, sentences.kept(answer, LONGEST_RESULT), now
        webhook.failures, webhook.failing_since = 0, None
        QUEUE.sent(work, row)


def failed(
    office: Office, message_id: int, why: Say, now: datetime, *, for_good: bool = False, gone: bool = False
) -> None:
    """The message could not be delivered: try again later, each time more patient, or give it up.

    ``gone``: there is no such webhook. A webhook that has failed for long is stopped, and its owner gets a letter.
    """
    with office.work(now) as work:
        if (found := QUEUE.locked(work.session, message_id)) is None:
            return
        row, webhook = found
        QUEUE.failed(work, row, str(why), for_good=for_good or gone)
        webhook.good, webhook.result, webhook.tried_at = False, sentences.kept(why, LONGEST_RESULT), now
        webhook.failures += 1
        webhook.failing_since = webhook.failing_since or now
        if gone or (webhook.failures >= FAILURES and webhook.failing_since <= now - FAILING):
            _stop(work, webhook)


def _stop(work: Work, webhook: Webhook) -> None:
    if webhook.stopped_at is not None:
        return
    webhook.stopped_at = work.now
    waiting = update(WebhookMessage).where(
        WebhookMessage.webhook_id == webhook.id, WebhookMessage.status == Sending.WAITING
    )
    work.session.execute(waiting.values(status=Sending.WITHDRAWN))
    game = _game(work.session, webhook.game_id)
    key = f"webhook-stopped:{webhook.id}:{work.now:%Y%m%d%H%M%S}"
    stopped = WebhookStopped(shown_host(webhook.url), webhook.result, game.title if game else "")
    work.write(NewLetter(stopped, key, webhook.account_id))


def _of_host(game: Game) -> ColumnElement[bool]:
    """The webhooks of a game that its host has made: nobody has one without being the host."""
    return (Webhook.game_id == game.id) & (Webhook.account_id == game.host_id)


def _may_be_told(session: Session, webhook: Webhook, game: Game | None, row: WebhookMessage) -> bool:
    """Whether its owner still is what the message was written for: the host, or the player of the seat."""
    if game is None:
        return True
    if webhook.game_id is not None:
        return game.host_id == webhook.account_id
    seats = select(Seat.id).where(Seat.game_id == game.id, Seat.account_id == webhook.account_id)
    if row.seat_number is not None:
        seats = seats.where(Seat.number == row.seat_number)
    return session.scalar(seats) is not None


def _open(session: Session, whose: ColumnElement[bool]) -> list[Webhook]:
    query = select(Webhook).where(whose, Webhook.stopped_at.is_(None)).order_by(Webhook.id)
    return list(session.scalars(query))


def _game(session: Session, game_id: str | None) -> Game | None:
    return None if game_id is None else session.get(Game, game_id)


def message_of(office: Office, session: Session, webhook: Webhook, row: WebhookMessage, game: Game | None) -> Message:
    """The values of a message in the language of whoever made the webhook; without a game it is a test."""
    owner = session.get_one(Account, webhook.account_id)
    with reading(owner.language) as language:
        return replace(_message(office, session, webhook, row, game), language=language.code)


def _message(office: Office, session: Session, webhook: Webhook, row: WebhookMessage, game: Game | None) -> Message:
    if game is None:
        return Message("test", "pbem", spoken(say("This is a test: you will be notified here.")), office.addresses.root)
    sheet = queries.sheet(game)
    state = sheet.decode(game.state)
    seats = queries.seats(session, game.id)
    voice = GameVoice(sheet, state, {seat.colour: seat.name for seat in seats})
    if row.kind == "over":
        return _over(office, game, sheet, state, voice)
    asked = next(seat for seat in seats if seat.number == row.seat_number)
    turn = sheet.unit.nth(game.turn)
    if webhook.game_id is None:
        act = sheet.question(state).act
        sentence = say("It is your turn ({turn}). {act}.", turn=turn, act=act)
        if row.kind == "reminder":
            sentence = say("It is still your turn ({turn}). {act}.", turn=turn, act=act)
        link = office.addresses.turn(game.id, asked.colour, game.version)  # for the player's own eyes
    else:
        phase = Word(game.phase)
        sentence = say("{turn}, {phase}. Waiting for: {name}.", turn=turn, phase=phase, name=asked.name)
        link = office.addresses.game(game.id)
    return Message(
        row.kind,
        game.title,
        capital(sentence.read(voice)),
        link,
        game=game.id,
        map=game.map,
        turn=game.turn,
        phase=game.phase,
        player=asked.name,
        seat=asked.colour,
        deadline=game.deadline_at,
    )


def _over(office: Office, game: Game, sheet: Sheet, state: State, voice: GameVoice) -> Message:
    standings = tuple((voice.who(line.seat), line.score, line.out) for line in sheet.standings(state))
    ended: Say = say("The game on {map} is over.", map=sheet.name)
    if standings and not standings[0][2]:
        ended = say("The game on {map} is over. First: {name}.", map=sheet.name, name=standings[0][0])
    link = office.addresses.game(game.id)
    return Message("over", game.title, ended.read(voice), link, game=game.id, map=game.map, standings=standings)
