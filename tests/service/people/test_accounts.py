"""Accounts are addresses; a mailed link logs in, once and for twenty minutes."""

from __future__ import annotations

import pytest

from pbem.service import BadInput, BadToken, NotNow
from pbem.service.base import validation
from pbem.service.base.tokens import LoginClaim, SeatClaim
from pbem.service.people import accounts
from tests.table import Table


def link(table: Table, address: str = "ana@example.org") -> LoginClaim:
    """The link of the log-in letter that was just asked for."""
    accounts.ask_login(table.office, address, table.now)
    letter = table.read(table.letters("login")[-1])
    assert letter.envelope.to == address.casefold()
    return table.office.tokens.read(LoginClaim, letter.own.link.rpartition("/")[2])


def test_a_mailed_link_logs_in(table: Table) -> None:
    claim = link(table, "Ana@Example.org")
    assert accounts.login_works(table.office, claim, table.now)
    secret = accounts.log_in(table.office, claim, table.now)
    reader = accounts.logged_in(table.office, secret, table.now)
    assert reader is not None
    assert (reader.address, reader.name) == ("ana@example.org", "Ana")


def test_a_link_works_once(table: Table) -> None:
    claim = link(table)
    accounts.log_in(table.office, claim, table.now)
    assert not accounts.login_works(table.office, claim, table.now)
    with pytest.raises(NotNow, match="has been used"):
        accounts.log_in(table.office, claim, table.now)


def test_a_link_works_for_twenty_minutes(table: Table) -> None:
    claim = link(table)
    assert accounts.login_works(table.office, claim, table.later(minutes=19))
    with pytest.raises(NotNow, match="20 minutes"):
        accounts.log_in(table.office, claim, table.later(minutes=1))


def test_a_link_that_was_never_mailed_is_none(table: Table) -> None:
    with pytest.raises(BadToken):
        accounts.log_in(table.office, LoginClaim("made up"), table.now)


@pytest.mark.postgresql
def test_who_logs_out_is_forgotten_and_only_there(table: Table) -> None:
    here, there = (accounts.log_in(table.office, link(table), table.now) for _ in range(2))
    accounts.log_out(table.office, here)
    assert accounts.logged_in(table.office, here, table.now) is None
    assert accounts.logged_in(table.office, there, table.now) is not None


def test_a_browser_is_remembered_for_ninety_days(table: Table) -> None:
    secret = accounts.log_in(table.office, link(table), table.now)
    assert accounts.logged_in(table.office, secret, table.later(days=89)) is not None
    assert accounts.logged_in(table.office, secret, table.later(days=1)) is None
    assert accounts.logged_in(table.office, "x" * 100_000, table.now) is None


def test_nobody_can_be_flooded_with_links(table: Table) -> None:
    for _ in range(20):
        accounts.ask_login(table.office, "ana@example.org", table.now)
    assert len(table.letters("login")) == accounts.LINKS_AT_ONCE
    accounts.ask_login(table.office, "ana@example.org", table.later(minutes=20))
    assert len(table.letters("login")) == accounts.LINKS_AT_ONCE + 1


@pytest.mark.parametrize(
    "address", ["", "ana", "a@", "@x", "a@b\r\nBcc: c@d", "a b@c", "x" * 100_000, "a@" + "b." * 300, "ö@b.org"]
)
def test_what_is_no_address_is_told_so(table: Table, address: str) -> None:
    with pytest.raises(BadInput, match="not an email address"):
        accounts.ask_login(table.office, address, table.now)
    assert table.letters() == []


def test_a_host_beyond_ascii_is_kept_as_mail_servers_know_it() -> None:
    assert validation.address(" Ana@Bücher.example ") == "ana@xn--bcher-kva.example"


def test_the_private_link_of_a_seat_logs_its_player_in(table: Table) -> None:
    table.start()
    secret = accounts.log_in_seat(table.office, SeatClaim(table.game, 1), table.now)
    reader = accounts.logged_in(table.office, secret, table.now)
    assert reader is not None
    assert reader.name == "Ben"


@pytest.mark.postgresql
def test_a_name_is_one_line_without_control_characters(table: Table) -> None:
    table.open()
    accounts.rename(table.office, table.host, " Ana\n\x07 \u202e Lima ")
    with table.office.read() as session:
        assert accounts.account(session, "ana@example.org", "", table.now).name == "Ana Lima"
    for name in ("", " \n ", "x" * 10_000):
        with pytest.raises(BadInput):
            accounts.rename(table.office, table.host, name)
