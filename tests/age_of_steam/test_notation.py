"""Orders of Age of Steam as they are typed (turn_prompts, sections 1 and 2)."""

from __future__ import annotations

import time
from dataclasses import replace
from importlib import resources
from pathlib import Path

import pytest

from pbem.age_of_steam.lexicon import Lexicon
from pbem.age_of_steam.moves import (
    Always,
    Bid,
    BidLimit,
    Build,
    BuildLink,
    BuyBack,
    Cancel,
    Decline,
    Deliver,
    Drop,
    Exits,
    Hop,
    Issue,
    Lay,
    Lift,
    Loco,
    Origin,
    Pass,
    Pay,
    Produce,
    ProduceAt,
    ProduceColours,
    ProduceForm,
    Put,
    Resign,
    TakeAction,
    Transcon,
    Urbanize,
)
from pbem.age_of_steam.notation import parse
from pbem.engine.flow import FirstLegal, ListNumber
from pbem.engine.moves import BadMove, Move
from pbem.rails.board import Connection, load_board

RUST_BELT = load_board(Path(str(resources.files("maps").joinpath("rust_belt/board.toml"))))
TYPED = Lexicon(
    board=replace(
        RUST_BELT,
        connections={
            "1": Connection("1", "Midtown-Downtown", ("H13", "J15"), 6),
            "2": Connection("2", "Detroit-Toledo", ("H13", "K12"), 8),
        },
    ),
    seats=("red", "blue", "pink"),
    new_cities={"D": "K12"},
    names={"red": "Ana", "blue": "John Smith", "pink": "Dave"},
)
POINTY = replace(TYPED, board=replace(RUST_BELT, orientation="pointy-top"))
TWO_JACKSONS = replace(
    TYPED,
    board=replace(RUST_BELT, towns={"C0": "Jackson"}, cities={"L7": replace(RUST_BELT.cities["L7"], name="Jackson")}),
)


def read(text: str, lexicon: Lexicon = TYPED) -> Move:
    (move,) = parse(text, lexicon)
    return move


def bad(text: str, lexicon: Lexicon = TYPED) -> BadMove:
    with pytest.raises(BadMove) as caught:
        parse(text, lexicon)
    return caught.value


def move(colour: str, origin: str, *hops: str) -> Deliver:
    return Deliver(colour, Origin(origin), tuple(map(Hop, hops)))


BLUE = move("blue", "T9", "Q10", "Q12")

