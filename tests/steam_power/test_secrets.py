"""Hands and the bag are secret: whatever is told to others is searched for them (SP-R38)."""

import json
import random
import re
from collections.abc import Iterator, Sequence
from functools import cache
from typing import Any

import pytest

from pbem import robot
from pbem.engine import BadMove, Refused, Sheet, Step, catalog, replace
from pbem.engine.chance import NotedChance, SeededChance
from pbem.engine.events import tell, told
from pbem.engine.record import digest
from pbem.steam_power.game import SteamPower
from pbem.steam_power.state import State
from tests.every_map.games import seed_of
from tests.every_map.random_player import RandomPlayer
from tests.steam_power.table import CONTRACTS, MEADOW, Meadow, Table, deal, position

SEED = bytes(range(32))


class Marked(Meadow):
    """The meadow with contracts whose numbers, 7001 to 7048, occur nowhere else."""

    contracts = {7000 + n: replace(tile, number=7000 + n) for n, tile in CONTRACTS.items()}  # noqa: RUF012


MARKED = Marked()
NUMBER = re.compile(r"70\d\d")


def _all_public(state: State, viewer: str | None) -> Iterator[object]:
    """Everything that is told of a position to somebody who is not to act."""
    yield MARKED.position(state, viewer)
    yield MARKED.rows(state)
    yield MARKED.words(state)[:-1]  # the last line is a digest, in which any number may stand
    yield MARKED.scene(state)
    yield MARKED.standings(state)
    yield MARKED.columns(state)
    yield [MARKED.place(state), MARKED.phase(state), MARKED.turn(state)]


def _open_numbers(state: State, viewer: str | None = None) -> set[str]:
    """The contracts that a viewer may know of: those done, and the own hand."""
    known = {str(number) for player in state.players.values() for number in player.done}
    return known | {str(number) for number in (state.players[viewer].hand if viewer else ())}


def _numbers(thing: object) -> set[str]:
    return set(NUMBER.findall(repr(thing)))


def _games() -> Iterator[tuple[State, str, str, Step[State], NotedChance]]:
    for players in (2, 3, 5):
        luck = random.Random(players)
        state = MARKED.start(MARKED.colours[:players], SeededChance(SEED, "deal"), {}).state
        while not MARKED.over(state):
            seat, order = MARKED.to_act(state) or "", _order(state, luck)
            chance = NotedChance(SeededChance(SEED, MARKED.place(state)))
            step = MARKED.play(state, seat, MARKED.parse(state, order, {}), chance)
            yield state, seat, order, step, chance
            state = step.state


def _order(state: State, luck: random.Random) -> str:
    """Of five players one that draws often, so that the bag runs empty."""
    draws = [choice.order for choice in MARKED.question(state).choices if choice.order.startswith("draw")]
    return draws[0] if draws and len(state.seats) == 5 and luck.random() < 0.4 else robot.choose(MARKED, state, luck)


@pytest.fixture(scope="module")
def games() -> list[tuple[State, str, str, Step[State], NotedChance]]:
    return list(_games())


def test_no_position_page_picture_or_digest_names_a_contract_of_another(games: list[Any]) -> None:
    for _, _, _, step, _ in games:
        for viewer in (None, *step.state.seats):
            for thing in _all_public(step.state, viewer):
                assert _numbers(thing) <= _open_numbers(step.state, viewer), f"{viewer} is told {thing}"


def test_the_own_hand_is_seen_by_its_owner(games: list[Any]) -> None:
    for _, _, _, step, _ in games[::7]:
        for seat, player in step.state.players.items():
            assert MARKED.position(step.state, seat)["players"][seat]["hand"] == list(player.hand)
            assert set(
                re.findall(r"(70\d\d):", str([str(i) for w in MARKED.hand(step.state, seat) for i in w.items]))
            ) == {str(number) for number in player.hand}


