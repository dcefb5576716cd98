"""``make test NEEDS=all``: a missing database, broker or browser cannot hide behind a skip."""

from pathlib import Path

import pytest

pytest_plugins = ["pytester"]

CONFTEST = Path(__file__).parent / "conftest.py"
TESTS = """
import pytest

def test_that_needs_a_server():
    pytest.skip("no redis-server on the PATH")

def test_that_reads_a_recorded_game(recorded):
    recorded("nowhere-1")

@pytest.mark.xfail(reason="known")
def test_expected_to_fail():
    raise AssertionError

def test_that_runs():
    assert True
"""


@pytest.fixture
def suite(pytester: pytest.Pytester, monkeypatch: pytest.MonkeyPatch, tmp_path: Path) -> pytest.Pytester:
    monkeypatch.setenv("PBEM_SHARED", str(tmp_path))
    pytester.makeconftest(CONFTEST.read_text())
    pytester.makepyfile(TESTS)
    return pytester


def test_without_it_a_skip_is_a_skip_with_its_reason(suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.delenv("PBEM_NEEDS", raising=False)
    result = suite.runpytest_inprocess("-rs")
    result.assert_outcomes(passed=1, skipped=2, xfailed=1)
    result.stdout.fnmatch_lines(["*no redis-server on the PATH"])


def test_with_it_a_skip_fails_but_for_recorded_games(suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_NEEDS", "all")
    result = suite.runpytest_inprocess()
    result.assert_outcomes(passed=1, skipped=1, failed=1, xfailed=1)
    result.stdout.fnmatch_lines(["*PBEM_NEEDS=all allows no skip.*no redis-server*"])


def test_a_module_that_is_skipped_whole_fails_as_well(suite: pytest.Pytester, monkeypatch: pytest.MonkeyPatch) -> None:
    suite.makepyfile(test_whole="import pytest\npytest.importorskip('no_such_module_anywhere')")
    monkeypatch.setenv("PBEM_NEEDS", "all")
    suite.runpytest_inprocess("test_whole.py").assert_outcomes(errors=1)
