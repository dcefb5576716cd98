"""Elimination (section 12), the end and victory points (section 11)."""

from typing import Any

from pbem.age_of_steam.events import Eliminated, GameEnded
from pbem.engine import replace
from tests.age_of_steam.table import RUST_BELT, SIX, Table, enter, position

BROKE = {"cash": 0, "income": 0, "shares": 5, "engine": 1}
TRACK = {"S10": "blue SW-NE", "R11": "blue SW-NE", "P3": "blue NW-S", "N3": "blue SW-NE", "M4": "blue SW-SE",
         "N5": "blue @NW,@S; green @NE", "M6": "green NE-SW"}  # fmt: skip
"""Blue: two links, a section from Des Moines, an exit of Rock Island; green: Chicago-Rock Island."""


def after_expenses(**figures: Any) -> Table:
    return Table(enter(position(track=TRACK, **figures), "pay_expenses"))


def last_pass(**figures: Any) -> Table:
    """The last move of a turn, after which income and expenses follow."""
    table = Table(position("move_goods", track=TRACK, **figures))
    while table.state.phase == "move_goods" and not table.state.over:
        table.play(table.asked or "", "pass")
    return table


def test_sections_of_the_eliminated_are_open_to_all_and_links_stay_in_use() -> None:
    """Section 12, R50."""
    table = after_expenses(blue=BROKE)
    assert not any(s.owner == "blue" for segments in table.state.track.values() for s in segments)
    assert (frozenset({"T9", "Q12"}), None) in table.links
    assert (frozenset({"L7", "N5"}), "green") in table.links
    building = Table(enter(table.state, "build_track")).play("green", "build R3 N-S")
    assert building.owner("P3", "NW-S") == "green"


def test_links_of_the_eliminated_can_never_be_claimed() -> None:
    """Section 12: neither by turning nor by a New City."""
    state = after_expenses(blue=BROKE, green={"action": "urbanization"}).state
    table = Table(enter(state, "build_track"))
    assert table.refusal("green", "build R11 SW-N").rule == "R27"
    table.play("green", "build city A N5")
    assert (frozenset({"O2", "N5"}), None) in table.links
    assert (frozenset({"T9", "Q12"}), None) in table.links


def test_the_eliminated_are_never_asked_again() -> None:
    """A19: no turn, no place in the auction, no action."""
    table = last_pass(blue=BROKE)
    assert [e.seat for e in table.told(Eliminated)] == ["blue"]
    assert table.state.order == ("green", "yellow")
    asked = set()
    while table.state.turn == 2:
        seat = table.asked or ""
        asked.add(seat)
        table.play(seat, str(table.sheet.default(table.state)))
    assert asked == {"green", "yellow"}


def test_unused_effects_of_an_eliminated_holder_lapse() -> None:
    """R60: the holder of Production is out before goods growth."""
    table = last_pass(blue={**BROKE, "action": "production"})
    assert (table["blue"].action, table.state.turn) == (None, 2)
    assert not [event for event in table.events if type(event).__name__ == "CubesDrawn"]


def test_several_players_may_be_eliminated_together() -> None:
    """R63: everybody is settled before anybody is out."""
    table = after_expenses(blue=BROKE, green={**BROKE, "shares": 2})
    assert [table[seat].out for seat in ("blue", "green", "yellow")] == [1, 1, 0]
    assert table.state.order == ("yellow",)


def test_the_last_survivor_wins_at_the_end_of_expenses() -> None:
    """R64, A20: the turn is not played on."""
    table = last_pass(blue=BROKE, green=BROKE, yellow={"income": 15, "cash": 100})
    assert table.state.over
    assert table.sheet.phase(table.state) == "over"
    assert table["yellow"].income == 15, "no reduction any more"
    assert [e.winners for e in table.told(GameEnded)] == [("yellow",)]
    assert table.asked is None
    first = table.sheet.standings(table.state)[0]
    assert (first.seat, first.place, first.out) == ("yellow", 1, False)


def test_without_a_survivor_nobody_wins() -> None:
    """R65."""
    table = last_pass(blue=BROKE, green=BROKE, yellow=BROKE)
    assert table.state.over
    assert [e.winners for e in table.told(GameEnded)] == [()]
    assert all(line.out for line in table.sheet.standings(table.state))


