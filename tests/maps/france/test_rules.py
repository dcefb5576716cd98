"""France: rulings R111 to R117a, cases D35 to D37."""

from typing import Any

import pytest

from pbem.age_of_steam.phases.goods_growth import empty_boxes
from pbem.age_of_steam.state import State
from pbem.engine.chance import Draw
from tests.age_of_steam.table import SIX, Table, dice, enter, position, sheet_of

FRANCE = sheet_of("france")
PARIS, LYON, DIJON = "G7", "P10", "K11"
TO_S9 = {"Q9": "blue NE-S", "R10": "blue N-SW"}
"""Two sections of blue from Lyon over difficult land, both pointing at the very difficult S9."""
NO_LUCK = dice(6, 6, 6, dark=(6, 6, 6))
FULL = {column: " ".join(["black"] * count) for column, count in FRANCE.display_boxes().items()}


def drawn(*cubes: str) -> Draw:
    return {"for": "production", "cubes": list(cubes)}


def at(phase: str = "build_track", **more: Any) -> State:
    return position(phase, sheet=FRANCE, **more)


def producing(*rolls: Draw, **more: Any) -> Table:
    """Blue holds Production and nothing is drawn yet."""
    state = at("goods_growth", blue={"action": "production"}, **more)
    return Table(state, sheet=FRANCE, rolls=[*rolls, *NO_LUCK])


@pytest.mark.parametrize("players", [3, 4])
def test_the_printed_setup_is_the_default(players: int) -> None:
    """R111, D36: two cubes in every City, Paris too, one on every town, $20, 14 cubes left."""
    table = Table.deal(players, sheet=FRANCE)
    assert {len(table.state.cubes[city]) for city in FRANCE.board.cities} == {2}
    assert {len(table.state.cubes[town]) for town in FRANCE.board.towns} == {1}
    assert sum(table.state.bag.values()) == 14
    assert {(p.cash, p.shares) for p in table.state.players.values()} == {(20, 2)}


def test_the_reported_setup_is_an_option() -> None:
    """R111, D36: Paris eight cubes, towns none, $10, 24 cubes left."""
    table = Table.deal(3, sheet=FRANCE, france_setup="reported")
    assert {city: len(cubes) for city, cubes in table.state.cubes.items()} == {
        city: 8 if city == PARIS else 2 for city in FRANCE.board.cities
    }
    assert sum(table.state.bag.values()) == 24
    assert {p.cash for p in table.state.players.values()} == {10}


def test_three_or_four_players_play_ten_or_eight_turns() -> None:
    """Section 13.7."""
    assert [(n, FRANCE.turns(n)) for n in FRANCE.player_counts()] == [(3, 10), (4, 8)]


def test_a_cube_on_a_town_is_delivered_like_one_on_a_city() -> None:
    """R112."""
    track = {"M11": "blue N-SW", DIJON: "blue @S", "N10": "blue NE-S"}
    table = Table(at("move_goods", track=track, cubes={DIJON: "purple"}), sheet=FRANCE)
    table.play("blue", "move purple Dijon > Lyon")
    assert (table["blue"].income, table.state.cubes[DIJON]) == (6, ())


def test_a_new_city_sends_the_cube_of_its_town_into_the_bag() -> None:
    """R111, section 13.7."""
    state = at(blue={"action": "urbanization"}, cubes={DIJON: "purple"}, bag={"red": 1})
    table = Table(state, sheet=FRANCE).play("blue", "build city A Dijon")
    assert DIJON not in table.state.cubes
    assert table.state.bag == {"red": 1, "purple": 1}
    assert "Back into the bag from K11: purple." in [str(event.text()) for event in table.events]


def test_the_engineer_lays_three_tiles() -> None:
    """R113."""
    assert FRANCE.tile_limit(at(blue={"action": "engineer"}), "blue") == 3


