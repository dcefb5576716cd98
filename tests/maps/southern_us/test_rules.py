"""Southern U.S.: cotton and its ports, Atlanta's cubes, the turn of the war (R89 to R92)."""

from typing import Any

import pytest

from pbem.age_of_steam.events_goods import CubesGrew
from pbem.engine.chance import Draw
from tests.age_of_steam.table import Table, dice, enter, position, sheet_of

SOUTH = sheet_of("southern_us")
PORTS = {"V0": "yellow", "T4": "purple", "N14": "yellow", "K15": "purple"}
"""New Orleans, Mobile, Savannah and Charleston with the colour they take besides cotton."""
AUGUSTA, SAVANNAH, CHARLESTON, ATLANTA = "J12", "N14", "K15", "I9"
TO_SAVANNAH = {"J12": "blue @SE", "K13": "blue NW-SE", "L14": "blue NW-S"}
"""Augusta – Savannah."""
BY_CHARLESTON = {"J12": "blue @SE", "K13": "blue NW-NE", "J14": "blue SW-SE", "L14": "blue NE-S"}
"""Augusta – Charleston – Savannah."""
FROM_COLUMBIA = {**TO_SAVANNAH, "G13": "blue @S", "I13": "blue N-SW", "J12": "blue @NE,@SE"}
"""Columbia – Augusta – Savannah."""
PAST_A_CITY = {hex_: track for hex_, track in FROM_COLUMBIA.items() if hex_ != AUGUSTA}
"""The same without the town's tile, for a New City on Augusta."""


def moving(track: dict[str, str], **given: Any) -> Table:
    best = {"engine": 6}
    return Table(position("move_goods", sheet=SOUTH, track=track, **{"blue": best, "green": best} | given), sheet=SOUTH)


def moves(table: Table) -> list[str]:
    return [order for order in table.legal if order.startswith("move")]


def test_atlanta_begins_with_four_cubes_the_ports_with_three_other_cities_with_one() -> None:
    """Rule 1: 23 on Cities, 52 on the display, 21 left in the bag; no cotton among them."""
    state = Table.deal(sheet=SOUTH).state
    begin = dict.fromkeys(SOUTH.board.cities, 1) | dict.fromkeys(PORTS, 3) | {ATLANTA: 4}
    assert {label: len(state.cubes[label]) for label in SOUTH.board.cities} == begin
    assert sum(begin.values()) == 23
    assert sum(state.bag.values()) == 21
    assert "white" not in state.bag


def test_every_town_begins_with_one_cube_of_cotton() -> None:
    """Rule 1: fourteen."""
    state = Table.deal(sheet=SOUTH).state
    cotton = {label: cubes for label, cubes in state.cubes.items() if "white" in cubes}
    assert cotton == dict.fromkeys(SOUTH.board.towns, ("white",))
    assert len(cotton) == 14


def test_the_four_ports_take_cotton_besides_their_own_colour() -> None:
    """Rule 3."""
    state = Table.deal(sheet=SOUTH).state
    taken = {label: SOUTH.accepts(state, label) for label in SOUTH.board.cities}
    assert {label: colours for label, colours in taken.items() if "white" in colours} == {
        label: (colour, "white") for label, colour in PORTS.items()
    }


def test_cotton_is_delivered_from_its_town_and_gives_its_mover_one_more() -> None:
    """Rules 2 and 4: one link of the mover's own is worth 2."""
    table = moving(TO_SAVANNAH, cubes={AUGUSTA: "white"})
    assert moves(table) == ["move white J12 > N14"]
    table.play("blue", "move white J12 > N14")
    assert (table["blue"].income, table["green"].income) == (5 + 2, 5)


def test_the_bonus_is_the_movers_also_without_a_link_of_the_movers_own() -> None:
    """R89: the owner of the link gains 1, the mover 1."""
    table = moving(TO_SAVANNAH, cubes={AUGUSTA: "white"}, order=("green", "blue", "yellow"))
    table.play("green", "move white J12 > N14")
    assert (table["blue"].income, table["green"].income) == (6, 6)


def test_the_question_tells_the_same_gains() -> None:
    """R89."""
    table = moving(TO_SAVANNAH, cubes={AUGUSTA: "white"})
    (choice,) = [choice for choice in SOUTH.question(table.state).choices if choice.order.startswith("move")]
    assert dict(choice.gains) == {"blue": 2}


def test_other_cubes_give_nothing_more() -> None:
    """Rule 4: the bonus is for cotton."""
    track = {"L14": "blue NE-S"}
    table = moving(track, cubes={CHARLESTON: "yellow"}).play("blue", "move yellow K15 > N14")
    assert table["blue"].income == 6
    assert table.state.bag["yellow"] == 6
    assert not table.state.gone


