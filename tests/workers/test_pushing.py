"""What a device is told: from the move that causes it to the message that its browser decrypts."""

import re
from collections.abc import Iterator
from dataclasses import replace
from datetime import UTC, datetime, time, timedelta

import pytest
from http_ece import ECEException
from sqlalchemy import select

from pbem.engine import values
from pbem.service.games import cancelling
from pbem.service.letters import push_messages
from pbem.service.orders import deadlines
from pbem.service.people import accounts, devices, notifications
from pbem.store.tables import PushMessage, PushSubscription, Seat
from pbem.transport import broker
from pbem.transport import devices as sending
from tests.pushservice import Browser, PushService, claims, text
from tests.table import Table
from workers import clock, work


@pytest.fixture
def table(on_loopback: Table) -> Table:
    return on_loopback


@pytest.fixture
def service() -> Iterator[PushService]:
    with PushService() as serving:
        yield serving


def account_of(table: Table, colour: str) -> int:
    return table.only(select(Seat.account_id).where(Seat.game_id == table.game, Seat.colour == colour)) or 0


def next_account(table: Table) -> int:
    return account_of(table, table.rest()[0])


def switched_on(table: Table, service: PushService, account: int, path: str = "/wp/a", game: str = "") -> Browser:
    browser = Browser(path)
    devices.add(table.office, account, browser.subscription(service.root), "Firefox, Android", table.now, game)
    return browser


def push_all(table: Table) -> None:
    for number in table.rows(select(PushMessage.id).where(PushMessage.status == "waiting").order_by(PushMessage.id)):
        work.push(table.office, number)
        work.push(table.office, number)


def statuses(table: Table) -> list[tuple[str, str]]:
    return [(row.kind, str(row.status)) for row in table.rows(select(PushMessage).order_by(PushMessage.id))]


def test_a_turn_reaches_the_device_of_who_is_asked_and_only_its_browser_can_read_it(
    table: Table, service: PushService
) -> None:
    browser = switched_on(table, service, next_account(table))
    table.play()
    hints = [hint for hint in table.hints if hint.task == broker.PUSH]
    assert len(hints) == 1
    work.push(table.office, int(hints[0].id))
    work.push(table.office, int(hints[0].id))
    (heard,) = service.heard
    assert heard.path == browser.path
    told = browser.read(heard)
    view = table.view()
    assert told["title"] == "Coal by post: Issue shares"
    assert told["body"].startswith("It is your turn (turn 1). Answer by ")
    assert told["link"] == table.office.addresses.turn(table.game, view.waiting_for, view.version)
    assert told["tag"] == table.game
    with pytest.raises(ECEException):
        Browser("/wp/other").read(heard)


def test_the_push_service_learns_who_sends_and_how_long_to_keep_it(table: Table, service: PushService) -> None:
    browser = switched_on(table, service, next_account(table))
    table.play()
    push_all(table)
    (heard,) = service.heard
    said = claims(heard, devices.key(table.office))
    assert said["aud"] == service.root
    assert said["sub"] == "mailto:pbem@play.example.org"
    assert table.now < datetime.fromtimestamp(said["exp"], UTC) <= table.now + timedelta(hours=24)
    deadline = table.view().deadline
    assert deadline is not None
    assert heard.headers["ttl"] == str(int((deadline - table.now).total_seconds()))
    assert heard.headers["urgency"] == "normal"
    assert table.game not in heard.headers["topic"]
    assert re.fullmatch("[A-Za-z0-9_-]{1,32}", heard.headers["topic"])
    assert browser.read(heard)


def test_nobody_is_told_of_the_turn_of_somebody_else(table: Table, service: PushService) -> None:
    switched_on(table, service, account_of(table, table.rest()[1]))
    table.play()
    push_all(table)
    assert service.heard == []


