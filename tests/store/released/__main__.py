"""Keep a database of this version for the tests of later ones: ``python -m tests.store.released``.

Run it before a migration is added. A whole season is played with this code (:mod:`tests.store.released.season`) and
backed up as the newest revision; one that is kept already is left as it is.
"""

from __future__ import annotations

import sys
import tempfile
from pathlib import Path

from pbem.store.backup import back_up
from pbem.store.revision import revisions
from tests.databases import Sqlite
from tests.store.released import FOLDER, KEY, season
from tests.table import Table


def main() -> int:
    """Write the file; returns 1 when it is there."""
    file = FOLDER / f"{revisions()[-1]}.backup"
    if file.exists():
        print(f"{file} is kept already; fixtures are never written twice", file=sys.stderr)
        return 1
    with tempfile.TemporaryDirectory() as name:
        table = Table(Sqlite(Path(name)).fresh(), Path(name) / "data")
        for part in season.PARTS:
            part(table)
        counts = back_up(table.office.database.engine, file, KEY, table.now)
        table.close()
    print(f"{file}: {sum(counts.values())} rows, {counts['games']} games")
    return 0


if __name__ == "__main__":
    raise SystemExit(main())
