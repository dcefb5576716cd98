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
from tests.steam_power.table import MEADOW, SOLO, Table, deal, position, sheet_of

STATE = position(
    track={"C2": "red N-S", "C4": "blue N-S", "C6": "green N-S"},
    cities={"Alder": "black red 4", "Birch": "white blue 0", "Fir": "purple", "Ivy": "orange"},
    hands={"red": "1", "blue": "8 9"},
    done={"blue": 3},
)


def _scene(state: Any = STATE, **more: Any) -> Scene:
    return MEADOW.scene(state, **more)


def _plates(scene: Scene) -> dict[str, Any]:
    return {plate.name: plate for plate in scene.cities}


def test_a_city_shows_its_colour_its_factory_and_its_cubes() -> None:
    plates = _plates(_scene())
    alder, birch, fir, ivy = (plates[name] for name in ("Alder", "Birch", "Fir", "Ivy"))
    assert (alder.colours, alder.factory, alder.cubes, alder.pill) == (("black",), "red", ("black",) * 4, "")
    assert (birch.factory, birch.used_up, birch.pill, birch.cubes) == ("blue", True, "2 VP", None)
    assert (fir.colours, fir.pill, fir.used_up) == (("purple",), "4 VP", False)
    assert (ivy.factory, ivy.cubes) == (None, None)


def test_adjacent_cities_have_a_bar_that_tells_whether_they_are_open() -> None:
    assert _scene().bars == (Bar("E4", 2, True),)
    assert _scene(position()).bars == (Bar("E4", 2, False),)
    italy = sheet_of("northern_italy")
    assert len(italy.scene(deal(2, sheet=italy).state).bars) == 4


def test_the_table_shows_contracts_done_against_those_that_end_the_game() -> None:
    scene = _scene(names={"blue": "Ben"})
    assert [(row.name, row.progress) for row in scene.players] == [
        ("Red", (0, 11)),
        ("Ben", (3, 11)),
        ("Green", (0, 11)),
    ]
    assert scene.players[1].cells["hand"] == "2"
    assert scene.end == "ends after the round in which somebody fulfils contract 11"
    assert _scene(position(done={"red": 11})).end == "this round is the last"
    assert scene.stock == (("black", 26), ("white", 30), ("orange", 30), ("gray", 30))
    assert scene.bag == "bag: 10 contracts"


def test_only_cash_is_counted_in_dollars() -> None:
    assert [column.key for column in MEADOW.columns(STATE) if column.money] == ["cash"]


@pytest.mark.parametrize(("left", "phase", "head"), [(2, 0, "Red has two actions"), (1, 1, "Red has one action left")])
def test_the_head_tells_which_action_is_taken(left: int, phase: int, head: str) -> None:
    scene = _scene(position(left=left))
    assert scene.phases == ("First action", "Second action")
    assert (scene.phase, scene.headline) == (phase, head)
    assert scene.acts == ("track", "factory", "contract", "draw", "cash")


def test_a_bonus_belongs_to_its_action() -> None:
    table = Table(position(hands={"red": "6"})).play("contract 6")
    scene = _scene(table.state)
    assert (scene.phase, scene.headline, scene.acts) == (0, "Red takes a bonus", ())
    table = Table(position(hands={"red": "6"}, left=1)).play("contract 6")
    assert _scene(table.state).phase == 1


def test_the_head_tells_that_a_contract_comes_from_a_hand() -> None:
    hands = {"red": "1", "blue": "8 9 10 11", "green": "12 13 14 15", "yellow": "16 17"}
    table = Table(position(4, hands=hands, bag=[20])).play("draw")
    assert _scene(table.state).headline == "Red draws from a hand"


def test_alone_the_company_stands_in_the_head() -> None:
    table = deal(1, sheet=SOLO)
    scene = SOLO.scene(table.state, names={"gray": "Ana"})
    assert scene.headline == f"Ana for {table.state.company.capitalize()} has one action left"
    assert [key for key, _ in scene.columns] == ["cash", "hand", "done", "points"]
    assert (scene.turns, scene.end) == (8, "")


def test_prices_of_the_land_are_in_the_key() -> None:
    assert _scene().prices == {"plain": "$0", "hill": "$2", "mountain": "$4"}


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


def test_the_board_is_told_in_words() -> None:
    voice = GameVoice(MEADOW, STATE, {})
    words = {part.head.read(voice): [item.read(voice) for item in part.items] for part in MEADOW.words(STATE)}
    assert words["Black Cities"] == ["Alder: Red, 4 cubes"]
    assert words["White Cities"] == ["Birch: Blue, used up"]
    assert words["Purple Cities"] == ["Fir"]
    assert words["Adjacent Cities"] == ["Fir and Ivy: open"]
    assert words["Connections of Red"] == ["Alder–Birch"]
    assert words["Connections of Green"] == ["Juniper towards E6"]
    assert words["Contracts done by Blue"] == ["48 (1 point)", "47 (1 point)", "46 (1 point)"]
    assert words["Stock"] == ["26 black", "30 white", "30 orange", "30 gray", "10 contracts in the bag"]


def test_alone_the_pieces_of_every_company_are_told() -> None:
    state = deal(1, sheet=SOLO).state
    voice = GameVoice(SOLO, state, {"gray": "Red"})
    words = {part.head.read(voice): [item.read(voice) for item in part.items] for part in SOLO.words(state)}
    assert words["Connections of Yellow"] == ["16 trains and 15 factories left"]


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


def test_every_event_is_a_sentence() -> None:
    state = position(
        track={"C2": "red N-S", "F3": "blue NE-NW", "C6": "green N-S"},
        cities={"Fir": "white blue 1", "Elm": "gray", "Birch": "orange"},
        hands={"red": "2", "blue": "8"},
    )
    table = Table(state)
    voice = GameVoice(MEADOW, state, {"red": "Ana"})
    table.play("contract 2; factory Birch")
    assert [event.text().read(voice) for event in table.events] == [
        "Ana fulfilled contract 2 for $7: white from Fir ($2 to Blue) and white from the bank ($5). "
        "It brings $2 and 2 points.",
        "Blue's factory in Fir is used up: 2 points at the end.",
        "Ana built a factory in Birch with 5 orange.",
    ]
    table.play("track C4 N-S; cash")
    assert [event.text().read(voice) for event in table.events][:2] == [
        "Blue laid track on C4 for $2.",
        "Blue connected Fir and Elm.",
    ]
    table.play("track remove; cash")
    assert table.events[0].text().read(voice) == "Green removed the track on C6 and took the train back."
