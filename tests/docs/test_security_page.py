"""``docs/security.md`` names the code that stops somebody and the test that shows it: both are there."""

from __future__ import annotations

import re
from pathlib import Path

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "security.md").read_text("utf-8")


def test_every_file_that_is_named_exists() -> None:
    named = re.findall(r"`([\w/.-]+(?:\.py|\.md|/))`", PAGE)
    assert len(named) > 30
    homes = (ROOT / "tests", ROOT / "pbem", ROOT)
    assert [name for name in named if not any((home / name).exists() for home in homes)] == []
