"""What is open between the people of a game, free seats, ends by vote: who sees what, from which second on."""

from datetime import timedelta

import pytest
from sqlalchemy import insert, select, update

from pbem.service import NoSuch, NotNow
from pbem.service.base import queries
from pbem.service.base.tokens import OfferClaim
from pbem.service.games import ending, members, votes
from pbem.service.games.proposals.ending_early import EndingEarly
from pbem.service.people import blocks
from pbem.store.tables import Move, Offer, Seat, Vote
from pbem.views.people import Company
from tests.service.actors import kinds
from tests.table import Table

SECOND, HOUR, DAY = timedelta(seconds=1), timedelta(hours=1), timedelta(days=1)


def free(table: Table, *numbers: int) -> None:
    """Nobody has these seats."""
    with table.office.write() as session:
        queries.locked(session, table.game)
        there = (Seat.game_id == table.game, Seat.number.in_(numbers))
        session.execute(update(Seat).where(*there).values(account_id=None))


def offer(table: Table, number: int = 1, **values: object) -> int:
    with table.office.write() as session:
        queries.locked(session, table.game)
        made = {"seat_number": number, "since": table.now, "waits_until": table.now + DAY, **values}
        return session.scalars(insert(Offer).values(game_id=table.game, **made).returning(Offer.id)).one()


def vote(table: Table, kind: str, status: str) -> int:
    with table.office.write() as session:
        queries.locked(session, table.game)
        made = {"kind": kind, "asked_by": 0, "version": 0, "status": status, "asked_at": table.now, "proposal": {}}
        return session.scalars(insert(Vote).values(game_id=table.game, **made).returning(Vote.id)).one()


def outcomes(table: Table) -> list[str]:
    return table.rows(select(Vote.status).order_by(Vote.id))


def company(table: Table, number: int | None = None, account: int | None = None) -> Company:
    return members.company(table.office, table.game, number, account, table.now)


# who sees what ------------------------------------------------------------------------------------------------


def test_the_host_sees_the_link_for_spectators_and_nobody_else_does(table: Table) -> None:
    table.open()
    for started in (False, True):
        if started:
            for number in range(1, 4):
                table.answer(number)
        table.change(watch_key="")
        assert company(table, account=table.host).watch == ""
        table.change(watch_key="key")
        seen = company(table, account=table.host)
        assert (seen.host, seen.watch) == (True, table.office.addresses.watch(table.game, "key"))
        for account in (2, None):
            assert (company(table, account=account).host, company(table, account=account).watch) == (False, "")
    table.change(host_id=None)
    assert not company(table, account=None).host


def test_nothing_is_open_before_the_start_and_in_a_game_that_was_played_elsewhere(dealt: Table) -> None:
    vote(dealt, "end", "open")
    assert len(company(dealt).votes) == 1
    dealt.change(imported={})
    assert company(dealt).votes == ()
    dealt.change(imported=None, started_at=None)
    assert company(dealt).votes == ()


def test_who_has_not_answered_for_seven_days_can_be_removed_from_that_second_on(dealt: Table) -> None:
    dealt.play()
    dealt.put(update(Move).where(Move.number == 1).values(cause="deadline"))
    number = next(seat.number for seat in dealt.view().seats if seat.seat == dealt.view().log[-1].seat)
    since = dealt.now
    dealt.later(days=7, seconds=-1)
    assert (company(dealt).absent, company(dealt).removable) == (((number, since),), ())
    dealt.later(seconds=1)
    assert company(dealt).removable == (number,)
    free(dealt, number)
    assert (company(dealt).absent, company(dealt).removable) == ((), ())
    dealt.change(status="stopping")
    assert company(dealt).absent == ()


def test_while_a_game_is_about_to_end_the_vote_that_ends_it_is_shown_alone(dealt: Table) -> None:
    vote(dealt, "end", "passed")
    dealt.start()
    vote(dealt, "end", "refused")
    vote(dealt, "pause", "passed")
    vote(dealt, "end", "passed")
    shown = vote(dealt, "end", "passed")
    assert company(dealt).votes == ()
    dealt.change(status="stopping")
    assert [seen.id for seen in company(dealt).votes] == [shown]


