"""Setting up (section 2)."""

from collections import Counter

import pytest

from pbem.engine.chance import LoadedChance, NotedChance, SeededChance
from pbem.engine.sheet import BadOpening
from pbem.rails.board import groups_of
from pbem.steam_power.game import OPTIONS
from pbem.steam_power.setup import deal as deal_of
from pbem.steam_power.state import COLOURS
from tests.steam_power.table import FIVE, MEADOW, SOLO, deal, sheet_of


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


def test_two_to_five_play_or_one_alone() -> None:
    assert list(MEADOW.player_counts()) == [2, 3, 4, 5]
    assert list(SOLO.player_counts()) == [1]


def test_three_rules_can_be_agreed_upon_before_the_game() -> None:
    """SP-R4, SP-R1, SP-R2: the first choice of each is what is played unless something else is said."""
    assert tuple(MEADOW.options()) == OPTIONS
    assert {option.key: (tuple(option.choices), option.default, option.ruling) for option in OPTIONS} == {
        "cash_action": (("3", "5"), "3", "SP-R4"),
        "coexisting": (("no", "yes"), "no", "SP-R1"),
        "limited_tiles": (("yes", "no"), "yes", "SP-R2"),
    }


def test_seats_are_shuffled() -> None:
    """SP-R3: uniformly, and they never change; also those of two."""
    orders = Counter(deal(3, seed).state.seats for seed in range(120))
    assert len(orders) == 6
    assert min(orders.values()) >= 8
    assert {deal(2, seed).state.seats for seed in range(12)} == {("red", "blue"), ("blue", "red")}


def test_who_plays_alone_needs_no_draw_for_the_seats() -> None:
    """Section 2: what is drawn, in its order, is what other programs need to replay a deal."""
    chance = NotedChance(SeededChance(bytes(32), "deal"))
    SOLO.start(SOLO.colours, chance, {})
    assert [note["for"] for note in chance.notes] == ["cities", "hand", "train"]


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


def test_an_opening_may_deal_all_contracts() -> None:
    hands = {"red": list(range(1, 25)), "blue": list(range(25, 49))}
    state = MEADOW.start(FIVE[:2], SeededChance(bytes(32), "deal"), {}, {"hands": hands}).state
    assert (state.bag, state.players["blue"].hand) == ((), tuple(range(25, 49)))


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
    groups = groups_of(MEADOW.board, MEADOW.board.cities)
    assert {city: group for city, group in groups.items() if city != group} == {"F5": "E4"}
    assert groups_of(sheet_of("northern_italy").board, sheet_of("northern_italy").board.cities) == dict(
        sheet_of("northern_italy").groups
    )


COLOURED = {label: COLOURS[at % 4] for at, label in enumerate(MEADOW.board.cities)}


def test_the_city_tiles_of_an_opening_may_be_those_of_a_position() -> None:
    """Colour and more of each, as a position tells it; only the colour counts."""
    told = {label: {"colour": colour, "factory": "red", "cubes": 3} for label, colour in COLOURED.items()}
    state = MEADOW.start(FIVE[:2], SeededChance(bytes(32), "deal"), {}, {"cities": told}).state
    assert {label: (tile.colour, tile.factory, tile.cubes) for label, tile in state.cities.items()} == {
        label: (colour, None, 0) for label, colour in COLOURED.items()
    }


def test_before_the_first_turn_nobody_has_an_action() -> None:
    state = deal_of(MEADOW, FIVE[:2], SeededChance(bytes(32), "deal"), {})
    assert (state.turn, state.step, state.known, state.left, state.over) == (1, 0, 0, 0, False)
    assert (state.phase, state.track, state.counters, state.trains) == ("actions", {}, (), ())


@pytest.mark.parametrize(
    ("opening", "why"),
    [
        ({"order": ["red"]}, "does not name every player once"),
        ({"order": 7}, "does not name every player once"),
        ({"cities": {"A2": "white"}}, "does not name the City tile of every City"),
        ({"cities": dict.fromkeys(MEADOW.board.cities, "white")}, "more City tiles of a colour"),
        ({"cities": dict.fromkeys(MEADOW.board.cities, "blue")}, "more City tiles of a colour"),
        ({"cities": COLOURED | {"A2": "blue"}}, "more City tiles of a colour"),
        ({"cities": 7}, "Cities of the opening cannot be read"),
        ({"hands": {"red": [1]}}, "hands of the opening cannot be read"),
        ({"hands": {"red": [1], "blue": [1]}}, "deals a contract twice, or one that there is not"),
        ({"hands": {"red": [99], "blue": [1]}}, "deals a contract twice, or one that there is not"),
        ({"hands": {"red": ["x"], "blue": [1]}}, "hands of the opening cannot be read"),
    ],
)
def test_an_opening_that_does_not_fit_is_told(opening: dict[str, object], why: str) -> None:
    with pytest.raises(BadOpening, match=why):
        MEADOW.start(FIVE[:2], SeededChance(bytes(32), "deal"), {}, opening)
