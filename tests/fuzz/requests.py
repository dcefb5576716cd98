"""Random requests to the pages: ``python -m tests.fuzz.requests`` asks 100,000 times and is content with no fault.

They go to the application in rounds, each over a fresh copy of the same database, so that a round can be repeated with
``--seed`` and ``--round``; then some thousand more go over the wire to the whole server (:mod:`tests.fuzz.wire`).
"""

import argparse
import io
import logging
import sys
import tempfile
import time
from pathlib import Path
from random import Random
from traceback import format_exception
from urllib.parse import unquote_to_bytes, urlsplit

from flask import request as asked
from flask import request_started
from sqlalchemy import event
from typing_extensions import override
from werkzeug.datastructures import Headers
from werkzeug.test import run_wsgi_app

from pbem.web.base.context import cookie_name
from tests.fuzz import wire
from tests.fuzz.answers import Answer, faults
from tests.fuzz.asking import Asker, Request
from tests.fuzz.tally import Tally
from tests.fuzz.world import Known, World, build, copied

REQUESTS, OVER_THE_WIRE, A_ROUND = 100_000, 5_000, 500
SLOW = 5.0
"""Seconds of the processor that no answer may take."""
LIMITED = 5
"""In one round of so many, limits hold, and one client asks far more than it may."""
COUNTED = "INSERT INTO allowances"
"""What alone may be written when something is shown: that it was asked for."""
SAFE = ("GET", "HEAD", "OPTIONS", "TRACE")
WRITES = ("INSERT", "UPDATE", "DELETE", "REPLACE", "CREATE", "DROP", "ALTER")


class Round:
    """Requests to one copy of the database."""

    def __init__(self, world: World, seed: str) -> None:
        self.world, self.seed, self.tally = world, seed, Tally()
        self.asker = Asker(world.known, world.app.url_map, Random(seed), cookie_name(world.office.settings))
        self.root = world.office.settings.public_url
        self._written: list[str] = []
        self._errors = _Errors()
        event.listen(world.office.database.engine, "before_cursor_execute", self._note)
        request_started.connect(self._count, world.app)

    def run(self, count: int) -> Tally:
        """Ask so many times."""
        log = logging.getLogger("pbem")
        log.addHandler(self._errors)
        log.propagate = False
        try:
            for number in range(count):
                self._ask(number, self.asker.next())
        finally:
            log.removeHandler(self._errors)
            log.propagate = True
        return self.tally

    def _ask(self, number: int, request: Request) -> None:
        self._written.clear()
        self._errors.told.clear()
        begun = time.thread_time()
        answer = self._answer(request)
        took = time.thread_time() - begun
        page = self.asker.saw(request, answer.body.decode()) if _is_page(request, answer) else None
        wrong = list(faults(request, answer, page, self.root))
        if request.method in SAFE:
            wrong += [f"writes: {statement}" for statement in self._written]
        if took > SLOW:
            wrong.append(f"took {took:.1f} s")
        self.tally.statuses[answer.status] += 1
        self.tally.slowest = max(self.tally.slowest, (took, _told(request)))
        if wrong:
            self.tally.faults.append("\n".join([f"{self.seed} #{number} {_told(request)}", *wrong, *self._errors.told]))

    def _answer(self, request: Request) -> Answer:
        """What the application says, asked without any server."""
        environ = environ_of(request, self.world.office.settings.public_url)
        try:
            body, status, headers = run_wsgi_app(self.world.app, environ, buffered=True)
        except Exception as error:  # noqa: BLE001 - whatever it is, it is a fault, and the next request is made
            self._errors.told.append("".join(format_exception(error)))
            return Answer(599, Headers(), b"")
        return Answer(int(status[:3]), Headers(headers), b"".join(body))

    def _count(self, _app: object) -> None:
        self.tally.endpoints[asked.endpoint or "none"] += 1

    def _note(self, _connection: object, _cursor: object, statement: str, *_: object) -> None:
        if statement.lstrip().upper().startswith(WRITES) and not statement.startswith(COUNTED):
            self._written.append(statement[:100])


