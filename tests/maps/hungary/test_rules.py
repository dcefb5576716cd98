"""Hungary: rulings R121 to R125, cases D27 and D40."""

from typing import Any

import pytest

from pbem.age_of_steam.phases.money import eliminate
from pbem.age_of_steam.state import State
from pbem.engine import replace
from pbem.engine.chance import Draw
from tests.age_of_steam.table import Table, dice, enter, position, sheet_of

HUNGARY = sheet_of("hungary")
BUDAPEST, PAPA, GYOR = "J9", "J3", "H5"
OVER_PAPA = {"I4": "blue NE-SW", PAPA: "blue @NE; green @SW", "K2": "green NE-SW"}
"""Blue's link Győr-Pápa and green's link Pápa-Szombathely."""
NO_LUCK = dice(6, 6, 6, dark=(6, 6, 6))


def at(phase: str = "build_track", **more: Any) -> State:
    return position(phase, sheet=HUNGARY, **more)


def drawn(*cubes: str) -> Draw:
    return {"for": "production", "cubes": list(cubes)}


def producing(*cubes: str, **more: Any) -> Table:
    """The dice are rolled, blue has drawn."""
    state = at("goods_growth", blue={"action": "production"}, rolls=[*NO_LUCK, drawn(*cubes)], **more)
    return Table(state, sheet=HUNGARY)


def replacing(cubes: str = "red blue", **more: Any) -> Table:
    """Blue holds Urbanization; New City A lies on Pápa, its boxes hold cubes."""
    state = at(
        blue={"action": "urbanization"},
        new_cities={"A": PAPA},
        cubes={PAPA: cubes},
        display={"A": "purple yellow"},
        bag={"black": 1},
        **more,
    )
    return Table(state, sheet=HUNGARY)


@pytest.mark.parametrize("players", [3, 4, 5, 6])
def test_budapest_begins_with_three_cubes(players: int) -> None:
    """Section 13.9: 25 on the map, 19 left in the bag."""
    table = Table.deal(players, sheet=HUNGARY)
    assert {label: len(cubes) for label, cubes in table.state.cubes.items()} == {
        label: 3 if label == BUDAPEST else 2 for label in HUNGARY.board.cities
    }
    assert sum(table.state.bag.values()) == 19


def test_engines_begin_at_2_and_the_first_bill_is_4() -> None:
    """R125."""
    table = Table.deal(3, sheet=HUNGARY)
    assert {p.engine for p in table.state.players.values()} == {2}
    assert {HUNGARY.expenses(table.state, seat) for seat in table.state.seats} == {4}


def test_the_game_is_one_turn_shorter() -> None:
    """R125."""
    assert [HUNGARY.turns(n) for n in HUNGARY.player_counts()] == [9, 7, 6, 5]


@pytest.mark.parametrize(
    ("track", "step", "price"),
    [
        ({}, "I4 NE-S", 3),
        ({"I4": "blue NE-S", "G4": "blue SE-S"}, "I4 N-SE", 3),
        ({"M8": "blue NW-NE", "K8": "blue SW-SE"}, "L9 SW-SE,NW-S", 5),
        ({"M8": "blue NW-NE", "K8": "blue SW-SE"}, "L9 SW-S,NW-NE", 4),
        ({"I4": "blue NE-SW"}, "Pápa @NE,SW", 3),
        ({"I4": "blue NE-S"}, "I4 NE-SE", 2),
    ],
)
def test_every_hex_costs_3(track: dict[str, str], step: str, price: int) -> None:
    """R121: coexisting 4, crossing 5; towns, replacements and redirects as always."""
    assert Table(at(track=track), sheet=HUNGARY).paid("blue", f"build {step}") == price


def test_no_track_lies_on_the_lake_or_crosses_its_line() -> None:
    """Section 13.9: Lake Balaton is a hex and a line."""
    table = Table(at(track={"M6": "blue NE-SW"}), sheet=HUNGARY)
    assert table.refusal("blue", "build O4 N-NE").rule == "Restrictions"
    assert table.refusal("blue", "build N5 NE-SE").rule == "Restrictions"
    assert table.refusal("blue", "build N5 NE-S").rule == "Restrictions"
    table.play("blue", "build N5 NE-NW")
    assert table.owner("N5", "NE-NW") == "blue"


