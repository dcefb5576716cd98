"""The ``pbem`` command itself: finding sub-commands and ending well."""

from __future__ import annotations

import argparse
import re
import sys

import pytest

from pbem import cli


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


def test_a_failure_is_one_sentence_and_its_status(
    monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    def fails(args: argparse.Namespace) -> int:
        raise cli.Failure("There is no game 7.", status=3)

    monkeypatch.setattr(sys.modules["pbem.cli.maps"], "run", fails)
    assert cli.main(["maps"]) == 3
    assert capsys.readouterr().err == "pbem: There is no game 7.\n"
