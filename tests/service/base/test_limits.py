"""Limits: what is counted for whom, for how long, and that nothing is done beyond them."""

from __future__ import annotations

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select

from pbem.engine.text import say
from pbem.service import BadInput, Office, open_office
from pbem.service.base import mailboxes, rate_limits
from pbem.service.base.rate_limits import Limit, TooMuch
from pbem.service.games import opening
from pbem.service.people import accounts
from pbem.store.tables import Account, Allowance, Game
from tests.table import Table

pytestmark = pytest.mark.postgresql  # rows that are made or changed in one statement

THREE = Limit("tests", 3, timedelta(hours=1), say("No more than three."))


@pytest.fixture
def limited(table: Table) -> Table:
    """The same people on a server that counts."""
    table.office = counting(table)
    return table


def counting(table: Table) -> Office:
    return replace(table.office, settings=replace(table.office.settings, rate_limits=True))


def test_the_fourth_of_three_is_too_much_and_the_time_until_the_next_is_told(limited: Table) -> None:
    for _ in range(3):
        rate_limits.note(limited.office, THREE, "ana", limited.now)
        limited.later(minutes=10)
    with pytest.raises(TooMuch) as caught:
        rate_limits.note(limited.office, THREE, "ana", limited.now)
    assert (caught.value.again, str(caught.value.sentence)) == (timedelta(minutes=30), "No more than three.")


def test_everybody_and_every_limit_is_counted_apart(limited: Table) -> None:
    rate_limits.note(limited.office, THREE, "ana", limited.now, 3)
    rate_limits.note(limited.office, THREE, "ben", limited.now, 3)
    rate_limits.note(limited.office, replace(THREE, name="others"), "ana", limited.now, 3)


def test_what_fails_does_not_count(limited: Table) -> None:
    with pytest.raises(TooMuch), limited.office.write() as session:
        rate_limits.use(limited.office, session, THREE, "ana", limited.now, 4)
    rate_limits.note(limited.office, THREE, "ana", limited.now, 3)


def test_of_uses_at_one_instant_none_is_lost(limited: Table) -> None:
    other = open_office(limited.office.settings, limited.office.hints)  # as another process has it

    def use(number: int) -> bool:
        try:
            rate_limits.note((limited.office, other)[number % 2], THREE, "ana", limited.now)
        except TooMuch:
            return False
        return True

    with ThreadPoolExecutor(8) as pool:
        taken = list(pool.map(use, range(24)))
    assert taken.count(True) == 3
    other.database.close()


def test_the_table_names_nobody_and_is_emptied_of_what_is_over(limited: Table) -> None:
    accounts.ask_login(limited.office, "ana@example.org", limited.now, "198.51.100.7")
    with limited.office.read() as session:
        text = " ".join(f"{row.key} {row.used}" for row in session.scalars(select(Allowance)))
    assert text
    assert not any(part in text for part in ("ana", "example", "198", "login"))
    rate_limits.forget(limited.office, limited.later(hours=2))
    with limited.office.read() as session:
        (left,) = session.scalars(select(Allowance)).all()  # that of the address counts for a day
    rate_limits.forget(limited.office, left.until)
    with limited.office.read() as session:
        assert session.scalars(select(Allowance)).all() == []


def test_one_client_is_sent_twenty_log_in_letters_an_hour_to_whatever_addresses(limited: Table) -> None:
    for number in range(20):
        accounts.ask_login(limited.office, f"p{number}@example.org", limited.now, "198.51.100.7")
    with pytest.raises(TooMuch):
        accounts.ask_login(limited.office, "p20@example.org", limited.now, "198.51.100.7")
    with limited.office.read() as session:
        assert session.scalar(select(Account.id).where(Account.address == "p20@example.org")) is None
    accounts.ask_login(limited.office, "p20@example.org", limited.now, "198.51.100.8")
    assert len(limited.letters("login")) == 21


def test_an_address_is_sent_twenty_log_in_letters_a_day_whoever_asks_and_nobody_is_told(limited: Table) -> None:
    for number in range(30):
        accounts.ask_login(limited.office, "ana@example.org", limited.now, f"198.51.100.{number}")
        limited.later(minutes=21)
    assert len(limited.letters("login")) == 20
    limited.later(days=1)
    accounts.ask_login(limited.office, "ana@example.org", limited.now, "198.51.100.99")
    assert len(limited.letters("login")) == 21


