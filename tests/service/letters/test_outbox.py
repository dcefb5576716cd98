"""Letters: written once, sent in order, tried again, withdrawn; how often, how long, how many."""

from datetime import timedelta
from pathlib import Path

import pytest
from sqlalchemy import select, update

from pbem.mail.writing import write
from pbem.service import BadInput, NotNow, open_office
from pbem.service.base.tokens import UnsubscribeClaim
from pbem.service.letter_views import correspondence
from pbem.service.letters import outbox, talk
from pbem.service.letters.kinds.accounts import meaning
from pbem.service.people import accounts, bounces
from pbem.service.turns import outages
from pbem.settings.settings import Settings
from pbem.store.tables import Account, Letter
from tests.databases import Sqlite
from tests.table import START, Table, asked_in

pytestmark = pytest.mark.postgresql  # who takes a letter, and rows that are skipped while somebody has them


def first(table: Table, kind: str) -> Letter:
    return table.letters(kind)[0]


def test_the_first_question_tells_what_the_email_about_the_start_would_unless_it_is_held_back(table: Table) -> None:
    table.start(title="Now")
    asked = first(table, "your-turn")
    own = next(row for row in table.letters("game-started") if row.account_id == asked.account_id)
    assert not outbox.claim(table.office, own.id, table.now)
    assert outbox.claim(table.office, asked.id, table.now)
    text = " ".join(write(table.read(asked), "").text.split())
    for told in (
        "The game starts: You play",
        "The rules of this map:",
        table.view().commitment,
        table.read(own).links.seat,
    ):
        assert told in text
    assert sum(1 for row in table.letters("game-started") if outbox.claim(table.office, row.id, table.now)) == 3


def test_whoever_reads_questions_in_a_digest_is_told_of_the_start_at_once(table: Table) -> None:
    table.open()
    table.send_all()
    table.put(update(Account).values(mails="digest"))
    for number in range(1, 4):
        table.answer(number)
    assert all(outbox.claim(table.office, row.id, table.now) for row in table.letters("game-started"))


def test_a_question_that_was_answered_in_the_meantime_is_not_sent(dealt: Table) -> None:
    dealt.send_all()
    dealt.play()
    (asked,) = dealt.letters("your-turn", "waiting")
    dealt.play()
    assert not outbox.claim(dealt.office, asked.id, dealt.now)
    assert dealt.letters("your-turn")[1].status == "withdrawn"


def test_a_letter_that_is_already_being_written_still_says_what_it_was_about(table: Table) -> None:
    view = table.start()
    (asked,) = table.letters("your-turn")
    table.send_all()
    table.play()
    letter = table.read(asked)
    assert asked_in(letter) == view.sheet.question(view.state)
    assert letter.game is not None
    assert letter.game.version == 0


def test_a_message_id_is_the_same_however_often_a_letter_is_made(dealt: Table) -> None:
    ids = [dealt.read(row).envelope.message_id for row in dealt.letters()]
    assert len(set(ids)) == len(ids)
    assert ids == [dealt.read(row).envelope.message_id for row in dealt.letters()]
    assert all(name.startswith("<") and name.endswith("@play.example.org>") for name in ids)


def test_another_server_that_counts_the_same_gives_other_message_ids(sqlite: Sqlite, tmp_path: Path) -> None:
    """As does one that was restored from a backup: an email program that knows the first would not show the second."""
    known: set[str] = set()
    for _ in range(2):
        office = open_office(Settings.read({"PBEM_DATABASE_URL": sqlite.fresh(), "PBEM_DATA_DIR": str(tmp_path)}))
        accounts.ask_login(office, "ana@example.org", START)
        accounts.ask_login(office, "ben@example.org", START)
        with office.read() as session:
            rows = session.scalars(select(Letter)).all()
        assert [(row.id, row.kind) for row in rows] == [(1, "login"), (2, "login")]
        known.update(correspondence.letter(office, row.id, START).view.envelope.message_id for row in rows)
        office.database.close()
    assert len(known) == 4


@pytest.mark.parametrize("scope", ["game", "kind", "all"])
def test_stopped_letters_are_not_sent(dealt: Table, scope: str) -> None:
    letter = first(dealt, "game-started")
    claim = UnsubscribeClaim(letter.account_id, dealt.game, "game-started")
    accounts.stop_mail(dealt.office, claim, scope, dealt.now)
    accounts.stop_mail(dealt.office, claim, scope, dealt.now)
    assert accounts.mail_stopped(dealt.office, claim)
    assert not outbox.claim(dealt.office, letter.id, dealt.now)
    assert first(dealt, "game-started").status == "withdrawn"


