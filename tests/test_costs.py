"""The end of a run says what each directory of tests has cost."""

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

BUSY = """
import subprocess
import sys
import time

BURN = "import time\\nwhile time.process_time() < 0.4: pass"

def test_that_works():
    end = time.process_time() + 0.4
    while time.process_time() < end:
        pass

def test_that_starts_a_program():
    subprocess.run([sys.executable, "-c", BURN], check=True)
"""
IDLE = """
import time

def test_that_waits():
    time.sleep(0.5)
"""


@pytest.fixture
def suite(pytester: pytest.Pytester) -> pytest.Pytester:
    pytester.makeconftest((Path(__file__).parent / "conftest.py").read_text())
    for name, tests in (("busy", BUSY), ("idle", IDLE)):
        pytester.mkdir(name).joinpath(f"test_{name}.py").write_text(tests)
    return pytester


@pytest.mark.parametrize("jobs", ["0", "1"])
def test_directories_are_named_with_their_processor_time_and_that_of_their_programs(
    suite: pytest.Pytester, jobs: str
) -> None:
    """In the process of the summary as in others; waiting costs nothing."""
    lines = suite.runpytest_inprocess("--numprocesses", jobs).stdout.lines
    told = [line.split() for line in lines if line.split()[1:2] == ["s"]]
    assert [(words[2], words[-1]) for words in told] == [("2", "busy"), ("1", "idle"), ("3", "together")]
    busy, idle, together = (float(words[0]) for words in told)
    assert busy >= 0.8
    assert idle < 0.4
    assert together == pytest.approx(busy + idle, abs=0.11)


def test_one_directory_alone_needs_no_table(suite: pytest.Pytester) -> None:
    assert "processor time" not in suite.runpytest_inprocess("idle").stdout.str()
