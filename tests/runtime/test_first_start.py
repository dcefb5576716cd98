"""Several processes that start at the same moment on a machine where nobody has started one before."""

import os
import subprocess
import sys
import time
from collections.abc import Iterator
from pathlib import Path

import pytest
from sqlalchemy import Engine, inspect

from pbem.settings.environment import NAMES
from pbem.store.database import open_engine
from pbem.store.revision import missing
from pbem.store.tables import Table
from tests import servers

PROCESSES = 4
BEGIN = f"""
import multiprocessing, os, sys
from pbem.runtime.start import begin
forking = multiprocessing.get_context("fork")
all_here = forking.Barrier({PROCESSES})
def one():
    all_here.wait(120)
    made = begin("web")
    os.write(1, f"{{made.secret_key}}/{{made.push_key}}\\n".encode())  # a line at once: all write to the same pipe
processes = [forking.Process(target=one) for _ in range({PROCESSES})]
for process in processes:
    process.start()
for process in processes:
    process.join()
if any(ended := [process.exitcode for process in processes]):
    sys.exit(f"ended with {{ended}}")
"""
"""They are forked from one that has loaded everything: so they begin together."""


@pytest.fixture(params=["sqlite", "postgresql"])
def environ(request: pytest.FixtureRequest, tmp_path: Path) -> Iterator[dict[str, str]]:
    """The surroundings of a server that has never run."""
    if request.param == "sqlite":
        yield _surroundings(tmp_path, f"sqlite:///{tmp_path}/first.sqlite")
        return
    try:
        with servers.postgresql() as url:
            yield _surroundings(tmp_path, url)
    except servers.Missing as missing:
        pytest.skip(f"no PostgreSQL: {missing}")


def _surroundings(folder: Path, url: str) -> dict[str, str]:
    mine = {"PBEM_DATA_DIR": str(folder / "var"), "PBEM_DATABASE_URL": url}
    return {**os.environ, **dict.fromkeys(NAMES, ""), **mine}


def test_processes_that_start_at_once_share_the_keys_and_make_the_tables_once(environ: dict[str, str]) -> None:
    words = [sys.executable, "-c", BEGIN]
    done = subprocess.run(words, env=environ, capture_output=True, text=True, check=False, timeout=240)
    assert (done.returncode, done.stderr) == (0, "")
    keys = done.stdout.split()
    assert keys == keys[:1] * PROCESSES
    engine = open_engine(environ["PBEM_DATABASE_URL"])
    assert missing(engine) == []
    assert set(Table.metadata.tables) < set(inspect(engine).get_table_names())
    engine.dispose()
    assert {path.name for path in (Path(environ["PBEM_DATA_DIR"])).iterdir()} == {"push_key", "secret_key"}


def test_a_process_ends_with_a_sentence_on_tables_of_a_newer_version(tmp_path: Path) -> None:
    environ = _surroundings(tmp_path, f"sqlite:///{tmp_path}/newer.sqlite")
    engine = open_engine(environ["PBEM_DATABASE_URL"])
    _pretend_newer(engine)
    for words in (["-m", "pbem", "migrate"], ["-m", "workers.clock"]):
        ended = subprocess.run(
            [sys.executable, *words], env=environ, capture_output=True, text=True, check=False, timeout=120
        )
        assert ended.returncode in (1, 3)
        assert ended.stderr.startswith("pbem: The database belongs to a newer version of pbem (9999;")
        assert ended.stderr.count("\n") == 1
    engine.dispose()


def test_a_process_starts_while_the_database_is_away_and_sees_to_the_tables_when_it_is_back(tmp_path: Path) -> None:
    """The clock does, so that somebody does; SQLite is away when its folder is."""
    file = tmp_path / "away" / "first.sqlite"
    environ = _surroundings(tmp_path, f"sqlite:///{file}")
    script = "from workers import clock\nclock.EVERY = 0.1\nclock.main()\n"
    with subprocess.Popen([sys.executable, "-c", script], env=environ, stderr=subprocess.PIPE, text=True) as process:
        assert process.stderr is not None
        assert "whether the tables are up to date cannot be seen: unable to open" in process.stderr.readline()
        file.parent.mkdir()
        until = time.monotonic() + 120
        engine = open_engine(environ["PBEM_DATABASE_URL"])
        while missing(engine) and time.monotonic() < until:
            time.sleep(0.05)
        process.terminate()
        assert missing(engine) == []
        engine.dispose()
        process.communicate()
    assert process.returncode == 0


def _pretend_newer(engine: Engine) -> None:
    with engine.begin() as connection:
        connection.exec_driver_sql("CREATE TABLE alembic_version (version_num VARCHAR(32) NOT NULL)")
        connection.exec_driver_sql("INSERT INTO alembic_version VALUES ('9999')")
