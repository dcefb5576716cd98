"""Move goods (section 8)."""

from typing import Any

import pytest

from pbem.age_of_steam.deliveries import DeliveryChoice, rank
from pbem.age_of_steam.events_goods import Delivered
from pbem.age_of_steam.phases.money import eliminate
from pbem.age_of_steam.placement_rules import Visits, at_once, priced
from pbem.age_of_steam.proposals import Delivery, Placement
from pbem.rails.track import Link
from tests.age_of_steam.table import RUST_BELT, Table, enter, position

CHAIN = {
    "S10": "blue SW-NE", "R11": "blue SW-NE",  # Evansville T9 - Cincinnati Q12
    "O12": "green S-N", "M12": "green S-N", "K12": "green @S; blue @N", "I12": "blue S-NE",  # - Toledo - Detroit
}  # fmt: skip
"""Evansville-Cincinnati (blue), Cincinnati-Toledo (green), Toledo-Detroit (blue)."""
BEST = {"engine": 6}


def moving(track: dict[str, str] | None = None, **more: Any) -> Table:
    return Table(position("move_goods", track=CHAIN if track is None else track, **more))


def deliveries(table: Table) -> set[str]:
    return {order.removeprefix("move ") for order in table.legal if order.startswith("move ")}


def test_every_owner_on_the_way_gains_one_for_each_link() -> None:
    """Section 8: at once; the cube goes to the bag."""
    table = moving(cubes={"T9": "red blue"}, blue=BEST).play("blue", "move red T9 > Q12 > K12 > H13")
    assert (table["blue"].income, table["green"].income) == (7, 6)
    assert table.state.cubes["T9"] == ("blue",)
    assert table.state.bag["red"] == 6
    (event,) = table.told(Delivered)
    assert dict(event.gains) == {"blue": 2, "green": 1}


def test_a_cube_stops_at_the_first_city_of_its_colour_and_visits_nothing_twice() -> None:
    """D21."""
    table = moving(cubes={"T9": "blue red", "H13": "blue"}, blue=BEST)
    assert deliveries(table) == {"blue T9 > Q12", "red T9 > Q12 > K12 > H13", "blue H13 > K12 > Q12"}
    assert "must stop" in table.refusal("blue", "move blue H13 > K12 > Q12 > T9").sentence()
    assert "once" in table.refusal("blue", "move red T9 > Q12 > T9").sentence()
    assert "does not take" in table.refusal("blue", "move red T9 > Q12").sentence()
    assert "no link" in table.refusal("blue", "move red T9 > H13").sentence()


@pytest.mark.parametrize(("engine", "legal"), [(1, False), (2, False), (3, True), (6, True)])
def test_a_way_has_at_most_as_many_links_as_the_engine_pulls(engine: int, legal: bool) -> None:
    """D21: with engine 2 a way of three links is illegal."""
    table = moving(cubes={"T9": "red"}, blue={"engine": engine})
    assert ("move red T9 > Q12 > K12 > H13" in table.legal) is legal
    if not legal:
        assert "3 links" in table.refusal("blue", "move red T9 > Q12 > K12 > H13").sentence()


def test_a_delivery_ends_at_a_city() -> None:
    """Section 8: not in a town, not on a section."""
    track = {"S10": "blue SW-NE"}
    table = moving(track, cubes={"T9": "red"}, blue=BEST)
    assert deliveries(table) == set()
    assert "no link" in table.refusal("blue", "move red T9 > Q12").sentence()


def test_a_player_may_deliver_over_links_of_others_alone() -> None:
    """R48."""
    table = moving({"S10": "green SW-NE", "R11": "green SW-NE"}, cubes={"T9": "blue"})
    table.play("blue", "move blue T9 > Q12")
    assert (table["blue"].income, table["green"].income) == (5, 6)


PARALLEL = {
    "S10": "blue SW-NE", "R11": "blue SW-NE; green SE-NW", "S12": "green N-NW", "Q10": "green @SE; yellow @SW,@NE",
    "R9": "yellow S-NE", "P11": "yellow SW-SE",
}  # fmt: skip
"""Indianapolis-Cincinnati twice: by green and by yellow."""


