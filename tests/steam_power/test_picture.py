"""The position as a picture and in words."""

import json
from typing import Any

import pytest

from pbem.engine.events import Event, tell, told
from pbem.language.voice import GameVoice
from pbem.rails.scene import Bar, Marks, Scene
from pbem.rails.track import Piece
from pbem.steam_power.events import (
    BonusGone,
    ContractsSeen,
    CounterLaid,
    GameEnded,
    LastRoundBegan,
    TrackLaid,
    TrackRemoved,
)
from tests.steam_power.table import MEADOW, Table, deal, position, sheet_of

STATE = position(
    track={"C2": "red N-S", "C4": "blue N-S", "C6": "green N-S"},
    cities={"Alder": "black red 4", "Birch": "white blue 0", "Fir": "purple", "Ivy": "orange"},
    hands={"red": "1", "blue": "8 9"},
    done={"blue": 3},
)


def _scene(state: Any = STATE, **more: Any) -> Scene:
    return MEADOW.scene(state, **more)


def test_adjacent_cities_have_a_bar_that_tells_whether_they_are_open() -> None:
    assert _scene().bars == (Bar("E4", 2, True),)
    assert _scene(position()).bars == (Bar("E4", 2, False),)
    italy = sheet_of("northern_italy")
    assert len(italy.scene(deal(2, sheet=italy).state).bars) == 4


def test_what_an_order_changed_is_marked_also_when_it_is_read_from_the_store() -> None:
    cities = {"Alder": "white red 1", "Birch": "black", "Elm": "gray"}
    table = Table(position(track={"C2": "red N-S"}, cities=cities, hands={"red": "7"}))
    before = table.state
    table.play("contract 7; track B3 NE-NW")
    for events in (table.events, [told(json.loads(json.dumps(tell(event)))) for event in table.events]):
        marks: Marks = MEADOW.marks(before, table.state, events)
        assert marks.laid == ((Piece("B3", 1, 5),),)
        assert marks.cities == {"A2"}
        assert marks.grown == {}
        assert ("red", "cash") in marks.cells
        assert ("blue", "cash") not in marks.cells
    bought = Table(position(hands={"red": "7"}))
    before = bought.state
    bought.play("contract 7")
    assert MEADOW.marks(before, bought.state, bought.events).cities == frozenset(), "the bank is no City"
    before = table.state
    table.play("factory Birch; cash")
    marks = MEADOW.marks(before, table.state, table.events)
    assert marks.grown == {"E2": ("black",) * 5}


@pytest.mark.parametrize(
    ("event", "sentence"),
    [
        (TrackLaid("red", "C2", (), 2, "placed"), "Red laid track on C2 for $2."),
        (TrackLaid("red", "C2", (), 2, "crossed"), "Red crossed the track on C2 for $2."),
        (TrackLaid("red", "C2", (), 0, "replaced"), "Red changed the last tile of a connection on C2."),
        (TrackRemoved("red", "C2", train=False), "Red removed the track on C2."),
        (TrackRemoved("red", "C2", train=True), "Red removed the track on C2 and took the train back."),
        (BonusGone("red", 4, "declined"), "Red declined the bonus of contract 4."),
        (BonusGone("red", 4, "impossible"), "Red could not use the bonus of contract 4."),
        (ContractsSeen("red", (4,)), "You drew contract 4."),
        (ContractsSeen("red", (4, 9)), "You drew contracts 4 and 9."),
        (LastRoundBegan("red", 11), "Red has fulfilled 11 contracts: this round is the last."),
        (CounterLaid(3, contract=True), "A contract is laid aside unseen for round 3."),
        (CounterLaid(3, contract=False), "The bag of contracts is empty; round 3 is over."),
        (GameEnded(()), "The game is over."),
        (GameEnded(("red",)), "The game is over. Red has won."),
        (GameEnded(("red", "blue")), "The game is over. Red and Blue share the victory."),
    ],
)
def test_an_event_says_what_happened(event: Event, sentence: str) -> None:
    assert event.text().read(GameVoice(MEADOW, STATE, {})) == sentence