def test_a_device_that_was_switched_on_by_a_link_is_told_of_that_game_alone(table: Table, service: PushService) -> None:
    account, game = next_account(table), table.game
    other = table.open()
    table.game = game
    switched_on(table, service, account, "/wp/here", game)
    switched_on(table, service, account, "/wp/there", other)
    table.play()
    push_all(table)
    assert [heard.path for heard in service.heard] == ["/wp/here"]


def test_a_reminder_takes_the_place_of_the_turn(table: Table, service: PushService) -> None:
    browser = switched_on(table, service, next_account(table))
    table.play()
    push_all(table)
    reminded(table)
    push_all(table)
    turn, reminder = service.heard
    assert turn.headers["topic"] == reminder.headers["topic"]
    assert reminder.headers["urgency"] == "high"
    assert browser.read(reminder)["tag"] == browser.read(turn)["tag"]
    assert browser.read(reminder)["body"].startswith("It is still your turn")


def test_what_is_answered_elsewhere_is_withdrawn_from_devices_that_show_it(table: Table, service: PushService) -> None:
    account = next_account(table)
    shown = switched_on(table, service, account)
    table.play()
    push_all(table)
    late = switched_on(table, service, account, "/wp/late")  # it was told nothing, and is told nothing of the end
    table.play()
    push_all(table)
    turn, answered = service.heard
    assert (turn.path, answered.path) == (shown.path, shown.path)
    told = shown.read(answered)
    assert told["answered"] is True
    assert told["tag"] == shown.read(turn)["tag"]
    assert answered.headers["topic"] == turn.headers["topic"]
    assert answered.headers["urgency"] == "low"
    assert late.path not in {heard.path for heard in service.heard}
    table.play()
    push_all(table)
    assert len(service.heard) == 2, "once is enough"


def test_what_was_answered_before_it_left_is_not_sent(table: Table, service: PushService) -> None:
    switched_on(table, service, next_account(table))
    table.play()
    table.play()
    push_all(table)
    assert service.heard == []
    assert statuses(table) == [("turn", "withdrawn")]


def test_what_was_answered_while_it_was_under_way_is_withdrawn(table: Table, service: PushService) -> None:
    switched_on(table, service, next_account(table))
    table.play()
    number = table.only(select(PushMessage.id))
    assert push_messages.claim(table.office, number, table.now) is not None
    table.play()
    push_messages.told(table.office, number, 201, table.now)
    assert statuses(table) == [("turn", "sent"), ("answered", "waiting")]


def test_a_subscription_that_is_gone_is_forgotten(table: Table, service: PushService) -> None:
    for code in (404, 410):
        service.code = code
        switched_on(table, service, next_account(table))
        table.play()
        push_all(table)
        assert table.rows(select(PushSubscription.id)) == []
        assert table.rows(select(PushMessage.id)) == []


def test_what_a_push_service_does_not_take_is_tried_again(table: Table, service: PushService) -> None:
    account = next_account(table)
    switched_on(table, service, account)
    table.play()
    service.code = 503
    push_all(table)
    assert len(service.heard) == 1
    assert str(devices.mine(table.office, account)[0].result) == "The answer was 503."
    table.later(seconds=31)
    service.code = 201
    table.hints.clear()
    clock.tick(table.office, table.now + timedelta(seconds=6), lambda *_: True)
    (hint,) = [hint for hint in table.hints if hint.task == broker.PUSH]
    work.push(table.office, int(hint.id))
    assert len(service.heard) == 2
    view = devices.mine(table.office, account)[0]
    assert (str(view.result), view.told_at) == ("", table.now)


def test_a_request_that_is_refused_for_good_is_not_repeated(table: Table, service: PushService) -> None:
    switched_on(table, service, next_account(table))
    table.play()
    service.code = 413
    push_all(table)
    assert statuses(table) == [("turn", "failed")]
    assert len(table.rows(select(PushSubscription.id))) == 1


def test_nothing_rings_in_quiet_hours(table: Table, service: PushService) -> None:
    account = next_account(table)
    notifications.live(table.office, account, "UTC", (time(17), time(20)))
    switched_on(table, service, account)
    table.play()
    push_all(table)
    assert service.heard == []
    table.awake(hours=2, minutes=1)
    push_all(table)
    assert len(service.heard) == 1


