"""How a build is typed."""

import pytest

from pbem.age_of_steam.moves import Build, BuildLink, Exits, Lay, Loco, Pass
from pbem.age_of_steam.notation import parse
from pbem.age_of_steam.notation_build import read_build
from pbem.age_of_steam.order_reader import OrderReader
from tests.age_of_steam.typed_orders import TYPED, VOCABULARY, bad, read


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
def test_a_step_that_cannot_be_read_is_refused_with_its_usage(
    text: str, column: int, found: str, expected: str
) -> None:
    error = bad(text)
    assert (error.column, error.found) == (column, found)
    assert expected in str(error)
    assert "Usage: “" in str(error)
