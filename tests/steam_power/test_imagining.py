"""What a player may imagine of a game: all that is open as it is, all that is hidden made up, no contract twice."""

import json
from collections.abc import Sequence
from functools import cache

import pytest

from pbem.engine import catalog
from pbem.engine.chance import SeededChance
from pbem.engine.sheet import Sheet
from pbem.steam_power.game import SteamPower
from pbem.steam_power.state import State
from tests.every_map.games import seed_of
from tests.every_map.random_player import RandomPlayer
from tests.steam_power.table import MEADOW, position

SHEETS = [sheet for sheet in catalog.sheets() if isinstance(sheet, SteamPower)]


@cache
def states(sheet: Sheet) -> Sequence[State]:
    """Some positions of a random game, among them those in the middle of an action."""
    players = RandomPlayer(sheet, seed_of(3), rash=False)
    found = [sheet.start(sheet.colours[: sheet.player_counts()[-1]], SeededChance(seed_of(3), "deal"), {}).state]
    while not sheet.over(found[-1]):
        found.append(players.play(found[-1])[1].state)
    return found


def contracts_of(state: State) -> list[int]:
    """Every contract of a game, wherever it is."""
    players = state.players.values()
    return sorted((*state.bag, *state.counters, *(n for player in players for n in (*player.hand, *player.done))))


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: str(sheet.slug))
def test_what_is_imagined_agrees_in_all_that_its_reader_sees(sheet: Sheet) -> None:
    """Each contract is in one place, as many as there are in each hand and in the bag; the own hand is known."""
    imagined = 0
    for state in states(sheet):
        viewer = sheet.to_act(state)
        if viewer is None:
            continue
        seen = json.loads(json.dumps(sheet.position(state, viewer)))
        thought = sheet.imagined(seen, viewer, {})
        assert (thought is None) == (state.phase != "actions")
        if thought is None:
            continue
        imagined += 1
        assert json.loads(json.dumps(sheet.position(thought, viewer))) == seen
        assert contracts_of(thought) == contracts_of(state)
        assert thought.players[viewer].hand == state.players[viewer].hand
    assert imagined > 20


@pytest.mark.parametrize("sheet", SHEETS, ids=lambda sheet: str(sheet.slug))
def test_what_is_dealt_anew_tells_nothing_of_what_was_hidden(sheet: Sheet) -> None:
    """In every phase: two positions that look alike become the same one, which looks like them."""
    changed = 0
    for state in states(sheet):
        for viewer in state.players:
            twin = sheet.dealt_anew(state, viewer, SeededChance(seed_of(1), "twin"))
            anew, other = (sheet.dealt_anew(one, viewer, SeededChance(seed_of(2), "anew")) for one in (state, twin))
            assert anew == other
            assert sheet.position(anew, viewer) == sheet.position(state, viewer) == sheet.position(twin, viewer)
            assert contracts_of(anew) == contracts_of(state)
            changed += twin != state != anew
    assert changed > 20


def test_a_contract_that_somebody_has_done_is_in_nobodys_hand() -> None:
    """Nor in the bag: of the others only those are thought of that can be there."""
    state = position(hands={"red": "7", "blue": "1 2"}, bag=[20, 21])
    state = state.with_player("blue", done=(3, 4)).with_player("red", done=(5,))
    thought = MEADOW.imagined(MEADOW.position(state, "red"), "red", {})
    assert thought is not None
    assert thought.players["red"].hand == (7,)
    assert thought.players["blue"].hand == (1, 2)
    assert (thought.bag, thought.counters) == ((6, 8), ())


def test_an_opening_hides_something_unless_it_has_the_hands() -> None:
    assert MEADOW.hides({"bag": [1]})
    assert not MEADOW.hides({"bag": [1], "hands": {}})


def test_what_a_player_shows_to_hold_changes_places_with_something_in_hand() -> None:
    """SP-R38: in a state with made-up hands a contract comes from the bag, or from the hand of another."""
    state = position(hands={"red": "7 8", "blue": "1 2"}, bag=[20, 21])
    for number, bag, blue in ((20, (7, 21), (1, 2)), (1, (20, 21), (2, 7))):
        shown = MEADOW.holding(state, "red", MEADOW.parse(state, f"contract {number}", {}))
        assert shown.players["red"].hand == tuple(sorted((number, 8)))
        assert (shown.bag, shown.players["blue"].hand) == (bag, blue)
        assert MEADOW.position(shown) == MEADOW.position(state)
    last = position(hands={"red": "7"}, bag=[20])
    shown = MEADOW.holding(last, "red", MEADOW.parse(last, "contract 20", {}))
    assert (shown.players["red"].hand, shown.bag) == ((20,), (7,)), "also when nothing else is hidden"
    both = MEADOW.parse(state, "contract 7; contract 20", {})
    assert MEADOW.holding(state, "red", both).players["red"].hand == (7, 20), "what was shown stays in hand"
    played = MEADOW.parse(state, "cash; contract 20", {})
    assert MEADOW.holding(state, "red", played).players["red"].hand == (8, 20), "orders of other kinds show nothing"
    held = MEADOW.parse(state, "contract 7", {})
    assert MEADOW.holding(state, "red", held) == state


def test_what_nobody_can_hold_is_not_put_into_a_hand() -> None:
    """A contract that is done, or that there is not: the order is refused as it is."""
    state = position(hands={"red": "7"}, bag=[20]).with_player("blue", done=(3,))
    for number in (3, 999):
        assert MEADOW.holding(state, "red", MEADOW.parse(state, f"contract {number}", {})) == state
