"""When letters leave, to the second: refusals, strangers, slow providers, habits and the last day."""

from datetime import UTC, datetime, timedelta

import pytest
from sqlalchemy import update

from pbem.engine import Refusal, say
from pbem.service.base import NewLetter, queries
from pbem.service.base.task_hints import send_hint
from pbem.service.letters import outbox, providers, schedule, strangers
from pbem.service.letters.kinds.accounts import DeliveryTest
from pbem.service.letters.kinds.games import Invitation
from pbem.service.letters.kinds.questions import YourTurn
from pbem.service.orders import submissions, taking_in
from pbem.service.orders.submissions import PAGE_GOES_ON
from pbem.store.tables import Account, Game, GameNotification, Letter, LoggedIn, Login, Seat, Submission
from tests.table import START, Table

HOUR, DAY = timedelta(hours=1), timedelta(days=1)
SECOND = timedelta(seconds=1)
HOST = "slow.example.org"


def refuse(table: Table, via: str = "mail", seat: str = "", times: int = 1) -> None:
    """Orders that cannot be played."""
    view = table.view()
    for _ in range(times):
        text = f"issue {99 + len(table.submissions())}"
        table.send(text, seat=seat or view.waiting_for, version=view.version, via=via)
        submissions.play_waiting(table.office, table.game, table.now)


def refused(table: Table) -> Letter:
    return table.letters("refused")[-1]


# refusals -----------------------------------------------------------------------------------------------------


def test_only_mails_for_the_same_seat_of_the_same_game_are_counted_in_a_row(dealt: Table) -> None:
    other = next(seat.seat for seat in dealt.view().seats if seat.seat != dealt.view().waiting_for)
    refuse(dealt, times=3)
    dealt.start()
    dealt.send_all()
    refuse(dealt, via="page", times=3)
    refuse(dealt, seat=other, times=3)
    refuse(dealt)
    letter = next(row for row in reversed(dealt.letters("refused")) if row.data["submission"] == 10)
    assert not letter.data["last"]


def test_a_letter_about_the_third_mail_in_a_row_is_the_last_and_stays_so(dealt: Table) -> None:
    dealt.send_all()
    refuse(dealt, times=2)
    assert not refused(dealt).data["last"]
    refuse(dealt)
    assert refused(dealt).data["last"]
    refuse(dealt, via="page")
    assert (refused(dealt).data["last"], refused(dealt).data["number"]) == (True, 4)


def test_who_was_answered_in_another_game_is_answered_in_this_one(dealt: Table) -> None:
    dealt.send_all()
    refuse(dealt, times=4)
    dealt.send_all()
    before = len(dealt.letters("refused"))
    dealt.start()
    dealt.send_all()
    with dealt.office.game(dealt.game, dealt.now) as work:
        seat = work.seat(work.game.to_act)
        for number in range(4):
            row = submissions.NewSubmission(seat.colour, f"x{number}", 0, "mail", source=f"<{number}>")
            number, _ = taking_in.taken_in(work, dealt.game, row, caretaker_plays=False)
            submissions._refuse(work, work.session.get_one(Submission, number), Refusal(say("no")), 0)
    assert len(dealt.letters("refused")) == before + 1


def test_a_letter_that_was_in_somebodys_hands_is_not_changed_when_its_two_minutes_are_over(dealt: Table) -> None:
    dealt.send_all()
    refuse(dealt)
    first = refused(dealt)
    assert outbox.claim(dealt.office, first.id, dealt.now)
    dealt.later(minutes=2, seconds=-1)
    refuse(dealt)
    assert len(dealt.letters("refused")) == 2
    dealt.change_letter(refused(dealt).id, status="withdrawn")
    dealt.later(seconds=1)
    refuse(dealt)
    assert [row.data["number"] for row in dealt.letters("refused")] == [1, 1, 1]


def test_a_letter_that_was_tried_keeps_what_it_says_and_the_time_of_its_next_try(dealt: Table) -> None:
    dealt.send_all()
    refuse(dealt)
    first = refused(dealt)
    assert outbox.claim(dealt.office, first.id, dealt.now)
    outbox.failed(dealt.office, first.id, "450", dealt.now)
    at = refused(dealt).next_try_at
    dealt.hints.clear()
    refuse(dealt, times=2)
    tried, later = dealt.letters("refused")
    assert (tried.next_try_at, tried.data["number"]) == (at, 1)
    assert later.data["number"] == 2
    assert send_hint(first.id) not in dealt.hints


