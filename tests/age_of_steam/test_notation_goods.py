"""How deliveries and Production are typed."""

from __future__ import annotations

from dataclasses import replace

import pytest

from maps.heavy_cardboard.rules import Lift
from pbem.age_of_steam.bends import ProduceAt
from pbem.age_of_steam.moves import Deliver, Loco, Origin, Pass, SameIncome
from pbem.engine.flow import ListNumber
from tests.age_of_steam.typed_orders import RUST_BELT, TYPED, bad, move, read


def test_alternatives_are_played_in_their_order() -> None:
    text = "move red L7 > H13 | move 2 | lift blue L7 > D | loco | pass same income"
    expected = (move("red", "L7", "H13"), ListNumber("move", 2), Lift("blue", "L7", "K12"), Loco(), Pass())
    assert read(text) == SameIncome(expected)


def test_a_cube_on_a_town_is_named_like_one_on_a_city() -> None:
    assert read("move white Toledo > Chicago") == move("white", "K12", "L7")


def test_a_place_may_be_called_like_a_word_of_the_order() -> None:
    board = replace(RUST_BELT, towns={"C0": "To Paris", "E0": "At Sea", "G0": "Bonus City"})
    lexicon = replace(TYPED, board=board)
    assert read("move blue To Paris to Bonus City bonus Ana", lexicon) == Deliver(
        "blue", Origin("C0"), to="G0", bonus="red"
    )
    assert read('move blue "At Sea" > To Paris', lexicon) == move("blue", "E0", "C0")


@pytest.mark.parametrize(
    ("text", "column", "found", "expected"),
    [
        ("move blue", 9, "", "A place is expected"),
        ("move blue Chicago", 17, "", "“>” and the next place on the way"),
        ("move blue Chicago >", 19, "", "A place is expected"),
        ("move blue Chicago to", 20, "", "A place is expected"),
        ("move blue Chicago > Detriot", 20, "Detriot", "No City or town"),
        ("move blue Chicago > Detroit(Bob)", 28, "Bob", "the players are Red, Blue and Pink"),
        ("move blue Chicago > Detroit(Ana", 31, "", "bracket is not closed"),
        ("move blue Chicago > Detroit()", 28, ")", "player is expected"),
        ("move blue Chicago(Ana) > Detroit", 17, "(", "“>” and the next place"),
        ("move blue Chicago to Detroit > Toledo", 29, ">", "Usage: "),
        ("move blue Chicago to Detroit bonus Ana bonus Ana", 35, "Ana bonus Ana", "No player"),
        ("move blue Chicago to Detroit remove red remove red", 40, "remove", "Usage: "),
        ("move blue at S10 E > L7", 17, "E", "“>” and the next place"),
        ("lift blue Chicago", 17, "", "lifted to"),
        ("loco |", 6, "", "move, loco, pass and lift"),
        ("move blue gr > Chicago", 10, "gr", "three letters"),
        ("move blue mi > Chicago", 10, "mi", "three letters"),
        ("move blue Mil > Q", 16, "Q", "New City Q is not on the board"),
    ],
)
def test_a_delivery_that_cannot_be_read_is_refused_with_its_usage(
    text: str, column: int, found: str, expected: str
) -> None:
    error = bad(text)
    assert expected in str(error)
    assert (error.column, error.found) == (column, found)
    assert "Usage: “" in str(error)


@pytest.mark.parametrize(
    ("text", "column", "found", "expected"),
    [
        ("produce red>", 12, "", "column of the display"),
        ("produce red>L3/", 15, "", "whole number"),
        ("produce red>Chicago", 12, "Chicago", "column of the display"),
        ("produce red>L3 blue", 19, "", "box of the display"),
        ("produce red Chicago", 12, "Chicago", "Cubes are"),
        ("produce any", 11, "", "box of the display"),
        ("produce city", 8, "city", "No City or town"),
        ("produce Nowhere", 8, "Nowhere", "No City or town"),
        ("produce decline all", 16, "all", "Usage: "),
    ],
)
def test_a_production_that_cannot_be_read_is_refused_with_its_usage(
    text: str, column: int, found: str, expected: str
) -> None:
    error = bad(text)
    assert expected in str(error)
    assert (error.column, error.found) == (column, found)
    assert "Usage: “" in str(error)


def test_a_town_with_a_number_for_a_name_is_no_line_of_a_list() -> None:
    lexicon = replace(TYPED, board=replace(RUST_BELT, towns={"O0": "1846"}))
    assert read("produce 1846", lexicon) == ProduceAt("O0")
    assert read("produce 1847", lexicon) == ListNumber("produce", 1847)
