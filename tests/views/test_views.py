"""What a viewer is given of a game cannot tell a secret, on every sheet that has some."""

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

import pytest

from pbem import robot
from pbem.engine import Sheet, State, Word, catalog, replace, say
from pbem.engine.chance import SeededChance
from pbem.engine.events import Told
from pbem.store.statuses import GameStatus, MoveCause, SeatStatus
from pbem.views.games import GameView, MoveView, SeatView
from pbem.views.log import LogLine, log_lines
from tests.reachable import LEAVES, reachable

SEED = bytes(range(32))
NOW = datetime(2026, 11, 22, tzinfo=UTC)
SECRETIVE = [sheet for sheet in catalog.sheets() if sheet.secret_draws]
ORDERS, EVERY = 28, 9


def view(sheet: Sheet, state: State) -> GameView:
    seats = tuple(
        SeatView(number, seat, seat.title(), SeatStatus.ACCEPTED) for number, seat in enumerate(state.players)
    )
    return GameView(
        id="g", title="Game", sheet=sheet, options={}, status=GameStatus.RUNNING, seats=seats, version=1, state=state,
        turn_time=timedelta(days=1), opened_at=NOW, started_at=NOW, ended_at=None,
        waiting_for=sheet.to_act(state) or "", waiting_since=NOW, deadline=NOW, commitment="", seed="", log=(),
    )  # fmt: skip


@cache
def positions(sheet: Sheet) -> tuple[State, ...]:
    """Positions of a game of robots."""
    return tuple(_played(sheet))


def _played(sheet: Sheet) -> Iterator[State]:
    options = {option.key: option.default for option in sheet.options()}
    state = sheet.start(sheet.colours[: sheet.player_counts()[-1]], SeededChance(SEED, "deal"), options).state
    luck = random.Random(7)
    while not sheet.over(state) and state.step < ORDERS:
        if state.step % EVERY == 0:
            yield state
        seat, order = sheet.to_act(state) or "", robot.choose(sheet, state, luck)
        moves = sheet.parse(state, order, {})
        state = sheet.play(state, seat, moves, SeededChance(SEED, sheet.place(state))).state


def told(game: Any) -> dict[str, object]:
    """Every plain value that can be reached, by its way."""
    return {way: thing for way, thing in reachable(game) if isinstance(thing, LEAVES)}


def twins(sheet: Sheet) -> Iterator[tuple[State, State, str]]:
    """Positions that look alike to a viewer, with other hidden things in them."""
    for state in positions(sheet):
        for viewer in state.players:
            made_up = sheet.imagined(sheet.position(state, viewer), viewer, {})
            if made_up is None:
                continue
            hands = {seat: replace(player, hand=made_up.players[seat].hand) for seat, player in state.players.items()}
            twin = replace(state, players=hands, bag=made_up.bag, counters=made_up.counters)
            if twin != state:
                yield state, twin, viewer
                break


def test_there_are_sheets_with_secrets() -> None:
    assert SECRETIVE


@pytest.mark.parametrize("sheet", SECRETIVE, ids=lambda sheet: sheet.slug)
def test_nothing_a_viewer_is_given_changes_with_what_is_hidden_from_him(sheet: Sheet) -> None:
    compared = 0
    for state, twin, viewer in twins(sheet):
        for eyes in (viewer, ""):
            assert told(view(sheet, state).seen_by(eyes)) == told(view(sheet, twin).seen_by(eyes))
        compared += 1
    assert compared


@pytest.mark.parametrize("sheet", SECRETIVE, ids=lambda sheet: sheet.slug)
def test_no_state_is_reached_from_what_a_viewer_is_given(sheet: Sheet) -> None:
    for state in positions(sheet):
        for eyes in (*state.players, ""):
            table = view(sheet, state).seen_by(eyes)
            found = [way for way, thing in reachable(table) if isinstance(thing, type(state))]
            assert not found, found


@pytest.mark.parametrize("sheet", SECRETIVE, ids=lambda sheet: sheet.slug)
def test_a_viewer_is_given_the_own_hand_and_a_guest_none(sheet: Sheet) -> None:
    for state in positions(sheet):
        game = view(sheet, state)
        for seat in state.players:
            position = game.seen_by(seat).position
            assert position is not None
            assert position.hand == sheet.hand(state, seat)
        guest = game.seen_by().position
        assert guest is not None
        assert guest.hand == ()


def test_the_search_finds_a_state_behind_properties_methods_and_closures() -> None:
    sheet = SECRETIVE[0]
    state = positions(sheet)[0]
    game = view(sheet, state)
    for holder in (game, game.voice, game.seen_by, lambda: game.id, {"a": [game]}):
        assert any(thing is state for _, thing in reachable(holder))


