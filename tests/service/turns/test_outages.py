"""What an outage, a clock that was set, a pause and a restore move and what they leave; who is told."""

from datetime import datetime, timedelta
from urllib.parse import urlsplit

import pytest
from sqlalchemy import select, update

from pbem.service.base import NewLetter, queries
from pbem.service.base.task_hints import send_hint
from pbem.service.base.tokens import VoteClaim
from pbem.service.games import pauses, votes
from pbem.service.games.proposals.pausing import Pausing
from pbem.service.letters import outbox
from pbem.service.letters.kinds.accounts import DeliveryTest
from pbem.service.operator import due
from pbem.service.people import absences, webhooks
from pbem.service.turns import outages, restored
from pbem.store.tables import Game, Heartbeat, Letter, Offer, Seat, WebhookMessage
from tests.table import START, Table
from workers import clock

SECOND, MINUTE, HOUR, DAY = timedelta(seconds=1), timedelta(minutes=1), timedelta(hours=1), timedelta(days=1)
SINCE = START + HOUR
GAP = outages.Gap(SINCE, SINCE + 2 * HOUR)
LONG_AGO = "2001-01-01"
"""A holiday that changes nothing, but has the days of a game counted one by one."""


def running(table: Table, **changes: object) -> None:
    """A game whose first question has been told, and a clock that looks."""
    table.start(**changes)
    table.send_all()
    assert outages.beat(table.office, table.now) is None


def test_the_first_look_of_a_clock_moves_nothing(dealt: Table) -> None:
    before = dealt.row().deadline_at
    assert outages.beat(dealt.office, dealt.later(days=2)) is None
    assert dealt.row().deadline_at == before


def test_the_clock_moves_deadlines_before_it_looks_at_them(table: Table) -> None:
    running(table)
    clock.tick(table.office, table.later(days=4), send=lambda *_: None)
    after = table.row()
    assert after.version == 0
    assert after.deadline_at is not None
    assert after.deadline_at > table.now


@pytest.mark.postgresql
def test_an_outage_moves_the_clocks_once(table: Table) -> None:
    running(table)
    outages.beat(table.office, table.later(days=2))
    deadline = table.row().deadline_at
    for _ in range(3):
        assert outages.beat(table.office, table.now) is None
    assert table.row().deadline_at == deadline
    assert len(table.letters("clocks-moved")) == 4


@pytest.mark.postgresql
def test_every_player_is_told_once_however_many_games(table: Table) -> None:
    running(table)
    table.start()
    outages.beat(table.office, table.later(days=2))
    moved = table.letters("clocks-moved")
    assert len({row.account_id for row in moved}) == len(moved) == 4
    view = table.read(moved[0])
    assert len(view.own.games) == 2
    assert (view.own.since, view.own.until) == (table.now - timedelta(days=2), table.now)


@pytest.mark.postgresql
def test_a_clock_set_back_moves_deadlines_back(table: Table) -> None:
    running(table)
    outages.beat(table.office, table.later(minutes=1))
    deadline = table.row().deadline_at
    assert deadline is not None
    gap = outages.beat(table.office, table.later(days=-2))
    assert gap is not None
    assert table.row().deadline_at == deadline - timedelta(days=2)
    since = table.row().waiting_since
    assert since is not None
    assert since <= table.now


def test_a_clock_set_forward_and_back_again_ends_where_it_began(table: Table) -> None:
    running(table)
    deadline = table.row().deadline_at
    outages.beat(table.office, table.later(days=30))
    outages.beat(table.office, table.later(days=-30))
    assert table.row().deadline_at == deadline


def test_the_bank_is_not_charged_for_an_outage(table: Table) -> None:
    running(table, turn_time=timedelta(days=1), bank=timedelta(days=2))
    first = table.row().to_act
    outages.beat(table.office, table.later(days=5))
    table.later(hours=1)
    table.play()
    with table.office.read() as session:
        assert queries.seat(session, table.game, first).reserve_seconds == 2 * 86400


def agree(table: Table, vote: int) -> None:
    for seat in table.view().seats:
        if seat.number != 0:
            votes.answer_by_link(table.office, VoteClaim(vote, seat.number, 0), True, table.now)