def test_a_refusal_on_a_page_moves_no_letter_to_a_later_time(dealt: Table) -> None:
    dealt.send_all()
    refuse(dealt)
    assert refused(dealt).next_try_at == dealt.now
    refuse(dealt, via="page")
    assert refused(dealt).next_try_at == dealt.now
    refuse(dealt, via="page")
    assert len(dealt.letters("refused")) == 1


def test_the_sixth_letter_within_an_hour_leaves_when_the_first_is_an_hour_old(dealt: Table) -> None:
    dealt.send_all()
    first = dealt.now
    for number in range(5):
        refuse(dealt, via="api")
        dealt.change_letter(refused(dealt).id, status="sent", sent_at=first + number * timedelta(minutes=5))
    dealt.now = first + timedelta(minutes=30)
    refuse(dealt, via="api")
    assert refused(dealt).next_try_at == first + HOUR


# strangers ----------------------------------------------------------------------------------------------------


def invitation(table: Table) -> Letter:
    """The invitation to Ben, who has had five of them."""
    table.open()
    with table.office.work(table.now) as work:
        for number in range(5):
            work.write(NewLetter(Invitation(), f"before {number}", 2))
    for row in table.letters("invitation"):
        if row.key.startswith("before"):
            table.change_letter(row.id, status="sent", sent_at=table.now)
    return next(row for row in table.letters("invitation") if row.game_id == table.game and row.account_id == 2)


def waits(table: Table, letter: Letter) -> bool:
    with table.office.read() as session:
        return strangers.must_wait(session, session.get_one(Letter, letter.id), table.now)


def test_an_invitation_to_a_stranger_waits_six_hours_until_the_five_before_are_thirty_days_old(table: Table) -> None:
    letter = invitation(table)
    assert waits(table, letter)
    assert not outbox.claim(table.office, letter.id, table.now)
    (row,) = [row for row in table.letters() if row.id == letter.id]
    assert row.next_try_at == table.now + 6 * HOUR
    table.later(days=30, seconds=-1)
    assert waits(table, letter)
    table.later(seconds=1)
    assert not waits(table, letter)


@pytest.mark.parametrize(
    "change", [{"status": "waiting"}, {"status": "withdrawn"}, {"account_id": 3}, {"kind": "test"}]
)
def test_only_invitations_that_were_sent_to_the_mailbox_count(table: Table, change: dict[str, object]) -> None:
    letter = invitation(table)
    table.change_letter(next(row.id for row in table.letters("invitation") if row.key == "before 0"), **change)
    assert not waits(table, letter)


@pytest.mark.parametrize("account", [2, 3])
@pytest.mark.parametrize("how", ["answered", "entered", "inside"])
def test_who_has_answered_or_was_logged_in_is_no_stranger_and_nobody_else(table: Table, how: str, account: int) -> None:
    letter = invitation(table)
    with table.office.write() as session:
        queries.locked(session, table.game)
        if how == "answered":
            session.execute(update(Seat).where(Seat.account_id == account).values(answered_at=table.now))
        elif how == "entered":
            session.add(login(account, table.now))
        else:
            session.add(LoggedIn(hash="x", account_id=account, created_at=START, expires_at=START))
    assert waits(table, letter) is (account != 2)


def login(account: int, used: datetime | None) -> Login:
    return Login(id="l", account_id=account, created_at=START, expires_at=START + DAY, used_at=used)


def test_a_log_in_link_that_nobody_has_used_answers_nothing(table: Table) -> None:
    letter = invitation(table)
    with table.office.write() as session:
        session.add(login(2, None))
    assert waits(table, letter)


# providers ----------------------------------------------------------------------------------------------------


def rests_until(table: Table, name: str = HOST) -> datetime | None:
    with table.office.write() as session:
        return providers.resting(table.office, session, name, table.now)


