"""Accounts are addresses; a mailed link logs in, once and for twenty minutes."""

from datetime import UTC, date, datetime, time, timedelta

import pytest

from pbem.service import BadInput, BadToken, NoSuch, NotNow
from pbem.service.base import queries, validation
from pbem.service.base.tokens import LoginClaim, SeatClaim
from pbem.service.people import absences, accounts, notifications
from tests.table import START, Table


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


def test_the_private_link_of_a_seat_logs_its_player_in(dealt: Table) -> None:
    secret = accounts.log_in_seat(dealt.office, SeatClaim(dealt.game, 1), dealt.now)
    reader = accounts.logged_in(dealt.office, secret, dealt.now)
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


TODAY = START.date()


def asked(table: Table) -> int:
    with table.office.read() as session:
        return queries.seat(session, table.game, table.row().to_act).account_id or 0


def in_days(number: int) -> date:
    return TODAY + timedelta(days=number)


@pytest.mark.postgresql
def test_an_absence_moves_the_deadline_by_its_days(table: Table) -> None:
    view = table.start()
    absences.add(table.office, asked(table), in_days(1), in_days(10), table.now)
    assert view.deadline is not None
    assert table.row().deadline_at == view.deadline + timedelta(days=10)


def test_a_question_asked_while_away_has_its_time_afterwards(dealt: Table) -> None:
    first = asked(dealt)
    absences.add(dealt.office, first, in_days(2), in_days(10), dealt.now)
    dealt.play()
    for _ in range(30):
        if asked(dealt) == first:
            break
        dealt.play()
    found = dealt.row().deadline_at
    assert found is not None
    assert found.date() > in_days(10)


def test_all_who_play_with_somebody_are_told_and_the_absent_player_where_a_deadline_moves(table: Table) -> None:
    view = table.start()
    mine = asked(table)
    absences.add(table.office, mine, in_days(1), in_days(10), table.now)
    away = table.letters("away")
    assert len({row.account_id for row in away}) == 4
    letter = table.read(away[0])
    assert (letter.own.first, letter.own.last, letter.own.before) == (in_days(1), in_days(10), view.deadline)
    assert letter.own.person == view.names[view.waiting_for]


def test_who_is_not_asked_moves_no_deadline_and_not_that_of_the_next_question(table: Table) -> None:
    view = table.start()
    other = accounts.of_seat(table.office, table.game, table.number(table.rest()[-1]))
    absences.add(table.office, other, in_days(1), in_days(10), table.now)
    assert table.row().deadline_at == view.deadline
    assert len(table.letters("away")) == 3
    table.play()
    assert asked(table) != other
    assert table.row().deadline_at == table.now + view.turn_time


def test_everybody_sees_who_is_away(table: Table) -> None:
    view = table.start()
    absences.add(table.office, asked(table), in_days(1), in_days(10), table.now)
    clock = next(clock for clock in table.view().clocks if clock.seat == view.waiting_for)
    assert clock.away(table.now) is None
    assert clock.next_absence(table.now) == (in_days(1), in_days(10))
    assert clock.away(table.now + timedelta(days=3)) == in_days(10)


@pytest.mark.postgresql
def test_an_absence_that_is_removed_counts_its_past_days_only(table: Table) -> None:
    view = table.start()
    mine = asked(table)
    absences.add(table.office, mine, in_days(1), in_days(20), table.now)
    (absence,) = absences.of(table.office, mine, table.now)
    table.awake(days=5)
    absences.remove(table.office, mine, absence.id, table.now)
    assert view.deadline is not None
    assert table.row().deadline_at == view.deadline + timedelta(days=4)
    assert absences.of(table.office, mine, table.now) == ()
    assert absences.left(table.office, mine, 2026) == absences.DAYS_A_YEAR - 4
    assert len({row.account_id for row in table.letters("back")}) == 4


@pytest.mark.postgresql
def test_a_deadline_that_comes_nearer_leaves_an_hour(table: Table) -> None:
    table.start(turn_time=timedelta(minutes=90))
    mine = asked(table)
    absences.add(table.office, mine, in_days(0), in_days(9), table.now)
    (absence,) = absences.of(table.office, mine, table.now)
    absences.remove(table.office, mine, absence.id, table.awake(hours=5))
    assert table.row().deadline_at == table.now + timedelta(hours=1)


def test_absences_are_days_by_the_calendar_of_the_player(dealt: Table) -> None:
    """18:00 UTC on the 20th is the 21st in Tokyo: the 20th is over there."""
    mine = asked(dealt)
    notifications.live(dealt.office, mine, "Asia/Tokyo", None)
    with pytest.raises(BadInput, match="cannot begin before today"):
        absences.add(dealt.office, mine, in_days(0), in_days(3), dealt.now)


def test_an_absence_may_begin_today(table: Table) -> None:
    """Somebody falls ill: the time for an answer begins after the last day."""
    view = table.start()
    assert view.deadline is not None
    time_for_an_answer = view.deadline - table.now
    absences.add(table.office, asked(table), in_days(0), in_days(3), table.now)
    assert table.row().deadline_at == datetime.combine(in_days(4), time(0), UTC) + time_for_an_answer


@pytest.mark.parametrize(
    ("first", "last", "sentence"),
    [
        (in_days(-1), in_days(3), "cannot begin before today"),
        (in_days(5), in_days(3), "before the first"),
        (in_days(1), in_days(400), "within a year"),
        (in_days(1), in_days(45), "40 days of absence are left in 2026"),
        (date(1, 1, 1), date.max, "cannot begin before today"),
        (in_days(1), date.max, "within a year"),
    ],
)
def test_an_absence_that_cannot_be_is_refused(table: Table, first: date, last: date, sentence: str) -> None:
    table.open()
    with pytest.raises(BadInput, match=sentence):
        absences.add(table.office, table.host, first, last, table.now)
    assert absences.of(table.office, table.host, table.now) == ()


def test_days_over_the_turn_of_the_year_count_in_both_years(table: Table) -> None:
    table.open()
    absences.add(table.office, table.host, date(2026, 12, 23), date(2027, 1, 10), table.now)
    left = [absences.left(table.office, table.host, year) for year in (2026, 2027)]
    assert left == [31, 30]


def test_two_absences_do_not_overlap(table: Table) -> None:
    table.open()
    absences.add(table.office, table.host, in_days(5), in_days(9), table.now)
    with pytest.raises(BadInput, match="some of these days"):
        absences.add(table.office, table.host, in_days(9), in_days(12), table.now)


def test_nobody_removes_the_absence_of_another(dealt: Table) -> None:
    mine = asked(dealt)
    absences.add(dealt.office, mine, in_days(5), in_days(9), dealt.now)
    (absence,) = absences.of(dealt.office, mine, dealt.now)
    for number, account in ((absence.id, mine + 1), (10**12, mine), (-1, mine)):
        with pytest.raises(NoSuch):
            absences.remove(dealt.office, account, number, dealt.now)
