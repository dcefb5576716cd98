"""Robots in seats: they are asked without letters, think once, and send their orders like everybody."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from pbem.engine import say
from pbem.robot import opponents
from pbem.robot.opponents import Answer
from pbem.robot.reasons import Reason, Until
from pbem.service import BadInput, NotNow
from pbem.service.archive import records
from pbem.service.base.task_hints import Hint
from pbem.service.clocks import robot_clock
from pbem.service.games import members, pauses, takeback, views, votes
from pbem.service.games.proposals.ending_early import EndingEarly
from pbem.service.games.proposals.pausing import Pausing
from pbem.service.games.proposals.removal import Removal
from pbem.service.letters import webhook_messages
from pbem.service.operator import due
from pbem.service.orders import deadlines, robots, submissions
from pbem.store.statuses import GameStatus, MoveCause, SubmissionStatus
from pbem.store.tables import CountedGame, Game, Result, Seat
from pbem.store.time_controls import NO_LIMIT, TimeControl
from pbem.transport import broker
from tests.service.actors import kinds, resign
from tests.table import START, Table
from workers import clock

ALONE = ("Ana",)


@pytest.fixture
def solo(table: Table) -> Table:
    """Ana and two robots that answer at once; it is no longer than a test needs: the island of two."""
    table.open(ALONE, map="st_lucia", robots=("rufus",))
    return table


def robot_is_asked(table: Table) -> None:
    """Let Ana play until a robot is asked."""
    while not asked(table).robot:
        table.play()


def asked(table: Table) -> Seat:
    return table.only(select(Seat).where(Seat.game_id == table.game, Seat.colour == table.row().to_act))


def work_off(table: Table) -> None:
    """What the workers do with a robot's turn."""
    assert robots.think(table.office, table.game, table.now)
    submissions.play_waiting(table.office, table.game, table.now)


def test_a_game_against_robots_starts_at_once_and_writes_to_nobody_but_people(solo: Table) -> None:
    assert solo.view().status == GameStatus.RUNNING
    assert [seat.robot for seat in solo.view().seats] == ["", "rufus"]
    assert solo.view().seats[1].name == "Robot Rufus"
    robot_is_asked(solo)
    work_off(solo)
    (account,) = solo.rows(select(Seat.account_id).where(Seat.number == 0))
    assert {letter.account_id for letter in solo.letters()} == {account}


def test_a_robot_that_answers_at_once_is_called_by_a_hint_of_its_own(solo: Table) -> None:
    robot_is_asked(solo)
    assert solo.hints[-1] == Hint(broker.THINK, solo.game)
    assert solo.row().robot_at == solo.now
    assert solo.row().remind_at is None


def test_the_orders_of_a_robot_are_in_the_log_with_its_reason(solo: Table) -> None:
    robot_is_asked(solo)
    work_off(solo)
    move = next(move for move in solo.view().log if move.cause == MoveCause.ROBOT)
    assert move.seat == solo.view().seats[1].seat
    assert str(views.game(solo.office, solo.game, viewer=move.seat).log[move.number].why)
    record = records.export(solo.office, solo.game)
    assert not record["turns"][move.number - 1].get("auto")


def test_a_second_hint_finds_that_somebody_thinks_already(solo: Table) -> None:
    robot_is_asked(solo)
    assert robots.think(solo.office, solo.game, solo.now)
    assert not robots.think(solo.office, solo.game, solo.now)
    assert len([one for one in solo.submissions() if one.via == "robot"]) == 1


