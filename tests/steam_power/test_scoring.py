"""Scoring (section 10)."""

import pytest

from tests.steam_power.table import Table, position

TO_BIRCH = {
    "red": {"C2": "red N-S"},
    "blue": {"D3": "blue SE-SW"},
    "green": {"F3": "green NE-NW"},
    "yellow": {"G2": "yellow N-S"},
    "purple": {"D1": "purple N-SE", "B1": "purple NE-S"},
}
"""A connection of each player that ends at Birch."""


def _parts(table: Table, seat: str) -> dict[str, int]:
    return next(dict(line.parts) for line in table.sheet.standings(table.state) if line.seat == seat)


@pytest.mark.parametrize(("connected", "share"), [(1, 4), (2, 2), (3, 1), (4, 1), (5, 0)])
def test_a_victory_city_is_shared(connected: int, share: int) -> None:
    """SP-E3."""
    track = {hex_: text for own in list(TO_BIRCH.values())[:connected] for hex_, text in own.items()}
    table = Table(position(5, track=track, cities={"Birch": "purple"}))
    shares = [_parts(table, seat)["cities"] for seat in table.state.seats]
    assert shares == [share] * connected + [0] * (5 - connected)


def test_points_come_from_contracts_factories_cities_and_cash() -> None:
    """SP-D15: $14, contracts of 2, 3 and 1, two used-up factories, a victory City shared by two."""
    state = position(
        track=TO_BIRCH["red"] | TO_BIRCH["blue"],
        cities={"Birch": "purple", "Alder": "white red 0", "Elm": "black red 0", "Fir": "white red 3"},
        cash={"red": 14},
        hands={"red": "7 8"},
    ).with_player("red", done=(2, 3, 1))
    table = Table(state)
    assert _parts(table, "red") == {"contracts": 6, "factories": 4, "cities": 2, "cash": 2}
    assert table.sheet.position(state)["players"]["red"]["points"] == 14


def test_only_connections_that_end_at_the_victory_city_itself_count() -> None:
    """SP-D16, SP-R43: who is connected to its neighbour only has no share, but may start track there."""
    table = Table(position(track={"C4": "red N-S"}, cities={"Ivy": "purple"}))
    assert _parts(table, "red")["cities"] == 0
    assert "E6 N-SW" in table.operations
    assert _parts(table.play("track E6 N-SW; C6 N-S"), "red")["cities"] == 4


def test_several_connections_of_one_player_are_one_share() -> None:
    """SP-R44."""
    track = TO_BIRCH["red"] | {"G2": "red N-S"} | TO_BIRCH["blue"]
    table = Table(position(track=track, cities={"Birch": "purple"}))
    assert _parts(table, "red")["cities"] == _parts(table, "blue")["cities"] == 2


def test_the_flipped_city_counts_for_the_owner_of_its_factory() -> None:
    """SP-R34."""
    table = Table(position(cities={"Elm": "white blue 0"}))
    assert (_parts(table, "blue")["factories"], _parts(table, "red")["factories"]) == (2, 0)


def test_contracts_in_hand_and_incomplete_connections_count_nothing() -> None:
    table = Table(
        position(track={"C6": "red N-S"}, hands={"red": "7 3"}, cash={"red": 4}, cities={"Juniper": "purple"})
    )
    assert sum(_parts(table, "red").values()) == 0


def test_more_contracts_break_a_tie_and_equal_ones_share() -> None:
    state = position(cash={"red": 10, "blue": 10, "green": 0})
    assert [line.place for line in Table(state).sheet.standings(state)] == [1, 1, 3]
    with_one = state.with_player("blue", cash=5, done=(8,))
    lines = Table(state).sheet.standings(with_one)
    assert [(line.seat, line.place, line.score) for line in lines] == [("blue", 1, 2), ("red", 2, 2), ("green", 3, 0)]
