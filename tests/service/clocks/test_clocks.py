"""Banks, increments, weekends, zones, quiet hours, reminders and caretakers in a running game."""

from datetime import UTC, date, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from pbem.mail.writing import write
from pbem.robot import opponents
from pbem.service.base import queries
from pbem.service.operator import due
from pbem.service.orders import deadlines
from pbem.service.people import accounts, notifications
from pbem.service.turns import caretaker
from pbem.store.tables import Seat
from tests.table import Table

WARSAW = "Europe/Warsaw"
NIGHT = (time(22), time(7))


def asked(table: Table) -> Seat:
    with table.office.read() as session:
        return queries.seat(session, table.game, table.row().to_act)


def seat(table: Table, colour: str) -> Seat:
    with table.office.read() as session:
        return queries.seat(session, table.game, colour)


def deadline(table: Table) -> datetime:
    found = table.view().deadline
    assert found is not None
    return found


def everybody(table: Table, zone: str, quiet: tuple[time, time] | None = None) -> None:
    """All accounts live in one zone."""
    with table.office.read() as session:
        ids = [row.account_id for row in queries.seats(session, table.game)]
    for number in ids:
        notifications.live(table.office, number or 0, zone, quiet)


def opened(table: Table, zone: str = "UTC", quiet: tuple[time, time] | None = None, **time_control: object) -> None:
    """A game of people who live in one zone from the start."""
    table.open(**time_control)  # type: ignore[arg-type]
    everybody(table, zone, quiet)
    for number in range(1, 4):
        table.answer(number)


# banks and increments -----------------------------------------------------------------------------------------


def test_what_an_answer_takes_beyond_its_time_comes_from_the_bank_of_that_player_alone(table: Table) -> None:
    view = table.start(turn_time=timedelta(days=1), bank=timedelta(days=2))
    first = view.waiting_for
    table.later(hours=30)
    table.play()
    assert seat(table, first).reserve_seconds == 42 * 3600
    assert asked(table).reserve_seconds == 48 * 3600
    assert deadline(table) == table.now + timedelta(days=3)


@pytest.mark.postgresql
def test_the_default_is_played_when_the_bank_is_empty_and_not_before(table: Table) -> None:
    table.start(turn_time=timedelta(days=1), bank=timedelta(days=2))
    first = asked(table).colour
    assert not deadlines.deadline(table.office, table.game, table.later(hours=71))
    assert deadlines.deadline(table.office, table.game, table.later(hours=1))
    assert seat(table, first).reserve_seconds == 0


# calendars ----------------------------------------------------------------------------------------------------


def test_weekends_end_at_midnight_of_the_player_who_is_asked(table: Table) -> None:
    """It is Friday, 20 November, 18:00 UTC, 19:00 in Warsaw: five hours are left of the week."""
    opened(table, WARSAW, turn_time=timedelta(hours=12), weekends=False)
    assert deadline(table) == datetime(2026, 11, 23, 7, tzinfo=ZoneInfo(WARSAW))


@pytest.mark.postgresql
def test_public_holidays_of_a_country_and_its_region_do_not_count_and_the_email_names_the_next_ones(
    table: Table,
) -> None:
    table.now = datetime(2027, 1, 5, 18, tzinfo=UTC)
    table.start(turn_time=timedelta(days=1), country="DE-BY", holidays=(date(2027, 1, 7),))
    assert deadline(table) == datetime(2027, 1, 8, 18, tzinfo=UTC)
    (invitation, *_) = table.letters("invitation")
    said = write(table.read(invitation), "").text
    assert "Public holidays do not count: Germany (Bayern). The next ones: Wednesday 6" in " ".join(said.split())


def test_new_quiet_hours_do_not_move_a_time_that_runs(table: Table) -> None:
    table.start(turn_time=timedelta(hours=6))
    before = deadline(table)
    everybody(table, "Asia/Tokyo", NIGHT)
    assert deadline(table) == before


# reminders ----------------------------------------------------------------------------------------------------


@pytest.mark.postgresql
def test_reminders_come_at_the_steps_a_player_chose(table: Table) -> None:
    table.start(turn_time=timedelta(hours=72))
    table.send_all()
    wish = notifications.Telling("turn", 6, time(18), ("50", "24h", "1h"))
    with table.office.read() as session:
        numbers = [row.account_id or 0 for row in queries.seats(session, table.game)]
    for number in numbers:
        notifications.tell(table.office, number, wish)
    table.play()
    table.send_all()
    reminded = []
    for hour in range(1, 73):
        table.later(hours=1)
        if table.game in due.reminders(table.office, table.now):
            assert deadlines.remind(table.office, table.game, table.now)
            reminded.append(hour)
    assert reminded == [36, 48, 71]
    assert len(table.letters("reminder")) == 3


