"""Components and set-up (sections 1 and 2), and games that were dealt elsewhere."""

import json
from collections import Counter
from itertools import combinations
from typing import Any

import pytest

from pbem.age_of_steam.game import AgeOfSteam
from pbem.age_of_steam.setup import MOST_CUBES
from pbem.age_of_steam.state import State
from pbem.engine.chance import Draw, NotedChance, SeededChance
from pbem.engine.sheet import BadOpening
from pbem.rails.tiles import DISC_TOWNS, PICTURES, SUPPLY, TILE_OF, TOWN_DISCS, TOWN_TILE_OF, ends
from tests.age_of_steam.table import RUST_BELT, SIX, Table, sheet_of

CUBES = {"red": 20, "blue": 20, "purple": 20, "yellow": 20, "black": 16}
NEW_CITIES = {
    "A": ("red", "L3"), "B": ("blue", "L4"), "C": ("black", "L5"), "D": ("black", "L6"),
    "E": ("yellow", "D1"), "F": ("purple", "D2"), "G": ("black", "D3"), "H": ("black", "D4"),
}  # fmt: skip


def test_the_box_holds_136_tiles_of_which_11_are_towns() -> None:
    """1.1."""
    assert sum(SUPPLY.values()) == 136
    assert sum(count for name, count in SUPPLY.items() if name.startswith("town")) == 11
    assert sum(SUPPLY[name] for name in ("straight", "gentle", "acute")) == 110
    assert TOWN_DISCS == 8


def test_36_of_the_45_pairs_of_segments_exist() -> None:
    """1.1 and D16: the nine pairs of two acute curves exist on no tile."""
    simple = [ends(a, b) for a, b in combinations(range(6), 2)]
    pairs = [frozenset(p) for p in combinations(simple, 2) if not set(p[0]) & set(p[1])]
    missing = [pair for pair in pairs if pair not in TILE_OF]
    assert (len(pairs), len(missing), len(PICTURES)) == (45, 9, 15 + 36)
    assert all((b - a) % 6 in (1, 5) for pair in missing for a, b in pair)


def test_every_town_of_one_to_four_exits_can_be_built() -> None:
    """1.2: five and six exits are impossible."""
    sets = {n: [frozenset(c) for c in combinations(range(6), n)] for n in range(1, 7)}
    assert all(exits in TOWN_TILE_OF for n in range(1, 5) for exits in sets[n])
    assert not any(exits in TOWN_TILE_OF for n in (5, 6) for exits in sets[n])
    kinds = Counter(TOWN_TILE_OF[exits] for exits in sets[3])
    assert kinds == {"town_3_same_half": 6, "town_3_left": 6, "town_3_right": 6, "town_3_star": 2}


@pytest.mark.parametrize(("kind", "missing"), [("town_4_x", 3), ("town_4_chicken_foot", 2), ("town_4_k", 1)])
def test_the_pair_of_missing_exits_decides_the_kind_of_a_town_of_four(kind: str, missing: int) -> None:
    """1.2."""
    (exits, _) = DISC_TOWNS[kind]
    a, b = sorted(set(range(6)) - set(exits))
    assert min(b - a, 6 - (b - a)) == missing


def test_new_cities_have_their_colours_and_columns() -> None:
    """1.3."""
    found = {letter: (city.colours, city.columns) for letter, city in RUST_BELT.board.new_cities.items()}
    assert found == {letter: ((colour,), (column,)) for letter, (colour, column) in NEW_CITIES.items()}


def test_players_begin_with_ten_dollars_two_shares_and_an_engine_of_one_link() -> None:
    """Section 2, 4."""
    table = Table.deal(6)
    figures = [table.sheet.position(table.state)["players"][seat] for seat in SIX]
    assert all((p["cash"], p["income"], p["shares"], p["engine"], p["action"]) == (10, 0, 2, 1, None) for p in figures)


def test_pittsburgh_and_wheeling_begin_with_three_cubes_and_18_stay_in_the_bag() -> None:
    """D24 and 13.1."""
    state = Table.deal().state
    assert {label: len(cubes) for label, cubes in state.cubes.items()} == {
        label: 3 if label in ("L17", "Q16") else 2 for label in RUST_BELT.board.cities
    }
    assert sum(state.bag.values()) == 18


@pytest.mark.parametrize("seed", range(5))
def test_the_deal_uses_the_96_cubes_of_the_bag(seed: int) -> None:
    """1.3."""
    state = Table.deal(seed=seed).state
    dealt = Counter(state.bag)
    for cubes in (*state.cubes.values(), *state.display.values()):
        dealt.update(cube for cube in cubes if cube is not None)
    assert dealt == CUBES


def _dealt(seed: int = 3) -> tuple[dict[str, Any], list[Draw]]:
    chance = NotedChance(SeededChance(seed.to_bytes(32, "big"), "deal"))
    state = RUST_BELT.start(SIX[:4], chance, {}).state
    return {"display": state.display, "cubes": state.cubes, "order": state.order}, chance.notes


def test_the_display_is_filled_row_by_row_before_the_cities() -> None:
    """R6: light and dark columns by rows, then the New City columns by rows, then Cities in the map's order."""
    dealt, notes = _dealt()
    assert [note["for"] for note in notes] == ["deal", "cities", "order"]
    wide = [f"{half}{n}" for half in "LD" for n in range(1, 7)]
    boxes = [(c, row) for row in range(3) for c in wide] + [(c, row) for row in range(2) for c in "ABCDEFGH"]
    assert [dealt["display"][column][row] for column, row in boxes] == notes[0]["cubes"]
    assert [cube for cubes in dealt["cubes"].values() for cube in cubes] == notes[1]["cubes"]