def test_the_mover_chooses_among_parallel_links_by_their_owner() -> None:
    """R49: unnamed it is the own link; among others' the owner must be named."""
    state = position("move_goods", track=PARALLEL, cubes={"T9": "blue"}, blue=BEST, yellow=BEST)
    table = Table(state)
    assert {"blue T9 > Q10 > Q12(green)", "blue T9 > Q10 > Q12(yellow)", "blue T9 > Q12"} == deliveries(table)
    assert table.refusal("blue", "move blue T9 > Q10 > Q12").rule == "R49"
    for owner, said in (("blue", "You have no link"), ("nobody", "nobody has no link")):
        assert said in table.refusal("blue", f"move blue T9 > Q10 > Q12({owner})").sentence()
    table.play("blue", "move blue T9 > Q10 > Q12(green)")
    assert [table[seat].income for seat in ("blue", "green", "yellow")] == [5, 6, 6]
    own = Table(position("move_goods", track=PARALLEL, cubes={"T9": "blue"}, order=("yellow", "blue"), yellow=BEST))
    own.play("yellow", "move blue T9 > Q10 > Q12")
    assert own["yellow"].income == 7


def test_an_ownerless_parallel_link_is_taken_before_a_rivals() -> None:
    """R49."""
    track = {**PARALLEL, "S12": "nobody N-NW", "R11": "blue SW-NE; nobody SE-NW", "Q10": "nobody @SE; yellow @SW,@NE"}
    table = moving(track, cubes={"T9": "blue"}, blue=BEST).play("blue", "move blue T9 > Q10 > Q12")
    assert [table[seat].income for seat in ("blue", "green", "yellow")] == [5, 5, 6]
    named = moving(track, cubes={"T9": "blue"}, blue=BEST).play("blue", "move blue T9 > Q10 > Q12(nobody)")
    assert named["yellow"].income == 6


def test_links_of_the_eliminated_are_used_and_pay_nobody() -> None:
    """R50: they count against the engine."""
    state = eliminate(position("move_goods", track=CHAIN, cubes={"T9": "red"}, blue={"engine": 3}), "green")
    table = Table(enter(state, "move_goods"))
    short = Table(enter(state.with_player("blue", engine=2), "move_goods"))
    assert deliveries(short) == set()
    table.play("blue", "move red T9 > Q12 > K12 > H13")
    assert (table["blue"].income, table["green"].income) == (7, 5)


def test_a_cube_may_start_in_a_city_of_its_own_colour() -> None:
    """R51: it goes on to another City of that colour and cannot come back."""
    table = moving({**CHAIN}, cubes={"Q12": "blue"}, blue=BEST)
    assert deliveries(table) == {"blue Q12 > T9"}


def test_the_engine_is_raised_once_in_the_phase_in_any_round() -> None:
    """R53."""
    table = moving(cubes={"T9": "blue blue"}).play("blue", "loco")
    assert table["blue"].engine == 2
    table.play("green", "pass").play("yellow", "pass")
    assert "loco" not in table.legal
    assert table.refusal("blue", "loco").rule == "R53"
    second = moving(cubes={"T9": "blue"}).play("blue", "move blue T9 > Q12").play("green", "pass")
    second.play("yellow", "pass").play("blue", "loco")
    assert second["blue"].engine == 2


def test_each_player_raises_the_engine_once_also_where_others_raised_theirs_after() -> None:
    """R53: everybody's raise is remembered for the whole phase, not that of the last one alone."""
    table = moving(cubes={"T9": "blue"}).play("blue", "loco").play("green", "loco").play("yellow", "pass")
    for seat, may_raise in (("blue", False), ("green", False), ("yellow", True)):
        assert (table.asked, "loco" in table.legal) == (seat, may_raise)
        if not may_raise:
            assert table.refusal(seat, "loco").rule == "R53"
            table.play(seat, "pass")
    assert (table["blue"].engine, table["green"].engine) == (2, 2)


def test_locomotive_and_a_raise_in_one_turn_make_two() -> None:
    """R52."""
    table = Table(position("select_actions")).play("blue", "action locomotive")
    table = Table(enter(table.state, "move_goods")).play("blue", "loco")
    assert table["blue"].engine == 3


