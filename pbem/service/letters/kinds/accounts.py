"""Letters about accounts and addresses."""

from typing import Any

from typing_extensions import override

from pbem.engine import Say, say
from pbem.language.voice import spoken
from pbem.service.base import queries, sentences
from pbem.service.letters.kinds.context import Context
from pbem.service.letters.kinds.declaration import LetterKind, Timing
from pbem.store.tables import Login


class LoginLink(LetterKind):
    """The link with which the reader logs in. ``login``: its row; ``then``: what the reader came for."""

    kind, title = "login", say("log-in link")
    timing, always_sent, awaited = Timing.ANY_HOUR, True, True
    login: str
    then: str = ""

    @override
    def values(self, context: Context) -> dict[str, Any]:
        login = context.session.get_one(Login, self.login)
        return {"link": context.addresses.login(login.id, self.then), "expires": login.expires_at}


class GuestGame(LetterKind):
    """Somebody has begun a game with this address; who reads this takes it over. ``game``, ``number``: the seat."""

    kind, title = "guest-game", say("the game you started")
    timing, to_strangers, awaited = Timing.ANY_HOUR, True, True
    game: str
    number: int

    @override
    def values(self, context: Context) -> dict[str, Any]:
        game = queries.game(context.session, self.game)
        link = context.addresses.confirm(self.game, self.number, context.account.id)
        return {"title": game.title, "map": queries.sheet(game).name, "link": link, "lesson": bool(game.lesson)}


class DeliveryTest(LetterKind):
    kind, title = "test", say("test email")
    timing, always_sent, awaited = Timing.ANY_HOUR, True, True

    @override
    def values(self, context: Context) -> dict[str, Any]:
        return {"deliveries": context.addresses.deliveries()}


class AccountDeleted(LetterKind):
    """The last letter; what it holds is forgotten when it has left."""

    kind, title = "account-deleted", say("account deleted")
    timing, always_sent, to_deleted = Timing.ANY_HOUR, True, True
    to: str = ""
    name: str = ""
    by_operator: bool = False

    @override
    def addressee(self, context: Context) -> tuple[str, str]:
        return self.to, self.name


class MailReturned(LetterKind):
    """Letters to a player (``person``, the colour is ``how``) come back with a ``status`` as RFC 3463 has it."""

    kind, title = "mail-returned", say("emails bounce")
    person: str
    how: str
    status: str

    @override
    def values(self, context: Context) -> dict[str, Any]:
        return {"seat": self.how, "why": meaning(self.status)}


class WebhookStopped(LetterKind):
    """A webhook at ``host`` is told nothing any more, and ``why``; ``game``: the title of its game, or nothing."""

    kind, title = "webhook-stopped", say("a webhook was stopped")
    host: str
    why: str
    game: str

    @override
    def values(self, context: Context) -> dict[str, Any]:
        return {"why": spoken(sentences.read(self.why)), "page": context.addresses.notifications()}


def meaning(status: str) -> Say:
    """What a code of RFC 3463 says, without the address and without what else mail servers tell."""
    match status.split(".")[:3]:
        case ["5", "1", _]:
            return say("There is no such mailbox.")
        case ["5", "2", "1"]:
            return say("The mailbox is closed.")
        case ["5", "2", "2"]:
            return say("The mailbox is full.")
        case ["5", "4", _]:
            return say("The mail server cannot be reached.")
        case ["5", "7", _]:
            return say("The mail server does not accept our emails.")
    return say("The mail server says that it cannot deliver them.")
