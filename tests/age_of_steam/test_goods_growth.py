"""Goods growth (section 10), and Production declined beforehand (R58 iii)."""

from typing import Any

import pytest

from maps.hungary.rules import Hungary
from pbem.age_of_steam.events_goods import CubesDrawn, DiceRolled, ProductionDeclined
from pbem.age_of_steam.game import AgeOfSteam
from pbem.engine.chance import ASKED_FIRST, ChanceMismatch, Draw, LoadedChance, NotedChance, SeededChance
from tests.age_of_steam.table import RUST_BELT, Table, dice, position, sheet_of

HOLDER = {"action": "production"}
NO_LUCK = dice(6, 6, 6, dark=(6, 6, 6))


def drawn(*cubes: str) -> Draw:
    return {"for": "production", "cubes": list(cubes)}


def producing(*cubes: str, **more: Any) -> Table:
    """The holder has drawn and is asked where the cubes go."""
    state = position("goods_growth", blue=HOLDER, rolls=[drawn(*cubes)], **more)
    return Table(state, rolls=NO_LUCK)


def full(**empty: str) -> dict[str, str]:
    """Every box of the display full but the columns given."""
    boxes = {column: " ".join(["black"] * count) for column, count in RUST_BELT.display_boxes().items()}
    return boxes | empty


def growing(rolls: list[Draw], **more: Any) -> Table:
    return Table(position("goods_growth", **more), rolls=rolls).settle()


def test_both_halves_are_rolled_one_after_the_other() -> None:
    """R59: as many dice each as players started."""
    table = growing(dice(1, 2, 3, 4, dark=(4, 5, 6, 6)), seats=("blue", "green", "yellow", "pink"), pink={"out": 1})
    assert [(e.half, e.dice) for e in table.told(DiceRolled)] == [("light", (1, 2, 3, 4)), ("dark", (4, 5, 6, 6))]


def test_a_roll_of_the_light_half_moves_nothing_of_the_dark_half() -> None:
    """R59, section 10."""
    display = {"L1": "red red red", "D1": "blue blue blue", "D2": "blue - -"}
    table = growing(dice(1, 1, 5, dark=(2, 6, 6)), display=display)
    assert dict(table.state.cubes) == {"L7": ("red", "red"), "Q12": ("blue",)}
    assert table.state.display["D1"] == ("blue", "blue", "blue")


def test_boxes_are_emptied_from_the_top_and_nothing_slides_up() -> None:
    """Section 10: surplus dice are ignored."""
    table = growing(dice(2, 2, 2, dark=(6, 6, 6)), display={"L2": "- red blue"})
    assert dict(table.state.cubes) == {"T5": ("red", "blue")}
    again = growing(dice(2, 5, 5, dark=(6, 6, 6)), display={"L2": "red - blue"})
    assert again.state.display["L2"] == (None, None, "blue")


def test_new_cities_grow_with_their_own_column_once_they_are_on_the_map() -> None:
    """Section 10: E grows with dark 1; columns of New Cities off the map are left alone."""
    display = {"E": "red blue", "D1": "yellow - -", "F": "red red"}
    table = growing(dice(6, 6, 6, dark=(1, 2, 2)), display=display, new_cities={"E": "N5"})
    assert dict(table.state.cubes) == {"T9": ("yellow",), "N5": ("red",)}
    assert (table.state.display["E"], table.state.display["F"]) == ((None, "blue"), ("red", "red"))


def test_production_draws_before_the_dice() -> None:
    """R58: when the phase begins, and asks where the cubes go."""
    state = position("goods_growth", blue=HOLDER, rolls=[drawn("red", "blue")])
    table = Table(state, rolls=NO_LUCK)
    assert table.asked == "blue"
    assert state.bag == {"red": 4, "blue": 4, "purple": 5, "yellow": 5, "black": 5}
    table.play("blue", "produce red>L3/2 blue>A")
    assert (table.state.display["L3"], table.state.display["A"]) == ((None, "red", None), ("blue", None))
    assert table.state.turn == 2