def test_the_engine_pulls_at_most_six() -> None:
    """Section 8."""
    table = moving(cubes={"T9": "blue"}, blue=BEST)
    assert "loco" not in table.legal
    assert "most" in table.refusal("blue", "loco").sentence()


def test_passing_is_always_allowed() -> None:
    """R54: also with a paying delivery and the engine below six."""
    table = moving(cubes={"T9": "blue"})
    assert {"pass", "loco", "move blue T9 > Q12"} == set(table.legal)
    table.play("blue", "pass")
    assert (table.asked, table["blue"].income) == ("green", 5)


def test_who_can_neither_deliver_nor_raise_the_engine_is_not_asked() -> None:
    """A7."""
    table = moving(cubes={"T9": "yellow"}, green=BEST).play("blue", "pass")
    assert table.unasked == [("green", "pass", "A7")]
    assert table.asked == "yellow"
    still = moving(cubes={"T9": "blue"}, green=BEST).play("blue", "pass")
    assert still.asked == "green", "a delivery is a choice"


def test_a_raise_in_the_first_round_leaves_nothing_for_the_second() -> None:
    """A7: no cube can be moved, the engine was raised already."""
    table = moving({}, green=BEST, yellow=BEST).play("blue", "loco")
    assert ("blue", "pass", "A7") in table.unasked
    assert table.state.turn == 2


def test_there_are_two_rounds_in_turn_order() -> None:
    """Section 8."""
    table = moving(order=("green", "yellow", "blue"))
    asked = []
    for _ in range(6):
        asked.append(table.asked)
        table.play(table.asked or "", "pass")
    assert asked == ["green", "yellow", "blue"] * 2
    assert table.state.turn == 2


def test_the_way_may_be_left_to_the_server_where_only_one_payment_is_possible() -> None:
    """Notation ``to``: the shortest way of the only pattern; several patterns are listed."""
    assert moving(cubes={"T9": "red"}, blue=BEST).play("blue", "move red T9 to H13")["blue"].income == 7
    several = Table(position("move_goods", track=PARALLEL, cubes={"T9": "blue"}, blue=BEST))
    assert "3 routes" in several.refusal("blue", "move blue T9 to Q12").sentence()
    none = several.refusal("blue", "move blue T9 to Q12 bonus blue").sentence()
    assert "3 routes" in none, "none has a bonus"
    assert "“move blue T9 > Q12”" in none


def test_where_the_way_is_left_to_the_server_other_cubes_and_goals_do_not_count() -> None:
    """Notation ``to``: cubes of other colours, from other Cities and to other goals pay other players."""
    others = moving(cubes={"T9": "red blue", "Q12": "red"}, blue=BEST)
    assert len({way.split()[0] for way in deliveries(others)}) == 2
    others.play("blue", "move blue T9 to Q12")
    assert (others["blue"].income, others["green"].income) == (6, 5)


def test_who_gains_is_said_own_income_first_then_the_larger_then_by_colour() -> None:
    track = {**CHAIN, "S10": "yellow SW-NE", "R11": "yellow SW-NE"}
    table = moving(track=track, cubes={"T9": "red"}, blue=BEST)
    (choice,) = [choice for choice in table.sheet.question(table.state).choices if choice.order.startswith("move ")]
    assert str(choice.effect) == "Over Q12 and K12: Blue +1, Green +1 and Yellow +1."
    assert list(choice.gains) == ["blue", "green", "yellow"]


LONG = (Link(("T9", "Q10"), "blue"), Link(("Q10", "Q12"), "blue"), Link(("Q12", "K12"), "blue"))


def test_deliveries_are_listed_by_own_income_then_the_rivals_then_their_length() -> None:
    ways = {
        "most for me": Delivery("red", "T9", LONG[:2], ("Q10", "Q12"), (("blue", 2), ("green", 3))),
        "rivals get nothing": Delivery("red", "T9", LONG, ("Q10", "Q12", "K12"), (("blue", 1),)),
        "rivals get one": Delivery("red", "T9", LONG[:2], ("Q10", "Q12"), (("blue", 1), ("green", 1))),
        "nobody earns": Delivery("red", "T9", LONG[:1], ("Q10",), ()),
        "nobody earns, longer": Delivery("red", "T9", LONG[:2], ("Q10", "Q12"), ()),
        "only a rival earns": Delivery("red", "T9", LONG[:1], ("Q10",), (("green", 1),)),
    }
    shuffled = list(ways)[::-1]
    assert sorted(shuffled, key=lambda name: rank("blue", ways[name])) == list(ways)


