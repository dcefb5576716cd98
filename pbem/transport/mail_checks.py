"""What comes back of the test emails of ``pbem doctor --mail``: a file for each, in the data directory.

``workers.mailin`` writes it, the doctor waits for it; both use the same data directory. Only the header of the mail is
kept, which says who has signed it.
"""

import os
from pathlib import Path

from pbem.settings.settings import Settings

LONGEST = 64 * 1024
"""Bytes of a header that are kept."""
KEPT = 20
"""Files that are kept; the oldest go."""


def note(settings: Settings, number: int, raw: bytes) -> None:
    """This test email, or the reply to it, has come in."""
    folder = _folder(settings)
    folder.mkdir(exist_ok=True)
    for old in sorted(folder.glob("*.header"), key=lambda path: path.stat().st_mtime)[: -KEPT or None]:
        old.unlink(missing_ok=True)
    header = raw.replace(b"\r\n", b"\n").partition(b"\n\n")[0][:LONGEST]
    draft = folder / f".{number}.{os.getpid()}"
    draft.write_bytes(header + b"\n\n")
    draft.replace(folder / f"{number}.header")


def arrived(settings: Settings, number: int) -> bytes | None:
    """The header of what came in, ``None`` while nothing has."""
    file = _folder(settings) / f"{number}.header"
    return file.read_bytes() if file.is_file() else None


def _folder(settings: Settings) -> Path:
    return settings.data_dir / "mail-checks"
