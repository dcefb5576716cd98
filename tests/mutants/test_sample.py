"""Enough of the changes of a sample are noticed. ``make mutants`` plants all of them."""

import subprocess
import sys

import pytest

from tests.mutants.groups import GROUPS, Group

SAMPLE = 300


@pytest.mark.slow
@pytest.mark.parametrize("group", GROUPS, ids=lambda group: group.name)
def test_of_a_sample_enough_changes_are_noticed(group: Group) -> None:
    words = ["--group", group.name, "--count", str(SAMPLE), "--seed", "1"]
    done = subprocess.run([sys.executable, "-m", "tests.mutants", *words], capture_output=True, text=True, check=False)
    assert done.returncode == 0, done.stdout[-8000:] + done.stderr[-2000:]
