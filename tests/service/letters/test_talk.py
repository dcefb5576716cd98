"""Talk goes out with the next letter of its game; notes are for nobody else; every reader has a delivery log."""

import unicodedata

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st

from pbem.service import BadInput, NoSuch, NotNow
from pbem.service.base import NewLetter, queries
from pbem.service.games import game_lists
from pbem.service.letter_views import correspondence
from pbem.service.letters import outbox, schedule, talk
from pbem.service.letters.kinds.accounts import DeliveryTest
from pbem.service.people import accounts, delivery_log, notifications
from pbem.store.tables import Account, Letter
from tests.table import Table

ANY = settings(max_examples=40, suppress_health_check=[HealthCheck.function_scoped_fixture])


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
def test_talk_stands_in_the_next_letter_of_each_reader_and_only_there(dealt: Table) -> None:
    dealt.send_all()
    reader = (dealt.number_asked() + 1) % 4
    say(dealt, (reader + 1) % 4, "Five blue cubes in Detroit.")
    heard = 0
    for _ in range(8):
        dealt.play()
        number, found = dealt.number_asked(), leave(dealt, question(dealt))
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
def test_who_wants_talk_at_once_gets_an_email_for_it_and_the_others_do_not(dealt: Table) -> None:
    dealt.send_all()
    reader = wants(dealt, 1, "once")
    say(dealt, 0, "Five blue cubes in Detroit.")
    say(dealt, 2, "And a red one.")
    first, second = dealt.letters("talk", "waiting")
    assert (first.account_id, second.account_id) == (reader, reader)
    assert leave(dealt, first) == ["Five blue cubes in Detroit.", "And a red one."]
    assert not outbox.claim(dealt.office, second.id, dealt.now)
    assert (dealt.letters("talk")[-1].status, dealt.letters("talk")[-1].last_error) == (
        "withdrawn",
        "another email has told it",
    )
    say(dealt, 1, "Mine.")
    assert dealt.letters("talk", "waiting") == []


@pytest.mark.postgresql
def test_who_wants_no_talk_by_email_gets_none_and_may_change_their_mind(dealt: Table) -> None:
    dealt.send_all()
    reader = (dealt.number_asked() + 1) % 4
    wants(dealt, reader, "never")
    say(dealt, (reader + 1) % 4, "Five blue cubes in Detroit.")
    told: dict[int, list[str]] = {}
    for _ in range(8):
        dealt.play()
        number = dealt.number_asked()
        told.setdefault(number, []).extend(leave(dealt, question(dealt)))
        if number == reader:
            assert told[reader] == []
            break
    wants(dealt, reader, "")
    assert notifications.games(dealt.office, dealt.host)[0].talk == ""
    while dealt.number_asked() != reader or not dealt.letters("your-turn", "waiting"):
        dealt.play()
    assert leave(dealt, question(dealt)) == ["Five blue cubes in Detroit."]


def test_talk_of_a_game_is_set_without_changing_its_questions(dealt: Table) -> None:
    reader = wants(dealt, 1, "never")
    with dealt.office.read() as session:
        account, game = session.get_one(Account, reader), dealt.game
        assert schedule.mode(session, account, game) == "turn"
    notifications.differ(dealt.office, reader, dealt.game, "mute")
    assert [(line.mails, line.talk) for line in notifications.games(dealt.office, reader)] == [("mute", "never")]
    with pytest.raises(BadInput, match="at once, or never"):
        notifications.differ(dealt.office, reader, dealt.game, "", "shouting")


@pytest.mark.postgresql
def test_what_is_said_while_a_letter_is_written_stands_in_the_next(dealt: Table) -> None:
    dealt.send_all()
    dealt.play()
    letter, reader = question(dealt), dealt.number_asked()
    assert outbox.claim(dealt.office, letter.id, dealt.now)
    say(dealt, (reader + 1) % 4, "too late")
    assert correspondence.letter(dealt.office, letter.id, dealt.now).view.talk == ()
    outbox.sent(dealt.office, letter.id, dealt.now)
    while True:
        dealt.play()
        if dealt.number_asked() == reader:
            break
    assert leave(dealt, question(dealt)) == ["too late"]


def test_a_letter_that_is_tried_again_holds_the_same_talk(dealt: Table) -> None:
    dealt.send_all()
    dealt.play()
    letter = question(dealt)
    say(dealt, (dealt.number_asked() + 1) % 4, "hello")
    for _ in range(2):
        assert outbox.claim(dealt.office, letter.id, dealt.now)
        assert len(correspondence.letter(dealt.office, letter.id, dealt.now).view.talk) == 1
        outbox.failed(dealt.office, letter.id, "451 busy", dealt.now)
        dealt.later(hours=5)


