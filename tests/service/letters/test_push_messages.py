"""Rows of what devices are told, on both databases: written with the move, claimed by one, gone with their owner."""

import json
import threading
from dataclasses import replace

import pytest
from sqlalchemy import select, update

from pbem.service.base import queries
from pbem.service.games import account_deletion, account_merging, departures
from pbem.service.letters import push_messages
from pbem.service.operator import server_metrics
from pbem.service.people import devices, own_data
from pbem.service.turns import restored
from pbem.store.tables import Account, PushMessage, PushSubscription, Seat
from tests.pushservice import Browser
from tests.table import Table

pytestmark = pytest.mark.postgresql

ENDPOINT = "https://push.example.org"


def account_of(table: Table, colour: str) -> int:
    return table.only(select(Seat.account_id).where(Seat.game_id == table.game, Seat.colour == colour)) or 0


def switched_on(table: Table, account: int, path: str = "/wp/a", game: str = "") -> int:
    device = Browser(path).subscription(ENDPOINT)
    return devices.add(table.office, account, device, "Firefox, Android", table.now, game)


def messages(table: Table) -> list[tuple[str, str]]:
    return [(row.kind, str(row.status)) for row in table.rows(select(PushMessage).order_by(PushMessage.id))]


def deliver(table: Table) -> int:
    """Hand everything that is due to the push service; how much that was."""
    done = 0
    for number in table.rows(select(PushMessage.id).where(PushMessage.status == "waiting").order_by(PushMessage.id)):
        if push_messages.claim(table.office, number, table.now):
            push_messages.told(table.office, number, 201, table.now)
            done += 1
    return done


def test_a_message_is_written_once_claimed_once_and_withdrawn_once(dealt: Table) -> None:
    asked = account_of(dealt, dealt.rest()[0])
    switched_on(dealt, asked)
    dealt.play()
    with dealt.office.game(dealt.game, dealt.now) as work:
        push_messages.turn(work, work.seat(work.game.to_act))
    assert messages(dealt) == [("turn", "waiting")]
    number = dealt.only(select(PushMessage.id))
    assert push_messages.claim(dealt.office, number, dealt.now) is not None
    assert push_messages.claim(dealt.office, number, dealt.now) is None
    push_messages.told(dealt.office, number, 201, dealt.now)
    dealt.play()
    dealt.play()
    assert messages(dealt) == [("turn", "sent"), ("answered", "waiting")]
    turn, answered = dealt.rows(select(PushMessage).order_by(PushMessage.id))
    assert turn.version is not None
    assert (answered.version, answered.seat_number) == (turn.version, turn.seat_number)
    assert deliver(dealt) == 1


def test_all_devices_of_a_player_are_told(dealt: Table) -> None:
    asked = account_of(dealt, dealt.rest()[0])
    for path in ("/wp/a", "/wp/b"):
        switched_on(dealt, asked, path)
    dealt.play()
    assert deliver(dealt) == 2
    assert push_messages.hint_due(dealt.office, dealt.now, dealt.now) == 0


def test_the_clock_hints_at_one_message_for_every_device(dealt: Table) -> None:
    number = switched_on(dealt, dealt.host)
    for _ in range(3):
        dealt.later(seconds=1)
        devices.test(dealt.office, dealt.host, number, dealt.now)
    assert push_messages.hint_due(dealt.office, dealt.now, dealt.now) == 1


def test_whoever_leaves_the_game_is_told_nothing_more_and_sees_it_withdrawn(dealt: Table) -> None:
    colour = dealt.rest()[0]
    seat, asked = dealt.number(colour), account_of(dealt, colour)
    switched_on(dealt, asked)
    switched_on(dealt, asked, "/wp/b", dealt.game)
    dealt.play()
    assert deliver(dealt) == 2
    departures.resign(dealt.office, dealt.game, seat, dealt.now)
    assert messages(dealt).count(("answered", "waiting")) == 2
    dealt.play_on(6)
    assert messages(dealt).count(("turn", "sent")) == 2
    assert ("turn", "waiting") not in messages(dealt)


