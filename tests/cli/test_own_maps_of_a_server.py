"""``pbem map show`` and ``pbem map withdraw``: what who runs a server does with maps that people draw."""

from pathlib import Path

import pytest

from pbem.cli import main
from pbem.service import open_office
from pbem.service.games import views
from pbem.service.own_maps import states
from pbem.service.people import accounts
from pbem.settings.settings import Settings
from pbem.store.tables import OwnMap
from tests.databases import put_tables
from tests.drawn import SLUG, SMALL, map_of
from tests.table import START


@pytest.fixture
def key(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> str:
    """A map of Ana on a server of this machine."""
    monkeypatch.setenv("PBEM_DATA_DIR", str(tmp_path))
    put_tables(tmp_path)
    office = open_office(Settings.read({"PBEM_DATA_DIR": str(tmp_path)}))
    with office.write() as session:
        account = accounts.account(session, "ana@example.org", "Ana", START).id
    made = map_of(office, account, START)
    office.database.close()
    return made.key


def test_a_version_is_shown_by_the_beginning_of_its_hash(key: str, capsys: pytest.CaptureFixture[str]) -> None:
    hash_ = SLUG.removeprefix("own-")
    assert main(["map", "show", hash_[:8]]) == 0
    shown = capsys.readouterr()
    assert shown.out.splitlines()[2:4] == ['name = "Douro"', 'remark = "a {short} game of 50%"']
    assert f"Douro: version 1 of map {key}, by Ana, playtest." in shown.err
    assert "Trial games: fine." in shown.err
    assert main(["map", "show", "zzzz"]) == 1
    assert "0 versions have a hash that begins with this." in capsys.readouterr().err


def test_a_game_is_opened_on_a_map_by_its_hash(key: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["new", "age-of-steam", SLUG.removeprefix("own-")[:8], "--players", "a@x,b@y"]) == 0
    office = open_office(Settings.read({"PBEM_DATA_DIR": str(tmp_path)}))
    assert views.game(office, capsys.readouterr().out.split()[0]).sheet.slug == SLUG
    office.database.close()
    assert main(["new", "age-of-steam", "0123abcd", "--players", "a@x,b@y"]) == 1
    assert "0 versions of maps on this server have a hash that begins with 0123abcd." in capsys.readouterr().err
    (tmp_path / "board.toml").write_text(SMALL, "utf-8")
    assert main(["new", "age-of-steam", str(tmp_path), "--players", "a@x,b@y"]) == 2
    assert "begin a map with that file on the page My maps of the server" in capsys.readouterr().err
    assert key


def test_a_map_is_withdrawn_with_a_reason(key: str, tmp_path: Path, capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["map", "withdraw", key]) == 1
    assert "Say why" in capsys.readouterr().err
    assert main(["map", "withdraw", key, "--reason", "Copied names."]) == 0
    assert "Douro is withdrawn" in capsys.readouterr().out
    office = open_office(Settings.read({"PBEM_DATA_DIR": str(tmp_path)}))
    assert states.withdrawn(office, key).reason == "Copied names."
    assert main(["map", "show", SLUG]) == 0
    assert "Withdrawn by the operator: Copied names.\nAnswer: none\n" in capsys.readouterr().err
    with office.read() as session:
        ana = session.get_one(OwnMap, key).account_id
    assert ana is not None
    states.answer(office, key, ana, "They are mine.", START)
    assert main(["map", "show", SLUG]) == 0
    assert "Answer: They are mine.\n" in capsys.readouterr().err
    office.database.close()
    assert main(["map", "withdraw", "nothing", "--reason", "x"]) == 1
    assert "There is no map nothing." in capsys.readouterr().err
