"""What is not ours is named, with its licence, where it is given on."""

import re
from importlib import metadata
from pathlib import Path

import pytest

from tests.packaging.test_dependencies import locked

ROOT = Path(__file__).parents[2]
NOTICE = (ROOT / "NOTICE").read_text("utf-8")
PERMISSIVE = re.compile(r"\b(MIT|BSD|Apache|ISC|PSF-2\.0|Unlicense|Zope Public License)\b")
EXPLAINED = re.compile(r"^(?P<names>[\w.-]+(?:, [\w.-]+)*) {2,}(?P<licence>[A-Z][\w. ]+?) {2,}\w", re.MULTILINE)
"""A line of NOTICE: packages, their licence, what they are for."""


def licences(package: str) -> list[str]:
    """What a package says about its licence, in any of the three places that there are for it."""
    told = metadata.metadata(package)
    kinds = [kind.rpartition(" :: ")[2] for kind in told.get_all("Classifier") or () if kind.startswith("License")]
    named = [text.partition("\n")[0] for key in ("License-Expression", "License") for text in told.get_all(key) or ()]
    return [*named, *kinds]


def explained() -> dict[str, str]:
    return {name: found["licence"] for found in EXPLAINED.finditer(NOTICE) for name in found["names"].split(", ")}


def _installed(package: str) -> bool:
    try:
        metadata.metadata(package)
    except metadata.PackageNotFoundError:  # for other machines or Pythons
        return False
    return True


@pytest.mark.parametrize("package", sorted(filter(_installed, locked("requirements.lock"))))
def test_a_package_is_permissive_or_explained_in_the_notice(package: str) -> None:
    found = licences(package)
    assert found, "says nothing about its licence"
    permissive = any(PERMISSIVE.search(text) for text in found) and not any("GPL" in text for text in found)
    assert permissive or package in explained() or package.startswith("fontpkg-ibm-plex"), found


def test_the_notice_explains_only_what_is_installed() -> None:
    assert explained()
    assert set(explained()) <= set(locked("requirements.lock"))


def test_the_notice_names_every_licence_that_is_given_on() -> None:
    named = set(re.findall(r"licenses/[\w-]+\.txt", NOTICE))
    assert named == {path.relative_to(ROOT).as_posix() for path in (ROOT / "licenses").iterdir()}


def test_the_licence_of_the_map_data_has_its_copyright_line_and_the_permission() -> None:
    text = (ROOT / "licenses" / "choochoo.txt").read_text("utf-8")
    assert "Copyright (c) 2021 Tobias Mao" in text
    assert text.split("\n\n", 2)[2] == (ROOT / "LICENSE").read_text("utf-8").split("\n\n", 2)[2]