EVERY_ORDER: list[tuple[str, Move, str]] = [
    ("issue 2", Issue(2), "issue 2"),
    ("shares 2", Issue(2), "issue 2"),
    ("issue 0", Issue(0), "issue 0"),
    ("buyback", BuyBack(), "buyback"),
    ("bid 4", Bid(4), "bid 4"),
    ("bid max 6", BidLimit(6), "bid max 6"),
    ("bid 3 max 6", BidLimit(6, 3), "bid 3 max 6"),
    ("bid max 6 then pass", BidLimit(6, then="pass"), "bid max 6 then pass"),
    ("bid max 6 then ask", BidLimit(6, then="ask"), "bid max 6 then ask"),
    ("bid max 6 until 3", BidLimit(6, until=3), "bid max 6 until 3"),
    ("bid 1 max 6 then ask until 2", BidLimit(6, 1, "ask", 2), "bid 1 max 6 then ask until 2"),
    ("pass", Pass(), "pass"),
    ("drop", Drop(), "drop"),
    ("pay", Pay(), "pay"),
    ("decline", Decline(), "decline"),
    ("action loco", TakeAction(("locomotive",)), "action locomotive"),
    ("action urb > loco>eng", TakeAction(("urbanization", "locomotive", "engineer")),
     "action urbanization > locomotive > engineer"),
    ("build nothing", Build(), "build nothing"),
    ("done", Build(), "build nothing"),
    ("build S10 SW-NE; R11 SW-NE", Build((Lay("S10", (("NE", "SW"),)), Lay("R11", (("NE", "SW"),)))),
     "build S10 NE-SW; R11 NE-SW"),
    ("build S10 NE-SW,S-N", Build((Lay("S10", (("N", "S"), ("NE", "SW"))),)), "build S10 N-S,NE-SW"),
    ("build Indianapolis @NW,SE", Build((Exits("Q10", ("SE", "NW")),)), "build Q10 @SE,NW"),
    ("build city A Indianapolis", Build((Urbanize("A", "Q10"),)), "build city A Q10"),
    ("build urbanize a q10", Build((Urbanize("A", "Q10"),)), "build city A Q10"),
    ("build city C Toledo keep blue red", Build((Urbanize("C", "K12", ("red", "blue")),)),
     "build city C K12 keep red blue"),
    ("build city C D keep all", Build((Urbanize("C", "K12"),)), "build city C K12"),
    ("build city C D keep none", Build((Urbanize("C", "K12", ()),)), "build city C K12 keep none"),
    ("build link midtown-downtown", Build((BuildLink("Midtown-Downtown"),)), "build link Midtown-Downtown"),
    ("build link D-Detroit 8", Build((BuildLink("Detroit-Toledo", 8),)), "build link Detroit-Toledo 8"),
    ("build transcon Dave, ana", Build((Transcon(("red", "pink")),)), "build transcon red,pink"),
    ("build Q10 @N; more; max 9", Build((Exits("Q10", ("N",)),), 9, more=True), "build Q10 @N; max 9; more"),
    ("move blue Evansville > Indianapolis > Cincinnati", BLUE, "move blue T9 > Q10 > Q12"),
    ("move blue Evansville to Cincinnati", Deliver("blue", Origin("T9"), to="Q12"), "move blue T9 to Q12"),
    ("move blue T9 > Q10(John Smith) > Q12(nobody)",
     Deliver("blue", Origin("T9"), (Hop("Q10", "blue"), Hop("Q12", "nobody"))),
     "move blue T9 > Q10(blue) > Q12(nobody)"),
    ("move blue T9 > Q12 remove black bonus Dave", replace(move("blue", "T9", "Q12"), bonus="pink", remove="black"),
     "move blue T9 > Q12 bonus pink remove black"),
    ("move blue at S10 > D", Deliver("blue", Origin("S10", at=True), (Hop("K12"),)), "move blue at S10 > K12"),
    ("move blue at S10(Dave) NE > D", Deliver("blue", Origin("S10", True, "pink", "NE"), (Hop("K12"),)),
     "move blue at S10(pink) NE > K12"),
    ("move blue at S10 NE to D", Deliver("blue", Origin("S10", True, None, "NE"), to="K12"),
     "move blue at S10 NE to K12"),
    ("loco", Loco(), "loco"),
    ("lift yellow Chicago > Detroit", Lift("yellow", "L7", "H13"), "lift yellow L7 > H13"),
    ("loco | pass", FirstLegal((Loco(), Pass())), "loco | pass"),
    ("move blue T9 to Q12 same income", FirstLegal((Deliver("blue", Origin("T9"), to="Q12"),), True),
     "move blue T9 to Q12 same income"),
    ("produce red>L3/1 blue>A", Produce((Put("red", "L3", 1), Put("blue", "A"))), "produce red>L3/1 blue>A"),
    ("produce any > d6 any>a/2", Produce((Put("any", "D6"), Put("any", "A", 2))), "produce any>D6 any>A/2"),
    ("produce decline", ProduceForm("decline"), "produce decline"),
    ("produce display", ProduceForm("display"), "produce display"),
    ("produce city Chicago", ProduceAt("L7", city=True), "produce city L7"),
    ("produce Toledo", ProduceAt("K12"), "produce K12"),
    ("produce blue red", ProduceColours(("red", "blue")), "produce red blue"),
    ("produce red", ProduceColours(("red",)), "produce red"),
    ("always issue 0", Always("issue", 0), "always issue 0"),
    ("always pay", Always("pay"), "always pay"),
    ("always decline", Always("decline"), "always decline"),
    ("always bid max 0", Always("bid max", 0), "always bid max 0"),
    ("always auto-pass", Always("auto-pass"), "always auto-pass"),
    ("cancel", Cancel(), "cancel"),
    ("resign", Resign(), "resign"),
    ("move 3", ListNumber("move", 3), "move 3"),
    ("action 2", ListNumber("action", 2), "action 2"),
    ("produce 1", ListNumber("produce", 1), "produce 1"),
    ("lift 12", ListNumber("lift", 12), "lift 12"),
]  # fmt: skip