def test_the_eliminated_rank_by_turn_and_then_by_income() -> None:
    """R66: later is better, then the less negative income; equal ones share the place."""
    state = position(
        seats=("blue", "green", "yellow", "pink", "gray"),
        blue={"out": 2, "income": -1},
        green={"out": 4, "income": -9},
        yellow={"out": 4, "income": -3},
        gray={"out": 2, "income": -1},
    )
    assert [(line.seat, line.place) for line in RUST_BELT.standings(state)] == [
        ("pink", 1), ("yellow", 2), ("green", 3), ("blue", 4), ("gray", 4),
    ]  # fmt: skip


def test_dice_and_turns_are_those_of_the_players_who_started() -> None:
    """R9, R59: a game of five stays one of seven turns and five dice."""
    state = position(seats=("blue", "green", "yellow", "pink", "gray"), order=("blue", "green"), turn=7)
    assert RUST_BELT.last_turn(state)
    assert not RUST_BELT.last_turn(replace(state, turn=6))
    assert RUST_BELT.growth_dice(state) == (5, 5)


def test_three_four_five_and_six_players_play_ten_eight_seven_and_six_turns() -> None:
    """R9, E10."""
    assert [RUST_BELT.turns(n) for n in (3, 4, 5, 6)] == [10, 8, 7, 6]


def test_a_game_of_several_needs_two_who_can_pay_and_a_game_alone_one() -> None:
    """R64, R65."""
    for seats, least in ((SIX[:1], 1), (SIX[:2], 2), (SIX, 2)):
        assert RUST_BELT.least_players(position(seats=seats)) == least


def places(**figures: Any) -> list[tuple[str, int, int | None]]:
    state = position("issue_shares", **figures)
    return [(line.seat, line.place, line.score) for line in RUST_BELT.standings(state)]


def test_income_and_track_count_and_shares_cost_points() -> None:
    """D22: income 12, shares 7, 9 segments."""
    track = {
        "S10": "blue SW-NE", "R11": "blue SW-NE; green SE-NW",  # Evansville-Cincinnati 2
        "R9": "blue S-NE", "Q10": "blue @SW,@NE; green @SE", "P11": "blue SW-SE",  # over Indianapolis 4
        "P3": "blue NW-S", "R3": "blue N-SE", "S4": "blue NW-SE",  # Des Moines-St. Louis 3
        "S12": "green N-NW",
    }  # fmt: skip
    state = position(track=track, blue={"income": 12, "shares": 7}, green={"income": 0})
    links = RUST_BELT.links(state)
    assert dict(RUST_BELT.score(state, "blue", links)) == {"income": 36, "track": 9, "shares": -21}
    assert RUST_BELT.position(state)["players"]["blue"]["points"] == 24
    assert dict(RUST_BELT.score(state, "green", links))["track"] == 3, "each segment of a crossing for its owner"


def test_unfinished_sections_count_nothing() -> None:
    """Section 11."""
    state = position(track={"P3": "blue NW-S", "N3": "blue SW-NE", "M4": "blue SW-SE", "N5": "blue @NW,@S"})
    assert dict(RUST_BELT.score(state, "blue", RUST_BELT.links(state)))["track"] == 3


def test_cash_is_worthless() -> None:
    """Section 11."""
    assert [place for _, place, _ in places(blue={"cash": 0}, green={"cash": 99})] == [1, 1, 1]


def test_ties_are_shared_victories() -> None:
    """R61: the next place after two firsts is the third."""
    assert places(blue={"income": 9}, green={"income": 9}) == [("blue", 1, 21), ("green", 1, 21), ("yellow", 3, 9)]


def test_negative_totals_rank_like_others() -> None:
    """R62."""
    assert places(blue={"shares": 15}, green={"shares": 14}) == [("yellow", 1, 9), ("green", 2, -27), ("blue", 3, -30)]


def test_a_game_of_six_ends_after_its_sixth_turn() -> None:
    """R9: also when everybody only issues shares and lets the time run out otherwise."""
    table = Table.deal(6)
    while not table.state.over:
        issuing = table.state.phase == "issue_shares"
        table.play(table.asked or "", "issue 2" if issuing else str(RUST_BELT.default(table.state)))
    assert table.state.turn == 6
    assert {line.seat for line in RUST_BELT.standings(table.state)} == set(SIX)
