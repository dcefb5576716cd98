"""The built wheel works where there is no checkout: maps, templates and migrations are inside."""

from __future__ import annotations

import json
import os
import subprocess
import sys
import sysconfig
import zipfile
from pathlib import Path

import pytest

from pbem import rulings

ROOT = Path(__file__).parents[2]


@pytest.fixture(scope="module")
def wheel(tmp_path_factory: pytest.TempPathFactory) -> Path:
    out = tmp_path_factory.mktemp("dist")
    done = subprocess.run(
        [sys.executable, "-m", "build", "--wheel", "--no-isolation", "--outdir", str(out), str(ROOT)],
        capture_output=True,
        text=True,
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return next(out.glob("*.whl"))


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
    assert {name.partition("/")[0] for name in inside if ".dist-info/" not in name} == {"pbem", "workers", "maps"}


def test_it_finds_its_maps(installed: Path, tmp_path: Path) -> None:
    sheets = json.loads(run(installed / "pbem", "maps", "--json", folder=tmp_path))
    assert ("age-of-steam", "rust_belt") in {(sheet["game"], sheet["map"]) for sheet in sheets}


def test_it_finds_its_templates_inside_the_package(installed: Path, tmp_path: Path) -> None:
    code = "from pbem import paths; print(paths.templates_folder())"
    folder = Path(run(installed / "python", "-c", code, folder=tmp_path).strip())
    assert folder.is_relative_to(installed.parent)
    assert (folder / "mail").is_dir()


def test_it_plays_a_whole_game(installed: Path, tmp_path: Path) -> None:
    run(installed / "pbem", "play", "age-of-steam", "rust_belt", "--players=3", "-o", "record.json", folder=tmp_path)
    assert json.loads((tmp_path / "record.json").read_text())["result"]
    run(installed / "pbem", "verify", "record.json", folder=tmp_path)
