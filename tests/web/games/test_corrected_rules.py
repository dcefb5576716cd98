"""A rule is corrected while a game runs: nothing is replayed, the game goes on, is shown, and ends."""

import json
from datetime import timedelta

import pytest

from pbem.age_of_steam.rules import Rules
from pbem.engine import record
from pbem.engine.record import read_record, verify
from pbem.service import NotNow
from pbem.service.archive import recheck, records
from pbem.service.games import takeback, views
from tests.table import NAMES
from tests.web.site import Site

MOST_SHARES = 3


def corrected(empty: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    """From now on nobody has more than three shares, and whoever replays a game does so by mistake."""
    monkeypatch.setattr(Rules, "share_cap", MOST_SHARES)

    def replayed(*_: object, **__: object) -> None:
        raise AssertionError("a stored game was replayed")

    for name in ("pbem.engine.record.replay", "pbem.engine.record.start", "pbem.service.archive.records.replay"):
        monkeypatch.setattr(name, replayed)


def test_a_running_game_goes_on_whatever_its_orders_are_worth(empty: Site, monkeypatch: pytest.MonkeyPatch) -> None:
    empty.start(map="new_england", names=NAMES[:2], grace=timedelta(minutes=10))
    replay, start = record.replay, record.start
    first = empty.view().waiting_for
    assert empty.play("issue 2").status == "played"
    assert empty.play_on(3).version == 4
    corrected(empty, monkeypatch)

    for number in range(empty.view().version + 1):
        shown = views.game(empty.office, empty.game, number)
        assert views.scene(empty.office, shown).players
        empty.get(f"/games/{empty.game}?at={number}")
    empty.get(f"/games/{empty.game}")
    _played_and_taken_back(empty)

    empty.play_on(1000)
    assert empty.view().status == "over"
    assert empty.get(f"/games/{empty.game}").text
    assert empty.game in empty.client.get("/archive").text
    answer = empty.client.get(f"/games/{empty.game}/record.json")
    assert answer.status_code == 200

    monkeypatch.setattr("pbem.engine.record.replay", replay)
    monkeypatch.setattr("pbem.engine.record.start", start)
    proof = verify(empty.view().sheet, read_record(json.dumps(records.export(empty.office, empty.game))))
    assert any(f"Entry 0 (turn 1, {first}) cannot be played: " in fault for fault in proof.faults)
    finding = recheck.check(empty.office, empty.game)
    assert finding is not None
    assert (finding.number, finding.orders) == (1, "issue 2")


def _played_and_taken_back(empty: Site) -> None:
    """Orders are played until some can be taken back; the position is that before them."""
    while True:
        before = empty.view()
        sender = next(seat.number for seat in before.seats if seat.seat == before.waiting_for)
        empty.play()
        try:
            takeback.take_back(empty.office, empty.game, sender, empty.now)
        except NotNow:
            continue
        assert empty.view().sheet.encode(empty.view().state) == before.sheet.encode(before.state)
        return
