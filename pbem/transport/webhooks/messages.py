"""What other services are told, in the form each of them reads. Names and titles come from anybody: none of them
calls people (``@everyone``) or becomes a link, a heading or anything else but text."""

import json
import re
from datetime import UTC, datetime
from typing import Any

from pbem.engine import Say, Value, replace, say
from pbem.language import reading
from pbem.language.times import Calendar
from pbem.language.voice import spoken
from pbem.transport.webhooks.allowed import Target

KINDS = ("discord", "slack", "ntfy", "json")
FORMAT = "pbem-hook/1"
BREAK = "\u200b"
"""Takes no room, and parts what would otherwise be read as one."""

_DISCORD = re.compile(r"([\\*_~`|>#\[\]()<:.+-])")
_TOPIC = re.compile(r"/([-\w]{1,64})/?", re.ASCII)
_ANSWER = say("Answer by {when}.")


class Message(Value):
    """Something to tell. ``event``: turn reminder over test. ``sentence`` is the whole of it without the title.

    ``link`` is where to look; ``player`` and ``seat``: who is asked, empty where nobody is.
    """

    event: str
    title: str
    sentence: str
    link: str
    game: str = ""
    map: str = ""
    turn: int = 0
    phase: str = ""
    player: str = ""
    seat: str = ""
    deadline: datetime | None = None
    standings: tuple[tuple[str, int | None, bool], ...] = ()
    """Names, scores and who is out, the winner first; for a game that is over."""
    language: str = "en"


def body(kind: str, message: Message, to: Target | None = None) -> bytes:
    """The request's body, in the language of the message; ``to``: the address its owner gave, in which ntfy has its
    topic. Raises ``ValueError`` for a kind that does not exist."""
    with reading(message.language):
        return json.dumps(_values(kind, message, to)).encode("ascii")


def receiver(kind: str, to: Target) -> Target:
    """Where the request goes: ntfy takes JSON at its root."""
    _, mark, query = to.path.partition("?")
    return replace(to, path=f"/{mark}{query}") if kind == "ntfy" else to


def ntfy_topic(to: Target) -> str:
    """The topic at the end of an address of ntfy; empty when there is none."""
    found = _TOPIC.fullmatch(to.path.partition("?")[0])
    return found[1] if found else ""


def _values(kind: str, message: Message, to: Target | None) -> dict[str, Any]:
    match kind:
        case "ntfy":
            return _ntfy(message, ntfy_topic(to) if to else "")
        case "discord":
            return _discord(message)
        case "slack":
            return _slack(message)
        case "json":
            return _json(message)
        case _:
            raise ValueError(f"there is no webhook of kind {kind!r}")


def discord_text(text: str) -> str:
    return _DISCORD.sub(r"\\\1", text).replace("@", f"@{BREAK}")


def slack_text(text: str) -> str:
    """Text that Slack and services like it show as it stands, but for emphasis, which is switched off beside it."""
    text = text.replace("&", "&amp;").replace("<", "&lt;").replace(">", "&gt;")
    return text.replace("@", f"@{BREAK}").replace("://", f":{BREAK}//")


def _discord(message: Message) -> dict[str, Any]:
    told = f"**{discord_text(message.title)}** {discord_text(message.sentence)}"
    if message.deadline is not None:
        stamp = int(message.deadline.timestamp())
        when = f"<t:{stamp}:F> (<t:{stamp}:R>)"
        told += f" {spoken(_answer(when))}"
    return {"content": f"{told}\n<{message.link}>", "allowed_mentions": {"parse": []}}


def _slack(message: Message) -> dict[str, Any]:
    """Blocks of plain text for Slack; ``text`` for what only reads that (Mattermost, Rocket.Chat)."""
    told = f"[{message.title}] {message.sentence}"
    when = ""
    if message.deadline is not None:
        when = spoken(_answer(_limit(message.deadline)))
    link = {"type": "mrkdwn", "text": f"<{message.link}|{spoken(say('Open the page'))}>", "verbatim": True}
    context = [link] if message.deadline is None else [_slack_date(message.deadline, when), link]
    return {
        "text": f"{slack_text(f'{told} {when}'.strip())} {message.link}",
        "mrkdwn": False,
        "parse": "none",
        "link_names": False,
        "unfurl_links": False,
        "blocks": [
            {"type": "section", "text": {"type": "plain_text", "text": told, "emoji": False}},
            {"type": "context", "elements": context},
        ],
    }


def _slack_date(time: datetime, otherwise: str) -> dict[str, Any]:
    answer = spoken(_answer("{date_long_pretty}, {time}"))
    words = f"<!date^{int(time.timestamp())}^{answer}|{otherwise}>"
    return {"type": "mrkdwn", "text": words, "verbatim": True}


def _ntfy(message: Message, topic: str) -> dict[str, Any]:
    """What its programs show as plain text, but for addresses, which they make links of."""
    told = message.sentence
    if message.deadline is not None:
        told += f" {spoken(_answer(_limit(message.deadline)))}"
    return {
        "topic": topic,
        "title": message.title.replace("://", f":{BREAK}//"),
        "message": told.replace("://", f":{BREAK}//"),
        "click": message.link,
        "priority": 4 if message.event == "reminder" else 3,
        "tags": ["steam_locomotive"],
    }


def _json(message: Message) -> dict[str, Any]:
    values: dict[str, Any] = {
        "format": FORMAT,
        "event": message.event,
        "text": f"[{message.title}] {message.sentence}",
        "link": message.link,
    }
    if message.game:
        values["game"] = {"id": message.game, "title": message.title, "map": message.map}
    if message.event in ("turn", "reminder"):
        until = None if message.deadline is None else message.deadline.astimezone(UTC).isoformat()
        asked = {"seat": message.seat, "name": message.player}
        values |= {"turn": message.turn, "phase": message.phase, "asked": asked, "deadline": until}
    if message.standings:
        values["standings"] = [{"name": name, "score": score, "out": out} for name, score, out in message.standings]
    return values


def _limit(deadline: datetime) -> Say:
    return say("{when} UTC", when=Calendar("UTC", deadline).limit(deadline))


def _answer(when: Say | str) -> Say:
    return Say(_ANSWER.one, {"when": when})
