"""Which orders are taken back, until when, what the page offers, and what the others are told."""

from collections.abc import Callable
from datetime import datetime, timedelta

import pytest
from msgspec.structs import asdict
from sqlalchemy import delete, select, update

from pbem.service import NotNow
from pbem.service.base import Office, queries
from pbem.service.games import members, takeback, votes
from pbem.service.games.proposals.taking_back import TakingBack
from pbem.service.letters import outbox
from pbem.service.letters.kinds.orders import TakenBack
from pbem.store.statuses import GameStatus
from pbem.store.tables import Move, Seat, Submission, Vote
from pbem.views.people import BackView
from tests.table import Table

GRACE = timedelta(minutes=10)
TOLD = "all others have to agree"


def steam_power(table: Table) -> int:
    """A game in which every seat gives two orders, one after the other; returns the number of who is asked."""
    view = table.start(game="steam-power", map="ireland", grace=GRACE)
    table.send_all()
    return table.number(view.waiting_for)


def taken_back(table: Table) -> list[int | None]:
    """By which entry each order was taken back."""
    query = select(Move.taken_back_by).where(Move.game_id == table.game, Move.cause == "player").order_by(Move.number)
    return table.rows(query)


def take_back(table: Table, number: int) -> int:
    return takeback.take_back(table.office, table.game, number, table.now)


def back(table: Table, number: int) -> BackView | None:
    return members.company(table.office, table.game, number, None, table.now).back


def consent(table: Table, number: int) -> None:
    """All others agree that orders are taken back."""
    vote = votes.ask(table.office, table.game, number, TakingBack(), table.now)
    assert vote is not None
    for other in {0, 1, 2, 3} - {number}:
        votes.answer(table.office, table.game, vote, other, True, table.now)


def test_orders_that_came_together_are_taken_back_together(table: Table) -> None:
    number = steam_power(table)
    before = table.view().state
    table.play("cash\ncash")
    assert back(table, number) == BackView(1, "cash\ncash", table.now + GRACE)
    assert take_back(table, number) == 3
    assert taken_back(table) == [3, 3]
    assert table.view().state == before
    assert [submission.status for submission in table.submissions()] == ["taken-back"]


def test_orders_given_one_by_one_are_taken_back_one_by_one_each_in_its_own_grace_time(table: Table) -> None:
    number = steam_power(table)
    first = table.now
    table.play("cash")
    table.later(minutes=4)
    table.play("cash")
    table.later(minutes=6, seconds=-1)
    assert take_back(table, number) == 3
    assert table.row().grace_until == first + GRACE
    assert take_back(table, number) == 4
    assert taken_back(table) == [4, 3]
    assert [submission.status for submission in table.submissions()] == ["taken-back"] * 2
    assert table.row().grace_until is None


def test_the_grace_time_of_earlier_orders_is_not_begun_anew(table: Table) -> None:
    number = steam_power(table)
    table.play("cash")
    table.later(minutes=4)
    table.play("cash")
    table.later(minutes=6)
    take_back(table, number)
    assert table.row().grace_until is None
    with pytest.raises(NotNow, match=TOLD):
        take_back(table, number)


def test_orders_of_somebody_else_before_those_that_were_taken_back_have_no_grace_time_any_more(table: Table) -> None:
    table.start(grace=GRACE)
    table.play("issue 1")
    number = table.number_asked()
    table.play("issue 2")
    take_back(table, number)
    assert table.row().grace_until is None


def test_orders_without_a_row_of_how_they_came_are_taken_back_alone(table: Table) -> None:
    number = steam_power(table)
    table.play("cash")
    table.play("cash")
    table.put(delete(Submission).where(Submission.move_number == 2))
    assert back(table, number) == BackView(2, "cash", table.now + GRACE)
    take_back(table, number)
    assert taken_back(table) == [None, 3]
    assert [submission.status for submission in table.submissions()] == ["played"]


