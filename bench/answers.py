"""Emails with orders, as mail programs send them, from the first word of SMTP to the orders in the database.

The receiver is the real one in its process (``workers.mailin``), with the processes that read the emails; every email
answers a letter of its own by its signed address, quotes that letter as text and HTML, and becomes a row that waits to
be played. One after the other by a connection that is kept, as a mail server hands them over, and by several at once.
Limits are those of real use.
"""

from __future__ import annotations

import os
import smtplib
import statistics
import tempfile
import time
from collections.abc import Iterator, Sequence
from concurrent.futures import ThreadPoolExecutor
from contextlib import contextmanager
from dataclasses import dataclass
from datetime import UTC, datetime, timedelta
from email.message import EmailMessage
from html import escape
from pathlib import Path

import psutil
from sqlalchemy import func, select

from bench.processor import between, in_words, spent
from bench.row import Row
from pbem.runtime import Processes, free_port
from pbem.service import Office, open_office
from pbem.service.base.task_hints import Hints
from pbem.service.base.tokens import InvitationClaim
from pbem.service.games import opening
from pbem.settings.settings import Settings
from pbem.store.statuses import SubmissionStatus
from pbem.store.tables import Account, Letter, Submission
from pbem.store.upgrade import upgrade
from tests import servers

GAMES = 20
ALONE, TOGETHER, WARM = 200, 1200, 40
SENDERS = 8
"""Connections at once."""
STORED_MS = 15.0
A_SECOND = 200.0
PROCESSOR_MS = 10.0
"""Of two processors for 200 emails a second."""
LETTER = Path(__file__).parent.parent / "tests" / "mail" / "golden" / "your-turn-shares.txt"


@dataclass(frozen=True, slots=True)
class Post:
    """The receiver, and of each letter its reader and the address at which it is answered."""

    office: Office
    port: int
    letters: Sequence[tuple[str, str]]
    receiver: psutil.Process

    def spent(self) -> float:
        """Seconds of the processor that the receiver and its readers have had, of readers that have ended as well."""
        all_of_them = (self.receiver, *self.receiver.children(recursive=True))
        return sum(sum(process.cpu_times()[:4]) for process in all_of_them)


def measure() -> list[Row]:
    """Rows of both databases."""
    with tempfile.TemporaryDirectory() as folder:
        rows = list(measured("SQLite", f"sqlite:///{folder}/bench.sqlite", folder))
    with tempfile.TemporaryDirectory() as folder, servers.postgresql(on_disk=True) as url:
        rows += measured("PostgreSQL", url, folder)
    return rows


