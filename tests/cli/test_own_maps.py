"""A map that lies in some folder is played, and its record holds it."""

import json
from pathlib import Path

import pytest

from pbem.cli import main
from tests.cli.test_map import MAPS

RULES = "\n[rules]\nturns = { 3 = 2, 4 = 2, 5 = 2, 6 = 2 }\nprices = { mountain = 6 }\n"


@pytest.fixture
def folder(tmp_path: Path) -> Path:
    """Rust Belt with two turns and dear mountains."""
    made = tmp_path / "steep"
    made.mkdir()
    (made / "board.toml").write_text((MAPS / "rust_belt" / "board.toml").read_text("utf-8") + RULES, "utf-8")
    return made


@pytest.fixture
def record(folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> Path:
    path = tmp_path / "steep.json"
    assert main(["play", "age-of-steam", str(folder), "--players", "3", "--seed", "7", "-o", str(path)]) == 0
    assert capsys.readouterr().out.endswith(" orders, 2 turns\n")
    return path


def test_the_record_holds_the_map_and_its_name_is_made_of_it(record: Path, folder: Path) -> None:
    kept = json.loads(record.read_text("utf-8"))
    assert kept["map"].startswith("own-")
    assert kept["board"] == (folder / "board.toml").read_text("utf-8")


@pytest.mark.parametrize("command", ["replay", "verify", "orders"])
def test_commands_need_the_record_alone(command: str, record: Path, folder: Path) -> None:
    (folder / "board.toml").unlink()
    assert main([command, str(record)]) == 0


def test_a_picture_is_drawn_of_it(record: Path, tmp_path: Path) -> None:
    assert main(["draw", str(record), "--at", "5", "-o", str(tmp_path / "steep.png")]) == 0
    assert (tmp_path / "steep.png").read_bytes().startswith(b"\x89PNG")


def test_a_map_that_was_changed_in_its_record_is_refused(record: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record.write_text(record.read_text("utf-8").replace("mountain = 6", "mountain = 5"), "utf-8")
    assert main(["verify", str(record)]) == 1
    assert "it was changed, and is own-" in capsys.readouterr().err


def test_a_map_with_a_fault_is_refused_with_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    board = folder / "board.toml"
    board.write_text(board.read_text("utf-8").replace("mountain = 6", "lava = 6"), "utf-8")
    assert main(["play", "age-of-steam", str(folder)]) == 2
    assert "The rule prices must be a table with these names: plain" in capsys.readouterr().err


def test_what_cannot_be_drawn_is_refused(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["play", "steam-power", str(folder)]) == 2
    assert "Only maps of Age of Steam can be drawn" in capsys.readouterr().err
    assert main(["play", "age-of-steam", str(MAPS / "finland")]) == 2
    assert "has rules of its own" in capsys.readouterr().err


def test_robots_play_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "age-of-steam", str(folder), "--seats", "classic,classic,classic", "--games", "1"]) == 0
    assert "Rust Belt, 3 seats" in capsys.readouterr().out
