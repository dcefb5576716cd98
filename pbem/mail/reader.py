"""Reads emails of strangers, in a process of its own: ``python -m pbem.mail.reader``, started by ``workers.readers``.

Parsers of mails and HTML take arbitrarily long for some inputs, nest without end, or fail. Here that harms nobody: the
kernel ends the process when one mail has had :data:`SECONDS` of processor time, :data:`MEMORY` is all there is, and
whatever a parser raises is an answer. The settings, the database and the key are not in this process.

Asked is with a line of JSON (:class:`ReadRequest`) and the mail behind it. Answered is with two lines: what the header
says (:class:`Head`), which is known even when the rest cannot be read, and what was found (:class:`Found`).
"""

import os
import resource
import signal
import sys
import time
import traceback
from typing import BinaryIO, Literal

import msgspec

from pbem.mail import reply
from pbem.mail.returned import Report, reports

SECONDS = 3.0
"""Of the processor, for one mail; an ordinary one takes a thousandth of it."""
MEMORY = 512 * 1024 * 1024
"""Bytes of the address space."""
MAILS = 1000
"""After so many the process ends, so that nothing piles up in it; it is started anew for the next one."""
LONGEST_LINE = 100_000
LONGEST_ID = 1000

Kind = Literal["orders", "report"]
Problem = Literal["", "too long", "unreadable"]


class ReadRequest(msgspec.Struct, frozen=True):
    """A mail of ``size`` bytes. ``ours``, ``form``: see :func:`pbem.mail.reply.written`; ``seconds``: the limit."""

    kind: Kind
    size: int
    ours: tuple[str, ...] = ()
    seconds: float = SECONDS
    form: tuple[str, ...] = ()


class Head(msgspec.Struct, frozen=True):
    """What the header says of the mail. ``sender``: the address it is said to come from, or nothing."""

    automatic: bool
    message_id: str
    sender: str = ""


class Found(msgspec.Struct, frozen=True):
    """What stands in the mail: ``text`` of orders or a form, else ``reports``; or why there is nothing.

    ``why``: what the parser said, for the logs. ``seconds``: processor time it took.
    """

    text: str = ""
    reports: tuple[Report, ...] = ()
    problem: Problem = ""
    why: str = ""
    seconds: float = 0.0


def head(raw: bytes) -> Head:
    message = reply.header(raw)
    message_id, sender = _whole(reply.message_id(message))[:LONGEST_ID], _whole(reply.sender(message))
    return Head(reply.is_automatic(message), message_id, sender)


def content(asked: ReadRequest, raw: bytes) -> Found:
    try:
        if asked.kind == "report":
            return Found(reports=reports(raw))
        return Found(text=_whole(reply.written(reply.parsed(raw), asked.ours, asked.form)))
    except reply.TooLong:
        return Found(problem="too long")
    except Exception as error:  # noqa: BLE001 - the parsers raise all kinds of things; it is told, not lost
        return Found(problem="unreadable", why=_where(error))


def _whole(text: str) -> str:
    """Without halves of characters, which cannot be written down."""
    return text.encode("utf-8", "replace").decode("utf-8")


def _where(error: Exception) -> str:
    """One line on an error, without anything of the mail in it."""
    last = traceback.extract_tb(error.__traceback__)[-1:]
    return " ".join([type(error).__name__, *(f"in {os.path.basename(at.filename)}:{at.lineno}" for at in last)])


def _answer(asked: ReadRequest, raw: bytes, answers: BinaryIO) -> bool:
    """Write both lines; returns whether this process can go on."""
    began = time.process_time()
    signal.setitimer(signal.ITIMER_PROF, asked.seconds)  # its signal ends the process, whatever is being done
    _tell(answers, head(raw))
    found = content(asked, raw)
    signal.setitimer(signal.ITIMER_PROF, 0)
    _tell(answers, msgspec.structs.replace(found, seconds=time.process_time() - began))
    return not found.why.startswith("MemoryError")


def _tell(answers: BinaryIO, what: Head | Found) -> None:
    answers.write(msgspec.json.encode(what) + b"\n")
    answers.flush()


def _confine() -> None:
    """Bounds that are those of the process; signals that are meant for our parent do not end us first."""
    signal.signal(signal.SIGPROF, signal.SIG_DFL)
    for number in (signal.SIGINT, signal.SIGTERM):
        signal.signal(number, signal.SIG_IGN)
    resource.setrlimit(resource.RLIMIT_AS, (MEMORY, MEMORY))
    resource.setrlimit(resource.RLIMIT_CORE, (0, 0))  # mails are nobody else's


def _answers() -> BinaryIO:
    """Our answers, out of the way of whatever a library prints."""
    own = os.fdopen(os.dup(sys.stdout.fileno()), "wb")
    os.dup2(sys.stderr.fileno(), sys.stdout.fileno())
    return own


def main() -> None:
    answers, source = _answers(), sys.stdin.buffer
    _confine()
    for _ in range(MAILS):
        line = source.readline(LONGEST_LINE)
        if not line:
            return
        asked = msgspec.json.decode(line, type=ReadRequest)
        if not _answer(asked, source.read(asked.size), answers):
            return


if __name__ == "__main__":
    main()