def test_parallel_links_of_one_owner_are_one_way() -> None:
    """R49: it is listed once."""
    track = {hex_: text.replace("yellow", "green") for hex_, text in PARALLEL.items()}
    table = Table(position("move_goods", track=track, cubes={"T9": "blue"}, blue=BEST))
    assert [order for order in table.legal if order.startswith("move ")].count("move blue T9 > Q10 > Q12") == 1
    assert sorted(set(table.legal)) == sorted(table.legal)


# visits ------------------------------------------------------------------------------------------------------


def placed(tile: str, old: str, *added: tuple[int, int], turned: dict[tuple[int, int], tuple[int, int]]) -> Placement:
    return Placement("S10", tile, old, added, tuple(turned.items()))


def test_track_that_is_turned_twice_was_turned_once() -> None:
    first = placed("gentle", "straight", turned={(0, 3): (0, 2)})
    second = placed("acute", "gentle", turned={(0, 2): (0, 1)})
    assert at_once(first, second) == placed("acute", "straight", turned={(0, 3): (0, 1)})


def test_track_that_was_added_and_turned_was_added_as_it_lies_in_the_end() -> None:
    first = placed("straight", "", (0, 3), turned={})
    second = placed("gentle", "straight", turned={(0, 3): (0, 2)})
    assert at_once(first, second) == placed("gentle", "", (0, 2), turned={})


def test_track_that_lay_there_before_and_is_turned_by_the_second_counts_as_turned() -> None:
    first = placed("cross_straight_straight", "straight", (1, 4), turned={})
    second = placed("cross_gentle_straight", "cross_straight_straight", turned={(0, 3): (0, 2)})
    assert at_once(first, second) == placed("cross_gentle_straight", "straight", (1, 4), turned={(0, 3): (0, 2)})


def test_track_that_is_turned_back_was_not_turned() -> None:
    first = placed("gentle", "straight", turned={(0, 3): (0, 2)})
    second = placed("straight", "gentle", turned={(0, 2): (0, 3)})
    assert at_once(first, second).turned == ()


def test_the_third_visit_of_a_hex_goes_on_from_the_second() -> None:
    """R23: a hex is one visit, with all that was paid for it."""
    state = position()
    first = placed("straight", "", (0, 3), turned={})
    second = placed("gentle", "straight", turned={(0, 3): (0, 2)})
    third = placed("acute", "gentle", turned={(0, 2): (0, 1)})
    paid = 0
    visits: Visits = ()
    for placement in (first, second, third):
        price, visits = priced(RUST_BELT, state, "blue", visits, placement)
        paid += price
    (visit,) = visits
    assert (visit.placement, visit.paid) == (placed("acute", "", (0, 1), turned={}), paid)


# what a choice says ------------------------------------------------------------------------------------------


@pytest.fixture
def table() -> Table:
    """Blue can deliver in more ways than an email shows."""
    cubes = dict.fromkeys(("T9", "Q12", "H13"), "red blue purple yellow black")
    return Table(position("move_goods", track=CHAIN, cubes=cubes, blue={"engine": 6}))


def test_a_choice_says_what_its_order_does(table: Table) -> None:
    question = table.sheet.question(table.state)
    found = {choice.order: choice for choice in question.choices}
    choice = found["move red T9 > Q12 > K12 > H13"]
    assert isinstance(choice, DeliveryChoice)
    assert (choice.cube, choice.route) == ("red", ("T9", "Q12", "K12", "H13"))
    assert choice.gains == {"blue": 2, "green": 1}
    assert str(choice.title) == "red from T9 to H13"
    assert str(choice.effect) == "Over Q12 and K12: Blue +2 and Green +1."
    assert {piece[0] for piece in choice.pieces} == {"S10", "R11", "O12", "M12", "K12", "I12"}
    assert question == table.sheet.question(table.state)


def test_the_orders_of_the_list_are_the_legal_ones(table: Table) -> None:
    assert [choice.order for choice in table.sheet.question(table.state).choices] == list(table.legal)
