"""Turns and the end of the game (section 3)."""

import pytest

from pbem.engine import BadMove
from pbem.steam_power.events import GameEnded, LastRoundBegan, RoundBegan
from tests.steam_power.table import MEADOW, Table, deal, position

HOME = {"C2": "red N-S", "G2": "blue N-S"}
THREE = HOME | {"K2": "green N-S"}
WHITE = {"Birch": "white red 5", "Cedar": "white blue 5"}


def test_nobody_passes_because_cash_is_always_legal() -> None:
    """SP-R5: it is also what is played when the time ends."""
    table = deal()
    with pytest.raises(BadMove):
        table.play("pass")
    assert str(MEADOW.default(table.state)) == "cash"
    table.state = table.state.with_player(table.asked or "", cash=0)
    table.play("cash", "cash")


def test_there_is_no_limit_of_turns() -> None:
    """SP-R5a: a game in which everybody only takes money goes on."""
    table = deal()
    for _ in range(50):
        table.play("cash; cash", "cash; cash", "cash; cash")
    assert table.state.turn == 51
    assert not table.sheet.over(table.state)
    assert MEADOW.turns(3) is None


def test_both_actions_fit_in_one_message_or_in_two() -> None:
    """SP-R6: the same action twice is fine."""
    table = deal()
    first = table.asked
    table.play("cash")
    assert table.asked == first
    assert table.sheet.position(table.state)["actions_left"] == 1
    table.play("draw")
    assert table.asked != first
    second = table.asked
    table.play("cash; cash")
    assert table.asked != second
    assert "not yours" in table.refusal("cash; cash; cash").sentence()


def test_turns_go_round_the_table_and_rounds_are_counted() -> None:
    table = deal()
    assert table.told(RoundBegan)[0].turn == 1
    order = table.state.seats
    for seat in (*order, *order):
        assert table.asked == seat
        table.play("cash; cash")
    assert table.told(RoundBegan)[0].turn == 3


@pytest.mark.parametrize(("players", "threshold"), [(2, 14), (3, 11), (4, 9), (5, 8)])
def test_the_end_comes_with_so_many_contracts(players: int, threshold: int) -> None:
    """SP-E4."""
    for done in (threshold - 2, threshold - 1):
        state = position(players, track=HOME, cities=WHITE, hands={"red": "7"}, done={"red": done})
        table = Table(state).play("contract 7; cash")
        last = done == threshold - 1
        assert bool(table.sheet.position(table.state)["last_round"]) is last
        for _ in range(players - 1):
            assert not table.sheet.over(table.state)
            table.play("cash; cash")
        assert table.sheet.over(table.state) is last


def test_everybody_has_as_many_turns() -> None:
    """SP-E9: the second of three fulfils the eleventh contract, the third still plays."""
    state = position(track=THREE, cities=WHITE, hands={"blue": "7"}, done={"blue": 10}, seat="blue")
    table = Table(state).play("contract 7")
    assert table.told(LastRoundBegan)
    table.play("cash")
    assert table.asked == "green"
    table.play("cash; cash")
    assert table.sheet.over(table.state)
    assert table.sheet.position(table.state)["over"] is True
    assert table.told(GameEnded)
    assert table.asked is None


def test_the_last_seat_ends_the_game_with_its_own_turn() -> None:
    """SP-R7: it may fulfil more with its second action."""
    state = position(track=THREE, cities=WHITE, hands={"green": "7 1"}, done={"green": 10}, seat="green")
    table = Table(state).play("contract 7")
    assert not table.sheet.over(table.state)
    table.play("contract 1")
    assert table.sheet.over(table.state)
    assert len(table["green"].done) == 12


def test_a_bonus_triggers_nothing_new() -> None:
    """SP-R8: the last round begins with a contract, never with what its bonus brings."""
    state = position(track=HOME, cities={"Birch": "gray red 5"}, hands={"red": "6"}, done={"red": 9})
    table = Table(state).play("contract 6; bonus draw")
    assert not table.told(LastRoundBegan)
    assert not table.sheet.position(table.state)["last_round"]


def test_alternatives_are_played_in_their_order() -> None:
    table = Table(position(track=HOME, cities={"Birch": "white"}))
    table.play("contract 7 | factory Gorse | factory Birch | cash")
    assert table.city("Birch").factory == "red"
    assert table.state.left == 1


def test_what_is_written_down_are_the_orders_that_were_played() -> None:
    """SP-R38: an alternative that was not played may name a contract in hand."""
    table = Table(position(hands={"red": "7"}))
    moves = MEADOW.parse(table.state, "contract 7 | cash; draw | cash", {})
    table.state = table.state.with_player("red", cash=0)
    step = MEADOW.play(table.state, "red", moves, table._chance())
    assert [str(move) for move in step.played] == ["cash", "draw"]


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