def test_only_the_engineer_builds_on_difficult_land() -> None:
    """R117, D37: laying, replacing and turning, by anyone else, for any price."""
    table = Table(at(track=TO_S9), sheet=FRANCE)
    for step in ("O9 SE-N", "R10 N-S", "S9 N-S", "Q9 N-NW"):
        assert table.refusal("blue", f"build {step}").rule == "R117"
    assert {FRANCE.board.hexes[step.split()[0]].terrain for step in table.steps} <= {"plain", "river"}


def test_track_may_point_at_difficult_land_and_may_be_used_there_by_all() -> None:
    """R117."""
    table = Table(at(), sheet=FRANCE).play("blue", "build N10 S-NW; M9 SE-S")
    assert table.owner("M9", "SE-S") == "blue"
    track = {"O9": "blue SE-SW", "P8": "blue @NE"}
    state = at("move_goods", track=track, cubes={"P8": "purple"}, order=("green", "blue", "yellow"))
    table = Table(state, sheet=FRANCE).play("green", "move purple Clermont > Lyon")
    assert table["blue"].income == 6


@pytest.mark.parametrize(
    ("track", "step", "price"),
    [({}, "R10 N-S", 2), (TO_S9, "S9 N-S", 4), (TO_S9, "S9 N-S,NE-SW", 6), (TO_S9, "S9 N-NW,NE-S", 5)],
)
def test_the_engineer_pays_for_difficult_land_by_its_colour(track: dict[str, str], step: str, price: int) -> None:
    """D37, R117: simple $2 and $4, coexisting +1, crossing +2."""
    state = at(track=track, blue={"action": "engineer"})
    assert Table(state, sheet=FRANCE).paid("blue", f"build {step}") == price


def test_in_turn_1_two_players_may_take_urbanization() -> None:
    """R115: it leaves the list only when the second one has taken it."""
    table = Table(at("select_actions", turn=1, seats=SIX[:4]), sheet=FRANCE)
    table.play("blue", "action urbanization").play("green", "action engineer")
    assert "action urbanization" in table.legal
    table.play("yellow", "action urbanization")
    assert "action urbanization" not in table.legal
    assert table.refusal("pink", "action urbanization").rule == "R19"


def test_from_turn_2_on_one_player_takes_urbanization() -> None:
    """R115."""
    table = Table(at("select_actions", turn=2), sheet=FRANCE).play("blue", "action urbanization")
    assert "action urbanization" not in table.legal


def test_urbanization_leaves_two_tiles_with_or_without_a_new_city() -> None:
    """R115, D37: both holders place a New City, the earlier builder with the first choice."""
    holders: dict[str, Any] = {"blue": {"action": "urbanization"}, "green": {"action": "urbanization"}}
    table = Table(at(**holders), sheet=FRANCE)
    assert table.refusal("blue", "build N10 S-N; L10 S-N; J10 S-N").rule == "Building Track"
    table.play("blue", "build city A Dijon; N10 S-N; L10 S-N")
    assert table.refusal("green", "build city A Reims").rule == "New City Tiles"
    table.play("green", "build city B Reims")
    assert table.state.new_cities == {"A": "K11", "B": "F10"}


def test_production_goes_straight_onto_a_named_city() -> None:
    """R114: two cubes, Paris and New Cities included, the City named before drawing."""
    table = producing(drawn("red", "black"), new_cities={"A": DIJON})
    assert table.legal == (
        "produce display",
        *(f"produce city {city}" for city in (*FRANCE.board.cities, DIJON)),
        "produce decline",
    )
    table.play("blue", "produce city Paris")
    assert table.state.cubes == {PARIS: ("red", "black")}
    assert (sum(table.state.bag.values()), table.state.turn) == (23, 2)


def test_production_cannot_name_a_town() -> None:
    """R114."""
    assert producing().refusal("blue", "produce Dijon").rule == "R114"


def test_a_bag_with_one_cube_gives_one() -> None:
    """R114."""
    table = producing(drawn("red"), bag={"red": 1}).play("blue", "produce city Lyon")
    assert table.state.cubes == {LYON: ("red",)}


