"""Messages to webhooks at their edges: which webhooks, how often, how many at once, and what failing leaves behind."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select, update

from pbem.engine.text import say
from pbem.service.base import queries
from pbem.service.base.task_hints import Hint
from pbem.service.base.work import GameWork
from pbem.service.letters import webhook_messages
from pbem.service.people import webhooks
from pbem.store.tables import Game, Seat, Webhook, WebhookMessage
from pbem.transport import broker
from tests.table import Table

URL = "https://hooks.slack.com/services/T/B/secret"


def add(table: Table, account: int, game: str = "") -> int:
    return webhooks.add(table.office, account, "slack", URL, game, table.now)


def of_game(table: Table) -> int:
    """A webhook of a game that runs."""
    table.start()
    return add(table, table.host, table.game)


def messages(table: Table, webhook: int = 0) -> Sequence[WebhookMessage]:
    with table.office.read() as session:
        rows = session.scalars(select(WebhookMessage).order_by(WebhookMessage.id)).all()
    return [row for row in rows if webhook in (0, row.webhook_id)]


def webhook_row(table: Table, number: int) -> Webhook:
    with table.office.read() as session:
        return session.get_one(Webhook, number)


def ask(table: Table, wait: timedelta = timedelta(0), again: bool = False) -> None:
    """Tell the webhooks of the game what the position asks."""
    with table.office.game(table.game, table.now) as work:
        webhook_messages.turn(work, _asked(work), wait, again=again)


def _asked(work: GameWork) -> Seat:
    return work.seat(work.game.to_act)


def tell_all(table: Table, webhook: int) -> list[str]:
    """Send what can be sent to a webhook; says what."""
    kinds = []
    for row in messages(table, webhook):
        if webhook_messages.claim(table.office, row.id, table.now) is not None:
            webhook_messages.told(table.office, row.id, 200, table.now)
            kinds.append(row.kind)
    return kinds


def test_a_position_is_told_to_a_webhook_once_unless_it_is_to_be_told_again(table: Table) -> None:
    webhook = of_game(table)
    ask(table)
    table.later(seconds=1)
    ask(table)
    assert len(messages(table, webhook)) == 1
    ask(table, again=True)
    assert [row.kind for row in messages(table, webhook)] == ["turn", "turn"]


def test_there_is_no_hint_at_a_message_that_is_to_wait(table: Table) -> None:
    webhook = of_game(table)
    ask(table, wait=timedelta(minutes=10))
    (row,) = messages(table, webhook)
    assert (row.next_try_at, row.created_at) == (table.now + timedelta(minutes=10), table.now)
    assert Hint(broker.TELL, row.id) not in table.hints


def test_one_look_of_the_clock_hints_at_one_message_of_each_webhook(table: Table) -> None:
    first = of_game(table)
    second = add(table, table.host, table.game)
    for _ in range(2):
        table.play()
    table.hints.clear()
    assert [row.webhook_id for row in messages(table)] == [first, second] * 2
    assert webhook_messages.hint_due(table.office, table.now, table.now) == 2
    assert [hint.id for hint in table.hints] == [row.id for row in messages(table)[:2]]


def test_a_delivered_message_lets_the_next_one_of_its_webhook_go_and_forgets_all_failures(table: Table) -> None:
    add_first = of_game(table)
    second = add(table, table.host, table.game)
    ask(table, again=True)
    ask(table)
    mine, others = messages(table, second), messages(table, add_first)
    webhook_messages.failed(table.office, mine[0].id, say("no"), table.now, for_good=True)
    assert (webhook_row(table, second).failures, webhook_row(table, second).failing_since) == (1, table.now)
    assert [row.status for row in messages(table, second)] == ["failed", "waiting"]
    table.hints.clear()
    webhook_messages.told(table.office, others[0].id, 200, table.now)
    assert table.hints == [Hint(broker.TELL, others[1].id)]
    table.hints.clear()
    webhook_messages.told(table.office, mine[1].id, 200, table.now)
    assert table.hints == []
    assert (webhook_row(table, second).failures, webhook_row(table, second).failing_since) == (0, None)
    assert webhook_row(table, second).tried_at == table.now


def test_a_webhook_that_is_stopped_gets_none_of_its_messages_and_the_other_webhooks_get_theirs(table: Table) -> None:
    stopped = of_game(table)
    other = add(table, table.host, table.game)
    ask(table)
    assert tell_all(table, stopped) == ["turn"]
    for _ in range(2):
        table.later(seconds=1)
        ask(table, again=True)
    waiting = messages(table, stopped)[1:]
    webhook_messages.failed(table.office, waiting[0].id, say("gone"), table.now, gone=True)
    assert [row.status for row in messages(table, stopped)] == ["sent", "failed", "withdrawn"]
    assert [row.status for row in messages(table, other)] == ["waiting"] * 3
    at = table.now
    webhook_messages.failed(table.office, waiting[1].id, say("gone"), table.later(minutes=1), gone=True)
    assert webhook_row(table, stopped).stopped_at == at
    assert len(table.letters("webhook-stopped")) == 1


def test_the_letter_about_a_webhook_of_ones_own_names_no_game(table: Table) -> None:
    table.start()
    mine = add(table, table.host)
    webhooks.test(table.office, table.host, mine, table.now)
    (row,) = messages(table, mine)
    webhook_messages.failed(table.office, row.id, say("Gone."), table.now, gone=True)
    (letter,) = table.letters("webhook-stopped")
    assert letter.data == {"host": "hooks.slack.com", "why": '{"say":"Gone."}', "game": ""}
    assert (row.game_id, row.seat_number, row.version) == (None, None, None)


def test_a_host_who_changes_keeps_no_webhook_of_the_game_and_every_other_one(table: Table) -> None:
    table.start()
    other_game, kept = table.game, add(table, table.host, table.game)
    table.start()
    lost, own = add(table, table.host, table.game), add(table, table.host)
    ask(table)
    assert [row.webhook_id for row in messages(table)][:1] == [lost]
    with table.office.game(table.game, table.now) as work:
        work.game.host_id = 2
        webhook_messages.host_changed(work)
    assert other_game != table.game
    assert [view.id for view in webhooks.mine(table.office, table.host)] == [kept, own]
    assert lost not in [row.webhook_id for row in messages(table)]


def test_a_webhook_is_told_of_the_seat_its_owner_has_now(table: Table) -> None:
    view = table.start()
    number = next(seat.number for seat in view.seats if seat.seat == view.waiting_for)
    webhook = add(table, number + 1)
    ask(table)
    (row,) = messages(table, webhook)
    assert (row.game_id, row.seat_number, row.version) == (table.game, number, 0)
    with table.office.write() as session:
        queries.locked(session, table.game)
        elsewhere = (number + 1) % 4
        session.execute(update(Seat).where(Seat.number == elsewhere).values(account_id=None))
        session.execute(update(Seat).where(Seat.number == number).values(account_id=None))
        session.execute(update(Seat).where(Seat.number == elsewhere).values(account_id=number + 1))
    assert webhook_messages.claim(table.office, row.id, table.now) is None
    assert [row.status for row in messages(table, webhook)] == ["withdrawn"]


def test_the_end_of_a_game_is_told_to_the_players_webhooks_of_that_game_alone(table: Table) -> None:
    table.start(names=("Ana", "Ben", "Chloé", "Davi"))
    with table.office.write() as session:
        queries.locked(session, table.game)
        session.execute(update(Seat).where(Seat.game_id == table.game, Seat.number == 3).values(account_id=None))
    mine, left = add(table, 2), add(table, 4)
    with table.office.game(table.game, table.now) as work:
        webhook_messages.over(work)
    assert [row.webhook_id for row in messages(table)] == [mine]
    assert messages(table, left) == []
    with table.office.write() as session:
        queries.locked(session, table.game)
        session.execute(update(Game).values(status="over"))
    assert tell_all(table, mine) == ["over"]
    assert tell_all(table, mine) == []


def over_sentence(table: Table) -> str:
    """What the webhook of a game is told of its end."""
    hook = of_game(table)
    with table.office.game(table.game, table.now) as work:
        webhook_messages.over(work)
    (row,) = messages(table, hook)
    call = webhook_messages.claim(table.office, row.id, table.now)
    assert call is not None
    return call.message.sentence


def test_the_end_of_a_game_is_told_with_who_is_first(table: Table) -> None:
    sentence = over_sentence(table)
    view = table.view()
    first = view.sheet.standings(view.state)[0].seat
    assert sentence == f"The game on {view.sheet.name} is over. First: {view.names[first]}."


@pytest.mark.parametrize("nobody", ["out", "none"])
def test_the_end_of_a_game_without_a_winner_names_nobody(
    table: Table, monkeypatch: pytest.MonkeyPatch, nobody: str
) -> None:
    sheet = type(table.start().sheet)
    lines = sheet.standings(table.view().sheet, table.view().state)
    lost = [replace(line, out=True) for line in lines] if nobody == "out" else []
    monkeypatch.setattr(sheet, "standings", lambda *_: lost)
    assert over_sentence(table) == f"The game on {table.view().sheet.name} is over."
