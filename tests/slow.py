"""Clients that take their time: heads and bodies that come a byte at a time and never end."""

import contextlib
import socket
import ssl
import threading
from collections.abc import Iterator

from tests.patience import PATIENCE

HOST = "games.example.org"
SECONDS = 0.5
"""Between two bytes."""
HEAD = b"GET /archive HTTP/1.1\r\nHost: games.example.org\r\nX-Slow: "
BODY = (
    b"POST /login HTTP/1.1\r\nHost: games.example.org\r\nContent-Type: application/x-www-form-urlencoded\r\n"
    b"Content-Length: 4000\r\n\r\naddress="
)


@contextlib.contextmanager
def slow_clients(port: int, number: int, *, tls: ssl.SSLContext | None = None) -> Iterator[list[socket.socket]]:
    """So many connections, half of them in the middle of a head, half in that of a body, while the ``with`` lasts."""
    over = threading.Event()
    with contextlib.ExitStack() as stack:
        clients = [stack.enter_context(_begun(port, HEAD if one % 2 else BODY, tls)) for one in range(number)]
        dripping = threading.Thread(target=_drip, args=(clients, over))
        dripping.start()
        try:
            yield clients
        finally:
            over.set()
            dripping.join()


def _begun(port: int, words: bytes, tls: ssl.SSLContext | None) -> socket.socket:
    client = socket.create_connection(("127.0.0.1", port), PATIENCE)
    if tls is not None:
        client = tls.wrap_socket(client, server_hostname=HOST)
    client.sendall(words)
    return client


def _drip(clients: list[socket.socket], over: threading.Event) -> None:
    while not over.wait(SECONDS):
        for client in clients:
            with contextlib.suppress(OSError):  # the server has had enough of it, as it should
                client.sendall(b"x")
