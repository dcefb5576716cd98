"""Hints leave quickly or not at all; nobody waits for a broker that is away."""

from __future__ import annotations

import socket
import time
from pathlib import Path

import pytest

from pbem.service.base.task_hints import Hints, play_hint, send_hint
from pbem.settings.settings import Settings
from pbem.transport import broker
from tests import servers

AT_ONCE = 60


def test_a_broker_that_is_away_costs_no_time_and_is_told_in_the_log(
    tmp_path: Path, caplog: pytest.LogCaptureFixture
) -> None:
    url = f"redis://127.0.0.1:{servers.free_port()}/0"
    hints = Hints.to_broker(Settings.read({"PBEM_DATA_DIR": str(tmp_path), "PBEM_BROKER_URL": url}))
    began = time.monotonic()
    hints.give([play_hint("abc"), send_hint(1), send_hint(2)])
    assert time.monotonic() - began < AT_ONCE
    (line,) = [record.getMessage() for record in caplog.records if record.name == "pbem.service.base.task_hints"]
    assert line.startswith("no hint for pbem.play abc, pbem.send 1, pbem.send 2: the broker cannot be reached")


def test_a_broker_that_does_not_answer_keeps_one_request_waiting_and_not_the_next(
    tmp_path: Path, monkeypatch: pytest.MonkeyPatch
) -> None:
    monkeypatch.setattr(broker, "ANSWER_SECONDS", 3.0)
    with socket.create_server(("127.0.0.1", 0)) as mute:
        chosen = {"PBEM_DATA_DIR": str(tmp_path), "PBEM_BROKER_URL": f"redis://127.0.0.1:{mute.getsockname()[1]}/0"}
        hints = Hints.to_broker(Settings.read(chosen))
        spans = []
        for _ in range(3):
            began = time.monotonic()
            hints.give([play_hint("abc")])
            spans.append(time.monotonic() - began)
    assert spans[0] > 2.5
    assert max(spans[1:]) < 2.5


def test_hints_reach_a_broker_that_has_been_away_meanwhile(tmp_path: Path) -> None:
    port = servers.free_port()
    chosen = {"PBEM_DATA_DIR": str(tmp_path), "PBEM_BROKER_URL": f"redis://127.0.0.1:{port}/0"}
    hints = Hints.to_broker(Settings.read(chosen))
    hints.give([play_hint("abc")])
    try:
        with servers.redis(port) as url:
            hints.give([play_hint("abc")])
            assert servers.length(url, broker.QUEUE) == 1
    except servers.Missing as missing:
        pytest.skip(str(missing))
