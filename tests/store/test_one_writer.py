"""SQLite lets one transaction write at a time: threads of a process wait for their turn."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor
from pathlib import Path

import pytest
from sqlalchemy import text

from pbem.store import database


def test_threads_that_write_to_sqlite_queue_instead_of_finding_it_locked(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0)  # who finds it locked fails at once
    opened = database.Database(f"sqlite:///{tmp_path}/queue.sqlite")
    with opened.write() as session:
        session.execute(text("CREATE TABLE counted (number INTEGER)"))

    def count(number: int) -> None:
        with opened.write() as session:
            session.execute(text("INSERT INTO counted VALUES (:number)"), {"number": number})
            time.sleep(0.001)

    with ThreadPoolExecutor(4) as threads:
        list(threads.map(count, range(40)))
    with opened.read() as session:
        assert session.scalar(text("SELECT count(*) FROM counted")) == 40
    opened.close()
