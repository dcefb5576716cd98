"""A map that lies in some folder is played, and its record holds it."""

import json
from pathlib import Path

import pytest

from pbem.cli import main
from pbem.engine import catalog
from tests.cli.test_map import MAPS
from tests.every_map.games import deal
from tests.every_map.position_texts import board_text_of, names_of, text_of

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


def test_a_map_is_named_by_its_file_as_well(folder: Path, tmp_path: Path) -> None:
    kept = tmp_path / "kept.json"
    board = str(folder / "board.toml")
    assert main(["play", "age-of-steam", board, "--players", "3", "--seed", "7", "-o", str(kept)]) == 0
    assert json.loads(kept.read_text("utf-8"))["board"] == (folder / "board.toml").read_text("utf-8")


@pytest.mark.parametrize("command", ["play", "match", "demo"])
@pytest.mark.parametrize("named", ["own-0123456789abcdef", "0123abcd", "nowhere/board.toml", "tests/cli"])
def test_a_map_that_is_not_in_a_file_is_refused_with_what_to_do(
    command: str, named: str, capsys: pytest.CaptureFixture[str]
) -> None:
    seats = ["--seats", "classic,classic,classic"] if command == "match" else []
    assert main([command, "age-of-steam", named, *seats]) > 0
    said = capsys.readouterr().err
    if command == "demo" and "/" in named:
        assert f"`pbem play age-of-steam {named}` plays this one" in said
    elif "/" in named:
        assert "board.toml cannot be read: No such file" in said
    else:
        assert f"`pbem map show {named} > board.toml` writes its drawing: name that file here." in said


def test_a_position_of_an_email_is_read_with_its_map(
    folder: Path, tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    sheet = catalog.own("age-of-steam", (folder / "board.toml").read_text("utf-8").replace("Rust Belt", "Steep Belt"))
    (folder / "board.toml").write_text(sheet.drawing, "utf-8")
    state = deal(sheet, 1, 3)
    letter = tmp_path / "letter"
    letter.write_text(f"{text_of(sheet, state, names_of(state))}\n\n{board_text_of(sheet)}\n\n-- \nFoot\n", "utf-8")
    for named in (folder, folder / "board.toml"):
        assert main(["read", str(letter), "--map", str(named)]) == 0
        assert json.loads(capsys.readouterr().out) == json.loads(sheet.canonical(state, ""))
    assert main(["read", "--board", str(letter), "--map", str(folder)]) == 0
    assert main(["read", str(letter)]) == 1
    assert "an own map is named by its board.toml" in capsys.readouterr().err
    assert main(["read", str(letter), "--map", sheet.slug]) == 2
    assert "name that file here" in capsys.readouterr().err


def test_robots_play_it(folder: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["match", "age-of-steam", str(folder), "--seats", "classic,classic,classic", "--games", "1"]) == 0
    assert "Rust Belt, 3 seats" in capsys.readouterr().out
