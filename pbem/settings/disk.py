"""Writing files so that they survive a power cut."""

import os
from pathlib import Path


def names_to_disk(folder: Path) -> None:
    """Have the names of the files in a folder survive a power cut, as what is in the files does after its own fsync."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
