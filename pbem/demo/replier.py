"""A robot that lives in its mail program: it answers emails by replying to them, and opens no page.

It knows its emails and the rules, nothing else: the position is what the email with the question says.
"""

import random
import smtplib
import time
from collections.abc import Iterator
from email.message import EmailMessage
from html import escape
from itertools import count

from pbem.demo import planner
from pbem.demo.browser import Astray
from pbem.demo.player import plain
from pbem.engine import catalog
from pbem.language.position_letters import ReadLetter, read_letter

PATIENCE = 60.0
"""Seconds within which the server has to take an email in."""
WAIT = 0.2


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

    def answer(self, letter: EmailMessage, *, ahead: bool = False) -> tuple[int, str]:
        """Answer a question; returns the turn and the phase that was asked about. ``ahead``: say what follows, too."""
        text = plain(letter)
        read = read_letter(text, catalog.sheets())
        sheet, (state, names, _) = read
        seat = next(seat for seat, name in names.items() if name == self.name)
        if str(letter["X-Pbem-Letter"]) == "planning":
            self._reply(letter, planner.plan(sheet, state, seat, self._luck))
        else:
            self._reply(letter, self._orders(text, read, seat, ahead=ahead))
        return sheet.turn(state), sheet.phase(state)

    def _orders(self, text: str, read: ReadLetter, seat: str, *, ahead: bool) -> str:
        """The number of the order where the email has one; else the order as it is typed."""
        sheet, (state, _, _) = read
        order = planner.choose(sheet, state, seat, self._luck)
        then = planner.then(sheet, state, seat, order) if ahead else []
        return "\n".join((order if then else _number_of(order, text, read), *then))

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


def answers(text: str) -> Iterator[tuple[int, str]]:
    """The numbers of the answers in the text of an email, with their orders, which stand behind the last colon."""
    lines = text.replace("\n  ", " ").splitlines()
    first = next((at for at, line in enumerate(lines) if line.startswith("1. ")), len(lines))
    for number, line in zip(count(1), lines[first:], strict=False):
        if not line.startswith(f"{number}. "):
            return
        yield number, line.rpartition(":")[2].strip()


def _number_of(order: str, text: str, read: ReadLetter) -> str:
    """The number of the answer that is this order; the order where none is."""
    sheet, (state, names, _) = read
    moves = sheet.parse(state, order, names)
    same = (number for number, typed in answers(text) if sheet.parse(state, typed, names) == moves)
    return str(next(same, order))


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
