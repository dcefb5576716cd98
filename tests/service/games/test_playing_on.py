"""A finished game played on from an earlier position, in a copy that is its player's own."""

import json
from datetime import timedelta

import pytest
from sqlalchemy import func, select

from pbem.engine.record import read_record, verify
from pbem.service import NotNow
from pbem.service.archive import records
from pbem.service.base import NoSuch
from pbem.service.games import playing_on, takeback, views
from pbem.store.tables import Game, Move
from tests.table import Table


@pytest.fixture
def over(dealt: Table) -> Table:
    dealt.play_on(1000)
    return dealt


def played(table: Table, phase: str = "build_track", place: int = 1) -> int:
    """The number of an order of a phase."""
    return [move.number for move in table.view().log if move.phase == phase and move.counts][place]


@pytest.mark.postgresql
def test_the_copy_asks_what_was_asked_and_has_all_that_came_before(over: Table) -> None:
    number = played(over)
    before, whole = views.game(over.office, over.game, number - 1), over.view()
    copy = playing_on.begin(over.office, over.game, number, over.host, over.now)
    view = views.game(over.office, copy)
    assert (view.status, view.version, view.waiting_for) == ("running", number - 1, whole.log[number].seat)
    assert view.state == before.state
    assert [move.orders for move in view.log] == [move.orders for move in before.log]
    assert {seat.seat: bool(seat.robot) for seat in view.seats} == {
        seat.seat: seat.seat != view.waiting_for for seat in whole.seats
    }
    assert view.unlisted
    assert view.friendly
    assert over.view() == whole


def test_its_player_is_asked_by_email_and_robots_play_the_rest(over: Table) -> None:
    over.game = playing_on.begin(over.office, over.game, played(over, place=-4), over.host, over.now)
    own = over.view().waiting_for
    assert [letter.kind for letter in over.letters() if letter.game_id == over.game] == ["your-turn"]
    for _ in range(200):
        over.robots_answer()
        if over.view().status == "over":
            break
        assert over.view().waiting_for == own
        over.play()
    assert over.view().status == "over"
    raw = records.export(over.office, over.game)
    assert verify(over.view().sheet, read_record(json.dumps(raw))).faults == ()


def test_after_a_step_back_the_numbers_of_the_copy_have_no_gaps(table: Table) -> None:
    first = table.start(grace=timedelta(hours=1)).waiting_for
    table.play()
    takeback.take_back(table.office, table.game, table.number(first), table.now)
    table.play_on(1000)
    copy = playing_on.begin(table.office, table.game, played(table), table.host, table.now)
    numbers = table.rows(select(Move.number).where(Move.game_id == copy).order_by(Move.number))
    assert numbers == list(range(len(numbers)))


def test_nobody_plays_on_from_what_is_no_order_of_a_finished_game(dealt: Table) -> None:
    with pytest.raises(NotNow):
        playing_on.begin(dealt.office, dealt.game, 0, dealt.host, dealt.now)
    dealt.play()
    with pytest.raises(NotNow):
        playing_on.begin(dealt.office, dealt.game, 1, dealt.host, dealt.now)
    with pytest.raises(NoSuch):
        playing_on.begin(dealt.office, "nowhere", 1, dealt.host, dealt.now)
    dealt.play_on(1000)
    for number in (-1, 0, 99_999, 10**20):
        with pytest.raises(NotNow):
            playing_on.begin(dealt.office, dealt.game, number, dealt.host, dealt.now)
    assert dealt.only(select(func.count()).select_from(Game)) == 1


def test_a_game_played_elsewhere_has_no_seed_to_play_on_with(over: Table) -> None:
    raw = {**records.export(over.office, over.game), "seed": "", "commitment": "", "source": "elsewhere"}
    number = records.import_record(over.office, json.dumps(raw), over.now)
    with pytest.raises(NotNow):
        playing_on.begin(over.office, number, 5, over.host, over.now)
