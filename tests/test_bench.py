"""What the benchmarks rest on; they themselves are run by ``make bench``."""

import smtplib
from dataclasses import replace
from pathlib import Path

from bench import __main__ as bench
from bench import late
from bench.maps import Peer
from bench.postbox import Arrival, receiving
from bench.row import Row
from pbem.engine import catalog
from pbem.engine.record import replay


def test_limits_of_times_are_multiples_of_the_calibration() -> None:
    slower = Row("one turn", 30.0, "ms", limit=25.0, pace=4 / 3)
    assert slower.ok
    assert not replace(slower, value=34.0).ok
    assert not replace(slower, timed=False).ok
    rate = Row("turns", 36.0, "/s", limit=45.0, at_least=True, pace=4 / 3)
    assert rate.ok
    assert not replace(rate, value=33.0).ok


def test_the_table_says_what_a_limit_is_here() -> None:
    rows = [Row("one turn", 51.0, "ms", limit=25.0, pace=2.0), Row("memory", 300.0, "MB", pace=2.0)]
    _, _, turn, memory = bench.table([*rows]).splitlines()
    assert turn.split() == ["one", "turn", "51", "ms", "≤", "25", "ms", "here", "≤", "50", "MISSED"]
    assert memory.split() == ["memory", "300", "MB"]


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