def measured(name: str, url: str, folder: str) -> Iterator[Row]:
    """The rows of one database."""
    with receiving(url, folder) as post:
        sent = _Emails(post)
        with sent.connection() as server:
            sent.one_by_one(server, WARM)
            times = sent.one_by_one(server, ALONE)
        slow = 1000 * statistics.quantiles(times, n=20)[-1]
        note = f"{ALONE} emails of {len(sent.body):,} bytes; 95 of 100 within {slow:.1f} ms"
        value = 1000 * statistics.median(times)
        yield Row(f"email in to orders stored, {name}", value, "ms", limit=STORED_MS, note=note)
        began, before, every = time.perf_counter(), post.spent(), spent()
        with ThreadPoolExecutor(SENDERS) as senders:
            list(senders.map(lambda _: sent.several(TOGETHER // SENDERS), range(SENDERS)))
        rate = TOGETHER / (time.perf_counter() - began)
        cost, every = 1000 * (post.spent() - before) / TOGETHER, between(every, spent())
        sent.check(WARM + ALONE + TOGETHER)
        yield Row(f"processor time of one email with orders, {name}", cost, "ms", limit=PROCESSOR_MS)
        note = f"{TOGETHER} emails by {SENDERS} connections at once; processor time of one: {in_words(every, TOGETHER)}"
        yield Row(f"emails with orders a second, {name}", rate, "/s", limit=A_SECOND, at_least=True, note=note)


@contextmanager
def receiving(url: str, folder: str) -> Iterator[Post]:
    """Games that wait for an answer, and the receiver in a process of its own."""
    port = free_port()
    environ = {
        "PBEM_DATA_DIR": folder,
        "PBEM_DATABASE_URL": url,
        "PBEM_MAILIN_PORT": str(port),
        "PBEM_ORDERS_ADDRESS": "orders@bench.invalid",
    }
    outside = {name: value for name, value in os.environ.items() if not name.startswith("PBEM_")}
    office = open_office(Settings.read(environ), Hints(lambda _: None))
    upgrade(office.database.engine)
    letters = [(reader, office.addresses.reply(letter)) for reader, letter in _letters(office)]
    try:
        with Processes({**outside, **environ}, Path(folder, "logs")) as processes:
            started = processes.python("mailin", "-m", "workers.mailin")
            processes.until_listening("127.0.0.1", port)
            yield Post(office, port, letters, psutil.Process(started.pid))
    finally:
        office.database.close()


def _letters(office: Office) -> list[tuple[str, int]]:
    """Letters that ask somebody to issue shares, each of another game, with the addresses of their readers."""
    now = datetime.now(UTC)
    for game in range(GAMES):
        invited = tuple(opening.Invited(f"{game}.{n}@bench.invalid", f"Player {game} {n}") for n in range(3))
        new = opening.NewGame(
            title="Answers", game="age-of-steam", map="rust_belt", players=invited, grace=timedelta(0),
            seed=f"bench {game}".encode(),
        )  # fmt: skip
        opened = opening.open_game(office, None, new, now)
        for number in range(len(invited)):
            opening.answer(office, InvitationClaim(opened, number), True, now)
    with office.read() as session:
        found = select(Account.address, Letter.id).join(Account, Account.id == Letter.account_id)
        return [(address, number) for address, number in session.execute(found.where(Letter.kind == "your-turn"))]


class _Emails:
    """Sends answers to the letters in turn, each with a Message-ID of its own."""

    def __init__(self, post: Post) -> None:
        self._post = post
        self._numbers = iter(range(10**9))
        self.body = _body()

    def connection(self) -> smtplib.SMTP:
        return smtplib.SMTP("127.0.0.1", self._post.port, timeout=60)

    def one_by_one(self, server: smtplib.SMTP, count: int) -> list[float]:
        """Seconds for each of so many emails."""
        times = []
        for _ in range(count):
            number = next(self._numbers)
            reader, to = self._post.letters[number % len(self._post.letters)]
            head = f"From: {reader}\r\nTo: {to}\r\nMessage-ID: <{number}@bench.invalid>\r\n"
            content = head.encode() + self.body
            began = time.perf_counter()
            server.sendmail(reader, [to], content)
            times.append(time.perf_counter() - began)
        return times

    def several(self, count: int) -> None:
        """So many by a connection of their own."""
        with self.connection() as server:
            self.one_by_one(server, count)

    def check(self, count: int) -> None:
        """All of them are in the database, with the orders and nothing else."""
        with self._post.office.read() as session:
            rows = session.execute(
                select(Submission.text, Submission.status, func.count()).group_by(Submission.text, Submission.status)
            ).all()
        if rows != [("issue 2", SubmissionStatus.WAITING, count)]:
            raise RuntimeError(f"{count} emails became {rows}")


def _body() -> bytes:
    """What Gmail makes of an answer: the order on top of the letter, as text and as HTML."""
    letter = LETTER.read_text("utf-8")
    quoted = "".join(f"> {line}\n" for line in letter.splitlines())
    message = EmailMessage()
    message["Subject"] = "Re: [Answers] Turn 1: issue shares"
    over = "On Fri, Nov 20, 2026 at 6:00 PM pbem <pbem@bench.invalid> wrote:"
    message.set_content(f"issue 2\n\n{over}\n\n{quoted}")
    message.add_alternative(
        f'<div dir="ltr">issue 2</div><br><div class="gmail_quote">{escape(over)}<br><blockquote>{escape(letter)}'
        "</blockquote></div>",
        subtype="html",
    )
    return message.as_bytes().replace(b"\n", b"\r\n")
