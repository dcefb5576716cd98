"""St. Lucia: R104 to R110, D33, D55."""

from typing import Any

import pytest

from maps.st_lucia.rules import Alternation, Decline, FirstPlaceBought, FirstPlaceDeclined, Pay, StLucia
from pbem.age_of_steam.events import OrderSet
from pbem.age_of_steam.events_goods import Delivered
from pbem.engine import replace
from pbem.engine.chance import LoadedChance
from tests.age_of_steam.table import Table, position

ST_LUCIA = StLucia()
CITIES = {"B": "K0", "E": "O0"}
"""New City B (blue) on Anse La Raye, E (yellow) on Anse Chastenet."""
SHORT = {"M0": "blue N-S"}
"""K0 - O0 over the river."""
LONG = {"L1": "blue NW-S", "N1": "blue N-SW"}
"""K0 - O0 inland."""


def two(phase: str, *, drawn: str = "blue", **more: Any) -> Table:
    state = position(phase, sheet=ST_LUCIA, seats=("blue", "green"), extra=Alternation(drawn), **more)
    return Table(state, sheet=ST_LUCIA).settle()


def moving(track: dict[str, str], cubes: dict[str, str], **more: Any) -> Table:
    return two("move_goods", track=track, cubes=cubes, new_cities=CITIES, **more)


def deliveries(table: Table) -> set[str]:
    return {order.removeprefix("move ") for order in table.legal if order.startswith("move ")}


def test_every_plain_and_river_hex_begins_with_a_cube() -> None:
    """R109: 38 cubes, none on towns and mountains; 58 are left in the bag, the display is not used."""
    table = Table.deal(2, sheet=ST_LUCIA)
    land = {label: hex_.terrain for label, hex_ in ST_LUCIA.board.hexes.items() if label not in ST_LUCIA.board.towns}
    assert set(table.state.cubes) == {label for label, terrain in land.items() if terrain != "mountain"}
    assert len(table.state.cubes) == 38
    assert sum(table.state.bag.values()) == 58
    assert not any(any(boxes) for boxes in table.state.display.values())


def test_nobody_can_build_before_a_new_city_is_on_the_map() -> None:
    """R104: track needs a City to start from."""
    table = two("build_track", green={"action": "urbanization"})
    assert ("blue", "build nothing", "A6") in table.unasked
    assert table.asked == "green"
    assert all(step.startswith("city ") for step in table.steps)
    assert {step.split()[1] for step in table.steps} == set("ABCDEFGH")


def test_after_that_any_player_may_start_from_it() -> None:
    """R104."""
    table = two("build_track", new_cities=CITIES)
    assert table.asked == "blue"
    table.play("blue", "build M0 N-S").play("green", "build L1 NW-S; N1 N-SW")
    assert table.links == {(frozenset({"K0", "O0"}), "blue"), (frozenset({"K0", "O0"}), "green")}


def test_the_players_take_turns_as_nominal_first_player() -> None:
    """R105: by the number of the turn, whoever really went first."""
    for turn in range(1, 9):
        table = two("turn_order", turn=turn, order=("green", "blue"))
        assert table.asked == ("blue" if turn % 2 else "green")


def test_the_player_drawn_is_the_nominal_first_player_of_turn_1() -> None:
    """R105."""
    table = Table.deal(2, sheet=ST_LUCIA)
    assert table.state.extra == Alternation(table.state.order[0])
    assert (table.state.phase, table.asked) == ("turn_order", table.state.order[0])


def test_turn_order_overrides_one_turn_and_does_not_shift_the_alternation() -> None:
    """R105: blue holds it for turn 2 and is the nominal first player of turn 3 all the same."""
    assert two("turn_order", turn=2, blue={"action": "turn-order"}).asked == "blue"
    assert two("turn_order", turn=3, order=("blue", "green")).asked == "blue"


def test_the_holder_of_turn_order_still_has_to_pay() -> None:
    """13.6."""
    table = two("turn_order", turn=2, blue={"action": "turn-order"}).play("blue", "decline").play("green", "pay")
    assert table.state.order == ("green", "blue")


def test_the_nominal_first_player_may_pay_to_be_first() -> None:
    """13.6: the other is not asked then."""
    table = two("turn_order").play("blue", "pay")
    assert (table.state.order, table["blue"].cash, table["green"].cash) == (("blue", "green"), 25, 30)
    assert table.told(FirstPlaceBought) == [FirstPlaceBought("blue", 5)]
    assert (table.state.phase, table.asked) == ("issue_shares", "blue")


