"""Webhooks: who is told what, how often and how many at once, when it is tried again, and when we stop."""

from collections.abc import Sequence
from datetime import timedelta

import pytest
from sqlalchemy import select, update

from pbem.engine import replace, say
from pbem.service import BadInput, NoSuch, NotNow
from pbem.service.base import GameWork, queries
from pbem.service.base.task_hints import Hint
from pbem.service.letters import queue, webhook_messages
from pbem.service.orders import deadlines
from pbem.service.people import webhooks
from pbem.store.statuses import GameStatus
from pbem.store.tables import Account, Game, Seat, Webhook, WebhookMessage
from pbem.transport import broker
from pbem.transport.webhooks import Message, body
from tests.speaking import angled, spoken_as
from tests.table import Table

SLACK = "https://hooks.slack.com/services/T/B/secret"
NO = say("The answer was 503.")


def asked(table: Table) -> int:
    return table.number_asked() + 1


def other(table: Table) -> int:
    return asked(table) % 4 + 1


def messages(table: Table, status: str = "", webhook: int = 0) -> Sequence[WebhookMessage]:
    rows = table.rows(select(WebhookMessage).order_by(WebhookMessage.id))
    return [row for row in rows if status in ("", row.status) and webhook in (0, row.webhook_id)]


def deliver(table: Table, *, taken: bool = True) -> list[Message]:
    """Let a worker send everything that can be sent now."""
    out = []
    for row in messages(table, "waiting"):
        call = webhook_messages.claim(table.office, row.id, table.now)
        if call is not None:
            out.append(call.message)
            if taken:
                webhook_messages.told(table.office, row.id, 204, table.now)
            else:
                webhook_messages.failed(table.office, row.id, NO, table.now)
    return out


def mine(table: Table, account: int) -> webhooks.WebhookView:
    (view,) = webhooks.mine(table.office, account)
    return view


def add(table: Table, account: int, game: str = "", kind: str = "slack", url: str = SLACK) -> int:
    return webhooks.add(table.office, account, kind, url, game, table.now)


def test_a_webhook_speaks_the_language_of_its_owner(dealt: Table) -> None:
    account = dealt.number_asked() + 1
    add(dealt, account)
    dealt.put(update(Account).where(Account.id == account).values(language="pl"))
    dealt.play()
    while asked(dealt) != account:
        dealt.play()
    with spoken_as(angled):
        told = deliver(dealt)[0]
        sent = body("slack", told).decode()
    assert told.sentence.startswith("«It is your turn («turn 1»). «")
    assert "\\u00abOpen the page\\u00bb" in sent


@pytest.mark.postgresql
def test_ones_own_webhook_is_told_of_ones_turn_with_the_private_link(dealt: Table) -> None:
    first = dealt.number_asked() + 1
    for account in (first, other(dealt)):
        add(dealt, account)
    dealt.play()
    (told,) = deliver(dealt)
    view = dealt.view()
    assert told.link == dealt.office.addresses.turn(view.id, view.waiting_for, view.version)
    assert told.sentence == "It is your turn (turn 1). Issue shares."
    assert (told.event, told.title, told.deadline) == ("turn", "Coal by post", view.deadline)


def test_a_games_webhook_is_told_of_every_turn_without_private_links(dealt: Table) -> None:
    add(dealt, dealt.host, dealt.game)
    for _ in range(3):
        dealt.play()
        (told,) = deliver(dealt)
        view = dealt.view()
        assert told.link == f"https://play.example.org/games/{dealt.game}"
        assert told.player == view.names[view.waiting_for]
        assert told.sentence == f"Turn 1, {view.sheet.word(view.sheet.phase(view.state))}. Waiting for: {told.player}."


def test_the_end_of_a_game_is_told_with_its_standings(dealt: Table) -> None:
    add(dealt, dealt.host, dealt.game)
    add(dealt, other(dealt))
    with dealt.office.game(dealt.game, dealt.now) as work:
        work.game.status = GameStatus.OVER
        webhook_messages.over(work)
    told = deliver(dealt)
    assert [message.event for message in told] == ["over", "over"]
    assert {message.link for message in told} == {f"https://play.example.org/games/{dealt.game}"}
    assert len(told[0].standings) == 4