def test_a_mailbox_is_sent_no_more_log_in_letters_under_several_addresses(limited: Table) -> None:
    for number in range(30):
        accounts.ask_login(limited.office, f"ana+{number}@example.org", limited.now, f"198.51.100.{number}")
    assert len(limited.letters("login")) == accounts.LINKS_AT_ONCE == 5
    for number in range(30):
        limited.later(minutes=21)
        accounts.ask_login(limited.office, f"ana+{number}@example.org", limited.now, f"198.51.100.{number}")
    assert len(limited.letters("login")) == 20
    with limited.office.read() as session:
        made = session.scalars(select(Account.address).where(Account.address.startswith("ana+"))).all()
    assert len(made) == 15
    accounts.ask_login(limited.office, "anna@example.org", limited.now, "198.51.100.1")
    assert len(limited.letters("login")) == 21


def test_at_gmail_dots_and_its_other_name_make_no_other_mailbox(limited: Table) -> None:
    ways = ("a.n.a@gmail.com", "ana@googlemail.com", "an.a+x@gmail.com", "ana+y@googlemail.com", "ana@gmail.com")
    for address in (*ways, "a.na@gmail.com", "ana+z@gmail.com"):
        accounts.ask_login(limited.office, address, limited.now)
    assert len(limited.letters("login")) == 5
    assert {mailboxes.mailbox(address) for address in ways} == {"ana@gmail.com"}
    assert mailboxes.mailbox("a.na@example.org") == "a.na@example.org"
    assert mailboxes.mailbox("+ana@example.org") == "+ana@example.org"


def test_a_stranger_gets_five_invitations_a_month_under_however_many_addresses(limited: Table) -> None:
    for number in range(7):
        limited.open(("Ana", "Ben", f"Zoe+{number}"))
        limited.answer(1)
        limited.send_all()
    sent = [row for row in limited.letters("invitation", "sent") if "zoe" in limited.read(row).envelope.to.casefold()]
    assert len(sent) == 5


def test_a_host_invites_sixty_people_a_day_whether_they_are_known_or_not(limited: Table) -> None:
    limited.open()  # three
    for number in range(11):
        invite(limited, *(f"p{number}.{seat}@example.org" for seat in range(5)))
    with pytest.raises(TooMuch):
        invite(limited, "ben@example.org", "chloe@example.org", "new@example.org")
    with limited.office.read() as session:
        assert session.scalar(select(Account.id).where(Account.address == "new@example.org")) is None
    assert len(limited.letters("invitation")) == 58
    invite(limited, "ben@example.org", "new@example.org")
    assert len(limited.letters("invitation")) == 60


def test_a_host_opens_thirty_games_a_day(limited: Table) -> None:
    limited.open(map="barbados", names=("Ana",))
    for _ in range(29):
        invite(limited, map="barbados")
    with pytest.raises(TooMuch):
        invite(limited, map="barbados")
    invite_later = limited.later(days=1)
    assert opening.open_game(limited.office, limited.host, game("barbados"), invite_later)
    with limited.office.read() as session:
        assert len(session.scalars(select(Game.id)).all()) == 31


def test_somebody_who_never_answers_gets_five_invitations_a_month_whoever_sends_them(limited: Table) -> None:
    for number in range(7):
        limited.open(("Ana", "Ben", "Zoe") if number % 2 else ("Chloé", "Ben", "Zoe"))
        limited.answer(1)  # Ben
        limited.send_all()
    zoe = limited.letters("invitation")[-1].account_id
    assert [row.account_id for row in limited.letters("invitation", "sent")].count(zoe) == 5
    limited.later(days=1)
    assert limited.send_all() == []
    limited.later(days=30)
    limited.send_all()
    assert [row.account_id for row in limited.letters("invitation", "sent")].count(zoe) == 7


def test_a_form_with_mistakes_costs_nothing(limited: Table) -> None:
    limited.open()
    for _ in range(70):
        with pytest.raises(BadInput):
            invite(limited, "not an address", "ben@example.org")
    invite(limited, "ben@example.org", "chloe@example.org")


def invite(table: Table, *addresses: str, map: str = "rust_belt") -> str:
    return opening.open_game(table.office, table.host, game(map, *addresses), table.now)


def game(map: str, *addresses: str) -> opening.NewGame:
    players = tuple(opening.Invited(address) for address in addresses)
    return opening.NewGame(title="Another", game="age-of-steam", map=map, players=players)
