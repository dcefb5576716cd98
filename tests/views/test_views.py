"""What a viewer is given of a game cannot tell a secret, on every sheet that has some."""

import random
from collections.abc import Iterator
from datetime import UTC, datetime, timedelta
from functools import cache
from typing import Any

import pytest

from pbem import robot
from pbem.engine import catalog
from pbem.engine.chance import SeededChance
from pbem.engine.events import Told
from pbem.engine.sheet import Sheet, State
from pbem.engine.text import Word, say
from pbem.engine.values import replace
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


# the log -----------------------------------------------------------------------------------------------------


AT = datetime(2026, 11, 26, tzinfo=UTC)


def event(kind: str, seat: str, text: str, sums_up: str = "") -> Told:
    return Told(kind, {"seat": seat} if seat else {}, say(text), sums_up)


def order(
    number: int, seat: str, phase: str, *events: Told, turn: int = 1, cause: MoveCause = MoveCause.PLAYER
) -> MoveView:
    return MoveView(number, seat, turn, phase, "", cause, events, AT)


def of_log(lines: tuple[LogLine, ...]) -> list[tuple[str, str]]:
    return [(line.seat, " ".join(map(str, line.sentences))) for line in lines]


def test_shares_are_one_line_with_the_phase_as_head() -> None:
    (line,) = log_lines(
        [
            order(1, "red", "issue_shares", event("Issued", "red", "Red issued 1.")),
            order(2, "blue", "issue_shares", event("Issued", "blue", "Blue issued 2.")),
        ]
    )
    assert (line.number, line.seat, line.phase) == (2, "", Word("issue_shares"))
    assert of_log((line,)) == [("", "Red issued 1. Blue issued 2.")]


def test_a_single_order_of_such_a_phase_stands_as_it_is() -> None:
    lines = log_lines([order(1, "red", "turn_order", event("BidMade", "red", "Red bid $1."))])
    assert lines == (LogLine(1, "red", (say("Red bid $1."),)),)


def test_the_auctions_of_two_turns_are_two_lines() -> None:
    bids = [order(n, "red", "turn_order", event("BidMade", "red", f"Bid {n}."), turn=1 + n // 2) for n in range(4)]
    assert [line.number for line in log_lines(bids)] == [1, 3]


def test_neighbouring_events_of_a_seat_share_a_line_and_those_of_nobody_by_their_kind() -> None:
    lines = log_lines(
        [
            order(
                1,
                "red",
                "move_goods",
                event("Delivered", "red", "Red delivered."),
                event("EngineRaised", "red", "Engine 3."),
                event("Income", "", "Income."),
                event("Grew", "", "Ulm receives red."),
                event("Grew", "", "Bonn receives blue."),
                event("Lowered", "blue", "Blue was short."),
            )
        ]
    )
    assert of_log(lines) == [
        ("red", "Red delivered. Engine 3."),
        ("", "Income."),
        ("", "Ulm receives red. Bonn receives blue."),
        ("blue", "Blue was short."),
    ]


def test_the_cause_of_an_order_stands_with_the_order_and_not_with_what_followed_from_it() -> None:
    last = order(
        1,
        "red",
        "move_goods",
        event("EngineRaised", "red", "Engine 3."),
        event("Income", "", "Income."),
        event("Lowered", "blue", "Blue was short."),
        event("Lowered", "red", "Red was short."),
        cause=MoveCause.STANDING_ORDER,
    )
    causes = [(line.seat, line.cause) for line in log_lines([last])]
    assert causes == [("red", "ahead"), ("", "player"), ("blue", "player"), ("red", "player")]


def test_a_sum_takes_the_place_of_what_it_sums_up() -> None:
    lines = log_lines(
        [
            order(
                1,
                "red",
                "build_track",
                event("City", "red", "New City."),
                event("Built", "red", "On A1."),
                event("Link", "red", "New link."),
                event("Built", "red", "On A2."),
                event("Ended", "red", "2 tiles on A1 and A2.", sums_up="Built"),
                event("Lost", "red", "Section lost."),
            )
        ]
    )
    assert of_log(lines) == [("red", "New City. 2 tiles on A1 and A2. New link. Section lost.")]


def test_a_sum_leaves_what_another_seat_did() -> None:
    lines = log_lines(
        [
            order(
                1,
                "red",
                "build_track",
                event("Built", "blue", "Blue on A1."),
                event("Ended", "red", "Nothing.", sums_up="Built"),
            )
        ]
    )
    assert of_log(lines) == [("blue", "Blue on A1."), ("red", "Nothing.")]


def test_that_somebody_had_no_choice_is_not_told_beside_what_he_did() -> None:
    events = (
        event("PlayedUnasked", "blue", "Blue had no choice: pass."),
        event("MovePassed", "blue", "Blue moved nothing."),
    )
    assert of_log(log_lines([order(1, "red", "move_goods", *events)])) == [("blue", "Blue moved nothing.")]


def test_an_order_without_events_has_no_line_and_one_by_the_clock_says_so() -> None:
    lines = log_lines(
        [
            order(1, "red", "build_track"),
            order(2, "blue", "build_track", event("Ended", "blue", "Nothing."), cause=MoveCause.DEADLINE),
        ]
    )
    assert [line.cause for line in lines] == ["deadline"]
