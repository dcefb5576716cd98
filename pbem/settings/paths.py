"""Where the files are that are not code: in a checkout and in an installed wheel."""

import os
from pathlib import Path


def templates_folder() -> Path:
    """The folder with ``mail/`` and ``pages/``: inside the package when installed, else that of the checkout.

    Raises ``FileNotFoundError`` when neither is there.
    """
    package = Path(__file__).resolve().parents[1]
    for folder in (package / "templates", package.parent / "templates"):
        if folder.is_dir():
            return folder
    raise FileNotFoundError(f"no templates beside {package}")


def docs_folder() -> Path:
    """The folder with the documents that pages show: inside the package when installed, else that of the checkout."""
    package = Path(__file__).resolve().parents[1]
    inside = package / "docs"
    return inside if inside.is_dir() else package.parent / "docs"


def names_to_disk(folder: Path) -> None:
    """Have the names of the files in a folder survive a power cut, as what is in the files does after its own fsync."""
    descriptor = os.open(folder, os.O_RDONLY | os.O_DIRECTORY)
    try:
        os.fsync(descriptor)
    finally:
        os.close(descriptor)
