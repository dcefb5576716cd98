"""What is released works where there is no checkout: maps, templates and migrations are inside."""

import contextlib
import hashlib
import json
import os
import re
import signal
import subprocess
import sys
import sysconfig
import urllib.request
import zipfile
from email import message_from_bytes
from pathlib import Path

import pytest
import trove_classifiers

from pbem.language import rulings
from tests.patience import PATIENCE
from tests.servers import free_port

ROOT = Path(__file__).parents[2]


VERSION = "9.9.0rc1"


def release(*arguments: str, **environ: str) -> subprocess.CompletedProcess[str]:
    words = [sys.executable, str(ROOT / ".ci" / "release"), *arguments]
    return subprocess.run(words, capture_output=True, text=True, env={**os.environ, **environ})


@pytest.fixture(scope="module")
def released(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder with all that is published."""
    out = tmp_path_factory.mktemp("dist")
    done = release("--version", VERSION, "--out", str(out), PBEM_SOURCE_URL="https://example.org/pbem")
    assert done.returncode == 0, done.stdout + done.stderr
    return out


@pytest.fixture(scope="module")
def wheel(released: Path) -> Path:
    return released / f"pbem-{VERSION}-py3-none-any.whl"


def test_a_release_has_its_notes_its_parts_and_checksums_of_all(released: Path) -> None:
    sums = [line.split("  ") for line in (released / "SHA256SUMS").read_text().splitlines()]
    assert {name for _, name in sums} == {path.name for path in released.iterdir()} - {"SHA256SUMS"}
    assert len(sums) == 4
    for digest, name in sums:
        assert hashlib.sha256((released / name).read_bytes()).hexdigest() == digest
    assert (released / f"pbem-{VERSION}.md").read_text().startswith(f"# pbem {VERSION}\n\n### For players")
    parts = json.loads((released / f"pbem-{VERSION}.cdx.json").read_text())
    assert parts["metadata"]["component"]["version"] == VERSION
    inside = {(part["name"], part["version"]) for part in parts["components"]}
    locked = re.findall(r"^([\w.-]+)==(\S+)", (ROOT / "requirements.lock").read_text(), re.MULTILINE)
    assert inside == set(locked)


def test_a_commit_without_a_tag_is_not_released(tmp_path: Path) -> None:
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    for words in (["init", "--quiet"], [*who, "commit", "--quiet", "--allow-empty", "--message", "one"]):
        subprocess.run(["git", *words], cwd=tmp_path, check=True)
    done = release("--out", str(tmp_path / "dist"), GIT_DIR=str(tmp_path / ".git"))
    assert done.returncode == 1
    assert done.stderr.startswith("This commit has no tag like v1.2.0.")
    assert not (tmp_path / "dist").exists()


@pytest.fixture
def tagged(tmp_path: Path) -> Path:
    """A clone of this commit with a tag that calls it 9.9.0, and all that such a version has to bring."""
    clone = tmp_path / "clone"
    subprocess.run(["git", "clone", "--quiet", "--no-tags", str(ROOT), str(clone)], check=True)
    edit(clone, "pyproject.toml", r'fallback-version = "[^"]+"', 'fallback-version = "9.9.0"')
    edit(clone, "CHANGELOG.md", "^## ", "## 9.9.0 (2026-12-01)\n\nMore.\n\n## ")
    (clone / "tests" / "store" / "released" / "9.9.0").mkdir()
    (clone / "tests" / "store" / "released" / "9.9.0" / "pbem.backup").touch()
    commit(clone)
    subprocess.run(["git", "tag", "v9.9.0"], cwd=clone, check=True)
    return clone


def edit(clone: Path, name: str, old: str, new: str) -> None:
    text, changed = re.subn(old, new, (clone / name).read_text("utf-8"), count=1, flags=re.MULTILINE)
    assert changed
    (clone / name).write_text(text, "utf-8")


def commit(clone: Path) -> None:
    subprocess.run(["git", "add", "--all"], cwd=clone, check=True)
    who = ["-c", "user.name=a", "-c", "user.email=a@b"]
    subprocess.run(["git", *who, "commit", "--quiet", "--message", "one"], cwd=clone, check=True)


def refused(clone: Path) -> str:
    """Why nothing is released from a clone."""
    done = subprocess.run([sys.executable, ".ci/release"], cwd=clone, capture_output=True, text=True)
    assert done.returncode == 1, done.stdout + done.stderr
    assert not (clone / "dist").exists()
    return done.stderr.strip()


def test_changes_that_are_not_committed_are_not_released(tagged: Path) -> None:
    (tagged / "README.md").write_text("Something else")
    assert refused(tagged) == "There are changes that are not committed:\nM README.md"


def test_a_version_without_an_entry_in_the_changelog_is_not_released(tagged: Path) -> None:
    edit(tagged, "CHANGELOG.md", "^## 9.9.0", "## 9.8.0")
    commit(tagged)
    subprocess.run(["git", "tag", "--force", "v9.9.0"], cwd=tagged, check=True, capture_output=True)
    assert refused(tagged).startswith("CHANGELOG.md has no section “## 9.9.0”")


@pytest.mark.parametrize("ends", [0, 1])
def test_only_what_was_green_is_released(tagged: Path, ends: int) -> None:
    (tagged / ".ci" / "run").write_text(f"#!/bin/sh\nexit {ends}\n")
    commit(tagged)
    subprocess.run(["git", "tag", "--force", "v9.9.0"], cwd=tagged, check=True, capture_output=True)
    words = [sys.executable, ".ci/release", "--without-image"]
    done = subprocess.run(words, cwd=tagged, capture_output=True, text=True)
    assert done.returncode == ends, done.stderr
    assert (tagged / "dist" / "SHA256SUMS").exists() is (ends == 0)
    assert (".ci/run is not green: nothing is released." in done.stderr) is (ends == 1)


@pytest.fixture(scope="module")
def installed(wheel: Path, tmp_path_factory: pytest.TempPathFactory) -> Path:
    """The folder of programs of a fresh environment: the wheel, and what this environment has but pbem itself."""
    home = tmp_path_factory.mktemp("installed")
    subprocess.run([sys.executable, "-m", "venv", "--without-pip", str(home)], check=True)
    paths = sysconfig.get_paths(vars={"base": str(home), "platbase": str(home)})
    # A path in a .pth file is searched, but .pth files found there are not read: the checkout stays out of it.
    Path(paths["purelib"], "dependencies.pth").write_text(sysconfig.get_path("purelib") + "\n")
    programs = Path(paths["scripts"])
    pip = [sys.executable, "-m", "pip", "--python", str(programs / "python"), "--disable-pip-version-check"]
    install = ["install", "--quiet", "--no-deps", "--no-index", "--ignore-installed", str(wheel)]
    subprocess.run([*pip, *install], check=True)
    return programs


def run(program: Path, *arguments: str, folder: Path) -> str:
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PBEM_"))}
    done = subprocess.run([program, *arguments], cwd=folder, env=environment, capture_output=True, text=True)
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_everything_of_the_checkout_is_in_it(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        inside = set(archive.namelist())
    for folder, place in (("pbem", "pbem"), ("workers", "workers"), ("maps", "maps"), ("templates", "pbem/templates")):
        files = [path for path in (ROOT / folder).rglob("*") if path.is_file() and "__pycache__" not in path.parts]
        assert files
        assert {f"{place}/{path.relative_to(ROOT / folder).as_posix()}" for path in files} <= inside
    assert {f"pbem/docs/{page}" for page in rulings.PAGES.values()} <= inside
    licences = {"LICENSE", "NOTICE", *(f"licenses/{path.name}" for path in (ROOT / "licenses").iterdir())}
    assert {f"pbem-{VERSION}.dist-info/licenses/{name}" for name in licences} <= inside
    assert {name.partition("/")[0] for name in inside if ".dist-info/" not in name} == {"pbem", "workers", "maps"}


def test_it_says_who_made_it_for_whom_and_where_it_comes_from(wheel: Path) -> None:
    with zipfile.ZipFile(wheel) as archive:
        told = message_from_bytes(archive.read(f"pbem-{VERSION}.dist-info/METADATA"))
    assert told["Author"] == "the pbem authors"
    assert told["License-Expression"] == "MIT"
    assert set(told.get_all("Classifier", ())) <= trove_classifiers.classifiers
    assert told.get_all("Project-URL") == [
        "Source, https://example.org/pbem",
        "Changelog, https://example.org/pbem/blob/HEAD/CHANGELOG.md",
        "Documentation, https://example.org/pbem/blob/HEAD/docs/README.md",
    ]


def test_it_finds_its_maps(installed: Path, tmp_path: Path) -> None:
    sheets = json.loads(run(installed / "pbem", "maps", "--json", folder=tmp_path))
    assert ("age-of-steam", "rust_belt") in {(sheet["game"], sheet["map"]) for sheet in sheets}


def test_it_finds_its_templates_inside_the_package(installed: Path, tmp_path: Path) -> None:
    code = "from pbem.settings import paths; print(paths.templates_folder())"
    folder = Path(run(installed / "python", "-c", code, folder=tmp_path).strip())
    assert folder.is_relative_to(installed.parent)
    assert (folder / "mail").is_dir()


def test_it_knows_its_version(installed: Path, tmp_path: Path) -> None:
    assert run(installed / "pbem", "--version", folder=tmp_path) == f"pbem {VERSION}\n"


def test_it_serves_in_an_empty_folder(installed: Path, tmp_path: Path) -> None:
    port = free_port()
    environment = {name: value for name, value in os.environ.items() if not name.startswith(("PYTHON", "PBEM_"))}
    server = subprocess.Popen(
        [installed / "pbem", "serve", "--port", str(port)],
        cwd=tmp_path,
        env=environment,
        stdout=subprocess.PIPE,
        text=True,
    )
    try:
        assert server.stdout is not None
        assert server.stdout.readline() == f"pbem is at http://127.0.0.1:{port}\n"
        with urllib.request.urlopen(f"http://127.0.0.1:{port}/", timeout=PATIENCE) as page:
            assert b"Age of Steam" in page.read()
        assert [path.name for path in tmp_path.iterdir()] == ["var"]
    finally:
        server.send_signal(signal.SIGINT)
        server.communicate(timeout=PATIENCE)
    assert server.returncode == 0


@pytest.mark.slow
@pytest.mark.parametrize("version", ["3.11", "3.12", "3.13", "3.14"])
def test_it_plays_the_demo_in_an_empty_folder_of_a_fresh_environment(wheel: Path, version: str, tmp_path: Path) -> None:
    """With nothing of ours but the wheel: what it needs comes from the package index, as for pipx and uvx."""
    home, folder = tmp_path / "home", tmp_path / "empty"
    folder.mkdir()
    subprocess.run([python(version), "-m", "venv", str(home)], check=True)
    pip = [
        str(home / "bin" / "python"),
        "-m",
        "pip",
        "install",
        "--quiet",
        "--only-binary",
        ":all:",
        "--no-binary",
        "http-ece",
        str(wheel),
    ]
    subprocess.run(pip, check=True)
    run(home / "bin" / "pbem", "demo", "age-of-steam", "st_lucia", "--players", "2", folder=folder)
    assert (folder / "demo" / "archive" / "index.html").is_file()
    assert json.loads((folder / "demo" / "record.json").read_text())["result"]


def python(version: str) -> str:
    """The Python of this version; skips where the machine has none. Those of pyenv lie beside the one it has chosen."""
    kept = Path(os.environ.get("PYENV_ROOT", "~/.pyenv")).expanduser().glob(f"versions/{version}.*/bin/python{version}")
    asks = "import sys, venv; print('%d.%d' % sys.version_info[:2])"
    for program in (f"python{version}", *map(str, kept)):
        with contextlib.suppress(OSError):
            told = subprocess.run([program, "-c", asks], capture_output=True, text=True)
            if told.stdout.strip() == version:
                return program
    pytest.skip(f"there is no Python {version}")


def test_it_plays_a_whole_game(installed: Path, tmp_path: Path) -> None:
    run(installed / "pbem", "play", "age-of-steam", "rust_belt", "--players=3", "-o", "record.json", folder=tmp_path)
    assert json.loads((tmp_path / "record.json").read_text())["result"]
    run(installed / "pbem", "verify", "record.json", folder=tmp_path)
