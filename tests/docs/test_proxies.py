"""The examples of ``deploy/`` for nginx and Caddy do what the pages say of them."""

import contextlib
import http.client
import socket
import time
from collections.abc import Iterator
from pathlib import Path

import pytest

from tests.docs.proxies import NAME, PROXIES, Proxy, nginx, web
from tests.patience import PATIENCE
from tests.runtime.test_slow_clients import PROMPT
from tests.servers import free_port
from tests.slow import slow_clients

TOKEN = "token-that-nobody-else-may-know"


@pytest.fixture(scope="module")
def upstream(tmp_path_factory: pytest.TempPathFactory) -> Iterator[int]:
    with web(tmp_path_factory.mktemp("web")) as port:
        yield port


@pytest.fixture(scope="module", params=sorted(PROXIES))
def proxy(request: pytest.FixtureRequest, upstream: int, tmp_path_factory: pytest.TempPathFactory) -> Iterator[Proxy]:
    with PROXIES[request.param](tmp_path_factory.mktemp("proxy") / "run", upstream) as running:
        yield running


def connected(proxy: Proxy) -> socket.socket:
    client = socket.create_connection(("127.0.0.1", proxy.port), PATIENCE)
    return proxy.tls.wrap_socket(client, server_hostname=NAME)


def said(client: socket.socket, words: bytes) -> bytes:
    """All that is answered to these bytes."""
    client.sendall(words)
    answer = b""
    with contextlib.suppress(ConnectionResetError):
        while piece := client.recv(65_536):
            answer += piece
    return answer


def ask(proxy: Proxy, path: str, *lines: str, method: str = "GET", body: bytes = b"") -> tuple[int, str]:
    """Status and whole answer."""
    head = [f"{method} {path} HTTP/1.1", f"Host: {NAME}", "Connection: close", *lines]
    if body:
        head += ["Content-Type: application/x-www-form-urlencoded", f"Content-Length: {len(body)}"]
    with connected(proxy) as client:
        answer = said(client, "\r\n".join([*head, "", ""]).encode() + body).decode("utf-8", "replace")
    return int(answer.split(" ", 2)[1]), answer


def test_pages_and_style_sheets_are_compressed_for_whoever_can_read_that(proxy: Proxy) -> None:
    for path in ("/", "/static/site.css"):
        status, packed = ask(proxy, path, "Accept-Encoding: gzip")
        assert status == 200
        assert "\r\ncontent-encoding: gzip\r\n" in packed.lower()
        assert "content-encoding" not in ask(proxy, path)[1].lower()


def test_pages_are_answered_promptly_beside_twenty_slow_heads_and_bodies(proxy: Proxy) -> None:
    ask(proxy, "/maps")  # the first time takes longer
    with slow_clients(proxy.port, 20, tls=proxy.tls):
        time.sleep(0.5)
        for path in ("/healthz", "/archive", "/healthz", "/maps"):
            began = time.monotonic()
            assert ask(proxy, path)[0] == 200
            assert time.monotonic() - began < PROMPT


def test_forms_come_through_and_those_that_are_too_long_do_not(proxy: Proxy) -> None:
    assert ask(proxy, "/login", method="POST", body=b"address=ana%40example.org")[0] == 200
    assert ask(proxy, "/login", method="POST", body=b"address=" + b"x" * 70_000)[0] == 413
    assert ask(proxy, "/login", "Content-Length: 300000", method="POST")[0] == 413, "nobody waits for what follows"


def test_the_outbox_and_the_figures_are_for_the_machine_alone(proxy: Proxy) -> None:
    for path in ("/metrics", "/outbox", "/outbox/letter/html", "/%6futbox", "//outbox", "/x/../outbox", "/OUTBOX"):
        status, answer = ask(proxy, path)
        assert status in (301, 308, 404), path
        assert "eml" not in answer, path


def test_what_a_client_says_of_its_address_is_dropped(proxy: Proxy) -> None:
    """With PBEM_PROXIES=1 the last address counts; ``on_this_machine`` would need none at all."""
    for line in ("X-Forwarded-For: 127.0.0.1", "X-Forwarded-Proto: http", "Forwarded: for=127.0.0.1", "Via: 1.1 x"):
        assert ask(proxy, "/outbox", line)[0] == 404
        assert ask(proxy, "/healthz", line)[0] == 200


def test_no_log_holds_a_token(proxy: Proxy) -> None:
    for path in (f"/t/{TOKEN}", f"/login/{TOKEN}?x={TOKEN}", f"/api/v1/turn/{TOKEN}", f"/%74/{TOKEN}"):
        assert ask(proxy, path, f"Referer: https://{NAME}/s/{TOKEN}", f"Cookie: __Host-pbem={TOKEN}")[0] == 404
    assert ask(proxy, "/healthz")[0] == 200
    assert_written(proxy)
    assert TOKEN not in proxy.written()


@pytest.mark.parametrize("kind", sorted(PROXIES))
def test_no_log_holds_a_token_when_the_web_is_away(tmp_path: Path, kind: str) -> None:
    with PROXIES[kind](tmp_path / "run", free_port()) as running:
        assert ask(running, f"/t/{TOKEN}")[0] == 502
        assert_written(running)
        assert TOKEN not in running.written()


def assert_written(proxy: Proxy) -> None:
    """Something was logged, or the test would see nothing."""
    end = time.monotonic() + PATIENCE
    while not any(path.stat().st_size for path in proxy.logs.rglob("pbem.views.log")):
        assert time.monotonic() < end
        time.sleep(0.05)


def test_nginx_puts_no_line_of_an_address_into_its_answer(tmp_path: Path) -> None:
    """``$uri`` is decoded: ``%0d%0aSet-Cookie:…`` would be a header of the redirect."""
    with nginx(tmp_path / "run", free_port()) as running:
        plain = http.client.HTTPConnection("127.0.0.1", running.plain, timeout=PATIENCE)
        with contextlib.closing(plain):
            plain.request("GET", "/a%0d%0aSet-Cookie:%20__Host-pbem=planted;x?y=1", headers={"Host": NAME})
            answer = plain.getresponse()
            assert answer.status == 301
            assert answer.headers["Set-Cookie"] is None
            assert answer.headers["Location"] == f"https://{NAME}/a%0d%0aSet-Cookie:%20__Host-pbem=planted;x?y=1"
