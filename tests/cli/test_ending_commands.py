"""``pbem cancel-game`` and ``pbem delete-account``: what they say, and that nothing happens unconfirmed."""

from io import StringIO
from pathlib import Path

import pytest

from pbem.cli import main
from pbem.service import Office, open_office
from pbem.service.base import sentences
from pbem.service.games import views
from pbem.service.operator import operating
from pbem.settings.settings import Settings
from tests.databases import put_tables

ANA = "ana@example.org"


@pytest.fixture
def office(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Office:
    monkeypatch.setenv("PBEM_DATA_DIR", str(tmp_path))
    monkeypatch.setenv("PBEM_OPERATOR", ANA)
    put_tables(tmp_path)
    return open_office(Settings.read({"PBEM_DATA_DIR": str(tmp_path), "PBEM_OPERATOR": ANA}))


@pytest.fixture
def game(office: Office, capsys: pytest.CaptureFixture[str]) -> str:
    """Three are invited."""
    assert main(["new", "age-of-steam", "rust_belt", "--players", f"{ANA},ben@example.org,c@x"]) == 0
    return capsys.readouterr().out.split()[0]


def said(
    capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch, *words: str, typed: str = ""
) -> tuple[int, str]:
    """Run a command with somebody at the terminal; its exit status and what it said."""
    monkeypatch.setattr("sys.stdin", StringIO(typed))
    status = main(words)
    captured = capsys.readouterr()
    return status, captured.out + captured.err


def test_a_game_is_cancelled_when_its_id_was_typed(
    office: Office, game: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for typed, why in (("", "it was not confirmed"), ("xyz\n", "not the id of the game")):
        status, out = said(capsys, monkeypatch, "cancel-game", game, typed=typed)
        assert (status, why in out, "Players: Ana, Ben, C" in out) == (1, True, True), out
        assert views.game(office, game).status == "open"
    status, out = said(capsys, monkeypatch, "cancel-game", game, typed=f"{game}\n")
    assert (status, "The game is cancelled." in out) == (0, True)
    assert views.game(office, game).status == "cancelled"
    assert [action.what for action in operating.actions(office, 5)] == ["cancels"]
    assert said(capsys, monkeypatch, "cancel-game", game, "--yes") == (1, "pbem: This game is over.\n")
    status, out = said(capsys, monkeypatch, "cancel-game", "nothing", "--yes")
    assert (status, "nothing" in out) == (1, True)


def test_of_a_running_game_it_says_how_it_ends(
    office: Office, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    assert main(["new", "age-of-steam", "rust_belt", *(f"--robot={name}" for name in ("rufus", "penny", "clara"))]) == 0
    game = capsys.readouterr().out.split()[0]
    status, out = said(capsys, monkeypatch, "cancel-game", game, "--yes")
    assert (status, "with the standings so far" in out, "Nobody's rating changes." in out) == (0, True, True)
    view = views.game(office, game)
    assert (view.status, view.ended_early) == ("over", True)


def test_an_account_is_deleted_when_its_address_was_typed(
    office: Office, game: str, capsys: pytest.CaptureFixture[str], monkeypatch: pytest.MonkeyPatch
) -> None:
    for typed, why in (("", "it was not confirmed"), ("ben\n", "type its address")):
        status, out = said(capsys, monkeypatch, "delete-account", "ben@example.org", typed=typed)
        assert (status, why in out, "These games go on without the player: Rust Belt." in out) == (1, True, True), out
    status, out = said(capsys, monkeypatch, "delete-account", "Ben@example.org", typed="ben@example.org\n")
    assert (status, "The account is deleted." in out) == (0, True)
    assert sentences.NOBODY in {seat.name for seat in views.game(office, game).seats}
    assert [action.what for action in operating.actions(office, 5)] == ["deletes"]
    for address, why in (("ben@example.org", "no account with the address"), ("nonsense", "not an email address")):
        status, out = said(capsys, monkeypatch, "delete-account", address, "--yes")
        assert (status, why in out) == (1, True), out
    status, out = said(capsys, monkeypatch, "delete-account", ANA, "--yes")
    assert (status, "the account of the operator" in out) == (1, True)