def test_any_empty_box_will_do_also_of_cities_that_are_not_on_the_map() -> None:
    """R58 i: columns of New Cities off the map included."""
    table = producing("red", "blue", new_cities={"A": "N5"})
    assert len(table.legal) == 52 * 51
    table.play("blue", "produce red>H/2 blue>B")
    assert (table.state.display["H"], table.state.display["B"]) == ((None, "red"), ("blue", None))


def test_the_example_of_an_order_is_the_first_place_that_is_offered() -> None:
    """R58 i: the question names an order that can be sent as it stands."""
    table = producing("red", "blue", new_cities={"A": "N5"})
    question = table.sheet.question(table.state)
    assert question.example == question.choices[0].order == table.legal[0]


@pytest.mark.parametrize(
    ("order", "why"),
    [
        ("produce red>L1 blue>L2/1", "not empty"),
        ("produce red>L2", "all drawn cubes"),
        ("produce red>L2 red>L3", "No red cube"),
        ("produce yellow>L2 red>L3", "No yellow cube"),
        ("produce red>L2/2 blue>L2/2", "not empty"),
    ],
)
def test_drawn_cubes_go_on_different_empty_boxes(order: str, why: str) -> None:
    """R58."""
    refusal = producing("red", "blue", display={"L1": "red red red", "L2": "red - -"}).refusal("blue", order)
    assert refusal.rule == "R58"
    assert why in refusal.sentence()


def test_drawn_cubes_must_be_placed() -> None:
    """R58 iii: declining is for before the draw."""
    for order in ("produce decline", "produce display"):
        assert producing("red", "blue").refusal("blue", order).rule == "R58"


def test_the_topmost_empty_box_is_meant_when_no_row_is_named() -> None:
    """R58 iv."""
    table = producing("red", "red", display={"L2": "black - -"}).play("blue", "produce any>L2 any>L2")
    assert table.state.display["L2"] == ("black", "red", "red")


def test_one_empty_box_takes_one_cube_unasked() -> None:
    """D23, A9, R58 ii."""
    state = position("goods_growth", blue=HOLDER, display=full(L3="black black -"), rolls=[drawn("red")])
    table = Table(state, rolls=NO_LUCK).settle()
    assert table.unasked == [("blue", "produce red>L3/3", "A9")]
    assert table.state.turn == 2
    assert table.state.display["L3"] == ("black", "black", "red")


def test_two_alike_cubes_for_two_boxes_are_placed_unasked_and_different_ones_are_not() -> None:
    """A9."""
    two = full(L3="black black -", A="black -")
    alike = Table(position("goods_growth", blue=HOLDER, display=two, rolls=[drawn("red", "red")]), rolls=NO_LUCK)
    assert alike.settle().unasked == [("blue", "produce red>L3/3 red>A/2", "A9")]
    other = Table(position("goods_growth", blue=HOLDER, display=two, rolls=[drawn("red", "blue")]), rolls=NO_LUCK)
    assert other.settle().asked == "blue"
    assert len(other.legal) == 2


def test_without_an_empty_box_production_does_nothing() -> None:
    """D23, A8: nothing is drawn; told once, when the phase begins."""
    table = Table(position("move_goods", blue={**HOLDER, "engine": 6}, green={"engine": 6}, display=full()))
    table.settle().play("yellow", "loco")
    assert ("blue", "produce decline", "A8") in table.unasked
    assert not table.told(CubesDrawn)


def test_with_an_empty_bag_production_does_nothing() -> None:
    """A8, R58 ii."""
    state = position("goods_growth", blue=HOLDER, bag={})
    assert Table(state).asked is None


@pytest.mark.parametrize(("bag", "count"), [({"red": 1}, 1), ({"red": 5}, 2)])
def test_at_most_what_the_bag_holds_is_drawn(bag: dict[str, int], count: int) -> None:
    """R58 ii, R5."""
    assert len(producing(*["red"] * count, bag=bag).state.scratch.drawn) == count


def test_in_the_last_turn_nothing_grows_and_nobody_is_asked() -> None:
    """R56, A10: the game ends after income reduction."""
    still = {"engine": 6, "income": 21}
    state = position("move_goods", turn=10, blue={**HOLDER, "income": 21}, green=still, yellow=still)
    table = Table(state, rolls=())
    table.play("blue", "loco")
    assert ("blue", "produce decline", "A10") in table.unasked
    assert table.state.over
    assert not table.told(DiceRolled)
    assert [table[seat].income for seat in ("blue", "green", "yellow")] == [17, 17, 17]


