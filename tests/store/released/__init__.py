"""Databases as released versions left them, one backup for each revision of the tables: ``NNNN.backup``.

The newest is written, before a migration is added to it, by ``python -m tests.store.released``.
"""

from pathlib import Path

FOLDER = Path(__file__).parent
KEY = "a key that only tests know"


def kept() -> list[str]:
    """The revisions of which a database is kept, oldest first."""
    return sorted(path.stem for path in FOLDER.glob("*.backup"))
