"""What the figures of ``docs/hosting.md`` rest on: simulated players, a line to another machine."""

import random
import socket
import statistics
import threading
import time

import pytest

from bench.line import ELSEWHERE, lines
from bench.traffic import Workers


def test_orders_that_come_at_random_wait_as_long_as_the_theory_of_queues_says() -> None:
    """One worker who is busy half of the time with work of 1 s: 0.5 s on average (Pollaczek and Khinchine)."""
    dice, workers, at, waits = random.Random(5), Workers(1, 1.0), 0.0, []
    for _ in range(40_000):
        at += dice.expovariate(0.5)
        waits.append(workers.take(at)[0] - at)
    assert statistics.mean(waits) == pytest.approx(0.5, rel=0.1)


def test_a_line_passes_everything_on_later_and_ends_with_its_ends() -> None:
    with socket.create_server(("127.0.0.1", 0)) as server, lines([server.getsockname()[1]], 0.05) as (port,):

        def echo() -> None:
            one, _ = server.accept()
            with one:
                while piece := one.recv(1 << 16):
                    one.sendall(piece)

        thread = threading.Thread(target=echo)
        thread.start()
        with socket.create_connection((ELSEWHERE, port), timeout=20) as client:
            began = time.perf_counter()
            client.sendall(b"there and back")
            assert client.recv(100) == b"there and back"
            assert time.perf_counter() - began >= 0.1
            client.shutdown(socket.SHUT_WR)
            assert client.recv(100) == b""
        thread.join(20)
        assert not thread.is_alive()
