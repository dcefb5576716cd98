"""The folder of a demo: emptied of earlier demos, never of anything else."""

from __future__ import annotations

from pathlib import Path

import pytest

from pbem.cli import main
from pbem.demo import game


def test_what_an_earlier_demo_has_left_is_removed(tmp_path: Path) -> None:
    (tmp_path / "mails").mkdir()
    (tmp_path / "mails" / "0001-ana-invitation.eml").touch()
    (tmp_path / "record.json").touch()
    game.clear(tmp_path)
    assert list(tmp_path.iterdir()) == []
    game.clear(tmp_path / "new" / "folder")
    assert (tmp_path / "new" / "folder").is_dir()


def test_a_folder_with_other_things_is_left_alone(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "mails").mkdir()
    (tmp_path / "thesis.txt").touch()
    assert main(["demo", "-o", str(tmp_path)]) == 1
    assert "thesis.txt, which is not from a demo" in capsys.readouterr().err
    assert sorted(path.name for path in tmp_path.iterdir()) == ["mails", "thesis.txt"]


def test_a_folder_that_cannot_be_made_is_told(tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    (tmp_path / "file").touch()
    assert main(["demo", "-o", str(tmp_path / "file" / "demo")]) == 1
    assert "cannot be used: Not a directory." in capsys.readouterr().err