def test_if_the_nominal_first_player_does_not_pay_the_other_may() -> None:
    """13.6."""
    table = two("turn_order").play("blue", "decline")
    assert table.told(FirstPlaceDeclined) == [FirstPlaceDeclined("blue")]
    table.play("green", "pay")
    assert (table.state.order, table["green"].cash) == (("green", "blue"), 25)
    assert table.told(OrderSet) == [OrderSet(("green", "blue"))]


def test_if_nobody_pays_the_nominal_first_player_is_first_for_nothing() -> None:
    """13.6."""
    table = two("turn_order", turn=2, order=("blue", "green")).play("green", "decline").play("blue", "decline")
    assert table.state.order == ("green", "blue")
    assert (table["blue"].cash, table["green"].cash) == (30, 30)


def test_with_less_than_five_dollars_nobody_is_asked() -> None:
    """R106: in turn 1 too."""
    table = two("turn_order", blue={"cash": 4})
    assert table.unasked == [("blue", "decline", "A12")]
    assert (table.asked, table.legal) == ("green", ("decline", "pay"))
    both = two("turn_order", blue={"cash": 4}, green={"cash": 0})
    assert both.unasked == [("blue", "decline", "A12"), ("green", "decline", "A12")]
    assert both.state.phase == "issue_shares"


def test_five_dollars_pay_for_the_first_place() -> None:
    """R106: in turn 1 as later."""
    for turn in (1, 2):
        table = two("turn_order", turn=turn, blue={"cash": 5}, green={"cash": 4})
        assert (table.asked, table.legal) == ("blue", ("decline", "pay"))
        assert table.play("blue", "pay")["blue"].cash == 5 - 5


def test_the_question_says_what_declining_leads_to() -> None:
    table = two("turn_order")
    question = ST_LUCIA.question(table.state)
    assert [choice.order for choice in question.choices] == list(table.legal)
    assert str(question.choices[0].effect) == "Green may then pay $5 to be first; if not, you are."
    table.play("blue", "decline")
    assert str(ST_LUCIA.question(table.state).choices[0].effect) == "Blue is first without paying."
    assert str(ST_LUCIA.default(table.state)) == "decline"


def test_a_cube_on_an_unfinished_section_pays_its_owner() -> None:
    """R107, D33: one hex from a New City of its colour, delivered by another player with engine 1."""
    table = moving({"M0": "green N-SE"}, {"M0": "blue"})
    assert deliveries(table) == {"blue at M0(green) N > K0"}
    table.play("blue", "move blue at M0 > K0")
    assert (table["green"].income, table["blue"].income) == (6, 5)


def test_the_stretch_counts_as_one_link_for_the_engine() -> None:
    """R107: two links need an engine of two."""
    track = {**LONG, "M0": "green N-S"}
    assert deliveries(moving(track, {"L1": "yellow"})) == {"yellow at L1(blue) S > O0"}
    table = moving(track, {"L1": "yellow"}, blue={"engine": 2})
    assert "yellow at L1(blue) NW > K0 > O0(green)" in deliveries(table)
    table.play("blue", "move yellow at L1(blue) NW > K0 > O0(green)")
    assert (table["blue"].income, table["green"].income) == (6, 6)


def test_the_mover_chooses_the_track_of_a_crossing() -> None:
    """R107: the owner of that piece earns."""
    table = moving({"L1": "blue NW-S; green SW-N", "N1": "blue N-SW", "M0": "green NE-N"}, {"L1": "blue"})
    assert deliveries(table) == {"blue at L1(blue) NW > K0", "blue at L1(green) SW > K0"}
    table.play("blue", "move blue at L1(green) SW > K0")
    assert (table["green"].income, table["blue"].income) == (6, 5)


def test_without_words_on_the_track_the_mover_uses_the_own_piece() -> None:
    """R49 for the first stretch."""
    table = moving({"L1": "blue NW-S; green SW-N", "N1": "blue N-SW", "M0": "green NE-N"}, {"L1": "blue"})
    table.play("blue", "move blue at L1 > K0")
    assert (table["green"].income, table["blue"].income) == (5, 6)


def test_an_ownerless_stretch_pays_nobody() -> None:
    """R107."""
    table = moving({"M0": "nobody N-SE"}, {"M0": "blue"})
    table.play("blue", "move blue at M0(nobody) N > K0")
    assert (table["green"].income, table["blue"].income) == (5, 5)