def test_a_letter_that_may_have_arrived_holds_no_more_talk_when_it_is_sent_again(dealt: Table) -> None:
    """An email program shows one of the two, and what only the other one says would never be read."""
    dealt.send_all()
    dealt.play()
    letter, reader = question(dealt), dealt.number_asked()
    say(dealt, (reader + 1) % 4, "before")
    assert outbox.claim(dealt.office, letter.id, dealt.now)
    say(dealt, (reader + 1) % 4, "meanwhile")
    dealt.later(minutes=3)
    assert leave(dealt, letter) == ["before"]
    while True:
        dealt.play()
        if dealt.number_asked() == reader:
            break
    assert leave(dealt, question(dealt)) == ["meanwhile"]


@pytest.mark.parametrize("text", ["", "\u202e \u200b"])
def test_nothing_can_be_said_with_nothing(dealt: Table, text: str) -> None:
    with pytest.raises(BadInput, match="Write something first"):
        say(dealt, 0, text)


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
def test_notes_are_their_owners_and_a_later_one_takes_the_place_of_an_earlier(dealt: Table) -> None:
    ben = dealt.account("Ben")
    assert talk.note(dealt.office, dealt.game, dealt.host) == ""
    talk.write_note(dealt.office, dealt.game, dealt.host, "Watch Detroit.\n\nBlue!", dealt.now)
    talk.write_note(dealt.office, dealt.game, dealt.host, "Watch Toledo.", dealt.now)
    assert talk.note(dealt.office, dealt.game, dealt.host) == "Watch Toledo."
    assert talk.note(dealt.office, dealt.game, ben) == ""
    with pytest.raises(BadInput, match="10000 characters"):
        talk.write_note(dealt.office, dealt.game, dealt.host, "x" * 10_001, dealt.now)
    with pytest.raises(NoSuch):
        talk.write_note(dealt.office, "nothere", dealt.host, "x", dealt.now)


def test_the_delivery_log_tells_each_reader_what_became_of_each_letter(dealt: Table) -> None:
    dealt.send_all()
    dealt.play()
    letter = question(dealt)
    assert outbox.claim(dealt.office, letter.id, dealt.now)
    outbox.failed(dealt.office, letter.id, "550 no such mailbox", dealt.now, for_good=True)
    log = delivery_log.page(dealt.office, letter.account_id, game=dealt.game).letters
    assert [(found.kind, found.status, found.answer) for found in log if found.id == letter.id] == [
        ("your-turn", "failed", "550 no such mailbox")
    ]
    assert all(found.title == "Coal by post" for found in log)
    assert delivery_log.page(dealt.office, letter.account_id, game="other").letters == ()


@pytest.mark.postgresql
def test_the_delivery_log_is_read_page_by_page(dealt: Table) -> None:
    for _ in range(60):
        dealt.later(hours=1)
        with dealt.office.work(dealt.now) as work:
            work.write(NewLetter(DeliveryTest(), f"test:x:{dealt.now}", dealt.host))
    first = delivery_log.page(dealt.office, dealt.host)
    second = delivery_log.page(dealt.office, dealt.host, older_than=first.older)
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
    lobby = game_lists.lobby(table.office, accounts.of_seat(table.office, table.game, reader))
    return next(line.unread for line in (*lobby.your_turn, *lobby.waiting) if line.id == table.game)


@pytest.mark.postgresql
def test_the_lobby_counts_what_others_said_since_a_letter_an_own_post_or_a_mark(dealt: Table) -> None:
    dealt.send_all()
    reader, other = dealt.number_asked(), (dealt.number_asked() + 1) % 4
    say(dealt, other, "One.")
    say(dealt, other, "Two.")
    assert (unread(dealt, reader), unread(dealt, other)) == (2, 0)
    talk.read(dealt.office, dealt.game, reader, talk.said(dealt.office, dealt.game)[0].id, dealt.now)
    assert unread(dealt, reader) == 1
    say(dealt, reader, "Three.")
    assert (unread(dealt, reader), unread(dealt, other)) == (0, 1)
    dealt.play()
    letter, next_one = question(dealt), dealt.number_asked()
    say(dealt, (next_one + 1) % 4, "Four.")
    assert unread(dealt, next_one) > 0, "a letter that has not left tells nothing"
    assert leave(dealt, letter)[-1] == "Four."
    assert unread(dealt, next_one) == 0


def test_a_mark_reaches_no_further_than_what_was_said(dealt: Table) -> None:
    say(dealt, 0, "One.")
    talk.read(dealt.office, dealt.game, 1, 10_000, dealt.now)
    say(dealt, 0, "Two.")
    assert unread(dealt, 1) == 1