def talk(table: Table, seconds: float, *, done: bool = True, slow: timedelta | None = None, name: str = HOST) -> None:
    providers.talked(table.office, name, timedelta(seconds=seconds), table.now, done=done, slow=slow)


def test_a_host_that_took_ten_seconds_rests_for_half_a_minute_and_a_quicker_one_does_not(table: Table) -> None:
    talk(table, 9.999)
    assert rests_until(table) is None
    talk(table, 10)
    assert rests_until(table) == START + timedelta(seconds=30)
    assert rests_until(table, "other.example.org") is None
    table.later(seconds=29, milliseconds=999)
    assert rests_until(table) == START + timedelta(seconds=30)
    talk(table, 9.999)
    assert rests_until(table) is None


def test_a_host_that_is_slow_again_and_again_rests_four_times_as_long_as_it_took(table: Table) -> None:
    for rest in (30, 30, 44, 44):
        talk(table, 11)
        assert rests_until(table) == table.now + timedelta(seconds=rest)
        table.later(seconds=rest)
        assert rests_until(table) is None


def test_after_its_rest_a_host_gets_one_conversation_in_a_minute(table: Table) -> None:
    talk(table, 10)
    table.later(seconds=30)
    assert rests_until(table) is None
    assert rests_until(table) == table.now + timedelta(minutes=1)
    table.later(minutes=1, seconds=-1)
    assert rests_until(table) == table.now + SECOND
    table.later(seconds=1)
    assert rests_until(table) is None


def test_an_hour_after_its_rest_a_host_is_met_like_any_other(table: Table) -> None:
    talk(table, 10)
    table.later(hours=1, seconds=30)
    assert [rests_until(table), rests_until(table)] == [None, None]


def test_what_is_slow_can_be_told_otherwise_and_nobody_rests_without_a_name(table: Table) -> None:
    talk(table, 2, slow=timedelta(seconds=2))
    assert rests_until(table) == START + timedelta(seconds=8)
    talk(table, 60, name="")
    assert rests_until(table, "") is None
    assert providers.host("ana@Example.org") == "example.org"
    assert providers.host("nobody") == "nobody"


def test_conversations_that_come_to_nothing_are_counted_for_an_hour_after_their_rest(table: Table) -> None:
    for rest in (30, 30, 60):
        talk(table, 10, done=False)
        assert rests_until(table) == table.now + timedelta(seconds=rest)
        table.later(minutes=30)
    table.later(minutes=30, seconds=60)
    talk(table, 10, done=False)
    assert rests_until(table) == table.now + timedelta(seconds=30)


# habits -------------------------------------------------------------------------------------------------------


def account(table: Table, **habits: object) -> Account:
    """Ana, who wants to be told like this."""
    if not table.game:
        table.start()
        table.send_all()
    table.put(update(Account).where(Account.id == 1).values(**habits))
    return table.found(Account, 1)


def planned(table: Table, hours: float, **habits: object) -> schedule.Departure:
    """When a question to Ana leaves that has so much time."""
    ana = account(table, **habits)
    with table.office.read() as session:
        game = session.get_one(Game, table.game)
        session.expunge(game)
        game.deadline_at = table.now + timedelta(hours=hours)
        return schedule.departure(session, ana, "your-turn", game, table.now)


def test_the_daily_letter_is_the_next_one_also_at_its_very_hour(table: Table) -> None:
    """It is 18:00."""
    assert planned(table, 168, mails="digest", digest_at=18 * 60) == schedule.Departure(START + DAY, held=True)
    assert planned(table, 168, mails="digest", digest_at=18 * 60 + 1) == schedule.Departure(
        START + SECOND * 60, held=True
    )
    assert planned(table, 168, mails="digest", digest_at=17 * 60) == schedule.Departure(START + 23 * HOUR, held=True)


def test_a_question_whose_last_day_begins_with_the_daily_letter_goes_by_itself(table: Table) -> None:
    assert planned(table, 36, mails="digest", digest_at=6 * 60) == schedule.Departure(START + 12 * HOUR)
    assert planned(table, 36.01, mails="digest", digest_at=6 * 60).held
    assert planned(table, 23, mails="digest") == schedule.Departure(START)


