"""Every letter as it is, kept as readable files. ``PBEM_GOLDEN=write`` writes them anew; read what changed."""

from __future__ import annotations

import os
from pathlib import Path

import pytest

from pbem.mail.writing import write
from tests.mail.views import LETTERS

GOLDEN = Path(__file__).parent / "golden"


@pytest.mark.parametrize("name", LETTERS)
def test_a_letter_reads_as_it_did(name: str) -> None:
    written = write(LETTERS[name], "board@pbem")
    compare(GOLDEN / f"{name}.txt", f"Subject: {written.subject}\n\n{written.text}")
    compare(GOLDEN / f"{name}.html", written.html)


def compare(file: Path, letter: str) -> None:
    if os.environ.get("PBEM_GOLDEN") == "write":
        file.parent.mkdir(exist_ok=True)
        file.write_text(letter)
    assert file.read_text() == letter


def test_no_letter_is_kept_that_does_not_exist_any_more() -> None:
    assert {file.stem for file in GOLDEN.iterdir()} == set(LETTERS)
