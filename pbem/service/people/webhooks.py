"""Webhooks from their owner's side: of all one's turns, or of a game one hosts."""

from datetime import datetime

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pbem.engine import Say, Value, say
from pbem.service.base import BadInput, NoSuch, NotNow, Office, Problem, queries, sentences
from pbem.service.letters import webhook_messages
from pbem.service.letters.queue import shown_host
from pbem.store.statuses import GameStatus, Sending
from pbem.store.tables import Game, Webhook, WebhookMessage
from pbem.transport.webhooks import KINDS, BadAddress, ntfy_topic, target

MOST = 5
"""Hooks of one account."""
DISCORD = ("discord.com", "discordapp.com")


class WebhookView(Value):
    """A webhook as its owner sees it. ``where`` is the host; ``title``: of the game it is about, empty for one's own.

    ``result``: what became of the last try; ``good``: whether it was taken; ``waiting``: messages still to be sent;
    ``testing``: a test is among them that has not been tried yet.
    """

    id: int
    kind: str
    where: str
    game: str
    title: str
    result: Say
    good: bool
    tried_at: datetime | None
    stopped_at: datetime | None
    created_at: datetime
    waiting: int
    testing: bool


def mine(office: Office, account_id: int) -> tuple[WebhookView, ...]:
    with office.read() as session:
        found = session.scalars(select(Webhook).where(Webhook.account_id == account_id).order_by(Webhook.id))
        return tuple(_view(session, webhook) for webhook in found)


def hosted(office: Office, account_id: int) -> tuple[tuple[str, str], ...]:
    """Ids and titles of games the account may make webhooks for: those it hosts that are not over."""
    query = select(Game.id, Game.title).where(
        Game.host_id == account_id, Game.status.in_([GameStatus.OPEN, GameStatus.RUNNING])
    )
    with office.read() as session:
        return tuple((number, title) for number, title in session.execute(query.order_by(Game.opened_at)))


def add(office: Office, account_id: int, kind: str, url: str, game_id: str, now: datetime) -> int:
    """Make a webhook, for the account's own turns or, with ``game_id``, for a game it hosts; returns its id.

    Raises :class:`BadInput` for the fields kind, url and game, :class:`NotNow` when there are too many.
    """
    url = url.strip()
    problems = _problems(office, kind, url)
    if game_id and game_id not in dict(hosted(office, account_id)):
        problems.append(Problem("game", say("Choose an open or running game that you host.")))
    if problems:
        raise BadInput(*problems)
    with office.work(now) as work:
        queries.account(work.session, account_id)
        number = work.session.scalar(select(func.count()).where(Webhook.account_id == account_id)) or 0
        if number >= MOST:
            raise NotNow(say("You can have at most {n} webhooks. Remove one first.", n=number))
        webhook = Webhook(account_id=account_id, game_id=game_id or None, kind=kind, url=url, created_at=now)
        work.session.add(webhook)
        work.session.flush()
        return webhook.id


def remove(office: Office, account_id: int, webhook_id: int) -> None:
    """Delete a webhook and what was still to be sent to it. Raises :class:`NoSuch`."""
    with office.write() as session:
        webhook = _own(session, account_id, webhook_id)
        webhook_messages.forget(session, webhook)


def test(office: Office, account_id: int, webhook_id: int, now: datetime) -> None:
    """Send a test; a webhook that was stopped is switched on again. Raises :class:`NoSuch` and :class:`NotNow`."""
    with office.work(now) as work:
        webhook = _own(work.session, account_id, webhook_id)
        webhook_messages.QUEUE.check_tests(work, webhook.id)
        webhook.stopped_at, webhook.failing_since, webhook.failures = None, None, 0
        webhook_messages.write(work, [webhook], "test", office.entropy(8).hex())


def _problems(office: Office, kind: str, url: str) -> list[Problem]:
    if kind not in KINDS:
        return [Problem("kind", say("Choose Discord, Slack, ntfy or plain JSON."))]
    try:
        to = target(url, loopback=office.settings.webhooks_loopback)
    except BadAddress as bad:
        return [Problem("url", bad.sentence)]
    if kind == "discord" and not to.plain and not _of_discord(to.host):
        return [Problem("url", say("A Discord webhook begins with https://discord.com/api/webhooks/."))]
    if kind == "ntfy" and not ntfy_topic(to):
        return [Problem("url", say("An ntfy address ends with its topic, for example https://ntfy.sh/my-topic."))]
    return []


def _of_discord(host: str) -> bool:
    return any(host == known or host.endswith(f".{known}") for known in DISCORD)


def _own(session: Session, account_id: int, webhook_id: int) -> Webhook:
    webhook = session.scalar(
        select(Webhook).where(Webhook.id == webhook_id, Webhook.account_id == account_id).with_for_update()
    )
    if webhook is None:
        raise NoSuch(f"There is no webhook {webhook_id}.")
    return webhook


def _view(session: Session, webhook: Webhook) -> WebhookView:
    game = None if webhook.game_id is None else session.get(Game, webhook.game_id)
    waiting = select(func.count()).where(
        WebhookMessage.webhook_id == webhook.id, WebhookMessage.status == Sending.WAITING
    )
    tests = waiting.where(WebhookMessage.kind == "test", WebhookMessage.attempts == 0)
    return WebhookView(
        id=webhook.id,
        kind=webhook.kind,
        where=shown_host(webhook.url),
        game=game.id if game else "",
        title=game.title if game else "",
        result=sentences.read(webhook.result),
        good=webhook.good,
        tried_at=webhook.tried_at,
        stopped_at=webhook.stopped_at,
        created_at=webhook.created_at,
        waiting=session.scalar(waiting) or 0,
        testing=bool(session.scalar(tests)),
    )