def test_the_form_is_chosen_before_anything_is_drawn() -> None:
    """R114a: then the cubes of the usual form must be placed."""
    table = producing(drawn("red", "blue"))
    assert table.state.bag == {"red": 5, "blue": 5, "purple": 5, "yellow": 5, "black": 5}
    question = FRANCE.question(table.state)
    assert (question.form, question.example) == ("choices", "produce display")
    assert str(question.otherwise) == "they go on the topmost empty boxes"
    table.play("blue", "produce display")
    assert FRANCE.question(table.state).form == "boxes"
    for order in ("produce decline", "produce city Lyon", "produce display"):
        assert table.refusal("blue", order).rule == "R114a"
    table.play("blue", "produce red>L1 blue>E/2")
    assert (table.state.display["L1"][0], table.state.display["E"][1]) == ("red", "blue")


def test_production_may_be_declined() -> None:
    """R114a."""
    table = producing().play("blue", "produce decline")
    assert (sum(table.state.bag.values()), table.state.turn) == (25, 2)


def test_a_rule_of_boxes_implies_the_usual_form() -> None:
    """R114a, P7: so does the order that is played when the time ends."""
    table = producing(drawn("red", "blue"))
    assert table.refusal("blue", "produce red>L1 blue>L2").rule == "R58"
    default = str(FRANCE.default(table.state))
    assert default == "produce any>L1/1 any>L2/1"
    table.play("blue", default)
    assert (table.state.display["L1"][0], table.state.display["L2"][0]) == ("red", "blue")


def test_a_full_display_leaves_the_direct_form() -> None:
    """R114a."""
    table = producing(drawn("red", "blue"), display=FULL)
    assert not empty_boxes(table.state)
    assert "produce display" not in table.legal
    assert table.refusal("blue", "produce display").rule == "R114a"
    assert str(FRANCE.default(table.state)) == "produce decline"
    table.play("blue", "produce city Lyon")
    assert table.state.cubes[LYON][:2] == ("red", "blue")


def test_with_an_empty_bag_nothing_is_asked() -> None:
    """R114a, A8."""
    assert producing(bag={}).asked is None


def test_paris_takes_four_colours_and_lets_black_pass() -> None:
    """Section 13.7: the four must stop there."""
    track = {"E5": "blue @SE", "F6": "blue NW-SE", "F8": "blue SW-NE", "E9": "blue SW-SE"}
    state = at("move_goods", track=track, cubes={"E5": "black red"}, new_cities={"C": "F10"}, blue={"engine": 2})
    assert set(FRANCE.accepts(state, PARIS)) == {"red", "blue", "purple", "yellow"}
    table = Table(state, sheet=FRANCE)
    moves = {order for order in table.legal if order.startswith("move")}
    assert moves == {"move red E5 > G7", "move black E5 > G7 > F10"}


def test_every_dark_die_feeds_paris() -> None:
    """R116: from the column of its number; E to H feed their New Cities."""
    display = {"D1": "red - -", "D4": "blue yellow -", "H": "purple -"}
    state = at("goods_growth", display=display, new_cities={"H": DIJON})
    table = Table(state, sheet=FRANCE, rolls=dice(6, 6, 6, dark=(4, 4, 1))).settle()
    assert table.state.cubes == {PARIS: ("red", "blue", "yellow"), DIJON: ("purple",)}


def test_income_never_falls_below_0() -> None:
    """R117a, D35: what is still missing is forgiven and the player stays."""
    state = at("move_goods", blue={"cash": 0, "income": 2, "shares": 7, "engine": 2})
    for phase in ("collect_income", "pay_expenses"):
        state = enter(state, phase, rules=FRANCE)
    assert (state.players["blue"].cash, state.players["blue"].income) == (0, 0)
    assert "blue" in state.order


def test_with_a_full_display_nothing_is_drawn_when_the_time_ends() -> None:
    """R114a: a City is a choice, and nobody makes it for the player."""
    full = {column: " ".join(["black"] * count) for column, count in FRANCE.display_boxes().items()}
    question = FRANCE.question(producing(display=full).state)
    assert str(question.otherwise) == "nothing is drawn"
    assert question.example.startswith("produce city ")
