"""Signed links: who follows one has the right it names, and nobody can make one.

One salt per purpose, so that a token of one kind is foreign to every other. A token never expires by itself:
a turn token dies with its version, a log-in token with its row, the others with what they are about. All are void
once the key they were signed with is neither the key nor among the old ones.

Whatever else is derived from the key is a :meth:`Tokens.seal`; both are compared in constant time.
"""

from __future__ import annotations

import hashlib
import hmac
from collections.abc import Sequence
from dataclasses import dataclass

from itsdangerous import BadData, URLSafeSerializer
from itsdangerous.encoding import base64_decode, base64_encode

from pbem.service.base.numbers import NUMBERS, is_number

LONGEST = 300
SEAL, SHORT_SEAL = 64, 16
"""Hexadecimal digits of a seal, and of one that has to fit into a mail address."""


class BadToken(Exception):
    """Forged, cut short, of another purpose, or not a token at all; they are not told apart."""


@dataclass(frozen=True, slots=True)
class TurnClaim:
    """May answer for ``seat`` (a colour) what position ``version`` of the game asks."""

    game: str
    seat: str
    version: int


@dataclass(frozen=True, slots=True)
class PlanClaim:
    """May give standing orders for ``seat`` while ``turn`` of the game lasts; ``holder`` as in ``Seat``."""

    game: str
    seat: str
    turn: int
    holder: int = 0


@dataclass(frozen=True, slots=True)
class SeatClaim:
    """Is the player with this seat number; ``holder``: how often the seat had changed hands by then."""

    game: str
    number: int
    holder: int = 0


@dataclass(frozen=True, slots=True)
class InvitationClaim:
    """May accept or decline the invitation to this seat number, as long as the seat has had no later ``holder``."""

    game: str
    number: int
    holder: int = 0


@dataclass(frozen=True, slots=True)
class GuestClaim:
    """Began the game from the start page and plays its seat with this number, until its address is confirmed."""

    game: str
    number: int


@dataclass(frozen=True, slots=True)
class ConfirmClaim:
    """Reads the mail of the address that was given with such a seat: may take it over, as this account."""

    game: str
    number: int
    account: int


@dataclass(frozen=True, slots=True)
class LoginClaim:
    """Was sent the log-in link with this id."""

    login: str


@dataclass(frozen=True, slots=True)
class UnsubscribeClaim:
    """Reads letters of this kind, about this game (``""`` for none), at this account."""

    account: int
    game: str
    kind: str


@dataclass(frozen=True, slots=True)
class VoteClaim:
    """May vote for the seat with this number while its holder is the same."""

    vote: int
    number: int
    holder: int


@dataclass(frozen=True, slots=True)
class OfferClaim:
    """May take the seat that is offered, as this account; 0: whoever is logged in."""

    offer: int
    account: int


@dataclass(frozen=True, slots=True)
class JoinClaim:
    """May join the open table of a game while the key is the one of its link."""

    game: str
    key: str


@dataclass(frozen=True, slots=True)
class SitClaim:
    """Reads the mail of the address that was given to join an open table: may sit down there as this account.

    ``key``: of the link that was followed; empty for a table that was found in the list.
    """

    game: str
    account: int
    key: str


@dataclass(frozen=True, slots=True)
class WatchClaim:
    """May look at a game while the key is the one of its link of spectators."""

    game: str
    key: str


@dataclass(frozen=True, slots=True)
class FeedClaim:
    """May read the feeds of the account as long as they have this key."""

    account: int
    key: str


