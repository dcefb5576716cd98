"""choochoo: a code "for 30 minutes" lives for hours or days, for the minutes of the clock are added as hours.

18xx.games: links to reset a password are a digest of public and long-lived data.
"""

import base64
from datetime import UTC, datetime, timedelta

import pytest

from pbem.service import NotNow
from pbem.service.base.tokens import (
    LoginClaim,
    SeatClaim,
)
from pbem.service.people import accounts
from tests.table import Table

MOMENTS = [
    datetime(2026, 11, 20, 18, 0, tzinfo=UTC),
    datetime(2026, 11, 20, 18, 29, 59, tzinfo=UTC),
    datetime(2026, 11, 20, 18, 30, tzinfo=UTC),
    datetime(2026, 11, 20, 18, 45, tzinfo=UTC),
    datetime(2026, 11, 20, 23, 59, 59, tzinfo=UTC),
    datetime(2026, 12, 31, 23, 50, tzinfo=UTC),
    datetime(2028, 2, 28, 23, 55, tzinfo=UTC),
    datetime(2027, 3, 28, 0, 55, tzinfo=UTC),  # the hour is changed in Europe
]
WORKS = timedelta(minutes=20)


def asked(table: Table, moment: datetime) -> LoginClaim:
    """A link that was asked for at this moment."""
    table.now = moment
    accounts.ask_login(table.office, "ana@example.org", moment)
    return LoginClaim(table.letters("login")[-1].data["login"])


@pytest.mark.parametrize("moment", MOMENTS, ids=str)
def test_a_link_lives_exactly_as_long_as_its_letter_says(table: Table, moment: datetime) -> None:
    claim = asked(table, moment)
    assert table.read(table.letters("login")[-1]).own.expires == moment + WORKS
    for late in (WORKS, WORKS + timedelta(seconds=1), timedelta(hours=1), timedelta(days=1), timedelta(days=365)):
        assert not accounts.login_works(table.office, claim, moment + late)
        with pytest.raises(NotNow, match="20 minutes"):
            accounts.log_in(table.office, claim, moment + late)
    assert accounts.log_in(table.office, claim, moment + WORKS - timedelta(seconds=1))


def test_links_are_made_of_chance(table: Table) -> None:
    """Whoever knows address, account, time and source code still has 96 bits to guess."""
    ids = [asked(table, MOMENTS[0]).login for _ in range(3)]
    assert len(set(ids)) == 3
    assert all(len(base64.urlsafe_b64decode(number + "==")) >= 12 for number in ids)


def test_what_a_browser_keeps_is_not_what_the_database_keeps(table: Table) -> None:
    table.start()
    secret = accounts.log_in_seat(table.office, SeatClaim(table.game, 0), table.now)
    assert len(base64.urlsafe_b64decode(secret + "=")) == 32
    assert accounts.hashed(secret) != secret
    assert accounts.logged_in(table.office, accounts.hashed(secret), table.now) is None
