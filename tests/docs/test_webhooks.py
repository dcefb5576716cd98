"""The example of the page about webhooks is what is sent."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime
from pathlib import Path

from pbem.transport.webhooks import Message, body

PAGE = Path(__file__).parents[2] / "docs" / "webhooks.md"


def test_the_example_is_what_a_program_is_told() -> None:
    block = re.search(r"```json\n(.*?)```", PAGE.read_text(), re.DOTALL)
    assert block is not None
    told = Message(
        "turn",
        "Coal by post",
        "Turn 5, build track. Waiting for: Ana.",
        "https://play.example.org/games/k7m2xyz",
        game="k7m2xyz",
        map="rust_belt",
        turn=5,
        phase="build_track",
        player="Ana",
        seat="pink",
        deadline=datetime(2026, 11, 29, 20, tzinfo=UTC),
    )
    assert json.loads(block.group(1)) == json.loads(body("json", told))