def test_no_event_open_to_others_names_a_contract_in_hand(games: list[Any]) -> None:
    """SP-R38: as they happen and as they are stored."""
    for before, seat, _, step, _ in games:
        for event in step.events:
            stored = told(json.loads(json.dumps(tell(event))))
            for viewer in (None, *before.seats):
                if stored.open_to(viewer):
                    known = _open_numbers(step.state, viewer) | _open_numbers(before, viewer)
                    assert _numbers((stored.fields, str(stored.say))) <= known, f"{viewer} reads {event} of {seat}"


def test_no_public_draw_and_no_order_of_a_record_names_a_contract_in_hand(games: list[Any]) -> None:
    for _, _, _, step, chance in games:
        public = [note for note in chance.notes if note["for"] not in MARKED.secret_draws]
        assert not _numbers(public)
        assert _numbers(tuple(map(str, step.played))) <= _open_numbers(step.state)


def test_draws_of_contracts_are_there_to_be_hidden(games: list[Any]) -> None:
    purposes = {str(note["for"]) for *_, chance in games for note in chance.notes}
    assert purposes <= MARKED.secret_draws
    assert purposes >= {"contracts", "stolen"}


def _otherwise(state: State, seat: str) -> State | None:
    """The same position with another hand for one seat, as far as others can know."""
    hand = state.players[seat].hand
    if not hand or len(state.bag) < len(hand):
        return None
    bag = tuple(sorted((*state.bag[len(hand) :], *hand)))
    return replace(state, bag=bag).with_player(seat, hand=state.bag[: len(hand)])


def test_others_cannot_tell_one_hand_from_another(games: list[Any]) -> None:
    """Two positions that differ in a hand look alike to everybody else, and their orders have the same results."""
    compared = 0
    for before, seat, order, step, _ in games[::3]:
        for hidden in before.seats:
            twin = _otherwise(before, hidden)
            if hidden == seat or twin is None:
                continue
            compared += 1
            assert list(_all_public(twin, seat)) == list(_all_public(before, seat))
            assert digest(MARKED, twin) == digest(MARKED, before)
            assert MARKED.question(twin) == MARKED.question(before)
            assert MARKED.placements(twin) == MARKED.placements(before)
            if "contract" in order or "draw" not in order:
                chance = SeededChance(SEED, MARKED.place(before))
                again = MARKED.play(twin, seat, MARKED.parse(twin, order, {}), chance)
                assert [e for e in again.events if e.seen_by() is None] == [
                    e for e in step.events if e.seen_by() is None
                ]
    assert compared > 40


def test_a_refusal_tells_nothing_of_hands_and_bag() -> None:
    """SP-R38: the same sentence, wherever the contract is."""
    for number in (1, 8, 20, 48):
        answers = set()
        for place in ("bag", "blue", "done"):
            state = position(hands={"red": "7"}, bag=[number] if place == "bag" else [33])
            if place == "blue":
                state = state.with_player("blue", hand=(number,))
            if place == "done":
                state = state.with_player("blue", done=(number,))
            answers.add(Table(state).refusal(f"contract {number} white bank").sentence())
        assert len(answers) == 1


def test_what_others_hold_changes_no_answer_to_any_order(games: list[Any]) -> None:
    """Orders with contracts of others are refused with the same words, whoever holds them."""
    before = games[5][0]
    seat = MARKED.to_act(before) or ""
    hidden = next(other for other in before.seats if other != seat)
    twin = _otherwise(before, hidden)
    assert twin is not None
    own = before.players[seat].hand
    for number in (number for number in MARKED.contracts if number not in own):
        for text in (f"contract {number}", f"contract {number} option 1", f"contract {number} white bank"):
            assert _answer(before, seat, text) == _answer(twin, seat, text)


def _answer(state: State, seat: str, text: str) -> str:
    try:
        MARKED.play(state, seat, MARKED.parse(state, text, {}), SeededChance(SEED, "x"))
    except (BadMove, Refused) as refused:
        return str(refused)
    return "played"


def test_the_deal_tells_nobody_anything() -> None:
    table = deal(3)
    for event in table.events:
        assert event.seen_by() is None
    assert "hand" in MEADOW.secret_draws


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
