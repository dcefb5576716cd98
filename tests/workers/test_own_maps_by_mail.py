"""A game on an own map, played to its end by answering emails, with every picture drawn."""

import smtplib
from collections.abc import Iterator
from dataclasses import replace

import pytest

from pbem.service.base.urls import Addresses
from pbem.service.letter_views import correspondence
from pbem.service.orders import submissions
from pbem.store.statuses import GameStatus
from tests.drawn import SLUG, map_of
from tests.patience import PATIENCE
from tests.servers import free_port
from tests.table import Table
from tests.workers.test_answers import answered, in_one_line, send
from workers import mailin, pictures, work

ADDRESSES = {"Ana": "ana@example.net", "Ben": "ben@example.net"}


@pytest.fixture
def table(fresh: Table, monkeypatch: pytest.MonkeyPatch) -> Table:
    monkeypatch.setattr(work, "now", lambda: fresh.now)
    map_of(fresh.office, fresh.account("Ana"), fresh.now)
    settings = replace(fresh.office.settings, orders_address="orders@play.example.org", mailin_port=free_port())
    addresses = Addresses(settings.public_url, fresh.office.tokens, settings.orders_address)
    fresh.office = replace(fresh.office, settings=settings, addresses=addresses)
    fresh.open(("Ana", "Ben"), map=SLUG)
    fresh.send_all()
    fresh.answer(1)
    return fresh


@pytest.fixture
def wire(table: Table) -> Iterator[smtplib.SMTP]:
    server = mailin.Listener(table.office)
    server.start()
    with smtplib.SMTP("127.0.0.1", table.office.settings.mailin_port, timeout=PATIENCE) as client:
        yield client
    server.stop()


def test_every_question_is_answered_by_mail_until_the_game_is_over(table: Table, wire: smtplib.SMTP) -> None:
    number = 0
    while not table.asked().over:
        asked, seats = table.asked(), table.view().seats
        table.send_all()
        row = table.letters("your-turn")[-1]
        draft = correspondence.letter(table.office, row.id, table.now)
        assert pictures.picture(draft)
        number += 1
        name = next(seat.name for seat in seats if seat.seat == asked.waiting_for)
        send(wire, answered(table, row, asked.default(), number), ADDRESSES[name])
        submissions.play_waiting(table.office, table.game, table.now)
        assert table.asked().version > asked.version
        assert number < 200
    assert table.row().status == GameStatus.OVER
    assert {one.via for one in table.submissions()} == {"mail"}
    table.send_all()
    assert "Douro" in in_one_line(table, table.letters("game-over")[-1])
