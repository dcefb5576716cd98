"""Orders of Age of Steam as they are typed (turn_prompts, sections 1 and 2)."""

import dataclasses
from functools import partial

import pytest

from maps.heavy_cardboard.rules import Lift
from maps.hungary.rules import ProduceColours
from maps.st_lucia.rules import Decline, Pay
from maps.switzerland.rules import BuyBack
from maps.western_us.rules import Transcon
from pbem.age_of_steam.bends import ProduceAt
from pbem.age_of_steam.moves import (
    Always,
    Bid,
    BidLimit,
    Build,
    BuildLink,
    Deliver,
    Drop,
    Exits,
    Hop,
    Issue,
    Lay,
    Loco,
    Origin,
    Pass,
    Produce,
    ProduceForm,
    Put,
    SameIncome,
    TakeAction,
    Urbanize,
)
from pbem.age_of_steam.notation import parse
from pbem.engine import BadMove, Move, replace
from pbem.engine.flow import FirstLegal, ListNumber
from pbem.engine.moves import Cancel, Resign
from tests.age_of_steam.typed_orders import POINTY, TWO_JACKSONS, TYPED, VOCABULARY, bad, move, read
from tests.quick import is_quick

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
    ("move blue T9 to Q12 same income", SameIncome((Deliver("blue", Origin("T9"), to="Q12"),)),
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
    ("always autopass", Always("auto-pass"), "always auto-pass"),
    ("always auto-loco", Always("auto-loco"), "always auto-loco"),
    ("always autoloco", Always("auto-loco"), "always auto-loco"),
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
    assert read(canonical, dataclasses.replace(TYPED, names={})) == value


@pytest.mark.parametrize("text", [text for text, _, _ in EVERY_ORDER])
def test_upper_and_lower_case_are_the_same(text: str) -> None:
    assert read(text.upper()) == read(text.lower()) == read(text)


def test_every_keyword_of_a_move_is_the_word_its_order_starts_with() -> None:
    for _, value, canonical in EVERY_ORDER:
        if not isinstance(value, FirstLegal | ListNumber):
            assert canonical.split()[0] == value.keyword


def test_orders_stand_on_lines_of_their_own_or_behind_semicolons() -> None:
    text = "issue 2; bid max 6 # not more\n\n# plan\naction urb > loco;\r\n"
    assert parse(text, TYPED, VOCABULARY) == (Issue(2), BidLimit(6), TakeAction(("urbanization", "locomotive")))


@pytest.mark.parametrize("text", ["", "  \n ", "# nothing", ";;;", "\n;\n"])
def test_an_empty_mail_is_answered_with_what_an_order_looks_like(text: str) -> None:
    assert "“build S10 SW-NE; R11 SW-NE”" in str(bad(text).sentence())


def test_a_word_that_starts_no_order_is_answered_with_the_words_that_do() -> None:
    error = bad("issue 2\n hello there")
    assert (error.line, error.column, error.found) == (2, 1, "hello")
    assert "issue, shares, bid, drop" in str(error)


@pytest.mark.parametrize("text", ["track H5 N-S", "factory Leeds", "contract 12", "draw", "cash", "bonus skip"])
def test_orders_of_steam_power_are_no_orders_of_this_game(text: str) -> None:
    assert bad(text).column == 0


def test_directions_are_those_of_the_drawn_board() -> None:
    assert read("build S10 n-s") == Build((Lay("S10", (("N", "S"),)),))
    assert "N, NE, SE, S, SW and NW" in str(bad("build S10 E-W"))
    assert read("build S10 w-E", POINTY) == Build((Lay("S10", (("E", "W"),)),))
    assert "NE, E, SE, SW, W and NW" in str(bad("build S10 N-S", POINTY))


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
    lexicon = dataclasses.replace(TYPED, names={"red": "D"})
    assert read("move blue L7 > Toledo(D)", lexicon) == Deliver("blue", Origin("L7"), (Hop("K12", "red"),))


def test_a_new_city_placed_in_the_same_mail_is_known_afterwards() -> None:
    moves = parse("build city A Indianapolis; S10 SW-NE\nmove blue Evansville > A", TYPED, VOCABULARY)
    assert moves[1] == move("blue", "T9", "Q10")
    assert "New City A is not on the board" in str(bad("move blue Evansville > A\nbuild city A Indianapolis"))


@pytest.mark.parametrize(
    ("text", "column", "found"),
    [
        ("issue 2 shares 3", 15, "3"), ("issue 2 red", 8, "red"), ("drop out", 5, "out"),
        ("pass | drop", 7, "drop"), ("drop | pass", 5, "|"),
        ("bid 4 5", 6, "5"), ("bid 4 then pass", 6, "then"), ("bid max 6 then drop", 15, "drop"),
        ("bid max 6 until 3 then pass", 18, "then"), ("build nothing S10 N-S", 14, "S10"), ("move 3 4", 5, "3"),
        ("loco 2", 5, "2"), ("always drop", 7, "drop"), ("always bid 3", 11, "3"), ("always auto", 11, ""),
        ("resign now", 7, "now"), ("produce", 7, ""), ("action", 6, ""), ("action loco >", 13, ""), ("build", 5, ""),
        ("move", 4, ""), ("loco same", 9, ""), ("loco same loss", 10, "loss"),
    ],
)  # fmt: skip
def test_a_wrong_order_is_refused_where_it_goes_wrong(text: str, column: int, found: str) -> None:
    error = bad(text)
    assert (error.line, error.column, error.found) == (1, column, found)
    assert "Usage: “" in str(error)


def test_a_mail_has_at_most_64_orders() -> None:
    assert len(parse("loco;" * 64, TYPED, VOCABULARY)) == 64
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
        assert is_quick(partial(sentence_of, text), 0.5)


def sentence_of(text: str) -> str:
    """What is said about orders that cannot be read; empty for those that can."""
    try:
        parse(text, TYPED, VOCABULARY)
    except BadMove as error:
        return str(error.sentence())
    return ""
