"""The request itself: whom it reaches, and what slow, endless, redirecting and broken servers bring about."""

import socket
import ssl
import subprocess
import threading
import time
from collections.abc import Callable, Iterator, Sequence
from contextlib import contextmanager, suppress
from pathlib import Path
from typing import Self

import pytest

from pbem.transport.webhooks.allowed import Target
from pbem.transport.webhooks.sending import NotTold, tell

Answer = Callable[[socket.socket], object]
HERE = "127.0.0.1"


class Server:
    """Answers one connection after the other with ``answer``; ``heard``: what came in."""

    def __init__(self, answer: Answer, context: ssl.SSLContext | None = None) -> None:
        self.heard: list[bytes] = []
        self.names: list[str | None] = []
        self._answer, self._context = answer, context
        self._socket = socket.create_server((HERE, 0))
        self.port: int = self._socket.getsockname()[1]
        if context is not None:
            context.sni_callback = lambda _socket, name, _context: self.names.append(name)
        self._thread = threading.Thread(target=self._serve, daemon=True)

    @property
    def target(self) -> Target:
        return Target(HERE, self.port, "/webhook?x=1", plain=True)

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._socket.close()

    def _serve(self) -> None:
        with suppress(OSError):
            while True:
                connection, _ = self._socket.accept()
                with suppress(OSError), connection:
                    connection.settimeout(5)
                    self._one(connection)

    def _one(self, plain: socket.socket) -> None:
        stream = plain if self._context is None else self._context.wrap_socket(plain, server_side=True)
        with stream:
            heard = b""
            while b"\r\n\r\n" not in heard or not heard.endswith(b"}"):
                piece = stream.recv(4096)
                if not piece:
                    break
                heard += piece
            self.heard.append(heard)
            self._answer(stream)


def says(*pieces: bytes, pause: float = 0.0) -> Answer:
    def answer(stream: socket.socket) -> None:
        for piece in pieces:
            stream.sendall(piece)
            time.sleep(pause)

    return answer


def code(number: int, more: bytes = b"") -> bytes:
    return b"HTTP/1.1 %d Something\r\n%s\r\n" % (number, more)


def told(server: Server, **how: float) -> int:
    return tell(server.target, b'{"a":1}', **how)  # type: ignore[arg-type]


def test_the_body_arrives_as_json_with_the_right_host() -> None:
    with Server(says(code(204))) as server:
        assert told(server) == 204
    (heard,) = server.heard
    head, _, body = heard.partition(b"\r\n\r\n")
    lines = head.decode().split("\r\n")
    assert lines[0] == "POST /webhook?x=1 HTTP/1.1"
    assert f"Host: 127.0.0.1:{server.port}" in lines
    assert "Content-Type: application/json" in lines
    assert "Content-Length: 7" in lines
    assert not any(line.lower().startswith(("cookie", "authorization", "referer")) for line in lines)
    assert body == b'{"a":1}'


@pytest.mark.parametrize("number", [200, 201, 202, 204, 299])
def test_every_answer_of_success_is_one(number: int) -> None:
    with Server(says(code(number))) as server:
        assert told(server) == number


@pytest.mark.parametrize(
    ("number", "for_good", "gone"),
    [(400, True, False), (401, True, False), (403, True, False), (404, True, True), (410, True, True),
     (408, False, False), (418, False, False), (429, False, False), (500, False, False), (503, False, False)],
)  # fmt: skip
def test_an_answer_that_is_none_of_success_is_told(number: int, for_good: bool, gone: bool) -> None:
    with Server(says(code(number, b"Content-Length: 3\r\n"), b"no!")) as server, pytest.raises(NotTold) as caught:
        told(server)
    assert (caught.value.for_good, caught.value.gone) == (for_good, gone)
    assert str(number) in str(caught.value)
    assert "no!" not in str(caught.value)


@pytest.mark.parametrize("number", [301, 302, 303, 307, 308])
def test_a_redirect_is_not_followed(number: int) -> None:
    with Server(says(code(200))) as inner:
        there = f"Location: http://127.0.0.1:{inner.port}/\r\n".encode()
        with Server(says(code(number, there))) as outer, pytest.raises(NotTold, match="redirect") as caught:
            told(outer)
        assert caught.value.for_good
        assert inner.heard == []


def test_an_interim_answer_is_waited_out() -> None:
    with Server(says(code(100), code(200))) as server:
        assert told(server) == 200


def test_a_long_body_is_not_read() -> None:
    with Server(says(code(200, b"Content-Length: 1000000000\r\n"), *[b"x" * 65536] * 200)) as server:
        began = time.monotonic()
        assert told(server) == 200
        assert time.monotonic() - began < 60


@pytest.mark.parametrize(
    "pieces",
    [
        [b"HTTP/1.1 200 OK\r\n" + b"X: y\r\n" * 20_000],
        [b"HTTP/1.1 200 OK\r\nX: " + b"y" * 200_000],
        [b"HTTP/1.1 " + b"2" * 200_000],
        [code(100)] * 3000,
    ],
)
def test_a_head_without_end_is_given_up(pieces: list[bytes]) -> None:
    with Server(says(*pieces)) as server, pytest.raises(NotTold, match="does not speak HTTP"):
        told(server)