class _Errors(logging.Handler):
    """Keeps what the application notes about its own errors."""

    def __init__(self) -> None:
        super().__init__(logging.ERROR)
        self.told: list[str] = []

    @override
    def emit(self, record: logging.LogRecord) -> None:
        self.told.append(logging.Formatter().format(record))


def environ_of(request: Request, root: str) -> dict[str, object]:
    """A request as a server hands it to an application (PEP 3333)."""
    path, _, query = request.target.partition("?")
    environ: dict[str, object] = {
        "REQUEST_METHOD": request.method,
        "SCRIPT_NAME": "",
        "PATH_INFO": unquote_to_bytes(path).decode("latin-1"),
        "QUERY_STRING": query,
        "SERVER_NAME": "127.0.0.1",
        "SERVER_PORT": "80",
        "HTTP_HOST": urlsplit(root).netloc,
        "SERVER_PROTOCOL": "HTTP/1.1",
        "REMOTE_ADDR": request.client,
        "CONTENT_LENGTH": str(len(request.body)),
        "wsgi.version": (1, 0),
        "wsgi.url_scheme": "https",
        "wsgi.input": io.BytesIO(request.body),
        "wsgi.errors": sys.stderr,
        "wsgi.multithread": True,
        "wsgi.multiprocess": True,
        "wsgi.run_once": False,
    }
    for name, value in request.headers.items():
        key = name.upper().replace("-", "_")
        environ[key if key in ("CONTENT_TYPE", "CONTENT_LENGTH") else f"HTTP_{key}"] = value
    return environ


def _is_page(request: Request, answer: Answer) -> bool:
    return answer.kind == "text/html" and request.method != "HEAD" and answer.status not in (301, 302, 303, 308)


def _told(request: Request) -> str:
    """A request in a line, short enough to read and long enough to make it again."""
    return f"{request.method} {request.target[:300]} {request.headers} {request.body[:300]!r}"


def run(made: Path, known: Known, seed: int, numbers: range, count: int) -> Tally:
    """Rounds with these numbers, ``count`` requests each."""
    tally = Tally()
    for number in numbers:
        world = copied(made, known, f"round{number}", limits=number % LIMITED == 0)
        try:
            tally.add(Round(world, f"{seed}.{number}").run(count))
        finally:
            world.close()
        if number % 10 == 9:
            print(f"round {number}: {tally.requests:,} requests, {len(tally.faults)} faults", flush=True)
    return tally


def main() -> int:
    """Ask, print what it came to; status 1 when there was a fault."""
    parser = argparse.ArgumentParser(description="Random requests to the pages, most of them nearly right.")
    parser.add_argument("--count", type=int, default=REQUESTS, help=f"requests (default: {REQUESTS:,})")
    parser.add_argument("--wire", type=int, default=OVER_THE_WIRE, help=f"more by TCP (default: {OVER_THE_WIRE:,})")
    parser.add_argument("--seed", type=int, default=1)
    parser.add_argument("--round", type=int, default=None, help="only this round")
    asked_for = parser.parse_args()
    first, number = asked_for.round or 0, -(-asked_for.count // A_ROUND)
    rounds = range(first, first + (number if asked_for.round is None else 1))
    begun = time.monotonic()
    with tempfile.TemporaryDirectory(prefix="pbem-fuzz-") as folder:
        made, known = build(Path(folder))
        tally = run(made, known, asked_for.seed, rounds, min(A_ROUND, asked_for.count))
        print(tally, flush=True)
        over = wire.run(made, known, asked_for.seed, asked_for.wire) if asked_for.wire else Tally()
    if asked_for.wire:
        print(f"\nover the wire: {over}")
    print(f"\n{tally.requests + over.requests:,} requests in {time.monotonic() - begun:.0f} s")
    return 1 if tally.faults or over.faults else 0


if __name__ == "__main__":
    sys.exit(main())
