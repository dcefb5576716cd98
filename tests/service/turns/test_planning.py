"""The letter that opens a turn, and which letters it saves."""

from datetime import datetime, timedelta

import pytest

from pbem.service.base.tokens import UnsubscribeClaim
from pbem.service.orders import deadlines
from pbem.service.people import accounts
from pbem.service.turns import planning
from pbem.store.tables import Game, Letter
from tests.table import Table


def seats_of(table: Table, kind: str, status: str = "") -> list[str]:
    colours = {seat.number: seat.seat for seat in table.view().seats}
    return [colours[row.seat_number] for row in table.letters(kind, status) if row.seat_number is not None]


@pytest.mark.postgresql
def test_a_turn_opens_with_one_letter_to_everybody_instead_of_a_question(table: Table) -> None:
    view = table.start(planning=True)
    assert sorted(seats_of(table, "planning")) == sorted(seat.seat for seat in view.seats)
    assert seats_of(table, "your-turn") == []


def test_the_letter_holds_what_can_be_planned(table: Table) -> None:
    table.start(planning=True)
    letter = table.read(table.letters("planning")[0])
    assert letter.own.plan is not None
    assert [(part.form, part.template) for part in letter.own.plan.parts] == [
        ("pick", "issue _"),
        ("limit", "bid max _"),
        ("rank", "action _ > _ > _"),
    ]
    assert letter.links.turn.endswith("?plan")


@pytest.mark.postgresql
def test_a_whole_turn_is_planned_with_one_letter_to_each_before_the_builds(table: Table) -> None:
    view = table.start(planning=True)
    table.send_all()
    actions = ["first-move", "engineer", "locomotive", "production"]
    for seat, action in zip(list(view.state.order), actions, strict=True):
        table.play(f"issue 1\nbid max 0\naction {action}", seat=seat)
    assert table.phase() == "build_track"
    assert len(seats_of(table, "your-turn")) == 1
    assert table.view().waiting_for == seats_of(table, "your-turn")[0]


def test_what_a_plan_leaves_out_is_asked(table: Table) -> None:
    view = table.start(planning=True)
    first, second = view.state.order[:2]
    table.play("issue 1", seat=first)
    assert table.view().waiting_for == second
    assert seats_of(table, "your-turn") == []
    for seat in view.state.order[1:]:
        table.play("issue 1", seat=seat)
    assert table.phase() == "turn_order"
    assert seats_of(table, "your-turn") == [first]


def test_who_wants_it_is_asked_step_by_step(table: Table) -> None:
    view = table.start(planning=True)
    first, second = view.state.order[:2]
    planning.step_by_step(table.office, table.game, first, table.now)
    planning.step_by_step(table.office, table.game, first, table.now)
    assert seats_of(table, "your-turn") == [first]
    planning.step_by_step(table.office, table.game, second, table.now)
    assert seats_of(table, "your-turn") == [first]
    table.play("issue 0", seat=first)
    assert seats_of(table, "your-turn") == [first, second]


@pytest.mark.postgresql
def test_a_refused_plan_leaves_the_letter_open(table: Table) -> None:
    view = table.start(planning=True)
    table.play("issue 99", seat=view.state.order[0])
    table.play("bid 5", seat=view.state.order[1])
    assert seats_of(table, "your-turn") == []
    table.play("issue 0", seat=view.state.order[0])
    assert seats_of(table, "your-turn") == []


def test_a_planning_letter_that_is_answered_is_not_sent(table: Table) -> None:
    view = table.start(planning=True)
    seat = view.state.order[1]
    table.play("issue 1\nbid max 0\naction engineer", seat=seat)
    sent = table.send_all()
    assert sent.count("planning") == 3
    assert seats_of(table, "planning", "withdrawn") == [seat]


def test_who_has_stopped_planning_letters_is_asked_step_by_step(table: Table) -> None:
    table.open(planning=True)
    with table.office.write() as session:
        ids = [accounts.account(session, f"{name}@example.org", "", table.now).id for name in ("ana", "ben")]
    for account in ids:
        accounts.stop_mail(table.office, UnsubscribeClaim(account, "", "planning"), "kind", table.now)
    for number in (1, 2, 3):
        table.answer(number)
    assert len(seats_of(table, "planning")) == 2
    stopped = {seat.seat for seat in table.view().seats if seat.number in (0, 1)}
    asked = table.view().waiting_for
    assert seats_of(table, "your-turn") == ([asked] if asked in stopped else [])