@pytest.mark.postgresql
def test_a_game_that_ends_by_itself_tells_its_webhooks(dealt: Table) -> None:
    add(dealt, dealt.host, dealt.game)
    dealt.play_on(1000)
    assert [row.kind for row in messages(dealt)].count("over") == 1


@pytest.mark.postgresql
def test_nobody_is_told_before_the_grace_time_is_over(dealt: Table) -> None:
    add(dealt, dealt.host, dealt.game)
    dealt.put(update(Game).values(grace_seconds=600))
    dealt.play()
    assert deliver(dealt) == []
    dealt.later(minutes=10)
    assert len(deliver(dealt)) == 1


def test_ones_own_webhook_is_reminded_like_its_owner_and_that_of_the_game_is_not(dealt: Table) -> None:
    add(dealt, asked(dealt))
    add(dealt, dealt.host, dealt.game)
    add(dealt, other(dealt))
    deliver(dealt)
    assert not deadlines.remind(dealt.office, dealt.game, dealt.later(hours=1))
    assert deadlines.remind(dealt.office, dealt.game, dealt.later(hours=47))
    (message,) = deliver(dealt)
    assert (message.event, message.turn) == ("reminder", 1)
    assert message.sentence.startswith("It is still your turn (turn 1). ")
    assert message.link == dealt.office.addresses.turn(dealt.game, dealt.view().waiting_for, 0)


def test_a_reminder_whose_question_was_answered_meanwhile_is_told_to_nobody(dealt: Table) -> None:
    add(dealt, asked(dealt))
    assert deadlines.remind(dealt.office, dealt.game, dealt.later(hours=48))
    dealt.play()
    assert deliver(dealt) == []


def test_a_question_that_was_answered_meanwhile_is_told_to_nobody(dealt: Table) -> None:
    add(dealt, dealt.host, dealt.game)
    dealt.play()
    dealt.play()
    assert len(deliver(dealt)) == 1
    assert [row.status for row in messages(dealt)] == ["withdrawn", "sent"]


@pytest.mark.postgresql
def test_what_is_not_taken_is_tried_again_more_and_more_patiently(dealt: Table) -> None:
    account = dealt.host
    add(dealt, account, dealt.game)
    dealt.play()
    waits = []
    while messages(dealt, "waiting"):
        assert len(deliver(dealt, taken=False)) == 1
        (row,) = messages(dealt)
        waits.append((row.next_try_at - dealt.now).total_seconds())
        dealt.now = max(row.next_try_at, dealt.now)
        assert mine(dealt, account).waiting == (len(waits) < 7)
    assert waits[:6] == [30, 120, 480, 1920, 7680, 30720]
    assert (row.status, row.attempts, row.answer) == ("failed", 7, "The answer was 503.")
    view = mine(dealt, account)
    assert (view.good, str(view.result), view.stopped_at) == (False, "The answer was 503.", None)


@pytest.mark.parametrize(
    ("failures", "since", "stopped"),
    [
        (10, timedelta(days=1), True),
        (9, timedelta(days=1), False),
        (10, timedelta(days=1, seconds=-1), False),
    ],
)
def test_ten_failures_in_a_day_stop_a_webhook(dealt: Table, failures: int, since: timedelta, stopped: bool) -> None:
    add(dealt, dealt.host, dealt.game)
    for _ in range(failures - 1):
        dealt.play()
        assert len(deliver(dealt, taken=False)) == 1
    dealt.now += since
    dealt.play()
    assert len(deliver(dealt, taken=False)) == 1
    assert (mine(dealt, dealt.host).stopped_at is not None) is stopped
    letters = dealt.letters("webhook-stopped")
    assert [letter.account_id for letter in letters] == [dealt.host] * stopped
    said = [dealt.read(letter).own for letter in letters]
    assert [(own.host, own.why, own.game) for own in said] == [
        ("hooks.slack.com", "The answer was 503.", "Coal by post"),
    ] * stopped