def test_offers_of_this_game_are_shown_while_they_are_open_oldest_first(dealt: Table) -> None:
    offer(dealt)
    dealt.start()
    first, second = offer(dealt, 1), offer(dealt, 2)
    offer(dealt, 3, closed_at=dealt.now)
    assert [seen.id for seen in company(dealt).offers] == [first, second]
    view = company(dealt).offers[0]
    seat = dealt.view().seats[1]
    assert (view.number, view.seat, view.name, view.turn, view.since, view.until, view.turn_time) == (
        1, seat.seat, seat.name, 1, dealt.now, dealt.now + DAY, timedelta(hours=72),
    )  # fmt: skip


def test_a_game_that_was_opened_again_is_linked_unless_it_was_cancelled(table: Table) -> None:
    again = table.start().id
    table.start()
    first, table.game = table.game, again
    table.change(rematch_of=first)
    table.game = first
    table.change(status="over")
    assert company(table).rematch == again
    assert members.company(table.office, again, None, None, table.now).rematch == ""
    table.game = again
    table.change(status="cancelled")
    table.game = first
    assert company(table).rematch == ""


# free seats ---------------------------------------------------------------------------------------------------


def test_free_seats_are_those_of_listed_games_that_run_longest_waiting_first(dealt: Table) -> None:
    later = offer(dealt, 1, since=dealt.now)
    earlier = offer(dealt, 2, since=dealt.now - SECOND)
    offer(dealt, 3, closed_at=dealt.now)
    for values in ({"unlisted": True}, {"status": "stopping"}, {"status": "over"}):
        dealt.start()
        offer(dealt)
        dealt.change(**values)
    assert [seen.id for seen in members.free_seats(dealt.office, None)] == [earlier, later]
    assert [seen.id for seen in members.free_seats(dealt.office, 99)] == [earlier, later]
    assert members.free_seats(dealt.office, 2) == ()


def test_twenty_free_seats_are_listed(dealt: Table) -> None:
    for _ in range(21):
        offer(dealt)
    assert len(members.free_seats(dealt.office, None)) == 20


def test_a_link_to_a_free_seat_says_whether_it_still_is(dealt: Table) -> None:
    number = offer(dealt)
    assert members.offer_of(dealt.office, OfferClaim(number, 1))[1]
    dealt.change(status="over")
    assert not members.offer_of(dealt.office, OfferClaim(number, 1))[1]
    dealt.change(status="running")
    closed = offer(dealt, 2, closed_at=dealt.now)
    assert not members.offer_of(dealt.office, OfferClaim(closed, 1))[1]
    for nothing in (99, 2**70):
        with pytest.raises(NoSuch):
            members.offer_of(dealt.office, OfferClaim(nothing, 1))


def test_only_players_of_a_game_that_is_over_here_start_it_again(dealt: Table) -> None:
    with pytest.raises(NotNow, match="not over"):
        members.rematch(dealt.office, dealt.game, dealt.host, dealt.now)
    dealt.change(status="over", imported={})
    with pytest.raises(NotNow, match="not over"):
        members.rematch(dealt.office, dealt.game, dealt.host, dealt.now)
    dealt.change(imported=None, options={}, grace_seconds=60, unlisted=True, planning=True)
    with pytest.raises(NotNow, match="Only players"):
        members.rematch(dealt.office, dealt.game, 99, dealt.now)
    free(dealt, 3)
    first = dealt.game
    again = members.rematch(dealt.office, first, 2, dealt.now)
    dealt.game = again
    assert (dealt.row().grace_seconds, dealt.row().unlisted, dealt.row().planning, dealt.row().host_id) == (
        60,
        True,
        True,
        2,
    )
    assert [seat.name for seat in dealt.view().seats] == ["Ben", "Ana", "Chloé"]
    assert members.rematch(dealt.office, first, 3, dealt.now) == again
    dealt.change(status="cancelled")
    assert members.rematch(dealt.office, first, 3, dealt.now) != again


def test_who_no_longer_plays_together_opens_no_game_again_but_finds_the_one_that_is_open(dealt: Table) -> None:
    dealt.change(status="over")
    first = dealt.game
    blocks.block(dealt.office, 2, first, 2, dealt.now)
    with pytest.raises(NotNow, match="no longer play together"):
        members.rematch(dealt.office, first, dealt.host, dealt.now)
    blocks.unblock(dealt.office, 2, 3)
    again = members.rematch(dealt.office, first, dealt.host, dealt.now)
    blocks.block(dealt.office, 2, first, 2, dealt.now)
    assert members.rematch(dealt.office, first, dealt.host, dealt.now) == again


# ends by vote -------------------------------------------------------------------------------------------------


def halted(table: Table) -> None:
    """A game that was voted to end a moment ago, after ten hours of a question."""
    table.start(turn_time=3 * DAY)
    table.later(hours=10)
    with table.office.game(table.game, table.now) as work:
        ending.stop(work)


