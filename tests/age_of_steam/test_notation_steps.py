"""How builds, deliveries and Production are typed."""

from dataclasses import replace

import pytest

from maps.heavy_cardboard.rules import Lift
from pbem.age_of_steam.bends import ProduceAt
from pbem.age_of_steam.moves import Build, BuildLink, Deliver, Exits, Lay, Loco, Origin, Pass, SameIncome
from pbem.age_of_steam.notation import OrderReader, parse
from pbem.age_of_steam.notation_build import read_build
from pbem.engine.flow import ListNumber
from tests.age_of_steam.typed_orders import RUST_BELT, TYPED, VOCABULARY, bad, move, read

# builds ------------------------------------------------------------------------------------------------------


def test_a_semicolon_separates_steps_until_a_word_starts_another_order() -> None:
    moves = parse("build S10 SW-NE; Q10 @N; pass; loco", TYPED, VOCABULARY)
    assert moves == (Build((Lay("S10", (("NE", "SW"),)), Exits("Q10", ("N",)))), Pass(), Loco())


def test_a_word_of_steam_power_ends_a_build_too() -> None:
    error = bad("build S10 SW-NE; factory Leeds")
    assert (error.column, error.found) == (17, "factory")
    assert "An order starts with" in str(error)


OTHER_ORDERS = (
    "issue shares buyback bid drop pass pay decline action build done move lift loco produce always cancel resign "
    "track factory contract draw cash bonus"
)


@pytest.mark.parametrize("word", OTHER_ORDERS.split())
def test_every_word_that_starts_an_order_of_either_game_ends_a_build(word: str) -> None:
    reader = OrderReader(f"S10 SW-NE; {word}", TYPED, VOCABULARY)
    assert read_build(reader, "build") == read("build S10 SW-NE")
    assert reader.next_order()
    assert reader.here.text == word


def test_a_step_may_follow_a_special_link_with_or_without_its_price() -> None:
    for link in (BuildLink("Midtown-Downtown"), BuildLink("Detroit-Toledo", 8)):
        build = Build((link, Lay("S10", (("NE", "SW"),))))
        assert parse(f"{build}; loco", TYPED, VOCABULARY) == (build, Loco())


def test_a_build_goes_on_in_the_next_line_behind_a_semicolon() -> None:
    assert parse("build S10 SW-NE;\n  R11 SW-NE\nloco", TYPED, VOCABULARY) == (
        Build((Lay("S10", (("NE", "SW"),)), Lay("R11", (("NE", "SW"),)))),
        Loco(),
    )


def test_done_behind_a_build_says_nothing_new() -> None:
    assert parse("build S10 SW-NE; done\nloco", TYPED, VOCABULARY) == (read("build S10 SW-NE"), Loco())


def test_done_behind_a_build_that_is_not_over_ends_it() -> None:
    assert parse("build S10 SW-NE; more; done", TYPED, VOCABULARY) == (read("build S10 SW-NE; more"), Build())


def test_equal_builds_are_equal_values() -> None:
    assert read("build S10 SW-NE,S-N,NE-SW; Q10 @NW,N,NW") == read("build s10 N-S , NE-SW; Indianapolis @ N, NW")


@pytest.mark.parametrize("word", ["straight", "gentle", "curve", "acute", "sharp", "crossing", "coexist", "TOWN"])
def test_a_word_for_the_tile_is_accepted_and_ignored(word: str) -> None:
    assert read(f"build S10 {word} SW-NE") == read("build S10 SW-NE")
    assert read(f"build S10 SW-NE {word}") == read("build S10 SW-NE")
    assert read(f"build Indianapolis {word} @SE") == read("build Q10 @SE")


def test_the_price_chooses_one_of_two_parallel_links() -> None:
    assert read("build link Detroit-Toledo 8") == Build((BuildLink("Detroit-Toledo", 8),))
    assert "special links are Detroit-Toledo and Midtown-Downtown" in str(bad("build link Uptown-Crosstown"))


def test_a_build_of_a_limit_or_more_alone_is_an_order() -> None:
    assert read("build max 9") == Build(limit=9)
    assert read("build more") == Build(more=True)


@pytest.mark.parametrize(
    ("text", "column", "found", "expected"),
    [
        ("build S10", 9, "", "directions"),
        ("build S10 SW", 12, "", "hyphen"),
        ("build S10 SW-", 13, "", "directions"),
        ("build S10 SW-XX", 13, "XX", "directions"),
        ("build S10 SW-SW", 13, "SW", "two different sides"),
        ("build S10 SW-NE,", 16, "", "directions"),
        ("build S10 SW-NE R11 SW-NE", 16, "R11", "Usage: "),
        ("build S10 SW-NE $2", 16, "$2", "Usage: "),
        ("build Q10 @", 11, "", "directions"),
        ("build Z99 N-S", 6, "Z99", "no hex Z99"),
        ("build @N", 6, "@", "A place is expected"),
        ("build city Indianapolis", 11, "Indianapolis", "letter of a New City"),
        ("build city A", 12, "", "A place is expected"),
        ("build city A Q10 keep", 21, "", "A colour is expected"),
        ("build city A Q10 keep green", 22, "green", "Cubes are"),
        ("build link", 10, "", "name of a special link"),
        ("build transcon", 14, "", "player is expected"),
        ("build transcon Ana,Bob", 19, "Bob", "No player has this name"),
        ("build max nine", 10, "nine", "whole number"),
        ("build max 9; max 8", 13, "max 8", "No City or town"),
    ],
)
def test_a_step_that_cannot_be_read_tells_its_usage(text: str, column: int, found: str, expected: str) -> None:
    error = bad(text)
    assert (error.column, error.found) == (column, found)
    assert expected in str(error)
    assert "Usage: “" in str(error)


# deliveries and Production -----------------------------------------------------------------------------------


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
def test_a_delivery_that_cannot_be_read_tells_its_usage(text: str, column: int, found: str, expected: str) -> None:
    error = bad(text)
    assert expected in str(error)
    assert (error.column, error.found) == (column, found)
    assert "Usage: “" in str(error)


def test_a_town_with_a_number_for_a_name_is_no_line_of_a_list() -> None:
    lexicon = replace(TYPED, board=replace(RUST_BELT, towns={"O0": "1846"}))
    assert read("produce 1846", lexicon) == ProduceAt("O0")
    assert read("produce 1847", lexicon) == ListNumber("produce", 1847)
