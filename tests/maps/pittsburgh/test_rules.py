"""Pittsburgh: rulings R159 to R162, cases D43 and E16."""

from typing import Any

import pytest

from pbem.age_of_steam.moves import Pass
from pbem.age_of_steam.state import State
from tests.age_of_steam.table import Table, position, sheet_of

PITTSBURGH = sheet_of("pittsburgh")
REPRINT = {"pittsburgh_redirect": "reprint"}
COMMONWEALTH = {"action": "commonwealth"}


def at(phase: str = "build_track", **more: Any) -> State:
    return position(phase, sheet=PITTSBURGH, **more)


def price(step: str, **more: Any) -> int:
    """What blue pays for one step."""
    return Table(at(**more), sheet=PITTSBURGH).paid("blue", f"build {step}")


@pytest.mark.parametrize("players", [3, 4])
def test_every_city_begins_with_three_cubes(players: int) -> None:
    """Section 13.15: 18 on the map, 26 left in the bag, eight turns."""
    table = Table.deal(players, sheet=PITTSBURGH)
    assert {len(table.state.cubes[city]) for city in PITTSBURGH.board.cities} == {3}
    assert sum(table.state.bag.values()) == 26
    assert PITTSBURGH.turns(players) == 8


def test_every_city_has_a_column_in_both_halves() -> None:
    """Section 13.15."""
    assert {city.columns for city in PITTSBURGH.board.cities.values()} == {(f"L{n}", f"D{n}") for n in range(1, 7)}


TWO_ENDS = {"D4": "blue SE-S", "E3": "blue N-SE"}
"""Two sections of blue, from Pittsburgh and from McKee's Rocks, both pointing at F4 (from N and NW)."""


@pytest.mark.parametrize(
    ("track", "step", "paid"),
    [
        ({}, "F6 NW-S", 3),
        ({}, "F6 NW-N", 3),
        ({}, "F6 NW-SE", 10),
        (TWO_ENDS, "F4 N-SE,NW-S", 4),
        (TWO_ENDS, "F4 N-S,NW-SW", 10),
        (TWO_ENDS, "F4 N-S,NW-NE", 10),
        ({"F4": "blue NE-SW"}, "G3 @NE,S", 0),
        ({"F4": "blue NE-SW", "G3": "blue @NE"}, "G3 @S", 0),
    ],
)
def test_the_shape_decides_the_price(track: dict[str, str], step: str, paid: int) -> None:
    """Section 13.15: curve 3, straight 10, two curves 4, towns 0."""
    assert price(step, track=track) == paid


@pytest.mark.parametrize(
    ("track", "step", "paid"),
    [
        ({"F6": "green SE-N"}, "F6 NW-SW", 4),
        ({"F6": "green SE-N"}, "F6 NW-S", 4),  # a gentle curve beside a rival's curve
        ({"F6": "blue NW-N"}, "F6 NW-NE", 4),
        ({"F6": "blue NW-N"}, "F6 NW-SE", 10),
        ({"F6": "green SE-NE"}, "F6 NW-S", 4),
        ({"G5": "green NE-SE"}, "G5 N-S", 10),
        ({"G5": "green NE-SW"}, "G5 N-NW", 4),  # a curve beside a straight
    ],
)
def test_what_is_added_or_turned_prices_a_replacement(track: dict[str, str], step: str, paid: int) -> None:
    """R159, D43."""
    assert price(step, track=track) == paid


@pytest.mark.parametrize(
    ("track", "step", "paid"),
    [
        ({"G5": "blue N-SE"}, "G5 N-S", 4),  # simple curve to simple straight
        ({"G5": "blue N-SW; green NE-NW"}, "G5 N-S", 10),  # two crossing curves to a straight across a curve
        ({"G5": "blue N-SE; green SW-NW"}, "G5 N-S", 10),  # gentle and acute to straight and acute
        ({"G5": "blue N-NE; green SW-SE"}, "G5 N-S", 10),  # gentle and acute to a straight across a curve
        ({"G5": "blue N-SW; green NE-NW"}, "G5 N-SE", 4),
    ],
)
def test_the_reprint_prices_turned_track_as_pictured(track: dict[str, str], step: str, paid: int) -> None:
    """R159a."""
    assert price(step, track=track, options=REPRINT) == paid


def test_the_reprint_changes_nothing_about_added_track() -> None:
    """R159a: its pictures are of redirects."""
    assert price("G5 N-S", track={"G5": "green NE-SE"}, options=REPRINT) == 10
    assert price("F6 NW-SW", track={"F6": "green SE-N"}, options=REPRINT) == 4


@pytest.mark.parametrize(("step", "paid"), [("F4 N-S,NW-SW", 10), ("F4 N-SE,NW-SW", 4)])
def test_a_tile_that_turns_and_adds_costs_the_same_with_the_reprint(step: str, paid: int) -> None:
    """R159a: its pictures are of tiles that only turn; all others cost what R159 says."""
    track = {**TWO_ENDS, "F4": "blue N-SW"}
    assert [price(step, track=track, options=options) for options in (REPRINT, {})] == [paid, paid]


