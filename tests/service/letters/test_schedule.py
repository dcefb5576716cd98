"""How letters reach a reader: every turn, every so many hours, once a day; quiet hours, mute, and the last day."""

from datetime import UTC, datetime, time, timedelta
from zoneinfo import ZoneInfo

import pytest

from pbem.service import BadInput, NoSuch
from pbem.service.base import NewLetter, queries
from pbem.service.letters import outbox
from pbem.service.letters.digests import make
from pbem.service.letters.kinds.questions import YourTurn
from pbem.service.operator import due
from pbem.service.orders import deadlines
from pbem.service.people import notifications
from pbem.store.tables import Letter
from tests.table import Table

LISBON, TOKYO = "Europe/Lisbon", "Asia/Tokyo"


def account(table: Table, number: int) -> int:
    with table.office.read() as session:
        return queries.numbered(session, table.game, number).account_id or 0


def wants(
    table: Table, mails: str, hours: int = 6, digest_at: time = time(18), reminders: tuple[str, ...] = ()
) -> None:
    """Everybody at the table wants to be told like this."""
    for number in range(4):
        notifications.tell(
            table.office, account(table, number), notifications.Telling(mails, hours, digest_at, reminders)
        )


def lives(table: Table, zone: str, quiet: tuple[time, time] | None = None) -> None:
    for number in range(4):
        notifications.live(table.office, account(table, number), zone, quiet)


def opened(table: Table, mails: str, **wishes: object) -> None:
    """A game that is about to start with people who are told like this; all earlier letters are out."""
    table.open(turn_time=timedelta(days=7))
    wants(table, mails, **wishes)  # type: ignore[arg-type]


def begin(table: Table) -> Letter:
    """All accept; the letter with the first question."""
    for number in range(1, 4):
        table.answer(number)
    table.send_all()
    return table.letters("your-turn")[-1]


def tick(table: Table) -> list[str]:
    """What the clock does with letters; says what went out."""
    for number in due.digests(table.office, table.now):
        make(table.office, number, table.now)
    return table.send_all()


# every so many hours ------------------------------------------------------------------------------------------


@pytest.mark.postgresql
def test_at_most_one_letter_in_so_many_hours(table: Table) -> None:
    opened(table, "hours", hours=6)
    first = begin(table)
    assert first.status == "sent"
    table.later(hours=1)
    asked = table.view().waiting_for
    for _ in range(30):
        table.play()
        if table.view().waiting_for == asked:
            break
    again = table.letters("your-turn")[-1]
    assert (again.account_id, again.held) == (first.account_id, True)
    assert again.next_try_at == (first.sent_at or table.now) + timedelta(hours=6)
    assert tick(table) == []
    table.later(hours=5)
    assert tick(table) == ["your-turn"]


def test_of_two_questions_that_are_written_together_the_second_waits(table: Table) -> None:
    opened(table, "hours", hours=6)
    reader = begin(table).account_id
    table.later(hours=7)
    with table.office.game(table.game, table.now) as work:
        work.write(*(NewLetter(YourTurn(), f"asked:{number}", reader, game=work.game) for number in range(2)))
    first, second = table.letters("your-turn")[-2:]
    assert (first.held, first.next_try_at) == (False, table.now)
    assert (second.held, second.next_try_at) == (True, table.now + timedelta(hours=6))


@pytest.mark.postgresql
def test_questions_that_came_together_meanwhile_are_one_letter(table: Table) -> None:
    opened(table, "hours", hours=6)
    reader = begin(table).account_id
    table.later(hours=1)
    for _ in range(2):
        opened(table, "hours", hours=6)
        begin(table)
    held = [row for row in table.letters("your-turn", "waiting") if row.account_id == reader]
    assert [row.held for row in held] == [True, True]
    table.later(hours=5)
    assert tick(table) == ["digest"]
    (digest,) = table.letters("digest")
    view = table.read(digest)
    assert [line.seat is not None and line.turn_page != "" for line in view.own.games] == [True] * 3


# once a day ---------------------------------------------------------------------------------------------------


@pytest.mark.postgresql
def test_a_daily_letter_leaves_at_the_hour_of_the_reader(table: Table) -> None:
    """It is 18:00 UTC, 03:00 in Tokyo: 19:00 there is 10:00 UTC."""
    opened(table, "digest", digest_at=time(19))
    lives(table, TOKYO)
    question = begin(table)
    assert (question.status, question.held) == ("waiting", True)
    assert question.next_try_at == datetime(2026, 11, 21, 19, tzinfo=ZoneInfo(TOKYO))
    table.later(hours=15, minutes=59)
    assert tick(table) == []
    table.later(minutes=1)
    assert tick(table) == ["digest"]
    assert table.letters("your-turn")[0].last_error == "included in the digest"


@pytest.mark.postgresql
def test_a_question_answered_on_the_page_is_not_in_the_daily_letter(table: Table) -> None:
    opened(table, "digest")
    wish = notifications.Telling("turn", 6, time(18), ())
    question = begin(table)
    for number in range(4):
        if account(table, number) != question.account_id:
            notifications.tell(table.office, account(table, number), wish)
    table.play()
    table.later(days=1)
    table.send_all()
    assert tick(table) == []
    assert table.letters("digest") == []
    assert table.letters("your-turn")[0].last_error == "the question has been answered"


