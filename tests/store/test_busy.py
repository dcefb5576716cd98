"""While somebody else writes, changing the tables waits; it does not give up at once."""

from __future__ import annotations

import time
from concurrent.futures import ThreadPoolExecutor

import pytest

from pbem.store import database, revision, upgrade
from pbem.store.database import open_engine
from tests.databases import Sqlite


def test_an_upgrade_waits_until_the_other_writer_is_done(sqlite: Sqlite, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(database, "BUSY_SECONDS", 0)
    url = sqlite.bare()
    engine, other = open_engine(url), open_engine(url)
    with ThreadPoolExecutor(1) as pool:
        with other.execution_options(pbem_writes=True).begin():
            upgraded = pool.submit(upgrade.upgrade, engine)
            time.sleep(0.5)
            assert not upgraded.done()
        upgraded.result()
    assert revision.missing(engine) == []
    engine.dispose()
    other.dispose()