def test_a_new_city_may_replace_a_new_city() -> None:
    """R122, D40: its boxes are emptied into the bag and dead, it is out of the game, cubes stay by default."""
    table = replacing().play("blue", "build city C Papa; I4 NE-SW")
    assert table.state.new_cities == {"C": PAPA}
    assert table.state.cubes[PAPA] == ("red", "blue")
    assert "A" not in table.state.display
    assert table.state.bag == {"black": 1, "purple": 1, "yellow": 1}
    assert HUNGARY.accepts(table.state, PAPA) == ("black",)
    assert "A" not in {city.letter for city in HUNGARY.new_cities_free(table.state, "blue")}
    assert HUNGARY.decode(HUNGARY.encode(table.state)) == table.state
    told = [str(event.text()) for event in table.events]
    assert f"Blue placed New City C on {PAPA} instead of New City A." in told


def test_a_replaced_new_city_never_returns() -> None:
    """R122."""
    table = replacing().play("blue", "build city C Papa")
    table.state = HUNGARY.phase_of(table.state).begin(HUNGARY, table.state, table._chance()).state
    assert "out of the game" in table.refusal("blue", "build city A Tata").sentence()
    grown = enter(table.state, "goods_growth", rules=HUNGARY)
    assert "A" not in HUNGARY.columns_fed(grown)


@pytest.mark.parametrize(
    ("keep", "kept", "returned"),
    [
        ("all", ("red", "blue", "blue"), {}),
        ("none", (), {"red": 1, "blue": 2}),
        ("blue", ("blue",), {"red": 1, "blue": 1}),
        ("red blue", ("red", "blue"), {"blue": 1}),
    ],
)
def test_cubes_of_a_new_city_are_kept_or_returned(keep: str, kept: tuple[str, ...], returned: dict[str, int]) -> None:
    """R122, D40: by the player's choice."""
    table = replacing("red blue blue").play("blue", f"build city B Papa keep {keep}")
    assert table.state.cubes[PAPA] == kept
    assert table.state.bag == {"black": 1, "purple": 1, "yellow": 1} | returned


def test_only_what_lies_on_a_replaced_new_city_can_be_kept() -> None:
    """R122."""
    table = replacing()
    for order in ("build city B Papa keep red red", "build city B Papa keep yellow", "build city B Tata keep none"):
        assert table.refusal("blue", order).rule == "R122"


def test_the_same_colour_is_allowed_and_it_is_the_one_urbanization() -> None:
    """R122."""
    state = at(blue={"action": "urbanization"}, new_cities={"C": PAPA})
    table = Table(state, sheet=HUNGARY)
    assert table.refusal("blue", "build city D Papa; city E Tata").rule == "New City Tiles"
    table.play("blue", "build city D Papa")
    assert HUNGARY.accepts(table.state, PAPA) == ("black",)


def test_track_at_a_replaced_new_city_is_unaffected() -> None:
    """R122, D40: links keep their owners, ownerless ones too."""
    track = {"I4": "green NE-SW", "K2": "nobody NE-SW"}
    table = replacing(track=track)
    before = table.links
    table.play("blue", "build city B Papa")
    assert table.links == before
    assert dict(table.state.track) == dict(at(track=track).track)


def test_the_list_of_placements_offers_every_choice_of_cubes() -> None:
    """R122: all, each part, none."""
    steps = {step for step in replacing("red blue").steps if step.startswith(f"city B {PAPA}")}
    assert steps == {f"city B {PAPA}{keep}" for keep in ("", " keep red", " keep blue", " keep none")}


