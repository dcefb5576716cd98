"""The referee himself is tested: he finds what is wrong."""

from typing import Any

import pytest

from pbem.engine import State, replace
from pbem.steam_power.state import CityTile
from tests.age_of_steam.table import segments
from tests.every_map.games import deal, play
from tests.steam_power.referee import Referee
from tests.steam_power.table import MEADOW, SOLO, Table, position

LATE = position(
    track={"C2": "red N-S", "C6": "blue N-S"},
    cities={"Alder": "white red 5"},
    hands={"red": "1 2 3 4 5", "blue": "6 7 8 9 10", "green": "11 12 13 14 15"},
    bag=range(16, 49),
)


@pytest.mark.parametrize("sheet", [MEADOW, SOLO], ids=["several", "solo"])
@pytest.mark.parametrize("number", range(4))
def test_random_games_on_the_meadow_end(sheet: Any, number: int) -> None:
    """SP-R49, SP-R5a: every network is one piece, every game of robots reaches its end."""
    state = dealt = deal(sheet, number)
    referee = Referee(sheet, dealt)
    for played in play(sheet, number, dealt):
        state = played.step.state
        referee.watch(played.seat, played.order, played.step)
    assert sheet.over(state)


def test_a_fair_position_is_let_pass() -> None:
    Referee(MEADOW, LATE)


def _laid(**track: str) -> State:
    return replace(LATE, track={**LATE.track, **{hex_: segments(MEADOW, text) for hex_, text in track.items()}})


FAULTS: dict[str, State] = {
    "contracts appeared or vanished": replace(LATE, bag=LATE.bag[1:]),
    "has \\$-1": LATE.with_player("red", cash=-1),
    "in pieces": _laid(K2="red N-S"),
    "two incomplete connections": _laid(B7="blue S-NW"),
    "starts at no City": _laid(L1="green N-S"),
    "on the City": _laid(M2="green N-S"),
    "of several owners": _laid(E6="green N-SW"),
    "to which no connection leads": LATE.with_city("A6", replace(LATE.cities["A2"], factory="blue")),
    "7 cubes on A2": LATE.with_city("A2", replace(LATE.cities["A2"], cubes=7)),
    "a factory on the victory City": LATE.with_city("A2", replace(LATE.cities["A2"], colour="purple", cubes=0)),
    "there is no coexist": _laid(C2="red N-S; red NE-SE"),
}


@pytest.mark.parametrize("fault", FAULTS)
def test_the_referee_sees_it(fault: str) -> None:
    with pytest.raises(AssertionError, match=fault):
        Referee(MEADOW, FAULTS[fault])


def test_a_broken_connection_is_seen() -> None:
    fair = LATE.with_city("A2", CityTile("white"))
    referee, table = Referee(MEADOW, fair), Table(fair)
    step = MEADOW.play(fair, "red", MEADOW.parse(fair, "cash", {}), table._chance())
    broken = replace(step, state=replace(step.state, track={"C6": LATE.track["C6"]}))
    with pytest.raises(AssertionError, match="has changed"):
        referee.watch("red", "cash", broken)


def test_money_from_nowhere_is_seen() -> None:
    referee, table = Referee(MEADOW, LATE), Table(LATE)
    step = MEADOW.play(LATE, "red", MEADOW.parse(LATE, "cash", {}), table._chance())
    with pytest.raises(AssertionError, match="the cash of blue"):
        referee.watch("red", "cash", replace(step, state=step.state.with_cash("blue", 1)))
