"""Seats that change hands: leaving, joining, substitutes, and players who have vanished."""

from datetime import timedelta

import pytest

from pbem.service import BadInput, NoSuch, NotNow
from pbem.service.archive import records
from pbem.service.base import queries
from pbem.service.base.tokens import BadToken, OfferClaim, SeatClaim
from pbem.service.games import departures, members, seat_changes, votes
from pbem.service.games.proposals.ending_early import EndingEarly
from pbem.service.games.proposals.removal import Removal
from pbem.service.orders import deadlines
from pbem.service.people import accounts
from pbem.service.turns import standing_orders
from tests.service.actors import kinds, name_of, not_asked, offer, resign, take, vanish
from tests.table import NAMES, Table
from workers import clock


@pytest.mark.postgresql
def test_who_resigns_is_asked_no_more_and_the_seat_is_offered(dealt: Table) -> None:
    number = dealt.number_asked()
    left = name_of(dealt, number)
    dealt.send_all()
    resign(dealt, number)
    assert dealt.view().seats[number].status == "vacant"
    assert [found.name for found in members.free_seats(dealt.office, None)] == [left]
    out = dealt.send_all()
    assert out.count("resigned") == 3
    assert "your-turn" not in out
    assert kinds(dealt)[-2:] == ["resigned", "hosts"] or kinds(dealt)[-1] == "resigned"


def test_a_seat_that_nobody_has_is_played_by_the_caretaker(dealt: Table) -> None:
    resign(dealt, dealt.number_asked())
    assert dealt.view().deadline is not None
    assert (dealt.view().deadline or dealt.now) <= dealt.now + timedelta(hours=1)
    version = dealt.view().version
    clock.tick(dealt.office, dealt.later(hours=1))
    assert dealt.view().version == version + 1
    assert dealt.view().log[-1].cause == "caretaker"


@pytest.mark.postgresql
def test_whoever_takes_the_seat_is_asked_and_the_game_keeps_both_names(dealt: Table) -> None:
    number = dealt.number_asked()
    left = name_of(dealt, number)
    resign(dealt, number)
    dealt.send_all()
    fay = take(dealt)
    assert (name_of(dealt, number), dealt.view().seats[number].status) == ("Fay", "accepted")
    assert dealt.view().deadline == dealt.now + dealt.view().turn_time
    assert [letter.kind for letter in dealt.letters() if letter.account_id == fay] == ["seat-taken", "your-turn"]
    assert dealt.play().status == "played"
    record = records.export(dealt.office, dealt.game)
    colour = dealt.view().seats[number].seat
    assert record["substitutes"] == [{"player": colour, "from": left, "to": "Fay", "entry": 0}]
    assert record["names"][colour] == "Fay"
    assert [entry["player"] for entry in record["turns"]] == [colour]


def test_links_of_who_has_left_are_void(dealt: Table) -> None:
    number, version = dealt.number_asked(), dealt.view().version
    colour = dealt.view().waiting_for
    accounts.log_in_seat(dealt.office, SeatClaim(dealt.game, number), dealt.now)
    resign(dealt, number)
    take(dealt)
    with pytest.raises(BadToken):
        accounts.log_in_seat(dealt.office, SeatClaim(dealt.game, number), dealt.now)
    assert dealt.play("issue 0", seat=colour, version=version).status == "refused"
    holder = dealt.view().seats[number].holder
    assert accounts.log_in_seat(dealt.office, SeatClaim(dealt.game, number, holder), dealt.now)


def test_a_substitute_finds_no_standing_orders_of_somebody_else(dealt: Table) -> None:
    number = not_asked(dealt)
    colour = dealt.view().seats[number].seat
    dealt.play("issue 1\nbid max 3", seat=colour, version=None)
    assert standing_orders.of_seat(dealt.office, dealt.game, colour)
    resign(dealt, number)
    take(dealt)
    assert standing_orders.of_seat(dealt.office, dealt.game, colour) == ()


@pytest.mark.postgresql
def test_a_seat_is_taken_once_and_by_nobody_who_plays(dealt: Table) -> None:
    number = not_asked(dealt)
    resign(dealt, number)
    found = offer(dealt)
    someone = next(seat.number for seat in dealt.view().seats if seat.status == "accepted")
    with dealt.office.read() as session:
        playing = queries.numbered(session, dealt.game, someone).account_id
    with pytest.raises(NotNow, match="already have a seat in this game"):
        seat_changes.take(dealt.office, found, playing or 0, dealt.now)
    take(dealt)
    with pytest.raises(NotNow, match="no longer free"):
        seat_changes.take(dealt.office, found, dealt.account("Gil"), dealt.now)
    with pytest.raises(NoSuch):
        seat_changes.take(dealt.office, 2**40, dealt.account("Gil"), dealt.now)
    _, free = members.offer_of(dealt.office, OfferClaim(found, 0))
    assert not free