def test_the_daily_letter_comes_at_its_hour_also_when_the_clocks_change(table: Table) -> None:
    table.now = datetime(2026, 3, 28, 20, tzinfo=UTC)
    opened(table, "digest", digest_at=time(18))
    lives(table, "Europe/Warsaw")
    assert begin(table).next_try_at == datetime(2026, 3, 29, 18, tzinfo=ZoneInfo("Europe/Warsaw"))


# the last day -------------------------------------------------------------------------------------------------


@pytest.mark.postgresql
def test_a_reminder_of_a_question_that_was_held_back_is_the_question(table: Table) -> None:
    opened(table, "digest", digest_at=time(17), reminders=("50",))
    question = begin(table)
    with table.office.write() as session:
        session.get_one(Letter, question.id).next_try_at = table.now + timedelta(days=6)
    assert deadlines.remind(table.office, table.game, table.later(hours=84))
    assert table.letters("reminder") == []
    assert tick(table) == ["your-turn"]


# mute ---------------------------------------------------------------------------------------------------------


def test_a_muted_game_asks_only_when_the_last_day_begins(table: Table) -> None:
    opened(table, "turn", reminders=("50",))
    for number in range(4):
        notifications.differ(table.office, account(table, number), table.game, "mute")
    assert begin(table).next_try_at == table.now + timedelta(days=6)
    assert deadlines.remind(table.office, table.game, table.later(hours=84))
    assert table.letters("reminder") == []
    assert tick(table) == []
    table.later(hours=60)
    assert tick(table) == ["your-turn"]


@pytest.mark.postgresql
def test_one_game_can_be_told_differently_and_as_always_again(table: Table) -> None:
    opened(table, "turn")
    mine = account(table, 0)
    notifications.differ(table.office, mine, table.game, "digest")
    assert [(line.game, line.mails) for line in notifications.games(table.office, mine)] == [(table.game, "digest")]
    notifications.differ(table.office, mine, table.game, "")
    assert [line.mails for line in notifications.games(table.office, mine)] == [""]
    with pytest.raises(BadInput):
        notifications.differ(table.office, mine, table.game, "hourly")
    with pytest.raises(NoSuch):
        notifications.differ(table.office, mine, "nogame", "mute")


# quiet hours --------------------------------------------------------------------------------------------------


def test_no_letter_is_sent_in_quiet_hours(table: Table) -> None:
    """18:00 UTC is 03:00 in Tokyo."""
    opened(table, "turn")
    lives(table, TOKYO, (time(22), time(7)))
    begin(table)
    assert {row.status for row in table.letters() if row.kind != "invitation"} == {"waiting"}
    table.later(hours=3, minutes=59)
    assert table.send_all() == []
    table.later(minutes=1)
    assert set(table.send_all()) == {"game-started", "your-turn"}


def test_a_letter_that_was_due_before_does_not_slip_into_quiet_hours(table: Table) -> None:
    opened(table, "turn")
    row = table.letters("invitation")[0]
    lives(table, "UTC", (time(22), time(7)))
    table.later(hours=5)
    assert not outbox.claim(table.office, row.id, table.now)
    assert table.letters("invitation")[0].next_try_at == datetime(2026, 11, 21, 7, tzinfo=UTC)


@pytest.mark.postgresql
def test_the_answer_to_an_order_comes_at_any_hour(dealt: Table) -> None:
    dealt.send_all()
    lives(dealt, "UTC", (time(17), time(23)))
    dealt.play("nonsense", via="mail")
    assert dealt.send_all() == ["refused"]


# habits -------------------------------------------------------------------------------------------------------


@pytest.mark.parametrize(
    ("wish", "field"),
    [
        (notifications.Telling("never", 6, time(18), ()), "mail"),
        (notifications.Telling("hours", 0, time(18), ()), "every"),
        (notifications.Telling("hours", 10**9, time(18), ()), "every"),
        (notifications.Telling("turn", 6, time(18), ("99",)), "remind"),
    ],
)
def test_habits_that_cannot_be_are_refused(table: Table, wish: notifications.Telling, field: str) -> None:
    table.open()
    with pytest.raises(BadInput) as refused:
        notifications.tell(table.office, table.host, wish)
    assert [problem.field for problem in refused.value.problems] == [field]


@pytest.mark.postgresql
def test_zones_are_those_of_the_time_zone_database(table: Table) -> None:
    table.open()
    for zone in ("Atlantis/Centre", "../../etc/passwd", "", "Europe", "x" * 10_000):
        with pytest.raises(BadInput, match="not a time zone"):
            notifications.live(table.office, table.host, zone, None)
    with pytest.raises(BadInput, match="14 hours"):
        notifications.live(table.office, table.host, LISBON, (time(7), time(22)))
    notifications.live(table.office, table.host, LISBON, (time(22), time(7)))
    view = notifications.of(table.office, table.host)
    assert (view.zone, view.quiet) == (LISBON, (time(22), time(7)))
    notifications.live(table.office, table.host, LISBON, (time(7), time(7)))
    assert notifications.of(table.office, table.host).quiet is None
