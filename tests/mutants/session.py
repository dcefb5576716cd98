"""One run of pytest in this process, without what it keeps between runs."""

import os
import sys
from collections.abc import Sequence
from typing import Any

import pytest
from hypothesis import settings

PROFILE = "mutants"


def run_tests(files: Sequence[str], plugins: Sequence[object], *, aside: Sequence[str] = ()) -> int:
    """Collect the tests of ``files`` but for those whose ids hold a word of ``aside``, and run them."""
    settings.register_profile(PROFILE, database=None, derandomize=True, deadline=None)
    os.environ["PBEM_SHARED"] = "/nonexistent"  # what borrowed games notice is not for sure
    quiet = ["-q", "--no-header", "--no-summary", "-p", "no:cacheprovider"]
    warnings = ["-W", "ignore::pytest.PytestAssertRewriteWarning"]  # hypothesis is loaded already
    sys.stdout.flush()
    words = [*quiet, *warnings, "--hypothesis-profile", PROFILE, *files]
    return int(pytest.main(words, plugins=[*plugins, _Aside(aside), _Mute()]))


class _Aside:
    """Leaves tests out by words in their ids."""

    def __init__(self, words: Sequence[str]) -> None:
        self._words = words

    def pytest_collection_modifyitems(self, items: list[pytest.Item]) -> None:
        items[:] = [item for item in items if not any(word in item.nodeid for word in self._words)]


class _Mute:
    """Says nothing: a dot for each of two thousand tests is of no use here."""

    @pytest.hookimpl(tryfirst=True)
    def pytest_report_teststatus(self, report: Any) -> tuple[str, str, str]:
        return report.outcome, "", ""
