"""What a letter is made of: parts that many kinds have, and the values of its own kind.

Filled by ``pbem.service.letters``, read by ``pbem.mail``; as in :mod:`pbem.views.games`, nothing here reads a database
or a clock.
"""

from __future__ import annotations

from collections.abc import Callable, Iterable
from dataclasses import dataclass
from datetime import datetime
from itertools import count
from typing import Any

from pbem.engine.sheet import Choice, Question
from pbem.views.accounts import USUAL_LOOK, BoardLook
from pbem.views.games import GameView, MoveView
from pbem.views.people import PostView

DELIVERY = "move"
"""The keyword of orders that may name a delivery by its place in the list."""


@dataclass(frozen=True, slots=True)
class Email:
    """A finished email. ``content``: the bytes that go to the mail server, all of them ASCII, with CRLF line ends."""

    message_id: str
    content: bytes


@dataclass(frozen=True, slots=True)
class Envelope:
    """Whom a letter goes to, and what its headers say.

    ``kind``: one of ``pbem.service.letters.kinds``. ``zone``: in which its reader is told times, ``language``: in which
    the letter is written. ``thread_id``: the Message-ID of the first letter about its game, on which all others hang;
    ``reply_to``: the address that takes what is answered. ``pictures``: how the board comes: inside, link, or text when
    the reader wants no HTML. ``look``: how its reader sees boards.
    """

    id: int
    kind: str
    to: str
    name: str
    now: datetime
    zone: str = "UTC"
    language: str = "en"
    message_id: str = ""
    thread_id: str = ""
    reply_to: str = ""
    pictures: str = "inside"
    look: BoardLook = USUAL_LOOK


@dataclass(frozen=True, slots=True)
class Links:
    """The addresses that letters of many kinds name; all absolute. Empty where the letter has no such link.

    ``turn``: the page on which the reader answers, and ``reply`` the mail address, where orders can be answered;
    ``seat``: the game as its reader; ``unsubscribe_by_mail``: the mail address that stops letters like this one;
    ``rulings``: the page on which each has its number as an anchor; ``by_email``: the
    page on how emails are answered; ``orders``: how orders of the game are written.
    """

    turn: str = ""
    reply: str = ""
    game: str = ""
    map: str = ""
    seat: str = ""
    rulings: str = ""
    orders: str = ""
    lobby: str = ""
    account: str = ""
    unsubscribe: str = ""
    unsubscribe_by_mail: str = ""
    by_email: str = ""


@dataclass(frozen=True, slots=True)
class ChoiceLink:
    """A choice of the question with its one-click link; ``number``: of a delivery in the whole list, else 0."""

    choice: Choice
    url: str
    number: int = 0

    @property
    def typed(self) -> str:
        """The shortest order that means it."""
        return f"{self.choice.keyword} {self.number}" if self.number else self.choice.order

    @property
    def way(self) -> str:
        """What a delivery is called in full, without its keyword."""
        return self.choice.order.partition(" ")[2]


@dataclass(frozen=True, slots=True)
class AskedQuestion:
    """The question that a letter asks; ``page``: from an order to the address that asks to confirm it.

    Few choices of many are shown, so that addresses are signed when they are asked for.
    """

    question: Question
    page: Callable[[str], str]

    def links(self, choices: Iterable[Choice]) -> tuple[ChoiceLink, ...]:
        numbers: dict[int, int] = {}
        if self.question.form == "deliver":
            listed = (id(one) for one in self.question.choices if one.keyword == DELIVERY)
            numbers = dict(zip(listed, count(1), strict=False))
        return tuple(ChoiceLink(one, self.page(one.order), numbers.get(id(one), 0)) for one in choices)


@dataclass(frozen=True, slots=True)
class LetterView:
    """Everything a letter says.

    ``own``: what only its kind says: the fields of its declaration, and its ``values``. ``seat``: the reader's
    (colour), empty for letters outside a running game; ``seat_number``: the same before it has a colour. ``moves``:
    the log entries that the letter tells; ``confirmed``: orders of the reader that came by email, and that nothing
    else confirms; ``talk``: what others have said since the last letter.
    """

    envelope: Envelope
    links: Links
    own: Any
    game: GameView | None = None
    seat: str = ""
    seat_number: int | None = None
    asked: AskedQuestion | None = None
    moves: tuple[MoveView, ...] = ()
    confirmed: tuple[MoveView, ...] = ()
    talk: tuple[PostView, ...] = ()