def test_track_that_is_not_there_is_refused() -> None:
    """R107: no piece of green's, no way by this side."""
    table = moving(SHORT, {"M0": "blue"})
    assert table.refusal("blue", "move blue at M0(green) N > K0").rule == "Move Goods"
    assert table.refusal("blue", "move blue at M0 S > K0").rule == "Move Goods"
    assert table.refusal("blue", "move blue at N1 > K0").rule == "Move Goods"


def test_the_bonus_is_an_option() -> None:
    """R107 b: the stretch pays its owner one more."""
    table = moving({"M0": "green N-SE"}, {"M0": "blue"}, options={"partial_link_bonus": "yes"})
    table.play("blue", "move blue at M0(green) N > K0")
    assert table["green"].income == 7


def test_a_cube_runs_back_over_a_parallel_link() -> None:
    """R108, D55: of the same owner; over the link it lay on it may not."""
    table = moving({**SHORT, **LONG}, {"M0": "yellow"}, blue={"engine": 2})
    assert deliveries(table) == {"yellow at M0(blue) S > O0", "yellow at M0(blue) N > K0 > O0"}
    table.play("blue", "move yellow at M0(blue) N > K0 > O0")
    assert table["blue"].income == 7
    (event,) = table.told(Delivered)
    assert {piece.hex for piece in event.pieces} == {"M0", "L1", "N1"}
    alone = moving(SHORT, {"M0": "yellow"}, blue={"engine": 2})
    assert deliveries(alone) == {"yellow at M0(blue) S > O0"}
    assert "used only once" in alone.refusal("blue", "move yellow at M0(blue) N > K0 > O0").sentence()


@pytest.mark.parametrize(("order", "income"), [("M0 S to O0", 6), ("M0(blue) N to O0", 7)])
def test_an_order_with_to_respects_the_way_the_cube_leaves(order: str, income: int) -> None:
    table = moving({**SHORT, **LONG}, {"M0": "yellow"}, blue={"engine": 2})
    table.play("blue", f"move yellow at {order}")
    assert table["blue"].income == income


def test_a_replaced_tile_keeps_the_cube_of_its_hex() -> None:
    """R109."""
    table = two("build_track", new_cities=CITIES, track=SHORT, cubes={"M0": "red"}, order=("green", "blue"))
    table.play("green", "build L1 NW-SW; M0 NE-SE")
    assert len(table.state.track["M0"]) == 2
    assert table.state.cubes == {"M0": ("red",)}


def test_delivered_cubes_go_to_the_bag_and_none_come_back() -> None:
    """R110: there is no goods growth."""
    table = moving(SHORT, {"M0": "blue"}, bag={"red": 1}, blue={"engine": 6}, green={"engine": 6})
    table.play("blue", "move blue at M0(blue) N > K0")
    assert table.state.bag == {"red": 1, "blue": 1}
    assert (table.state.turn, table.state.phase, table.state.cubes) == (2, "turn_order", {"M0": ()})


def test_the_turn_begins_with_the_order_of_players_and_has_no_growth_and_no_production() -> None:
    """13.6."""
    assert [phase.name for phase in ST_LUCIA.phases] == [
        "turn_order",
        "issue_shares",
        "select_actions",
        "build_track",
        "move_goods",
        "collect_income",
        "pay_expenses",
        "income_reduction",
    ]
    assert "action production" not in two("select_actions").legal
    assert ST_LUCIA.turns(2) == 8


def test_a_player_with_less_than_five_dollars_cannot_pay() -> None:
    """R106, whoever asks; the phase itself asks only those who can (A12)."""
    table = two("turn_order", green={"cash": 4}, blue={"cash": 5})
    phase = ST_LUCIA.phase_of(table.state)
    assert phase.refuse(ST_LUCIA, table.state, "blue", Pay()) is None
    refusal = phase.refuse(ST_LUCIA, table.state, "green", Pay())
    assert refusal is not None
    assert refusal.rule == "R106"
    assert phase.refuse(ST_LUCIA, table.state, "green", Decline()) is None
    assert phase.legal(ST_LUCIA, table.state, "green") == [Decline()]
    assert phase.legal(ST_LUCIA, table.state, "blue") == [Decline(), Pay()]


def test_who_was_drawn_first_stays_so_whoever_pays() -> None:
    """R105: turn 2 begins in the order of turn 1."""
    state = two("turn_order", turn=2, order=("green", "blue")).state
    assert ST_LUCIA.on_turn(replace(state, order=("green", "blue")), LoadedChance([])).state.extra == Alternation(
        "blue"
    )
    first = replace(state, turn=1, order=("green", "blue"))
    assert ST_LUCIA.on_turn(first, LoadedChance([])).state.extra == Alternation("green")
