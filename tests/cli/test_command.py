"""The ``pbem`` command itself, and ``pbem match``: finding sub-commands, ending well, counting games of robots."""

import argparse
import json
import re
import sys
from pathlib import Path

import pytest

from pbem import cli
from pbem.cli import main
from pbem.cli._series import decided

THREE = ("match", "age-of-steam", "rust_belt", "--seats", "classic,classic,penny")


def test_every_module_of_the_package_is_a_command_and_says_what_it_does(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["--help"])
    assert ended.value.code == 0
    shown = capsys.readouterr().out
    assert "maps" in cli.names()
    for name in cli.names():
        assert re.search(rf"^    {name}\s", shown, re.MULTILINE), name


def test_an_unknown_command_ends_with_two_and_the_list(capsys: pytest.CaptureFixture[str]) -> None:
    with pytest.raises(SystemExit) as ended:
        cli.main(["dance"])
    assert ended.value.code == 2
    assert "maps" in capsys.readouterr().err


def test_only_the_command_asked_for_is_imported() -> None:
    """So that ``pbem maps`` starts without a web server or a database driver."""
    parser = cli.parser("maps")
    assert parser.parse_args(["maps"]).run.__module__ == "pbem.cli.maps"
    with pytest.raises(SystemExit):
        parser.parse_args(["serve"])


