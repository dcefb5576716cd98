"""A mail server on loopback that takes every letter and costs next to nothing.

The one of the tests (aiosmtpd) needs 5 ms for a letter with a picture and answers after 14, which would be charged to
pbem: both share the processors here. This one says the same words in the same order.
"""

from __future__ import annotations

import re
import socketserver
import threading
import time
from collections.abc import Callable, Iterator
from contextlib import contextmanager
from dataclasses import dataclass
from multiprocessing import get_context
from multiprocessing.queues import Queue

from typing_extensions import override

END = b"\r\n.\r\n"
HEAD = 4096
"""Bytes of a letter in which its own headers stand."""
KIND = re.compile(rb"^X-Pbem-Letter: (\S+)", re.MULTILINE)
GAME = re.compile(rb"^Message-ID:\s+<(\w+)\.v(\d+)\.", re.MULTILINE)


@dataclass(frozen=True, slots=True)
class Arrival:
    """A letter that was taken: when (as ``time.perf_counter`` of any process), its kind, what it is about, how long."""

    at: float
    kind: str
    game: str
    version: int
    size: int = 0
    """Bytes."""


Take = Callable[[Arrival], None]


@contextmanager
def receiving(take: Take) -> Iterator[int]:
    """A mail server with threads of this process; yields its port. ``take`` is given every letter."""
    with _Server(("127.0.0.1", 0), _Conversation) as server:
        server.take = take
        thread = threading.Thread(target=server.serve_forever, args=(0.05,), daemon=True)
        thread.start()
        try:
            yield server.server_address[1]
        finally:
            server.shutdown()
            thread.join()


@contextmanager
def receiving_elsewhere() -> Iterator[tuple[int, Callable[[], int]]]:
    """One in a process of its own, whose time is not counted: its port, and how many letters it has taken so far."""
    context = get_context("spawn")
    ports: Queue[int] = context.Queue()
    taken = context.Value("i", 0)
    process = context.Process(target=_receive, args=(ports, taken), daemon=True)
    process.start()
    try:
        yield ports.get(timeout=30), lambda: int(taken.value)
    finally:
        process.terminate()
        process.join()


def _receive(ports: Queue[int], taken: object) -> None:
    def count(_arrival: Arrival) -> None:
        with taken.get_lock():  # type: ignore[attr-defined]
            taken.value += 1  # type: ignore[attr-defined]

    with receiving(count) as port:
        ports.put(port)
        threading.Event().wait()


class _Server(socketserver.ThreadingTCPServer):
    daemon_threads = True
    request_queue_size = 100
    take: Take


class _Conversation(socketserver.StreamRequestHandler):
    disable_nagle_algorithm = True

    @override
    def handle(self) -> None:
        self._say("220 loopback ready")
        for line in self.rfile:
            match line[:4].upper():
                case b"EHLO":
                    self._say("250-loopback", "250-8BITMIME", "250 SIZE 33554432")
                case b"DATA":
                    self._say("354 go on")
                    self._take(self._letter())
                    self._say("250 taken")
                case b"QUIT":
                    self._say("221 bye")
                    return
                case _:
                    self._say("250 fine")

    def _say(self, *lines: str) -> None:
        self.wfile.write("".join(f"{line}\r\n" for line in lines).encode())

    def _letter(self) -> bytes:
        """Up to the end of the text: nobody says anything behind it before our answer."""
        parts: list[bytes] = []
        tail = b""
        while not tail.endswith(END):
            part = self.request.recv(1 << 18)
            if not part:
                raise ConnectionError("the letter has no end")
            parts.append(part)
            tail = (tail + part)[-len(END) :]
        return b"".join(parts)

    def _take(self, letter: bytes) -> None:
        at, head = time.perf_counter(), letter[:HEAD]
        kind, game = KIND.search(head), GAME.search(head)
        server = self.server
        assert isinstance(server, _Server)
        named = (game[1].decode(), int(game[2])) if game else ("", 0)
        server.take(Arrival(at, kind[1].decode() if kind else "", *named, len(letter)))
