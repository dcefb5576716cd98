"""The log: which orders share a line, and what is left out."""

from datetime import UTC, datetime

from pbem.engine.events import Told
from pbem.engine.text import Word, say
from pbem.store.statuses import MoveCause
from pbem.views.games import MoveView
from pbem.views.log import LogLine, log_lines

AT = datetime(2026, 11, 26, tzinfo=UTC)


def event(kind: str, seat: str, text: str, sums_up: str = "") -> Told:
    return Told(kind, {"seat": seat} if seat else {}, say(text), sums_up)


def order(
    number: int, seat: str, phase: str, *events: Told, turn: int = 1, cause: MoveCause = MoveCause.PLAYER
) -> MoveView:
    return MoveView(number, seat, turn, phase, "", cause, events, AT)


def told(lines: tuple[LogLine, ...]) -> list[tuple[str, str]]:
    return [(line.seat, " ".join(map(str, line.sentences))) for line in lines]


def test_shares_are_one_line_with_the_phase_as_head() -> None:
    (line,) = log_lines(
        [
            order(1, "red", "issue_shares", event("Issued", "red", "Red issued 1.")),
            order(2, "blue", "issue_shares", event("Issued", "blue", "Blue issued 2.")),
        ]
    )
    assert (line.number, line.seat, line.phase) == (2, "", Word("issue_shares"))
    assert told((line,)) == [("", "Red issued 1. Blue issued 2.")]


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
    assert told(lines) == [
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
    assert told(lines) == [("red", "New City. 2 tiles on A1 and A2. New link. Section lost.")]


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
    assert told(lines) == [("blue", "Blue on A1."), ("red", "Nothing.")]


def test_that_somebody_had_no_choice_is_not_told_beside_what_he_did() -> None:
    events = (
        event("PlayedUnasked", "blue", "Blue had no choice: pass."),
        event("MovePassed", "blue", "Blue moved nothing."),
    )
    assert told(log_lines([order(1, "red", "move_goods", *events)])) == [("blue", "Blue moved nothing.")]


def test_an_order_without_events_has_no_line_and_one_by_the_clock_says_so() -> None:
    lines = log_lines(
        [
            order(1, "red", "build_track"),
            order(2, "blue", "build_track", event("Ended", "blue", "Nothing."), cause=MoveCause.DEADLINE),
        ]
    )
    assert [line.cause for line in lines] == ["deadline"]
