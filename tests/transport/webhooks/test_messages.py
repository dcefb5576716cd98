"""What Discord, Slack and programs are told, and that no name or title does anything there."""

import json
from datetime import UTC, datetime
from typing import Any

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem.engine import replace
from pbem.transport.webhooks.allowed import Target, target
from pbem.transport.webhooks.messages import (
    BREAK,
    KINDS,
    Message,
    body,
    discord_text,
    ntfy_topic,
    receiver,
    slack_text,
)

LINK = "https://play.example.org/games/k7m2"
TURN = Message(
    "turn", "Coal by post", "Turn 5, build track. Waiting for: Ana.", LINK, game="k7m2", map="rust_belt", turn=5,
    phase="build_track", player="Ana", seat="pink", deadline=datetime(2026, 11, 29, 20, tzinfo=UTC),
)  # fmt: skip
HOSTILE = "@everyone <!channel> <@123> **bold** [x](https://evil.example) `code` # Head\n> quote"


def read(kind: str, message: Message) -> dict[str, Any]:
    values: dict[str, Any] = json.loads(body(kind, message))
    return values


def test_discord_is_told_in_one_line_with_times_in_the_readers_zone() -> None:
    values = read("discord", TURN)
    assert values["content"] == (
        "**Coal by post** Turn 5, build track\\. Waiting for\\: Ana\\."
        f" Answer by <t:1795982400:F> (<t:1795982400:R>).\n<{LINK}>"
    )
    assert values["allowed_mentions"] == {"parse": []}


def test_slack_is_told_in_plain_text_beside_a_link() -> None:
    values = read("slack", TURN)
    text, context = values["blocks"]
    assert text["text"] == {
        "type": "plain_text", "text": "[Coal by post] Turn 5, build track. Waiting for: Ana.", "emoji": False,
    }  # fmt: skip
    date, link = context["elements"]
    assert date["text"].startswith("<!date^1795982400^Answer by {date_long_pretty}, {time}.|Answer by Sunday 29 Nov")
    assert link["text"] == f"<{LINK}|Open the page>"
    assert values["text"].endswith(f"Answer by Sunday 29 November, 20:00 UTC. {LINK}")
    assert (values["mrkdwn"], values["parse"], values["link_names"]) == (False, "none", False)


def test_ntfy_is_told_at_its_root_with_the_topic_beside_the_text() -> None:
    to = target("https://ntfy.example.org/pbem-Ana_7?auth=QmVhcmVy")
    assert receiver("ntfy", to) == Target("ntfy.example.org", 443, "/?auth=QmVhcmVy")
    assert json.loads(body("ntfy", TURN, to)) == {
        "topic": "pbem-Ana_7",
        "title": "Coal by post",
        "message": "Turn 5, build track. Waiting for: Ana. Answer by Sunday 29 November, 20:00 UTC.",
        "click": LINK,
        "priority": 3,
        "tags": ["steam_locomotive"],
    }
    assert json.loads(body("ntfy", replace(TURN, event="reminder"), to))["priority"] == 4
    for kind in ("discord", "slack", "json"):
        assert receiver(kind, to) == to


def test_names_become_no_links_in_ntfy() -> None:
    hostile = replace(TURN, title="https://evil.example", sentence="Waiting for: http://evil.example.")
    told = read("ntfy", hostile)
    assert "://" not in told["title"] + told["message"]


@pytest.mark.parametrize("path", ["/", "/a/b", "/topic/publish", "/ü", "/" + "x" * 65, "/a b", "//", "/?topic"])
def test_an_address_of_ntfy_without_a_topic_has_none(path: str) -> None:
    assert ntfy_topic(Target("ntfy.sh", 443, path)) == ""


def test_programs_are_told_in_fields() -> None:
    assert read("json", TURN) == {
        "format": "pbem-hook/1",
        "event": "turn",
        "text": "[Coal by post] Turn 5, build track. Waiting for: Ana.",
        "link": LINK,
        "game": {"id": "k7m2", "title": "Coal by post", "map": "rust_belt"},
        "turn": 5,
        "phase": "build_track",
        "asked": {"seat": "pink", "name": "Ana"},
        "deadline": "2026-11-29T20:00:00+00:00",
    }


def test_the_end_of_a_game_has_its_standings() -> None:
    over = Message(
        "over", "Coal", "Over.", LINK, game="k7m2", map="x", standings=(("Ana", 57, False), ("Ben", None, True))
    )
    assert read("json", over)["standings"] == [
        {"name": "Ana", "score": 57, "out": False}, {"name": "Ben", "score": None, "out": True},
    ]  # fmt: skip


def test_a_question_without_end_names_none() -> None:
    paused = replace(TURN, deadline=None)
    assert read("json", paused)["deadline"] is None
    assert "Answer by" not in read("discord", paused)["content"] + json.dumps(read("slack", paused))


def test_a_kind_that_does_not_exist_is_an_error() -> None:
    with pytest.raises(ValueError, match="no webhook of kind"):
        body("irc", TURN)


@given(st.one_of(st.just(HOSTILE), st.text(max_size=80)))
def test_names_do_nothing_in_discord(text: str) -> None:
    shown = discord_text(text)
    bare = iter(shown)
    for sign in bare:
        if sign == "\\":
            next(bare)
            continue
        assert sign not in "*_~`|>#[]()<"
    assert "@everyone" not in shown
    assert "@here" not in shown
    assert shown.replace(BREAK, "").count("@") == text.count("@")


@given(st.one_of(st.just(HOSTILE), st.text(max_size=80)))
def test_names_do_nothing_in_slack(text: str) -> None:
    shown = slack_text(text)
    assert not set("<>") & set(shown)
    assert "@everyone" not in shown
    assert "@channel" not in shown
    assert "://" not in shown


@pytest.mark.parametrize("kind", KINDS)
@given(title=st.text(max_size=80), name=st.text(max_size=40))
def test_whatever_games_and_people_are_called_the_body_is_json_within_bounds(kind: str, title: str, name: str) -> None:
    message = replace(TURN, title=title, player=name, sentence=f"Turn 5, build track. Waiting for: {name}.")
    values = read(kind, message)
    assert len(values.get("content", values.get("text", values.get("message", "")))) < 2000
