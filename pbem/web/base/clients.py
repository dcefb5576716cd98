"""Who sends a request, as limits count it; and counting what changes nothing else, with few writes."""

from dataclasses import dataclass, field
from datetime import datetime, timedelta
from ipaddress import IPv6Address, IPv6Network, ip_address
from threading import Lock
from typing import TypeVar
from urllib.parse import urlsplit

from flask import current_app, request

from pbem.service import Office
from pbem.service.base import rate_limits
from pbem.service.base.rate_limits import Limit, TooMuch

EXTENSION = "pbem.tally"
WRITES = 30
"""How often a limit is written while it is used up; between, a process counts for itself."""
KEPT = 20_000
K = TypeVar("K")
SITE = 64
"""Bits of an IPv6 address that are one client's: it chooses the others itself."""
LOCAL = ("127.0.0.1", "localhost", "::1")
PASSED_ON = ("Forwarded", "X-Forwarded-For", "X-Forwarded-Host", "X-Real-Ip", "Via")
"""Headers by which proxies tell that they are there."""


def client() -> str:
    """The address of the client, of IPv6 its network. Behind proxies it is right only if ``PBEM_PROXIES`` is."""
    return network(request.remote_addr or "")


def network(text: str) -> str:
    """What of an address counts as one client; ``unknown`` for what is none."""
    try:
        address = ip_address(text.partition("%")[0])
    except ValueError:
        return "unknown"
    if isinstance(address, IPv6Address):
        mapped = address.ipv4_mapped
        return str(mapped if mapped else IPv6Network((address, SITE), strict=False))
    return str(address)


def on_this_machine() -> bool:
    """Whether a browser of this machine asks, by a name of this machine, and as far as can be seen through no proxy."""
    host = urlsplit(f"//{request.host}").hostname or ""
    passed_on = any(name in request.headers for name in PASSED_ON)
    return client() in ("127.0.0.1", "::/64") and host in LOCAL and not passed_on


@dataclass(slots=True)
class Tally:
    """Counts of one process that the table does not know yet, and refusals that still last."""

    _counts: dict[tuple[str, str], int] = field(default_factory=dict)
    _refused: dict[tuple[str, str], datetime] = field(default_factory=dict)
    _lock: Lock = field(default_factory=Lock)

    def use(self, office: Office, limit: Limit, whom: str, now: datetime) -> None:
        """Count one use. Raises :class:`TooMuch`; never more than a thirtieth per process later than it should."""
        key, step = (limit.name, whom), max(1, limit.most // WRITES)
        with self._lock:
            if (until := self._refused.get(key, now)) > now:
                raise TooMuch(limit, until - now)
            count = self._counts.pop(key, 0) + 1
            if count < step:
                _keep(self._counts, key, count)
                return
        try:
            rate_limits.note(office, limit, whom, now, count)
        except TooMuch as refused:
            with self._lock:
                _keep(self._refused, key, now + refused.again)
            raise


def _keep(kept: dict[tuple[str, str], K], key: tuple[str, str], value: K) -> None:
    if len(kept) >= KEPT:
        kept.clear()
    kept[key] = value


def use(office: Office, limit: Limit, whom: str, now: datetime) -> None:
    if office.settings.rate_limits:
        tally: Tally = current_app.extensions[EXTENSION]
        tally.use(office, limit, whom, now)


def seconds(again: timedelta) -> int:
    return max(1, -int(-again.total_seconds() // 1))
