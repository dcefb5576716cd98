"""Seats change hands, games end early and begin again, and everything people do is noted."""

from __future__ import annotations

import json
from datetime import timedelta

import pytest
from sqlalchemy import select

from pbem.engine.record import read_record, verify
from pbem.service import (
    BadInput,
    NoSuch,
    NotNow,
    accounts,
    ahead,
    blocks,
    deeds,
    ending,
    people,
    records,
    rows,
    seating,
    takeback,
    times,
    votes,
    watching,
)
from pbem.service.tokens import BadToken, OfferClaim, SeatClaim, WatchClaim
from pbem.store.people import Block, Offer
from pbem.store.tables import Game, Seat
from tests.service.table import Table
from workers import clock


def account_of(table: Table, name: str) -> int:
    """The account of somebody, new or not."""
    with table.office.write() as (session, _):
        return accounts.account(session, f"{name.casefold()}@example.org", name, table.now).id


def number_asked(table: Table) -> int:
    view = table.view()
    return next(seat.number for seat in view.seats if seat.seat == view.waiting_for)


def not_asked(table: Table) -> int:
    view = table.view()
    return next(seat.number for seat in view.seats if seat.seat != view.waiting_for)


def offer(table: Table) -> int:
    """The one seat that is free."""
    with table.office.read() as session:
        return session.scalars(select(Offer.id).where(Offer.closed_at.is_(None))).one()


def kinds(table: Table) -> list[str]:
    return [deed.kind for deed in deeds.of_game(table.office, table.game)]


def name_of(table: Table, number: int) -> str:
    return table.view().seats[number].name


def resign(table: Table, number: int) -> None:
    seating.resign(table.office, table.game, number, table.now)


def take(table: Table, name: str = "Fay") -> int:
    account = account_of(table, name)
    assert seating.take(table.office, offer(table), account, table.now) == table.game
    return account


def vanish(table: Table, days: int = 8) -> int:
    """Somebody does not answer, and the rest goes on for some days; returns the seat."""
    number = number_asked(table)
    colour = table.view().seats[number].seat
    until = table.now + timedelta(days=days + 3)
    while table.now < until:
        if table.view().waiting_for == colour:
            table.now = max(table.now, table.view().deadline or table.now)
            assert times.deadline(table.office, table.game, table.now)
        else:
            table.play()
            table.later(hours=6)
    return number


# leaving and joining ------------------------------------------------------------------------------------


def test_who_resigns_is_asked_no_more_and_the_seat_is_offered(table: Table) -> None:
    table.start()
    number = number_asked(table)
    left = name_of(table, number)
    table.send_all()
    resign(table, number)
    assert table.view().seats[number].status == "vacant"
    assert [found.name for found in people.free_seats(table.office, None)] == [left]
    out = table.send_all()
    assert out.count("resigned") == 3
    assert "your-turn" not in out
    assert kinds(table)[-2:] == ["resigned", "hosts"] or kinds(table)[-1] == "resigned"


def test_a_seat_that_nobody_has_is_played_by_the_caretaker(table: Table) -> None:
    table.start()
    resign(table, number_asked(table))
    assert table.view().deadline is not None
    assert (table.view().deadline or table.now) <= table.now + timedelta(hours=1)
    version = table.view().version
    clock.tick(table.office, table.later(hours=1))
    assert table.view().version == version + 1
    assert table.view().log[-1].cause == "caretaker"


def test_whoever_takes_the_seat_is_asked_and_the_game_keeps_both_names(table: Table) -> None:
    table.start()
    number = number_asked(table)
    left = name_of(table, number)
    resign(table, number)
    table.send_all()
    fay = take(table)
    assert (name_of(table, number), table.view().seats[number].status) == ("Fay", "accepted")
    assert table.view().deadline == table.now + table.view().turn_time
    assert [letter.kind for letter in table.letters() if letter.account_id == fay] == ["seat-taken", "your-turn"]
    assert table.play().status == "played"
    record = records.export(table.office, table.game)
    colour = table.view().seats[number].seat
    assert record["substitutes"] == [{"player": colour, "from": left, "to": "Fay", "entry": 0}]
    assert record["names"][colour] == "Fay"
    assert [entry["player"] for entry in record["turns"]] == [colour]


