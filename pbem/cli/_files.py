"""Files that commands are given, and those they write."""

from __future__ import annotations

from pathlib import Path

from pbem.cli._failure import Failure

LARGEST = 8_000_000
"""Bytes a record may have."""


def read(path: Path) -> bytes:
    """What the file of a record holds. Raises :class:`Failure`."""
    try:
        if path.stat().st_size > LARGEST:
            raise Failure(f"{path} is larger than any record.")
        return path.read_bytes()
    except OSError as error:
        raise Failure(f"{path} cannot be read: {error.strerror}.") from error


def write(path: Path, content: bytes) -> None:
    """Write a file whole. Raises :class:`Failure`."""
    try:
        path.write_bytes(content)
    except OSError as error:
        raise Failure(f"{path} cannot be written: {error.strerror}.") from error
