"""The demo with planning letters: a whole game by mail in which nobody gets more than 24 of them."""

from __future__ import annotations

import json
from collections import Counter
from pathlib import Path

import pytest

from pbem.demo import game
from pbem.engine import catalog
from pbem.engine.record import read_record, verify

MOST = 24
"""Mails to each player, the invitation, the start and the end included."""


@pytest.mark.slow
def test_robots_that_plan_need_at_most_24_mails_each(tmp_path: Path) -> None:
    sheet = catalog.sheet("age-of-steam", "rust_belt")
    folder = tmp_path / "demo"
    lines: list[str] = []
    game.run(game.Setup(sheet, 4, "2", folder, ahead=True), lines.append)
    record = json.loads((folder / "record.json").read_bytes())
    assert verify(sheet, read_record(json.dumps(record))).faults == ()
    assert any(entry.get("auto") for entry in record["turns"])
    assert any(line.startswith("Emails to each player: ") for line in lines)
    mails = Counter(path.name.split("-")[1] for path in (folder / "mails").iterdir())
    assert len(mails) == 4
    assert max(mails.values()) <= MOST
    kinds = Counter(path.stem.split("-", 2)[2] for path in (folder / "mails").iterdir())
    assert kinds["planning"] == 4 * 8
