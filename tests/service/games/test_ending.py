"""Games that end before their last turn, by vote."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from sqlalchemy import select

from pbem.engine.record import read_record, verify
from pbem.service import NoSuch, NotNow
from pbem.service.archive import records
from pbem.service.games import departures, ending, votes
from pbem.service.games.proposals.taking_back import TakingBack
from pbem.store.tables import Seat
from tests.service.actors import end, kinds, name_of, number_asked, resign, take
from tests.table import Table
from workers import clock


@pytest.mark.postgresql
def test_two_thirds_end_a_game_and_a_day_later_it_is_in_the_archive(table: Table) -> None:
    table.start()
    table.play()
    vote = end(table)
    votes.answer(table.office, table.game, vote, 1, True, table.now)
    assert table.view().status == "running"
    votes.answer(table.office, table.game, vote, 2, True, table.now)
    view = table.view()
    assert (view.status, view.deadline, view.seed) == ("stopping", None, "")
    assert table.send_all().count("game-ending") == 4
    assert table.play("issue 1", seat=view.seats[0].seat, version=view.version).status == "refused"
    assert list(ending.due(table.office, table.later(hours=23))) == []
    assert not ending.finish(table.office, table.game, table.now)
    clock.tick(table.office, table.later(hours=1))
    assert (table.view().status, table.view().ended_early) == ("over", True)
    assert len(table.view().standings) == 4
    assert table.view().seed
    assert [letter.kind for letter in table.letters("game-over")] == ["game-over"] * 4


@pytest.mark.postgresql
def test_within_a_day_somebody_may_change_the_mind_and_the_clock_goes_on(table: Table) -> None:
    table.start()
    deadline = table.view().deadline
    table.later(hours=10)
    vote = end(table)
    for number in (1, 2):
        votes.answer(table.office, table.game, vote, number, True, table.now)
    table.later(hours=20)
    votes.answer(table.office, table.game, vote, 2, False, table.now)
    assert table.view().status == "running"
    assert table.view().deadline == (deadline or table.now) + timedelta(hours=20)
    assert "your-turn" in table.send_all()
    clock.tick(table.office, table.later(hours=30))
    assert table.view().status == "running"
    assert kinds(table)[-2:] == ["changes-mind", "goes-on"]


def test_a_game_that_ended_early_is_proved_and_can_be_taken_in_elsewhere(table: Table) -> None:
    table.start()
    table.play_on(9)
    vote = end(table)
    for number in (1, 2):
        votes.answer(table.office, table.game, vote, number, True, table.now)
    clock.tick(table.office, table.later(days=1))
    text = json.dumps(records.export(table.office, table.game))
    assert json.loads(text)["ended_early"] is True
    assert verify(table.view().sheet, read_record(text)).faults == ()
    table.game = records.import_record(table.office, text, table.now)
    assert table.view().ended_early


@pytest.mark.postgresql
def test_a_vote_that_was_refused_is_not_repeated_at_once(table: Table) -> None:
    table.start()
    vote = end(table)
    with pytest.raises(NotNow, match="already been asked"):
        end(table)
    for number in (1, 2):
        votes.answer(table.office, table.game, vote, number, False, table.now)
    with pytest.raises(NotNow, match="after three days"):
        end(table)
    table.later(days=3)
    assert end(table) != vote


def test_a_vote_is_counted_again_when_somebody_leaves_who_has_not_answered(table: Table) -> None:
    table.start()
    vote = end(table)
    votes.answer(table.office, table.game, vote, 1, True, table.now)
    assert table.view().status == "running"
    resign(table, 3)
    assert table.view().status == "stopping"
    assert [letter.kind for letter in table.letters("game-ending")] == ["game-ending"] * 3


@pytest.mark.postgresql
def test_who_leaves_takes_the_answer_along(table: Table) -> None:
    """Four need three; when the asker and one who agreed are gone, two are left and one of them has agreed."""
    table.start()
    vote = end(table)
    votes.answer(table.office, table.game, vote, 1, True, table.now)
    resign(table, 1)
    assert table.view().status == "running"
    take(table, "Fay")
    votes.answer(table.office, table.game, vote, 2, False, table.now)
    assert table.view().status == "running"
    resign(table, 3)
    assert table.view().status == "running"
    resign(table, 1)
    (letter,) = table.letters("not-agreed")
    assert letter.data["person"] == name_of(table, 2)
    assert table.view().status == "running"


@pytest.mark.postgresql
def test_a_vote_dies_after_two_weeks(table: Table) -> None:
    table.start(turn_time=timedelta(days=30))
    vote = end(table)
    table.later(days=14)
    with pytest.raises(NotNow, match="nothing left to decide"):
        votes.answer(table.office, table.game, vote, 1, True, table.now)


def test_a_finished_game_has_nothing_left_to_decide(table: Table) -> None:
    table.start()
    table.play_on(1000)
    with pytest.raises(NotNow, match="while the game is running"):
        resign(table, 0)
    with pytest.raises(NotNow, match="running game can be ended"):
        end(table)
    with pytest.raises(NotNow, match="not running"):
        votes.ask(table.office, table.game, 0, TakingBack(), table.now)
    with pytest.raises(NotNow, match="while the game is running"):
        departures.remove(table.office, table.game, table.host, 1, table.now)
    with table.office.read() as session:
        assert {seat.status for seat in session.scalars(select(Seat))} == {"accepted"}


@pytest.mark.postgresql
def test_who_asked_can_withdraw_the_question_and_nobody_is_asked_by_email_any_more(table: Table) -> None:
    table.start()
    vote = end(table)
    with pytest.raises(NotNow, match="Only the player who asked"):
        votes.withdraw(table.office, table.game, vote, 1, table.now)
    for _ in range(2):
        votes.withdraw(table.office, table.game, vote, 0, table.now)
    assert kinds(table).count("withdraws-vote") == 1
    table.send_all()
    assert {letter.status for letter in table.letters("end-asked")} == {"withdrawn"}
    with pytest.raises(NotNow, match="already been decided"):
        votes.answer(table.office, table.game, vote, 1, True, table.now)
    with pytest.raises(NotNow, match="asked and withdrawn"):
        end(table)
    table.later(days=3)
    assert end(table) != vote


def test_a_vote_that_is_decided_or_of_another_game_cannot_be_withdrawn(table: Table) -> None:
    table.start()
    vote = end(table)
    first = table.game
    table.start()
    with pytest.raises(NoSuch):
        votes.withdraw(table.office, table.game, vote, 0, table.now)
    for number in (1, 2):
        votes.answer(table.office, first, vote, number, True, table.now)
    with pytest.raises(NotNow, match="already been decided"):
        votes.withdraw(table.office, first, vote, 0, table.now)


def test_taking_back_is_not_asked_twice_for_the_same_orders_by_who_withdrew_it(table: Table) -> None:
    table.start()
    number = number_asked(table)
    table.play("issue 2")
    vote = votes.ask(table.office, table.game, number, TakingBack(), table.now)
    votes.withdraw(table.office, table.game, vote, number, table.now)
    with pytest.raises(NotNow, match="withdrew this question"):
        votes.ask(table.office, table.game, number, TakingBack(), table.now)
