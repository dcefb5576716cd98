"""The web processes of gunicorn: requests are read whole, by one loop that waits for nobody, before a thread answers.

gunicorn starts, watches and ends the processes; in each of them waitress reads and writes. A thread gets a request
when all of it is there, and is free when its answer is made, not when the client has taken it. So a client that is
slow, or holds connections open, costs a socket and some kilobytes, and nobody else has to wait
(docs/decisions/whole-requests.md).
"""

import contextlib
import logging
import os
import socket
import time
from typing import Any

from gunicorn.workers.base import Worker
from typing_extensions import override
from waitress import wasyncore
from waitress.adjustments import Adjustments
from waitress.channel import HTTPChannel
from waitress.parser import HTTPRequestParser
from waitress.server import TcpWSGIServer, UnixWSGIServer
from waitress.task import ThreadedTaskDispatcher
from waitress.utilities import BadRequest

HEAD_SECONDS = 15
"""How long the head of a request may take, and a new connection may say nothing."""
REQUEST_SECONDS = 30
"""How long a whole request may take."""
IDLE_SECONDS = 75
"""How long a connection is kept after an answer; longer than proxies keep theirs, so that it is they who end it."""
ANSWER_SECONDS = 300
"""How long a client may take for an answer."""
LARGEST_HEAD = 32 * 1024
LARGEST_BODY = 256 * 1024
"""Bytes that are read at all: more than the application takes, so that it is the application that refuses in words."""
CONNECTIONS = 800
"""At once for each process; the usual limit of open files is 1,024."""
PULSE = 1.0
"""Seconds between two looks at what is overdue."""


class TooSlow(BadRequest):  # type: ignore[misc] # waitress and gunicorn carry no types
    code, reason = 408, "Request Timeout"


class Request(HTTPRequestParser):  # type: ignore[misc]
    path = ""

    def __init__(self, adj: Adjustments) -> None:
        super().__init__(adj)
        self.begun = time.monotonic()

    @property
    def overdue(self) -> bool:
        return time.monotonic() - self.begun > (REQUEST_SECONDS if self.headers_finished else HEAD_SECONDS)


class Channel(HTTPChannel):  # type: ignore[misc]
    """One connection. ``patience``: how long it may be as it is since ``since``."""

    parser_class = Request
    request: Request | None = None
    patience = HEAD_SECONDS

    def __init__(self, *args: Any, **more: Any) -> None:
        self.since = time.monotonic()
        super().__init__(*args, **more)

    @override
    def service(self) -> None:
        self.since, self.patience = time.monotonic(), IDLE_SECONDS
        super().service()
        self.since = time.monotonic()

    def look(self) -> None:
        """End what takes too long. For the loop alone."""
        with self.requests_lock:
            if self.requests:
                return  # it is we who are at work
            if self.request is not None:
                if self.request.overdue:
                    self._refuse(self.request)
                return
        if time.monotonic() - self.since > (ANSWER_SECONDS if self.total_outbufs_len else self.patience):
            self.handle_close()

    def _refuse(self, late: Request) -> None:
        self.request = None
        late.error = TooSlow("The request did not arrive completely in time. Send it again.")
        late.completed = True
        self.requests.append(late)
        self.server.add_task(self)


class WebWorker(Worker):  # type: ignore[misc]
    looked = 0.0

    def init_process(self) -> None:
        self.map: dict[int, Any] = {}
        self.servers: list[Any] = []
        super().init_process()

    def run(self) -> None:
        """Serve until told to end, then answer what has been asked."""
        logging.getLogger("waitress.queue").setLevel(logging.ERROR)  # it tells of every request that waits for a thread
        dispatcher = ThreadedTaskDispatcher()
        dispatcher.set_thread_count(self.cfg.threads)
        self.servers = [self._server(listener.sock, dispatcher) for listener in self.sockets]
        while self.alive and self.ppid == os.getppid():
            self._turn(PULSE)
        self._finish()
        dispatcher.shutdown(timeout=1)

    def _server(self, listener: socket.socket, dispatcher: ThreadedTaskDispatcher) -> Any:
        kind = UnixWSGIServer if listener.family == socket.AF_UNIX else TcpWSGIServer
        server = kind(
            self.wsgi,
            self.map,
            _sock=listener,
            dispatcher=dispatcher,
            adj=self._adjustments(),
            sockinfo=(listener.family, listener.type, listener.proto, listener.getsockname()),
            bind_socket=False,
        )
        server.channel_class = Channel
        return server

    def _adjustments(self) -> Adjustments:
        """What of waitress is not as it would be by itself."""
        return Adjustments(
            threads=self.cfg.threads,
            backlog=self.cfg.backlog,
            ident="pbem",
            clear_untrusted_proxy_headers=False,  # the application judges them (PBEM_PROXIES)
            max_request_header_size=LARGEST_HEAD,
            max_request_body_size=LARGEST_BODY,
            connection_limit=CONNECTIONS,
            channel_timeout=ANSWER_SECONDS,
            log_socket_errors=False,
        )

    def _turn(self, seconds: float) -> None:
        """One round of the loop, with a sign of life for gunicorn."""
        self.notify()
        wasyncore.loop(timeout=seconds, use_poll=True, map=self.map, count=1)
        if time.monotonic() - self.looked > PULSE:
            self.looked = time.monotonic()
            for channel in self._channels():
                channel.look()

    def _channels(self) -> list[Channel]:
        return [channel for server in self.servers for channel in server.active_channels.values()]

    def _finish(self) -> None:
        """Take no more connections; over when all that was asked is answered, or gunicorn's patience at its end."""
        end = time.monotonic() + self.cfg.graceful_timeout
        for server in self.servers:
            server.del_channel()
            server.socket.close()
        while time.monotonic() < end and any(one.requests or one.total_outbufs_len for one in self._channels()):
            self._turn(0.1)

    @override
    def handle_exit(self, sig: int, frame: Any) -> None:
        super().handle_exit(sig, frame)
        for server in self.servers:
            with contextlib.suppress(OSError):  # closed, for we end already
                server.pull_trigger()
