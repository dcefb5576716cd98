"""The same requests and broken ones as bytes on the wire, to the whole server with its own web processes."""

import os
import re
import shutil
import socket
import time
from pathlib import Path
from random import Random

from pbem.runtime import Server, free_port
from pbem.web import create_app
from pbem.web.base.context import cookie_name
from tests.fuzz.asking import Asker, Request
from tests.fuzz.mutate import spoiled_bytes
from tests.fuzz.tally import Tally
from tests.fuzz.world import Known, copied

PATIENCE = 60.0
"""Seconds an answer may take, orders that a worker plays included."""
HOST = "play.example.org"
NO_ANSWER = 0
"""The status of a connection that was closed without a word, which is all that some bytes deserve."""
NOT_IMPLEMENTED = 501
"""What the server says to codings of the transfer that it does not know, and it may."""
NOT_READY = 503

BROKEN = (
    b"",
    b"\r\n\r\n",
    b"\0" * 400,
    b"GET /\r\n\r\n",
    b"GET / HTTP/0.9\r\n\r\n",
    b"GET / HTTP/9.9\r\nHost: x\r\n\r\n",
    b"GET / HTTP/1.1\r\n\r\n",
    b"GET  / HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET /\xff\xfe\x00 HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET http://evil.example/archive HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET * HTTP/1.1\r\nHost: x\r\n\r\n",
    b"OPTIONS * HTTP/1.1\r\nHost: x\r\n\r\n",
    b"CONNECT evil.example:443 HTTP/1.1\r\nHost: x\r\n\r\n",
    b"PRI * HTTP/2.0\r\n\r\nSM\r\n\r\n",
    b"\x16\x03\x01\x02\x00\x01\x00\x01\xfc\x03\x03" + b"\x55" * 300,
    b"GET / HTTP/1.1\r\nHost: a\r\nHost: b\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nX: a\r\n b\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nX Y: a\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\n: a\r\n\r\n",
    b"GET / HTTP/1.1\nHost: x\n\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nX: " + b"x" * 70_000 + b"\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\n" + b"X: y\r\n" * 3_000 + b"\r\n",
    b"GET /" + b"x" * 9_000 + b" HTTP/1.1\r\nHost: x\r\n\r\n",
    b"POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: 5\r\nContent-Length: 6\r\n\r\nabcdef",
    b"POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: -1\r\n\r\nabc",
    b"POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: 99\r\n\r\nabc",
    b"POST /login HTTP/1.1\r\nHost: x\r\nContent-Length: 3\r\nTransfer-Encoding: chunked\r\n\r\n0\r\n\r\n",
    b"POST /login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nzz\r\nabc\r\n0\r\n\r\n",
    b"POST /login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: chunked\r\n\r\nffffffffffffffff\r\nabc",
    b"POST /login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: x, chunked\r\n\r\n0\r\n\r\n",
    b"POST /login HTTP/1.1\r\nHost: x\r\nTransfer-Encoding: gzip\r\n\r\nabc",
    b"GET / HTTP/1.1\r\nHost: x\r\n\r\nGET /archive HTTP/1.1\r\nHost: x\r\n\r\n",
    b"GET / HTTP/1.1\r\nHost: x\r\nExpect: 100-continue\r\n\r\n",
)
"""What no browser sends."""

_STATUS = re.compile(rb"HTTP/1\.[01] (\d{3}) ")


def run(made: Path, known: Known, seed: int, count: int) -> Tally:
    """So many connections to a server of its own, which has to be well in the end."""
    world = copied(made, known, "wire")
    world.close()
    environ = {
        **os.environ,
        "PBEM_DATA_DIR": str(made.parent),
        "PBEM_DATABASE_URL": world.office.settings.database_url,
        "PBEM_PUBLIC_URL": world.office.settings.public_url,
        "PBEM_SECRET_KEY": world.office.settings.secret_key,
    }
    port, tally, luck = free_port(), Tally(), Random(f"{seed}.wire")
    asker = Asker(known, create_app(world.office.settings).url_map, luck, cookie_name(world.office.settings))
    logs = made.with_name("wire-logs")
    with Server(environ, port, logs=logs) as server:
        for number in range(count):
            _ask(port, _bytes(asker, luck), f"{seed}.wire #{number}", tally)
        server.check()
        _ask(port, as_bytes(Request("GET", "/archive")), "in the end", tally)
    tally.faults += [f"in {log.name}: {line}" for log in sorted(logs.iterdir()) for line in _complaints(log)]
    shutil.rmtree(logs)
    return tally


def as_bytes(request: Request) -> bytes:
    """A request as it goes over the wire."""
    headers = {"Host": HOST, "Content-Length": str(len(request.body)), **request.headers, "Connection": "close"}
    lines = [f"{request.method} {request.target} HTTP/1.1", *(f"{name}: {value}" for name, value in headers.items())]
    return "\r\n".join([*lines, "", ""]).encode("latin-1", "replace") + request.body


def _bytes(asker: Asker, luck: Random) -> bytes:
    way = luck.random()
    if way < 0.1:
        return luck.choice(BROKEN)
    whole = as_bytes(asker.next())
    return spoiled_bytes(whole, luck) if way < 0.6 else whole


def _ask(port: int, raw: bytes, name: str, tally: Tally) -> None:
    begun = time.monotonic()
    answer = _exchange(port, raw)
    took = time.monotonic() - begun
    found = _STATUS.match(answer)
    status = int(found.group(1)) if found else NO_ANSWER
    tally.statuses[status] += 1
    right = status < 500 or status == NOT_IMPLEMENTED or (status == NOT_READY and b"/readyz" in raw)
    wrong = [] if right else [f"status {status}"]
    wrong += ["a traceback"] if b"Traceback (most recent" in answer else []
    wrong += [f"took {took:.0f} s"] if took > PATIENCE else []
    wrong += [f"says {answer[:60]!r}"] if answer and not found else []
    if name == "in the end" and status != 200:
        wrong.append("the server does not answer any more")
    if wrong:
        tally.faults.append("\n".join([f"{name} {raw[:600]!r}", *wrong]))


def _exchange(port: int, raw: bytes) -> bytes:
    """Send all, then hear all."""
    answer = b""
    with socket.create_connection(("127.0.0.1", port), PATIENCE) as connection:
        connection.settimeout(PATIENCE + 5)
        try:
            connection.sendall(raw)
            connection.shutdown(socket.SHUT_WR)
            while piece := connection.recv(65_536):
                answer += piece
        except OSError:  # closed in the middle, as is right for some of them
            return answer
    return answer


def _complaints(log: Path) -> list[str]:
    """Errors that a process has noted."""
    lines = log.read_text("utf-8", "replace").splitlines()
    return [line[:300] for line in lines if "ERROR" in line or "Traceback" in line][:5]
