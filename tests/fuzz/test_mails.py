"""Whatever comes in by mail is taken, costs a bounded time, and is answered once or not at all."""

import asyncio
import resource
import subprocess
import sys
import time
from collections.abc import Iterator
from contextlib import contextmanager
from dataclasses import replace
from itertools import cycle, product
from pathlib import Path
from random import Random
from subprocess import PIPE
from typing import Any, cast
from unittest.mock import MagicMock

import msgspec
import pytest
from aiosmtpd.smtp import Envelope
from hypothesis import given
from hypothesis import strategies as st

from pbem.mail import reader
from pbem.service.base.urls import Addresses
from pbem.service.email_in import replies
from pbem.service.letter_views import correspondence
from pbem.service.orders import submissions
from pbem.store.tables import Submission
from tests.databases import Sqlite
from tests.fuzz.mails import CHARSETS, NASTY, in_charset
from tests.fuzz.mutate import mutated, spoiled_bytes
from tests.fuzz.sentences import examples
from tests.mail.test_reply import REPLIES, mail
from tests.mail.test_returned import DELAYED, EXCHANGE, EXPIRED, POSTFIX, QMAIL, VACATION
from tests.table import Table
from workers import readers, work
from workers.mailroom import Mailroom

LIMIT = 0.1
"""Seconds of the processor for a mail here, so that the worst cost little; the server gives it twenty times as much."""
FEW = 1.0
"""The same where it is measured how much a mail takes."""
BESIDE = 0.5
"""Seconds of the processor that this process has for one."""
STARTED = 2.0
"""Seconds of the processor that starting a reader may take, on a slow machine."""
RIGHT = (
    *(mail(text, Message_ID="<1@example.net>") for text in REPLIES.values()),
    mail("<p>issue 2</p><blockquote>x</blockquote>", "html", Message_ID="<2@example.net>"),
    POSTFIX, EXCHANGE, DELAYED, EXPIRED, QMAIL, VACATION,
)  # fmt: skip
PIECES = (
    b"Content-Type: text/html\r\n", b"Content-Type: message/rfc822\r\n\r\n", b"Content-Transfer-Encoding: base64\r\n",
    b"Content-Type: multipart/alternative; boundary=b\r\n\r\n--b\r\n", b"<![", b"<a ", b"--b\r\n", b"=?idna?b?//?=",
    b"; charset*0*=idna''%ff; charset*1=x", b'; charset="zlib_codec"', b"\0", b"\xff\xfe", b"+2AA-", b"\r\n\r\n",
)  # fmt: skip


@pytest.fixture(scope="module", autouse=True)
def any_time_on_the_wall() -> Iterator[None]:
    """A mail is limited in seconds of the processor here, however long a machine with other work takes for them."""
    with pytest.MonkeyPatch.context() as patch:
        patch.setattr(readers, "PATIENCE", 100 * readers.PATIENCE)
        yield


class Door:
    """The real intake, with the table behind it."""

    def __init__(self, table: Table) -> None:
        self.table, self.room = table, Mailroom(table.office)
        self.room.readers = readers.Readers(1, LIMIT)
        table.send_all()
        self.letter = table.letters("your-turn")[-1].id
        self.orders = table.office.addresses.reply(self.letter)
        self.path = f"bounce+{table.office.tokens.numbered('bounce', self.letter)}@play.example.org"

    def take(self, raw: bytes, to: str) -> str:
        """What the sender is told."""
        envelope = Envelope()
        envelope.mail_from, envelope.rcpt_tos, envelope.content = "ana@example.net", [to], raw
        return asyncio.run(self.room.handle_DATA(cast(Any, None), cast(Any, None), envelope))

    def submissions(self) -> list[Submission]:
        return self.table.submissions()


@contextmanager
def opened(folder: Path) -> Iterator[Door]:
    """A door with a game behind it in which the first player is asked."""
    table = Table(Sqlite(folder).fresh(), folder)
    changes = {"orders_address": "orders@play.example.org", "return_path": "bounce@play.example.org"}
    settings = replace(table.office.settings, **changes, rate_limits=False)  # type: ignore[arg-type]
    addresses = Addresses(settings.public_url, table.office.tokens, settings.orders_address)
    table.office = replace(table.office, settings=settings, addresses=addresses)
    patch = pytest.MonkeyPatch()
    patch.setattr(work, "now", lambda: table.now)
    table.start()
    made = Door(table)
    try:
        yield made
    finally:
        made.room.close()
        table.close()
        patch.undo()