def test_the_same_orders_in_another_game_of_the_same_people_stay_as_they_are(table: Table) -> None:
    steam_power(table)
    table.play("cash\ncash")
    other = table.game
    number = steam_power(table)
    table.play("cash\ncash")
    table.send("cash\ncash", version=2)
    mine = table.game
    table.game = other
    assert take_back(table, number) == 3
    table.game = mine
    assert taken_back(table) == [None, None]
    assert [submission.status for submission in table.submissions()] == ["taken-back", "played", "waiting"]


def test_nothing_can_be_taken_back_where_nothing_was_ordered(table: Table) -> None:
    number = steam_power(table)
    assert back(table, number) is None
    with pytest.raises(NotNow, match="not yours"):
        take_back(table, number)


def test_what_was_played_for_a_player_is_not_the_players_to_take_back(table: Table) -> None:
    number = steam_power(table)
    table.play("cash")
    for cause, why in (("deadline", "not yours"), ("ahead", "standing order")):
        table.put(update(Move).where(Move.number == 1).values(cause=cause))
        assert back(table, number) is None
        with pytest.raises(NotNow, match=why):
            take_back(table, number)


def test_nothing_is_offered_in_a_game_that_is_about_to_end(table: Table) -> None:
    number = steam_power(table)
    table.play("cash")
    assert back(table, number) is not None
    with table.office.write() as session:
        queries.locked(session, table.game).status = GameStatus.STOPPING
    assert back(table, number) is None


def test_orders_that_stand_are_shown_with_the_reason(table: Table) -> None:
    number = steam_power(table)
    table.play("draw")
    offer = back(table, number)
    assert offer is not None
    assert "so you cannot take them back" in str(offer.no)
    assert offer.until is None


def test_who_took_back_alone_is_asked_after_the_grace_time_and_with_consent_at_once(table: Table) -> None:
    number = steam_power(table)
    table.play("cash")
    table.later(minutes=1)
    take_back(table, number)
    assert table.letters("your-turn")[-1].next_try_at == table.now + GRACE
    table.play("cash")
    consent(table, number)
    assert table.letters("your-turn")[-1].next_try_at == table.now


def test_who_is_asked_again_is_not_told_that_his_own_question_was_withdrawn(table: Table) -> None:
    number = steam_power(table)
    table.play("cash", via="api")
    assert table.number_asked() == number
    assert "your-turn" in table.send_all()
    take_back(table, number)
    assert table.letters("taken-back") == []


def test_only_who_was_told_of_this_very_question_in_this_game_is_told_that_it_is_withdrawn(table: Table) -> None:
    """Told of the same number in another game, of an earlier question in this one, and others of this one: no."""
    table.start(grace=timedelta(0))
    table.play("issue 1")
    assert "your-turn" in table.send_all()  # of another game, with the number that will be withdrawn
    table.start(grace=GRACE)
    table.send_all()
    number = table.number_asked()
    table.play("issue 1")
    told = table.number_asked()
    vote = votes.ask(table.office, table.game, number, TakingBack(), table.now)
    assert vote is not None
    for letter in table.letters("consent-asked"):
        if letter.seat_number != told:
            assert outbox.claim(table.office, letter.id, table.now)
            outbox.sent(table.office, letter.id, table.now)
    take_back(table, number)
    assert table.letters("taken-back") == []


def test_the_bank_is_filled_again_with_what_the_orders_took_from_it(table: Table) -> None:
    table.start(grace=GRACE, turn_time=timedelta(hours=1), bank=timedelta(hours=10))
    number = table.number_asked()
    table.later(hours=3)
    table.play("issue 1")
    assert reserve(table, number) == timedelta(hours=8)
    take_back(table, number)
    assert reserve(table, number) == timedelta(hours=10)
    table.later(hours=1)
    assert table.view().deadline == table.now + timedelta(hours=7)


