"""Seats that change hands: leaving, joining, and substitutes."""

from __future__ import annotations

from datetime import timedelta

import pytest

from pbem.service import BadInput, NoSuch, NotNow
from pbem.service.archive import records
from pbem.service.base import queries
from pbem.service.base.tokens import BadToken, OfferClaim, SeatClaim
from pbem.service.games import members, seat_changes
from pbem.service.people import accounts
from pbem.service.turns import standing_orders
from tests.service.actors import account_of, kinds, name_of, not_asked, number_asked, offer, resign, take
from tests.table import Table
from workers import clock


@pytest.mark.postgresql
def test_who_resigns_is_asked_no_more_and_the_seat_is_offered(table: Table) -> None:
    table.start()
    number = number_asked(table)
    left = name_of(table, number)
    table.send_all()
    resign(table, number)
    assert table.view().seats[number].status == "vacant"
    assert [found.name for found in members.free_seats(table.office, None)] == [left]
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


@pytest.mark.postgresql
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


def test_a_substitute_finds_no_standing_orders_of_somebody_else(table: Table) -> None:
    table.start()
    number = not_asked(table)
    colour = table.view().seats[number].seat
    table.play("issue 1\nbid max 3", seat=colour, version=None)
    assert standing_orders.of_seat(table.office, table.game, colour)
    resign(table, number)
    take(table)
    assert standing_orders.of_seat(table.office, table.game, colour) == ()


@pytest.mark.postgresql
def test_a_seat_is_taken_once_and_by_nobody_who_plays(table: Table) -> None:
    table.start()
    number = not_asked(table)
    resign(table, number)
    found = offer(table)
    someone = next(seat.number for seat in table.view().seats if seat.status == "accepted")
    with table.office.read() as session:
        playing = queries.numbered(session, table.game, someone).account_id
    with pytest.raises(NotNow, match="already have a seat in this game"):
        seat_changes.take(table.office, found, playing or 0, table.now)
    take(table)
    with pytest.raises(NotNow, match="no longer free"):
        seat_changes.take(table.office, found, account_of(table, "Gil"), table.now)
    with pytest.raises(NoSuch):
        seat_changes.take(table.office, 2**40, account_of(table, "Gil"), table.now)
    _, free = members.offer_of(table.office, OfferClaim(found, 0))
    assert not free


def test_a_name_that_is_taken_gets_a_number(table: Table) -> None:
    table.start()
    number = not_asked(table)
    resign(table, number)
    with table.office.write() as session:
        other = accounts.account(session, "another.ana@example.org", "Ana", table.now).id
        names = {seat.name for seat in queries.seats(session, table.game)}
    seat_changes.take(table.office, offer(table), other, table.now)
    assert name_of(table, number) == ("Ana 2" if "Ana" in names - {name_of(table, number)} else "Ana")


@pytest.mark.postgresql
def test_who_wants_to_hear_of_free_seats_gets_a_letter_and_the_host_the_link(table: Table) -> None:
    fay = account_of(table, "Fay")
    members.want_seats(table.office, fay, True)
    assert members.wants_seats(table.office, fay)
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
def test_a_player_asks_somebody_by_mail_and_strangers_cannot(table: Table) -> None:
    table.start()
    number = next(seat.number for seat in table.view().seats if not seat.host)
    resign(table, number)
    seat_changes.ask_somebody(table.office, table.game, table.host, number, "gil@example.org", table.now)
    assert [letter.kind for letter in table.letters() if letter.account_id == account_of(table, "Gil")] == [
        "substitute-wanted"
    ]
    with pytest.raises(NotNow, match="Only players of this game"):
        seat_changes.ask_somebody(
            table.office, table.game, account_of(table, "Gil"), number, "hal@example.org", table.now
        )
    with pytest.raises(BadInput, match="not an email address"):
        seat_changes.ask_somebody(table.office, table.game, table.host, number, "nonsense", table.now)
    with pytest.raises(NotNow, match="not free"):
        seat_changes.ask_somebody(table.office, table.game, table.host, 0, "hal@example.org", table.now)


@pytest.mark.postgresql
def test_a_host_who_leaves_is_followed_by_another(table: Table) -> None:
    table.start()
    resign(table, 0)
    hosts = [seat.number for seat in table.view().seats if seat.host]
    assert hosts == [1]
    assert "hosts" in kinds(table)


def test_a_host_hands_over_and_only_the_host_does(table: Table) -> None:
    table.start()
    seat_changes.hand_over(table.office, table.game, table.host, 2, table.now)
    assert [seat.number for seat in table.view().seats if seat.host] == [2]
    with pytest.raises(NotNow, match="Only the host"):
        seat_changes.hand_over(table.office, table.game, table.host, 1, table.now)


@pytest.mark.postgresql
def test_when_the_last_one_leaves_the_game_is_over(table: Table) -> None:
    table.start()
    for number in range(4):
        resign(table, number)
    view = table.view()
    assert (view.status, view.ended_early) == ("over", True)
    assert kinds(table)[-1] == "deserted"
    assert members.free_seats(table.office, None) == ()
