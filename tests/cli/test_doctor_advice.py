"""What ``pbem doctor`` says to do is what mends it."""

from collections.abc import Callable
from datetime import UTC, datetime, timedelta
from pathlib import Path

import pytest

from pbem.cli import doctor, main
from pbem.cli._settings import settings
from pbem.service import open_office
from pbem.service.letters import providers
from pbem.service.people import accounts
from pbem.settings.settings import Settings
from tests.databases import put_tables

DAMAGED = "move the file away together with its -wal and -shm, and restore your latest backup into a new one"
Found = Callable[[], dict[str, str]]


@pytest.fixture
def found(tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]) -> Found:
    """``found()["database"]``: the line and the advice of a finding."""
    monkeypatch.setenv("PBEM_DATA_DIR", str(tmp_path))
    put_tables(tmp_path)

    def look() -> dict[str, str]:
        capsys.readouterr()
        main(["doctor"])
        lines = capsys.readouterr().out.replace("\n      ", " ").splitlines()
        return {line[6:].partition(":")[0]: line for line in lines}

    return look


def test_a_file_that_is_no_database_is_damaged(found: Found, tmp_path: Path) -> None:
    assert found()["database"].startswith("ok ")
    (tmp_path / "pbem.sqlite").write_bytes(b"what a disk makes of a file " * 1_000)
    line = found()["database"]
    assert line.startswith("FAIL ")
    assert "not a database" in line
    assert DAMAGED in line


def test_a_page_that_is_damaged_is_found_though_the_file_can_be_opened(found: Found, tmp_path: Path) -> None:
    file = tmp_path / "pbem.sqlite"
    for part in ("-wal", "-shm"):
        file.with_name(file.name + part).unlink(missing_ok=True)
    content = bytearray(file.read_bytes())
    content[4096 * 8 :] = b"\xa5" * (len(content) - 4096 * 8)
    file.write_bytes(content)
    line = found()["database"]
    assert line.startswith("FAIL ")
    assert DAMAGED in line


def test_a_file_that_cannot_be_opened_has_advice(found: Found, tmp_path: Path, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setenv("PBEM_DATABASE_URL", f"sqlite:///{tmp_path}/no/such/folder.sqlite")
    assert "names the right file, and that the server can write to it" in found()["database"]


@pytest.mark.parametrize(
    ("says", "do"),
    [
        ("database or disk is full", "Free space on the disk of the database."),
        ('could not extend file "base/1": No space left on device', "Free space on the disk of the database."),
        ("database is locked", "look for another program"),
        ("connection refused", "Start it, or correct PBEM_DATABASE_URL."),
    ],
)
def test_what_to_do_depends_on_what_the_database_says(says: str, do: str) -> None:
    assert do in doctor._mend(says)


def test_a_disk_that_is_nearly_full_is_told_with_what_to_remove(found: Found, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(doctor, "ROOM", 2**62)
    line = found()["disk"]
    assert line.startswith("FAIL ")
    assert "remove old backups, or files of other programs" in line
    assert "it continues by itself once there is space" in line


def test_a_provider_that_is_left_alone_is_named_until_it_is_quick_again(found: Found) -> None:
    office, now = open_office(settings()), datetime.now(UTC)
    accounts.ask_login(office, "ana@slow.example", now)
    assert found()["providers"] == "ok    providers: no mail provider is being left alone"
    providers.talked(office, "slow.example", providers.SLOW, now, done=False)
    until = now + providers.FIRST_REST
    line = found()["providers"]
    assert line.startswith("WARN  providers: left alone because they took long or did not answer: ")
    assert f"slow.example until {until:%H:%M:%S} UTC (1 email waits)" in line
    assert "Their emails leave by themselves" in line
    providers.talked(office, "slow.example", timedelta(seconds=1), now, done=True)
    assert found()["providers"].startswith("ok ")
    office.database.close()


def test_a_variable_that_is_like_none_of_ours_is_looked_at(found: Found, monkeypatch: pytest.MonkeyPatch) -> None:
    assert "variables" not in found()
    monkeypatch.setenv("PBEM_SERVICE_PORT_HTTP", "80")
    assert found()["variables"].startswith("WARN ")
    assert "PBEM_SERVICE_PORT_HTTP" in found()["variables"]


@pytest.mark.parametrize(
    ("variables", "says", "do"),
    [
        ({}, "each client is counted separately", ""),
        (
            {"PBEM_PUBLIC_URL": "https://games.example.org", "PBEM_PROXIES": "1"},
            "each client is counted separately",
            "",
        ),
        ({"PBEM_PUBLIC_URL": "https://games.example.org"}, "counts as one client", "Set PBEM_PROXIES"),
        ({"PBEM_RATE_LIMITS": "off"}, "rate limits are off", "Remove PBEM_RATE_LIMITS=off"),
    ],
)
def test_limits_that_see_one_client_need_a_look(tmp_path: Path, variables: dict[str, str], says: str, do: str) -> None:
    settings = Settings.read({"PBEM_DATA_DIR": str(tmp_path), **variables})
    (finding,) = [found for found in doctor.machine_findings(settings) if found.name == "limits"]
    assert finding.well
    assert says in finding.says
    assert finding.do.startswith(do)
    assert bool(finding.do) == bool(do)


def test_a_public_server_that_does_not_say_who_runs_it_is_warned(found: Found, monkeypatch: pytest.MonkeyPatch) -> None:
    assert found()["about"].startswith("ok ")
    monkeypatch.setenv("PBEM_PUBLIC_URL", "https://play.example.org")
    line = found()["about"]
    assert line.startswith("WARN ")
    assert "Set PBEM_OPERATOR_NAME and PBEM_CONTACT" in line
    monkeypatch.setenv("PBEM_OPERATOR_NAME", "The Tuesday Club")
    assert "Set PBEM_CONTACT" in found()["about"]
    monkeypatch.setenv("PBEM_CONTACT", "club@example.org")
    assert found()["about"].startswith("ok ")
    assert "The Tuesday Club" in found()["about"]
