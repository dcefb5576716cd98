"""Talk goes out with the next letter of its game; notes are for nobody else; every reader has a delivery log."""

from __future__ import annotations

import unicodedata

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.service import BadInput, NoSuch, NotNow
from pbem.service.base import queries
from pbem.service.base.work import NewLetter
from pbem.service.games import views
from pbem.service.letter_views import correspondence
from pbem.service.letters import outbox, schedule, talk
from pbem.service.letters.kinds.accounts import DeliveryTest
from pbem.service.people import accounts, delivery_log, notifications
from pbem.store.tables import Account, Letter
from tests.table import Table

ANY = settings(deadline=None, max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])


def say(table: Table, number: int, text: str) -> None:
    talk.post(table.office, table.game, number, text, table.now)


def leave(table: Table, letter: Letter) -> list[str]:
    """Send a letter; what talk stands in it."""
    assert outbox.claim(table.office, letter.id, table.now)
    found = correspondence.letter(table.office, letter.id, table.now).view.talk
    outbox.sent(table.office, letter.id, table.now)
    return [post.text for post in found]


def question(table: Table) -> Letter:
    return table.letters("your-turn", "waiting")[-1]


@pytest.mark.postgresql
def test_talk_stands_in_the_next_letter_of_each_reader_and_only_there(table: Table) -> None:
    table.start()
    table.send_all()
    reader = (table.number_asked() + 1) % 4
    say(table, (reader + 1) % 4, "Five blue cubes in Detroit.")
    heard = 0
    for _ in range(8):
        table.play()
        number, found = table.number_asked(), leave(table, question(table))
        if number == reader and not heard:
            assert found == ["Five blue cubes in Detroit."]
            heard = 1
        elif number == reader:
            assert found == []
    assert heard


def wants(table: Table, number: int, habit: str) -> int:
    """The player of a seat wants the talk of the game like this; returns the account."""
    with table.office.read() as session:
        reader = queries.numbered(session, table.game, number).account_id or 0
    notifications.differ(table.office, reader, table.game, "", habit)
    return reader


@pytest.mark.postgresql
def test_who_wants_talk_at_once_gets_an_email_for_it_and_the_others_do_not(table: Table) -> None:
    table.start()
    table.send_all()
    reader = wants(table, 1, "once")
    say(table, 0, "Five blue cubes in Detroit.")
    say(table, 2, "And a red one.")
    first, second = table.letters("talk", "waiting")
    assert (first.account_id, second.account_id) == (reader, reader)
    assert leave(table, first) == ["Five blue cubes in Detroit.", "And a red one."]
    assert not outbox.claim(table.office, second.id, table.now)
    assert (table.letters("talk")[-1].status, table.letters("talk")[-1].last_error) == (
        "withdrawn",
        "another email has told it",
    )
    say(table, 1, "Mine.")
    assert table.letters("talk", "waiting") == []


@pytest.mark.postgresql
def test_who_wants_no_talk_by_email_gets_none_and_may_change_their_mind(table: Table) -> None:
    table.start()
    table.send_all()
    reader = (table.number_asked() + 1) % 4
    wants(table, reader, "never")
    say(table, (reader + 1) % 4, "Five blue cubes in Detroit.")
    told: dict[int, list[str]] = {}
    for _ in range(8):
        table.play()
        number = table.number_asked()
        told.setdefault(number, []).extend(leave(table, question(table)))
        if number == reader:
            assert told[reader] == []
            break
    wants(table, reader, "")
    assert notifications.games(table.office, table.host)[0].talk == ""
    while table.number_asked() != reader or not table.letters("your-turn", "waiting"):
        table.play()
    assert leave(table, question(table)) == ["Five blue cubes in Detroit."]


def test_talk_of_a_game_is_set_without_changing_its_questions(table: Table) -> None:
    table.start()
    reader = wants(table, 1, "never")
    with table.office.read() as session:
        account, game = session.get_one(Account, reader), table.game
        assert schedule.mode(session, account, game) == "turn"
    notifications.differ(table.office, reader, table.game, "mute")
    assert [(line.mails, line.talk) for line in notifications.games(table.office, reader)] == [("mute", "never")]
    with pytest.raises(BadInput, match="at once, or never"):
        notifications.differ(table.office, reader, table.game, "", "shouting")


@pytest.mark.postgresql
def test_nobody_is_sent_what_they_said_themselves(table: Table) -> None:
    table.start()
    table.send_all()
    table.play()
    say(table, table.number_asked(), "It is my turn.")
    assert leave(table, question(table)) == []


@pytest.mark.postgresql
def test_what_is_said_while_a_letter_is_written_stands_in_the_next(table: Table) -> None:
    table.start()
    table.send_all()
    table.play()
    letter, reader = question(table), table.number_asked()
    assert outbox.claim(table.office, letter.id, table.now)
    say(table, (reader + 1) % 4, "too late")
    assert correspondence.letter(table.office, letter.id, table.now).view.talk == ()
    outbox.sent(table.office, letter.id, table.now)
    while True:
        table.play()
        if table.number_asked() == reader:
            break
    assert leave(table, question(table)) == ["too late"]


def test_a_letter_that_is_tried_again_holds_the_same_talk(table: Table) -> None:
    table.start()
    table.send_all()
    table.play()
    letter = question(table)
    say(table, (table.number_asked() + 1) % 4, "hello")
    for _ in range(2):
        assert outbox.claim(table.office, letter.id, table.now)
        assert len(correspondence.letter(table.office, letter.id, table.now).view.talk) == 1
        outbox.failed(table.office, letter.id, "451 busy", table.now)
        table.later(hours=5)


