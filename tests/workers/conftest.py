"""A table on a database that was used before: an engine that knows its statements already is half of a short test."""

from collections.abc import Iterator
from dataclasses import replace
from pathlib import Path

import pytest

from tests.databases import Sqlite
from tests.table import Table, memory
from workers import work


@pytest.fixture
def fresh(sqlite: Sqlite, tmp_path: Path) -> Iterator[Table]:
    """Nobody plays yet."""
    url = sqlite.fresh()
    made = Table(url, tmp_path, sqlite.opened(url))
    yield made
    made.close()
    sqlite.used(url)


@pytest.fixture
def table(fresh: Table, monkeypatch: pytest.MonkeyPatch) -> Table:
    """The same, with workers that read its clock and have met no provider yet."""
    monkeypatch.setattr(work, "now", lambda: fresh.now)
    monkeypatch.setattr(work, "_resting", {})
    monkeypatch.setattr(work, "_hung", {})
    return fresh


@pytest.fixture
def on_loopback(fresh: Table, monkeypatch: pytest.MonkeyPatch) -> Table:
    """A game that has begun, and whose people may have webhooks and devices on this machine."""
    with memory.before_changes():
        fresh.start()
    fresh.office = replace(fresh.office, settings=replace(fresh.office.settings, webhooks_loopback=True))
    monkeypatch.setattr(work, "now", lambda: fresh.now)
    return fresh
