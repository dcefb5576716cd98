"""Letters about accounts and addresses."""

from __future__ import annotations

from dataclasses import dataclass

from pbem.service.kinds.declaration import LetterKind, Timing


@dataclass(frozen=True)
class LoginLink(LetterKind):
    """The link with which the reader logs in; ``login``: its row."""

    kind, title = "login", "log-in link"
    timing, always_sent = Timing.ANY_HOUR, True
    login: str


@dataclass(frozen=True)
class DeliveryTest(LetterKind):
    """Shows whether mails arrive."""

    kind, title = "test", "test email"
    timing, always_sent = Timing.ANY_HOUR, True


@dataclass(frozen=True)
class AccountDeleted(LetterKind):
    """The last letter; what it holds is forgotten when it has left."""

    kind, title = "account-deleted", "account deleted"
    timing, always_sent, to_deleted = Timing.ANY_HOUR, True, True
    to: str = ""
    name: str = ""


@dataclass(frozen=True)
class MailReturned(LetterKind):
    """Letters to a player (``person``, the colour is ``how``) come back with a ``status`` as RFC 3463 has it."""

    kind, title = "mail-returned", "emails bounce"
    person: str
    how: str
    status: str


@dataclass(frozen=True)
class WebhookStopped(LetterKind):
    """A webhook at ``host`` is told nothing any more, and ``why``; ``game``: the title of its game, or nothing."""

    kind, title = "webhook-stopped", "a webhook was stopped"
    host: str
    why: str
    game: str