@pytest.mark.parametrize(("text", "value", "canonical"), EVERY_ORDER, ids=[text for text, _, _ in EVERY_ORDER])
def test_every_order_is_read_and_prints_back_in_canonical_form(text: str, value: Move, canonical: str) -> None:
    assert read(text) == value
    assert str(value) == canonical
    assert read(canonical, replace(TYPED, names={})) == value


@pytest.mark.parametrize("text", [text for text, _, _ in EVERY_ORDER])
def test_upper_and_lower_case_are_the_same(text: str) -> None:
    assert read(text.upper()) == read(text.lower()) == read(text)


def test_every_keyword_of_a_move_is_the_word_its_order_starts_with() -> None:
    for _, value, canonical in EVERY_ORDER:
        if not isinstance(value, FirstLegal | ListNumber):
            assert canonical.split()[0] == value.keyword


# general ----------------------------------------------------------------------------------------------------------


def test_orders_stand_on_lines_of_their_own_or_behind_semicolons() -> None:
    text = "issue 2; bid max 6 # not more\n\n# plan\naction urb > loco;\r\n"
    assert parse(text, TYPED) == (Issue(2), BidLimit(6), TakeAction(("urbanization", "locomotive")))


@pytest.mark.parametrize("text", ["", "  \n ", "# nothing", ";;;", "\n;\n"])
def test_an_empty_mail_is_answered_with_what_an_order_looks_like(text: str) -> None:
    assert "“build S10 SW-NE; R11 SW-NE”" in str(bad(text).sentence())


def test_a_word_that_starts_no_order_is_answered_with_the_words_that_do() -> None:
    error = bad("issue 2\n hello there")
    assert (error.line, error.column, error.found) == (2, 1, "hello")
    assert "issue, shares, buyback, bid, drop" in str(error)


@pytest.mark.parametrize("text", ["track H5 N-S", "factory Leeds", "contract 12", "draw", "cash", "bonus skip"])
def test_orders_of_steam_power_are_no_orders_of_this_game(text: str) -> None:
    assert bad(text).column == 0


def test_directions_are_those_of_the_drawn_board() -> None:
    assert read("build S10 n-s") == Build((Lay("S10", (("N", "S"),)),))
    assert "N, NE, SE, S, SW and NW" in str(bad("build S10 E-W"))
    assert read("build S10 w-E", POINTY) == Build((Lay("S10", (("E", "W"),)),))
    assert "NE, E, SE, SW, W and NW" in str(bad("build S10 N-S", POINTY))


def test_colours_are_those_of_the_cubes() -> None:
    assert "red, blue, purple, yellow, black and white" in str(bad("move orange Chicago > Detroit"))


def test_an_action_that_fits_several_is_refused_with_the_list() -> None:
    error = bad("action urb > first")
    assert (error.column, error.found) == (13, "first")
    assert "first-move and first-build" in str(error)


def test_taking_an_action_twice_says_it_once() -> None:
    assert read("action loco > urb > locomotive") == TakeAction(("locomotive", "urbanization"))


def test_a_name_that_fits_two_places_is_decided_by_the_context() -> None:
    assert read("build city A Jackson", TWO_JACKSONS) == Build((Urbanize("A", "C0"),))
    assert read("build Jackson @N", TWO_JACKSONS) == Build((Exits("C0", ("N",)),))
    assert read("move blue H13 > D > Jackson", TWO_JACKSONS) == move("blue", "H13", "K12", "L7")
    assert read("move blue H13 to Jackson", TWO_JACKSONS) == Deliver("blue", Origin("H13"), to="L7")
    assert read("produce Jackson", TWO_JACKSONS) == ProduceAt("C0")
    assert read("produce city Jackson", TWO_JACKSONS) == ProduceAt("L7", city=True)
    assert "Jackson (C0) and Jackson (L7)" in str(bad("move blue Jackson > H13", TWO_JACKSONS))
    assert "Jackson (C0) and Jackson (L7)" in str(bad("move blue H13 > Jackson > D", TWO_JACKSONS))


