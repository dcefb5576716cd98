"""One request, to an address that was vetted a moment ago, with an end to every wait and to everything that is read.

The standard library's client reads the answer; the connection under it is made here, because what matters is whom
we connect to (docs/decisions/webhooks.md).
"""

import io
import socket
import ssl
import time
from collections.abc import Callable, Mapping
from http.client import HTTPConnection, HTTPException
from types import MappingProxyType

from typing_extensions import Buffer, override

from pbem.engine import Say, say
from pbem.transport.webhooks.allowed import BadAddress, Resolve, Target, resolve, vetted

SECONDS = 5.0
"""For everything: connecting, the handshake, sending, and the head of the answer."""
MOST_READ = 16 * 1024
GONE = (404, 410)
REFUSED = (400, 401, 403, 405, 413, 415, 422)
AGENT = "pbem (webhook)"
JSON = MappingProxyType({"Content-Type": "application/json"})

Context = Callable[[], ssl.SSLContext]


class NotTold(Exception):
    """The other side did not take it; ``sentence`` says why.

    ``for_good``: trying this again is no use. ``gone``: and neither is anything else, there is no such webhook.
    """

    def __init__(self, sentence: Say, *, for_good: bool = False, gone: bool = False) -> None:
        super().__init__(str(sentence))
        self.sentence = sentence
        self.for_good, self.gone = for_good or gone, gone


def tell(
    to: Target,
    body: bytes,
    headers: Mapping[str, str] = JSON,
    *,
    ask: Resolve = resolve,
    context: Context = ssl.create_default_context,
    seconds: float = SECONDS,
) -> int:
    """Send ``body`` and return the code of the answer, one of 200 to 299. Raises :class:`NotTold`."""
    try:
        address = vetted(to, ask)
    except BadAddress as bad:
        raise NotTold(bad.sentence, for_good=bad.for_good) from bad
    try:
        code = _post(to, address, body, headers, context, time.monotonic() + seconds)
    except TimeoutError as error:
        raise NotTold(say("No answer within {n} seconds.", n=round(seconds))) from error
    except ssl.SSLCertVerificationError as error:
        raise NotTold(say("The certificate of {host} is not valid.", host=to.host)) from error
    except (OSError, HTTPException, ValueError) as error:
        raise NotTold(say("{host} cannot be reached or does not speak HTTP.", host=to.host)) from error
    if 200 <= code < 300:
        return code
    raise _refusal(code)


def _refusal(code: int) -> NotTold:
    if code in GONE:
        return NotTold(say("The answer was {code}: the webhook no longer exists.", code=code), gone=True)
    if 300 <= code < 400:
        return NotTold(say("The answer was {code}, a redirect. We do not follow redirects.", code=code), for_good=True)
    return NotTold(say("The answer was {code}.", code=code), for_good=code in REFUSED)


def _post(to: Target, address: str, body: bytes, headers: Mapping[str, str], context: Context, end: float) -> int:
    """Nothing of the answer but its head is read: what it says is nobody's business here."""
    with socket.create_connection((address, to.port), _left(end)) as plain:
        plain.settimeout(_left(end))
        stream = plain if to.plain else context().wrap_socket(plain, server_hostname=to.host)
        with stream:
            connection = HTTPConnection(to.host, to.port)
            if not to.plain:
                connection.default_port = to.port  # the Host header names a port only where it is not the usual one
            connection.sock = _Wire(stream, end)  # all that the client uses of a socket
            usual = {"User-Agent": AGENT, "Connection": "close"}
            connection.request("POST", to.path, body, {**headers, **usual})
            return connection.getresponse().status


def _left(end: float) -> float:
    left = end - time.monotonic()
    if left <= 0:
        raise TimeoutError
    return left


class _Wire:
    """A socket for the client: one end to all waits, and to what is read."""

    def __init__(self, stream: socket.socket, end: float) -> None:
        self._stream, self._end = stream, end

    def sendall(self, data: bytes) -> None:
        self._stream.settimeout(_left(self._end))
        self._stream.sendall(data)

    def makefile(self, _mode: str) -> io.BufferedReader:
        return io.BufferedReader(_Answer(self._stream, self._end))

    def close(self) -> None:
        """The connection is closed by who opened it."""


class _Answer(io.RawIOBase):
    """What comes back, up to :data:`MOST_READ` bytes."""

    def __init__(self, stream: socket.socket, end: float) -> None:
        super().__init__()
        self._stream, self._end, self._room = stream, end, MOST_READ

    @override
    def readable(self) -> bool:
        return True

    @override
    def readinto(self, buffer: Buffer, /) -> int:
        view = memoryview(buffer)[: self._room]
        if not view:
            raise HTTPException("the head of the answer does not end")
        self._stream.settimeout(_left(self._end))
        read = self._stream.recv_into(view)
        self._room -= read
        return read