def test_the_links_of_a_vote_are_those_of_its_reader(table: Table) -> None:
    running(table)
    vote = votes.ask(table.office, table.game, 0, Pausing(), table.now)
    letters = table.letters("pause-asked")
    assert [letter.seat_number for letter in letters] == [1, 2, 3]
    for letter in letters:
        own = table.read(letter).own
        for link in (own.agree, own.refuse):
            claim = table.office.tokens.read(VoteClaim, urlsplit(link).path.rsplit("/")[-1])
            assert claim == VoteClaim(vote, letter.seat_number or 0, 0)


@pytest.mark.postgresql
def test_a_pause_begins_when_all_others_have_agreed(table: Table) -> None:
    running(table)
    vote = votes.ask(table.office, table.game, 0, Pausing(), table.later(hours=10))
    assert len(table.letters("pause-asked")) == 3
    assert table.row().paused_at is None
    agree(table, vote)
    assert table.row().paused_at == table.now
    assert table.row().deadline_at is None
    assert len(table.letters("paused")) == 4


@pytest.mark.postgresql
def test_no_clock_runs_in_a_pause_and_the_rest_of_the_time_is_there_after_it(table: Table) -> None:
    running(table)
    assert [clock.asked for clock in table.view().clocks if clock.bank_from is not None] == [True]
    agree(table, votes.ask(table.office, table.game, 0, Pausing(), table.later(hours=10)))
    assert [clock.bank_from for clock in table.view().clocks] == [None] * 4
    outages.beat(table.office, table.awake(days=20))
    assert list(due.deadlines(table.office, table.now)) == []
    pauses.end(table.office, table.game, 2, table.now)
    assert table.row().deadline_at == table.now + timedelta(hours=62)
    assert len(table.letters("resumed")) == 4


@pytest.mark.postgresql
def test_a_pause_until_a_day_ends_by_itself(table: Table) -> None:
    running(table)
    until = table.now.date() + timedelta(days=10)
    agree(table, votes.ask(table.office, table.game, 0, Pausing(until), table.now))
    table.later(days=9)
    assert list(due.pauses(table.office, table.now)) == []
    table.later(days=1)
    assert list(due.pauses(table.office, table.now)) == [table.game]
    assert pauses.finish(table.office, table.game, table.now)
    assert not pauses.finish(table.office, table.game, table.now)
    assert table.row().deadline_at == table.now + timedelta(days=3)


def test_orders_in_a_pause_are_played_and_no_clock_starts(table: Table) -> None:
    running(table)
    agree(table, votes.ask(table.office, table.game, 0, Pausing(), table.now))
    assert table.play().status == "played"
    assert table.row().deadline_at is None
    outages.beat(table.office, table.awake(days=3))
    pauses.end(table.office, table.game, 0, table.now)
    assert table.row().deadline_at == table.now + timedelta(days=3)


@pytest.mark.postgresql
def test_an_absence_in_a_pause_moves_nothing(table: Table) -> None:
    running(table)
    agree(table, votes.ask(table.office, table.game, 0, Pausing(), table.now))
    day = table.now.date() + timedelta(days=1)
    absences.add(table.office, table.host, day, day, table.now)
    assert table.row().deadline_at is None


def begun(table: Table, **values: object) -> None:
    """A game that has begun with nothing left to be sent, and what is changed of its row."""
    table.start(turn_time=3 * DAY)
    table.send_all()
    put(table, **values)


def put(table: Table, **values: object) -> None:
    table.put(update(Game).where(Game.id == table.game).values(remind_at=None, **values))


def moved(table: Table, gap: outages.Gap = GAP) -> set[int]:
    """Move everything by a gap; whom nobody has told."""
    with table.office.write() as session:
        return outages.move(session, gap)


def letter(table: Table, key: str, account: int = 1, **values: object) -> int:
    """A letter about the position of the game."""
    with table.office.game(table.game, table.now) as work:
        work.write(NewLetter(DeliveryTest(), key, account, game=work.game, version=work.game.version))
        outbox.finish(work)
        number = work.session.scalars(select(Letter.id).where(Letter.key == key)).one()
        if values:
            work.session.execute(update(Letter).where(Letter.id == number).values(**values))
    return number