def test_a_failure_is_a_sentence(monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> None:
    def fails(args: argparse.Namespace) -> int:
        raise cli.Failure("There is no game 7.", status=3)

    monkeypatch.setattr(sys.modules["pbem.cli.maps"], "run", fails)
    assert cli.main(["maps"]) == 3
    assert capsys.readouterr().err == "pbem: There is no game 7.\n"


def test_a_match_is_shown_as_a_table_with_a_line_for_each_kind(capsys: pytest.CaptureFixture[str]) -> None:
    assert main([*THREE[:-1], "classic,classic,classic", "--games", "2", "--seed", "x"]) == 0
    first, heads, line, _, *places = capsys.readouterr().out.splitlines()
    assert first == "Rust Belt, 3 seats, 2 games, seed x"
    assert heads.split()[:5] == ["robot", "seats", "games", "wins", "share"]
    assert line.split()[:5] == ["classic", "3", "2", "2", "100.0%"]
    assert [row.split()[0] for row in places] == ["seat", "1", "2", "3"]


def test_a_match_that_was_stopped_goes_on_where_it_was(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    words, file = [*THREE[:-1], "classic,classic,classic"], tmp_path / "match"
    assert main([*words, "--games", "2", "--seed", "x", "--json"]) == 0
    whole = json.loads(capsys.readouterr().out)
    assert main([*words, "--games", "1", "--seed", "x", "--file", str(file)]) == 0
    with file.open("a") as cut:
        cut.write('[1, [{"kind": "cla')
    kept = file.read_text().splitlines()[1]
    capsys.readouterr()
    assert main([*words, "--games", "2", "--file", str(file), "--json"]) == 0
    again = json.loads(capsys.readouterr().out)
    assert file.read_text().splitlines()[1] == kept, "its first game is not played again"
    for shown in (whole, again):
        for kind in shown["kinds"]:
            kind.pop("seconds")
    assert again == whole
    assert main([*words, "--seed", "y", "--file", str(file)]) == 1
    assert "holds another series" in capsys.readouterr().err
    for other in ("no series\n", "no series", "no series\nand no end of line"):
        file.write_text(other)
        assert main([*words, "--file", str(file)]) == 1
        assert "does not hold a series of games" in capsys.readouterr().err
        assert file.read_text() == other, "it is somebody's file, and stays as it is"
    file.write_text("")
    assert main([*words, "--games", "1", "--seed", "x", "--file", str(file)]) == 0
    assert file.read_text().startswith('{"game": "age-of-steam"')


@pytest.mark.parametrize(
    ("values", "until", "ends"),
    [
        ([1.0] * 5 + [3.0] * 5, 3, True),
        ([1.0] * 5 + [3.0] * 4, 3, False),
        ([-9.0, 9.5] * 9, 3, False),
        ([9.0] * 99, None, False),
    ],
)
def test_a_match_ends_when_its_lead_is_some_standard_errors_from_nothing(
    values: list[float], until: float | None, ends: bool
) -> None:
    assert decided(lambda: values, until) is ends


def test_two_orders_are_compared_from_a_position_of_a_record(
    tmp_path: Path, capsys: pytest.CaptureFixture[str]
) -> None:
    record = tmp_path / "game.json"
    assert main(["play", "age-of-steam", "rust_belt", "--players", "3", "--seed", "1", "-o", str(record)]) == 0
    capsys.readouterr()
    pairs = [
        "match",
        "age-of-steam",
        "rust_belt",
        "--seats",
        "classic",
        "--pairs",
        str(record),
        "--at",
        "0",
        "--games",
        "3",
    ]
    assert main([*pairs, "--order", "issue 1", "--order", "issue 1"]) == 0
    assert "“issue 1” leads by 0.0 ± 0.0 points more than “issue 1”." in capsys.readouterr().out
    assert main([*pairs, "--order", "issue 1", "--order", "fly"]) == 2
    assert "fly" in capsys.readouterr().err
    assert main([*pairs, "--order", "issue 1"]) == 2
    assert capsys.readouterr().err == "pbem: Two orders are compared: give --order twice.\n"


def test_robots_play_a_whole_game_whose_record_names_them(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    record = tmp_path / "record.json"
    command = ["play", "steam-power", "ireland", "--seed", "a", "-o", str(record), "--seats"]
    assert main([*command, "penny,Penny"]) == 0
    first = record.read_bytes()
    assert json.loads(first)["names"] == {"red": "Robot Penny", "blue": "Robot Penny 2"}
    assert main([*command, "penny,penny"]) == 0
    assert record.read_bytes() == first, "the same seed plays the same game"
    assert main(["verify", str(record)]) == 0
    assert main([*command, "penny,nobody"]) == 2
    assert "There is no robot “nobody”." in capsys.readouterr().err
    assert main([*command, "penny,penny", "--players", "3"]) == 2


def test_two_processes_play_the_same_games_as_one(capsys: pytest.CaptureFixture[str]) -> None:
    def figures(*more: str) -> list[dict[str, object]]:
        command = ["match", "age-of-steam", "rust_belt", "--seats", "classic,Classic,classic"]
        assert main([*command, "--games", "2", "--seed", "y", "--json", *more]) == 0
        shown = json.loads(capsys.readouterr().out)
        assert {key: shown[key] for key in ("game", "map", "players", "games", "seed")} == {
            "game": "age-of-steam", "map": "rust_belt", "players": 3, "games": 2, "seed": "y",
        }  # fmt: skip
        for kind in shown["kinds"]:
            assert set(kind.pop("seconds")) == {"median", "95"}
        return list(shown["kinds"])

    (alone,) = figures()
    assert set(alone) == {
        "kind",
        "seats",
        "games",
        "wins",
        "share",
        "interval",
        "lead",
        "mean",
        "error",
        "quartiles",
        "bankruptcies",
    }
    assert figures("--jobs", "2") == [alone]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        ((*THREE[:-1], "classic,nobody,penny"), "There is no robot “nobody”. You can choose classic, "),
        ((*THREE[:-1], "classic"), "3 to 6 players"),
        ((*THREE, "--games", "0"), "--games must be from 1 to 100,000."),
        ((*THREE, "--jobs", "9999"), "--jobs must be from 1 to 256."),
        (("match", "age-of-steam", "atlantis", "--seats", "classic"), "no sheet"),
    ],
)
def test_what_cannot_be_played_is_said(capsys: pytest.CaptureFixture[str], words: tuple[str, ...], told: str) -> None:
    assert main(words) == 2
    assert told in capsys.readouterr().err
