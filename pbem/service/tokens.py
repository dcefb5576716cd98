"""Signed links: who follows one has the right it names, and nobody can make one.

One salt per purpose, so that a token of one kind is foreign to every other. A token never expires by itself:
a turn token dies with its version, a log-in token with its row, the others with what they are about.
"""

from __future__ import annotations

import hashlib
from dataclasses import dataclass

from itsdangerous import BadData, URLSafeSerializer

LONGEST = 300


class BadToken(Exception):
    """Forged, cut short, of another purpose, or not a token at all; they are not told apart."""


@dataclass(frozen=True, slots=True)
class TurnClaim:
    """May answer for ``seat`` (a colour) what position ``version`` of the game asks."""

    game: str
    seat: str
    version: int


@dataclass(frozen=True, slots=True)
class SeatClaim:
    """Is the player with this seat number."""

    game: str
    number: int


@dataclass(frozen=True, slots=True)
class InvitationClaim:
    """May accept or decline the invitation to this seat number."""

    game: str
    number: int


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


class Tokens:
    """Makes and reads tokens with one secret key. Every ``read_`` raises :class:`BadToken`."""

    def __init__(self, secret_key: str) -> None:
        self._key = secret_key

    def turn(self, game: str, seat: str, version: int) -> str:
        return self._write("turn", game, seat, version)

    def read_turn(self, token: str) -> TurnClaim:
        match self._read("turn", token):
            case [str(game), str(seat), int(version)]:
                return TurnClaim(game, seat, version)
        raise BadToken

    def seat(self, game: str, number: int) -> str:
        return self._write("seat", game, number)

    def read_seat(self, token: str) -> SeatClaim:
        match self._read("seat", token):
            case [str(game), int(number)]:
                return SeatClaim(game, number)
        raise BadToken

    def invitation(self, game: str, number: int) -> str:
        return self._write("invitation", game, number)

    def read_invitation(self, token: str) -> InvitationClaim:
        match self._read("invitation", token):
            case [str(game), int(number)]:
                return InvitationClaim(game, number)
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

    def _serializer(self, purpose: str) -> URLSafeSerializer:
        return URLSafeSerializer(
            self._key, salt=f"pbem.{purpose}", signer_kwargs={"digest_method": hashlib.sha256, "key_derivation": "hmac"}
        )

    def _write(self, purpose: str, *values: str | int) -> str:
        token = self._serializer(purpose).dumps(list(values))
        return token if isinstance(token, str) else token.decode("ascii")

    def _read(self, purpose: str, token: str) -> object:
        if len(token) > LONGEST or not token.isascii():
            raise BadToken
        try:
            value: object = self._serializer(purpose).loads(token)
        except BadData as error:
            raise BadToken from error
        return value
