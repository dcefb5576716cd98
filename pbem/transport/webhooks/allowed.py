"""Which addresses somebody may have us send requests to: none from which our own network could be reached.

Checked twice: the text of the address when it is typed, and what its name stands for right before every request,
because names can be given other addresses at any time.
"""

import re
import socket
from collections.abc import Callable, Sequence
from ipaddress import IPv4Address, IPv4Network, IPv6Address, IPv6Network, ip_address
from urllib.parse import urlsplit

from pbem.engine import Say, Value, say

LONGEST = 500
HTTPS = 443

Resolve = Callable[[str, int], Sequence[str]]
"""The addresses a name stands for, as text. Raises ``OSError`` when there are none."""

_NAME = re.compile(r"(?=.{4,253}$)([a-z0-9]([a-z0-9-]{0,61}[a-z0-9])?\.)+[a-z]([a-z0-9-]{0,61}[a-z0-9])")
_PRINTABLE = re.compile(r"[!-~]+")
_LOOPBACK_NAMES = ("localhost", "127.0.0.1", "::1")
_UNICAST = IPv6Network("2000::/3")
_NOT_OURS_TO_REACH = (
    IPv6Network("2001::/23"),  # for protocols, Teredo among them, which holds IPv4 addresses
    IPv6Network("2001:db8::/32"),
    IPv6Network("2002::/16"),  # 6to4 holds IPv4 addresses
    IPv6Network("3fff::/20"),
)
_NOR_THESE = (
    IPv4Network("192.0.0.0/24"),  # for protocols; newer Pythons call some of it global
    IPv4Network("192.88.99.0/24"),  # relays to 6to4
)


class BadAddress(Exception):
    """We send nothing there; ``sentence`` says why. ``for_good``: as long as the address reads as it does."""

    def __init__(self, sentence: Say, *, for_good: bool = True) -> None:
        super().__init__(str(sentence))
        self.sentence = sentence
        self.for_good = for_good


class Target(Value):
    """An address in its parts. ``path`` begins with a stroke and has the query. ``plain``: http, to this machine."""

    host: str
    port: int
    path: str
    plain: bool = False


def target(url: str, *, loopback: bool = False) -> Target:
    """Read an address. ``loopback`` also allows http to this machine. Raises :class:`BadAddress`."""
    if len(url) > LONGEST:
        raise BadAddress(say("The address is longer than {n} characters.", n=LONGEST))
    if not _PRINTABLE.fullmatch(url) or "\\" in url:
        raise BadAddress(say("The address contains a space or another character that is not allowed."))
    try:
        parts = urlsplit(url)
        host, port = parts.hostname or "", parts.port
    except ValueError as error:
        raise BadAddress(say("This is not a valid web address.")) from error
    if parts.username is not None or parts.password is not None or "@" in parts.netloc:
        raise BadAddress(say("Remove the user name and password from the address."))
    path = (parts.path or "/") + (f"?{parts.query}" if parts.query else "")
    if loopback and parts.scheme == "http" and host in _LOOPBACK_NAMES:
        return Target(host, port or 80, path, plain=True)
    if parts.scheme != "https":
        raise BadAddress(say("The address must begin with https://."))
    if not _NAME.fullmatch(host):
        raise BadAddress(say("The address must name a host on the internet, for example hooks.example.org."))
    if port not in (None, HTTPS):
        raise BadAddress(say("The address uses port {port}. Only port 443 is allowed.", port=port or 0))
    return Target(host, HTTPS, path)


def resolve(host: str, port: int) -> Sequence[str]:
    """What the name servers of this machine say."""
    return [str(found[4][0]) for found in socket.getaddrinfo(host, port, type=socket.SOCK_STREAM)]


def vetted(to: Target, ask: Resolve) -> str:
    """The address to connect to now. Raises :class:`BadAddress` unless all that the name stands for are public."""
    try:
        found = ask(to.host, to.port)
    except (OSError, UnicodeError) as error:
        raise BadAddress(say("The name {host} cannot be found.", host=to.host), for_good=False) from error
    allowed = is_loopback if to.plain else is_public
    if not found or not all(map(allowed, found)):
        raise BadAddress(say("The name {host} does not have a public address.", host=to.host), for_good=False)
    return found[0]


def is_public(text: str) -> bool:
    """Whether anybody on the internet has this address, and it is one machine's."""
    address = _read(text)
    match address:
        case IPv4Address():
            special = address.is_multicast or address.is_reserved or any(address in network for network in _NOR_THESE)
            return address.is_global and not special
        case IPv6Address():
            return (
                address in _UNICAST
                and address.is_global
                and address.scope_id is None
                and not any(address in network for network in _NOT_OURS_TO_REACH)
            )
    return False


def is_loopback(text: str) -> bool:
    address = _read(text)
    return address is not None and address.is_loopback


def _read(text: str) -> IPv4Address | IPv6Address | None:
    try:
        return ip_address(text)
    except ValueError:
        return None
