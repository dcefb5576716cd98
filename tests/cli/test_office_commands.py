"""The commands that look into the database: new, export, import, migrate, doctor."""

from __future__ import annotations

import json
import re
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.cli import main
from pbem.service import Office, games, guard, play, times, views
from pbem.service.tokens import InvitationClaim
from pbem.settings import Settings
from tests.servers import free_port


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data directory of its own for every test."""
    monkeypatch.setenv("PBEM_DATA_DIR", str(tmp_path))
    return tmp_path


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    """Run a command; its exit status and what it said."""
    status = main(words)
    captured = capsys.readouterr()
    return status, captured.out + captured.err


def test_new_opens_a_game_and_prints_its_id(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    status, out = said(capsys, "new", "age-of-steam", "rust_belt", "--players", "a@x, Ben B. <b@y>,c@z")
    game_id, address = out.split()
    assert (status, address) == (0, f"http://127.0.0.1:8000/games/{game_id}")
    view = views.game(Office.open(Settings.read({"PBEM_DATA_DIR": str(folder)})), game_id)
    assert [(seat.name, seat.status) for seat in view.seats] == [
        ("A", "invited"),
        ("Ben B.", "invited"),
        ("C", "invited"),
    ]


@pytest.mark.parametrize(
    ("words", "told"),
    [
        (("age-of-steam", "atlantis", "--players", "a@x,b@y,c@z"), "no sheet"),
        (("age-of-steam", "rust_belt", "--players", "a@x"), "3 to 6 players"),
        (("age-of-steam", "rust_belt", "--players", "a@x,b@y,nonsense"), "not a mail address"),
        (("age-of-steam", "rust_belt", "--players", "a@x,b@y,c@z", "--option", "mauve"), "KEY=VALUE"),
        (("age-of-steam", "rust_belt", "--players", "a@x,b@y,c@z", "--turn-hours", "1e300"), "hours"),
    ],
)
def test_new_tells_what_will_not_do(capsys: pytest.CaptureFixture[str], words: tuple[str, ...], told: str) -> None:
    status, out = said(capsys, "new", *words)
    assert status != 0
    assert told in out
    assert out.startswith("pbem: ")


def test_export_and_import_carry_a_finished_game(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    office, game_id = _finished(tmp_path)
    assert said(capsys, "export", game_id, "-o", str(tmp_path / "record.json"))[0] == 0
    status, out = said(capsys, "import", str(tmp_path / "record.json"))
    assert status == 0
    assert views.game(office, out.strip()).imported
    again = said(capsys, "export", out.strip())[1]
    assert json.loads(again) == json.loads((tmp_path / "record.json").read_text())


@pytest.mark.parametrize("words", [("export", "nowhere"), ("import", "no-such-file.json")])
def test_what_is_not_there_is_told(capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    status, out = said(capsys, *words)
    assert status == 1
    assert out.startswith("pbem: ")


def test_doctor_finds_a_healthy_server_healthy(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    guard.beat(_office(tmp_path), datetime.now(UTC))
    capsys.readouterr()
    status, out = said(capsys, "doctor")
    assert status == 0
    assert "ILL" not in out
    assert [line.split()[1].rstrip(":") for line in out.splitlines()] == [
        "database", "migrations", "broker", "SMTP", "clock", "letters", "orders",
    ]  # fmt: skip


def test_doctor_tells_what_is_ill(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    status, out = said(capsys, "doctor")
    assert (status, "pbem migrate" in out) == (1, True)
    office = _office(tmp_path)
    capsys.readouterr()
    assert "ILL   clock: it has never looked" in said(capsys, "doctor")[1]
    guard.beat(office, datetime.now(UTC) - timedelta(hours=1))
    assert re.search(r"ILL   clock: it looked 36\d\d s ago; does it run\?\n", said(capsys, "doctor")[1])
    guard.beat_on(office, datetime.now(UTC))
    _game(office, datetime.now(UTC) - timedelta(days=30))
    monkeypatch.setenv("PBEM_SMTP_URL", f"smtp://127.0.0.1:{free_port()}")
    monkeypatch.setenv("PBEM_BROKER_URL", f"redis://127.0.0.1:{free_port()}/0")
    status, out = said(capsys, "doctor")
    assert status == 1
    ill = [line.split()[1].rstrip(":") for line in out.splitlines() if line.startswith("ILL")]
    assert ill == ["broker", "SMTP", "clock", "letters"]


def _office(folder: Path) -> Office:
    main(["migrate"])
    return Office.open(Settings.read({"PBEM_DATA_DIR": str(folder)}))


def _game(office: Office, now: datetime) -> str:
    players = tuple(games.Invited(f"{name}@example.org") for name in ("ana", "ben", "eva"))
    game_id = games.open_game(office, None, games.NewGame("Coal", "age-of-steam", "rust_belt", players), now)
    for number in range(3):
        games.answer(office, InvitationClaim(game_id, number), True, now)
    return game_id


def _finished(folder: Path) -> tuple[Office, str]:
    """A game that ended because nobody ever answered."""
    office, now = _office(folder), datetime(2026, 11, 20, tzinfo=UTC)
    game_id = _game(office, now)
    while views.game(office, game_id).status == "running":
        now += timedelta(days=3)
        assert times.deadline(office, game_id, now)
    assert play.play_waiting(office, game_id, now) == 0
    return office, game_id