@pytest.mark.parametrize(
    ("track", "steps", "paid"),
    [
        ({}, ("F6 NW-S", "F6 NW-SE"), (3, 7)),
        ({}, ("F6 NW-S", "F6 NW-NE", "F6 NW-SE"), (3, 4, 4)),
        ({"G5": "green NE-SW"}, ("G5 N-S", "G5 N-SE"), (10, 4)),
        ({}, ("F6 NW-S", "F6 NW-NE"), (3, 4)),
        ({"G5": "blue N-SW"}, ("G5 N-SE", "G5 N-S"), (4, 4)),
        ({"G5": "green NE-SW"}, ("G5 N-SE", "G5 N-S"), (4, 6)),
        ({}, ("G5 N-SE", "F6 NW-S", "F6 NW-SE"), (3, 3, 7)),  # another hex of the build counts for itself
    ],
)
def test_visits_cost_as_the_final_tile(track: dict[str, str], steps: tuple[str, ...], paid: tuple[int, ...]) -> None:
    """R23: with the reprint's prices a curve of $3 turned into a straight costs $7 more, not $4."""
    game = at(track=track, options={**REPRINT, "pittsburgh_two_straights": "yes"})
    assert Table(game, sheet=PITTSBURGH).paid("blue", f"build {'; '.join(steps)}") == sum(paid)
    draft = PITTSBURGH.draft(game, steps)
    assert [step.price for step in draft.steps] == list(paid)


def test_a_build_in_parts_costs_what_it_costs_as_a_whole() -> None:
    """R23: also when the game is stored between the parts."""
    table = Table(at(options=REPRINT), sheet=PITTSBURGH).play("blue", "build F6 NW-S; more")
    stored = PITTSBURGH.decode(PITTSBURGH.encode(table.state))
    assert stored == table.state
    assert Table(stored, sheet=PITTSBURGH).paid("blue", "build F6 NW-SE") == 3 + 7


def test_with_9_dollars_a_curve_is_not_turned_into_a_straight() -> None:
    """R23, R24."""
    game = at(options=REPRINT, blue={"cash": 9})
    assert Table(game, sheet=PITTSBURGH).refusal("blue", "build F6 NW-S; F6 NW-SE").rule == "R24"


def test_the_crossing_of_two_straights_is_an_option() -> None:
    """R160."""
    track = {"G5": "green NE-SW"}
    assert Table(at(track=track), sheet=PITTSBURGH).refusal("blue", "build G5 N-S").rule == "R1"
    assert price("G5 N-S", track=track, options={"pittsburgh_two_straights": "yes"}) == 10


def test_a_town_of_the_x_shape_needs_the_coexisting_curves() -> None:
    """R160, R2: there is one such tile."""
    four = "blue @N,@NE,@S,@SW"
    track = {"G3": four, "F4": "blue NE-SW", "H6": "blue NE-SW"}
    assert Table(at(track=track), sheet=PITTSBURGH).refusal("blue", "build I5 @N,NE,S,SW").rule == "R1"
    del track["G3"]
    assert price("I5 @N,NE,S,SW", track=track) == 0


def test_commonwealth_makes_one_10_a_7() -> None:
    """R161, E16, D43: the first $10 of the turn, whatever is placed before it."""
    assert price("F6 NW-SE", blue=COMMONWEALTH) == 7
    assert price("F6 NW-SE; F4 N-S,NW-SW", blue=COMMONWEALTH, track=TWO_ENDS) == 7 + 10
    assert price("F6 NW-S; G5 N-S", blue=COMMONWEALTH) == 3 + 7
    assert price("F6 NW-S", blue=COMMONWEALTH) == 3
    assert price("G5 N-S", blue=COMMONWEALTH, track={"G5": "green NE-SE"}) == 7


def test_with_7_dollars_the_holder_of_commonwealth_lays_a_straight() -> None:
    """R161."""
    assert price("F6 NW-SE", blue={**COMMONWEALTH, "cash": 7}) == 7
    assert Table(at(blue={"cash": 7}), sheet=PITTSBURGH).refusal("blue", "build F6 NW-SE").rule == "R24"


def test_commonwealth_replaces_turn_order_and_nobody_passes() -> None:
    """R161."""
    table = Table(at("select_actions"), sheet=PITTSBURGH)
    assert "action commonwealth" in table.legal
    assert table.refusal("blue", "action turn-order").rule == "R19"
    auction = Table(at("turn_order", blue=COMMONWEALTH), sheet=PITTSBURGH)
    assert str(Pass()) not in auction.legal
    assert PITTSBURGH.word("commonwealth") == "Commonwealth"


def test_building_never_ends_for_lack_of_money() -> None:
    """R162: free town tiles; it ends when nothing can be placed."""
    table = Table(at(track={"F4": "blue NE-SW"}, blue={"cash": 0}), sheet=PITTSBURGH).settle()
    assert table.asked == "blue"
    table.play("blue", "build G3 @NE,S; G3 @N; G3 @SE")
    assert (table["blue"].cash, len(table.state.track["G3"])) == (0, 4)


def test_the_options_are_called_as_records_name_them() -> None:
    """R159a, R160: and each can be chosen when a game is opened."""
    keys = {option.key: tuple(option.choices) for option in PITTSBURGH.map_options}
    assert keys == {"pittsburgh_redirect": ("designer", "reprint"), "pittsburgh_two_straights": ("no", "yes")}
