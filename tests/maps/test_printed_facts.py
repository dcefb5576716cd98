"""Boards and contracts are as they were when they were compared with what is printed."""

import json
from collections import Counter
from collections.abc import Callable
from pathlib import Path
from typing import Any

import pytest

from pbem.engine import catalog
from pbem.steam_power.contracts import contracts_for
from pbem.steam_power.state import COLOURS
from tests.maps.printed_facts import PRINTED, boards, texts

TEXTS = texts()


@pytest.mark.parametrize("name", sorted(path.stem for path in PRINTED.glob("*.txt")))
def test_every_hex_city_price_and_contract_is_as_printed(name: str) -> None:
    """The terrain of every hex, every boxed price, every colour, column and wall."""
    assert TEXTS[name].splitlines() == (PRINTED / f"{name}.txt").read_text("utf-8").splitlines()


def test_there_are_forty_eight_contracts_with_numbers_of_their_own() -> None:
    """The number a contract is stored under is the one it is called by."""
    tiles = contracts_for("maps.ireland").tiles
    assert list(tiles) == list(range(1, 49)) == [tile.number for tile in tiles.values()]


def test_the_contracts_ask_for_all_colours_alike_and_pay_as_their_text_says() -> None:
    """32 cubes of each colour; half of the tiles have a bonus, eight of each kind."""
    tiles = contracts_for("maps.ireland").tiles.values()
    assert Counter(colour for tile in tiles for colour in tile.needs) == dict.fromkeys(COLOURS, 32)
    assert Counter(tile.bonus for tile in tiles) == {"": 24, "track": 8, "factory": 8, "contracts": 8}
    assert (sum(tile.money for tile in tiles), sum(tile.vp for tile in tiles)) == (146, 98)


def described(path: Path) -> dict[str, Any]:
    """A board as somebody else described it."""
    facts: dict[str, Any] = json.loads(path.read_text("utf-8"))
    return facts


@pytest.mark.parametrize("slug", sorted({path.stem for path in PRINTED.glob("*.txt")} & set(boards())))
def test_the_board_is_the_one_described(slug: str, recorded_path: Callable[[str], Path]) -> None:
    """Where the description of the boards is at hand: every hex, City, town and printed link."""
    folder = recorded_path("rust_belt-2692.json").parents[1] / "mapfacts"
    sheet = boards()[slug]
    facts = described(folder / f"{'steam_power_' if sheet.game == 'steam-power' else ''}{slug}.json")
    board = sheet.board
    assert board.orientation == facts["orientation"]
    assert {label: hex_.terrain for label, hex_ in board.hexes.items()} == {
        hex_["label"]: hex_["terrain"] for hex_ in facts["hexes"]
    }
    assert {label: hex_.price for label, hex_ in board.hexes.items() if hex_.price is not None} == {
        hex_["label"]: hex_["cost"] for hex_ in facts["hexes"] if "cost" in hex_
    }
    assert set(board.towns) - {"R8"} == {hex_["label"] for hex_ in facts["hexes"] if "town" in hex_}  # R8: R151
    for city in facts.get("cities", ()):
        printed = board.cities[board.city_at[city["label"]]]
        fed = {f"{'L' if box['half'] == 'white' else 'D'}{box['column']}" for box in city["growth"]}
        assert (set(printed.colours), set(printed.columns)) == (set(city["colors"]), fed), city["name"]


BASE = {"reduction_table": ["deluxe", "first_edition"], "ownership_discs": ["20", "unlimited"]}
OWN = {
    "barbados": {"barbados_cubes": ["one", "two"]},
    "france": {"france_setup": ["printed", "reported"]},
    "heavy_cardboard": {"ferry_needs_own_track": ["no", "yes"]},
    "pittsburgh": {"pittsburgh_redirect": ["designer", "reprint"], "pittsburgh_two_straights": ["no", "yes"]},
    "poland": {"poland_production": ["town", "city"]},
    "st_lucia": {"partial_link_bonus": ["no", "yes"]},
    "western_us": {"east_west_bonus": ["income", "cash"]},
}
IDLE = {"detroit": "reduction_table", "detroit_solo": "reduction_table"}
"""What changes nothing on a map is known and not offered."""


def test_a_map_of_age_of_steam_offers_the_options_of_the_game_and_its_own() -> None:
    for sheet in catalog.sheets():
        if sheet.game == "age-of-steam":
            known = {option.key: list(option.choices) for option in sheet.known_options()}
            assert known == BASE | OWN.get(sheet.slug, {}), sheet.slug
            offered = [option.key for option in sheet.options()]
            assert offered == [key for key in known if key != IDLE.get(sheet.slug)], sheet.slug