def test_the_build_page_names_every_choice_of_cubes() -> None:
    """R122."""
    draft = HUNGARY.draft(replacing("red blue").state, [f"city C {PAPA} keep red"])
    assert str(draft.steps[0].words) == f"New City C on {PAPA}; cubes kept: red"
    (letter,) = (city for city in HUNGARY.draft(replacing("red").state, []).new_cities if city.letter == "C")
    names = [str(name) for _, label, name in letter.towns if label == PAPA]
    assert names == ["Pápa (A), keep all cubes", "Pápa (A), keep no cubes"]


def test_the_picture_shows_neither_the_replaced_new_city_nor_its_boxes() -> None:
    """R122."""
    table = replacing().play("blue", "build city B Papa")
    scene = HUNGARY.scene(table.state)
    assert [row.new_letter for row in scene.light] == ["", "", "", "B", "C", "D"]
    assert "New Cities out of the game: A." in scene.notes


def test_production_places_two_of_four_cubes_after_the_dice() -> None:
    """R123: the others go back into the bag, the display is not touched."""
    table = producing("red", "blue", "blue", "black", display={"L6": "yellow - -"})
    assert table.state.cubes == {BUDAPEST: ("yellow",)}
    assert set(table.legal) == {
        "produce red blue",
        "produce red black",
        "produce blue blue",
        "produce blue black",
    }
    for order in ("produce decline", "produce red", "produce red red", "produce yellow red"):
        assert table.refusal("blue", order).rule == "R123"
    table.play("blue", "produce blue black")
    assert table.state.cubes == {BUDAPEST: ("yellow", "blue", "black")}
    assert table.state.bag == {"red": 5, "blue": 4, "purple": 5, "yellow": 5, "black": 4}
    assert table.state.turn == 2


def test_two_cubes_in_the_bag_are_all_placed() -> None:
    """R123, A15."""
    table = producing("red", "blue", bag={"red": 1, "blue": 1}).settle()
    assert table.state.cubes == {BUDAPEST: ("red", "blue")}
    assert ("blue", "produce red blue", "A15") in table.unasked


def test_cubes_of_one_colour_are_placed_unasked() -> None:
    """R123, A15."""
    table = producing("red", "red", "red", "red").settle()
    assert table.state.cubes == {BUDAPEST: ("red", "red")}


def test_empty_boxes_are_no_condition_and_an_empty_bag_is() -> None:
    """R123, A8."""
    full = {column: " ".join(["black"] * count) for column, count in HUNGARY.display_boxes().items()}
    rolls = [*dice(6, 6, 6, dark=(6, 6, 6)), drawn("red", "blue", "blue", "black")]
    assert Table(at("goods_growth", blue={"action": "production"}, display=full, rolls=rolls), sheet=HUNGARY).asked
    state = at("goods_growth", blue={"action": "production"}, bag={}, rolls=NO_LUCK)
    assert Table(state, sheet=HUNGARY).asked is None


def test_a_delivery_needs_a_link_of_another_player() -> None:
    """R124, D27: own links alone will not do; one own and one rival's pay +1 each."""
    cubes = {GYOR: "purple"}
    state = at("move_goods", track=OVER_PAPA, cubes=cubes, blue={"engine": 2})
    table = Table(state, sheet=HUNGARY).play("blue", "move purple Győr > Pápa > Szombathely")
    assert (table["blue"].income, table["green"].income) == (6, 6)
    own = {hex_: text.replace("green", "blue") for hex_, text in OVER_PAPA.items()}
    table = Table(at("move_goods", track=own, cubes=cubes, blue={"engine": 2}), sheet=HUNGARY)
    assert table.refusal("blue", "move purple Győr > Pápa > Szombathely").rule == "R124"
    assert not any(order.startswith("move") for order in table.legal)


def test_links_of_the_eliminated_do_not_count() -> None:
    """R124: they have no owner."""
    state = at("move_goods", track=OVER_PAPA, cubes={GYOR: "purple"}, blue={"engine": 2})
    table = Table(eliminate(state, "green"), sheet=HUNGARY)
    table.state = replace(table.state, scratch=replace(table.state.scratch, seats=("blue", "yellow")))
    assert table.refusal("blue", "move purple Győr > Pápa > Szombathely").rule == "R124"
    table.play("blue", "pass")
