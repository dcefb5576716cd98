"""The switch that lets a browser be told of turns: what its script needs, and what it sends."""

import re

from flask import request

from pbem.engine import Value
from pbem.service.people import devices
from pbem.transport.devices import Device
from pbem.web.base import forms
from pbem.web.base.context import now, office

LONGEST_ENDPOINT, LONGEST_KEY = 2_000, 200
BROWSERS = (
    ("Edg", "Edge"), ("OPR", "Opera"), ("SamsungBrowser", "Samsung Internet"), ("Firefox", "Firefox"),
    ("FxiOS", "Firefox"), ("CriOS", "Chrome"), ("Chrome", "Chrome"), ("Safari", "Safari"),
)  # fmt: skip
"""What a browser says of itself, and its name; most claim to be those further down as well."""
SYSTEMS = (
    ("Android", "Android"), ("iPhone", "iPhone"), ("iPad", "iPad"), ("Windows", "Windows"), ("CrOS", "ChromeOS"),
    ("Mac OS X", "macOS"), ("Linux", "Linux"),
)  # fmt: skip


class Switch(Value):
    """What a page needs to offer it. ``at``: where it sends; ``known``: marks of devices that are switched on already;
    ``one_game``: it is for the game of the page alone.
    """

    at: str
    key: str
    known: tuple[str, ...]
    one_game: bool = False


def switch(at: str, account_id: int, game_id: str = "") -> Switch:
    """The switch for an account, or, with ``game_id``, for one game."""
    known = devices.marks(office(), account_id, game_id)
    return Switch(at, devices.key(office()), known, one_game=bool(game_id))


def switch_on(account_id: int, game_id: str = "") -> None:
    device = Device(
        forms.field("endpoint", longest=LONGEST_ENDPOINT, default=""),
        forms.field("p256dh", longest=LONGEST_KEY, default="").rstrip("="),
        forms.field("auth", longest=LONGEST_KEY, default="").rstrip("="),
    )
    devices.add(office(), account_id, device, label(request.user_agent.string), now(), game_id)


def label(agent: str) -> str:
    """Browser and system, as far as a browser tells: "Firefox, Android"."""
    found = [
        next((name for sign, name in signs if re.search(rf"\b{sign}\b", agent)), "") for signs in (BROWSERS, SYSTEMS)
    ]
    return ", ".join(filter(None, found))
