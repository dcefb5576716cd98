"""Whole games by mail on Redis and PostgreSQL, as a real deployment has them."""

import json
from collections import Counter
from email import message_from_bytes, policy
from pathlib import Path

import pytest

from pbem.cli import main
from pbem.demo import game
from pbem.engine import catalog
from pbem.engine.record import read_record, verify
from tests import servers

MOST = 24
"""Mails to each player, the invitation, the start and the end included."""


def test_a_whole_game_by_mail_on_redis_and_postgresql(tmp_path: Path) -> None:
    sheet = catalog.sheet("age-of-steam", "st_lucia")  # two players: the shortest game with mails to several people
    lines: list[str] = []
    try:
        with servers.redis() as redis, servers.postgresql() as postgresql:
            environ = {"PBEM_BROKER_URL": redis, "PBEM_DATABASE_URL": postgresql}
            game.run(game.Setup(sheet, 2, "end to end", tmp_path / "demo", environ), lines.append)
    except servers.Missing as missing:
        pytest.skip(str(missing))
    folder = tmp_path / "demo"
    record = json.loads((folder / "record.json").read_bytes())
    assert verify(sheet, read_record((folder / "record.json").read_bytes())).faults == ()
    assert [entry for entry in record["turns"] if entry.get("auto")] == []
    assert sorted(path.name for path in (folder / "boards").iterdir()) == [f"turn-{n}.png" for n in range(1, 9)]
    assert (folder / "archive" / "index.html").is_file()
    kinds = [message_from_bytes(path.read_bytes(), policy=policy.default)["X-Pbem-Letter"] for path in _mails(folder)]
    asked = kinds.count("your-turn")  # what a page asks of whoever has just answered on one is no email
    assert {kind: kinds.count(kind) for kind in set(kinds)} == {
        "invitation": 2, "game-started": 1, "your-turn": asked, "game-over": 2,
    }  # fmt: skip
    assert len(record["turns"]) - 10 < asked <= len(record["turns"])
    assert not list((folder / "server").glob("*.sqlite"))
    assert len(lines) > 40


def _mails(folder: Path) -> list[Path]:
    return sorted((folder / "mails").iterdir())


@pytest.mark.slow
def test_robots_that_plan_need_at_most_24_mails_each(tmp_path: Path) -> None:
    sheet = catalog.sheet("age-of-steam", "rust_belt")
    folder = tmp_path / "demo"
    lines: list[str] = []
    game.run(game.Setup(sheet, 4, "2", folder, ahead=True), lines.append)
    record = json.loads((folder / "record.json").read_bytes())
    assert verify(sheet, read_record(json.dumps(record))).faults == ()
    assert any(entry.get("auto") for entry in record["turns"])
    assert any(line.startswith("Emails to each player: ") for line in lines)
    mails = Counter(path.name.split("-")[1] for path in (folder / "mails").iterdir())
    assert len(mails) == 4
    assert max(mails.values()) <= MOST
    kinds = Counter(path.stem.split("-", 2)[2] for path in (folder / "mails").iterdir())
    assert kinds["planning"] == 4 * 8


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