def test_delivered_cotton_leaves_the_game() -> None:
    """Rule 4: it does not go to the bag."""
    table = moving(TO_SAVANNAH, cubes={AUGUSTA: "white"}, bag={"red": 3}).play("blue", "move white J12 > N14")
    assert dict(table.state.bag) == {"red": 3}
    assert dict(table.state.gone) == {"white": 1}
    assert not table.state.cubes.get(AUGUSTA)


def test_cotton_stops_at_the_first_port() -> None:
    """Rule 3: Charleston lies on the way to Savannah."""
    table = moving(BY_CHARLESTON, cubes={AUGUSTA: "white"})
    assert moves(table) == ["move white J12 > K15"]
    assert "must stop" in table.refusal("blue", "move white J12 > K15 > N14").sentence()


def test_other_cities_and_towns_let_cotton_pass() -> None:
    """Rules 2 and 3: a New City on Augusta takes none of it."""
    over_a_town = moving(FROM_COLUMBIA, cubes={"G13": "white"})
    assert moves(over_a_town) == ["move white G13 > J12 > N14"]
    table = moving(PAST_A_CITY, cubes={"G13": "white"}, new_cities={"A": AUGUSTA})
    assert moves(table) == ["move white G13 > J12 > N14"]
    assert table.play("blue", "move white G13 > J12 > N14")["blue"].income == 5 + 3


def test_a_new_city_keeps_the_cotton_of_its_town() -> None:
    """Rule 2: and it is delivered from there."""
    table = Table(
        position("build_track", sheet=SOUTH, blue={"action": "urbanization"}, cubes={AUGUSTA: "white"}), sheet=SOUTH
    )
    table.play("blue", "build city A J12")
    assert table.state.cubes[AUGUSTA] == ("white",)
    city = moving({"K13": "blue NW-SE", "L14": "blue NW-S"}, cubes={AUGUSTA: "white"}, new_cities={"A": AUGUSTA})
    assert moves(city) == ["move white J12 > N14"]


def test_cotton_of_a_town_without_track_cannot_be_delivered() -> None:
    """R90: there is no link to leave by."""
    table = moving({"L14": "blue NE-S"}, cubes={AUGUSTA: "white", CHARLESTON: "yellow"})
    assert moves(table) == ["move yellow K15 > N14"]
    assert "no link" in table.refusal("blue", "move white J12 > N14").sentence()


ROLLS: list[Draw] = [{"for": "extra", "cubes": ["red"]}, *dice(6, 6, 6, dark=(6, 6, 6))]


@pytest.mark.parametrize(("turn", "cubes"), [(1, 1), (3, 1), (4, 1), (5, 0), (9, 0)])
def test_atlanta_receives_one_cube_in_turns_one_to_four(turn: int, cubes: int) -> None:
    """Rule 5."""
    rolls = ROLLS if cubes else ROLLS[1:]
    table = Table(position("goods_growth", sheet=SOUTH, turn=turn), sheet=SOUTH, rolls=rolls).settle()
    assert len(table.state.cubes.get(ATLANTA, ())) == cubes
    assert sum(table.state.bag.values()) == 25 - cubes
    assert [event.label for event in table.told(CubesGrew)] == [ATLANTA] * cubes


def test_atlantas_cube_is_drawn_after_production_and_before_the_dice() -> None:
    """R91: Production is asked first; L1 of the display would feed nobody with a roll of 6 alone."""
    drawn: Draw = {"for": "production", "cubes": ["blue", "black"]}
    holder = {"action": "production"}
    table = Table(position("goods_growth", sheet=SOUTH, blue=holder, rolls=[drawn]), sheet=SOUTH, rolls=ROLLS)
    assert ATLANTA not in table.settle().state.cubes
    table.play("blue", "produce blue>L1/1 black>L1/2")
    assert table.state.cubes[ATLANTA] == ("red",)


TWICE = {10: 10, 11: 7, 20: 16, 21: 13, 30: 22, 31: 19, 41: 25, 49: 33, 50: 30, 60: 40}
ONCE = {10: 10, 11: 9, 20: 18, 21: 17, 30: 26, 31: 25, 41: 33, 49: 41, 50: 40, 60: 50}


@pytest.mark.parametrize("turn", [3, 4, 5])
@pytest.mark.parametrize("income", TWICE)
def test_income_reduction_is_doubled_in_turn_four_alone(turn: int, income: int) -> None:
    """R92: twice the table, income 11 to 7 and 50 to 30; not from turn 4 on."""
    state = enter(position(sheet=SOUTH, turn=turn, blue={"income": income}), "income_reduction", rules=SOUTH)
    assert state.players["blue"].income == (TWICE if turn == 4 else ONCE)[income]


def test_the_notes_beside_the_board_say_it() -> None:
    """Rules 3 to 6 in the words of players."""
    notes = list(map(str, SOUTH.notes))
    assert "Turns 1 to 4: Atlanta receives one cube from the bag." in notes
    assert "Turn 4: income reduction is doubled." in notes