@pytest.fixture(scope="module")
def door(tmp_path_factory: pytest.TempPathFactory) -> Iterator[Door]:
    with opened(tmp_path_factory.mktemp("mails")) as made:
        yield made


@pytest.fixture
def door_of_its_own(tmp_path: Path) -> Iterator[Door]:
    """A door through which nothing has come yet: after three mails that cannot be played, no more are answered."""
    with opened(tmp_path) as made:
        yield made


def check(door: Door, raw: bytes) -> None:
    """Taken in time, at the return path and twice as an answer; played or refused once at most."""
    before = len(door.submissions())
    for to in (door.path, door.orders, door.orders):
        began = time.process_time()
        assert door.take(raw, to).startswith("250 ")
        assert time.process_time() - began < BESIDE
        submissions.play_waiting(door.table.office, door.table.game, door.table.now)
        after = door.submissions()[before:]
        assert len(after) <= (to == door.orders)
        assert all(one.status in ("played", "refused") for one in after)


@pytest.mark.parametrize("name", NASTY)
def test_what_others_have_broken_on_is_taken_and_answered_once_at_most(door: Door, name: str) -> None:
    check(door, NASTY[name]().replace(b"spoiled@", name.replace(" ", "-").encode() + b"@"))


def test_what_cannot_be_read_is_refused_with_one_letter(door_of_its_own: Door) -> None:
    door = door_of_its_own
    raw = NASTY["a tag in a tag"]().replace(b"spoiled@", b"once@")
    for _ in range(3):
        assert door.take(raw, door.orders).startswith("250 ")
    (letter,) = door.table.letters("refused")
    about = correspondence.letter(door.table.office, letter.id, door.table.now).view
    assert about.own.sentence == str(replies.UNREADABLE)


def test_a_program_whose_mail_cannot_be_read_gets_no_answer(door: Door) -> None:
    before = len(door.submissions())
    assert door.take(b"Auto-Submitted: auto-replied\r\n" + NASTY["a tag in a tag"](), door.orders).startswith("250 ")
    assert len(door.submissions()) == before


@pytest.mark.parametrize("name", ["a tag in a tag", "many parts"])
def test_a_mail_has_so_many_seconds_of_the_processor_and_no_more(name: str) -> None:
    pool = readers.Readers(1, FEW)
    before = resource.getrusage(resource.RUSAGE_CHILDREN)
    try:
        found = pool.read("orders", NASTY[name]()).found
    finally:
        pool.close()
    after = resource.getrusage(resource.RUSAGE_CHILDREN)
    assert found.problem == "unreadable" or found.seconds < FEW
    assert after.ru_utime + after.ru_stime - before.ru_utime - before.ru_stime < FEW + STARTED


def test_the_kernel_gives_a_reader_so_much_memory_and_no_more() -> None:
    with subprocess.Popen([sys.executable, "-m", reader.__name__], stdin=PIPE, stdout=PIPE) as process:
        asked = reader.ReadRequest("orders", len(RIGHT[0]), (), FEW, ())
        assert process.stdin
        assert process.stdout
        process.stdin.write(msgspec.json.encode(asked) + b"\n" + RIGHT[0])
        process.stdin.flush()
        assert process.stdout.readline()
        assert resource.prlimit(process.pid, resource.RLIMIT_AS) == (reader.MEMORY, reader.MEMORY)
        process.stdin.close()


def test_the_server_gives_a_mail_three_seconds() -> None:
    assert Mailroom(MagicMock()).readers.seconds == reader.SECONDS == 3.0


def test_no_name_of_a_character_set_breaks_the_reading(door: Door) -> None:
    encodings = cycle(("8bit", "base64", "quoted-printable"))
    for charset, body in product(CHARSETS, (b"\xff\xfe\0=FF+2AA-", b"xn--zca")):
        found = door.room.readers.read("orders", in_charset(charset, body, next(encodings))).found
        assert found.problem == "", (charset, body, found.why)


@examples(50)
@given(luck=st.randoms(use_true_random=False))
def test_a_mail_with_any_fault_is_taken_and_answered_once_at_most(door: Door, luck: Random) -> None:
    raw = luck.choice(RIGHT)
    for _ in range(luck.randint(0, 4)):
        at = luck.randint(0, len(raw))
        raw = raw[:at] + luck.choice(PIECES) * luck.choice((1, 1, 2, 50, 3_000)) + raw[at:]
    if luck.random() < 0.3:
        raw = mutated(raw.decode("latin-1"), luck).encode("utf-8", "replace")
    check(door, spoiled_bytes(raw, luck))
