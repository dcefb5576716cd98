"""A step back against robots: to the own last decision, whatever they have answered."""

import pytest
from sqlalchemy import select, update

from pbem.service import NotNow
from pbem.service.games import members, takeback
from pbem.service.statistics import counting
from pbem.store.statuses import GameStatus, MoveCause, SubmissionStatus
from pbem.store.tables import CountedGame, Game, Move, Seat
from pbem.views.people import BackView
from tests.table import Table


def against_robots(table: Table, map: str = "rust_belt", *others: str) -> Table:
    table.open(("Ana", *others), map=map, robots=("rufus", "clara")[: 2 if map == "rust_belt" else 1])
    for number in range(1, 1 + len(others)):
        table.answer(number)
    return table


def robot_asked(table: Table) -> bool:
    return table.view().robot_asked


def answered(table: Table) -> list[str]:
    """Let robots answer until a person is asked; their orders."""
    before = table.view().version
    table.robots_answer()
    return [move.orders for move in table.view().log if move.number > before]


def decided(table: Table) -> str:
    """Ana answers until a robot is asked; her last orders."""
    orders = ""
    while not robot_asked(table):
        orders = table.legal()
        table.play(orders)
    return orders


def back(table: Table) -> BackView | None:
    return members.company(table.office, table.game, 0, None, table.now).back


def test_one_goes_back_over_what_all_robots_have_answered_to_the_same_question(table: Table) -> None:
    against_robots(table)
    if robot_asked(table):
        answered(table)
    before = table.view()
    orders = decided(table)
    asked_then = table.view().log[-1].number - 1
    assert len(answered(table)) >= 1
    assert back(table) == BackView(asked_then + 1, orders, None, alone=True)
    takeback.take_back(table.office, table.game, 0, table.now)
    after = table.view()
    if asked_then == before.version:
        assert after.state == before.state
    assert after.waiting_for == before.waiting_for
    counts = [move.number for move in after.log if move.cause == MoveCause.PLAYER and not move.taken_back]
    assert all(number <= asked_then for number in counts)


def test_robots_answer_the_same_orders_in_the_same_way(table: Table) -> None:
    against_robots(table)
    answered(table)
    orders = decided(table)
    first, state = answered(table), table.view().state
    takeback.take_back(table.office, table.game, 0, table.now)
    table.play(orders)
    assert answered(table) == first
    assert table.view().state == state


def test_all_submissions_that_no_longer_count_say_so(table: Table) -> None:
    against_robots(table)
    answered(table)
    decided(table)
    count = len(answered(table))
    takeback.take_back(table.office, table.game, 0, table.now)
    assert [one.status for one in table.submissions()].count(SubmissionStatus.TAKEN_BACK) == 1 + count


def test_nothing_is_taken_back_over_dice_that_were_rolled_since(table: Table) -> None:
    against_robots(table)
    answered(table)
    decided(table)
    answered(table)
    with table.office.write() as session:
        last = select(Move.number).where(Move.game_id == table.game).order_by(Move.number.desc()).limit(1)
        robot = session.scalar(last)
        session.execute(update(Move).where(Move.game_id == table.game, Move.number == robot).values(chance=["3"]))
    found = back(table)
    assert found is not None
    assert "die was rolled" in str(found.no)
    with pytest.raises(NotNow, match="die was rolled"):
        takeback.take_back(table.office, table.game, 0, table.now)


def test_with_another_person_at_the_table_the_last_orders_alone_are_taken_back_and_with_consent(table: Table) -> None:
    against_robots(table, "rust_belt", "Ben")
    answered(table)
    (seat,) = table.rows(select(Seat).where(Seat.game_id == table.game, Seat.colour == table.view().waiting_for))
    table.play()
    if robot_asked(table):
        answered(table)
        assert members.company(table.office, table.game, seat.number, None, table.now).back is None
    else:
        found = members.company(table.office, table.game, seat.number, None, table.now).back
        assert found is None or not found.alone


@pytest.mark.parametrize("steps_back", [0, 1])
def test_a_game_in_which_a_step_was_taken_back_counts_for_no_rating(table: Table, steps_back: int) -> None:
    against_robots(table)
    answered(table)
    decided(table)
    answered(table)
    for _ in range(steps_back):
        takeback.take_back(table.office, table.game, 0, table.now)
    table.put(update(Game).values(status=GameStatus.OVER, ended_at=table.now, count_at=table.now))
    counting.count(table.office, table.game, table.now)
    assert table.only(select(CountedGame.rated)) == (not steps_back)
