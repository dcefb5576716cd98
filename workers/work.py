"""What a task and the clock do with an id. Here the worker's clock is read, and nowhere below."""

import logging
import time
from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from email.utils import parseaddr
from typing import Protocol

from pbem.engine import Say, say
from pbem.mail.compose import compose
from pbem.runtime import metrics
from pbem.service import Office
from pbem.service.letter_views import correspondence
from pbem.service.letter_views.correspondence import Draft
from pbem.service.letters import outbox, providers, push_messages, webhook_messages
from pbem.service.orders import robots
from pbem.service.orders import submissions as orders
from pbem.service.people import bounces
from pbem.service.statistics import counting
from pbem.store.database import AWAY
from pbem.transport import devices, smtp, webhooks
from workers.pictures import picture

NOTED_WITHIN = 45.0
"""Seconds; a letter is in our hands for two minutes, and a conversation with the mail server lasts one at the most."""
AGAIN_AFTER = 0.5
PATIENCE = 30.0
REST = timedelta(seconds=10)
"""How long no letters are tried after the mail server was not there to say yes or no: whoever waits for it again and
again plays no orders meanwhile, and lets no clock look at deadlines."""

log = logging.getLogger(__name__)
_resting: dict[str, datetime] = {}
"""Until when, by where letters go."""
_hung: dict[str, str] = {}
"""By where letters go: for which provider the mail server last gave no answer."""


def now() -> datetime:
    return datetime.now(UTC)


def patiently(act: Callable[[], None], seconds: float = PATIENCE) -> None:
    """Do what a task is for; while the database is away it waits, so that no hint is wasted on it.

    After half a minute the error of the database is raised, and what was to be done is left to the clock.
    """
    until = time.monotonic() + seconds
    while True:
        try:
            return act()
        except AWAY as error:
            if time.monotonic() > until:
                raise
            log.warning("the database is away: %s", str(error).splitlines()[0])
            time.sleep(AGAIN_AFTER)


def play(office: Office, game_id: str) -> None:
    began = time.monotonic()
    number = orders.play_waiting(office, game_id, now())
    metrics.played(number, time.monotonic() - began)


def think(office: Office, game_id: str) -> None:
    began = time.monotonic()
    if robots.think(office, game_id, now()):
        log.info("a robot answered after %.1f s", time.monotonic() - began, extra={"game": game_id})


def count(office: Office, game_id: str) -> None:
    """Count this finished game; after an error of ours it is tried again later, so that others get their turn."""
    try:
        counting.count(office, game_id, now())
    except AWAY:
        raise
    except Exception:
        counting.put_off(office, game_id, now())
        raise


def send(office: Office, letter_id: int) -> None:
    """Send this letter unless it is somebody else's, not due, or pointless by now, or the mail server was away lately.

    When the server does not take it, it is tried again later; an error of our own making is noted with the
    letter in the same way and raised.
    """
    if _resting.get(_way(office), now()) > now():
        return
    if (claimed := outbox.claim(office, letter_id, now())) is not None:
        _send_ours(office, letter_id, was_slow=claimed.was_slow)


def _way(office: Office) -> str:
    return office.settings.smtp_url or str(office.settings.outbox_dir)


def _send_ours(office: Office, letter_id: int, *, was_slow: bool) -> None:
    """Send a letter that we have claimed. ``was_slow``: the host of its reader, when it was last spoken to."""
    way = _way(office)
    try:
        draft = correspondence.letter(office, letter_id, now())
        took = _compose_and_post(office, letter_id, draft)
    except smtp.NotTaken as refusal:
        metrics.letter("refused")
        log.warning("letter %s was not taken: %s", letter_id, refusal.said, extra={"letter": letter_id})
        outbox.failed(office, letter_id, str(refusal), now(), for_good=refusal.for_good)
        _not_taken(office, way, refusal)
        if refusal.for_good:
            bounces.refused(office, letter_id, str(refusal), now())
    except Exception as error:
        metrics.letter("broken")
        outbox.failed(office, letter_id, f"{type(error).__name__}: {error}", now())
        raise
    else:
        metrics.letter("taken")
        host, slow = providers.host(draft.view.envelope.to), took >= providers.SLOW
        quick = host if was_slow and not slow else ""
        patiently(lambda: outbox.sent(office, letter_id, now(), quick=quick), NOTED_WITHIN)
        _hung.pop(way, None)
        if slow:
            providers.talked(office, host, took, now(), done=True)


