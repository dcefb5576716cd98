"""Clients that are slow, or never end, keep nobody else waiting: a request gets a thread when all of it is there."""

import contextlib
import http.client
import os
import signal
import socket
import subprocess
import threading
import time
import urllib.request
from collections.abc import Iterator
from contextlib import contextmanager
from pathlib import Path

import pytest

from pbem.runtime import Processes, Server, free_port
from tests.patience import PATIENCE
from tests.slow import BODY, HEAD, slow_clients

PROMPT = 14.0
"""Seconds: less than a slow head is given, after which the threads that wait for one would be free again."""
ASKED = ("/healthz", "/archive", "/healthz", "/maps", "/healthz")
PLAIN = """
import time

def app(environ, start_response):
    if environ["PATH_INFO"] == "/slow":
        time.sleep(1.5)
    body = "|".join(str(environ.get(name)) for name in ("REMOTE_ADDR", "HTTP_X_FORWARDED_FOR", "wsgi.url_scheme"))
    start_response("200 OK", [("Content-Length", str(len(body)))])
    return [body.encode()]
"""
QUICK = """
from pbem.runtime import webworker
from pbem.runtime.webserver import *

webworker.HEAD_SECONDS = webworker.Channel.patience = 1
webworker.REQUEST_SECONDS = 2
webworker.PULSE = 0.1
"""


def get(port: int, path: str, **headers: str) -> tuple[int, str, float]:
    began = time.monotonic()
    connection = http.client.HTTPConnection("127.0.0.1", port, timeout=PATIENCE)
    with contextlib.closing(connection):
        connection.request("GET", path, headers=headers)
        answer = connection.getresponse()
        return answer.status, answer.read().decode(), time.monotonic() - began


def heard(client: socket.socket) -> bytes:
    """All that comes until the other side closes."""
    client.settimeout(PATIENCE)
    answer = b""
    with contextlib.suppress(ConnectionResetError):
        while piece := client.recv(65_536):
            answer += piece
    return answer


@contextmanager
def running(folder: Path) -> Iterator[tuple[int, subprocess.Popen[bytes]]]:
    """The web processes with a small application and little patience."""
    (folder / "plain.py").write_text(PLAIN)
    (folder / "quick.py").write_text(QUICK)
    port = free_port()
    environ = {**os.environ, "PYTHONPATH": f"{folder}:{Path(__file__).parents[2]}", "PBEM_DATA_DIR": str(folder)}
    with Processes(environ, folder / "logs") as processes:
        words = ["--config", str(folder / "quick.py"), "plain:app", "--bind", f"127.0.0.1:{port}", "--threads", "2"]
        gunicorn = processes.python("web", "-m", "gunicorn", *words)
        processes.until_listening("127.0.0.1", port)
        yield port, gunicorn
    assert "Traceback" not in (folder / "logs" / "web.log").read_text()


@pytest.fixture(scope="module")
def plain(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of those web processes, which are the same for all tests here that do not end them."""
    with running(tmp_path_factory.mktemp("plain")) as (port, _):
        yield port


@pytest.fixture(scope="module")
def whole(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    """The port of the whole server, which no test here may harm."""
    port, folder = free_port(), tmp_path_factory.mktemp("whole")
    with Server({**os.environ, "PBEM_DATA_DIR": str(folder)}, port, logs=folder / "logs"):
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/maps", timeout=120):  # it listens before it can answer
            pass
        yield port


def test_the_server_answers_promptly_beside_twenty_slow_heads_and_bodies(whole: int) -> None:
    with slow_clients(whole, 20):
        time.sleep(0.5)
        found = [get(whole, path) for path in ASKED]
    assert [status for status, _, _ in found] == [200] * len(ASKED)
    assert max(took for _, _, took in found) < PROMPT


@pytest.mark.parametrize("words", [HEAD, BODY], ids=["head", "body"])
def test_a_request_that_does_not_come_to_its_end_is_told_so(plain: int, words: bytes) -> None:
    with socket.create_connection(("127.0.0.1", plain)) as client:
        client.sendall(words)
        answer = heard(client)
    assert answer.startswith(b"HTTP/1.")
    assert b" 408 Request Timeout\r\n" in answer
    assert b"did not arrive completely in time. Send it again." in answer


def test_a_connection_that_says_nothing_is_closed(plain: int) -> None:
    with socket.create_connection(("127.0.0.1", plain)) as client:
        assert heard(client) == b""


def test_a_request_that_comes_in_pieces_in_its_time_is_answered(plain: int) -> None:
    with socket.create_connection(("127.0.0.1", plain)) as client:
        for piece in (b"POST / HTTP/1.1\r\nHo", b"st: x\r\nContent-Length: 4\r\nConnection: close\r\n\r\nab", b"cd"):
            client.sendall(piece)
            time.sleep(0.2)
        assert heard(client).startswith(b"HTTP/1.1 200 OK\r\n")


def test_who_answers_slowly_himself_is_not_taken_for_a_slow_client(plain: int) -> None:
    assert get(plain, "/slow")[0] == 200


def test_what_was_asked_is_answered_when_the_process_is_told_to_end(tmp_path: Path) -> None:
    found: list[int] = []
    with running(tmp_path) as (port, gunicorn):
        asking = threading.Thread(target=lambda: found.append(get(port, "/slow")[0]))
        asking.start()
        time.sleep(0.5)
        gunicorn.send_signal(signal.SIGTERM)
        assert gunicorn.wait(PATIENCE) == 0
        asking.join()
    assert found == [200]


def test_what_a_proxy_says_reaches_the_application_which_judges_it(plain: int) -> None:
    told = get(plain, "/", **{"X-Forwarded-For": "192.0.2.7", "X-Forwarded-Proto": "https"})[1]
    assert told == "127.0.0.1|192.0.2.7|http"


def test_a_body_that_is_too_long_is_refused_by_the_application_and_a_huge_one_is_not_read(whole: int) -> None:
    long, huge = (_posted(whole, length, body) for length, body in ((100_000, b"x" * 100_000), (10**9, b"")))
    assert long.startswith(b"HTTP/1.1 413 ")
    assert b"<html" in long
    assert huge.startswith(b"HTTP/1.1 413 ")


def _posted(port: int, length: int, body: bytes) -> bytes:
    with socket.create_connection(("127.0.0.1", port)) as client:
        client.sendall(
            b"POST /login HTTP/1.1\r\nHost: x\r\nContent-Type: application/x-www-form-urlencoded\r\n"
            b"Connection: close\r\nContent-Length: %d\r\n\r\n" % length + body
        )
        return heard(client)
