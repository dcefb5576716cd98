"""The commands that look into the database: new, export, import, migrate, doctor."""

import json
import re
from datetime import UTC, date, datetime, timedelta
from pathlib import Path

import pytest
from sqlalchemy import update

from pbem.cli import main
from pbem.cli import recheck as command
from pbem.cli.doctor import remote_kind
from pbem.service import Office, open_office
from pbem.service.base.tokens import InvitationClaim
from pbem.service.games import listed_tables, opening, views
from pbem.service.orders import deadlines, submissions
from pbem.service.turns import outages
from pbem.settings.settings import Settings
from pbem.store.tables import Game, Move
from pbem.store.time_controls import TimeControl
from tests.databases import put_tables
from tests.servers import free_port


@pytest.fixture(autouse=True)
def folder(tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> Path:
    """A data directory of its own for every test."""
    monkeypatch.setenv("PBEM_DATA_DIR", str(tmp_path))
    return tmp_path


@pytest.fixture
def tables(folder: Path) -> None:
    """Somebody has run ``pbem migrate`` there."""
    put_tables(folder)


def said(capsys: pytest.CaptureFixture[str], *words: str) -> tuple[int, str]:
    """Run a command; its exit status and what it said."""
    status = main(words)
    captured = capsys.readouterr()
    return status, captured.out + captured.err


def test_new_opens_a_game_and_prints_its_id(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    status, out = said(capsys, "new", "age-of-steam", "rust_belt", "--players", "a@x, Ben B. <b@y>,c@z")
    game_id, address = out.split()
    assert (status, address) == (0, f"http://127.0.0.1:8000/games/{game_id}")
    view = views.game(open_office(Settings.read({"PBEM_DATA_DIR": str(folder)})), game_id)
    assert [(seat.name, seat.status) for seat in view.seats] == [
        ("A", "invited"),
        ("Ben B.", "invited"),
        ("C", "invited"),
    ]


@pytest.mark.usefixtures("tables")
def test_new_opens_a_table_to_anybody_and_prints_its_link(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    status, out = said(
        capsys, "new", "age-of-steam", "rust_belt", "--players", "a@x", "--open", "3", "--open-days", "2",
        "--if-free", "wait", "--language", "de", "--language", "fr", "--experience", "some", "--by-link",
    )  # fmt: skip
    game_id, _, link = out.split()
    assert status == 0
    office = open_office(Settings.read({"PBEM_DATA_DIR": str(folder)}))
    table = listed_tables.table(office, game_id, None)
    assert link == listed_tables.link(office, game_id)
    assert (table.free, table.if_free, table.languages, table.experience) == (3, "wait", ("de", "fr"), "some")
    assert not table.listed
    assert timedelta(days=1, hours=23) < table.fill_at - datetime.now(UTC) < timedelta(days=2)


@pytest.mark.usefixtures("tables")
def test_new_offers_what_the_page_for_a_new_game_does(capsys: pytest.CaptureFixture[str], folder: Path) -> None:
    status, out = said(
        capsys, "new", "age-of-steam", "rust_belt", "--players", "a@x,b@y,c@z", "--title", "Coal", "--turn-hours", "24",
        "--bank-hours", "120", "--keep-up-to-hours", "240", "--free-weekends", "--holidays", "2026-12-24,2026-12-25",
        "--public-holidays", "DE-BY",
        "--at-zero", "caretaker", "--grace-minutes", "0", "--unlisted", "--planning",
    )  # fmt: skip
    assert status == 0
    office = open_office(Settings.read({"PBEM_DATA_DIR": str(folder)}))
    view = views.game(office, out.split()[0])
    days = (date(2026, 12, 24), date(2026, 12, 25))
    turn, bank, cap = (timedelta(hours=hours) for hours in (24, 120, 240))
    assert view.time_control == TimeControl(turn, bank, cap, False, days, "caretaker", "DE-BY")
    assert (view.title, view.grace, view.unlisted) == ("Coal", timedelta(0), True)
    with office.read() as session:
        assert session.get_one(Game, view.id).planning


@pytest.mark.usefixtures("tables")
@pytest.mark.parametrize(
    ("words", "status", "told"),
    [
        (("--players", "a@x,b@y,nonsense"), 1, "not an email address"),
        (("--option", "mauve"), 2, "KEY=VALUE"),
        (("--turn-hours", "1e300"), 2, "hours"),
        (("--holidays", "Christmas"), 2, "not a date"),
        (("--public-holidays", "Atlantis"), 1, "Choose a country from the list."),
        (("--open", "9"), 1, "Rust Belt is for 3 to 6 players; there are 12."),
        (("--open", "3", "--open-days", "nan"), 2, "--open-days must be a number of days."),
        (("--open", "3", "--open-days", "999999999"), 2, "--open-days must be a number of days."),
    ],
)
def test_new_tells_errors(capsys: pytest.CaptureFixture[str], words: tuple[str, ...], status: int, told: str) -> None:
    ended, out = said(capsys, "new", "age-of-steam", "rust_belt", "--players", "a@x,b@y,c@z", *words)
    assert (ended, told in out, out[:6]) == (status, True, "pbem: "), out


def test_export_and_import_carry_a_finished_game(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    office, game_id = _finished(tmp_path)
    assert said(capsys, "export", game_id, "-o", str(tmp_path / "record.json"))[0] == 0
    status, out = said(capsys, "import", str(tmp_path / "record.json"))
    assert status == 0
    assert views.game(office, out.strip()).imported
    again = said(capsys, "export", out.strip())[1]
    assert json.loads(again) == json.loads((tmp_path / "record.json").read_text())


def test_export_and_import_carry_a_finished_game_as_one_page(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    office, game_id = _finished(tmp_path)
    page, record = tmp_path / "game.html", tmp_path / "record.json"
    assert said(capsys, "export", game_id, "--html", str(page)) == (0, "")
    assert said(capsys, "export", game_id, "-o", str(record)) == (0, "")
    status, out = said(capsys, "import", str(page))
    assert status == 0
    assert json.loads(said(capsys, "export", out.strip())[1]) == json.loads(record.read_text())
    assert views.game(office, out.strip()).title == views.game(office, game_id).title
    page.write_text("<!doctype html><title>Another page</title>")
    assert said(capsys, "import", str(page)) == (
        1,
        "pbem: This page is no game file: there is no record in it.\n",
    )


@pytest.mark.usefixtures("tables")
def test_a_game_that_goes_on_is_no_page(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    game_id = said(capsys, "new", "age-of-steam", "rust_belt", "--players", "a@x,b@y,c@z")[1].split()[0]
    assert said(capsys, "export", game_id, "--html", str(tmp_path / "game.html")) == (
        1,
        "pbem: This can be made when the game is over.\n",
    )
    assert not (tmp_path / "game.html").exists()


def test_ratings_counts_a_finished_game_again_as_often_as_one_likes(
    capsys: pytest.CaptureFixture[str], tmp_path: Path
) -> None:
    _finished(tmp_path)
    first = said(capsys, "ratings")
    assert first[0] == 0
    assert "1 games are counted." in first[1]
    assert said(capsys, "ratings") == first
    assert first[1].endswith(said(capsys, "ratings", "--only-ratings")[1])


@pytest.mark.parametrize("words", [("export", "nowhere"), ("import", "no-such-file.json")])
def test_what_is_not_there_is_told(capsys: pytest.CaptureFixture[str], words: tuple[str, ...]) -> None:
    status, out = said(capsys, *words)
    assert status == 1
    assert out.startswith("pbem: ")


def test_doctor_finds_a_healthy_server_healthy(capsys: pytest.CaptureFixture[str], tmp_path: Path) -> None:
    outages.beat(_office(tmp_path), datetime.now(UTC))
    capsys.readouterr()
    status, out = said(capsys, "doctor")
    assert status == 0
    assert all(line.startswith("ok ") for line in out.splitlines()), out
    assert [line.split()[1].rstrip(":") for line in out.splitlines()] == [
        "database", "migrations", "orders", "letters", "webhooks", "clock", "broker", "SMTP", "mail", "stuck",
        "providers", "given", "accounts", "switched", "disk", "key", "address", "operator", "about", "limits",
    ]  # fmt: skip


def test_failures_are_told(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    status, out = said(capsys, "doctor")
    assert (status, "pbem migrate" in out) == (1, True)
    main(["migrate"])
    office = _opened(tmp_path)
    capsys.readouterr()
    assert "FAIL  clock: has never run" in said(capsys, "doctor")[1]
    outages.beat(office, datetime.now(UTC) - timedelta(hours=1))
    assert re.search(r"FAIL  clock: last ran 36\d\d s ago\n      Start the process", said(capsys, "doctor")[1])
    outages.beat_on(office, datetime.now(UTC))
    _game(office, datetime.now(UTC) - timedelta(days=30))
    monkeypatch.setenv("PBEM_SMTP_URL", f"smtp://127.0.0.1:{free_port()}")
    monkeypatch.setenv("PBEM_BROKER_URL", f"redis://127.0.0.1:{free_port()}/0")
    status, out = said(capsys, "doctor")
    assert status == 1
    failed = [line.split()[1].rstrip(":") for line in out.splitlines() if line.startswith("FAIL")]
    assert failed == ["letters", "clock", "broker", "SMTP", "address"]
    assert "WARN  operator" in out


def test_doctor_asks_who_takes_the_mails_that_letters_have_an_address_for(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    _office(tmp_path)
    monkeypatch.setenv("PBEM_ORDERS_ADDRESS", "orders@play.example.org")
    assert "WARN  mail in: emails give an address" in said(capsys, "doctor")[1]
    monkeypatch.setenv("PBEM_MAILIN_PORT", "8025")
    monkeypatch.setenv("PBEM_MAIL_FROM", "pbem <games@play.example.org>")
    said_now = said(capsys, "doctor")[1]
    assert "mail in: bounces to bounce@play.example.org, replies to orders@play.example.org" in said_now


def test_a_mailbox_is_met(capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    _office(tmp_path)
    monkeypatch.setenv("PBEM_IMAP_URL", f"imap://me:a-password@127.0.0.1:{free_port()}")
    status, out = said(capsys, "doctor")
    assert status == 1
    assert "WARN  mail in: a mailbox is read, but emails give no address" in out
    assert "FAIL  mailbox: ConnectionRefusedError" in out
    assert "a-password" not in out
    monkeypatch.setenv("PBEM_ORDERS_ADDRESS", "games@example.org")
    assert "ok    mail in: emails to games@example.org are read from a mailbox" in said(capsys, "doctor")[1]


def test_whatever_is_not_well_comes_with_what_to_do(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setenv("PBEM_DATABASE_URL", f"postgresql://pbem:a-password@127.0.0.1:{free_port()}/pbem")
    monkeypatch.setenv("PBEM_SMTP_URL", f"smtp://127.0.0.1:{free_port()}")
    monkeypatch.delenv("PBEM_SECRET_KEY", raising=False)
    status, out = said(capsys, "doctor")
    assert status == 1
    assert "a-password" not in out
    lines = out.splitlines()
    assert sorted(line.split()[1].rstrip(":") for line in lines if not line.startswith(("ok ", "  "))) == [
        "SMTP", "address", "database", "key", "operator",
    ]  # fmt: skip
    for line, then in zip(lines, [*lines[1:], ""], strict=True):
        assert then.startswith("      ") == line.startswith(("FAIL", "WARN"))


def test_doctor_names_the_games_with_orders_that_met_an_error_and_unstick_plays_them(
    capsys: pytest.CaptureFixture[str], tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    office, now = _office(tmp_path), datetime.now(UTC)
    view = views.game(office, _game(office, now))

    def fails(*_: object) -> None:
        raise ZeroDivisionError("an error of ours")

    number = submissions.submit(
        office,
        view.id,
        submissions.NewSubmission(view.waiting_for, str(view.sheet.default(view.state)), 0, "page"),
        now,
    )
    with monkeypatch.context() as patch:
        patch.setattr(type(view.sheet), "parse", fails)
        submissions.play_waiting(office, view.id, now)
    capsys.readouterr()
    assert f"FAIL  stuck: 1 stopped by an error in pbem, in {view.id}\n" in said(capsys, "doctor")[1]
    assert f"{number}  game {view.id}, since " in said(capsys, "unstick")[1]
    assert said(capsys, "unstick", "99")[1] == "pbem: No such orders are stuck: 99.\n"
    assert said(capsys, "unstick", "--all") == (0, f"{number}  a worker plays it now\n")
    submissions.play_waiting(office, view.id, now)
    assert views.submission(office, number).status == "played"
    assert said(capsys, "unstick") == (0, "No orders are stuck.\n")


def test_sqlite_on_a_file_system_of_another_machine_is_seen(tmp_path: Path) -> None:
    mounts = tmp_path / "mounts"
    mounts.write_text("/dev/sda / ext4 rw 0 0\nserver:/x /srv/my\\040data nfs4 rw 0 0\ntmpfs /tmp tmpfs rw 0 0\n")
    assert remote_kind(Path("/srv/my data/var/pbem.sqlite"), mounts) == "nfs4"
    assert remote_kind(Path("/srv/pbem.sqlite"), mounts) == ""
    assert remote_kind(Path("/tmp/pbem.sqlite"), mounts) == ""
    assert remote_kind(Path("/tmp/pbem.sqlite"), tmp_path / "none") == ""


def _office(folder: Path) -> Office:
    put_tables(folder)
    return _opened(folder)


def _opened(folder: Path) -> Office:
    return open_office(Settings.read({"PBEM_DATA_DIR": str(folder)}))


def _game(office: Office, now: datetime, title: str = "Coal") -> str:
    players = tuple(opening.Invited(f"{name}@example.org") for name in ("ana", "ben", "eva"))
    game_id = opening.open_game(office, None, opening.NewGame(title, "age-of-steam", "rust_belt", players), now)
    for number in range(3):
        opening.answer(office, InvitationClaim(game_id, number), True, now)
    return game_id


def _finished(folder: Path) -> tuple[Office, str]:
    """A game that ended because nobody ever answered."""
    office, now = _office(folder), datetime(2026, 11, 20, tzinfo=UTC)
    game_id = _game(office, now)
    while views.game(office, game_id).status == "running":
        now += timedelta(days=3)
        assert deadlines.deadline(office, game_id, now)
    assert submissions.play_waiting(office, game_id, now) == 0
    return office, game_id


START = datetime(2026, 11, 20, tzinfo=UTC)


@pytest.fixture
def office(tmp_path: Path) -> Office:
    return _office(tmp_path)


def game(office: Office, title: str = "Coal") -> str:
    """A game in which the first three questions were not answered in time."""
    game_id = _game(office, START, title)
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


def test_it_reads_only_and_does_not_migrate(capsys: pytest.CaptureFixture[str]) -> None:
    assert main(["recheck"]) == 1
    assert capsys.readouterr().err == "pbem: The database belongs to an older version. Run pbem migrate first.\n"