def tell(office: Office, message_id: int) -> None:
    if (call := webhook_messages.claim(office, message_id, now())) is None:
        return

    def post(to: webhooks.Target) -> int:
        return webhooks.tell(webhooks.receiver(call.kind, to), webhooks.body(call.kind, call.message, to))

    _tell(office, webhook_messages, message_id, call.url, post)


def push(office: Office, message_id: int) -> None:
    if (call := push_messages.claim(office, message_id, now())) is None:
        return

    def post(to: webhooks.Target) -> int:
        return devices.tell(to, call.device, call.message, sender(office), now())

    _tell(office, push_messages, message_id, call.device.endpoint, post)


class Messages(Protocol):
    """What those to webhooks and those to devices have in common."""

    def told(self, office: Office, message_id: int, code: int, now: datetime) -> None: ...
    def talked(self, office: Office, url: str, took: timedelta, now: datetime, *, done: bool) -> None: ...
    def failed(
        self, office: Office, message_id: int, why: Say, now: datetime, *, for_good: bool = False, gone: bool = False
    ) -> None: ...


def _tell(
    office: Office, messages: Messages, message_id: int, url: str, post: Callable[[webhooks.Target], int]
) -> None:
    began = time.monotonic()
    try:
        code = post(webhooks.target(url, loopback=office.settings.webhooks_loopback))
    except webhooks.BadAddress as bad:
        messages.failed(office, message_id, bad.sentence, now(), gone=True)
    except webhooks.NotTold as no:
        kind = "" if messages is webhook_messages else " to a device"
        log.info("message %s%s was not taken: %s", message_id, kind, no, extra={"message_id": message_id})
        messages.talked(office, url, timedelta(seconds=time.monotonic() - began), now(), done=False)
        messages.failed(office, message_id, no.sentence, now(), for_good=no.for_good, gone=no.gone)
    except Exception:
        messages.failed(office, message_id, say("There was an error on our side."), now())
        raise
    else:
        took = timedelta(seconds=time.monotonic() - began)
        patiently(lambda: messages.told(office, message_id, code, now()), NOTED_WITHIN)
        messages.talked(office, url, took, now(), done=True)


def sender(office: Office) -> devices.Sender:
    """Who we are to push services; they may write to the operator."""
    chosen = office.settings
    return devices.Sender(chosen.push_key, chosen.operator or parseaddr(chosen.mail_from)[1])


def _compose_and_post(office: Office, letter_id: int, draft: Draft) -> timedelta:
    """Returns how long the provider of the reader took."""
    envelope = draft.view.envelope
    email = compose(draft.view, picture(draft), office.settings.mail_from)
    took = smtp.post(office.settings, email, envelope.to, office.tokens.numbered("bounce", letter_id))
    about = {"letter": letter_id, "game": draft.view.game.id if draft.view.game else None}
    log.info("letter %s, %s, was taken", letter_id, envelope.kind, extra=about)
    return timedelta(seconds=took)


def _not_taken(office: Office, way: str, refusal: smtp.NotTaken) -> None:
    """Leave alone whoever gave no answer: the provider of the reader, or the mail server, for everybody."""
    took, host = timedelta(seconds=refusal.took), providers.host(refusal.to)
    hung = refusal.away and took >= providers.SLOW
    if hung or not refusal.away:
        providers.talked(office, host, took, now(), done=not refusal.away)
    else:
        providers.not_asked(office, host, now())
    # A server that hangs may be asking the reader's provider; when it hangs for the next one too, it is the server.
    if refusal.away and (not hung or _hung.get(way, host) != host):
        _resting[way] = now() + REST
    if hung:
        _hung[way] = host
