"""From a mail to a mail: a game is opened, accepted, dealt and played on."""

from __future__ import annotations

import hashlib
from urllib.parse import quote_plus

import pytest

from pbem.service import NotNow
from pbem.service.games import opening
from pbem.service.letters import outbox
from tests.table import Table


def test_everybody_but_the_host_is_invited(table: Table) -> None:
    table.open()
    assert [table.read(row).envelope.name for row in table.letters("invitation")] == ["Ben", "Chloé", "Davi"]
    assert [seat.status for seat in table.view().seats] == ["accepted", "invited", "invited", "invited"]
    assert table.view().state is None


@pytest.mark.postgresql
def test_the_last_acceptance_deals_the_game(table: Table) -> None:
    view = table.start()
    assert (view.status, view.version, len(view.log)) == ("running", 0, 1)
    assert sorted(seat.seat for seat in view.seats) == sorted(view.sheet.colours[:4])
    assert view.log[0].cause == "start"
    assert len(table.letters("game-started")) == 4


def test_the_first_question_goes_to_the_seat_that_is_asked(table: Table) -> None:
    view = table.start()
    (row,) = table.letters("your-turn")
    letter = table.read(row)
    assert letter.seat == view.waiting_for
    assert letter.envelope.name == view.names[view.waiting_for]
    assert letter.asked is not None
    assert letter.asked.question == view.sheet.question(view.state)
    order = letter.asked.question.choices[0].order
    (address,) = (link.url for link in letter.asked.links(letter.asked.question.choices[:1]))
    assert address == f"{letter.links.turn}?order={quote_plus(order)}"
    assert letter.links.turn.startswith("https://play.example.org/t/")


@pytest.mark.postgresql
def test_an_order_is_played_with_events_letters_and_a_new_deadline(table: Table) -> None:
    first = table.start()
    table.later(hours=5)
    done = table.play()
    view = table.view()
    assert (done.status, done.move) == ("played", 1)
    assert done.events == view.log[1].events
    assert (view.version, view.log[1].seat, view.log[1].cause) == (1, first.waiting_for, "player")
    assert view.deadline == table.now + view.turn_time
    assert [row.version for row in table.letters("your-turn")] == [0, 1]


def test_every_position_of_the_game_can_be_looked_at(table: Table) -> None:
    table.start()
    table.play_on(3)
    latest = table.view()
    for number in range(4):
        view = table.view(number)
        assert (view.version, view.latest, len(view.log)) == (number, 3, number + 1)
    assert latest.sheet.position(table.view(3).state) == latest.sheet.position(latest.state)


def test_the_commitment_is_public_and_the_seed_is_not(table: Table) -> None:
    view = table.start()
    assert view.commitment == hashlib.sha256(b"seed of the tests").hexdigest()
    assert view.seed == ""


@pytest.mark.postgresql
def test_who_declines_stops_the_start_and_the_host_is_told(table: Table) -> None:
    table.open()
    table.answer(1, accept=False)
    table.answer(2)
    table.answer(3)
    assert table.view().status == "open"
    (row,) = table.letters("declined")
    assert (table.read(row).envelope.name, table.read(row).own.name) == ("Ana", "Ben")


def test_who_declined_may_think_again_while_the_game_is_open(table: Table) -> None:
    table.open()
    table.answer(1, accept=False)
    for number in (1, 2, 3):
        table.answer(number)
    assert table.view().status == "running"


def test_the_same_answer_twice_has_the_effect_of_once(table: Table) -> None:
    table.start()
    table.answer(1)
    assert len(table.letters("game-started")) == 4
    with pytest.raises(NotNow, match="started"):
        table.answer(1, accept=False)


@pytest.mark.postgresql
def test_the_host_can_cancel_before_the_start_and_the_others_are_told(table: Table) -> None:
    table.open()
    table.answer(2, accept=False)
    opening.cancel(table.office, table.game, table.host, table.now)
    assert table.view().status == "cancelled"
    assert [table.read(row).envelope.name for row in table.letters("cancelled")] == ["Ben", "Davi"]
    with pytest.raises(NotNow, match="cancelled"):
        table.answer(1)
    invitation = table.letters("invitation")[0]
    assert not outbox.claim(table.office, invitation.id, table.now)


def test_only_the_host_can_cancel_and_only_before_the_start(table: Table) -> None:
    table.open()
    with pytest.raises(NotNow, match="Only the host"):
        opening.cancel(table.office, table.game, table.host + 1, table.now)
    for number in (1, 2, 3):
        table.answer(number)
    with pytest.raises(NotNow, match="has started"):
        opening.cancel(table.office, table.game, table.host, table.now)


@pytest.mark.postgresql
def test_a_whole_game_ends_with_a_letter_to_everybody_and_the_seed(table: Table) -> None:
    table.start()
    view = table.play_on(1000)
    assert view.status == "over"
    assert bytes.fromhex(view.seed) == b"seed of the tests"
    assert view.deadline is None
    assert [standing.place for standing in view.standings]
    over = table.letters("game-over")
    assert [table.read(row).envelope.name for row in over] == ["Ana", "Ben", "Chloé", "Davi"]
    assert table.read(over[0]).own.record == f"https://play.example.org/games/{view.id}/record.json"