def test_a_name_that_is_taken_gets_a_number(dealt: Table) -> None:
    number = not_asked(dealt)
    resign(dealt, number)
    with dealt.office.write() as session:
        other = accounts.account(session, "another.ana@example.org", "Ana", dealt.now).id
        names = {seat.name for seat in queries.seats(session, dealt.game)}
    seat_changes.take(dealt.office, offer(dealt), other, dealt.now)
    assert name_of(dealt, number) == ("Ana 2" if "Ana" in names - {name_of(dealt, number)} else "Ana")


@pytest.mark.postgresql
def test_who_wants_to_hear_of_free_seats_gets_a_letter_and_the_host_the_link(table: Table) -> None:
    fay = table.account("Fay")
    accounts.want(table.office, fay, "substitute", True)
    assert accounts.wants(table.office, fay, "substitute")
    table.start()
    resign(table, next(seat.number for seat in table.view().seats if not seat.host))
    wanted = table.letters("substitute-wanted")
    assert sorted(letter.account_id for letter in wanted) == sorted([table.host, fay])
    read = {letter.account_id: table.read(letter) for letter in wanted}
    assert read[table.host].own.to_host
    assert read[fay].own.take != read[table.host].own.take
    take(table)
    assert "substitute-wanted" not in table.send_all()


@pytest.mark.postgresql
def test_a_player_asks_somebody_by_mail_and_strangers_cannot(dealt: Table) -> None:
    number = next(seat.number for seat in dealt.view().seats if not seat.host)
    resign(dealt, number)
    seat_changes.ask_somebody(dealt.office, dealt.game, dealt.host, number, "gil@example.org", dealt.now)
    assert [letter.kind for letter in dealt.letters() if letter.account_id == dealt.account("Gil")] == [
        "substitute-wanted"
    ]
    with pytest.raises(NotNow, match="Only players of this game"):
        seat_changes.ask_somebody(dealt.office, dealt.game, dealt.account("Gil"), number, "hal@example.org", dealt.now)
    with pytest.raises(BadInput, match="not an email address"):
        seat_changes.ask_somebody(dealt.office, dealt.game, dealt.host, number, "nonsense", dealt.now)
    with pytest.raises(NotNow, match="not free"):
        seat_changes.ask_somebody(dealt.office, dealt.game, dealt.host, 0, "hal@example.org", dealt.now)


@pytest.mark.postgresql
def test_a_host_who_leaves_is_followed_by_another(dealt: Table) -> None:
    resign(dealt, 0)
    hosts = [seat.number for seat in dealt.view().seats if seat.host]
    assert hosts == [1]
    assert "hosts" in kinds(dealt)


def test_a_host_hands_over_and_only_the_host_does(dealt: Table) -> None:
    seat_changes.hand_over(dealt.office, dealt.game, dealt.host, 2, dealt.now)
    assert [seat.number for seat in dealt.view().seats if seat.host] == [2]
    with pytest.raises(NotNow, match="Only the host"):
        seat_changes.hand_over(dealt.office, dealt.game, dealt.host, 1, dealt.now)


@pytest.mark.postgresql
def test_when_the_last_one_leaves_the_game_is_over(dealt: Table) -> None:
    for number in range(4):
        resign(dealt, number)
    view = dealt.view()
    assert (view.status, view.ended_early) == ("over", True)
    assert kinds(dealt)[-1] == "deserted"
    assert members.free_seats(dealt.office, None) == ()


@pytest.mark.postgresql
def test_the_host_removes_who_has_not_answered_for_a_week_and_nobody_sooner(dealt: Table) -> None:
    number = dealt.number_asked()
    for _ in range(2):
        with pytest.raises(NotNow, match="after 7 days without"):
            departures.remove(dealt.office, dealt.game, dealt.host, number, dealt.now)
        dealt.later(days=3)
        deadlines.deadline(dealt.office, dealt.game, dealt.now)
    number = vanish(dealt)
    former = dealt.account(name_of(dealt, number).replace("é", "e"))
    seen = members.company(dealt.office, dealt.game, None, dealt.host, dealt.now)
    assert number in seen.removable
    with pytest.raises(NotNow, match="Only the host"):
        departures.remove(dealt.office, dealt.game, dealt.account("Gil"), number, dealt.now)
    departures.remove(dealt.office, dealt.game, dealt.host, number, dealt.now)
    assert dealt.view().seats[number].status == "vacant"
    if former != dealt.host:
        assert [letter.kind for letter in dealt.letters("removed")] == ["removed"]


