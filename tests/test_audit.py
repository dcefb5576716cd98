"""What the audit says of reports of pip-audit."""

from __future__ import annotations

from typing import Any

from tests.audit import report

SOUND: dict[str, Any] = {"name": "flask", "version": "3.1.3", "vulns": []}
FLAWED: dict[str, Any] = {
    "name": "pillow", "version": "9.0", "vulns": [{"id": "PYSEC-1", "fix_versions": ["9.1"], "aliases": []}],
}  # fmt: skip
UNKNOWN: dict[str, Any] = {"name": "idna", "skip_reason": "Dependency not found on PyPI"}


def test_nothing_known_against_anything_is_good_news() -> None:
    assert report([SOUND]) == (["Nothing is known against the 1 packages of requirements.lock."], 0)


def test_an_advisory_is_told_with_what_mends_it_and_ends_the_audit() -> None:
    lines, status = report([SOUND, FLAWED, UNKNOWN])
    assert lines[0] == "pillow 9.0: PYSEC-1, mended in 9.1"
    assert status == 1


def test_packages_that_nothing_is_told_about_are_no_good_news() -> None:
    lines, status = report([SOUND, UNKNOWN])
    assert lines == [
        "Advisory data could not be reached for 1 of 2 packages of requirements.lock: nothing is known about them."
    ]
    assert status == 0