@pytest.mark.parametrize(
    "pieces", [[], [b"\0\xff\r\n\r\n"], [b"SSH-2.0-x\r\n"], [b"HTTP/1.1 abc\r\n\r\n"], [b"HTTP/1.1 99\r\n\r\n"]]
)
def test_what_is_no_http_is_told(pieces: list[bytes]) -> None:
    with Server(says(*pieces)) as server, pytest.raises(NotTold) as caught:
        told(server)
    assert not caught.value.for_good


def test_a_server_that_says_nothing_is_waited_for_to_the_end_of_the_time_and_no_longer() -> None:
    with Server(says(pause=0.0)) as server:
        given_up = threading.Event()
        server._answer = lambda _: given_up.wait(60)
        began = time.monotonic()
        with pytest.raises(NotTold, match="No answer within"):
            told(server, seconds=0.4)
        assert time.monotonic() - began < 50
        given_up.set()


def test_a_server_that_drips_has_no_more_time_than_one_that_is_silent() -> None:
    drops = [b"H", b"T", b"T", b"P", b"/", b"1", b".", b"1", b" ", b"2", b"0", b"0", b"\r", b"\n"] * 40
    with Server(says(*drops, pause=0.1)) as server:
        began = time.monotonic()
        with pytest.raises(NotTold, match="No answer within"):
            told(server, seconds=0.5)
        assert time.monotonic() - began < 50


def test_a_port_on_which_nobody_listens_is_told() -> None:
    with socket.create_server((HERE, 0)) as free:
        port = free.getsockname()[1]
    with pytest.raises(NotTold, match="cannot be reached") as caught:
        tell(Target(HERE, port, "/", plain=True), b"{}")
    assert not caught.value.for_good


def test_nothing_is_sent_to_a_name_that_stands_for_an_address_of_ours() -> None:
    with Server(says(code(200))) as server:
        inside = Target("hooks.example.org", server.port, "/")
        with pytest.raises(NotTold, match="does not have a public address"):
            tell(inside, b"{}", ask=lambda *_: [HERE])
        with pytest.raises(NotTold, match="does not have a public address"):
            tell(inside, b"{}", ask=lambda *_: ["8.8.8.8", HERE])
    assert server.heard == []


def test_a_name_is_looked_up_once_so_that_it_cannot_become_another_address_in_between() -> None:
    asked: list[str] = []

    def rebinding(host: str, _port: int) -> Sequence[str]:
        asked.append(host)
        return [HERE] if len(asked) == 1 else ["10.0.0.1"]

    with Server(says(code(200))) as server:
        assert tell(server.target, b"{}", ask=rebinding) == 200
    assert asked == [HERE]


@pytest.fixture(scope="module")
def certificate(tmp_path_factory: pytest.TempPathFactory) -> tuple[Path, Path]:
    """A certificate for hooks.example.org and its key."""
    folder = tmp_path_factory.mktemp("tls")
    cert, key = folder / "cert.pem", folder / "key.pem"
    words = ["openssl", "req", "-x509", "-newkey", "ec", "-pkeyopt", "ec_paramgen_curve:prime256v1", "-nodes"]
    words += ["-days", "2", "-subj", "/CN=hooks.example.org", "-addext", "subjectAltName=DNS:hooks.example.org"]
    try:
        subprocess.run([*words, "-keyout", key, "-out", cert], check=True, capture_output=True)
    except FileNotFoundError:
        pytest.skip("no openssl to make a certificate with")
    return cert, key


@contextmanager
def encrypted(certificate: tuple[Path, Path]) -> Iterator[Server]:
    context = ssl.SSLContext(ssl.PROTOCOL_TLS_SERVER)
    context.load_cert_chain(*certificate)
    with Server(says(code(200)), context) as server:
        yield server


@pytest.fixture
def public_here(monkeypatch: pytest.MonkeyPatch) -> None:
    """This machine counts as a public one."""
    monkeypatch.setattr("pbem.transport.webhooks.allowed.is_public", lambda address: address == HERE)


@pytest.mark.usefixtures("public_here")
def test_the_name_is_in_the_handshake_and_in_the_host(certificate: tuple[Path, Path]) -> None:
    with encrypted(certificate) as server:
        to = Target("hooks.example.org", server.port, "/x")
        trusts = ssl.create_default_context(cafile=str(certificate[0]))
        assert tell(to, b"{}", ask=lambda *_: [HERE], context=lambda: trusts) == 200
    assert server.names == ["hooks.example.org"]
    assert b"\r\nHost: hooks.example.org\r\n" in server.heard[0]


@pytest.mark.usefixtures("public_here")
def test_a_certificate_of_somebody_else_is_refused(certificate: tuple[Path, Path]) -> None:
    with encrypted(certificate) as server:
        trusts = ssl.create_default_context(cafile=str(certificate[0]))
        with pytest.raises(NotTold, match=r"certificate of other\.example\.org is not valid"):
            tell(Target("other.example.org", server.port, "/"), b"{}", ask=lambda *_: [HERE], context=lambda: trusts)
        with pytest.raises(NotTold, match=r"certificate of hooks\.example\.org is not valid"):
            tell(Target("hooks.example.org", server.port, "/"), b"{}", ask=lambda *_: [HERE])
    assert server.heard == []
