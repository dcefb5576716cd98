"""Telling devices by Web Push: a message is encrypted for one browser (RFC 8291), signed with the key of this server
(RFC 8292) and handed to the push service of that browser, which keeps it until the device takes it (RFC 8030).
"""

import base64
import hashlib
import json
import re
from datetime import datetime, timedelta
from functools import cache
from importlib import import_module
from typing import Any, Literal

from pbem.engine import Value, say
from pbem.transport.webhooks import NotTold, Target
from pbem.transport.webhooks import tell as post

POINT, SECRET = 65, 16
"""Bytes of the public key of a subscription, which begins with a 4, and of its secret."""
SIGNED_FOR = timedelta(hours=12)
"""How long a signature holds; push services take no more than a day."""
LONGEST_KEPT = timedelta(days=28)
"""Push services keep a message no longer."""
TOPIC = 32
"""Characters of a topic."""


class Device(Value):
    """A subscription as the Push API of browsers hands it out."""

    endpoint: str
    p256dh: str
    auth: str


class Sender(Value):
    """Who sends: the private key as in the settings, and the email address push services may write to."""

    key: str
    contact: str


class Notice(Value):
    """What a device shows. ``about``: a later one about the same takes its place. ``link``: what opens when it is
    clicked. ``kept``: how long the push service waits for the device. ``answered``: what it was about is done, and it
    goes by itself.
    """

    about: str
    title: str
    text: str
    link: str
    kept: timedelta
    urgency: Literal["low", "normal", "high"] = "normal"
    answered: bool = False
    language: str = "en"


def well_formed(device: Device) -> bool:
    """Whether the keys have the form that browsers give them."""
    point, secret = _bytes(device.p256dh), _bytes(device.auth)
    return len(point) == POINT and point[0] == 4 and len(secret) == SECRET


@cache
def public_key(key: str) -> str:
    """What browsers are told when they subscribe: the public half of the key of the settings."""
    vapid = import_module("py_vapid").Vapid02.from_raw(key.encode("ascii"))
    formats = import_module("cryptography.hazmat.primitives.serialization")
    point = vapid.public_key.public_bytes(formats.Encoding.X962, formats.PublicFormat.UncompressedPoint)
    return base64.urlsafe_b64encode(point).decode("ascii").rstrip("=")


def tell(to: Target, device: Device, notice: Notice, sender: Sender, now: datetime) -> int:
    """Hand a notice to the push service of a device, at ``to``; returns the code of its answer.

    Raises ``NotTold``.
    """
    return post(to, _encrypted(device, payload(notice)), _headers(to, device, notice, sender, now))


def payload(notice: Notice) -> bytes:
    """What the script of the browser reads."""
    values: dict[str, Any] = {
        "title": notice.title, "body": notice.text, "link": notice.link, "tag": notice.about, "lang": notice.language,
    }  # fmt: skip
    return json.dumps(values | ({"answered": True} if notice.answered else {}), ensure_ascii=False).encode()


def topic(device: Device, about: str) -> str:
    """By which a push service knows that one message takes the place of another, and nothing else."""
    digest = hashlib.sha256(f"{device.auth} {about}".encode()).digest()
    return base64.urlsafe_b64encode(digest).decode("ascii")[:TOPIC]


def _headers(to: Target, device: Device, notice: Notice, sender: Sender, now: datetime) -> dict[str, str]:
    origin = f"http://{to.host}:{to.port}" if to.plain else f"https://{to.host}"
    ends = int((now + SIGNED_FOR).timestamp())
    claims = {"aud": origin, "exp": ends, "sub": f"mailto:{sender.contact}"}
    signed: dict[str, str] = import_module("py_vapid").Vapid02.from_raw(sender.key.encode("ascii")).sign(claims)
    kept = max(timedelta(0), min(notice.kept, LONGEST_KEPT))
    return signed | {
        "Content-Encoding": "aes128gcm",
        "Content-Type": "application/octet-stream",
        "TTL": str(int(kept.total_seconds())),
        "Topic": topic(device, notice.about),
        "Urgency": notice.urgency,
    }


def _encrypted(device: Device, message: bytes) -> bytes:
    """Raises ``NotTold`` for a key that is no point of the curve: no browser has made it."""
    keys = {"p256dh": device.p256dh, "auth": device.auth}
    pusher = import_module("pywebpush").WebPusher({"endpoint": device.endpoint, "keys": keys})  # it takes 40 megabytes
    try:
        body: bytes = pusher.encode(message)["body"]
    except ValueError as error:
        raise NotTold(say("The keys of this device are not valid."), gone=True) from error
    return body


def _bytes(text: str) -> bytes:
    if len(text) % 4 == 1 or not re.fullmatch(r"[\w-]*", text, re.ASCII):
        return b""
    return base64.urlsafe_b64decode(text + "=" * (-len(text) % 4))
