"""What a seat is asked, and the draft of a track action."""

import pytest

from pbem.engine.overview import HandCard
from tests.steam_power.table import MEADOW, SOLO, Table, deal, position

HOME = {"C2": "red N-S", "F3": "blue NE-NW"}
CITIES = {"Alder": "black red 5", "Birch": "orange", "Fir": "gray blue 1", "Gorse": "white"}


def _table(**more: object) -> Table:
    more = {"hands": {"red": "1 2 3"}, "cities": CITIES, "cash": {"red": 9}} | more
    return Table(position(track=HOME, **more))  # type: ignore[arg-type]


def test_an_empty_hand_is_told_without_a_count() -> None:
    assert str(MEADOW.question(_table(hands={}).state).lead[1]) == "There is no contract in your hand."


def test_the_hand_is_told_as_cards_those_that_can_be_paid_first() -> None:
    found = MEADOW.cards(_table().state, "red")
    assert [(card.order, card.price, card.short) for card in found] == [
        ("contract 1", 0, 0), ("contract 3", 7, 0), ("contract 2", 10, 1),
    ]  # fmt: skip
    assert found[1].wants == ("black", "orange", "gray")
    assert (str(found[1].title), str(found[1].gain)) == ("Contract 3", "$4 and 3 points")
    assert [str(part) for part in found[0].how] == ["black from A2 (free)"]
    assert MEADOW.cards(_table().state, "green") == ()


def test_everybody_is_told_what_ends_the_game_and_how_far_the_own_railway_is() -> None:
    assert str(MEADOW.goal(_table().state, "red")) == (
        "Most points win. The game ends with the round in which somebody has fulfilled 11 contracts; you have "
        "fulfilled 0 and stand at 1 point."
    )
    assert str(MEADOW.ends()) == (
        "with the round in which somebody fulfils the last of so many contracts: 14 with 2, 11 with 3, 9 with 4 and 8 "
        "with 5"
    )
    assert SOLO.ends() is None
    assert str(SOLO.goal(deal(1, sheet=SOLO).state, SOLO.colours[0])).startswith(
        "Score as much as you can in 8 rounds of ten trains"
    )


def test_cities_of_the_own_network_come_first() -> None:
    """For a factory by action and by bonus; of each kind in the order of the board."""
    state = position(track={"C2": "blue N-S", "C4": "red N-S"}, cities={"Elm": "black red 5"}, hands={"red": "5"})
    factories = [order for order in Table(state).choices if order.startswith("factory")]
    assert factories == ["factory E4", "factory F5", "factory A2", "factory E2"]
    sixes = [order for order in Table(state).play("contract 5").choices if order.endswith("6")]
    assert sixes == ["bonus factory E4 6", "bonus factory F5 6", "bonus factory A2 6", "bonus factory E2 6"]


def test_the_hand_tells_what_every_contract_costs_now() -> None:
    (hand,) = MEADOW.hand(_table().state, "red")
    assert [str(item) for item in hand.items] == [
        "1: black for $2 and 1 point. Costs $0: black from A2 (free).",
        "2: 2 white for $2 and 2 points. Costs $10, $1 too much: 2 white from the bank ($10).",
        "3: black, orange and gray for $4 and 3 points. Costs $7: black from A2 (free), orange from the bank ($5) "
        "and gray from E4 ($2 to Blue).",
    ]
    (hand,) = MEADOW.hand(_table(cash={"red": 10}).state, "red")
    assert str(hand.items[1]) == "2: 2 white for $2 and 2 points. Costs $10: 2 white from the bank ($10)."
    assert MEADOW.hand(_table().state, "green") == ()


def test_after_the_end_nobody_is_asked() -> None:
    table = Table(position(2, done={"blue": 14}, seat="blue")).play("cash; cash")
    with pytest.raises(ValueError, match="the game is over"):
        MEADOW.question(table.state)
    assert MEADOW.placements(table.state) == ()
    assert MEADOW.legal(table.state) == ()


# the track builder ----------------------------------------------------------------------------------------


def test_an_empty_draft_cannot_be_sent() -> None:
    draft = MEADOW.draft(_table().state, ())
    assert draft.order == ""
    assert draft.problem is not None
    assert draft.problem.rule == "SP-R9"
    assert (draft.placed, draft.limit) == (0, 2)
    assert {"G2", "B3"} <= {hex_.label for hex_ in draft.hexes}


def test_a_bad_step_keeps_its_refusal_and_is_left_out() -> None:
    draft = MEADOW.draft(_table().state, ("K2 N-S", "nonsense", "G2 N-S", "remove", "B3 NE-NW", "B1 N-S", "cash"))
    refused = [step.refusal.rule if step.refusal else None for step in draft.steps]
    assert refused == ["SP-R12", "", None, "SP-R10", None, "SP-R9", ""]
    assert draft.order == "track G2 N-S; B3 NE-NW"


ON_THE_WAY = {"C6": "red N-S", "E6": "red N-S"}
DRAFTS: list[tuple[list[str], list[str], list[str], list[str]]] = [
    ([], [], ["A6 towards G6"], ["remove the track on E6: The connection ends one hex earlier."]),
    (
        ["remove"], ["takes the last tile away"], ["A6 towards E6"],
        ["remove the track on C6: The connection is gone and its train comes back."],
    ),
    (["remove", "remove"], ["takes the last tile away"] * 2, [], []),
    (["E6 N-SW"], ["turns N-S to N-SW"], ["Completes A6–F5."], []),
    (
        ["E6 N-SE", "F7 S-NW", "remove"], ["turns N-S to N-SE", "gentle curve", "not legal now"], ["A6 towards H7"], [],
    ),
    (["G6 N-S"], ["straight"], ["Completes A6–I6."], []),
]  # fmt: skip
"""Steps, what each of them does, where the connection then leads, and what can be taken away."""


