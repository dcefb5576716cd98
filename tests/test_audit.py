"""What the audit says of reports of pip-audit."""

import sys
from typing import Any

import pytest

from tests import audit
from tests.audit import report

SOUND: dict[str, Any] = {"name": "flask", "version": "3.1.3", "vulns": []}
FLAWED: dict[str, Any] = {
    "name": "pillow", "version": "9.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["9.1"], "aliases": []}],
}  # fmt: skip
UNKNOWN: dict[str, Any] = {"name": "idna", "skip_reason": "Dependency not found on PyPI"}


def test_an_advisory_is_told_with_what_mends_it_and_ends_the_audit() -> None:
    lines, status = report([SOUND, FLAWED, UNKNOWN])
    assert lines[0] == "pillow 9.0: PYSEC-1, fixed in 9.1"
    assert status == 1


@pytest.mark.parametrize(("told", "unknown"), [([SOUND, UNKNOWN], 1), ([UNKNOWN], 1), ([], 0)])
def test_packages_that_nothing_is_told_about_end_the_audit(told: list[dict[str, Any]], unknown: int) -> None:
    lines, status = report(told)
    (line,) = lines
    assert line.startswith(f"NOT AUDITED: advisory data could not be reached for {unknown} of {len(told)} packages")
    assert status == 2


def test_an_audit_needs_an_answer(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    monkeypatch.setattr(audit, "PIP_AUDIT", (sys.executable, "-c", "raise SystemExit('no network')"))
    assert audit.dependencies() == 2
    assert capsys.readouterr().out == "NOT AUDITED: advisory data could not be reached: no network\n"