def test_a_process_killed_in_thought_leaves_it_to_the_clock(solo: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    robot_is_asked(solo)

    def killed(*_: object) -> Answer:
        raise SystemExit

    with monkeypatch.context() as patched:
        patched.setattr(opponents, "decide", killed)
        with pytest.raises(SystemExit):
            robots.think(solo.office, solo.game, solo.now)
    solo.hints.clear()
    clock.tick(solo.office, solo.later(seconds=60), lambda *_: None)
    assert solo.hints == []  # the one that began may still be at it
    clock.tick(solo.office, solo.awake(seconds=70), lambda *_: None)
    assert Hint(broker.THINK, solo.game) in solo.hints
    work_off(solo)
    assert solo.view().log[-1].cause == MoveCause.ROBOT


def test_an_order_a_robot_may_not_give_becomes_the_safe_order(solo: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    robot_is_asked(solo)
    before = len(solo.letters())
    monkeypatch.setattr(opponents, "decide", lambda *_: Answer("issue 99", Reason(say("It dreams."), Until.NOTHING)))
    work_off(solo)
    assert [one.status for one in solo.submissions() if one.via == "robot"] == [SubmissionStatus.REFUSED]
    assert len(solo.letters()) == before
    assert solo.hints[-1] == Hint(broker.THINK, solo.game)
    work_off(solo)
    assert solo.view().log[-1].cause == MoveCause.ROBOT
    assert solo.view().log[-1].why is None


def test_a_robot_that_breaks_down_plays_the_safe_order(solo: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    robot_is_asked(solo)

    def broken(*_: object) -> Answer:
        raise ZeroDivisionError

    monkeypatch.setattr(opponents, "decide", broken)
    work_off(solo)
    assert solo.view().log[-1].cause == MoveCause.ROBOT
    assert solo.view().log[-1].why is None


def test_where_no_process_thinks_the_safe_order_is_played_after_an_hour(solo: Table) -> None:
    robot_is_asked(solo)
    version = solo.row().version
    assert not deadlines.deadline(solo.office, solo.game, solo.later(minutes=59))
    assert deadlines.deadline(solo.office, solo.game, solo.later(minutes=2))
    assert solo.row().version == version + 1
    assert solo.view().log[-1].cause == MoveCause.DEADLINE


def test_orders_of_a_robot_do_not_come_in_for_the_seat_of_a_person(solo: Table) -> None:
    number = solo.send(solo.legal(), seat=solo.view().seats[0].seat, version=solo.row().version, via="robot")
    submissions.play_waiting(solo.office, solo.game, solo.now)
    assert next(one for one in solo.submissions() if one.id == number).status == SubmissionStatus.REFUSED


def test_a_robot_waits_for_the_grace_time_of_the_orders_before(table: Table) -> None:
    table.open(ALONE, map="st_lucia", robots=("rufus",), grace=timedelta(minutes=10))
    before = table.now
    while not asked(table).robot:
        grace = table.row().version
        table.play()
    assert table.row().grace_until in (None, before + timedelta(minutes=10)), grace
    assert table.row().robot_at == (table.row().grace_until or before)


def test_a_robot_that_thought_about_a_position_that_was_taken_back_is_not_heard(solo: Table) -> None:
    robot_is_asked(solo)
    version, colour = solo.row().version, solo.row().to_act
    takeback.take_back(solo.office, solo.game, 0, solo.now)
    late = submissions.NewSubmission(colour, "pass", version, "robot", f"robot:{solo.game}:{version}")
    submissions.submit(solo.office, solo.game, late, solo.now)
    submissions.play_waiting(solo.office, solo.game, solo.now)
    assert solo.submissions()[-1].status == SubmissionStatus.REFUSED
    assert not asked(solo).robot


def test_robots_do_not_vote(table: Table) -> None:
    table.open(("Ana", "Ben"), robots=("clara", "penny"))
    table.answer(1)
    vote = votes.ask(table.office, table.game, 0, EndingEarly(), table.now)
    assert table.view().status == GameStatus.RUNNING
    votes.answer(table.office, table.game, vote, 1, True, table.now)
    assert table.view().status == GameStatus.STOPPING


def test_a_robot_cannot_be_removed(table: Table) -> None:
    table.open(ALONE, robots=("clara", "rufus", "penny"))
    with pytest.raises(NotNow, match="A robot has this seat"):
        votes.ask(table.office, table.game, 0, Removal(1), table.now)


def test_a_pause_stops_a_robot_and_its_end_wakes_it(table: Table) -> None:
    table.open(ALONE, map="st_lucia", robots=("rufus",))
    robot_is_asked(table)
    votes.ask(table.office, table.game, 0, Pausing(), table.now)
    assert table.row().robot_at is None
    assert not robots.think(table.office, table.game, table.later(days=1))
    pauses.end(table.office, table.game, 0, table.now)
    assert due.robots(table.office, table.now) == [table.game]


def test_the_game_ends_when_the_last_person_leaves(solo: Table) -> None:
    resign(solo, 0)
    assert solo.view().status == GameStatus.OVER
    assert "deserted" in kinds(solo)


def test_the_host_gives_a_seat_whose_invitation_nobody_accepts_to_a_robot_and_the_game_starts(table: Table) -> None:
    table.open(("Ana", "Ben", "Cleo"))
    table.answer(1)
    robots.sit_down(table.office, table.game, table.host, 2, "clara", table.now)
    assert table.view().status == GameStatus.RUNNING
    assert table.view().seats[2].name == "Robot Clara"
    assert "seats-robot" in kinds(table)
    with pytest.raises(NotNow, match="robot"):
        table.answer(2)


def test_the_host_gives_a_seat_that_was_left_to_a_robot_and_the_offer_is_closed(dealt: Table) -> None:
    resign(dealt, 2)
    robots.sit_down(dealt.office, dealt.game, dealt.host, 2, "penny", dealt.now)
    assert dealt.view().seats[2].name == "Robot Penny"
    assert members.free_seats(dealt.office, None) == ()
    while dealt.row().to_act != dealt.view().seats[2].seat:
        dealt.play()
    work_off(dealt)
    assert dealt.view().log[-1].cause == MoveCause.ROBOT


def test_only_the_host_gives_seats_to_robots_and_only_those_that_nobody_has(dealt: Table) -> None:
    with pytest.raises(NotNow, match="Only the host"):
        robots.sit_down(dealt.office, dealt.game, dealt.account("Ben"), 2, "clara", dealt.now)
    with pytest.raises(NotNow, match="not free"):
        robots.sit_down(dealt.office, dealt.game, dealt.host, 2, "clara", dealt.now)
    with pytest.raises(BadInput, match="no such robot"):
        robots.sit_down(dealt.office, dealt.game, dealt.host, 2, "hal", dealt.now)


def test_a_rematch_seats_the_same_robots_without_a_limit(solo: Table) -> None:
    votes.ask(solo.office, solo.game, 0, EndingEarly(), solo.now)
    clock.tick(solo.office, solo.awake(days=1, minutes=1), lambda *_: None)
    solo.game = members.rematch(solo.office, solo.game, solo.host, solo.now)
    assert [seat.robot for seat in solo.view().seats] == ["", "rufus"]
    assert (solo.view().status, solo.view().time_control) == (GameStatus.RUNNING, NO_LIMIT)


def test_a_pause_like_a_persons_is_between_a_quarter_and_the_whole_and_by_day(table: Table) -> None:
    whole = timedelta(hours=4)
    table.open(ALONE, map="st_lucia", robots=("rufus",), robot_pause=whole)
    robot_is_asked(table)
    at, now = table.row().robot_at, table.now
    assert at is not None
    assert at == table.row().robot_at
    assert now + whole / 4 <= at
    assert at <= now + whole or 8 <= at.hour < 9
    assert 8 <= at.hour < 22
    assert not robots.think(table.office, table.game, now)
    assert Hint(broker.THINK, table.game) not in table.hints


def test_robots_that_would_answer_at_night_do_not_all_answer_in_the_same_minute_of_the_morning() -> None:
    """Their players would get all letters at once, and the server all orders."""
    evening = START.replace(hour=21, minute=59)
    paces = [Game(seed=b"game", version=version, robot_seconds=4 * 3600, robot_zone="UTC") for version in range(60)]
    answers = [robot_clock.answers_at(pace, evening) for pace in paces]
    morning = evening.replace(hour=8, minute=0) + timedelta(days=1)
    assert all(morning <= answer < morning + timedelta(hours=1) for answer in answers)
    assert len({answer.replace(second=0, microsecond=0) for answer in answers}) > 20


def test_a_pause_longer_than_a_day_and_unknown_robots_are_refused(table: Table) -> None:
    with pytest.raises(BadInput, match="at most 24 hours"):
        table.open(ALONE, map="st_lucia", robots=("rufus",), robot_pause=timedelta(hours=25))
    with pytest.raises(BadInput, match="no such robot"):
        table.open(ALONE, map="st_lucia", robots=("hal",))


def test_two_robots_of_one_character_have_names_of_their_own(table: Table) -> None:
    table.open(ALONE, robots=("clara", "clara"))
    assert len({seat.name for seat in table.view().seats}) == 3


def test_a_webhook_is_told_of_people_and_not_of_robots(solo: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    told: list[str] = []
    monkeypatch.setattr(webhook_messages, "turn", lambda _work, seat, *_a, **_k: told.append(seat.name))
    for _ in range(6):
        if asked(solo).robot:
            work_off(solo)
        else:
            solo.play()
    assert set(told) == {"Ana"}


def test_an_invited_person_is_not_asked_by_letter_after_the_seat_went_to_a_robot(table: Table) -> None:
    table.open(("Ana", "Ben", "Cleo"))
    robots.sit_down(table.office, table.game, table.host, 2, "clara", table.now)
    assert table.send_all() == ["invitation"]  # to Ben alone


def test_who_plays_on_a_page_gets_no_letter_for_answers_of_a_robot_for_ten_minutes(solo: Table) -> None:
    robot_is_asked(solo)
    solo.send_all()
    while asked(solo).robot:
        work_off(solo)
    assert solo.send_all() == []
    solo.later(minutes=10)
    assert solo.send_all() == ["your-turn"]


def test_who_answers_by_email_gets_the_next_question_alone_when_robots_bring_it_at_once(solo: Table) -> None:
    while not asked(solo).robot:
        solo.play(via="mail")
    (waits,) = [row for row in solo.letters("played") if row.status == "waiting"]
    assert waits.next_try_at == solo.now + timedelta(minutes=5)
    while asked(solo).robot:
        work_off(solo)
    solo.later(minutes=6)
    solo.send_all()
    assert {row.status for row in solo.letters("played")} == {"withdrawn"}
    assert solo.letters("your-turn")[-1].status == "sent"


def test_who_plays_against_robots_alone_takes_all_the_time_there_is(solo: Table) -> None:
    for _ in range(4):
        while asked(solo).robot:
            work_off(solo)
        before = solo.view()
        solo.awake(days=60)
        assert not deadlines.deadline(solo.office, solo.game, solo.now)
        assert not deadlines.remind(solo.office, solo.game, solo.now)
        assert (solo.view().version, solo.view().deadline) == (before.version, None)
        solo.play()


def test_who_plays_with_another_person_has_the_time_that_the_host_chose(table: Table) -> None:
    table.open(("Ana", "Ben"), robots=("clara",))
    table.answer(1)
    assert table.view().time_control == TimeControl(timedelta(days=3))


def test_an_invited_seat_that_a_robot_gets_leaves_one_person_without_a_limit(table: Table) -> None:
    table.open(("Ana", "Ben"), map="st_lucia", bank=timedelta(days=1))
    robots.sit_down(table.office, table.game, table.host, 1, "rufus", table.now)
    assert table.view().status == GameStatus.RUNNING
    assert table.view().time_control == NO_LIMIT
    assert [clock.bank for clock in table.view().clocks] == [timedelta()]


def test_a_robot_that_adapts_hears_how_the_earlier_games_ended(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    heard: list[tuple[bool, ...]] = []

    def decide(*asked: object) -> Answer:
        heard.append(asked[-1])  # type: ignore[arg-type]
        return Answer(
            str(views.game(table.office, table.game).sheet.default(views.game(table.office, table.game).state))
        )

    for place in (2, 1):
        table.open(ALONE, map="st_lucia", robots=("penny",))
        _ended(table, place)
        table.later(hours=1)
    table.open(ALONE, map="st_lucia", robots=("penny",))
    monkeypatch.setattr(opponents, "decide", decide)
    robot_is_asked(table)
    work_off(table)
    assert heard == [(False, True)]


def test_a_game_with_a_robot_that_adapts_changes_no_rating(table: Table) -> None:
    table.open(ALONE, map="st_lucia", robots=("penny",))
    assert not table.view().may_be_rated
    table.open(ALONE, map="st_lucia", robots=("rufus",))
    assert table.view().may_be_rated


def _ended(table: Table, place: int) -> None:
    """What is counted of a game that Ana ended in this place."""
    seats = table.rows(select(Seat).where(Seat.game_id == table.game).order_by(Seat.number))
    with table.office.write() as session:
        counted = CountedGame(game_id=table.game, game="age-of-steam", map="st_lucia", players=2, ended_at=table.now)
        counted.listed, counted.rated, counted.figures = True, False, []
        session.add(counted)
        session.flush()
        for seat, own in zip(seats, (place, 3 - place), strict=True):
            who = f"a{seat.account_id}" if seat.account_id else f"r{seat.robot}"
            row = Result(game_id=table.game, number=seat.number, game="age-of-steam", ended_at=table.now, who=who)
            row.place, row.points, row.out = own, 10, False
            session.add(row)
