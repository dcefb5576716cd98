"""A webhook from the move that causes a message to the request that carries it."""

import json
from dataclasses import replace
from typing import Any

import pytest
from sqlalchemy import select
from sqlalchemy.exc import OperationalError

from pbem.service.base.task_hints import Hint
from pbem.service.letters import webhook_messages
from pbem.service.people import webhooks as own
from pbem.store.tables import WebhookMessage
from pbem.transport import broker, webhooks
from tests.table import Table
from tests.transport.webhooks.test_sending import Server, code, says
from workers import clock, work


@pytest.fixture
def table(on_loopback: Table) -> Table:
    return on_loopback


def waiting(table: Table) -> list[int]:
    return table.rows(select(WebhookMessage.id).where(WebhookMessage.status == "waiting"))


def hooked(table: Table, server: Server, kind: str = "json") -> int:
    url = f"http://127.0.0.1:{server.port}/webhook"  # of ntfy it is the topic
    return own.add(table.office, table.host, kind, url, table.game, table.now)


def tell_all(table: Table) -> None:
    for number in waiting(table):
        work.tell(table.office, number)
        work.tell(table.office, number)


def heard(server: Server) -> list[dict[str, Any]]:
    return [json.loads(request.partition(b"\r\n\r\n")[2]) for request in server.heard]


@pytest.mark.parametrize("kind", webhooks.KINDS)
def test_a_turn_reaches_the_other_service_once(table: Table, kind: str) -> None:
    with Server(says(code(204))) as server:
        hooked(table, server, kind)
        table.play()
        tell_all(table)
    (told,) = heard(server)
    assert f"https://play.example.org/games/{table.game}" in json.dumps(told)
    assert "/t/" not in json.dumps(told)
    assert "/s/" not in json.dumps(told)
    (view,) = own.mine(table.office, table.host)
    assert (view.good, str(view.result)) == (True, "Delivered, the answer was 204.")


def test_a_webhook_that_is_gone_is_told_nothing_more(table: Table) -> None:
    with Server(says(code(410))) as server:
        hooked(table, server)
        for _ in range(2):
            table.play()
            tell_all(table)
    assert len(server.heard) == 1
    assert len(table.letters("webhook-stopped")) == 1


def test_an_address_that_is_no_longer_allowed_is_told_nothing(table: Table) -> None:
    with Server(says(code(200))) as server:
        hooked(table, server)
        table.play()
        table.office = replace(table.office, settings=replace(table.office.settings, webhooks_loopback=False))
        tell_all(table)
    assert server.heard == []
    (view,) = own.mine(table.office, table.host)
    assert view.stopped_at == table.now


def test_an_error_of_ours_is_noted_and_raised(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    def broken(*_: object) -> bytes:
        raise ZeroDivisionError

    with Server(says(code(200))) as server:
        hooked(table, server)
        table.play()
        monkeypatch.setattr(webhooks, "body", broken)
        with pytest.raises(ZeroDivisionError):
            work.tell(table.office, waiting(table)[0])
    (view,) = own.mine(table.office, table.host)
    assert (view.good, str(view.result)) == (False, "There was an error on our side.")


def test_a_database_that_is_away_sends_no_message_twice(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    tries: list[int] = []
    noted = webhook_messages.told

    def told(*words: Any) -> None:
        tries.append(1)
        if len(tries) < 3:
            raise OperationalError("UPDATE webhook_messages", {}, Exception("the database system is starting up"))
        noted(*words)

    monkeypatch.setattr(webhook_messages, "told", told)
    monkeypatch.setattr(work, "AGAIN_AFTER", 0.01)
    with Server(says(code(200))) as server:
        hooked(table, server)
        table.play()
        work.tell(table.office, waiting(table)[0])
    assert len(server.heard) == 1
    assert waiting(table) == []


def test_the_clock_gives_lost_hints_again_and_sends_nothing_itself(table: Table) -> None:
    with Server(says(code(200))) as server:
        hooked(table, server)
        table.play()
        table.hints.clear()
        clock.tick(table.office, table.later(seconds=20))
        assert [hint for hint in table.hints if hint.task == broker.TELL] == [Hint(broker.TELL, waiting(table)[0])]
        assert server.heard == []