def test_links_of_who_has_left_are_void(table: Table) -> None:
    table.start()
    number, version = number_asked(table), table.view().version
    colour = table.view().waiting_for
    accounts.log_in_seat(table.office, SeatClaim(table.game, number), table.now)
    resign(table, number)
    take(table)
    with pytest.raises(BadToken):
        accounts.log_in_seat(table.office, SeatClaim(table.game, number), table.now)
    assert table.play("issue 0", seat=colour, version=version).status == "refused"
    holder = table.view().seats[number].holder
    assert accounts.log_in_seat(table.office, SeatClaim(table.game, number, holder), table.now)


def test_a_substitute_finds_no_orders_ahead_of_somebody_else(table: Table) -> None:
    table.start()
    number = not_asked(table)
    colour = table.view().seats[number].seat
    table.play("issue 1\nbid max 3", seat=colour, version=None)
    assert ahead.of_seat(table.office, table.game, colour)
    resign(table, number)
    take(table)
    assert ahead.of_seat(table.office, table.game, colour) == ()


def test_a_seat_is_taken_once_and_by_nobody_who_plays(table: Table) -> None:
    table.start()
    number = not_asked(table)
    resign(table, number)
    found = offer(table)
    someone = next(seat.number for seat in table.view().seats if seat.status == "accepted")
    with table.office.read() as session:
        playing = rows.numbered(session, table.game, someone).account_id
    with pytest.raises(NotNow, match="a seat in this game already"):
        seating.take(table.office, found, playing or 0, table.now)
    take(table)
    with pytest.raises(NotNow, match="not free any more"):
        seating.take(table.office, found, account_of(table, "Gil"), table.now)
    with pytest.raises(NoSuch):
        seating.take(table.office, 2**40, account_of(table, "Gil"), table.now)
    _, free = people.offer_of(table.office, OfferClaim(found, 0))
    assert not free


def test_a_name_that_is_taken_gets_a_number(table: Table) -> None:
    table.start()
    number = not_asked(table)
    resign(table, number)
    with table.office.write() as (session, _):
        other = accounts.account(session, "another.ana@example.org", "Ana", table.now).id
        names = {seat.name for seat in rows.seats(session, table.game)}
    seating.take(table.office, offer(table), other, table.now)
    assert name_of(table, number) == ("Ana 2" if "Ana" in names - {name_of(table, number)} else "Ana")


def test_who_wants_to_hear_of_free_seats_gets_a_letter_and_the_host_the_link(table: Table) -> None:
    fay = account_of(table, "Fay")
    people.want_seats(table.office, fay, True)
    assert people.wants_seats(table.office, fay)
    table.start()
    resign(table, next(seat.number for seat in table.view().seats if not seat.host))
    wanted = table.letters("substitute-wanted")
    assert sorted(letter.account_id for letter in wanted) == sorted([table.host, fay])
    read = {letter.account_id: table.read(letter) for letter in wanted}
    assert read[table.host].how == "host"
    assert read[fay].links.take != read[table.host].links.take
    take(table)
    assert "substitute-wanted" not in table.send_all()


def test_a_player_asks_somebody_by_mail_and_strangers_cannot(table: Table) -> None:
    table.start()
    number = next(seat.number for seat in table.view().seats if not seat.host)
    resign(table, number)
    seating.ask_somebody(table.office, table.game, table.host, number, "gil@example.org", table.now)
    assert [letter.kind for letter in table.letters() if letter.account_id == account_of(table, "Gil")] == [
        "substitute-wanted"
    ]
    with pytest.raises(NotNow, match="Only those who play"):
        seating.ask_somebody(table.office, table.game, account_of(table, "Gil"), number, "hal@example.org", table.now)
    with pytest.raises(BadInput, match="not a mail address"):
        seating.ask_somebody(table.office, table.game, table.host, number, "nonsense", table.now)
    with pytest.raises(NotNow, match="not free"):
        seating.ask_somebody(table.office, table.game, table.host, 0, "hal@example.org", table.now)


def test_a_host_who_leaves_is_followed_by_another(table: Table) -> None:
    table.start()
    resign(table, 0)
    hosts = [seat.number for seat in table.view().seats if seat.host]
    assert hosts == [1]
    assert "hosts" in kinds(table)


def test_a_host_hands_over_and_only_the_host_does(table: Table) -> None:
    table.start()
    seating.hand_over(table.office, table.game, table.host, 2, table.now)
    assert [seat.number for seat in table.view().seats if seat.host] == [2]
    with pytest.raises(NotNow, match="Only the host"):
        seating.hand_over(table.office, table.game, table.host, 1, table.now)