@pytest.mark.postgresql
def test_the_others_vote_somebody_out_by_more_than_half(dealt: Table) -> None:
    number = vanish(dealt)
    others = [seat.number for seat in dealt.view().seats if seat.number != number]
    vote = votes.ask(dealt.office, dealt.game, others[0], Removal(number), dealt.now)
    with pytest.raises(NotNow, match="Only the other players"):
        votes.answer(dealt.office, dealt.game, vote, number, False, dealt.now)
    votes.answer(dealt.office, dealt.game, vote, others[1], True, dealt.now)
    assert dealt.view().seats[number].status == "vacant"
    assert kinds(dealt)[-1] in ("voted-out", "hosts")


def test_a_vote_about_somebody_who_is_back_is_dropped_when_another_leaves(dealt: Table) -> None:
    number = vanish(dealt)
    others = [seat.number for seat in dealt.view().seats if seat.number != number]
    vote = votes.ask(dealt.office, dealt.game, others[0], Removal(number), dealt.now)
    colour = dealt.view().seats[number].seat
    while dealt.asked().waiting_for != colour:
        dealt.play()
    dealt.play()
    for other in others[1:]:
        resign(dealt, other)
    assert dealt.view().seats[number].status == "accepted"
    with pytest.raises(NotNow, match="already been decided"):
        votes.answer(dealt.office, dealt.game, vote, others[0], True, dealt.now)


def test_a_vote_that_removes_somebody_lets_another_pass_that_still_can_be_thought_over(table: Table) -> None:
    """Five: one leaves, so the one who has vanished is removed, so two of three are enough to end the game."""
    table.start(names=(*NAMES, "Eva"))
    gone = vanish(table)
    a, b, _, d = (seat.number for seat in table.view().seats if seat.number != gone)
    remove = votes.ask(table.office, table.game, a, Removal(gone), table.now)
    end = votes.ask(table.office, table.game, a, EndingEarly(), table.now)
    for vote in (remove, end):
        votes.answer(table.office, table.game, vote, b, True, table.now)
    assert table.view().status == "running"
    resign(table, d)
    assert (table.view().seats[gone].status, table.view().status) == ("vacant", "stopping")
    votes.answer(table.office, table.game, end, b, False, table.now)
    assert table.view().status == "running"


@pytest.mark.postgresql
def test_a_game_whose_players_have_all_vanished_is_closed_after_four_weeks(table: Table) -> None:
    """Doing nothing ends no game of Steam Power: defaults would be played for ever."""
    table.start(game="steam-power", map="ireland", names=NAMES[:3], turn_time=timedelta(days=2))
    first = table.now + timedelta(days=2)
    while table.view().status == "running":
        assert table.now < first + timedelta(days=40)
        clock.tick(table.office, table.awake(days=2, minutes=1))
    assert table.now >= first + timedelta(days=28)
    assert table.view().ended_early
    assert kinds(table)[-1] == "forsaken"
    assert [letter.kind for letter in table.letters("game-over")] == ["game-over"] * 3


def test_a_game_in_which_one_still_answers_is_played_on(table: Table) -> None:
    table.start(game="steam-power", map="ireland", names=NAMES[:3], turn_time=timedelta(days=2))
    faithful, until = table.view().waiting_for, table.now + timedelta(days=60)
    while table.now < until:
        if table.view().waiting_for == faithful:
            table.play()
        clock.tick(table.office, table.awake(days=2, minutes=1))
    assert table.view().status == "running"


def test_a_seat_offered_at_the_deadline_is_kept_until_somebody_comes(table: Table) -> None:
    table.start(at_zero="substitute")
    number = table.number_asked()
    colour = table.view().seats[number].seat
    table.later(days=3, minutes=1)
    clock.tick(table.office, table.now)
    assert table.view().waiting_for == colour
    assert members.free_seats(table.office, None)
    assert table.play().status == "played"
    assert members.free_seats(table.office, None) == ()


@pytest.mark.postgresql
def test_a_substitute_replaces_who_did_not_answer_in_time(table: Table) -> None:
    table.start(at_zero="substitute")
    number = table.number_asked()
    table.later(days=3, minutes=1)
    clock.tick(table.office, table.now)
    take(table)
    assert name_of(table, number) == "Fay"
    assert [table.read(letter).own.how for letter in table.letters("removed")] == ["replaced"]
    assert table.view().waiting_for == table.view().seats[number].seat
