"""Poland: rulings R118 to R120, case D34."""

from typing import Any

import pytest

from pbem.age_of_steam.state import State
from pbem.engine.chance import Draw
from tests.age_of_steam.table import Table, dice, position, sheet_of

POLAND = sheet_of("poland")
WARSAW, OSTROTEKA, LUKOW, OPOLE = "K10", "H11", "L13", "R5"
TO_TWO_TOWNS = {"J11": "blue SW-N", "L11": "blue NW-SE", "M12": "blue NW-NE"}
"""Blue's sections from Warsaw, pointing at Ostrołęka and at Łuków."""
NO_LUCK = dice(6, 6, 6, dark=(6, 6, 6))
NO_BLACK = {"red": 5, "blue": 5}


def at(phase: str = "build_track", **more: Any) -> State:
    return position(phase, sheet=POLAND, **more)


def drawn(cube: str) -> Draw:
    return {"for": "production", "cubes": [cube]}


def producing(cube: str, **more: Any) -> Table:
    state = at("goods_growth", blue={"action": "production"}, rolls=[drawn(cube)], **{"bag": NO_BLACK, **more})
    return Table(state, sheet=POLAND, rolls=NO_LUCK)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_three_cities_begin_with_three_cubes(players: int) -> None:
    """Section 13.8: 27 cubes on the map, 17 left in the bag."""
    table = Table.deal(players, sheet=POLAND)
    three = {"Warsaw", "Wrocław", "Gdańsk"}
    assert {label: len(cubes) for label, cubes in table.state.cubes.items()} == {
        label: 3 if city.name in three else 2 for label, city in POLAND.board.cities.items()
    }
    assert sum(table.state.bag.values()) == 17


@pytest.mark.parametrize(("step", "price"), [("V7 N-NW", 6), ("S6 SE-NW", 2)])
def test_high_mountains_cost_6(step: str, price: int) -> None:
    """Section 13.8."""
    assert Table(at(), sheet=POLAND).paid("blue", f"build {step}") == price


def test_swamps_cost_4() -> None:
    """Section 13.8: a crossing there $6."""
    track = {"J11": "blue SW-N", OSTROTEKA: "blue @S,@N", "E12": "blue S-SW"}
    table = Table(at(track=track), sheet=POLAND)
    assert table.paid("blue", "build F11 S-N") == 4


def test_two_untouched_towns_in_one_turn_pay_twice() -> None:
    """R118, D34: whatever their exits, in addition to what else they are worth."""
    table = Table(at(track=TO_TWO_TOWNS), sheet=POLAND)
    table.play("blue", "build Ostroteka @S; Lukow @SW,NE")
    assert (table["blue"].income, table["blue"].cash) == (7, 30 - 2 - 3)
    assert "Blue connected H11: income 6." in [str(event.text()) for event in table.events]


def test_track_that_points_at_an_untiled_town_pays_nothing() -> None:
    """R118, D34."""
    table = Table(at(), sheet=POLAND).play("blue", "build J11 SW-N")
    assert table["blue"].income == 5


def test_further_exits_and_new_cities_pay_nothing() -> None:
    """R118: once per town; a town that was urbanized untouched never pays."""
    state = at(track={**TO_TWO_TOWNS, OSTROTEKA: "blue @S"}, blue={"action": "urbanization"})
    table = Table(state, sheet=POLAND).play("blue", "build city A Lukow; Ostroteka @N")
    assert table["blue"].income == 5


def test_production_puts_one_seen_cube_on_a_town() -> None:
    """R119: without track too; it must be placed."""
    table = producing("red", new_cities={"A": LUKOW}, cubes={OPOLE: "blue"})
    assert set(table.legal) == {f"produce {town}" for town in POLAND.board.towns if town != LUKOW}
    for order, why in (("produce decline", "drawn and must be placed"), ("produce Lukow", "not a town without")):
        assert why in table.refusal("blue", order).sentence()
    table.play("blue", "produce Opole")
    assert table.state.cubes == {OPOLE: ("blue", "red")}
    assert table.state.turn == 2


def test_production_needs_no_empty_box_but_a_cube() -> None:
    """R119, A8."""
    full = {column: " ".join(["black"] * count) for column, count in POLAND.display_boxes().items()}
    assert producing("red", display=full).asked == "blue"
    state = at("goods_growth", blue={"action": "production"}, bag={})
    assert Table(state, sheet=POLAND).asked is None


def test_production_may_go_to_cities_by_an_option() -> None:
    """R119: New Cities included, towns not."""
    table = producing("red", new_cities={"A": LUKOW}, options={"poland_production": "city"})
    assert set(table.legal) == {f"produce city {city}" for city in (*POLAND.board.cities, LUKOW)}
    assert "is not a City" in table.refusal("blue", "produce Opole").sentence()
    assert "Production: one cube from the bag onto any City." in POLAND.scene(table.state).notes
    table.play("blue", "produce city Warsaw")
    assert table.state.cubes == {WARSAW: ("red",)}


def test_when_the_time_ends_the_cube_goes_on_the_first_town() -> None:
    """R119, turn_prompts section 3."""
    table = producing("red")
    table.play("blue", str(POLAND.default(table.state)))
    assert table.state.cubes == {"E0": ("red",)}


def test_a_cube_on_a_town_is_delivered_from_there() -> None:
    """R119."""
    track = {"J11": "blue SW-N", OSTROTEKA: "blue @S"}
    table = Table(at("move_goods", track=track, cubes={OSTROTEKA: "blue"}), sheet=POLAND)
    table.play("blue", "move blue Ostroteka > Warsaw")
    assert table["blue"].income == 6


def test_a_new_city_keeps_the_cubes_of_its_town() -> None:
    """R119."""
    state = at(blue={"action": "urbanization"}, cubes={OPOLE: "blue red"})
    table = Table(state, sheet=POLAND).play("blue", "build city A Opole")
    assert table.state.cubes == {OPOLE: ("blue", "red")}


def test_warsaw_receives_a_black_cube_after_production_and_before_the_dice() -> None:
    """R120: looked for, not drawn."""
    table = producing("red", bag={"red": 5, "black": 2})
    assert "K10" not in table.state.cubes
    table.play("blue", "produce Opole")
    assert table.state.cubes == {OPOLE: ("red",), WARSAW: ("black",)}
    assert table.state.bag == {"red": 4, "black": 1}
    told = [type(event).__name__ for event in table.events]
    assert told.index("CubesPlaced") < told.index("CubesGrew") < told.index("DiceRolled")


def test_without_a_black_cube_in_the_bag_warsaw_receives_none() -> None:
    """R120."""
    table = producing("red").play("blue", "produce Opole")
    assert WARSAW not in table.state.cubes
