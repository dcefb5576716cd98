"""``pbem map check``: the faults of a drawn map, one a line."""

import json
from pathlib import Path

import pytest

from pbem.cli import main

MAPS = Path(__file__).parents[2] / "maps"


@pytest.fixture
def damaged(tmp_path: Path) -> Path:
    """Rust Belt without the name of a town, and with a rule that there is not."""
    path = tmp_path / "board.toml"
    text = (MAPS / "rust_belt" / "board.toml").read_text("utf-8").replace('"Toledo" = "K12"\n', "")
    path.write_text(f"{text}[rules]\nround = 2\n", "utf-8")
    return path


def test_a_map_without_a_fault(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["map", "check", str(MAPS / "germany" / "board.toml")]) == 0
    assert main(["map", "check", str(MAPS / "germany")]) == 0
    assert capsys.readouterr().out == ""


def test_faults_stand_one_a_line(damaged: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["map", "check", str(damaged)]) == 1
    assert capsys.readouterr().out == "The town on K12 has no name.\n"
    damaged.write_text(damaged.read_text("utf-8").replace("[towns]", '[towns]\n"Toledo" = "K12"'), "utf-8")
    assert main(["map", "check", str(damaged)]) == 1
    assert capsys.readouterr().out == "There is no rule “round”. Is “rounds” meant?\n"


def test_faults_as_json_name_their_hex(damaged: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["map", "check", str(damaged), "--json"]) == 1
    lines = [json.loads(line) for line in capsys.readouterr().out.splitlines()]
    assert lines == [{"hex": "K12", "sentence": "The town on K12 has no name."}]


def test_hints_are_told_beside(damaged: Path, capsys: pytest.CaptureFixture[str]) -> None:
    text = (MAPS / "rust_belt" / "board.toml").read_text("utf-8").replace('columns = ["L1"]', "columns = []")
    damaged.write_text(text, "utf-8")
    assert main(["map", "check", str(damaged)]) == 0
    said = capsys.readouterr()
    assert said.out == ""
    assert said.err == "Hint: Chicago has no column of the goods display: it receives no new cubes.\n"


def test_what_is_no_text_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    path = tmp_path / "board.toml"
    assert main(["map", "check", str(path)]) == 1
    path.write_bytes(b"\xff\xfe")
    assert main(["map", "check", str(path)]) == 1
    assert capsys.readouterr().err.splitlines() == [
        f"pbem: {path} cannot be read: No such file or directory.",
        f"pbem: {path} is no text in UTF-8.",
    ]
