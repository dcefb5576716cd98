"""Every limit with its number, and how it is counted at its edges."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select

from pbem.engine.text import say
from pbem.service import NoSuch, open_office
from pbem.service.base import mailboxes, queries, rate_limits, urls
from pbem.service.base.rate_limits import Limit, TooMuch
from pbem.service.base.task_hints import Hints
from pbem.store.tables import Account, Allowance
from tests.table import Table

MINUTE, HOUR, DAY = timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
THREE = Limit("three", 3, HOUR, say("Three an hour."))


@pytest.fixture
def limited(table: Table) -> Table:
    table.office = replace(table.office, settings=replace(table.office.settings, rate_limits=True))
    return table


@pytest.mark.parametrize(
    ("limit", "most", "within"),
    [
        (rate_limits.ORDERS, 600, MINUTE),
        (rate_limits.READING, 20_000, HOUR),
        (rate_limits.LOGIN_LETTERS, 20, HOUR),
        (rate_limits.LOGIN_LETTERS_TO, 20, DAY),
        (rate_limits.INVITATIONS, 60, DAY),
        (rate_limits.GAMES, 30, DAY),
        (rate_limits.REQUESTS, 3000, MINUTE),
        (rate_limits.PICTURES, 1500, MINUTE),
        (rate_limits.WRONG_LINKS, 60, 10 * MINUTE),
    ],
)
def test_a_limit_is_what_its_sentence_says(limit: Limit, most: int, within: timedelta) -> None:
    assert (limit.most, limit.within) == (most, within)
    if limit is not rate_limits.READING:
        assert f"{most:,}" in str(limit.words) or str(most) in str(limit.words)


def use(table: Table, amount: int = 1, whom: str = "ana") -> None:
    with table.office.work(table.now) as work:
        rate_limits.use(table.office, work.session, THREE, whom, table.now, amount)


def test_where_limits_are_off_nothing_is_counted_and_nothing_is_too_much(table: Table) -> None:
    assert not table.office.settings.rate_limits
    use(table, 100)
    spend(table, 100)
    rate_limits.note(table.office, THREE, "ana", table.now, 100)
    assert not reached(table)
    with table.office.read() as session:
        assert session.scalars(select(Allowance)).all() == []


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


def test_what_is_over_is_deleted_and_the_rest_is_kept(limited: Table) -> None:
    use(limited)
    rate_limits.forget(limited.office, limited.later(minutes=30))
    use(limited, whom="ben")
    rate_limits.forget(limited.office, limited.later(minutes=30, seconds=-1))
    assert len(keys(limited)) == 2
    rate_limits.forget(limited.office, limited.later(seconds=1))
    assert len(keys(limited)) == 1
    assert {len(key) for key in keys(limited)} == {32}


def keys(table: Table) -> list[str]:
    with table.office.read() as session:
        return list(session.scalars(select(Allowance.key)))


# rows and addresses -------------------------------------------------------------------------------------------


def test_a_game_and_a_seat_are_found_by_what_they_are_and_nothing_else_is(table: Table) -> None:
    table.start()
    first, colour = table.game, table.view().seats[1].seat
    table.start()
    with table.office.write() as session:
        for game in (first, table.game):
            assert (queries.game(session, game).id, queries.locked(session, game).id) == (game, game)
            assert [seat.number for seat in queries.seats(session, game)] == [0, 1, 2, 3]
            assert (queries.seat(session, game, colour).number, queries.seat(session, game, colour).game_id) == (
                1,
                game,
            )
            assert (queries.numbered(session, game, 2).account_id, queries.numbered(session, game, 2).game_id) == (
                3,
                game,
            )
        for find in (
            lambda: queries.game(session, "nowhere"),
            lambda: queries.locked(session, "nowhere"),
            lambda: queries.seat(session, first, ""),
            lambda: queries.seat(session, first, "mauve"),
            lambda: queries.numbered(session, first, 4),
        ):
            with pytest.raises(NoSuch):
                find()


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
    written = replace(to, orders="orders@example.org").reply(1)
    assert (written.startswith("orders+"), written.endswith("@example.org")) == (True, True)


def test_an_office_that_is_given_no_hints_gives_them_to_the_broker(table: Table) -> None:
    opened = open_office(table.office.settings)
    assert isinstance(opened.hints, Hints)
    opened.database.close()
