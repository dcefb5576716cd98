"""Setting up (section 2)."""

from __future__ import annotations

from collections import Counter

import pytest

from pbem.engine.chance import LoadedChance, NotedChance, SeededChance
from pbem.engine.sheet import BadOpening
from pbem.steam_power.railways import groups_of
from pbem.steam_power.state import COLOURS
from tests.steam_power.table import FIVE, MEADOW, deal, sheet_of


@pytest.mark.parametrize("players", [2, 3, 4, 5])
def test_everybody_begins_with_five_dollars_and_five_contracts(players: int) -> None:
    table = deal(players)
    assert {player.cash for player in table.state.players.values()} == {5}
    assert {len(player.hand) for player in table.state.players.values()} == {5}
    assert len(table.state.bag) == 48 - 5 * players
    pieces = table.sheet.position(table.state)["players"][table.state.seats[0]]
    assert (pieces["trains"], pieces["factories"]) == (18, 15)


def test_city_tiles_are_drawn_for_every_city_and_the_rest_is_public() -> None:
    """SP-R4: seven of each factory colour and five victory Cities; what is left over changes nothing."""
    for slug in ("ireland", "northern_england", "northern_italy"):
        sheet = sheet_of(slug)
        table = deal(2, sheet=sheet)
        tiles = Counter(tile.colour for tile in table.state.cities.values()) + Counter(table.state.left_over)
        assert tiles == {**dict.fromkeys(COLOURS, 7), "purple": 5}
        assert len(table.state.cities) == len(sheet.board.cities)
        assert sheet.position(table.state)["left_over"] == list(table.state.left_over)


def test_taking_money_brings_three_dollars_unless_agreed_otherwise() -> None:
    """SP-R4."""
    assert deal().paid("cash") == {deal().asked: 3}
    assert deal(cash_action="5").paid("cash") == {deal().asked: 5}


def test_seats_are_shuffled() -> None:
    """SP-R3: uniformly, and they never change."""
    orders = Counter(deal(3, seed).state.seats for seed in range(120))
    assert len(orders) == 6
    assert min(orders.values()) >= 8


def test_the_seats_may_be_fixed() -> None:
    """SP-R3."""
    state = MEADOW.start(FIVE[:3], SeededChance(bytes(32), "deal"), {}, {"order": ["green", "red", "blue"]}).state
    assert state.seats == ("green", "red", "blue")
    assert MEADOW.to_act(state) == "green"


def test_a_deal_is_drawn_city_tiles_first_then_seats_then_hands() -> None:
    """Section 2: the order that other programs need to replay it."""
    chance = NotedChance(SeededChance(bytes(32), "deal"))
    state = MEADOW.start(FIVE[:3], chance, {}).state
    assert [note["for"] for note in chance.notes] == ["cities", "order", "hand", "hand", "hand"]
    assert chance.notes[1]["order"] == list(state.seats)
    again = MEADOW.start(FIVE[:3], LoadedChance(list(chance.notes)), {}).state
    assert again == state
    assert MEADOW.secret_draws >= {"hand"}


def test_an_opening_dealt_elsewhere_is_laid_out() -> None:
    cities = dict.fromkeys(MEADOW.board.cities, "white") | dict.fromkeys(list(MEADOW.board.cities)[:8], "black")
    cities = {label: COLOURS[at % 4] for at, label in enumerate(cities)}
    hands = {"red": [1, 2], "blue": [3]}
    opening = {"order": ["blue", "red"], "cities": cities, "hands": hands}
    state = MEADOW.start(FIVE[:2], LoadedChance([]), {}, opening).state
    assert state.players["red"].hand == (1, 2)
    assert {label: tile.colour for label, tile in state.cities.items()} == cities
    assert len(state.bag) == 45


def test_an_opening_may_use_up_the_city_tiles_of_a_colour_and_no_more() -> None:
    """SP-R4: seven of a factory colour, five victory Cities."""
    for colour, most in (("white", 7), ("purple", 5)):
        others = [other for other in ("black", "orange", "gray") for _ in range(5)]
        for count in (most, most + 1):
            drawn = [colour] * count + others[: len(MEADOW.board.cities) - count]
            cities = dict(zip(MEADOW.board.cities, drawn, strict=True))
            if count == most:
                assert MEADOW.start(FIVE[:2], SeededChance(bytes(32), "deal"), {}, {"cities": cities}).state.cities
            else:
                with pytest.raises(BadOpening, match="more City tiles of a colour than there are"):
                    MEADOW.start(FIVE[:2], SeededChance(bytes(32), "deal"), {}, {"cities": cities})


def test_cities_that_touch_are_one_group_that_goes_by_its_first() -> None:
    groups = groups_of(MEADOW.board)
    assert {city: group for city, group in groups.items() if city != group} == {"F5": "E4"}
    assert groups_of(sheet_of("northern_italy").board) == dict(sheet_of("northern_italy").groups)


@pytest.mark.parametrize(
    "opening",
    [
        {"order": ["red"]},
        {"order": 7},
        {"cities": {"A2": "white"}},
        {"cities": dict.fromkeys(MEADOW.board.cities, "white")},
        {"cities": 7},
        {"hands": {"red": [1]}},
        {"hands": {"red": [1], "blue": [1]}},
        {"hands": {"red": [99], "blue": [1]}},
        {"hands": {"red": ["x"], "blue": [1]}},
    ],
)
def test_an_opening_that_does_not_fit_is_told(opening: dict[str, object]) -> None:
    with pytest.raises(BadOpening):
        MEADOW.start(FIVE[:2], SeededChance(bytes(32), "deal"), {}, opening)