def test_nobody_is_asked_to_plan_what_stands_already(table: Table) -> None:
    view = table.start(planning=True)
    seat = view.state.order[1]
    table.play("always issue 0\nalways bid max 0", seat=seat)
    while table.asked().sheet.turn(table.asked().state) == 1:
        table.play()
    letters = [row for row in table.letters("planning") if row.data["turn"] == 2]
    phases = {row.seat_number: row.data["phases"] for row in letters}
    number = next(s.number for s in view.seats if s.seat == seat)
    assert phases.pop(number) == ["select_actions"]
    assert set(map(tuple, phases.values())) == {("issue_shares", "turn_order", "select_actions")}


def test_a_letter_without_shares_is_open_while_others_issue_theirs(table: Table) -> None:
    view = table.start(planning=True)
    first, second = view.state.order[:2]
    table.play("always issue 0", seat=second)
    while table.asked().sheet.turn(table.asked().state) == 1:
        table.play()
    (letter,) = (row for row in table.letters("planning") if row.data["turn"] == 2 and seat_of(table, row) == second)
    assert letter.data["phases"] == ["turn_order", "select_actions"]
    assert table.phase() == "issue_shares"
    table.send_all()
    assert second in seats_of(table, "planning", "sent")
    assert first in seats_of(table, "planning", "sent")


def seat_of(table: Table, row: Letter) -> str:
    return next(seat.seat for seat in table.view().seats if seat.number == row.seat_number)


@pytest.mark.parametrize(("via", "mails", "planning"), [("page", 0, True), ("page", 0, False), ("api", 1, True)])
def test_a_question_on_a_page_is_no_letter_until_later(table: Table, via: str, mails: int, planning: bool) -> None:
    """Whoever acts last in round 1 of moving goods and has First Move acts first in round 2, or the like."""
    table.start(planning=planning)
    same = _until_the_same_seat_follows(table, via)
    table.send_all()
    assert len([row for row in table.letters("your-turn", "sent") if row.version == same]) == mails
    table.now += timedelta(minutes=5)
    table.send_all()
    assert len([row for row in table.letters("your-turn", "sent") if row.version == same]) == 1


def _until_the_same_seat_follows(table: Table, via: str) -> int:
    for _ in range(200):
        asked = table.view().waiting_for
        planned = table.phase() in ("issue_shares", "turn_order", "select_actions")
        table.play(via=via)
        view = table.view()
        if view.waiting_for == asked and not planned:
            return view.version
    raise AssertionError("nobody was asked twice in a row")


def test_letters_that_open_a_turn_leave_at_once_whoever_sent_the_last_orders(table: Table) -> None:
    """Also when all others had ordered ahead, so that the sender is asked first in the new turn."""
    table.start(planning=True)
    while (view := table.view()).state.turn < 2:
        last, first = view.waiting_for, view.state.order[0]
        ahead = table.phase() == "move_goods" and last != first
        played = table.play("pass\npass" if ahead else None, via="page")
        assert played.status == "played"
    assert (last, view.waiting_for) == (first, first)
    opened = [row for row in table.letters("planning") if row.data["turn"] == 2]
    assert len(opened) == 4
    assert {row.next_try_at for row in opened} == {table.now}


@pytest.mark.postgresql
def test_the_reminder_of_a_seat_that_has_not_planned_tells_what_is_asked(table: Table) -> None:
    view = table.start(planning=True)
    table.send_all()
    table.now = _remind_at(table)
    assert deadlines.remind(table.office, table.game, table.now)
    letter = table.read(table.letters("reminder")[0])
    assert letter.asked is not None
    assert (letter.seat, letter.asked.question.phase) == (view.state.order[0], "issue_shares")


def _remind_at(table: Table) -> datetime:
    moment = table.found(Game, table.game).remind_at
    assert moment is not None
    return moment
