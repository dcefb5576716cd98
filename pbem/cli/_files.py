"""Files that commands are given, and those they write."""

from __future__ import annotations

from pathlib import Path

from pbem.cli._failure import Failure

LARGEST = 8_000_000
"""Bytes a record may have."""


def read(path: Path) -> bytes:
    """What the file of a record holds. Raises :class:`Failure`."""
    try:
        with path.open("rb") as file:
            content = file.read(LARGEST + 1)
    except OSError as error:
        raise Failure(f"{path} cannot be read: {error.strerror}.") from error
    if len(content) > LARGEST:
        raise Failure(f"{path} is too large to be a record.")
    return content


def write(path: Path, content: bytes) -> None:
    """Write a file whole. Raises :class:`Failure`."""
    try:
        path.write_bytes(content)
    except OSError as error:
        raise Failure(f"{path} cannot be written: {error.strerror}.") from error
