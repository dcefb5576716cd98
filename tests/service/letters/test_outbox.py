"""Letters: written once, sent in order, tried again, withdrawn when they have lost their point."""

from __future__ import annotations

from pathlib import Path

import pytest
from sqlalchemy import select, update

from pbem.mail.writing import write
from pbem.service import open_office
from pbem.service.base.tokens import UnsubscribeClaim
from pbem.service.letter_views import correspondence
from pbem.service.letters import outbox
from pbem.service.people import accounts
from pbem.settings.settings import Settings
from pbem.store.tables import Account, Letter
from tests.databases import Sqlite
from tests.table import START, Table, asked_in

pytestmark = pytest.mark.postgresql  # who takes a letter, and rows that are skipped while somebody has them


def first(table: Table, kind: str) -> Letter:
    return table.letters(kind)[0]


def test_a_letter_is_in_one_pair_of_hands(table: Table) -> None:
    table.open()
    letter = first(table, "invitation")
    assert outbox.claim(table.office, letter.id, table.now)
    assert not outbox.claim(table.office, letter.id, table.now)
    outbox.sent(table.office, letter.id, table.now)
    assert not outbox.claim(table.office, letter.id, table.later(hours=1))


def test_the_first_question_tells_what_the_email_about_the_start_would_unless_it_is_held_back(table: Table) -> None:
    table.start(title="Now")
    asked = first(table, "your-turn")
    own = next(row for row in table.letters("game-started") if row.account_id == asked.account_id)
    assert not outbox.claim(table.office, own.id, table.now)
    assert outbox.claim(table.office, asked.id, table.now)
    text = " ".join(write(table.read(asked), "").text.split())
    for told in (
        "THE GAME STARTS You play",
        "THE RULES OF THIS MAP",
        table.view().commitment,
        table.read(own).links.seat,
    ):
        assert told in text
    assert sum(1 for row in table.letters("game-started") if outbox.claim(table.office, row.id, table.now)) == 3


def test_whoever_reads_questions_in_a_digest_is_told_of_the_start_at_once(table: Table) -> None:
    table.open()
    table.send_all()
    with table.office.write() as session:
        session.execute(update(Account).values(mails="digest"))
    for number in range(1, 4):
        table.answer(number)
    assert all(outbox.claim(table.office, row.id, table.now) for row in table.letters("game-started"))


def test_a_question_that_was_answered_in_the_meantime_is_not_sent(table: Table) -> None:
    table.start()
    table.send_all()
    table.play()
    (asked,) = table.letters("your-turn", "waiting")
    table.play()
    assert not outbox.claim(table.office, asked.id, table.now)
    assert table.letters("your-turn")[1].status == "withdrawn"


def test_a_letter_that_is_already_being_written_still_says_what_it_was_about(table: Table) -> None:
    view = table.start()
    (asked,) = table.letters("your-turn")
    table.send_all()
    table.play()
    letter = table.read(asked)
    assert asked_in(letter) == view.sheet.question(view.state)
    assert letter.game is not None
    assert letter.game.version == 0


def test_an_invitation_that_was_answered_by_another_link_is_not_sent(table: Table) -> None:
    table.open()
    table.answer(1)
    assert not outbox.claim(table.office, first(table, "invitation").id, table.now)


def test_a_message_id_is_the_same_however_often_a_letter_is_made(table: Table) -> None:
    table.start()
    ids = [table.read(row).envelope.message_id for row in table.letters()]
    assert len(set(ids)) == len(ids)
    assert ids == [table.read(row).envelope.message_id for row in table.letters()]
    assert all(name.startswith("<") and name.endswith("@play.example.org>") for name in ids)


def test_another_server_on_the_domain_that_counts_from_the_same_numbers_gives_other_message_ids(
    sqlite: Sqlite, tmp_path: Path
) -> None:
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


@pytest.mark.parametrize(("scope", "stopped"), [("game", True), ("kind", True), ("all", True)])
def test_stopped_letters_are_not_sent(table: Table, scope: str, stopped: bool) -> None:
    table.start()
    letter = first(table, "game-started")
    claim = UnsubscribeClaim(letter.account_id, table.game, "game-started")
    accounts.stop_mail(table.office, claim, scope, table.now)
    accounts.stop_mail(table.office, claim, scope, table.now)
    assert accounts.mail_stopped(table.office, claim) is stopped
    assert not outbox.claim(table.office, letter.id, table.now)
    assert first(table, "game-started").status == "withdrawn"


def test_a_log_in_letter_that_was_asked_for_is_always_sent(table: Table) -> None:
    accounts.ask_login(table.office, "ana@example.org", table.now)
    letter = first(table, "login")
    accounts.stop_mail(table.office, UnsubscribeClaim(letter.account_id, "", "login"), "all", table.now)
    assert outbox.claim(table.office, letter.id, table.now)


def test_mail_can_be_resumed(table: Table) -> None:
    table.open()
    letter = first(table, "invitation")
    claim = UnsubscribeClaim(letter.account_id, table.game, "invitation")
    accounts.stop_mail(table.office, claim, "all", table.now)
    accounts.resume_mail(table.office, claim)
    assert outbox.claim(table.office, letter.id, table.now)