def test_mail_can_be_resumed(table: Table) -> None:
    table.open()
    letter = first(table, "invitation")
    claim = UnsubscribeClaim(letter.account_id, table.game, "invitation")
    accounts.stop_mail(table.office, claim, "all", table.now)
    accounts.resume_mail(table.office, claim)
    assert outbox.claim(table.office, letter.id, table.now)


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


def test_a_letter_is_in_its_senders_hands_alone_for_two_minutes_and_in_nobodys_once_it_is_sent(table: Table) -> None:
    table.open()
    number = invitation(table).id
    assert outbox.claim(table.office, number, table.now)
    assert not outbox.claim(table.office, number, table.later(seconds=119))
    assert outbox.claim(table.office, number, table.later(seconds=1))
    outbox.sent(table.office, number, table.now)
    assert invitation(table).claimed_until is None
    assert not outbox.claim(table.office, number, table.later(hours=1))


@pytest.mark.parametrize(("age", "tries"), [(timedelta(days=5), 3), (timedelta(days=5, seconds=-1), 4)])
def test_a_letter_of_five_days_is_given_up_after_three_tries(table: Table, age: timedelta, tries: int) -> None:
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


def test_more_than_ten_minutes_between_two_looks_are_an_outage(dealt: Table) -> None:
    assert outages.beat(dealt.office, dealt.now) is None
    assert outages.beat(dealt.office, dealt.later(minutes=10)) is None
    gap = outages.beat(dealt.office, dealt.later(minutes=10, seconds=1))
    assert gap is not None
    assert gap.length == timedelta(minutes=10, seconds=1)
    assert outages.beat(dealt.office, dealt.later(minutes=-10)) is None
    assert outages.beat(dealt.office, dealt.later(minutes=-10, seconds=-1)) is not None


def test_a_player_says_twenty_things_an_hour_and_fifty_are_shown(dealt: Table) -> None:
    for number in range(60):
        talk.post(dealt.office, dealt.game, 0, f"{number}", dealt.now)
        dealt.later(minutes=3)
    assert [post.text for post in talk.said(dealt.office, dealt.game)] == [f"{number}" for number in range(10, 60)]
    dealt.later(hours=1)
    for number in range(20):
        talk.post(dealt.office, dealt.game, 0, f"{number}", dealt.now)
    with pytest.raises(NotNow, match="20 times within an hour"):
        talk.post(dealt.office, dealt.game, 0, "more", dealt.later(minutes=59))
    talk.post(dealt.office, dealt.game, 1, "another player", dealt.now)
    talk.post(dealt.office, dealt.game, 0, "later", dealt.later(minutes=1))


def test_a_letter_holds_the_last_twenty_things_that_were_said(dealt: Table) -> None:
    dealt.send_all()
    dealt.play()
    (asked,) = dealt.letters("your-turn", "waiting")
    other = next(seat.number for seat in dealt.view().seats if seat.seat != dealt.view().waiting_for)
    for number in range(21):
        talk.post(dealt.office, dealt.game, other, f"{number}", dealt.later(minutes=4))
    assert outbox.claim(dealt.office, asked.id, dealt.now)
    assert [post.text for post in dealt.read(asked).talk] == [f"{number}" for number in range(1, 21)]


def test_the_longest_post_and_note_are_kept_and_one_character_or_line_more_is_not(dealt: Table) -> None:
    talk.post(dealt.office, dealt.game, 0, "x" * 2000, dealt.now)
    talk.post(dealt.office, dealt.game, 0, "\n".join("x" * 60), dealt.now)
    talk.write_note(dealt.office, dealt.game, dealt.host, "x" * 10_000, dealt.now)
    talk.write_note(dealt.office, dealt.game, dealt.host, "\n".join("x" * 1000), dealt.now)
    for text in ("x" * 2001, "\n".join("x" * 61)):
        with pytest.raises(BadInput):
            talk.post(dealt.office, dealt.game, 0, text, dealt.now)
    for text in ("x" * 10_001, "\n".join("x" * 1001)):
        with pytest.raises(BadInput):
            talk.write_note(dealt.office, dealt.game, dealt.host, text, dealt.now)
    assert talk.note(dealt.office, dealt.game, dealt.host) == "\n".join("x" * 1000)
