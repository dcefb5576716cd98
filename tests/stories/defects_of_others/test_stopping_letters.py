"""choochoo: the link that stops mails takes their reader off the list of those who get none, for a flag is inverted.

Rally the Troops: stopping needs a log-in, and is done by a link that any mail scanner follows.
webDiplomacy: letters have a fixed host in them, cannot be stopped, and send their reader to the admin.
"""

import re
from datetime import time

import pytest

from pbem.mail.compose import compose
from pbem.mail.writing import write
from pbem.service.people import accounts, notifications
from tests.mail.arriving import arrived
from tests.mail.views import LETTERS, ROOT
from tests.table import Table

ASKED_FOR = frozenset({"login", "test", "account-deleted", "guest-game", "seat-at-table"})
"""Letters somebody has just asked for: there is nothing to stop."""


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
