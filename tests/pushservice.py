"""A push service on this machine, and devices whose messages it decrypts as their browsers would."""

import base64
import json
import threading
from dataclasses import dataclass, field
from http.server import BaseHTTPRequestHandler, ThreadingHTTPServer
from typing import Any, Self

import http_ece
from cryptography.hazmat.primitives import hashes
from cryptography.hazmat.primitives.asymmetric import ec, utils
from cryptography.hazmat.primitives.serialization import Encoding, PublicFormat
from typing_extensions import override

from pbem.transport.devices import Device


@dataclass(frozen=True)
class Heard:
    """One request: its path, headers, and body as it came."""

    path: str
    headers: dict[str, str]
    body: bytes


@dataclass
class Browser:
    """A browser that has subscribed; only it can read what it is sent."""

    path: str
    private: ec.EllipticCurvePrivateKey = field(default_factory=lambda: ec.generate_private_key(ec.SECP256R1()))
    secret: bytes = b"sixteen secrets!"

    def subscription(self, root: str) -> Device:
        point = self.private.public_key().public_bytes(Encoding.X962, PublicFormat.UncompressedPoint)
        return Device(root + self.path, text(point), text(self.secret))

    def read(self, heard: Heard) -> dict[str, Any]:
        """What the script of the browser gets. Raises for what was encrypted for another one."""
        assert heard.headers["content-encoding"] == "aes128gcm"
        message = http_ece.decrypt(heard.body, private_key=self.private, auth_secret=self.secret, version="aes128gcm")
        found: dict[str, Any] = json.loads(message)
        return found


class PushService:
    """Answers every request with ``code``; ``heard``: what came in."""

    def __init__(self, code: int = 201) -> None:
        self.code = code
        self.heard: list[Heard] = []
        service = self

        class Answering(BaseHTTPRequestHandler):
            def do_POST(self) -> None:
                body = self.rfile.read(int(self.headers["Content-Length"]))
                headers = {name.lower(): value for name, value in self.headers.items()}
                service.heard.append(Heard(self.path, headers, body))
                self.send_response(service.code)
                self.send_header("Content-Length", "0")
                self.end_headers()

            @override
            def log_message(self, format: str, *args: Any) -> None:
                """Nothing is said of requests."""

        self._server = ThreadingHTTPServer(("127.0.0.1", 0), Answering)
        self.root = f"http://127.0.0.1:{self._server.server_port}"
        self._thread = threading.Thread(target=self._server.serve_forever, args=(0.02,))

    def __enter__(self) -> Self:
        self._thread.start()
        return self

    def __exit__(self, *_: object) -> None:
        self._server.shutdown()
        self._thread.join()
        self._server.server_close()


def text(data: bytes) -> str:
    return base64.urlsafe_b64encode(data).decode().rstrip("=")


def data(text: str) -> bytes:
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))


def claims(heard: Heard, public_key: str) -> dict[str, Any]:
    """What the sender says of itself, signed with this key (RFC 8292). Raises for a signature that is not."""
    scheme, _, parameters = heard.headers["authorization"].partition(" ")
    assert scheme == "vapid"
    given = dict(part.strip().split("=", 1) for part in parameters.split(","))
    assert given["k"] == public_key
    signed, _, signature = given["t"].rpartition(".")
    head, _, said = signed.partition(".")
    assert json.loads(data(head)) == {"typ": "JWT", "alg": "ES256"}
    raw = data(signature)
    pair = utils.encode_dss_signature(int.from_bytes(raw[:32]), int.from_bytes(raw[32:]))
    key = ec.EllipticCurvePublicKey.from_encoded_point(ec.SECP256R1(), data(public_key))
    key.verify(pair, signed.encode(), ec.ECDSA(hashes.SHA256()))
    found: dict[str, Any] = json.loads(data(said))
    return found
