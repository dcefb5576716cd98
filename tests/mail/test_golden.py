"""Every letter as it is, kept as readable files; ``python -m tests.mail.golden`` writes them anew."""

import pytest

from tests.mail.golden import GOLDEN, files
from tests.mail.views import LETTERS


@pytest.mark.parametrize("name", LETTERS)
def test_a_letter_reads_as_it_did(name: str) -> None:
    for file, letter in files(name):
        assert file.read_text("utf-8") == letter


def test_no_letter_is_kept_that_does_not_exist_any_more() -> None:
    assert {file.stem for file in GOLDEN.iterdir()} == set(LETTERS)
