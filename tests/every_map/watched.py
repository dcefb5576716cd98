"""Random games of one sheet and one player count, watched by a referee from the deal to the end."""

from collections.abc import Iterator
from dataclasses import dataclass

from pbem.age_of_steam.game import AgeOfSteam
from pbem.engine import Sheet, State, Step
from pbem.steam_power.game import SteamPower
from tests.every_map.games import MOST_ORDERS, SENSE, deal, play, seed_of
from tests.every_map.random_player import RandomPlayer
from tests.invariants import Invariants
from tests.referee import Referee
from tests.steam_power.referee import Referee as SteamPowerReferee

SENSIBLE = 25
"""Every so many games are played by robots that think; the others by random players, some of them rash.

Thinking costs several times as much, builds in patterns and survives: it is needed for late positions, while the
variety comes from haste.
"""
THRIFTY = 3
"""Of so many random games one is played by players who look at their money, so that it goes on for longer."""


@dataclass(frozen=True)
class Care:
    """How much the invariants look at: the share of the positions, and the chance that placements are listed there."""

    looks: float
    listed: float


QUICK = Care(looks=0.1, listed=0.1)
WHOLE = Care(looks=0.3, listed=0.1)


def watch(sheet: Sheet, players: int, number: int, care: Care) -> int:
    """One game to its end; its orders. Raises ``AssertionError`` for what is wrong in it, or what the sheet raises."""
    state = dealt = deal(sheet, number, players)
    invariants = Invariants(sheet, seed=number, looks=care.looks, listed=care.listed)
    watcher = referee(sheet, dealt, invariants)
    orders = 0
    for seat, order, step in _orders(sheet, number, dealt):
        state, orders = step.state, orders + 1
        watcher.watch(seat, order, step)
    _check_end(sheet, players, state)
    return orders


def referee(sheet: Sheet, dealt: State, invariants: Invariants) -> Referee | SteamPowerReferee:
    """Who knows the rules of the game."""
    if isinstance(sheet, SteamPower):
        return SteamPowerReferee(sheet, dealt, invariants)
    assert isinstance(sheet, AgeOfSteam), "a game without a referee"
    return Referee(sheet, dealt, invariants)


def _orders(sheet: Sheet, number: int, dealt: State) -> Iterator[tuple[str, str, Step[State]]]:
    """Seat, order and what it led to, until the game is over."""
    if number % SENSIBLE == 0:
        for played in play(sheet, number, dealt, SENSE):
            yield played.seat, played.order, played.step
        return
    players, state = RandomPlayer(sheet, seed_of(number), rash=number % THRIFTY != 0), dealt
    for _ in range(MOST_ORDERS):
        seat = sheet.to_act(state)
        if seat is None:
            return
        order, step = players.play(state)
        yield seat, order, step
        state = step.state
    raise AssertionError(f"the game has not ended after {MOST_ORDERS} orders")


def _check_end(sheet: Sheet, players: int, state: State) -> None:
    standings, length = sheet.standings(state), sheet.turns(players)
    assert sheet.over(state), "the game is not over"
    assert {line.seat for line in standings} >= set(sheet.colours[:players]), "a player is missing from the table"
    if length is not None:
        survivors = sum(not line.out for line in standings)
        assert sheet.turn(state) <= length, "it went on after its last turn"
        assert sheet.turn(state) == length or survivors < min(players, 2), "it ended before its last turn"