def test_when_the_last_one_leaves_the_game_is_over(table: Table) -> None:
    table.start()
    for number in range(4):
        resign(table, number)
    view = table.view()
    assert (view.status, view.ended_early) == ("over", True)
    assert kinds(table)[-1] == "deserted"
    assert people.free_seats(table.office, None) == ()


# those who have vanished --------------------------------------------------------------------------------


def test_the_host_removes_who_has_not_answered_for_a_week_and_nobody_sooner(table: Table) -> None:
    table.start()
    number = number_asked(table)
    for _ in range(2):
        with pytest.raises(NotNow, match="missing for 7 days"):
            seating.remove(table.office, table.game, table.host, number, table.now)
        table.later(days=3)
        times.deadline(table.office, table.game, table.now)
    number = vanish(table)
    former = account_of(table, name_of(table, number).replace("é", "e"))
    seen = people.company(table.office, table.game, None, table.host, table.now)
    assert number in seen.removable
    with pytest.raises(NotNow, match="Only the host"):
        seating.remove(table.office, table.game, account_of(table, "Gil"), number, table.now)
    seating.remove(table.office, table.game, table.host, number, table.now)
    assert table.view().seats[number].status == "vacant"
    if former != table.host:
        assert [letter.kind for letter in table.letters("removed")] == ["removed"]


def test_the_others_vote_somebody_out_by_more_than_half(table: Table) -> None:
    table.start()
    number = vanish(table)
    others = [seat.number for seat in table.view().seats if seat.number != number]
    vote = seating.ask_remove(table.office, table.game, others[0], number, table.now)
    with pytest.raises(NotNow, match="for others"):
        votes.answer(table.office, table.game, vote, number, False, table.now)
    votes.answer(table.office, table.game, vote, others[1], True, table.now)
    assert table.view().seats[number].status == "vacant"
    assert kinds(table)[-1] in ("voted-out", "hosts")


def test_who_answers_again_cannot_be_removed(table: Table) -> None:
    table.start()
    number = vanish(table)
    colour = table.view().seats[number].seat
    while table.view().waiting_for != colour:
        table.play()
    table.play()
    with pytest.raises(NotNow, match="missing for 7 days"):
        seating.remove(table.office, table.game, table.host, number, table.now)


def test_a_seat_offered_at_the_deadline_is_kept_until_somebody_comes(table: Table) -> None:
    table.start(at_zero="substitute")
    number = number_asked(table)
    colour = table.view().seats[number].seat
    table.later(days=3, minutes=1)
    clock.tick(table.office, table.now)
    assert table.view().waiting_for == colour
    assert people.free_seats(table.office, None)
    assert table.play().status == "played"
    assert people.free_seats(table.office, None) == ()


def test_a_substitute_replaces_who_did_not_answer_in_time(table: Table) -> None:
    table.start(at_zero="substitute")
    number = number_asked(table)
    table.later(days=3, minutes=1)
    clock.tick(table.office, table.now)
    take(table)
    assert name_of(table, number) == "Fay"
    assert [table.read(letter).how for letter in table.letters("removed")] == ["replaced"]
    assert table.view().waiting_for == table.view().seats[number].seat


# ending early -------------------------------------------------------------------------------------------


def end(table: Table) -> int:
    return ending.ask_end(table.office, table.game, 0, table.now)


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


def test_a_vote_that_was_refused_is_not_repeated_at_once(table: Table) -> None:
    table.start()
    vote = end(table)
    with pytest.raises(NotNow, match="asked already"):
        end(table)
    for number in (1, 2):
        votes.answer(table.office, table.game, vote, number, False, table.now)
    with pytest.raises(NotNow, match="three days later"):
        end(table)
    table.later(days=3)
    assert end(table) != vote


def test_a_vote_dies_after_two_weeks(table: Table) -> None:
    table.start(turn_time=timedelta(days=30))
    vote = end(table)
    table.later(days=14)
    with pytest.raises(NotNow, match="nothing is left to decide"):
        votes.answer(table.office, table.game, vote, 1, True, table.now)


# blocking, watching, once more --------------------------------------------------------------------------


def test_people_who_block_each_other_are_in_no_new_game(table: Table) -> None:
    table.start()
    blocks.block(table.office, table.host, table.game, 1, table.now)
    assert [found.name for found in blocks.blocked(table.office, table.host)] == ["Ben"]
    with pytest.raises(BadInput, match=r"ben@example\.org cannot be invited"):
        table.open()
    ben = account_of(table, "Ben")
    blocks.unblock(table.office, table.host, ben)
    blocks.block(table.office, ben, table.game, 0, table.now)
    with pytest.raises(BadInput, match="cannot be invited"):
        table.open()
    with table.office.read() as session:
        assert len(session.scalars(select(Game)).all()) == 1