def test_a_moment_that_was_to_come_when_the_gap_began_is_moved_by_it() -> None:
    assert GAP.moved(None) is None
    assert GAP.moved(SINCE) == SINCE
    assert GAP.moved(SINCE + SECOND) == SINCE + SECOND + 2 * HOUR


def test_the_time_of_a_question_from_before_the_gap_goes_on_after_it(table: Table) -> None:
    begun(table, counted_from=SINCE, waiting_since=SINCE + 3 * HOUR, reminded_at=SINCE + 4 * HOUR)
    assert moved(table) == {1, 2, 3, 4}
    found = table.row()
    assert (found.counted_from, found.spent_seconds) == (GAP.until, 0)
    assert found.deadline_at == GAP.until + 3 * DAY
    assert (found.waiting_since, found.reminded_at) == (GAP.until, GAP.until)


@pytest.mark.parametrize("holidays", [[], [LONG_AGO]])
def test_a_question_from_before_the_gap_has_taken_what_it_had_until_then(table: Table, holidays: list[str]) -> None:
    """It was asked and its player reminded before the gap, so that is what pages go on to say."""
    begun(table, counted_from=START, waiting_since=START, reminded_at=START + SECOND, holidays=holidays)
    moved(table)
    found = table.row()
    assert (found.spent_seconds, found.counted_from) == (3600, GAP.until)
    assert found.deadline_at == GAP.until + 3 * DAY - HOUR
    assert (found.waiting_since, found.reminded_at) == (START, START + SECOND)


def test_a_question_from_within_the_gap_begins_after_it(table: Table) -> None:
    begun(table, counted_from=SINCE + SECOND, spent_seconds=5, waiting_since=None)
    moved(table)
    assert (table.row().counted_from, table.row().spent_seconds, table.row().waiting_since) == (GAP.until, 5, None)


@pytest.mark.parametrize("values", [{"status": "stopping"}, {"paused_at": START}, {"counted_from": None}])
def test_a_question_that_does_not_run_stays_as_it_is(table: Table, values: dict[str, object]) -> None:
    begun(table, **{"counted_from": START, "deadline_at": None, **values})
    assert moved(table) == set()
    assert (table.row().deadline_at, table.row().spent_seconds) == (None, 0)


def test_a_grace_time_that_runs_is_moved_with_its_question_and_letter_and_one_that_is_over_is_not(table: Table) -> None:
    begun(table, grace_until=SINCE + SECOND, standing_order_at=SINCE + SECOND, counted_from=SINCE + SECOND)
    held = letter(table, "held", next_try_at=SINCE + SECOND)
    due = letter(table, "due", next_try_at=SINCE)
    sent = letter(table, "sent", next_try_at=SINCE + SECOND, status="sent")
    older = letter(table, "older", next_try_at=SINCE + SECOND, version=7)
    moved(table)
    found, later = table.row(), GAP.until + SECOND
    assert (found.grace_until, found.standing_order_at, found.counted_from) == (later, later, later)
    assert [table.letter(number).next_try_at for number in (held, due, sent, older)] == [
        later, SINCE, SINCE + SECOND, SINCE + SECOND,
    ]  # fmt: skip
    put(table, grace_until=SINCE, standing_order_at=SINCE + SECOND, counted_from=SINCE + SECOND)
    moved(table)
    assert (table.row().grace_until, table.row().standing_order_at) == (SINCE, SINCE + SECOND)
    assert table.row().counted_from == GAP.until