@pytest.mark.parametrize("sheet", catalog.sheets(), ids=lambda sheet: sheet.slug)
def test_places_with_a_name_are_told_by_it_without_the_position(sheet: Any) -> None:
    """The voice of templates calls every place what the voice of the whole position calls it."""
    options = {option.key: option.default for option in sheet.options()}
    state = sheet.start(sheet.colours[: sheet.player_counts()[-1]], SeededChance(SEED, "deal"), options).state
    game = view(sheet, state)
    for label in sheet.board.hexes:
        assert game.seen_by().voice.place(label) == game.voice.place(label)


AT = datetime(2026, 11, 26, tzinfo=UTC)


def event(kind: str, seat: str, text: str, sums_up: str = "") -> Told:
    return Told(kind, {"seat": seat} if seat else {}, say(text), sums_up)


def order(
    number: int, seat: str, phase: str, *events: Told, turn: int = 1, cause: MoveCause = MoveCause.PLAYER
) -> MoveView:
    return MoveView(number, seat, turn, phase, "", cause, events, AT)


Events = tuple[tuple[str, ...], ...]
LOG: dict[str, tuple[str, Events, list[tuple[str, str]]]] = {
    "events of a seat share a line, and those of nobody by their kind": (
        "move_goods",
        (
            ("Delivered", "red", "Red delivered."), ("EngineRaised", "red", "Engine 3."), ("Income", "", "Income."),
            ("Grew", "", "Ulm receives red."), ("Grew", "", "Bonn receives blue."),
            ("Lowered", "blue", "Blue was short."),
        ),
        [
            ("red", "Red delivered. Engine 3."), ("", "Income."), ("", "Ulm receives red. Bonn receives blue."),
            ("blue", "Blue was short."),
        ],
    ),
    "a sum takes the place of what it sums up": (
        "build_track",
        (
            ("City", "red", "New City."), ("Built", "red", "On A1."), ("Link", "red", "New link."),
            ("Built", "red", "On A2."), ("Ended", "red", "2 tiles on A1 and A2.", "Built"),
            ("Lost", "red", "Section lost."),
        ),
        [("red", "New City. 2 tiles on A1 and A2. New link. Section lost.")],
    ),
    "a sum leaves what another seat did": (
        "build_track",
        (("Built", "blue", "Blue on A1."), ("Ended", "red", "Nothing.", "Built")),
        [("blue", "Blue on A1."), ("red", "Nothing.")],
    ),
    "that somebody had no choice is not told beside what he did": (
        "move_goods",
        (
            ("PlayedUnasked", "blue", "Blue had no choice: pass."), ("MovePassed", "blue", "Blue moved nothing."),
        ),
        [("blue", "Blue moved nothing.")],
    ),
}  # fmt: skip
"""The phase of an order of Red's, its events, and the lines of the log: whose they are and what they say."""


def of_log(lines: tuple[LogLine, ...]) -> list[tuple[str, str]]:
    return [(line.seat, " ".join(map(str, line.sentences))) for line in lines]


@pytest.mark.parametrize("what", LOG)
def test_the_log_puts_together_what_belongs_together(what: str) -> None:
    phase, events, lines = LOG[what]
    assert of_log(log_lines([order(1, "red", phase, *(event(*one) for one in events))])) == lines


def test_shares_are_one_line_with_the_phase_as_head() -> None:
    issued = [
        order(number, seat.lower(), "issue_shares", event("Issued", seat.lower(), f"{seat} issued {number}."))
        for number, seat in enumerate(("Red", "Blue"), 1)
    ]
    (line,) = log_lines(issued)
    assert (line.number, line.seat, line.phase) == (2, "", Word("issue_shares"))
    assert of_log((line,)) == [("", "Red issued 1. Blue issued 2.")]


def test_a_single_order_of_such_a_phase_stands_as_it_is() -> None:
    lines = log_lines([order(1, "red", "turn_order", event("BidMade", "red", "Red bid $1."))])
    assert lines == (LogLine(1, "red", (say("Red bid $1."),)),)


def test_the_auctions_of_two_turns_are_two_lines() -> None:
    bids = [order(n, "red", "turn_order", event("BidMade", "red", f"Bid {n}."), turn=1 + n // 2) for n in range(4)]
    assert [line.number for line in log_lines(bids)] == [1, 3]


def test_the_cause_of_an_order_stands_with_the_order_and_not_with_what_followed_from_it() -> None:
    kinds = (("EngineRaised", "red"), ("Income", ""), ("Lowered", "blue"), ("Lowered", "red"))
    events = (event(kind, seat, f"{kind} {seat}") for kind, seat in kinds)
    lines = log_lines([order(1, "red", "move_goods", *events, cause=MoveCause.STANDING_ORDER)])
    assert [(line.seat, line.cause) for line in lines] == [
        ("red", "ahead"), ("", "player"), ("blue", "player"), ("red", "player"),
    ]  # fmt: skip


def test_an_order_without_events_has_no_line_and_one_by_the_clock_says_so() -> None:
    ended = order(2, "blue", "build_track", event("Ended", "blue", "Nothing."), cause=MoveCause.DEADLINE)
    lines = log_lines([order(1, "red", "build_track"), ended])
    assert [line.cause for line in lines] == ["deadline"]