@pytest.mark.parametrize("name", ["D", '"New City D"', "New City D", "“new city d”", "Toledo", "Toledo (D)", "k12"])
def test_a_new_city_goes_by_letter_by_tile_and_by_town(name: str) -> None:
    assert read(f"move blue {name} > Chicago > {name}") == move("blue", "K12", "L7", "K12")
    assert read(f"move blue Chicago to {name}") == Deliver("blue", Origin("L7"), to="K12")


def test_a_player_may_be_called_like_the_letter_of_a_new_city() -> None:
    lexicon = replace(TYPED, names={"red": "D"})
    assert read("move blue L7 > Toledo(D)", lexicon) == Deliver("blue", Origin("L7"), (Hop("K12", "red"),))


def test_a_new_city_placed_in_the_same_mail_is_known_afterwards() -> None:
    moves = parse("build city A Indianapolis; S10 SW-NE\nmove blue Evansville > A", TYPED)
    assert moves[1] == move("blue", "T9", "Q10")
    assert "New City A is not on the board" in str(bad("move blue Evansville > A\nbuild city A Indianapolis"))


def test_a_player_goes_by_a_colour_only_where_nobody_has_that_name() -> None:
    text = "move blue L7 > H13(red)"
    named = replace(TYPED, names={"pink": "Red"})
    assert read(text, named) == Deliver("blue", Origin("L7"), (Hop("H13", "pink"),))
    assert read(text) == Deliver("blue", Origin("L7"), (Hop("H13", "red"),))


def test_numbers_have_at_most_four_digits() -> None:
    assert read("issue 9999") == Issue(9999)
    for text in ("issue 10000", "issue -1", "issue two", "issue 1.5", "issue", "bid max", "move 12345"):
        assert "at most 4 digits" in str(bad(text)), text


@pytest.mark.parametrize(
    ("text", "column", "found"),
    [
        ("issue 2 shares", 8, "shares"), ("drop out", 5, "out"), ("pass | drop", 7, "drop"), ("drop | pass", 5, "|"),
        ("bid 4 5", 6, "5"), ("bid 4 then pass", 6, "then"), ("bid max 6 then drop", 15, "drop"),
        ("bid max 6 until 3 then pass", 18, "then"), ("build nothing S10 N-S", 14, "S10"), ("move 3 4", 5, "3"),
        ("loco 2", 5, "2"), ("always drop", 7, "drop"), ("always bid 3", 11, "3"), ("always auto", 11, ""),
        ("resign now", 7, "now"), ("produce", 7, ""), ("action", 6, ""), ("action loco >", 13, ""), ("build", 5, ""),
        ("move", 4, ""), ("loco same", 9, ""), ("loco same loss", 10, "loss"),
    ],
)  # fmt: skip
def test_an_order_that_is_too_long_too_short_or_wrong_is_refused_where_it_goes_wrong(
    text: str, column: int, found: str
) -> None:
    error = bad(text)
    assert (error.line, error.column, error.found) == (1, column, found)
    assert "Usage: “" in str(error)


# building ---------------------------------------------------------------------------------------------------------


def test_a_semicolon_separates_steps_until_a_word_starts_another_order() -> None:
    moves = parse("build S10 SW-NE; Q10 @N; pass; loco", TYPED)
    assert moves == (Build((Lay("S10", (("NE", "SW"),)), Exits("Q10", ("N",)))), Pass(), Loco())


def test_a_word_of_steam_power_ends_a_build_too() -> None:
    error = bad("build S10 SW-NE; factory Leeds")
    assert (error.column, error.found) == (17, "factory")
    assert "An order starts with" in str(error)


def test_a_build_goes_on_in_the_next_line_behind_a_semicolon() -> None:
    assert parse("build S10 SW-NE;\n  R11 SW-NE\nloco", TYPED) == (
        Build((Lay("S10", (("NE", "SW"),)), Lay("R11", (("NE", "SW"),)))),
        Loco(),
    )


def test_done_behind_a_build_says_nothing_new() -> None:
    assert parse("build S10 SW-NE; done\nloco", TYPED) == (read("build S10 SW-NE"), Loco())