def test_three_hundred_characters_of_a_refusal_are_kept(dealt: Table) -> None:
    add(dealt, dealt.host, dealt.game)
    dealt.play()
    (row,) = messages(dealt)
    webhook_messages.failed(dealt.office, row.id, say("x" * 301), dealt.now)
    assert messages(dealt)[0].answer == "x" * 300


def test_a_message_is_hinted_again_when_its_sender_has_had_two_minutes(dealt: Table) -> None:
    add(dealt, dealt.host, dealt.game)
    dealt.play()
    (row,) = messages(dealt)
    assert Hint(broker.TELL, row.id) in dealt.hints
    at = dealt.now
    assert webhook_messages.hint_due(dealt.office, at - timedelta(seconds=1), at) == 0
    assert webhook_messages.hint_due(dealt.office, at, at) == 1
    assert webhook_messages.claim(dealt.office, row.id, at) is not None
    assert webhook_messages.hint_due(dealt.office, at, dealt.later(seconds=119)) == 0
    assert webhook_messages.claim(dealt.office, row.id, dealt.now) is None
    assert webhook_messages.hint_due(dealt.office, at, dealt.later(seconds=1)) == 1
    webhook_messages.told(dealt.office, row.id, 204, dealt.now)
    assert webhook_messages.hint_due(dealt.office, dealt.now, dealt.now) == 0
    assert timedelta(seconds=2) == queue.SLOW


@pytest.mark.postgresql
def test_a_webhook_that_is_gone_is_stopped_at_once_and_a_test_switches_it_on(dealt: Table) -> None:
    number = add(dealt, dealt.host, dealt.game)
    dealt.play()
    (row,) = messages(dealt)
    assert webhook_messages.claim(dealt.office, row.id, dealt.now) is not None
    webhook_messages.failed(dealt.office, row.id, say("Gone."), dealt.now, gone=True)
    assert mine(dealt, dealt.host).stopped_at is not None
    webhooks.test(dealt.office, dealt.host, number, dealt.now)
    assert mine(dealt, dealt.host).testing
    assert [message.event for message in deliver(dealt)] == ["test"]
    view = mine(dealt, dealt.host)
    assert (view.stopped_at, view.good, view.testing) == (None, True, False)
    assert str(view.result) == "Delivered, the answer was 204."


@pytest.mark.postgresql
def test_there_are_only_so_many_tests_and_so_many_webhooks(table: Table) -> None:
    table.open()
    number = add(table, 1)
    for _ in range(queue.TESTS):
        webhooks.test(table.office, 1, number, table.now)
    with pytest.raises(NotNow, match="5 tests within an hour"):
        webhooks.test(table.office, 1, number, table.now)
    webhooks.test(table.office, 1, number, table.later(hours=1, seconds=1))
    for _ in range(webhooks.MOST - 1):
        add(table, 1)
    with pytest.raises(NotNow, match="Remove one first"):
        add(table, 1)
    add(table, 2)


@pytest.mark.postgresql
def test_a_webhook_can_be_removed_with_all_that_waits_for_it(dealt: Table) -> None:
    number = add(dealt, dealt.host, dealt.game)
    dealt.play()
    (row,) = messages(dealt)
    webhook_messages.claim(dealt.office, row.id, dealt.now)
    webhooks.remove(dealt.office, dealt.host, number)
    assert not messages(dealt)
    webhook_messages.told(dealt.office, row.id, 200, dealt.now)
    webhook_messages.failed(dealt.office, row.id, NO, dealt.now)
    assert webhooks.mine(dealt.office, dealt.host) == ()


def test_nobody_touches_the_webhooks_of_others(table: Table) -> None:
    table.open()
    number = add(table, 1)
    with pytest.raises(NoSuch):
        webhooks.remove(table.office, 2, number)
    with pytest.raises(NoSuch):
        webhooks.test(table.office, 2, number, table.now)
    assert webhooks.mine(table.office, 2) == ()


