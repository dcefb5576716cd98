"""Which letters ask their reader something: those to the seat whose move it is, and no others."""

import pytest

from tests.table import Table


@pytest.fixture(autouse=True)
def game(dealt: Table) -> None:
    """A game that has begun, with nothing left to be sent."""
    dealt.send_all()


def test_a_question_goes_to_the_seat_that_is_asked_in_its_colour(table: Table) -> None:
    (row,) = table.letters("your-turn")
    said = table.read(row)
    assert said.asked is not None
    assert said.asked.question.seat == said.seat == table.view().waiting_for
    assert said.links.turn == said.asked.page("")


def test_a_letter_that_tells_what_was_played_asks_nothing(table: Table) -> None:
    table.play(via="mail")
    (row,) = table.letters("played")
    said = table.read(row)
    assert said.seat
    assert (said.asked, said.links.turn) == (None, "")


def test_a_letter_about_the_whole_game_asks_nothing_of_whom_it_reaches(table: Table) -> None:
    for row in table.letters("game-started"):
        said = table.read(row)
        assert said.asked is None
        assert said.links.turn == ""


def test_refused_orders_are_told_with_the_question_only_to_the_seat_that_is_asked(table: Table) -> None:
    asked = table.view().waiting_for
    other = next(seat.seat for seat in table.view().seats if seat.seat != asked)
    version = table.view().version
    table.play("issue 99", seat=asked, version=version, via="mail")
    table.play("issue 99", seat=other, version=version, via="mail")
    said = {letter.seat: letter for letter in map(table.read, table.letters("refused"))}
    assert set(said) == {asked, other}
    assert said[asked].asked is not None
    assert said[asked].links.turn
    assert (said[other].asked, said[other].links.turn) == (None, "")
