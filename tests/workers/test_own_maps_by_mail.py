"""Games on own maps, played to their end by answering emails: a small one, and one of a hundred hexes."""

import smtplib
from collections.abc import Iterator
from dataclasses import replace

import pytest

from pbem.robot import matches
from pbem.service.base.urls import Addresses
from pbem.service.letter_views import correspondence
from pbem.service.orders import submissions
from pbem.store.statuses import GameStatus
from tests.drawn import LAKELAND, SMALL, map_of
from tests.patience import PATIENCE
from tests.servers import free_port
from tests.table import Table
from tests.workers.test_answers import answered, in_one_line, send
from workers import mailin, pictures, work

ADDRESSES = {"Ana": "ana@example.net", "Ben": "ben@example.net", "Chloé": "chloe@example.net"}
PICTURED = 10
"""Every so many questions the picture of the larger map is drawn."""


@pytest.fixture(params=[(SMALL, 2), (LAKELAND, 3)], ids=["small", "a hundred hexes"])
def table(fresh: Table, monkeypatch: pytest.MonkeyPatch, request: pytest.FixtureRequest) -> Table:
    monkeypatch.setattr(work, "now", lambda: fresh.now)
    text, players = request.param
    made = map_of(fresh.office, fresh.account("Ana"), fresh.now, text)
    settings = replace(fresh.office.settings, orders_address="orders@play.example.org", mailin_port=free_port())
    addresses = Addresses(settings.public_url, fresh.office.tokens, settings.orders_address)
    fresh.office = replace(fresh.office, settings=settings, addresses=addresses)
    fresh.open(tuple(ADDRESSES)[:players], map=made.slug)
    fresh.send_all()
    for number in range(1, players):
        fresh.answer(number)
    return fresh


@pytest.fixture
def wire(table: Table) -> Iterator[smtplib.SMTP]:
    server = mailin.Listener(table.office)
    server.start()
    with smtplib.SMTP("127.0.0.1", table.office.settings.mailin_port, timeout=PATIENCE) as client:
        yield client
    server.stop()


def test_every_question_is_answered_by_mail_until_the_game_is_over(table: Table, wire: smtplib.SMTP) -> None:
    number, sheet = 0, table.view().sheet
    names = {seat.seat: seat.name for seat in table.view().seats}
    small = sheet.name == "Douro"
    while not (asked := table.asked()).over:
        table.send_all()
        row = table.letters("your-turn")[-1]
        if small or number % PICTURED == 0:
            assert pictures.picture(correspondence.letter(table.office, row.id, table.now))
        number += 1
        order = asked.default() if small else matches.classic(sheet, asked.state, "by mail")
        send(wire, answered(table, row, order, number), ADDRESSES[names[asked.waiting_for]])
        submissions.play_waiting(table.office, table.game, table.now)
        assert table.asked().version > asked.version
        assert number < 300
    assert table.row().status == GameStatus.OVER
    assert small or sheet.position(asked.state)["track"]
    assert {one.via for one in table.submissions()} == {"mail"}
    table.send_all()
    assert sheet.name in in_one_line(table, table.letters("game-over")[-1])