@pytest.mark.postgresql
def test_games_are_moved_in_batches_and_none_is_left_out(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    monkeypatch.setattr(outages, "AT_ONCE", 2)
    games = []
    for minutes in range(5):
        begun(table, counted_from=START - minutes * MINUTE, holidays=[LONG_AGO])
        games.append(table.game)
    put(table, paused_at=START, deadline_at=None)
    moved(table)
    found = [table.found(Game, game) for game in games]
    assert [row.counted_from for row in found[:4]] == [GAP.until] * 4
    assert [row.spent_seconds for row in found] == [3600, 3660, 3720, 3780, 0]
    assert [row.deadline_at for row in found[:4]] == [
        GAP.until + 3 * DAY - HOUR - minutes * MINUTE for minutes in range(4)
    ]
    assert (found[4].counted_from, found[4].deadline_at) == (START - 4 * MINUTE, None)


@pytest.mark.postgresql
@pytest.mark.parametrize("holidays", [[], [LONG_AGO]])
@pytest.mark.parametrize("reminded_at", [None, START + timedelta(minutes=59)])
def test_a_clock_has_as_much_left_after_an_outage_as_when_it_began_to_the_microsecond(
    table: Table, holidays: list[str], reminded_at: datetime | None
) -> None:
    gap = outages.Gap(SINCE + timedelta(microseconds=7), SINCE + timedelta(hours=50, microseconds=600_003))
    begun(table, holidays=holidays, spent_seconds=40, reminded_at=reminded_at)
    begin = START + timedelta(microseconds=999_999)
    ends = {"counted_from": begin, "deadline_at": begin + 3 * DAY - 40 * SECOND}
    put(table, **ends)
    table.put(update(Game).values(remind_at=begin + 2 * DAY - 40 * SECOND))
    moved(table, gap)
    found, spent = table.row(), 3599 * SECOND + 40 * SECOND
    assert (found.counted_from, found.spent_seconds) == (gap.until, 3639)
    assert (found.deadline_at, found.remind_at) == (gap.until + 3 * DAY - spent, gap.until + 2 * DAY - spent)
    assert found.reminded_at == reminded_at


def test_letters_of_other_games_are_not_held_longer(table: Table) -> None:
    begun(table)
    other = letter(table, "other", next_try_at=SINCE + SECOND)
    begun(table, grace_until=SINCE + SECOND)
    moved(table)
    assert table.letter(other).next_try_at == SINCE + SECOND


def test_the_end_of_a_game_and_open_offers_are_moved_and_closed_ones_are_not(table: Table) -> None:
    begun(table, status="stopping", stops_at=SINCE + SECOND)
    with table.office.write() as session:
        queries.locked(session, table.game)
        for closed in (None, START):
            at = {"since": START, "waits_until": SINCE + SECOND, "closed_at": closed}
            session.add(Offer(game_id=table.game, seat_number=1, **at))
    moved(table)
    assert table.row().stops_at == GAP.until + SECOND
    assert [offer.waits_until for offer in table.rows(select(Offer).order_by(Offer.id))] == [
        GAP.until + SECOND, SINCE + SECOND,
    ]  # fmt: skip


def test_only_who_plays_where_a_clock_runs_is_told(table: Table) -> None:
    begun(table, counted_from=START)
    table.put(update(Seat).where(Seat.number == 3).values(account_id=None))
    assert moved(table) == {1, 2, 3}


def test_a_clock_that_is_set_back_wakes_letters_of_a_future_that_never_comes(table: Table) -> None:
    begun(table)
    back = outages.Gap(SINCE + 10 * HOUR, SINCE)
    far = letter(table, "far", next_try_at=SINCE + 11 * HOUR)
    near = letter(table, "near", next_try_at=SINCE + SECOND)
    mine = letter(table, "mine", next_try_at=START, claimed_until=SINCE + SECOND)
    free = letter(table, "free", next_try_at=START, claimed_until=SINCE)
    sent = letter(table, "sent", next_try_at=SINCE + 11 * HOUR, status="sent")
    moved(table, back)
    assert [table.letter(number).next_try_at for number in (far, near, mine, free, sent)] == [
        SINCE + HOUR, SINCE, START, START, SINCE + 11 * HOUR,
    ]  # fmt: skip
    assert (table.letter(mine).claimed_until, table.letter(free).claimed_until) == (None, SINCE)


def test_letters_stay_in_their_senders_hands_when_the_server_was_away(table: Table) -> None:
    begun(table)
    mine = letter(table, "mine", claimed_until=GAP.until + SECOND)
    moved(table)
    assert table.letter(mine).claimed_until == GAP.until + SECOND


def set_back(table: Table, made: datetime) -> int:
    with table.office.work(table.now) as work:
        return restored.set_back(work, made)


def test_letters_that_may_have_left_are_withdrawn_and_those_that_cannot_have_wait(table: Table) -> None:
    table.open()
    invitation = table.letters("invitation")[0].id
    letter_ids = {
        "due": letter(table, "due", kind="cancelled", next_try_at=START),
        "later": letter(table, "later", kind="cancelled", next_try_at=START + SECOND, claimed_until=START + HOUR),
        "sent": letter(table, "sent", kind="cancelled", next_try_at=START, status="sent"),
    }
    set_back(table, START - HOUR)
    assert [table.letter(number).status for number in letter_ids.values()] == ["withdrawn", "waiting", "sent"]
    assert table.letter(letter_ids["due"]).last_error == restored.REASON
    assert table.letter(letter_ids["later"]).claimed_until is None
    assert table.letter(invitation).status == "waiting"


def test_messages_to_webhooks_that_may_have_left_are_withdrawn(dealt: Table) -> None:
    for _ in range(3):
        webhook = webhooks.add(dealt.office, 1, "slack", "https://hooks.slack.com/x", "", dealt.now)
        webhooks.test(dealt.office, 1, webhook, dealt.now)
    dealt.put(
        update(WebhookMessage).where(WebhookMessage.id == 2).values(next_try_at=START + SECOND),
        update(WebhookMessage).where(WebhookMessage.id == 3).values(status="sent"),
    )
    set_back(dealt, START - HOUR)
    rows = dealt.rows(select(WebhookMessage).order_by(WebhookMessage.id))
    assert [(found.status, found.answer) for found in rows] == [
        ("withdrawn", restored.REASON), ("waiting", ""), ("sent", ""),
    ]  # fmt: skip


@pytest.mark.parametrize(
    ("status", "told"), [("open", 3), ("running", 3), ("stopping", 3), ("over", 0), ("cancelled", 0)]
)
def test_who_plays_or_is_invited_is_told_once_who_declined_is_not(table: Table, status: str, told: int) -> None:
    table.open()
    table.open()
    with table.office.write() as session:
        for found in session.scalars(select(Game.id)).all():
            queries.locked(session, found)
        session.execute(update(Seat).where(Seat.number == 2).values(status="declined"))
        session.execute(update(Game).values(status=status))
    assert set_back(table, START - HOUR) == told
    assert sorted(found.account_id for found in table.letters("set-back")) == [1, 2, 4][:told]


def test_all_clocks_move_from_the_last_look_before_the_backup_until_now(table: Table) -> None:
    begun(table, counted_from=START, waiting_since=START)
    table.now = START + 5 * HOUR
    set_back(table, START + 2 * HOUR)
    assert (table.row().spent_seconds, table.row().counted_from) == (7200, table.now)
    assert table.found(Heartbeat, 1).at == table.now
    with table.office.write() as session:
        session.get_one(Heartbeat, 1).at = table.now + HOUR
    set_back(table, START)
    assert table.row().counted_from == table.now
    with table.office.write() as session:
        session.get_one(Heartbeat, 1).at = table.now
    before = table.now
    set_back(table, table.later(hours=1))
    assert table.row().counted_from == before + HOUR


def test_where_nothing_happened_after_the_backup_all_that_is_due_leaves(table: Table) -> None:
    table.open()
    table.send_all()
    due, later, held, sent = (letter(table, key) for key in ("due", "later", "held", "sent"))
    with table.office.write() as session:
        for number, values in (
            (later, {"next_try_at": START + SECOND}),
            (held, {"held": True}),
            (sent, {"status": "sent"}),
        ):
            session.execute(update(Letter).where(Letter.id == number).values(**values))
    with table.office.read() as session:
        assert restored.waiting(session) == 3
    with table.office.work(table.now) as work:
        restored.hint_all(work)
        assert work.hints == [send_hint(due)]
