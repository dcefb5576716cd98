"""The end and victory points (section 11)."""

from typing import Any

from tests.age_of_steam.table import RUST_BELT, SIX, Table, position


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
