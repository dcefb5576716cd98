"""``docs/add-a-map.md``: its blocks are a map that can be found, tested, played, proved and drawn."""

from __future__ import annotations

import os
import re
import shlex
import subprocess
import sys
from collections.abc import Iterator
from pathlib import Path

import pytest
from PIL import Image

from pbem.age_of_steam.rules import Rules
from pbem.engine import catalog
from pbem.engine.sheet import Sheet
from tests.every_map.games import deal, play

ROOT = Path(__file__).parents[2]
PAGE = (ROOT / "docs" / "add-a-map.md").read_text("utf-8")
BLOCK = re.compile(r"^```\w+ (\S+)\n(.*?)^```$", re.MULTILINE | re.DOTALL)
FOLDER, TESTS = "maps/lake_orrin", "tests/maps/lake_orrin/test_rules.py"


def files() -> dict[str, str]:
    """The files of the page: all blocks that name the same file, one below the other."""
    found: dict[str, str] = {}
    for name, text in BLOCK.findall(PAGE):
        found[name] = found.get(name, "") + text
    return found


@pytest.fixture(scope="module")
def folder(tmp_path_factory: pytest.TempPathFactory) -> Path:
    """A folder beside the project with what the page tells to write, and nothing else."""
    home = tmp_path_factory.mktemp("my-games")
    for name, text in files().items():
        path = home / name
        path.parent.mkdir(parents=True, exist_ok=True)
        path.write_text(text, "utf-8")
    return home


@pytest.fixture
def sheet(folder: Path, monkeypatch: pytest.MonkeyPatch) -> Iterator[Sheet]:
    """The map as the catalog finds it."""
    monkeypatch.syspath_prepend(str(folder))
    catalog.sheets.cache_clear()
    yield catalog.sheet("age-of-steam", "lake_orrin")
    catalog.sheets.cache_clear()
    for name in [name for name in sys.modules if name.startswith("maps.lake_orrin")]:
        del sys.modules[name]


def run(folder: Path, *command: str) -> str:
    """A command that runs with that folder on Python's path, in it; what it prints. It must succeed."""
    environment = {**os.environ, "PYTHONPATH": os.pathsep.join((str(folder), str(ROOT)))}
    done = subprocess.run(
        [sys.executable, *command], cwd=folder, env=environment, capture_output=True, text=True, check=False
    )
    assert done.returncode == 0, done.stdout + done.stderr
    return done.stdout


def test_the_page_has_the_two_files_of_a_map_and_its_tests() -> None:
    assert set(files()) == {f"{FOLDER}/board.toml", f"{FOLDER}/rules.py", TESTS}


def test_the_catalog_finds_a_map_wherever_its_folder_lies(sheet: Sheet) -> None:
    assert (sheet.name, sheet.provenance()) == ("Lake Orrin", "Invented for the guide to adding a map.")
    assert "lake_orrin" in {other.slug for other in catalog.sheets()}
    assert {"rust_belt", "switzerland"} <= {other.slug for other in catalog.sheets()}


def test_players_read_the_numbered_rules_of_the_file(sheet: Sheet) -> None:
    texts = sheet.rule_texts()
    assert len(texts) == 8
    assert texts[4] == "Elmstead is the market: a cube delivered there pays its mover one more income."


@pytest.mark.parametrize("number", range(2))
def test_robots_play_it_to_its_end(sheet: Sheet, number: int) -> None:
    state = deal(sheet, number)
    for played in play(sheet, number, state):
        state = played.step.state
        assert sheet.encode(sheet.decode(sheet.encode(state))) == sheet.encode(state)
    assert sheet.over(state)
    assert sheet.turn(state) == sheet.turns(len(state.seats))


def test_its_own_tests_pass(folder: Path) -> None:
    settings = (f"--rootdir={ROOT}", "-c", f"{ROOT}/pyproject.toml", "-p", "no:cacheprovider")
    said = run(folder, "-m", "pytest", "-q", *settings, TESTS)
    assert "8 passed" in said


def test_the_commands_of_the_page_work_one_after_the_other(folder: Path) -> None:
    commands = [line.split(maxsplit=1)[1] for line in PAGE.splitlines() if line.startswith("    pbem ")]
    said = {command.split()[0]: run(folder, "-m", "pbem", *shlex.split(command)) for command in commands}
    assert list(said) == ["maps", "play", "replay", "verify", "draw"]
    assert "lake_orrin" in said["maps"]
    with Image.open(folder / "orrin.png") as picture:
        assert picture.width == 1400


def test_a_mistake_in_the_board_is_told_with_its_place(folder: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    board = folder / FOLDER / "board.toml"
    right = board.read_text("utf-8")
    board.write_text(right.replace('"Hale" = "E0"', '"Hale" = "Z9"'), "utf-8")
    try:
        with pytest.raises(AssertionError, match="the town on Z9 is not in the sketch"):
            run(folder, "-m", "pbem", "maps")
    finally:
        board.write_text(right, "utf-8")


def test_every_hook_that_the_page_lists_is_one() -> None:
    table = PAGE.partition("| the sheet changes | hook |")[2].partition("\n\n")[0]
    hooks = {name for line in table.splitlines()[1:] for name in re.findall(r"`(\w+)`", line.split("|")[2])}
    assert len(hooks) > 40
    assert all(hasattr(Rules, name) for name in hooks)