def test_a_muted_question_leaves_a_day_before_its_end_or_after_two_thirds_of_its_time(table: Table) -> None:
    assert planned(table, 96, mails="mute") == schedule.Departure(START + 72 * HOUR)
    assert planned(table, 36, mails="mute") == schedule.Departure(START + 24 * HOUR)


def test_a_question_to_who_wants_every_turn_leaves_at_once_and_one_without_end_too(table: Table) -> None:
    assert planned(table, 96, mails="turn") == schedule.Departure(START)
    ana = account(table, mails="mute")
    with table.office.read() as session:
        game = session.get_one(Game, table.game)
        session.expunge(game)
        game.deadline_at = None
        assert schedule.departure(session, ana, "your-turn", game, START) == schedule.Departure(START)
        assert schedule.departure(session, ana, "your-turn", None, START) == schedule.Departure(START)


def test_only_letters_about_questions_that_left_or_will_leave_count_for_the_hours_between(table: Table) -> None:
    account(table, zone="UTC")
    with table.office.work(table.now) as work:
        for key in ("sent", "waiting", "withdrawn", "held", "of Ben"):
            work.write(NewLetter(YourTurn(), key, 2 if key == "of Ben" else 1))
        work.write(NewLetter(DeliveryTest(), "test", 1))
    rows = {row.key: row.id for row in table.letters()}
    table.put(update(Letter).where(Letter.kind == "your-turn").values(account_id=2))
    for key, ago, values in (
        ("sent", 5, {"status": "sent", "account_id": 1}),
        ("waiting", 4, {"account_id": 1}),
        ("withdrawn", 1, {"status": "withdrawn", "account_id": 1}),
        ("held", 1, {"held": True, "account_id": 1}),
        ("of Ben", 1, {"status": "sent"}),
        ("test", 1, {"status": "sent"}),
    ):
        table.change_letter(rows[key], next_try_at=START - ago * HOUR, **values)
    assert planned(table, 168, mails="hours", mail_hours=6) == schedule.Departure(START + 2 * HOUR, held=True)
    table.change_letter(rows["waiting"], status="failed")
    assert planned(table, 168, mails="hours", mail_hours=6) == schedule.Departure(START + HOUR, held=True)
    assert planned(table, 168, mails="hours", mail_hours=5) == schedule.Departure(START)
    table.change_letter(rows["sent"], status="failed")
    assert planned(table, 168, mails="hours", mail_hours=6) == schedule.Departure(START)


def test_quiet_hours_end_at_their_second(table: Table) -> None:
    ana = account(table, zone="UTC", quiet_from=17 * 60, quiet_to=18 * 60)
    before = datetime(2026, 11, 20, 17, 59, 59, tzinfo=UTC)
    assert schedule.awake(ana, before) == START
    assert schedule.awake(ana, START) == START
    assert schedule.awake(ana, before - HOUR) == before - HOUR
    ana = account(table, quiet_from=17 * 60, quiet_to=17 * 60)
    assert schedule.awake(ana, before) == before


def test_one_game_is_told_as_was_chosen_for_it_and_others_as_ever(table: Table) -> None:
    ana = account(table, mails="digest")
    with table.office.write() as session:
        session.add(GameNotification(account_id=1, game_id=table.game, mails="turn"))
    with table.office.read() as session:
        assert schedule.mode(session, ana, table.game) == "turn"
        assert schedule.mode(session, ana, "other") == "digest"


@pytest.mark.parametrize(
    ("via", "planning", "wait"),
    [
        ("mail", True, timedelta(0)),
        ("api", False, timedelta(0)),
        ("page", False, PAGE_GOES_ON),
        ("page", True, PAGE_GOES_ON),
    ],
)
def test_the_next_question_waits_where_a_page_shows_it(table: Table, via: str, planning: bool, wait: timedelta) -> None:
    table.start(game="steam-power", map="ireland", planning=planning)
    table.send_all()
    asked = table.view().waiting_for
    table.play("cash", via=via)
    assert table.view().waiting_for == asked
    (letter,) = [row for row in table.letters("your-turn") if row.version == 1]
    assert letter.next_try_at == table.now + wait
