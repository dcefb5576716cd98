"""Keep what this version writes for the tests of later ones: ``python -m tests.store.released VERSION``.

A whole season is played with this code (:mod:`tests.store.released.season`); a version that is kept already is left as
it is.
"""

import argparse
import gzip
import json
import sqlite3
import sys
import tempfile
from pathlib import Path

from sqlalchemy import select

from pbem.service.archive import records
from pbem.store.backup import back_up
from pbem.store.tables import Game
from tests.databases import Sqlite
from tests.store.released import BACKUP, DATABASE, FOLDER, KEY, RECORDS, season
from tests.table import Table


def main() -> int:
    """Write the files; returns 1 when they are there."""
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("version", metavar="VERSION", help="the version that is about to be released, such as 0.1.0")
    folder = FOLDER / parser.parse_args().version
    if folder.exists():
        print(f"{folder} is kept already; what was released is never written again", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as name:
        url = Sqlite(Path(name)).fresh()
        table = Table(url, Path(name) / "data")
        season.play(table)
        folder.mkdir()
        counts = back_up(table.office.database.engine, folder / BACKUP, KEY, table.now)
        begun = table.rows(select(Game.id).where(Game.started_at.is_not(None)).order_by(Game.id))
        lines = [json.dumps(records.export(table.office, game), sort_keys=True) for game in begun]
        _pack(folder / RECORDS, "\n".join(lines).encode())
        table.close()
        _pack(folder / DATABASE, _file(url.removeprefix("sqlite:///"), Path(name) / "vacuumed"))
    print(f"{folder}: {sum(counts.values())} rows, {counts['games']} games")
    return 0


def _file(database: str, to: Path) -> bytes:
    """A database of SQLite in one file, without empty pages."""
    connection = sqlite3.connect(database)
    connection.execute("VACUUM INTO ?", (str(to),))
    connection.close()
    return to.read_bytes()


def _pack(file: Path, content: bytes) -> None:
    file.write_bytes(gzip.compress(content, mtime=0))


if __name__ == "__main__":
    raise SystemExit(main())