@pytest.mark.parametrize(
    ("kind", "url", "field"),
    [
        ("irc", SLACK, "kind"),
        ("json", "http://example.org/", "url"),
        ("json", "https://10.0.0.1/", "url"),
        ("json", "https://localhost/", "url"),
        ("discord", "https://example.org/api/webhooks/1/x", "url"),
        ("discord", "https://notdiscord.com/api/webhooks/1/x", "url"),
        ("json", "", "url"),
    ],
)
def test_what_cannot_be_a_webhook_is_not_saved(table: Table, kind: str, url: str, field: str) -> None:
    table.open()
    with pytest.raises(BadInput) as caught:
        add(table, 1, kind=kind, url=url)
    assert [problem.field for problem in caught.value.problems] == [field]
    assert webhooks.mine(table.office, 1) == ()


@pytest.mark.postgresql
def test_only_the_host_makes_a_webhook_of_a_game(table: Table) -> None:
    table.open()
    assert webhooks.hosted(table.office, table.host) == ((table.game, "Coal by post"),)
    for account, game in ((2, table.game), (table.host, "nosuch")):
        with pytest.raises(BadInput, match="that you host"):
            add(table, account, game)


def test_the_page_shows_the_host_of_an_address_and_not_its_secret(table: Table) -> None:
    table.open()
    add(table, 1)
    view = mine(table, 1)
    assert view.where == "hooks.slack.com"
    assert "secret" not in repr(view)


def of_game(table: Table) -> int:
    table.start()
    return add(table, table.host, table.game)


def webhook_row(table: Table, number: int) -> Webhook:
    return table.found(Webhook, number)


def ask(table: Table, wait: timedelta = timedelta(0), again: bool = False) -> None:
    """Tell the webhooks of the game what the position asks."""
    with table.office.game(table.game, table.now) as work:
        webhook_messages.turn(work, _asked(work), wait, again=again)


def _asked(work: GameWork) -> Seat:
    return work.seat(work.game.to_act)


def tell_all(table: Table, webhook: int) -> list[str]:
    """Send what can be sent to a webhook; says what."""
    kinds = []
    for row in messages(table, webhook=webhook):
        if webhook_messages.claim(table.office, row.id, table.now) is not None:
            webhook_messages.told(table.office, row.id, 200, table.now)
            kinds.append(row.kind)
    return kinds


def test_a_position_is_told_to_a_webhook_once_unless_it_is_to_be_told_again(table: Table) -> None:
    webhook = of_game(table)
    ask(table)
    table.later(seconds=1)
    ask(table)
    assert len(messages(table, webhook=webhook)) == 1
    ask(table, again=True)
    assert [row.kind for row in messages(table, webhook=webhook)] == ["turn", "turn"]


def test_there_is_no_hint_at_a_message_that_is_to_wait(table: Table) -> None:
    webhook = of_game(table)
    ask(table, wait=timedelta(minutes=10))
    (row,) = messages(table, webhook=webhook)
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
    mine, others = messages(table, webhook=second), messages(table, webhook=add_first)
    webhook_messages.failed(table.office, mine[0].id, say("no"), table.now, for_good=True)
    assert (webhook_row(table, second).failures, webhook_row(table, second).failing_since) == (1, table.now)
    assert [row.status for row in messages(table, webhook=second)] == ["failed", "waiting"]
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
    waiting = messages(table, webhook=stopped)[1:]
    webhook_messages.failed(table.office, waiting[0].id, say("gone"), table.now, gone=True)
    assert [row.status for row in messages(table, webhook=stopped)] == ["sent", "failed", "withdrawn"]
    assert [row.status for row in messages(table, webhook=other)] == ["waiting"] * 3
    at = table.now
    webhook_messages.failed(table.office, waiting[1].id, say("gone"), table.later(minutes=1), gone=True)
    assert webhook_row(table, stopped).stopped_at == at
    assert len(table.letters("webhook-stopped")) == 1


