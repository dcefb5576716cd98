"""Signed links: who follows one has the right it names, and nobody can make one.

One salt per purpose, so that a token of one kind is foreign to every other. A token never expires by itself:
a turn token dies with its version, a log-in token with its row, the others with what they are about. All are void
once the key they were signed with is neither the key nor among the old ones.

Whatever else is derived from the key is a :meth:`Tokens.seal`; both are compared in constant time.
"""

import hashlib
import hmac
from collections.abc import Sequence
from typing import Literal, TypeAlias, TypeVar

import msgspec
from itsdangerous import BadData, URLSafeSerializer
from itsdangerous.encoding import base64_decode, base64_encode

from pbem.service.base.numbers import NUMBERS, is_number

LONGEST = 300
SEAL, SHORT_SEAL = 64, 16
"""Hexadecimal digits of a seal, and of one that has to fit into a mail address."""
Purpose: TypeAlias = Literal["bounce", "reply", "stop", "check", "outbox"]
"""What a seal is for: a letter came back, is answered, is to be the last of its kind, or tests; to read the outbox."""
C = TypeVar("C", bound="Claim")


class BadToken(Exception):
    """Forged, cut short, of another purpose, or not a token at all; they are not told apart."""


class Claim(msgspec.Struct, frozen=True, array_like=True, forbid_unknown_fields=True):
    """What the bearer of a token may do. A token holds the values of its fields in their order; a last one that has its
    default is left out. Its purpose follows from the name of the class."""

    @classmethod
    def purpose(cls) -> str:
        return cls.__name__.removesuffix("Claim").lower()


class TurnClaim(Claim, frozen=True):
    """May answer for ``seat`` (a colour) what position ``version`` of the game asks."""

    game: str
    seat: str
    version: int


class PlanClaim(Claim, frozen=True):
    """May give standing orders for ``seat`` while ``turn`` of the game lasts; ``holder`` as in ``Seat``."""

    game: str
    seat: str
    turn: int
    holder: int


class SeatClaim(Claim, frozen=True):
    """Is the player with this seat number; ``holder``: how often the seat had changed hands by then."""

    game: str
    number: int
    holder: int = 0


class InvitationClaim(Claim, frozen=True):
    """May accept or decline the invitation to this seat number, as long as the seat has had no later ``holder``."""

    game: str
    number: int
    holder: int = 0


class GuestClaim(Claim, frozen=True):
    """Began the game from the start page and plays its seat with this number, until its address is confirmed."""

    game: str
    number: int


class ConfirmClaim(Claim, frozen=True):
    """Reads the mail of the address that was given with such a seat: may take it over, as this account."""

    game: str
    number: int
    account: int


class LoginClaim(Claim, frozen=True):
    """Was sent the log-in link with this id."""

    login: str


class UnsubscribeClaim(Claim, frozen=True):
    """Reads letters of this kind, about this game (``""`` for none), at this account."""

    account: int
    game: str
    kind: str


class VoteClaim(Claim, frozen=True):
    """May vote for the seat with this number while its holder is the same."""

    vote: int
    number: int
    holder: int


class OfferClaim(Claim, frozen=True):
    """May take the seat that is offered, as this account; 0: whoever is logged in."""

    offer: int
    account: int


class JoinClaim(Claim, frozen=True):
    """May join the open table of a game while the key is the one of its link."""

    game: str
    key: str


class SitClaim(Claim, frozen=True):
    """Reads the mail of the address that was given to join an open table: may sit down there as this account.

    ``key``: of the link that was followed; empty for a table that was found in the list.
    """

    game: str
    account: int
    key: str


class MemberClaim(Claim, frozen=True):
    """Reads the mail of the member of a league."""

    member: int


class WatchClaim(Claim, frozen=True):
    """May look at a game while the key is the one of its link of spectators."""

    game: str
    key: str


class FeedClaim(Claim, frozen=True):
    """May read the feeds of the account as long as they have this key."""

    account: int
    key: str


class Tokens:
    """Makes tokens with one secret key, and reads those made with it or with an old one.

    Whatever reads one raises :class:`BadToken`.
    """

    def __init__(self, secret_key: str, old: Sequence[str] = ()) -> None:
        self._keys = (*old, secret_key)

    def make(self, claim: Claim) -> str:
        values = msgspec.structs.astuple(claim)
        if values[-1:] == claim.__struct_defaults__:
            values = values[:-1]
        token = self._serializer(claim.purpose()).dumps(values)
        return token if isinstance(token, str) else token.decode("ascii")

    def read(self, kind: type[C], token: str) -> C:
        if len(token) > LONGEST or not token.isascii() or not _canonical(token.rpartition(".")[2]):
            raise BadToken
        try:
            value: object = self._serializer(kind.purpose()).loads(token)
            if isinstance(value, list) and all(isinstance(part, str) or is_number(part) for part in value):
                return msgspec.convert(value, kind)
        except (BadData, msgspec.ValidationError) as error:
            raise BadToken from error
        raise BadToken

    def numbered(self, purpose: Purpose, number: int) -> str:
        """A token of a number that has room in a mail address, and is the same in capitals, as mail servers may write
        it."""
        return f"{number}-{self.seal(purpose, str(number), shown=SHORT_SEAL)}"

    def read_numbered(self, purpose: Purpose, token: str) -> int:
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


def _canonical(seal: str) -> bool:
    """Whether this is how a seal is written: it could be read with signs in it that do not count, as another token."""
    try:
        return base64_encode(base64_decode(seal)).decode("ascii") == seal
    except BadData:
        return False