def test_a_retry_does_not_ring_in_quiet_hours(table: Table, service: PushService) -> None:
    account = next_account(table)
    switched_on(table, service, account)
    table.play()
    service.code = 503
    push_all(table)
    notifications.live(table.office, account, "UTC", (time(17), time(20)))
    table.later(seconds=31)
    push_all(table)
    assert len(service.heard) == 1


def test_a_muted_game_rings_as_late_as_its_emails_come(table: Table, service: PushService) -> None:
    account = next_account(table)
    notifications.differ(table.office, account, table.game, "mute")
    switched_on(table, service, account)
    table.play()
    row = table.only(select(PushMessage))
    letter = next(one for one in table.letters("your-turn") if one.account_id == account)
    assert row.next_try_at == letter.next_try_at > table.now + timedelta(hours=12)


def test_a_device_reads_the_language_of_its_owner(table: Table, service: PushService) -> None:
    account = next_account(table)
    accounts.speak(table.office, account, "pl")
    browser = switched_on(table, service, account)
    table.play()
    push_all(table)
    told = browser.read(service.heard[0])
    assert told["lang"] == "pl"
    assert "It is your turn" not in told["body"]


def test_an_end_of_the_game_withdraws_what_was_asked(table: Table, service: PushService) -> None:
    browser = switched_on(table, service, next_account(table))
    table.play()
    push_all(table)
    cancelling.cancel(table.office, table.game, table.now)
    push_all(table)
    assert [browser.read(heard).get("answered", False) for heard in service.heard] == [False, True]


def test_a_test_says_whether_it_works(table: Table, service: PushService) -> None:
    browser = switched_on(table, service, table.host)
    (view,) = devices.mine(table.office, table.host)
    devices.test(table.office, table.host, view.id, table.now)
    assert devices.mine(table.office, table.host)[0].trying
    push_all(table)
    assert browser.read(service.heard[0])["title"] == "pbem"
    assert not devices.mine(table.office, table.host)[0].trying


def test_an_address_that_is_no_longer_allowed_is_told_nothing(table: Table, service: PushService) -> None:
    switched_on(table, service, next_account(table))
    table.play()
    table.office = replace(table.office, settings=replace(table.office.settings, webhooks_loopback=False))
    push_all(table)
    assert service.heard == []


def test_an_error_of_ours_is_noted_and_raised(
    table: Table, service: PushService, monkeypatch: pytest.MonkeyPatch
) -> None:
    def broken(*_: object) -> int:
        raise ZeroDivisionError

    account = next_account(table)
    switched_on(table, service, account)
    table.play()
    monkeypatch.setattr(sending, "tell", broken)
    with pytest.raises(ZeroDivisionError):
        work.push(table.office, table.only(select(PushMessage.id)))
    assert str(devices.mine(table.office, account)[0].result) == "There was an error on our side."


def test_a_key_that_no_browser_made_is_forgotten(table: Table, service: PushService) -> None:
    account = next_account(table)
    offered = values.replace(Browser("/wp/a").subscription(service.root), p256dh=text(b"\x04" + bytes(64)))
    devices.add(table.office, account, offered, "?", table.now)
    table.play()
    push_all(table)
    assert service.heard == []
    assert devices.mine(table.office, account) == ()


def test_the_longest_names_fit_into_a_message(table: Table, service: PushService) -> None:
    table.change(title="Ł" * 120)
    browser = switched_on(table, service, next_account(table))
    table.play()
    push_all(table)
    (heard,) = service.heard
    assert len(heard.body) <= 4096
    assert "Ł" * 120 in browser.read(heard)["title"]


def reminded(table: Table) -> None:
    """Let the reminder of the question that is asked become due."""
    due = table.row().remind_at
    assert due is not None
    table.awake(seconds=(due - table.now).total_seconds())
    assert deadlines.remind(table.office, table.game, table.now)