ASKED: Draw = {"for": ASKED_FIRST, "order": ["blue"]}
SHEETS = [RUST_BELT, sheet_of("poland"), Hungary()]
BAG = {"red": 5, "blue": 5}


def asked_first(sheet: AgeOfSteam = RUST_BELT, drawn: tuple[Draw, ...] = (), **more: Any) -> Table:
    """The holder of Production is asked before the draw; Hungary has rolled its dice before."""
    first, then = ([*NO_LUCK], []) if isinstance(sheet, Hungary) else ([], NO_LUCK)
    holder = {"action": "production"}
    state = position("goods_growth", sheet=sheet, blue=holder, rolls=[*first, ASKED], **{"bag": BAG, **more})
    return Table(state, sheet=sheet, rolls=[*drawn, *then])


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.slug)
def test_who_declines_draws_nothing_and_the_game_goes_on(sheet: AgeOfSteam) -> None:
    table = asked_first(sheet)
    bag, display = table.state.bag, table.state.display
    table.play("blue", "produce decline")
    assert [event.seat for event in table.told(ProductionDeclined)] == ["blue"]
    assert (table.state.bag, table.state.display, table.state.turn) == (bag, display, 2)
    assert table.told(CubesDrawn) == []
    assert len(table.told(DiceRolled)) == (0 if isinstance(sheet, Hungary) else 2)


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: sheet.slug)
def test_who_thinks_better_of_it_draws_and_is_asked_as_usual(sheet: AgeOfSteam) -> None:
    cubes = {"rust_belt": ["red", "blue"], "poland": ["red"], "hungary": ["red", "red", "blue", "blue"]}[sheet.slug]
    table = asked_first(sheet, ({"for": "production", "cubes": cubes},))
    assert table.legal == ("produce display", "produce decline")
    assert str(sheet.default(table.state)) == "produce display"
    question = sheet.question(table.state)
    assert (question.seat, str(question.act)) == ("blue", "Draw cubes or decline")
    assert [choice.order for choice in question.choices] == list(table.legal)
    table.play("blue", str(sheet.default(table.state)))
    assert table.asked == "blue"
    assert "produce decline" not in table.legal
    assert table.refusal("blue", "produce decline").rule


def test_other_orders_are_told_that_nothing_is_drawn_yet() -> None:
    assert "Nothing is drawn yet" in str(asked_first().refusal("blue", "produce any>L1 any>L2").why)


def test_nobody_is_asked_where_nothing_could_be_drawn() -> None:
    """A8: an empty bag, or no empty box."""
    chance = SeededChance(bytes(32), "1.1", frozenset({"blue"}))
    state = position("goods_growth", blue={"action": "production"}, bag={}, rolls=[])
    phase = RUST_BELT.phase_of(state)
    assert RUST_BELT.to_act(phase.begin(RUST_BELT, state, chance).state) is None


def test_only_the_holder_is_asked() -> None:
    chance = NotedChance(SeededChance(bytes(32), "1.1", frozenset({"green"})))
    state = position("goods_growth", bag=BAG)
    holder = state.with_player("blue", action="production")
    begun = RUST_BELT.phase_of(state).begin(RUST_BELT, holder, chance).state
    assert len(begun.scratch.drawn) == 2
    assert [note["for"] for note in chance.notes] == ["production"]


def test_a_record_says_that_somebody_was_asked_first() -> None:
    chance = NotedChance(SeededChance(bytes(32), "1.1", frozenset({"blue"})))
    assert chance.asks_first("blue")
    assert not chance.asks_first("green")
    assert chance.notes == [ASKED]
    again = LoadedChance(list(chance.notes))
    assert not again.asks_first("green")
    assert again.asks_first("blue")
    assert not again.asks_first("blue")
    with pytest.raises(ChanceMismatch):
        LoadedChance([ASKED]).dice("growth-light", 3)
