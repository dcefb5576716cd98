"""What would help a contract, and the connections a track action completes: each promise is kept when it is played."""

from pbem.engine.cards import HandCard
from tests.steam_power.table import MEADOW, Table, position

CITIES = {"Alder": "black red 5", "Birch": "orange", "Fir": "gray blue 1", "Gorse": "white"}


def table(**more: object) -> Table:
    """Red connects Alder and Birch, Blue has a factory in Fir."""
    more = {"hands": {"red": "1 2 3"}, "cities": CITIES, "cash": {"red": 9}} | more
    track = {"C2": "red N-S", "F3": "blue NE-NW"}
    return Table(position(track=track, **more))  # type: ignore[arg-type]


def card(table: Table, order: str) -> HandCard:
    return next(card for card in MEADOW.cards(table.state, "red") if card.order == order)


def helps(table: Table, order: str) -> list[str]:
    return [str(sentence) for sentence in card(table, order).helps]


def test_a_contract_that_an_action_of_money_makes_payable_says_so() -> None:
    beginning = table()
    assert (card(beginning, "contract 2").short, helps(beginning, "contract 2")) == (
        1, ["Take $3 first, and you can pay it."],
    )  # fmt: skip
    assert card(table().play("cash"), "contract 2").short == 0
    assert helps(table(cash={"red": 6}), "contract 2") == [], "$3 are not enough"


def test_the_factory_and_the_connection_that_make_a_contract_cheapest_are_named_with_their_price() -> None:
    beginning = table()
    assert card(beginning, "contract 3").price == 7
    assert helps(beginning, "contract 3") == [
        "With a factory of yours in E2 it costs $2.", "With a connection to E4 it costs $6.",
    ]  # fmt: skip
    assert card(table().play("factory E2"), "contract 3").price == 2
    assert card(table().play("track D3 SE-SW"), "contract 3").price == 6


def test_a_contract_that_costs_nothing_needs_no_help() -> None:
    assert (card(table(), "contract 1").price, helps(table(), "contract 1")) == (0, [])


def test_connections_of_one_track_action_are_named_with_their_tiles() -> None:
    told = [str(sentence) for sentence in MEADOW.prospects(table().state)["track"]]
    assert told == [
        "1 tile for $0 (B3) completes A2–A4.",
        "1 tile for $0 (D3) completes E2–E4.",
        "1 tile for $0 (G2) completes E2–I2.",
    ]


def test_what_can_be_paid_decides_what_is_named() -> None:
    """The mountain of G4 costs $4."""
    rich, poor = table(cash={"red": 4}).play("track G2 N-SE"), table(cash={"red": 3}).play("track G2 N-SE")
    dear = "2 tiles for $4 (H3 and G4) complete E2–F5."
    assert dear in map(str, MEADOW.prospects(rich.state)["track"])
    assert dear not in map(str, MEADOW.prospects(poor.state)["track"])
    assert "F5" in str(rich.play("track H3 NE-NW; G4 NE-SW").events)