def test_every_box_of_the_display_is_filled_also_of_columns_without_a_city() -> None:
    """R8: 52 cubes, New City columns included."""
    display = _dealt()[0]["display"]
    assert sum(len(boxes) for boxes in display.values()) == 52
    assert all(cube is not None for boxes in display.values() for cube in boxes)


def test_the_first_order_is_a_random_permutation() -> None:
    """R7: every player can come first, and the order is that of the dice."""
    dealt, notes = _dealt()
    assert list(dealt["order"]) == notes[2]["order"]
    firsts = Counter(Table.deal(3, seed=seed).state.order for seed in range(120))
    assert len(firsts) == 6, "all six orders of three players come up"
    assert min(firsts.values()) >= 8, "none of them is rare"


SEATS = SIX[:4]
KEYS = ("order", "players", "cubes", "display", "bag", "accepts")
FIGURES = ("cash", "income", "shares", "engine")


def dealt(sheet: AgeOfSteam, seed: bytes, opening: dict[str, Any] | None = None) -> State:
    return sheet.start(SEATS, SeededChance(seed, "deal"), {}, opening).state


def parts(state: State) -> dict[str, Any]:
    """The parts of a position that an opening tells, as a record has them."""
    told = {
        "order": state.order,
        "players": {seat: {key: getattr(player, key) for key in FIGURES} for seat, player in state.players.items()},
        "cubes": dict(state.cubes),
        "display": dict(state.display),
        "bag": dict(state.bag),
        "accepts": dict(state.accepts),
    }
    found: dict[str, Any] = json.loads(json.dumps(told))
    return found


def opening(sheet: AgeOfSteam = RUST_BELT, **changed: Any) -> dict[str, Any]:
    """What was dealt elsewhere: with richer players, and changed where a test says so."""
    told = parts(dealt(sheet, b"elsewhere"))
    for number, figures in enumerate(told["players"].values()):
        figures |= {"cash": 11 + number, "income": number, "shares": 3 + number, "engine": 1 + number % 2}
    return told | changed


@pytest.mark.parametrize("slug", ["rust_belt", "germany"])
@pytest.mark.parametrize("key", KEYS)
def test_each_part_of_an_opening_counts_and_each_that_is_missing_is_dealt_here(slug: str, key: str) -> None:
    sheet = sheet_of(slug)
    told, here = opening(sheet), parts(dealt(sheet, b"here"))
    assert parts(dealt(sheet, b"here", {key: told[key]})) == here | {key: told[key]}
    without = {name: value for name, value in told.items() if name != key}
    assert parts(dealt(sheet, b"here", without)) == told | {key: here[key]}


def test_a_place_without_cubes_and_a_colour_that_the_bag_lacks_are_left_out() -> None:
    told = opening()
    state = dealt(RUST_BELT, b"here", told | {"cubes": told["cubes"] | {"A2": []}, "bag": told["bag"] | {"red": 0}})
    assert "A2" not in state.cubes
    assert "red" not in state.bag


def test_cubes_of_all_six_colours_may_lie_on_the_board() -> None:
    cubes = {"A2": ["red", "blue", "purple", "yellow", "black", "white"]}
    assert dealt(RUST_BELT, b"here", opening(cubes=cubes)).cubes == {"A2": tuple(cubes["A2"])}


def boxes(number: int) -> dict[str, list[None]]:
    """A display whose first column has so many boxes."""
    return {column: [None] * len(rows) for column, rows in opening()["display"].items()} | {"L1": [None] * number}


@pytest.mark.parametrize(
    ("changed", "why"),
    [
        ({"order": 7}, "cannot be read"),
        ({"order": SEATS[:3]}, "does not name every player once"),
        ({"order": [*SEATS[:3], SEATS[0]]}, "does not name every player once"),
        ({"players": {"pink and blue": dict.fromkeys(FIGURES, 1)}}, "pink and blue”?, who does not play"),
        ({"cubes": {"ZZ9": ["red"]}}, "ZZ9”?, which is not on this map"),
        ({"accepts": {"ZZ9": ["red"]}}, "ZZ9”?, which is not on this map"),
        ({"display": {}}, "does not fill the columns of the display"),
        ({"display": boxes(2)}, "fills column L1 with 2 boxes instead of 3"),
        ({"display": boxes(4)}, "fills column L1 with 4 boxes instead of 3"),
    ],
)
def test_an_opening_that_does_not_fit_is_refused_with_the_reason(changed: dict[str, Any], why: str) -> None:
    with pytest.raises(BadOpening, match=why):
        dealt(RUST_BELT, b"here", opening(**changed))


def test_an_opening_has_at_most_its_number_of_cubes_on_the_board() -> None:
    told = opening(cubes={"A2": ["red"] * MOST_CUBES}, accepts={})
    assert len(dealt(RUST_BELT, b"here", told).cubes["A2"]) == MOST_CUBES == 1000
    told["accepts"] = {"A2": ["red"]}
    with pytest.raises(BadOpening, match="more than"):
        dealt(RUST_BELT, b"here", told)


@pytest.mark.parametrize(("figure", "least", "most"), [("cash", -1000, 1000), ("bag", 0, 1000)])
def test_a_figure_of_an_opening_has_at_most_four_digits(figure: str, least: int, most: int) -> None:
    """A thousand is far more than any game has, and small enough to be reckoned with."""

    def told(number: int) -> dict[str, Any]:
        if figure == "bag":
            return {"bag": {"red": number}}
        return {"players": {SEATS[0]: dict.fromkeys(FIGURES, number)}}

    for number in (least, most):
        dealt(RUST_BELT, b"here", told(number))
    for number in (least - 1, most + 1):
        with pytest.raises(BadOpening, match="cannot be read"):
            dealt(RUST_BELT, b"here", told(number))
