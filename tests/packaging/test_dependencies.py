"""What is imported is declared, and what is locked to run is needed to run."""

import ast
import re
import sys
import tomllib
from collections.abc import Iterable
from importlib import metadata
from pathlib import Path

import pytest
from packaging.requirements import Requirement
from packaging.utils import canonicalize_name

ROOT = Path(__file__).parents[2]
PYPROJECT = tomllib.loads((ROOT / "pyproject.toml").read_text("utf-8"))
RUNS: list[str] = PYPROJECT["project"]["dependencies"]
MORE: dict[str, list[str]] = PYPROJECT["project"]["optional-dependencies"]
BUILDS: list[str] = PYPROJECT["dependency-groups"]["build"]
OURS = {"pbem", "workers", "maps", "tests", "bench", "_pytest", "_typeshed"}
"""What no package of its own brings; ``_pytest`` is pytest's."""


def imported(files: Iterable[Path]) -> set[str]:
    """The modules that some files import from packages of others, by their first word."""
    found: set[str] = set()
    for file in files:
        for node in ast.walk(ast.parse(file.read_text("utf-8"))):
            if isinstance(node, ast.Import):
                found |= {name.name.partition(".")[0] for name in node.names}
            elif isinstance(node, ast.ImportFrom) and node.module and not node.level:
                found.add(node.module.partition(".")[0])
    return found - OURS - sys.stdlib_module_names


def named(requirements: Iterable[str]) -> set[str]:
    return {canonicalize_name(Requirement(text).name) for text in requirements}


def locked(name: str) -> dict[str, str]:
    """Packages of a lock file, with their versions."""
    pins = re.findall(r"^([\w.-]+)(?:\[\w+\])?==([^\s;]+)", (ROOT / name).read_text("utf-8"), re.MULTILINE)
    return {canonicalize_name(name): version for name, version in pins}


@pytest.mark.parametrize(
    ("places", "declared"),
    [
        (("pbem", "workers", "maps"), RUNS),
        (("deploy",), RUNS),
        (("tests", "bench"), [*RUNS, *MORE["test"]]),
        ((".ci/release",), [*BUILDS, *MORE["check"]]),
        (("hatch_build.py",), BUILDS),
    ],
    ids=lambda value: " ".join(value) if isinstance(value, tuple) else "",
)
def test_every_package_that_is_imported_is_declared(places: tuple[str, ...], declared: list[str]) -> None:
    files = [
        file
        for place in places
        for file in ([ROOT / place] if (ROOT / place).is_file() else (ROOT / place).rglob("*.py"))
    ]
    packages = metadata.packages_distributions()
    missing = {
        module: packages.get(module)
        for module in imported(files)
        if not named(declared) & {canonicalize_name(package) for package in packages.get(module, ())}
    }
    assert files
    assert missing == {}


def needed(requirements: Iterable[str]) -> set[str]:
    """The packages of some requirements and all that those require, on any machine."""
    found: set[tuple[str, str]] = set()
    waiting = [Requirement(text) for text in requirements]
    while waiting:
        wanted = waiting.pop()
        name = canonicalize_name(wanted.name)
        for extra in ("", *wanted.extras):
            if (name, extra) not in found:
                found.add((name, extra))
                waiting += [more for more in _required(name) if _asked(more, extra)]
    return {name for name, _ in found}


def _required(name: str) -> list[Requirement]:
    """Of a package for other machines nothing is known here."""
    try:
        return [Requirement(text) for text in metadata.requires(name) or ()]
    except metadata.PackageNotFoundError:
        return []


def _asked(requirement: Requirement, extra: str) -> bool:
    """Whether a package asks for another one with this extra, on some machine; without it, when ``extra`` is empty."""
    of = re.findall(r"""extra == ['"]([\w-]+)['"]""", str(requirement.marker or ""))
    return extra in of if extra else not of


def test_what_is_locked_to_run_is_needed_to_run() -> None:
    assert set(locked("requirements.lock")) <= needed(RUNS)
    assert named(RUNS) <= set(locked("requirements.lock"))
    assert not {"build", "editables", "hatch-vcs", "hatchling", "setuptools"} & set(locked("requirements.lock"))


def test_what_is_locked_to_build_is_what_the_build_asks_for() -> None:
    build = locked("requirements-build.lock")
    assert named(PYPROJECT["build-system"]["requires"]) <= named(BUILDS) <= set(build) <= needed(BUILDS)


def test_all_locks_name_the_same_versions() -> None:
    all_of_it = locked("requirements-dev.lock")
    for name in ("requirements.lock", "requirements-build.lock"):
        assert locked(name).items() <= all_of_it.items()