def test_the_letter_about_a_webhook_of_ones_own_names_no_game(dealt: Table) -> None:
    mine = add(dealt, dealt.host)
    webhooks.test(dealt.office, dealt.host, mine, dealt.now)
    (row,) = messages(dealt, webhook=mine)
    webhook_messages.failed(dealt.office, row.id, say("Gone."), dealt.now, gone=True)
    (letter,) = dealt.letters("webhook-stopped")
    assert letter.data == {"host": "hooks.slack.com", "why": '{"say":"Gone."}', "game": ""}
    assert (row.game_id, row.seat_number, row.version) == (None, None, None)


def test_a_host_who_changes_keeps_no_webhook_of_the_game_and_every_other_one(dealt: Table) -> None:
    other_game, kept = dealt.game, add(dealt, dealt.host, dealt.game)
    dealt.start()
    lost, own = add(dealt, dealt.host, dealt.game), add(dealt, dealt.host)
    ask(dealt)
    assert [row.webhook_id for row in messages(dealt)][:1] == [lost]
    with dealt.office.game(dealt.game, dealt.now) as work:
        work.game.host_id = 2
        webhook_messages.host_changed(work)
    assert other_game != dealt.game
    assert [view.id for view in webhooks.mine(dealt.office, dealt.host)] == [kept, own]
    assert lost not in [row.webhook_id for row in messages(dealt)]


def test_a_webhook_is_told_of_the_seat_its_owner_has_now(table: Table) -> None:
    view = table.start()
    number = next(seat.number for seat in view.seats if seat.seat == view.waiting_for)
    webhook = add(table, number + 1)
    ask(table)
    (row,) = messages(table, webhook=webhook)
    assert (row.game_id, row.seat_number, row.version) == (table.game, number, 0)
    with table.office.write() as session:
        queries.locked(session, table.game)
        elsewhere = (number + 1) % 4
        session.execute(update(Seat).where(Seat.number == elsewhere).values(account_id=None))
        session.execute(update(Seat).where(Seat.number == number).values(account_id=None))
        session.execute(update(Seat).where(Seat.number == elsewhere).values(account_id=number + 1))
    assert webhook_messages.claim(table.office, row.id, table.now) is None
    assert [row.status for row in messages(table, webhook=webhook)] == ["withdrawn"]


def test_the_end_of_a_game_is_told_to_the_players_webhooks_of_that_game_alone(table: Table) -> None:
    table.start(names=("Ana", "Ben", "Chloé", "Davi"))
    table.put(update(Seat).where(Seat.game_id == table.game, Seat.number == 3).values(account_id=None))
    mine, left = add(table, 2), add(table, 4)
    with table.office.game(table.game, table.now) as work:
        webhook_messages.over(work)
    assert [row.webhook_id for row in messages(table)] == [mine]
    assert messages(table, webhook=left) == []
    table.put(update(Game).values(status="over"))
    assert tell_all(table, mine) == ["over"]
    assert tell_all(table, mine) == []


def over_sentence(table: Table) -> str:
    """What the webhook of a game is told of its end."""
    hook = of_game(table)
    with table.office.game(table.game, table.now) as work:
        webhook_messages.over(work)
    (row,) = messages(table, webhook=hook)
    call = webhook_messages.claim(table.office, row.id, table.now)
    assert call is not None
    return call.message.sentence


def test_the_end_of_a_game_is_told_with_who_is_first(table: Table) -> None:
    sentence = over_sentence(table)
    view = table.view()
    first = view.sheet.standings(view.state)[0].seat
    assert sentence == f"The game on {view.sheet.name} is over. First: {view.names[first]}."


@pytest.mark.parametrize("nobody", ["out", "none"])
def test_the_end_without_a_winner_names_nobody(table: Table, monkeypatch: pytest.MonkeyPatch, nobody: str) -> None:
    sheet = type(table.start().sheet)
    lines = sheet.standings(table.view().sheet, table.view().state)
    lost = [replace(line, out=True) for line in lines] if nobody == "out" else []
    monkeypatch.setattr(sheet, "standings", lambda *_: lost)
    assert over_sentence(table) == f"The game on {table.view().sheet.name} is over."