def test_orders_from_before_times_were_written_down_are_taken_back_with_the_bank_as_it_is(table: Table) -> None:
    table.start(grace=GRACE, turn_time=timedelta(hours=1), bank=timedelta(hours=10))
    number = table.number_asked()
    table.later(hours=3)
    table.play("issue 1")
    table.put(update(Move).values(reserve_seconds=None, spent_seconds=None))
    take_back(table, number)
    assert reserve(table, number) == timedelta(hours=8)
    assert table.row().spent_seconds == 0


def reserve(table: Table, number: int) -> timedelta:
    with table.office.read() as session:
        return timedelta(seconds=queries.numbered(session, table.game, number).reserve_seconds)


def test_where_nobody_is_left_to_be_asked_consent_is_there_at_once(table: Table) -> None:
    number = steam_power(table)
    table.play("cash")
    table.put(update(Seat).where(Seat.number != number).values(account_id=None))
    asked = votes.ask(table.office, table.game, number, TakingBack(), table.later(hours=1))
    assert taken_back(table) == [2]
    (vote,) = table.rows(select(Vote))
    assert (vote.id, vote.status, vote.closed_at) == (asked, "passed", table.now)


def played(table: Table, text: str = "issue 2") -> int:
    """A game with a grace time in which somebody has just sent orders; returns the seat number of the sender."""
    table.start(grace=GRACE)
    table.send_all()
    number = table.number_asked()
    table.play(text)
    return number


def test_the_last_second_of_the_grace_time_is_in_it_and_its_end_is_not(table: Table) -> None:
    number = played(table)
    until = table.now + GRACE
    table.later(minutes=10, seconds=-1)
    assert back(table, number) == BackView(1, "issue 2", until)
    table.later(seconds=1)
    assert back(table, number) == BackView(1, "issue 2", None)
    with pytest.raises(NotNow, match="all others have to agree"):
        takeback.take_back(table.office, table.game, number, table.now)


def test_nothing_is_offered_to_whom_the_last_orders_are_not_and_nothing_once_they_are_gone(table: Table) -> None:
    number = played(table)
    assert back(table, table.number_asked()) is None
    takeback.take_back(table.office, table.game, number, table.now)
    assert back(table, number) is None


def _ask(office: Office, game: str, number: int, now: datetime, *, only: int) -> None:
    votes.ask(office, game, number, TakingBack(only), now)


@pytest.mark.parametrize("way", [takeback.take_back, _ask])
def test_who_names_orders_takes_back_those_and_no_others(table: Table, way: Callable[..., object]) -> None:
    number = played(table)
    for only in (0, 2):
        with pytest.raises(NotNow, match="moved on"):
            way(table.office, table.game, number, table.now, only=only)
    way(table.office, table.game, number, table.now, only=1)


def test_orders_of_ones_own_that_wait_do_not_keep_one_from_taking_back(table: Table) -> None:
    number = played(table)
    table.send("issue 1", seat=table.view().seats[number].seat, version=1)
    assert takeback.take_back(table.office, table.game, number, table.now) == 2


def test_who_was_told_of_the_withdrawn_question_is_told_by_whom_and_when(table: Table) -> None:
    number = played(table)
    table.later(minutes=10)
    assert table.send_all() == ["your-turn"]
    told = table.now
    asked = table.number_asked()
    vote = votes.ask(table.office, table.game, number, TakingBack(), table.later(minutes=5))
    assert vote is not None
    for other in {0, 1, 2, 3} - {number}:
        votes.answer(table.office, table.game, vote, other, True, table.now)
    (row,) = table.letters("taken-back")
    letter = table.read(row)
    assert (row.seat_number, vars(letter.own)) == (asked, asdict(TakenBack(table.view().seats[number].name, told)))
    assert [row.version for row in table.letters("your-turn", "waiting")] == [2]


def test_a_sentence_holds_two_hundred_characters_of_orders() -> None:
    assert takeback.short("a\nb") == "a; b"
    assert takeback.short("x" * 200) == "x" * 200
    assert takeback.short("x" * 201) == "x" * 199 + "…"