def test_only_active_players_of_a_running_game_ask_to_end_it(dealt: Table) -> None:
    free(dealt, 1)
    with pytest.raises(NotNow, match="active players"):
        votes.ask(dealt.office, dealt.game, 1, EndingEarly(), dealt.now)
    dealt.change(status="stopping")
    with pytest.raises(NotNow, match="running game"):
        votes.ask(dealt.office, dealt.game, 0, EndingEarly(), dealt.now)


def test_who_is_alone_ends_the_game_by_asking(dealt: Table) -> None:
    free(dealt, 1, 2, 3)
    votes.ask(dealt.office, dealt.game, 0, EndingEarly(), dealt.later(hours=1))
    assert outcomes(dealt) == ["passed"]
    assert dealt.only(select(Vote.closed_at)) == dealt.now
    assert (dealt.row().status, dealt.row().stops_at) == ("stopping", dealt.now + DAY)
    assert [letter.account_id for letter in dealt.letters("game-ending")] == [1]


def test_a_game_is_over_a_day_after_it_was_voted_to_end_and_not_a_second_before(table: Table) -> None:
    halted(table)
    assert not ending.finish(table.office, table.game, table.now + DAY - SECOND)
    assert table.row().status == "stopping"
    assert ending.finish(table.office, table.game, table.now + DAY)
    assert not ending.finish(table.office, table.game, table.now + DAY)
    assert kinds(table).count("ended") == 1


@pytest.mark.parametrize("values", [{"status": "running"}, {"stops_at": None}])
def test_a_game_that_is_not_to_end_is_not_ended(table: Table, values: dict[str, object]) -> None:
    halted(table)
    table.change(**values)
    assert not ending.finish(table.office, table.game, table.now + 2 * DAY)


def test_what_had_run_of_the_question_when_the_game_was_to_end_has_run_when_it_goes_on(table: Table) -> None:
    halted(table)
    assert (table.row().spent_seconds, table.row().counted_from, table.row().deadline_at) == (36_000, None, None)
    table.later(hours=20)
    with table.office.game(table.game, table.now) as work:
        ending.go_on(work)
    assert (table.row().counted_from, table.row().stops_at) == (table.now, None)
    assert table.row().deadline_at == table.now + 62 * HOUR
    assert table.letters("your-turn")[-1].version == 0
    assert len(table.letters("your-turn")) == 2


def test_a_standing_order_that_waited_is_played_by_the_clock_when_the_game_goes_on(table: Table) -> None:
    halted(table)
    table.change(standing_order_at=table.now - HOUR)
    with table.office.game(table.game, table.later(hours=2)) as work:
        ending.go_on(work)
    assert table.row().standing_order_at == table.now
    assert len(table.letters("your-turn")) == 1


def test_a_game_without_a_question_is_halted_with_no_time_run(dealt: Table) -> None:
    dealt.change(to_act="", spent_seconds=5)
    with dealt.office.game(dealt.game, dealt.later(hours=1)) as work:
        ending.stop(work)
    assert dealt.row().spent_seconds == 0


def test_a_game_that_is_closed_leaves_nothing_open_of_its_own_and_all_of_others(dealt: Table) -> None:
    other_offer, _ = offer(dealt), vote(dealt, "end", "open")
    dealt.start()
    mine, closed = offer(dealt), offer(dealt, 2, closed_at=dealt.now - HOUR)
    vote(dealt, "pause", "open")
    vote(dealt, "end", "refused")
    free(dealt, 3)
    with dealt.office.game(dealt.game, dealt.now) as work:
        work.game.standing_order_at = work.game.stops_at = work.game.grace_until = dealt.now
        ending.close(work)
    ends = {found.id: found.closed_at for found in dealt.rows(select(Offer))}
    assert ends == {other_offer: None, mine: dealt.now, closed: dealt.now - HOUR}
    assert outcomes(dealt) == ["open", "lapsed", "refused"]
    assert [letter.seat_number for letter in dealt.letters("game-over")] == [0, 1, 2]
    game = dealt.row()
    assert (game.status, game.ended_at, game.to_act, game.ended_early) == ("over", dealt.now, "", True)
    assert (game.standing_order_at, game.stops_at, game.grace_until, game.deadline_at) == (None, None, None, None)
    assert (game.remind_at, game.waiting_since, game.counted_from, game.spent_seconds) == (None, None, None, 0)