def test_what_waits_for_a_seat_that_was_lost_is_not_sent(dealt: Table) -> None:
    colour = dealt.rest()[0]
    switched_on(dealt, account_of(dealt, colour))
    dealt.play()
    departures.resign(dealt.office, dealt.game, dealt.number(colour), dealt.now)
    assert deliver(dealt) == 0


def test_deleting_the_account_forgets_its_devices_and_their_messages(dealt: Table) -> None:
    asked = account_of(dealt, dealt.rest()[0])
    switched_on(dealt, asked)
    switched_on(dealt, dealt.host, "/wp/host")
    dealt.play()
    address = dealt.found(Account, asked).address
    account_deletion.delete(dealt.office, asked, address, dealt.now)
    assert dealt.rows(select(PushSubscription.account_id)) == [dealt.host]
    assert messages(dealt) == []


def test_two_accounts_that_become_one_keep_their_devices(dealt: Table) -> None:
    kept, goes = dealt.host, dealt.account("Eva")
    operator = dealt.account("Olga", "olga@example.org")
    dealt.office = replace(dealt.office, settings=replace(dealt.office.settings, operator="olga@example.org"))
    switched_on(dealt, kept, "/wp/a")
    switched_on(dealt, goes, "/wp/b")
    account_merging.merge(dealt.office, operator, kept, goes, dealt.now)
    assert len(devices.mine(dealt.office, kept)) == 2


def test_devices_are_part_of_what_is_kept_of_a_person_without_what_lets_anybody_send(dealt: Table) -> None:
    switched_on(dealt, dealt.host)
    text = json.dumps(own_data.of_account(dealt.office, dealt.host))
    assert '"devices": [' in text
    assert "Firefox, Android" in text
    assert ENDPOINT not in text


def test_after_a_restore_nothing_rings_that_may_have_rung_before(dealt: Table) -> None:
    switched_on(dealt, account_of(dealt, dealt.rest()[0]))
    dealt.play()
    with dealt.office.work(dealt.later(hours=1)) as work:
        restored.set_back(work, dealt.now)
    assert messages(dealt) == [("turn", "withdrawn")]


def test_a_guest_whose_address_is_not_confirmed_has_no_device(dealt: Table) -> None:
    dealt.put(update(Seat).where(Seat.game_id == dealt.game, Seat.number == 1).values(account_id=None))
    assert devices.owner(dealt.office, dealt.game, 1) is None
    assert devices.owner(dealt.office, dealt.game, 0) == dealt.host


def test_a_move_and_a_delivery_to_the_same_device_do_not_wait_in_a_ring(dealt: Table) -> None:
    """The move holds the game and writes to the device; the delivery holds the device and writes about the game."""
    asked = account_of(dealt, dealt.rest()[0])
    number = switched_on(dealt, asked)
    dealt.play()
    message = dealt.only(select(PushMessage.id))
    assert push_messages.claim(dealt.office, message, dealt.now)
    if dealt.office.database.engine.dialect.name != "postgresql":
        return
    done: list[str] = []

    def tell() -> None:
        push_messages.told(dealt.office, message, 201, dealt.now)
        done.append("told")

    with dealt.office.write() as session:
        queries.locked(session, dealt.game)
        session.scalar(
            select(PushSubscription.id).where(PushSubscription.id == number).with_for_update(read=True, key_share=True)
        )
        teller = threading.Thread(target=tell)
        teller.start()
        teller.join(10)
        assert done == ["told"]


def test_what_waits_for_devices_is_seen_by_whoever_runs_the_server(dealt: Table) -> None:
    number = switched_on(dealt, dealt.host)
    devices.test(dealt.office, dealt.host, number, dealt.now)
    waiting = server_metrics.look(dealt.office, dealt.later(seconds=90)).messages
    assert (waiting.number, waiting.seconds) == (1, 90)
    deliver(dealt)
    assert server_metrics.look(dealt.office, dealt.now).messages.number == 0
