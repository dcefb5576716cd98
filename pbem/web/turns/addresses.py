"""Where a question is answered: on a turn page of a game, or in a trial. Pages of questions know nothing else of it.

The address of a trial holds all of it: the position, its own seed, the orders tried."""

import base64
import binascii
import re
import zlib
from collections.abc import Callable, Mapping
from dataclasses import dataclass
from functools import partial
from typing import NamedTuple

from flask import url_for
from werkzeug.exceptions import NotFound

from pbem.web.boards.pictures import PictureAddress


class Addresses(NamedTuple):
    """``page``: the page of the question, where answers are sent as well. ``picture``: of its position."""

    page: Callable[..., str]
    picture: PictureAddress


def turn_page(token: str, **query: object) -> Callable[..., str]:
    """The addresses of the page that the link of a turn page opens, all with this query."""
    return partial(url_for, "turns.turn", token=token, **query)  # type: ignore[arg-type] # values of a query


NOTHING = "-"
"""No order was tried yet."""
PACKED, UNPACKED = 2000, 40_000
"""The longest orders of an address, in characters, packed and not: with a draft behind it it stays below 4,094, which
is what web servers take."""
SEED = re.compile(r"[0-9a-f]{8}")
END = "\n\n"
"""Between two orders that were tried."""


class TooLong(Exception):
    """These orders have no place in an address."""


def packed(orders: tuple[str, ...]) -> str:
    """The orders as an address has them. Raises :class:`TooLong`."""
    if not orders:
        return NOTHING
    pack = zlib.compressobj(9, zlib.DEFLATED, -15)
    text = END.join(orders).encode()
    found = base64.urlsafe_b64encode(pack.compress(text) + pack.flush()).rstrip(b"=").decode("ascii")
    if len(found) > PACKED or len(text) > UNPACKED:
        raise TooLong
    return found


def unpacked(text: str) -> tuple[str, ...]:
    """The orders of an address; a 404 for what is none."""
    if text == NOTHING:
        return ()
    if len(text) > PACKED:
        raise NotFound
    try:
        stream = zlib.decompressobj(-15)
        found = stream.decompress(base64.urlsafe_b64decode(text + "=" * (-len(text) % 4)), UNPACKED)
        if not stream.eof or stream.unused_data:
            raise NotFound
        return tuple(found.decode().split(END))
    except (binascii.Error, zlib.error, ValueError) as error:
        raise NotFound from error


def seed(text: str) -> str:
    """The seed of an address; a 404 for what is none."""
    if not SEED.fullmatch(text):
        raise NotFound
    return text


@dataclass(frozen=True, slots=True)
class TrialAddresses:
    """Where the pages and pictures of a trial are.

    ``where``: below a ``game``, the link of a ``seat`` or the page of a ``turn``; ``place``: which one.
    """

    game: str
    where: str
    place: Mapping[str, str]
    at: int
    seed: str
    orders: tuple[str, ...]

    def page(self, **query: object) -> str:
        return self._address("show", self.orders, query)

    def picture(self, kind: str, **query: object) -> str:
        return self._address(kind, self.orders, query)

    def after(self, orders: tuple[str, ...]) -> str:
        return self._address("show", orders, {})

    def step_to(self, number: int | None) -> str:
        """The trial as it was after an order; for those before it the page of the game."""
        if number is None or number <= self.at:
            return url_for("games.game", game_id=self.game, at=number)
        return self.after(self.orders[: number - self.at])

    def again(self) -> str:
        return url_for(f"trials.{self.where}_begin", at=self.at, **self.place)  # type: ignore[arg-type] # values of an address

    def _address(self, page: str, orders: tuple[str, ...], query: Mapping[str, object]) -> str:
        values = {**self.place, "at": self.at, "seed": self.seed, "tried": packed(orders), **query}
        return url_for(f"trials.{self.where}_{page}", **values)  # type: ignore[arg-type] # values of an address