@pytest.mark.parametrize(("steps", "does", "leads", "removes"), DRAFTS)
def test_a_draft_says_what_it_does_and_where_the_connection_on_its_way_leads(
    steps: list[str], does: list[str], leads: list[str], removes: list[str]
) -> None:
    draft = MEADOW.draft(position(track=ON_THE_WAY, left=1, cash={"red": 1}), steps)
    assert [str(step.words) for step in draft.steps] == does
    assert [str(section.words) for section in (*draft.kept, *draft.completed)] == leads
    assert [f"{link.shape}: {link.effect}" for link in draft.links] == removes


def test_after_two_operations_there_is_no_tile_to_choose() -> None:
    """SP-R9: not even where the next action could build."""
    table, steps = Table(position(track={"C6": "red N-S"})), ("E6 N-S", "G6 N-S")
    assert MEADOW.tiles_at(table.state, steps, "K6") == ()
    assert MEADOW.tiles_at(table.play(f"track {'; '.join(steps)}").state, (), "K6") != ()


def test_tiles_beyond_the_cash_are_shown_as_too_dear() -> None:
    state = position(track={"C2": "red N-S", "B3": "red NE-NW"}, cash={"red": 1})
    tiles = {tile.order: tile.affordable for tile in MEADOW.tiles_at(state, (), "C4")}
    assert tiles == dict.fromkeys(tiles, False)
    assert "C4 N-S" in tiles
    state = position(track={"C6": "blue N-S", "B5": "red SE-NW"})
    (crossing,) = [tile for tile in MEADOW.tiles_at(state, (), "C6") if tile.order == "C6 SE-NW"]
    assert (crossing.price, crossing.kept, str(crossing.shape)) == (2, ((0, 3, "blue"),), "SE-NW across N-S")


@pytest.mark.parametrize(("cash", "affordable"), [(1, False), (2, True)])
def test_a_tile_can_be_paid_with_the_last_dollar(cash: int, affordable: bool) -> None:
    state = position(track={"C2": "red N-S", "B3": "red NE-NW"}, cash={"red": cash})
    assert {tile.affordable for tile in MEADOW.tiles_at(state, (), "C4")} == {affordable}
    (hill,) = [hex_ for hex_ in MEADOW.draft(state, ()).hexes if hex_.label == "C4"]
    assert hill.affordable is affordable


def test_the_own_open_end_is_the_first_hex_also_where_it_is_too_dear() -> None:
    hexes = MEADOW.draft(position(track={"B3": "red NW-SE"}, cash={"red": 1}), ()).hexes
    assert [(hex_.label, hex_.own_end, hex_.affordable) for hex_ in hexes] == [
        ("C4", True, False), ("B3", False, True),
    ]  # fmt: skip


def test_who_builds_no_track_has_no_draft() -> None:
    table = Table(position(hands={"red": "6"})).play("contract 6")
    with pytest.raises(ValueError, match="nobody builds"):
        MEADOW.draft(table.state, ())


# prospects ---------------------------------------------------------------------------------------------------


def card(table: Table, order: str) -> HandCard:
    return next(card for card in MEADOW.cards(table.state, "red") if card.order == order)


def helps(table: Table, order: str) -> list[str]:
    return [str(sentence) for sentence in card(table, order).helps]


def test_a_contract_that_an_action_of_money_makes_payable_says_so() -> None:
    beginning = _table()
    assert (card(beginning, "contract 2").short, helps(beginning, "contract 2")) == (
        1, ["Take $3 first, and you can pay it."],
    )  # fmt: skip
    assert card(_table().play("cash"), "contract 2").short == 0
    assert helps(_table(cash={"red": 6}), "contract 2") == [], "$3 are not enough"


def test_the_factory_and_the_connection_that_make_a_contract_cheapest_are_named_with_their_price() -> None:
    beginning = _table()
    assert card(beginning, "contract 3").price == 7
    assert helps(beginning, "contract 3") == [
        "With a factory of yours in E2 it costs $2.", "With a connection to E4 it costs $6.",
    ]  # fmt: skip
    assert card(_table().play("factory E2"), "contract 3").price == 2
    assert card(_table().play("track D3 SE-SW"), "contract 3").price == 6


def test_a_contract_that_costs_nothing_needs_no_help() -> None:
    assert (card(_table(), "contract 1").price, helps(_table(), "contract 1")) == (0, [])


def test_connections_of_one_track_action_are_named_with_their_tiles() -> None:
    told = [str(sentence) for sentence in MEADOW.prospects(_table().state)["track"]]
    assert told == [
        "1 tile for $0 (B3) completes A2–A4.",
        "1 tile for $0 (D3) completes E2–E4.",
        "1 tile for $0 (G2) completes E2–I2.",
    ]


def test_what_can_be_paid_decides_what_is_named() -> None:
    """The mountain of G4 costs $4."""
    rich, poor = _table(cash={"red": 4}).play("track G2 N-SE"), _table(cash={"red": 3}).play("track G2 N-SE")
    dear = "2 tiles for $4 (H3 and G4) complete E2–F5."
    assert dear in map(str, MEADOW.prospects(rich.state)["track"])
    assert dear not in map(str, MEADOW.prospects(poor.state)["track"])
    assert "F5" in str(rich.play("track H3 NE-NW; G4 NE-SW").events)
