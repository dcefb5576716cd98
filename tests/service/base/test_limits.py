"""Limits: what is counted for whom, for how long, and that nothing is done beyond them."""

from concurrent.futures import ThreadPoolExecutor
from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select

from pbem.engine import say, values
from pbem.service import BadInput, open_office
from pbem.service.base import mailboxes, rate_limits, urls
from pbem.service.base.rate_limits import Limit, TooMuch
from pbem.service.base.task_hints import Hints
from pbem.service.games import opening
from pbem.service.people import accounts
from pbem.store.tables import Account, Allowance, Game
from tests.table import Table

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
pytestmark = pytest.mark.postgresql  # rows that are made or changed in one statement

THREE = Limit("tests", 3, timedelta(hours=1), say("No more than three."))


@pytest.fixture
def limited(table: Table) -> Table:
    """The same people on a server that counts."""
    table.office = replace(table.office, settings=replace(table.office.settings, rate_limits=True))
    return table


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
    rate_limits.note(limited.office, values.replace(THREE, name="others"), "ana", limited.now, 3)


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
        (until,) = session.scalars(select(Allowance.until)).all()  # that of the address counts for a day
    rate_limits.forget(limited.office, until - timedelta(seconds=1))
    with limited.office.read() as session:
        assert session.scalars(select(Allowance.until)).all() == [until]
    rate_limits.forget(limited.office, until)
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


WITHIN = {MINUTE: "within a minute", HOUR: "within an hour", DAY: "day"}
LIMITS = [limit for limit in vars(rate_limits).values() if isinstance(limit, Limit) and limit.within in WITHIN]


@pytest.mark.parametrize(
    "limit", [limit for limit in LIMITS if limit is not rate_limits.READING], ids=lambda limit: limit.name
)
def test_a_limit_is_what_its_sentence_says(limit: Limit) -> None:
    assert limit.most == 1 or f" {limit.most:,} " in str(limit.words)
    assert WITHIN[limit.within] in str(limit.words)


def use(table: Table, amount: int = 1, whom: str = "ana") -> None:
    with table.office.work(table.now) as work:
        rate_limits.use(table.office, work.session, THREE, whom, table.now, amount)


def test_where_limits_are_off_nothing_is_counted_and_nothing_is_too_much(table: Table) -> None:
    assert not table.office.settings.rate_limits
    use(table, 100)
    spend(table, 100)
    rate_limits.note(table.office, THREE, "ana", table.now, 100)
    assert not reached(table)
    assert table.rows(select(Allowance)) == []


def reached(table: Table, whom: str = "ana") -> bool:
    with table.office.read() as session:
        return rate_limits.reached(table.office, session, THREE, whom, table.now)


def spend(table: Table, amount: int) -> None:
    with table.office.work(table.now) as work:
        rate_limits.spend(table.office, work.session, THREE, "ana", table.now, amount)


def test_a_limit_is_reached_with_its_last_use_and_until_its_time_is_over(limited: Table) -> None:
    assert not reached(limited)
    use(limited, 2)
    assert not reached(limited)
    use(limited)
    assert (reached(limited), reached(limited, "ben")) == (True, False)
    limited.later(hours=1, seconds=-1)
    assert reached(limited)
    limited.later(seconds=1)
    assert not reached(limited)


def test_what_was_spent_may_be_more_than_the_limit(limited: Table) -> None:
    spend(limited, 2)
    spend(limited, 5)
    assert reached(limited)
    with pytest.raises(TooMuch) as refused:
        use(limited)
    assert refused.value.again == HOUR


def test_what_is_counted_begins_anew_with_the_second_in_which_its_time_is_over(limited: Table) -> None:
    def count() -> int:
        rate_limits.note(limited.office, THREE, "ana", limited.now)
        with limited.office.read() as session:
            return session.scalars(select(Allowance.used)).one()

    assert [count(), count()] == [1, 2]
    limited.later(hours=1, seconds=-1)
    assert count() == 3
    limited.later(seconds=1)
    assert count() == 1
    limited.later(hours=1, seconds=-1)
    assert count() == 2


@pytest.mark.parametrize(
    ("address", "mailbox"),
    [
        ("ana@example.org", "ana@example.org"),
        ("ana+x+y@example.org", "ana@example.org"),
        ("+x@example.org", "+x@example.org"),
        ("a.n.a@example.org", "a.n.a@example.org"),
        ("a.n.a+x@gmail.com", "ana@gmail.com"),
        ("an.a@googlemail.com", "ana@gmail.com"),
    ],
)
def test_addresses_of_one_mailbox_are_one(address: str, mailbox: str) -> None:
    assert mailboxes.mailbox(address) == mailbox


def test_accounts_of_one_mailbox_are_found_however_their_addresses_are_written(table: Table) -> None:
    addresses = ("a.na@gmail.com", "ana+1@googlemail.com", "ana@example.org", "ana+2@example.org", "anb@gmail.com")
    with table.office.write() as session:
        for number, address in enumerate(addresses, 1):
            session.add(Account(id=number, address=address, name="x", created_at=table.now))
    with table.office.read() as session:
        assert sorted(mailboxes.accounts_of(session, "ana@gmail.com")) == [1, 2]
        assert sorted(mailboxes.accounts_of(session, "ana@googlemail.com")) == [1, 2]
        assert sorted(mailboxes.accounts_of(session, "ana@example.org")) == [3, 4]


def test_addresses_of_pages_hold_what_they_are_asked_for_and_no_more(table: Table) -> None:
    to = urls.Addresses("https://example.org", table.office.tokens)
    turn = to.turn("g", "blue", 1)
    assert to.turn("g", "blue", 1, "issue 1 & more") == f"{turn}?order=issue+1+%26+more"
    assert to.vote(1, 2, 3, "agree") == f"{to.vote(1, 2, 3)}?answer=agree"
    assert to.invitation("g", 1, "accept") == f"{to.invitation('g', 1)}?answer=accept"
    assert to.seat("g", 1) == to.seat("g", 1, 0) != to.seat("g", 1, 1)
    assert to.plan("g", "blue", 1) == to.plan("g", "blue", 1, 0) != to.plan("g", "blue", 1, 1)
    assert to.reply(1) == ""
    written = values.replace(to, orders="orders@example.org").reply(1)
    assert (written.startswith("orders+"), written.endswith("@example.org")) == (True, True)


def test_an_office_that_is_given_no_hints_gives_them_to_the_broker(table: Table) -> None:
    opened = open_office(table.office.settings)
    assert isinstance(opened.hints, Hints)
    opened.database.close()