def test_two_guests_who_block_each_other_are_not_invited_together(table: Table) -> None:
    table.start()
    blocks.block(table.office, account_of(table, "Ben"), table.game, 3, table.now)
    with pytest.raises(BadInput, match=r"davi@example\.org cannot be invited"):
        table.open()


def test_nobody_takes_a_seat_beside_somebody_who_blocked_them(table: Table) -> None:
    table.start()
    resign(table, 1)
    ben = account_of(table, "Ben")
    with table.office.write() as (session, _):
        session.add(Block(account_id=table.host, blocked_id=ben, name="Ben", since=table.now))
    with pytest.raises(NotNow, match="cannot take this seat"):
        seating.take(table.office, offer(table), ben, table.now)


def test_blocking_needs_a_game_together(table: Table) -> None:
    table.start()
    with pytest.raises(NotNow, match="play or have played"):
        blocks.block(table.office, account_of(table, "Gil"), table.game, 0, table.now)
    with pytest.raises(NotNow, match="This is you"):
        blocks.block(table.office, table.host, table.game, 0, table.now)


def test_an_unlisted_game_is_for_its_people_and_for_those_with_the_link(table: Table) -> None:
    table.start(unlisted=True)
    gil = account_of(table, "Gil")
    assert watching.may_look(table.office, table.game, table.host)
    assert not watching.may_look(table.office, table.game, gil)
    assert not watching.may_look(table.office, table.game, None)
    address = watching.open_link(table.office, table.game, table.host, table.now)
    assert watching.open_link(table.office, table.game, table.host, table.now) == address
    claim = table.office.tokens.read_watch(address.rpartition("/")[2])
    assert watching.watched(table.office, claim) == table.game
    watching.close_link(table.office, table.game, table.host, table.now)
    with pytest.raises(BadToken):
        watching.watched(table.office, claim)
    with pytest.raises(BadToken):
        watching.watched(table.office, WatchClaim(table.game, ""))
    with pytest.raises(NotNow, match="Only the host"):
        watching.open_link(table.office, table.game, gil, table.now)
    resign(table, 1)
    assert people.free_seats(table.office, None) == ()
    assert kinds(table)[-3:] == ["watch-on", "watch-off", "resigned"]


def test_the_same_people_play_once_more_and_ask_for_it_only_once(table: Table) -> None:
    table.start(grace=timedelta(minutes=5))
    with pytest.raises(NotNow, match="not over"):
        people.rematch(table.office, table.game, table.host, table.now)
    table.play_on(1000)
    old = table.game
    ben = account_of(table, "Ben")
    again = people.rematch(table.office, old, ben, table.now)
    assert people.rematch(table.office, old, table.host, table.now) == again
    assert kinds(table)[-1] == "rematch"
    table.game = again
    view = table.view()
    assert (view.title, view.grace, view.seats[0].name) == ("Coal by post 2", timedelta(minutes=5), "Ben")
    assert {seat.name for seat in view.seats} == {"Ana", "Ben", "Chloé", "Davi"}
    with pytest.raises(NotNow, match="Only those who played"):
        people.rematch(table.office, old, account_of(table, "Gil"), table.now)


@pytest.mark.parametrize(
    ("title", "again"), [("Coal", "Coal 2"), ("Coal 2", "Coal 3"), ("Coal 99", "Coal 100"), ("x" * 80, "x" * 78 + " 2")]
)
def test_a_game_played_again_counts_in_its_title(title: str, again: str) -> None:
    assert people._again(title) == again


def test_a_finished_game_has_nothing_left_to_decide(table: Table) -> None:
    table.start()
    table.play_on(1000)
    with pytest.raises(NotNow, match="while the game runs"):
        resign(table, 0)
    with pytest.raises(NotNow, match="running game can be ended"):
        end(table)
    with pytest.raises(NotNow, match="does not run"):
        takeback.ask_consent(table.office, table.game, 0, table.now)
    with pytest.raises(NotNow, match="while the game runs"):
        seating.remove(table.office, table.game, table.host, 1, table.now)
    with table.office.read() as session:
        assert {seat.status for seat in session.scalars(select(Seat))} == {"accepted"}
