"""The numbers by which letters, talk and returned mail are kept: how often, how long, how many."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.service import BadInput, NotNow
from pbem.service.letters import outbox, refusals, talk
from pbem.service.letters.kinds.accounts import meaning
from pbem.service.people import bounces
from pbem.service.turns import outages
from pbem.store.tables import Letter
from tests.table import Table


def invitation(table: Table) -> Letter:
    return table.letters("invitation")[0]


def test_a_letter_is_tried_ten_times_each_wait_four_times_as_long_up_to_four_hours(table: Table) -> None:
    table.open()
    waits = []
    while invitation(table).status == "waiting":
        table.now = max(table.now, invitation(table).next_try_at)
        assert not outbox.claim(table.office, invitation(table).id, table.now - timedelta(seconds=1))
        assert outbox.claim(table.office, invitation(table).id, table.now)
        outbox.failed(table.office, invitation(table).id, "x" * 1001, table.now)
        waits.append((invitation(table).next_try_at - table.now).total_seconds())
    assert waits == [15, 60, 240, 960, 3840, 14400, 14400, 14400, 14400, 0]
    assert invitation(table).last_error == "x" * 1000


def test_a_letter_is_in_its_senders_hands_for_two_minutes_and_no_longer(table: Table) -> None:
    table.open()
    number = invitation(table).id
    assert outbox.claim(table.office, number, table.now)
    assert not outbox.claim(table.office, number, table.later(seconds=119))
    assert outbox.claim(table.office, number, table.later(seconds=1))


@pytest.mark.parametrize(("age", "tries"), [(timedelta(days=5), 3), (timedelta(days=5, seconds=-1), 4)])
def test_a_letter_of_five_days_is_given_up_after_three_tries_a_younger_one_is_not(
    table: Table, age: timedelta, tries: int
) -> None:
    table.open()
    written = invitation(table).created_at
    with table.office.write() as session:
        session.get_one(Letter, invitation(table).id).attempts = 2
    table.now = written + age
    assert outbox.claim(table.office, invitation(table).id, table.now)
    outbox.failed(table.office, invitation(table).id, "450", table.now)
    assert invitation(table).status == ("failed" if tries == 3 else "waiting")


def test_a_letter_that_came_back_for_now_waits_four_hours(table: Table) -> None:
    table.open()
    table.send_all()
    bounces.returned(table.office, invitation(table).id, "4.4.7", "x" * 1001, table.now)
    assert invitation(table).status == "waiting"
    assert invitation(table).next_try_at == table.now + timedelta(hours=4)
    assert invitation(table).last_error == ("4.4.7 " + "x" * 1000)[:1000]


@pytest.mark.parametrize(
    ("status", "told"),
    [
        ("5.1.1", "There is no such mailbox."),
        ("5.1.10", "There is no such mailbox."),
        ("5.2.1", "The mailbox is closed."),
        ("5.2.2", "The mailbox is full."),
        ("5.4.4", "The mail server cannot be reached."),
        ("5.7.26", "The mail server does not accept our emails."),
        ("5.2.3", "The mail server says that it cannot deliver them."),
        ("4.1.1", "The mail server says that it cannot deliver them."),
        ("", "The mail server says that it cannot deliver them."),
    ],
)
def test_a_code_of_a_mail_server_is_told_as_what_it_means(status: str, told: str) -> None:
    assert str(meaning(status)) == told


def test_five_letters_an_hour_tell_of_refused_orders_and_three_mails_in_a_row_are_answered() -> None:
    assert (5, timedelta(hours=1)) == (refusals.MOST, refusals.WITHIN)
    assert (3, timedelta(days=1)) == (refusals.IN_A_ROW, refusals.SILENCE)
    assert (50, timedelta(minutes=1)) == (refusals.NAMED, refusals.PAGE_TELLS)


def test_more_than_ten_minutes_between_two_looks_are_an_outage(table: Table) -> None:
    table.start()
    assert outages.beat(table.office, table.now) is None
    assert outages.beat(table.office, table.later(minutes=10)) is None
    gap = outages.beat(table.office, table.later(minutes=10, seconds=1))
    assert gap is not None
    assert gap.length == timedelta(minutes=10, seconds=1)
    assert outages.beat(table.office, table.later(minutes=-10)) is None
    assert outages.beat(table.office, table.later(minutes=-10, seconds=-1)) is not None


def test_a_player_says_twenty_things_an_hour_and_fifty_are_shown(table: Table) -> None:
    table.start()
    for number in range(60):
        talk.post(table.office, table.game, 0, f"{number}", table.now)
        table.later(minutes=3)
    assert [post.text for post in talk.said(table.office, table.game)] == [f"{number}" for number in range(10, 60)]
    table.later(hours=1)
    for number in range(20):
        talk.post(table.office, table.game, 0, f"{number}", table.now)
    with pytest.raises(NotNow, match="20 times within an hour"):
        talk.post(table.office, table.game, 0, "more", table.later(minutes=59))
    talk.post(table.office, table.game, 1, "another player", table.now)
    talk.post(table.office, table.game, 0, "later", table.later(minutes=1))


def test_a_letter_holds_the_last_twenty_things_that_were_said(table: Table) -> None:
    table.start()
    table.send_all()
    table.play()
    (asked,) = table.letters("your-turn", "waiting")
    other = next(seat.number for seat in table.view().seats if seat.seat != table.view().waiting_for)
    for number in range(21):
        talk.post(table.office, table.game, other, f"{number}", table.later(minutes=4))
    assert outbox.claim(table.office, asked.id, table.now)
    assert [post.text for post in table.read(asked).talk] == [f"{number}" for number in range(1, 21)]


def test_the_longest_post_and_note_are_kept_and_one_character_or_line_more_is_not(table: Table) -> None:
    table.start()
    talk.post(table.office, table.game, 0, "x" * 2000, table.now)
    talk.post(table.office, table.game, 0, "\n".join("x" * 60), table.now)
    talk.write_note(table.office, table.game, table.host, "x" * 10_000, table.now)
    talk.write_note(table.office, table.game, table.host, "\n".join("x" * 1000), table.now)
    for text in ("x" * 2001, "\n".join("x" * 61)):
        with pytest.raises(BadInput):
            talk.post(table.office, table.game, 0, text, table.now)
    for text in ("x" * 10_001, "\n".join("x" * 1001)):
        with pytest.raises(BadInput):
            talk.write_note(table.office, table.game, table.host, text, table.now)
    assert talk.note(table.office, table.game, table.host) == "\n".join("x" * 1000)