# caretakers ---------------------------------------------------------------------------------------------------


def vanished(table: Table) -> str:
    """Whoever is asked lets the time run out in a game with caretakers."""
    view = table.start(turn_time=timedelta(days=1), at_zero="caretaker")
    table.send_all()
    assert deadlines.deadline(table.office, table.game, table.later(days=1))
    return view.waiting_for


def until_asked(table: Table, colour: str) -> None:
    for _ in range(60):
        if table.row().to_act == colour:
            return
        assert table.play().status == "played"
    raise AssertionError(f"{colour} was not asked")


@pytest.mark.postgresql
def test_a_caretaker_plays_a_legal_order_and_the_player_is_told_once(table: Table) -> None:
    colour = vanished(table)
    assert [move.cause for move in table.view().log] == ["start", "caretaker"]
    assert [row.kind for row in table.letters() if row.kind in ("caretaker", "default-played")] == ["caretaker"]
    until_asked(table, colour)
    assert deadlines.deadline(table.office, table.game, table.later(hours=1))
    assert table.view().log[-1].cause == "caretaker"
    assert len(table.letters("caretaker")) == 1
    assert [row for row in table.letters("your-turn") if row.version == table.view().version - 1] == []


def test_any_order_of_the_player_sends_the_caretaker_away(table: Table) -> None:
    colour = vanished(table)
    table.play("nonsense", seat=colour)
    assert seat(table, colour).caretaker_since is None
    until_asked(table, colour)
    assert deadline(table) == table.now + timedelta(days=1)


def test_a_player_who_says_to_be_back_is_asked_and_gets_the_whole_time(table: Table) -> None:
    colour = vanished(table)
    until_asked(table, colour)
    account = asked(table).account_id or 0
    assert caretaker.back(table.office, table.game, account, table.now)
    assert deadline(table) == table.now + timedelta(days=1)
    asking = [row.account_id for row in table.letters("your-turn") if row.version == table.view().version]
    assert asking == [account], "the question was not sent while a caretaker played"
    assert not caretaker.back(table.office, table.game, account, table.now)


@pytest.mark.postgresql
def test_a_caretaker_plays_a_game_to_its_end(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """Everybody vanishes; the plain robot orders, because thoughts about a whole game take longer than this test."""
    plain = opponents.plain
    monkeypatch.setattr(opponents, "caretaker", lambda sheet, state, seed, _: plain(sheet, state, seed))
    table.start(turn_time=timedelta(hours=1), at_zero="caretaker")
    for _ in range(600):
        if table.asked().over:
            break
        found = table.row().deadline_at
        assert found is not None
        table.now = found
        assert deadlines.deadline(table.office, table.game, table.now)
    view = table.view()
    assert view.status == "over"
    assert {move.cause for move in view.log[1:]} == {"caretaker"}


# substitutes --------------------------------------------------------------------------------------------------


def test_a_seat_is_offered_when_its_time_is_over_and_the_game_waits_once_more(table: Table) -> None:
    table.start(turn_time=timedelta(days=1), at_zero="substitute")
    assert deadlines.deadline(table.office, table.game, table.later(days=1))
    assert table.view().version == 0
    assert deadline(table) == table.now + timedelta(days=1)
    assert len(table.letters("seat-offered")) == 4
    assert deadlines.deadline(table.office, table.game, table.later(days=1))
    assert table.view().log[-1].cause == "deadline"


def test_a_host_who_plays_gets_one_letter_about_the_seat_with_the_link_to_pass_on(table: Table) -> None:
    table.start(turn_time=timedelta(days=1), at_zero="substitute")
    while table.asked().waiting_for == table.view().seats[0].seat:
        table.play()
    assert deadlines.deadline(table.office, table.game, table.later(days=1))
    about = [row for row in table.letters() if row.kind in ("seat-offered", "substitute-wanted")]
    assert [row.kind for row in about] == ["seat-offered"] * 4
    taking = {row.account_id: table.read(row).own.take for row in about}
    assert [account for account, link in taking.items() if link] == [table.host]


def test_a_host_who_does_not_play_gets_the_link_alone(table: Table) -> None:
    table.start(turn_time=timedelta(days=1), at_zero="substitute")
    with table.office.write() as session:
        stranger = accounts.account(session, "hal@example.org", "Hal", table.now).id
        queries.locked(session, table.game).host_id = stranger
    assert deadlines.deadline(table.office, table.game, table.later(days=1))
    assert [row.account_id for row in table.letters("substitute-wanted")] == [stranger]
    assert stranger not in [row.account_id for row in table.letters("seat-offered")]