def test_a_letter_that_may_have_arrived_holds_no_more_talk_when_it_is_sent_again(table: Table) -> None:
    """An email program shows one of the two, and what only the other one says would never be read."""
    table.start()
    table.send_all()
    table.play()
    letter, reader = question(table), table.number_asked()
    say(table, (reader + 1) % 4, "before")
    assert outbox.claim(table.office, letter.id, table.now)
    say(table, (reader + 1) % 4, "meanwhile")
    table.later(minutes=3)
    assert leave(table, letter) == ["before"]
    while True:
        table.play()
        if table.number_asked() == reader:
            break
    assert leave(table, question(table)) == ["meanwhile"]


@pytest.mark.parametrize("text", ["", "\u202e \u200b"])
def test_nothing_can_be_said_with_nothing(table: Table, text: str) -> None:
    table.start()
    with pytest.raises(BadInput, match="Write something first"):
        say(table, 0, text)


@ANY
@given(text=st.text(max_size=300))
def test_whatever_is_said_is_kept_without_what_hides_or_turns_letters(text: str) -> None:
    try:
        kept = talk.spoken(text, "say", talk.LONGEST_POST)
    except BadInput:
        assert text.count("\n") >= 1 or len(text.splitlines()) > talk.MOST_LINES
        return
    assert all(c == "\n" or unicodedata.category(c) not in talk.HIDDEN or c in talk.JOINERS for c in kept)
    assert kept == kept.strip()
    assert talk.spoken(kept, "say", talk.LONGEST_POST) == kept


@pytest.mark.postgresql
def test_notes_are_their_owners_and_a_later_one_takes_the_place_of_an_earlier(table: Table) -> None:
    table.start()
    ben = table.account("Ben")
    assert talk.note(table.office, table.game, table.host) == ""
    talk.write_note(table.office, table.game, table.host, "Watch Detroit.\n\nBlue!", table.now)
    talk.write_note(table.office, table.game, table.host, "Watch Toledo.", table.now)
    assert talk.note(table.office, table.game, table.host) == "Watch Toledo."
    assert talk.note(table.office, table.game, ben) == ""
    with pytest.raises(BadInput, match="10000 characters"):
        talk.write_note(table.office, table.game, table.host, "x" * 10_001, table.now)
    with pytest.raises(NoSuch):
        talk.write_note(table.office, "nothere", table.host, "x", table.now)


def test_the_delivery_log_tells_each_reader_what_became_of_each_letter(table: Table) -> None:
    table.start()
    table.send_all()
    table.play()
    letter = question(table)
    assert outbox.claim(table.office, letter.id, table.now)
    outbox.failed(table.office, letter.id, "550 no such mailbox", table.now, for_good=True)
    log = delivery_log.page(table.office, letter.account_id, game=table.game).letters
    assert [(found.kind, found.status, found.answer) for found in log if found.id == letter.id] == [
        ("your-turn", "failed", "550 no such mailbox")
    ]
    assert all(found.title == "Coal by post" for found in log)
    assert delivery_log.page(table.office, letter.account_id, game="other").letters == ()


@pytest.mark.postgresql
def test_the_delivery_log_is_read_page_by_page(table: Table) -> None:
    table.start()
    for _ in range(60):
        table.later(hours=1)
        with table.office.work(table.now) as work:
            work.write(NewLetter(DeliveryTest(), f"test:x:{table.now}", table.host))
    first = delivery_log.page(table.office, table.host)
    second = delivery_log.page(table.office, table.host, older_than=first.older)
    assert len(first.letters) == delivery_log.PER_PAGE
    assert second.older == 0
    assert not {found.id for found in first.letters} & {found.id for found in second.letters}


@pytest.mark.postgresql
def test_a_test_letter_leaves_at_once_and_not_too_often(table: Table) -> None:
    table.open()
    for _ in range(delivery_log.TESTS):
        delivery_log.send_test(table.office, table.host, table.now)
    assert table.send_all().count("test") == delivery_log.TESTS
    view = table.read(table.letters("test")[0])
    assert view.own.deliveries == "https://play.example.org/letters"
    with pytest.raises(NotNow, match="within an hour"):
        delivery_log.send_test(table.office, table.host, table.now)
    table.later(hours=1, minutes=1)
    delivery_log.send_test(table.office, table.host, table.now)


def unread(table: Table, reader: int) -> int:
    lobby = views.lobby(table.office, accounts.of_seat(table.office, table.game, reader))
    return next(line.unread for line in (*lobby.your_turn, *lobby.waiting) if line.id == table.game)


@pytest.mark.postgresql
def test_the_lobby_counts_what_others_said_since_a_letter_an_own_post_or_a_mark(table: Table) -> None:
    table.start()
    table.send_all()
    reader, other = table.number_asked(), (table.number_asked() + 1) % 4
    say(table, other, "One.")
    say(table, other, "Two.")
    assert (unread(table, reader), unread(table, other)) == (2, 0)
    talk.read(table.office, table.game, reader, talk.said(table.office, table.game)[0].id, table.now)
    assert unread(table, reader) == 1
    say(table, reader, "Three.")
    assert (unread(table, reader), unread(table, other)) == (0, 1)
    table.play()
    letter, next_one = question(table), table.number_asked()
    say(table, (next_one + 1) % 4, "Four.")
    assert unread(table, next_one) > 0, "a letter that has not left tells nothing"
    assert leave(table, letter)[-1] == "Four."
    assert unread(table, next_one) == 0


def test_a_mark_reaches_no_further_than_what_was_said(table: Table) -> None:
    table.start()
    say(table, 0, "One.")
    talk.read(table.office, table.game, 1, 10_000, table.now)
    say(table, 0, "Two.")
    assert unread(table, 1) == 1
