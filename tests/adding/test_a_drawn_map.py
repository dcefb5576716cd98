"""A map without code is made as ``docs/extending.md`` says."""

import re
from pathlib import Path

import pytest

from pbem.age_of_steam.drawings.data_sheet import DataSheet
from pbem.age_of_steam.drawings.table import KEYS
from pbem.cli import main
from pbem.engine import catalog
from tests.adding import guide
from tests.every_map.watched import WHOLE, watch

CHAPTER = "A map without code"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """The board of the first chapter with the table of this one."""
    board = guide.files("A map")["maps/lake_orrin/board.toml"] + guide.files(CHAPTER)["rules.toml"]
    (tmp_path / "board.toml").write_text(board, "utf-8")
    return tmp_path


def test_the_map_has_no_fault_and_is_played(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["map", "check", str(folder)]) == 0
    assert main(["play", "age-of-steam", str(folder), "--seed", "1"]) == 0
    assert capsys.readouterr().out.endswith(" orders, 6 turns\n")


@pytest.mark.parametrize("number", range(2))
def test_random_players_come_to_its_end_under_the_referee(folder: Path, number: int) -> None:
    sheet = catalog.own("age-of-steam", (folder / "board.toml").read_text("utf-8"))
    assert isinstance(sheet, DataSheet)
    assert watch(sheet, 3 + number, number, WHOLE) > 0
    assert "Turns 1 to 4: Elmstead receives one cube from the bag." in map(str, sheet.notes)


def test_the_guide_has_every_key_once() -> None:
    rows = re.findall(r"^\| (`.*?) \|", guide.chapter(CHAPTER), re.MULTILINE)
    named = [key for row in rows for key in re.findall(r"`(\w+)`", row)]
    assert named == [*dict.fromkeys(path.partition(".")[0] for path in KEYS)]
