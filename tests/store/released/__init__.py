"""What released versions have written, a folder for each: a database of SQLite, a backup of it, and records.

Those of 0.0 were written on the way to the first release, one before each migration.

The newest is written, before a version is released, by ``python -m tests.store.released VERSION``.
"""

from pathlib import Path

FOLDER = Path(__file__).parent
KEY = "a key that only tests know"
DATABASE, BACKUP, RECORDS = "pbem.sqlite.gz", "pbem.backup", "records.jsonl.gz"


def kept() -> list[Path]:
    """The folders of released versions, oldest first."""
    found = [path.parent for path in FOLDER.glob(f"*/{BACKUP}")]
    return sorted(found, key=lambda path: [int(part) for part in path.name.split(".")])
