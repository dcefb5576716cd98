"""What the benchmarks rest on; they themselves are run by ``make bench``."""

from __future__ import annotations

import json
import smtplib
from pathlib import Path

import pytest

from bench import __main__ as bench
from bench import late, profile
from bench.maps import Peer
from bench.postbox import Arrival, receiving
from bench.row import Row
from pbem.engine import catalog
from pbem.engine.record import replay

ROOT = Path(__file__).parents[1]


def test_a_row_stands_beside_what_was_measured_at_the_last_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    kept = tmp_path / "released.json"
    kept.write_text(json.dumps({"rows": [Row("one turn", 65.0, "ms").to_json()]}))
    monkeypatch.setattr(bench, "RELEASED", kept)
    head, _, turn, other = bench.table(
        [Row("one turn", 25.0, "ms", limit=20.0), Row("one turn", 3.0, "commits")], bench.released()
    ).splitlines()
    assert head.split()[:3] == ["what", "measured", "before"]
    assert turn.split() == ["one", "turn", "25", "ms", "65", "≤", "20", "ms", "MISSED"]
    assert other.split() == ["one", "turn", "3", "commits"]


def test_results_with_errors_are_not_kept_as_those_of_a_release(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch, capsys: pytest.CaptureFixture[str]
) -> None:
    results, kept = tmp_path / "results.json", tmp_path / "released.json"
    monkeypatch.setattr(bench, "RESULTS", results)
    monkeypatch.setattr(bench, "RELEASED", kept)
    results.write_text(json.dumps({"rows": [], "failed": ["turns"]}))
    assert bench.main(["--release"]) == 1
    assert "nothing is kept" in capsys.readouterr().err
    results.write_text(json.dumps({"rows": [], "failed": []}))
    assert bench.main(["--release"]) == 0
    assert kept.read_bytes() == results.read_bytes()


def test_the_parts_of_a_profile_are_where_they_are_looked_for() -> None:
    for _, where, function in profile.PARTS:
        files = sorted((ROOT / where).glob("*.py")) if where.endswith("/") else [ROOT / where]
        assert files, where
        assert all(file.is_file() for file in files), where
        assert not function or any(f"def {function}(" in file.read_text() for file in files), (where, function)


def test_the_late_games_are_still_played_as_they_were_kept() -> None:
    kept = late.records()
    assert len(kept) == late.GAMES
    for record in kept:
        sheet = catalog.sheet(record.game, record.map)
        *_, last = replay(sheet, record)
        assert last.refusal is None
        assert sheet.over(last.state)


def test_the_mail_server_of_the_benchmarks_says_what_each_letter_is_about() -> None:
    taken: list[Arrival] = []
    text = "Message-ID: <abc.v12.p3.your-turn.7@example.org>\r\nX-Pbem-Letter: your-turn\r\n\r\n.\r\nHello\r\n" * 2
    with receiving(taken.append) as port, smtplib.SMTP("127.0.0.1", port) as server:
        for _ in range(2):
            server.sendmail("a@example.org", ["b@example.org"], text)
    assert [(one.kind, one.game, one.version) for one in taken] == [("your-turn", "abc", 12)] * 2


def test_the_peer_is_taken_on_its_fastest_day(tmp_path: Path) -> None:
    table = (
        "| game | actions | day 1 | day 2 |\n| --- | --- | --- | --- |\n| one | 9 | 20 | 15 |\n| two | 9 | 30 | 31 |\n"
    )
    (tmp_path / "PEER.md").write_text(f"# Times\n\n{table}")
    assert Peer.read(tmp_path / "PEER.md") == Peer("day 2", {"one": 15.0, "two": 31.0})
