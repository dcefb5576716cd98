"""``pbem recheck``: what it prints, on which stream, and how it ends."""

from __future__ import annotations

from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

from pbem.cli import main
from pbem.cli import recheck as command
from pbem.service import Office, open_office
from pbem.service.base.tokens import InvitationClaim
from pbem.service.games import opening
from pbem.service.orders import deadlines
from pbem.settings.settings import Settings
from pbem.store.tables import Move
from tests.databases import put_tables

START = datetime(2026, 11, 20, tzinfo=UTC)


@pytest.fixture
def office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Office:
    monkeypatch.setenv("PBEM_DATA_DIR", str(tmp_path))
    put_tables(tmp_path)
    return open_office(Settings.read({"PBEM_DATA_DIR": str(tmp_path)}))


def game(office: Office, title: str = "Coal") -> str:
    """A game in which the first three questions were not answered in time."""
    players = tuple(opening.Invited(f"{name}@example.org") for name in ("ana", "ben", "eva"))
    game_id = opening.open_game(office, None, opening.NewGame(title, "age-of-steam", "rust_belt", players), START)
    for number in range(3):
        opening.answer(office, InvitationClaim(game_id, number), True, START)
    for days in (3, 6, 9):
        assert deadlines.deadline(office, game_id, START + timedelta(days=days))
    return game_id


def change(office: Office, game_id: str) -> None:
    with office.write() as session:
        session.execute(update(Move).where(Move.game_id == game_id, Move.number == 2).values(orders="issue 2"))


def test_games_that_come_out_as_stored_end_it_with_0(office: Office, capsys: pytest.CaptureFixture[str]) -> None:
    game(office)
    game(office)
    assert main(["recheck"]) == 0
    shown = capsys.readouterr()
    assert shown.out.startswith("2 games were replayed in ")
    assert shown.out.endswith("all match.\n")
    assert shown.err == ""


def test_a_game_that_differs_is_told_and_the_others_are_looked_at(
    office: Office, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(command, "EVERY", 0.0)
    fine, bad, also_bad = game(office), game(office, "Iron"), game(office, "Steel")
    change(office, bad)
    with office.write() as session:
        session.execute(update(Move).where(Move.game_id == also_bad, Move.number == 1).values(state=b"rust"))
    assert main(["recheck"]) == 1
    shown = capsys.readouterr()
    assert f"game {bad} (rust_belt, “Iron”), move 2:\n" in shown.out
    assert ": issue 2\n" in shown.out
    assert f"game {also_bad} (rust_belt, “Steel”), move 1:\n" in shown.out
    assert fine not in shown.out
    assert "3 games were replayed" in shown.out
    assert "2 differ." in shown.out
    assert shown.err.splitlines()[-1].startswith("3 of 3 games, 2 differ")


def test_only_the_games_that_are_named_are_replayed(office: Office, capsys: pytest.CaptureFixture[str]) -> None:
    fine, bad = game(office), game(office)
    change(office, bad)
    assert main(["recheck", fine]) == 0
    assert "1 game was replayed" in capsys.readouterr().out
    assert main(["recheck", "nowhere", fine]) == 1
    assert "game nowhere:\n  There is no such game, or it has not started.\n" in capsys.readouterr().out


def test_processes_share_the_work(office: Office, capsys: pytest.CaptureFixture[str]) -> None:
    bad = game(office)
    change(office, bad)
    assert main(["recheck", "--running", "--jobs", "2"]) == 1
    assert f"game {bad} " in capsys.readouterr().out


def test_it_reads_only_and_does_not_migrate(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    monkeypatch.setenv("PBEM_DATA_DIR", str(tmp_path))
    assert main(["recheck"]) == 1
    assert capsys.readouterr().err == "pbem: The database belongs to an older version. Run pbem migrate first.\n"
