"""The key that links are signed with and the key of what devices are told; each is made where none is given."""

import base64
import contextlib
import os
import re
import secrets
import tempfile
from collections.abc import Callable
from pathlib import Path

from pbem.settings.environment import BadSetting
from pbem.settings.paths import names_to_disk

SHORTEST_KEY = 16
PUSH_KEY = 32
"""Bytes of the private key that push services know a server by."""
ORDER_OF_P256 = 0xFFFFFFFF00000000FFFFFFFFFFFFFFFFBCE6FAADA7179E84F3B9CAC2FC632551
"""Private keys are below it (FIPS 186-5)."""


def secret_key(value: str, data_dir: Path) -> str:
    if value:
        if len(value) < SHORTEST_KEY:
            raise BadSetting(f"PBEM_SECRET_KEY is too short; give at least {SHORTEST_KEY} characters.")
        return value
    kept = data_dir / "secret_key"
    key = _kept_key("PBEM_SECRET_KEY", kept, lambda: secrets.token_urlsafe(48))
    if len(key) < SHORTEST_KEY:
        raise _holds_no_key("PBEM_SECRET_KEY", kept)
    return key


def push_key(value: str, data_dir: Path) -> str:
    """The private key that push services know this server by: a number of P-256 in 32 bytes, as base64url."""
    if value:
        if not _of_p256(value):
            raise BadSetting(
                "PBEM_PUSH_KEY must be 32 bytes in base64url, as the file push_key of a server holds them."
            )
        return value
    kept = data_dir / "push_key"
    key = _kept_key("PBEM_PUSH_KEY", kept, _new_push_key)
    if not _of_p256(key):
        raise _holds_no_key("PBEM_PUSH_KEY", kept)
    return key


def _new_push_key() -> str:
    while True:
        key = secrets.token_urlsafe(PUSH_KEY)
        if _of_p256(key):
            return key


def _of_p256(key: str) -> bool:
    if not re.fullmatch(r"[\w-]{43}", key, re.ASCII):
        return False
    number = base64.urlsafe_b64decode(f"{key}=")
    return len(number) == PUSH_KEY and 0 < int.from_bytes(number) < ORDER_OF_P256


def _kept_key(variable: str, kept: Path, new: Callable[[], str]) -> str:
    try:
        if not kept.exists():
            _make_key(kept, new())
    except OSError as error:
        raise BadSetting(f"{variable} is not set and no key can be stored in {kept}: {error.strerror}.") from error
    try:
        return kept.read_text("ascii").strip()
    except (OSError, UnicodeDecodeError) as error:
        raise BadSetting(f"{variable} is not set and {kept} cannot be read.") from error


def _holds_no_key(variable: str, kept: Path) -> BadSetting:
    return BadSetting(f"{variable} is not set and {kept} holds no key. Remove the file to have a new one created.")


def _make_key(kept: Path, key: str) -> None:
    """A key under its name only when it is whole and on the disk; of several processes the first makes it for all."""
    descriptor, name = tempfile.mkstemp(prefix=f".{kept.name}.", dir=kept.parent)  # for us alone
    try:
        with os.fdopen(descriptor, "w", encoding="ascii") as file:
            file.write(key)
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
