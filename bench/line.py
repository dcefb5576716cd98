"""A line to another machine, on this one: what is sent into it comes out later.

Each is a port of another loopback address that leads to a port of this machine, in a process of its own. The kernels of
many machines for tests cannot delay packets themselves (``tc netem``).
"""

from __future__ import annotations

import contextlib
import queue
import socket
import threading
import time
from collections.abc import Iterator, Sequence
from contextlib import contextmanager
from multiprocessing import get_context
from multiprocessing.queues import Queue

ELSEWHERE = "127.0.0.2"
PIECE = 1 << 16
Pipe = queue.SimpleQueue[tuple[float, bytes]]


@contextmanager
def lines(ports: Sequence[int], delay: float) -> Iterator[list[int]]:
    """A line to each of these ports of this machine, ``delay`` seconds long each way; yields their own ports."""
    context = get_context("spawn")
    opened: Queue[list[int]] = context.Queue()
    process = context.Process(target=_lay, args=(opened, list(ports), delay), daemon=True)
    process.start()
    try:
        yield opened.get(timeout=30)
    finally:
        process.terminate()
        process.join()


def _lay(opened: Queue[list[int]], ports: list[int], delay: float) -> None:
    listeners = [socket.create_server((ELSEWHERE, 0), backlog=100) for _ in ports]
    for listener, port in zip(listeners, ports, strict=True):
        threading.Thread(target=_take, args=(listener, port, delay), daemon=True).start()
    opened.put([listener.getsockname()[1] for listener in listeners])
    threading.Event().wait()


def _take(listener: socket.socket, port: int, delay: float) -> None:
    while True:
        near, _ = listener.accept()
        far = socket.create_connection(("127.0.0.1", port))
        for one in (near, far):
            one.setsockopt(socket.IPPROTO_TCP, socket.TCP_NODELAY, 1)
        for source, goal in ((near, far), (far, near)):
            pipe: Pipe = queue.SimpleQueue()
            threading.Thread(target=_read, args=(source, pipe, delay), daemon=True).start()
            threading.Thread(target=_write, args=(goal, pipe), daemon=True).start()


def _read(source: socket.socket, pipe: Pipe, delay: float) -> None:
    piece = b"-"
    while piece:
        try:
            piece = source.recv(PIECE)
        except OSError:
            piece = b""
        pipe.put((time.perf_counter() + delay, piece))


def _write(goal: socket.socket, pipe: Pipe) -> None:
    """An empty piece is the end."""
    while True:
        due, piece = pipe.get()
        if (wait := due - time.perf_counter()) > 0:
            time.sleep(wait)
        with contextlib.suppress(OSError):
            if not piece:
                goal.shutdown(socket.SHUT_WR)
                return
            goal.sendall(piece)
