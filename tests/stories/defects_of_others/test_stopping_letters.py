"""choochoo: the link that stops mails takes their reader off the list of those who get none, for a flag is inverted.

Rally the Troops: stopping needs a log-in, and is done by a link that any mail scanner follows.
webDiplomacy: letters have a fixed host in them, cannot be stopped, and send their reader to the admin.
"""

import re
from datetime import time

import pytest

from pbem.mail.compose import compose
from pbem.mail.writing import write
from pbem.service.base.tokens import UnsubscribeClaim
from pbem.service.games import departures
from pbem.service.letters import outbox
from pbem.service.people import accounts, notifications
from pbem.store.tables import Letter
from tests.mail.arriving import arrived
from tests.mail.views import LETTERS, ROOT
from tests.table import Table
from tests.web.site import Site

ASKED_FOR = frozenset({"login", "test", "account-deleted", "guest-game", "seat-at-table"})
"""Letters somebody has just asked for: there is nothing to stop."""


def next_question(table: Table) -> Letter:
    table.play()
    return table.letters("your-turn")[-1]


@pytest.mark.parametrize("scope", ["game", "kind", "all"])
def test_stopping_stops_and_resuming_resumes(table: Table, scope: str) -> None:
    table.start()
    table.send_all()
    asked = next_question(table)
    claim = UnsubscribeClaim(asked.account_id, table.game, "your-turn")
    assert not accounts.mail_stopped(table.office, claim)
    accounts.stop_mail(table.office, claim, scope, table.now)
    assert accounts.mail_stopped(table.office, claim)
    assert not outbox.claim(table.office, asked.id, table.now)
    accounts.resume_mail(table.office, claim)
    assert not accounts.mail_stopped(table.office, claim)
    while table.asked().version < 2 or table.letters("your-turn")[-1].account_id != asked.account_id:
        table.play()
    assert outbox.claim(table.office, table.letters("your-turn")[-1].id, table.now)


def test_stopping_is_for_one_reader_only(table: Table) -> None:
    table.start()
    table.send_all()
    asked = next_question(table)
    others = {accounts.of_seat(table.office, table.game, n) for n in range(4)} - {asked.account_id}
    for account in others:
        accounts.stop_mail(table.office, UnsubscribeClaim(account, table.game, "your-turn"), "all", table.now)
    assert outbox.claim(table.office, asked.id, table.now)


def test_one_click_without_log_in_stops_and_looking_does_not(site: Site) -> None:
    """RFC 8058: the POST of a mail program has no cookie, no form mark and one field."""
    site.send_all()
    asked = next_question(site)
    link = site.path(site.read(asked).links.unsubscribe)
    claim = UnsubscribeClaim(asked.account_id, site.game, "your-turn")
    for _ in range(3):
        site.get(link)
        assert site.client.head(link).status_code == 200
    assert not accounts.mail_stopped(site.office, claim)
    answer = site.client.post(link, data={"List-Unsubscribe": "One-Click"})
    assert answer.status_code == 200
    assert "Set-Cookie" not in answer.headers
    assert accounts.mail_stopped(site.office, claim)


@pytest.mark.parametrize("wanted", [True, False])
def test_letters_about_free_seats_go_to_those_who_want_them(table: Table, wanted: bool) -> None:
    table.start()
    eva = table.account("Eva")
    accounts.want(table.office, eva, "substitute", not wanted)
    accounts.want(table.office, eva, "substitute", wanted)
    assert accounts.wants(table.office, eva, "substitute") is wanted
    departures.resign(table.office, table.game, 1, table.now)
    assert (eva in {row.account_id for row in table.letters("substitute-wanted")}) is wanted


@pytest.mark.parametrize(
    "wish",
    [
        notifications.Telling("turn", 1, time(0, 0), ()),
        notifications.Telling("hours", 72, time(23, 59), ("50",)),
        notifications.Telling("digest", 6, time(18, 0), ("50", "67", "24h", "6h", "1h")),
    ],
    ids=lambda wish: wish.mails,
)
def test_every_preference_comes_back_as_it_was_set(table: Table, wish: notifications.Telling) -> None:
    table.start()
    ana = accounts.of_seat(table.office, table.game, 0)
    for other in (notifications.Telling("turn", 6, time(12, 0), ("67",)), wish):
        notifications.tell(table.office, ana, other)
    told = notifications.of(table.office, ana)
    assert (told.mails, told.hours, told.digest_at) == (wish.mails, wish.hours, wish.digest_at)
    assert set(told.reminders) == set(wish.reminders)
    for quiet in ((time(22, 0), time(7, 0)), None):
        notifications.live(table.office, ana, "Asia/Tokyo", quiet)
        assert (notifications.of(table.office, ana).zone, notifications.of(table.office, ana).quiet) == (
            "Asia/Tokyo",
            quiet,
        )
    for mails in ("turn", "digest", "mute", ""):
        notifications.differ(table.office, ana, table.game, mails)
        assert [line.mails for line in notifications.games(table.office, ana)] == [mails]


@pytest.mark.parametrize("name", LETTERS)
def test_every_letter_can_be_stopped_and_names_no_host_but_ours(name: str) -> None:
    message, written = arrived(compose(LETTERS[name], None)), write(LETTERS[name], "")
    if LETTERS[name].envelope.kind not in ASKED_FOR:
        assert str(message["List-Unsubscribe"]).startswith(f"<{ROOT}/u/")
        assert message["List-Unsubscribe-Post"] == "List-Unsubscribe=One-Click"
    for text in (written.text, re.sub(r"<!--.*?-->|<!DOCTYPE[^>]*>", "", written.html, flags=re.DOTALL)):
        assert set(re.findall(r"https?://[^/\s\"<>)]+", text)) <= {ROOT}
        assert not re.search(r"\b(admin|administrator|moderator)\b", text, re.IGNORECASE)