def test_done_behind_a_build_that_is_not_over_ends_it() -> None:
    assert parse("build S10 SW-NE; more; done", TYPED) == (read("build S10 SW-NE; more"), Build())


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
        ("build S10 SW-NE R11 SW-NE", 16, "R11", "complete before this"),
        ("build S10 SW-NE $2", 16, "$2", "complete before this"),
        ("build Q10 @", 11, "", "directions"),
        ("build Z99 N-S", 6, "Z99", "no hex Z99"),
        ("build @N", 6, "@", "A place is expected"),
        ("build city Indianapolis", 11, "Indianapolis", "letter of a New City"),
        ("build city A", 12, "", "A place is expected"),
        ("build city A Q10 keep", 21, "", "A colour is expected"),
        ("build city A Q10 keep green", 22, "green", "Cubes are"),
        ("build link", 10, "", "name of a special link"),
        ("build transcon", 14, "", "player is expected"),
        ("build transcon Ana,Bob", 19, "Bob", "No player is called that"),
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


# moving goods -----------------------------------------------------------------------------------------------------


def test_alternatives_are_played_in_their_order() -> None:
    text = "move red L7 > H13 | move 2 | lift blue L7 > D | loco | pass same income"
    expected = (move("red", "L7", "H13"), ListNumber("move", 2), Lift("blue", "L7", "K12"), Loco(), Pass())
    assert read(text) == FirstLegal(expected, same_income=True)


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
        ("move blue Chicago > Detroit(Bob)", 28, "Bob", "there are Red, Blue and Pink"),
        ("move blue Chicago > Detroit(Ana", 31, "", "bracket is not closed"),
        ("move blue Chicago > Detroit()", 28, ")", "player is expected"),
        ("move blue Chicago(Ana) > Detroit", 17, "(", "“>” and the next place"),
        ("move blue Chicago to Detroit > Toledo", 29, ">", "complete before this"),
        ("move blue Chicago to Detroit bonus Ana bonus Ana", 35, "Ana bonus Ana", "No player"),
        ("move blue Chicago to Detroit remove red remove red", 40, "remove", "complete before this"),
        ("move blue at S10 E > L7", 17, "E", "“>” and the next place"),
        ("lift blue Chicago", 17, "", "lifted to"),
        ("loco |", 6, "", "“move”, “lift”, “loco” or “pass”"),
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


# production -------------------------------------------------------------------------------------------------------


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
        ("produce decline all", 16, "all", "complete before this"),
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


# any size ---------------------------------------------------------------------------------------------------------


def test_a_mail_has_at_most_64_orders() -> None:
    assert len(parse("loco;" * 64, TYPED)) == 64
    assert "at most 64 orders" in str(bad("loco;" * 65))


def test_a_build_has_at_most_64_steps_and_an_order_64_alternatives() -> None:
    assert read("build " + "S10 N-S;" * 64) == Build((Lay("S10", (("N", "S"),)),) * 64)
    assert "at most 64 steps" in str(bad("build " + "S10 N-S;" * 65))
    assert read("loco" + "| loco" * 63) == FirstLegal((Loco(),) * 64)
    assert "at most 64 alternatives" in str(bad("loco" + "| loco" * 64))


@pytest.mark.parametrize(
    "piece",
    [
        "é", "\u0301\u0323", "ﷺ", "a-", "build link a-", "move blue ", "move blue Chicago > ", "(", "build city A Q10;",
        "build link D-Det;", "|", "@", "action loco >", "produce red>A ", "build S10 N-S,", "loco;", "\n", ";", "x ",
        '"',
    ],
)  # fmt: skip
def test_reading_takes_no_longer_than_the_text_allows(piece: str) -> None:
    for start in ("", "move blue ", "build ", "build link ", "move blue Chicago > Detroit(", "produce red>A "):
        text = (start + piece * 10_000)[:10_000]
        begin = time.process_time()
        try:
            parse(text, TYPED)
        except BadMove as error:
            str(error.sentence())
        assert time.process_time() - begin < 0.5


def test_a_mail_of_a_megabyte_is_refused_at_once() -> None:
    assert "10000 characters" in str(bad("move blue " * 100_000))
