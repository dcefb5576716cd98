"""A robot that lives in its mail program: it answers emails by replying to them, and opens no page.

What stands on the board it does not learn from the emails: see :class:`BoardAtHome`.
"""

from __future__ import annotations

import random
import smtplib
import time
from dataclasses import dataclass
from email.message import EmailMessage
from html import escape

from pbem.demo import planner
from pbem.demo.browser import Astray
from pbem.demo.player import numbers, plain
from pbem.engine.sheet import Sheet, State
from pbem.service import Office
from pbem.service.games import views
from pbem.store.statuses import GameStatus

PATIENCE = 60.0
"""Seconds within which the server has to take an email in."""
WAIT = 0.2


@dataclass(frozen=True, slots=True)
class Question:
    """What a seat is asked, as far as its player can see: hidden things are made up, ``None`` where they cannot be."""

    sheet: Sheet
    state: State | None
    seat: str
    turn: int
    phase: str


class BoardAtHome:
    """The board that players who never open a page have beside them: no email holds a whole position for programs.

    It is read from the database of the demo, and nothing but what the player of the seat may see of it is used.
    """

    def __init__(self, office: Office, game: str) -> None:
        self._office, self._game = office, game

    def question(self, name: str) -> Question:
        """The position as the player of this name sees it."""
        game = views.game(self._office, self._game)
        seat = next(seat.seat for seat in game.seats if seat.name == name)
        sheet, state = game.sheet, game.state
        turn, phase = sheet.turn(state), sheet.phase(state)
        if sheet.secret_draws and game.status == GameStatus.RUNNING:
            state = sheet.imagined(sheet.position(state, seat), seat, game.options)
        return Question(sheet, state, seat, turn, phase)


class Replier:
    """One robot with a mail program of its own. ``port``: where the server takes email in on this machine."""

    def __init__(self, name: str, address: str, number: int, port: int, luck: random.Random) -> None:
        self.name, self.address = name, address
        self._program, self._port, self._luck = PROGRAMS[number % len(PROGRAMS)], port, luck
        self._sent = 0

    def close(self) -> None:
        """Nothing is kept open."""

    def accept(self, letter: EmailMessage) -> None:
        self._reply(letter, "yes")

    def answer(self, letter: EmailMessage, board: BoardAtHome, *, ahead: bool = False) -> tuple[int, str]:
        """Answer a question; returns the turn and the phase that was asked about. ``ahead``: say what follows, too."""
        asked = board.question(self.name)
        if str(letter["X-Pbem-Letter"]) == "planning":
            assert asked.state is not None, "a turn is planned before anything of it has begun"
            self._reply(letter, planner.plan(asked.sheet, asked.state, asked.seat, self._luck))
        else:
            self._reply(letter, self._order(letter, asked, ahead))
        return asked.turn, asked.phase

    def _order(self, letter: EmailMessage, asked: Question, ahead: bool) -> str:
        """The number of the order where the email has one; else the order as it is typed."""
        printed = numbers(letter)
        if asked.state is None:
            order = self._luck.choice(list(printed))
        else:
            order = planner.choose(asked.sheet, asked.state, asked.seat, self._luck)
        then = planner.then(asked.sheet, asked.state, asked.seat, order) if ahead and asked.state is not None else []
        return "\n".join((order if then else printed.get(order, order), *then))

    def _reply(self, letter: EmailMessage, text: str) -> None:
        to = letter["Reply-To"]
        if to is None:
            raise Astray(f"The email “{letter['Subject']}” to {self.name} cannot be answered.")
        self._sent += 1
        message = self._program(text, self.name, plain(letter))
        message["From"], message["To"] = f"{self.name} <{self.address}>", str(to)
        message["Subject"] = f"Re: {letter['Subject']}"
        message["Message-ID"] = f"<{self._sent}.{self.address}>"
        message["In-Reply-To"] = str(letter["Message-ID"])
        self._send(message, to.addresses[0].addr_spec)

    def _send(self, message: EmailMessage, to: str) -> None:
        end = time.monotonic() + PATIENCE
        while True:
            try:
                with smtplib.SMTP("127.0.0.1", self._port, timeout=PATIENCE) as server:
                    server.send_message(message, self.address, [to])
                return
            except (OSError, smtplib.SMTPException) as error:  # the port is not open yet, or it says to come again
                if isinstance(error, smtplib.SMTPResponseException | smtplib.SMTPRecipientsRefused) or (
                    time.monotonic() > end
                ):
                    raise Astray(f"An email of {self.name} was not taken: {error}") from error
                time.sleep(WAIT)


def _browser(text: str, _: str, letter: str) -> EmailMessage:
    """As Gmail writes it: the answer on top, once as text and once as HTML."""
    message = _text(f"{text}\n\nOn Fri, Nov 20, 2026 at 6:00 PM pbem wrote:\n\n{_quoted(letter)}")
    lines = "".join(f"<div>{escape(line)}</div>" for line in text.splitlines())
    message.add_alternative(
        f'<div dir="ltr">{lines}</div><br><div class="gmail_quote">On Fri, Nov 20, 2026 at 6:00 PM pbem wrote:<br>'
        f"<blockquote>{escape(letter)}</blockquote></div>",
        subtype="html",
    )
    return message


def _desk(text: str, name: str, letter: str) -> EmailMessage:
    """With a greeting and a name."""
    return _text(f"Hello,\n\n{text}\n\nBest regards\n{name}\n\nOn 20/11/2026 18:00, pbem wrote:\n{_quoted(letter)}")


def _phone(text: str, _: str, letter: str) -> EmailMessage:
    """With the line that a phone adds, in French."""
    return _text(f"{text}\n\nEnvoyé de mon iPhone\n\n> Le 20 nov. 2026 à 18:00, pbem a écrit :\n> \n{_quoted(letter)}")


def _below(text: str, name: str, letter: str) -> EmailMessage:
    """Below what is quoted, with a signature."""
    return _text(f"On Fri, Nov 20, 2026 at 06:00:00PM +0000, pbem wrote:\n{_quoted(letter)}\n{text}\n\n-- \n{name}\n")


PROGRAMS = (_browser, _desk, _phone, _below)
"""How the mail programs of the robots write an answer, by its text, the robot's name and the letter."""


def _text(text: str) -> EmailMessage:
    message = EmailMessage()
    message.set_content(text)
    return message


def _quoted(letter: str) -> str:
    return "".join(f"> {line}".rstrip() + "\n" for line in letter.splitlines())
