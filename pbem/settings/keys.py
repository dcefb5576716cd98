"""The keys that links are signed with; one is made where none is given."""

import contextlib
import os
import secrets
import tempfile
from pathlib import Path

from pbem.settings.disk import names_to_disk
from pbem.settings.environment import BadSetting

SHORTEST_KEY = 16


def secret_key(value: str, data_dir: Path) -> str:
    if value:
        if len(value) < SHORTEST_KEY:
            raise BadSetting(f"PBEM_SECRET_KEY is too short; give at least {SHORTEST_KEY} characters.")
        return value
    kept = data_dir / "secret_key"
    try:
        if not kept.exists():
            _make_key(kept)
    except OSError as error:
        raise BadSetting(f"PBEM_SECRET_KEY is not set and no key can be stored in {kept}: {error.strerror}.") from error
    return _kept_key(kept)


def _make_key(kept: Path) -> None:
    """A key under its name only when it is whole and on the disk; of several processes the first makes it for all."""
    descriptor, name = tempfile.mkstemp(prefix=".secret_key.", dir=kept.parent)  # for us alone
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(secrets.token_urlsafe(48))
            file.flush()
            os.fsync(file.fileno())
        with contextlib.suppress(FileExistsError):
            os.link(name, kept)
        names_to_disk(kept.parent)
    finally:
        os.unlink(name)


def old_secret_keys(value: str) -> tuple[str, ...]:
    """Keys with spaces or commas between, as they were in use."""
    keys = tuple(value.replace(",", " ").split())
    if any(len(key) < SHORTEST_KEY for key in keys):
        raise BadSetting(f"PBEM_OLD_SECRET_KEYS holds a key with fewer than {SHORTEST_KEY} characters.")
    return keys


def _kept_key(kept: Path) -> str:
    try:
        key = kept.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise BadSetting(f"PBEM_SECRET_KEY is not set and {kept} cannot be read.") from error
    if len(key) < SHORTEST_KEY:
        raise BadSetting(
            f"PBEM_SECRET_KEY is not set and {kept} holds no key. Remove the file to have a new one created."
        )
    return key
