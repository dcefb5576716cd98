"""The ``pbem`` command itself, and ``pbem match``: finding sub-commands, ending well, counting games of robots."""

import argparse
import json
import re
import sys

import pytest

from pbem import cli
from pbem.cli import main

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
    first, heads, line = capsys.readouterr().out.splitlines()
    assert first == "Rust Belt, 3 seats, 2 games, seed x"
    assert heads.split()[:5] == ["robot", "seats", "games", "wins", "share"]
    assert line.split()[:5] == ["classic", "3", "2", "2", "100.0%"]


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
    assert set(alone) == {"kind", "seats", "games", "wins", "share", "interval", "mean", "quartiles", "bankruptcies"}
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
