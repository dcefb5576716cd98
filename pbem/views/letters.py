"""What a letter is made of: parts that many kinds have, and the values of its own kind.

Filled by ``pbem.service.letters``, read by ``pbem.mail``; as in :mod:`pbem.views.games`, nothing here reads a database
or a clock.
"""

from collections.abc import Callable, Mapping
from datetime import datetime
from typing import Any

from pbem.engine import Choice, Question, Value
from pbem.views.accounts import USUAL_LOOK, BoardLook
from pbem.views.games import GameView, MoveView
from pbem.views.people import PostView


class Email(Value):
    """A finished email. ``content``: the bytes that go to the mail server, all of them ASCII, with CRLF line ends."""

    message_id: str
    content: bytes


class Envelope(Value):
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


class Links(Value):
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


class ChoiceLink(Value):
    """A choice of the question with its one-click link. ``number``: of the answer, from 1; ``typed``: the order as the
    letter prints it."""

    choice: Choice
    url: str
    number: int
    typed: str


class AskedQuestion(Value):
    """The question that a letter asks; ``page``: from an order to the address that asks to confirm it.

    ``answers``: those that the letter lists, by their numbers; ``more``: how many of the question's choices are not
    among them. Addresses are signed when they are asked for.
    """

    question: Question
    page: Callable[[str], str]
    answers: tuple[Choice, ...]

    @property
    def more(self) -> int:
        listed = {choice.order for choice in self.answers}
        return sum(1 for choice in self.question.choices if choice.order not in listed)

    def links(self, names: Mapping[str, str]) -> tuple[ChoiceLink, ...]:
        """``names``: in place of labels and colours of seats."""
        return tuple(
            ChoiceLink(one, self.page(one.order), number, one.written(names))
            for number, one in enumerate(self.answers, 1)
        )


class LetterView(Value):
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