class Tokens:
    """Makes tokens with one secret key, and reads those made with it or with an old one.

    Every ``read_`` raises :class:`BadToken`.
    """

    def __init__(self, secret_key: str, old: Sequence[str] = ()) -> None:
        self._keys = (*old, secret_key)

    def turn(self, game: str, seat: str, version: int) -> str:
        return self._write("turn", game, seat, version)

    def read_turn(self, token: str) -> TurnClaim:
        match self._read("turn", token):
            case [str(game), str(seat), int(version)]:
                return TurnClaim(game, seat, version)
        raise BadToken

    def plan(self, game: str, seat: str, turn: int, holder: int = 0) -> str:
        return self._write("plan", game, seat, turn, holder)

    def read_plan(self, token: str) -> PlanClaim:
        match self._read("plan", token):
            case [str(game), str(seat), int(turn), int(holder)]:
                return PlanClaim(game, seat, turn, holder)
        raise BadToken

    def seat(self, game: str, number: int, holder: int = 0) -> str:
        return self._write("seat", game, number, *([holder] if holder else []))

    def read_seat(self, token: str) -> SeatClaim:
        match self._read("seat", token):
            case [str(game), int(number)]:
                return SeatClaim(game, number)
            case [str(game), int(number), int(holder)]:
                return SeatClaim(game, number, holder)
        raise BadToken

    def invitation(self, game: str, number: int, holder: int = 0) -> str:
        return self._write("invitation", game, number, *((holder,) if holder else ()))

    def read_invitation(self, token: str) -> InvitationClaim:
        match self._read("invitation", token):
            case [str(game), int(number)]:
                return InvitationClaim(game, number)
            case [str(game), int(number), int(holder)]:
                return InvitationClaim(game, number, holder)
        raise BadToken

    def guest(self, game: str, number: int) -> str:
        return self._write("guest", game, number)

    def read_guest(self, token: str) -> GuestClaim:
        match self._read("guest", token):
            case [str(game), int(number)]:
                return GuestClaim(game, number)
        raise BadToken

    def confirm(self, game: str, number: int, account: int) -> str:
        return self._write("confirm", game, number, account)

    def read_confirm(self, token: str) -> ConfirmClaim:
        match self._read("confirm", token):
            case [str(game), int(number), int(account)]:
                return ConfirmClaim(game, number, account)
        raise BadToken

    def login(self, login: str) -> str:
        return self._write("login", login)

    def read_login(self, token: str) -> LoginClaim:
        match self._read("login", token):
            case [str(login)]:
                return LoginClaim(login)
        raise BadToken

    def unsubscribe(self, account: int, game: str, kind: str) -> str:
        return self._write("unsubscribe", account, game, kind)

    def read_unsubscribe(self, token: str) -> UnsubscribeClaim:
        match self._read("unsubscribe", token):
            case [int(account), str(game), str(kind)]:
                return UnsubscribeClaim(account, game, kind)
        raise BadToken

    def vote(self, vote: int, number: int, holder: int) -> str:
        return self._write("vote", vote, number, holder)

    def read_vote(self, token: str) -> VoteClaim:
        match self._read("vote", token):
            case [int(vote), int(number), int(holder)]:
                return VoteClaim(vote, number, holder)
        raise BadToken

    def offer(self, offer: int, account: int) -> str:
        return self._write("offer", offer, account)

    def read_offer(self, token: str) -> OfferClaim:
        match self._read("offer", token):
            case [int(offer), int(account)]:
                return OfferClaim(offer, account)
        raise BadToken

    def join(self, game: str, key: str) -> str:
        return self._write("join", game, key)

    def read_join(self, token: str) -> JoinClaim:
        match self._read("join", token):
            case [str(game), str(key)]:
                return JoinClaim(game, key)
        raise BadToken

    def sit(self, game: str, account: int, key: str) -> str:
        return self._write("sit", game, account, key)

    def read_sit(self, token: str) -> SitClaim:
        match self._read("sit", token):
            case [str(game), int(account), str(key)]:
                return SitClaim(game, account, key)
        raise BadToken

    def member(self, member: int) -> str:
        return self._write("member", member)

    def read_member(self, token: str) -> int:
        """The member of a league whose mail its bearer reads."""
        match self._read("member", token):
            case [int(member)]:
                return member
        raise BadToken

    def watch(self, game: str, key: str) -> str:
        return self._write("watch", game, key)

    def read_watch(self, token: str) -> WatchClaim:
        match self._read("watch", token):
            case [str(game), str(key)]:
                return WatchClaim(game, key)
        raise BadToken

    def feed(self, account: int, key: str) -> str:
        return self._write("feed", account, key)

    def read_feed(self, token: str) -> FeedClaim:
        match self._read("feed", token):
            case [int(account), str(key)]:
                return FeedClaim(account, key)
        raise BadToken

    def bounce(self, letter: int) -> str:
        """What the return path of a letter ends with: short, and the same in capitals, as mail servers may write it."""
        return self._numbered("bounce", letter)

    def read_bounce(self, token: str) -> int:
        """The letter that came back."""
        return self._read_numbered("bounce", token)

    def reply(self, letter: int) -> str:
        """What the address ends with to which a letter is answered; as for :meth:`bounce`."""
        return self._numbered("reply", letter)

    def read_reply(self, token: str) -> int:
        """The letter that is answered."""
        return self._read_numbered("reply", token)

    def stop(self, letter: int) -> str:
        """What the address ends with that stops letters like this one; as for :meth:`bounce`."""
        return self._numbered("stop", letter)

    def read_stop(self, token: str) -> int:
        """The letter like which no more are wanted."""
        return self._read_numbered("stop", token)

    def check(self, number: int) -> str:
        """What the address ends with to which a test email of the doctor is answered; as for :meth:`bounce`."""
        return self._numbered("check", number)

    def read_check(self, token: str) -> int:
        """The number of the test email."""
        return self._read_numbered("check", token)

    def _numbered(self, purpose: str, number: int) -> str:
        return f"{number}-{self.seal(purpose, str(number), shown=SHORT_SEAL)}"

    def _read_numbered(self, purpose: str, token: str) -> int:
        number, _, seal = token[:LONGEST].lower().partition("-")
        if not (number.isascii() and number.isdigit() and int(number) in NUMBERS):
            raise BadToken
        if not self.sealed(seal, purpose, str(int(number)), shown=SHORT_SEAL):
            raise BadToken
        return int(number)

    def seal(self, purpose: str, *about: str, shown: int = SEAL) -> str:
        """What only this server can know about ``about`` for this purpose, in ``shown`` hexadecimal digits."""
        return self._seal(self._keys[-1], purpose, about)[:shown]

    def sealed(self, seal: str, purpose: str, *about: str, shown: int = SEAL) -> bool:
        """Whether it is such a seal, made with the key or with an old one."""
        given = seal.encode("utf-8", "replace")
        made = [self._seal(key, purpose, about)[:shown].encode() for key in self._keys]
        return any(hmac.compare_digest(given, own) for own in made)

    def _seal(self, key: str, purpose: str, about: Sequence[str]) -> str:
        message = "|".join([f"pbem.{purpose}", *about])
        return hmac.digest(key.encode(), message.encode("utf-8", "replace"), "sha256").hex()

    def _serializer(self, purpose: str) -> URLSafeSerializer:
        return URLSafeSerializer(
            self._keys,
            salt=f"pbem.{purpose}",
            signer_kwargs={"digest_method": hashlib.sha256, "key_derivation": "hmac"},
        )

    def _write(self, purpose: str, *values: str | int) -> str:
        token = self._serializer(purpose).dumps(list(values))
        return token if isinstance(token, str) else token.decode("ascii")

    def _read(self, purpose: str, token: str) -> object:
        if len(token) > LONGEST or not token.isascii() or not _canonical(token.rpartition(".")[2]):
            raise BadToken
        try:
            value: object = self._serializer(purpose).loads(token)
        except BadData as error:
            raise BadToken from error
        if not (isinstance(value, list) and all(isinstance(part, str) or is_number(part) for part in value)):
            raise BadToken
        return value


def _canonical(seal: str) -> bool:
    """Whether this is how a seal is written: it could be read with signs in it that do not count, as another token."""
    try:
        return base64_encode(base64_decode(seal)).decode("ascii") == seal
    except BadData:
        return False
