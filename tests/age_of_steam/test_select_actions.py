"""Select actions (section 6)."""

from typing import Any

import pytest

from pbem.engine import catalog
from pbem.engine.chance import SeededChance
from tests.age_of_steam.table import RUST_BELT, SIX, Table, bent, enter, position, sheet_of

ALL = ("first-move", "first-build", "engineer", "locomotive", "urbanization", "production", "turn-order")


def choosing(**figures: Any) -> Table:
    return Table(position("select_actions", **figures))


def test_everybody_takes_one_of_the_actions_that_are_left() -> None:
    """R19: in the new order, each action once, no declining."""
    table = choosing()
    assert table.legal == tuple(f"action {action}" for action in ALL)
    table.play("blue", "action engineer")
    assert "action engineer" not in table.legal
    assert table.refusal("green", "action engineer").rule == "R19"
    assert table.refusal("green", "action none").rule == "R19"
    assert "not an order" in table.refusal("green", "pass").sentence()


def test_the_discs_of_the_last_turn_are_removed_first() -> None:
    """Section 6."""
    table = choosing(blue={"action": "production"})
    assert table["blue"].action is None
    assert "action production" in table.legal


def test_the_first_free_action_of_a_ranking_is_taken() -> None:
    """R19."""
    table = choosing().play("blue", "action urbanization").play("green", "action urbanization > production > engineer")
    assert table["green"].action == "production"


def test_the_last_action_left_is_assigned() -> None:
    """A5, R19."""
    sheet = bent({"actions": ("engineer", "locomotive", "production")})
    table = Table(position("select_actions", sheet=sheet), sheet=sheet)
    table.play("blue", "action engineer").play("green", "action production")
    assert table.unasked[0] == ("yellow", "action locomotive", "A5")
    assert table["yellow"].engine == 2


def test_with_six_players_the_last_one_still_chooses_between_two() -> None:
    """A5: only the single choice is made for a player."""
    table = Table(position("select_actions", seats=SIX))
    for seat, action in zip(SIX[:5], ALL, strict=False):
        table.play(seat, f"action {action}")
    assert table.legal == ("action production", "action turn-order")


def test_locomotive_raises_the_engine_at_once() -> None:
    """Section 6."""
    assert choosing().play("blue", "action locomotive")["blue"].engine == 2


def test_locomotive_at_six_links_may_be_chosen_without_effect() -> None:
    """R20."""
    table = choosing(blue={"engine": 6}).play("blue", "action locomotive")
    assert (table["blue"].engine, table["blue"].action) == (6, "locomotive")


def test_the_holder_of_first_build_builds_first() -> None:
    """R21: without a choice; then the turn order."""
    state = position("build_track", yellow={"action": "first-build"})
    assert Table(state).asked == "yellow"
    table = Table(state).play("yellow", "build nothing")
    assert table.asked == "blue"
    assert "turn" in Table(state).refusal("blue", "build nothing").sentence()


def test_the_holder_of_first_move_moves_first_in_both_rounds() -> None:
    """R21: a holder who wants to wait may only pass."""
    table = Table(position("move_goods", yellow={"action": "first-move"}))
    asked = []
    for _ in range(6):
        seat = table.asked or ""
        asked.append(seat)
        table.play(seat, "pass")
    assert asked == ["yellow", "blue", "green"] * 2


def test_urbanization_without_a_new_city_left_may_be_chosen_without_effect() -> None:
    """R22: all eight New Cities are placed."""
    towns = dict(zip("ABCDEFGH", RUST_BELT.board.towns, strict=False))
    table = Table(position("select_actions", new_cities=towns)).play("blue", "action urbanization")
    building = Table(enter(table.state, "build_track"))
    assert not any(step.startswith("city") for step in building.steps)
    poor = Table(enter(table.state.with_player("blue", cash=0), "build_track")).settle()
    assert ("blue", "build nothing", "A6") in poor.unasked


def test_the_effects_of_actions_are_optional() -> None:
    """R19: a holder of Urbanization may build without it, a holder of Engineer may lay fewer tiles."""
    table = Table(position("build_track", blue={"action": "urbanization"}, green={"action": "engineer"}))
    table.play("blue", "build P3 NW-S").play("green", "build nothing")
    assert table.state.new_cities == {}
    assert table.asked == "yellow"


BEST_FIRST = ["locomotive", "engineer", "first-build", "first-move", "turn-order"]
"""What a player gets whose time has ended."""


@pytest.mark.parametrize(
    ("slug", "then"),
    [
        ("rust_belt", []),
        ("heavy_cardboard", []),
        ("pittsburgh", ["commonwealth"]),
    ],
)
def test_who_does_not_choose_in_time_gets_the_best_of_the_free_actions(slug: str, then: list[str]) -> None:
    """turn_prompts, section 3: a map's own action before those that ask for more decisions."""
    sheet = sheet_of(slug)
    state, found = position("select_actions", sheet=sheet, seats=SIX), list[str]()
    for other in state.order[1:]:
        found.append(str(sheet.phase_of(state).default(sheet, state, "blue")).removeprefix("action "))
        state = state.with_player(other, action=found[-1])
    assert found == [action for action in (*BEST_FIRST, *then) if action in sheet.actions][:5]


@pytest.mark.parametrize("slug", ["rust_belt", "heavy_cardboard", "pittsburgh"])
def test_urbanization_is_the_last_that_anybody_gets(slug: str) -> None:
    sheet = sheet_of(slug)
    state = position("select_actions", sheet=sheet, seats=SIX)
    own = "heavy-lifting" if slug == "heavy_cardboard" else "production"
    taken = [action for action in sheet.actions if action not in {own, "urbanization"}]
    for other, action in zip(state.order[1:], taken, strict=True):
        state = state.with_player(other, action=action)
    assert str(sheet.phase_of(state).default(sheet, state, "blue")) == f"action {own}"


def test_nobody_who_plays_alone_is_told_a_place_among_one() -> None:
    sheet = catalog.sheet("age-of-steam", "barbados")
    state = sheet.start(sheet.colours[:1], SeededChance(bytes(32), "deal"), {}).state
    while sheet.phase(state) != "select_actions":
        order = sheet.parse(state, str(sheet.default(state)), {})
        state = sheet.play(state, sheet.to_act(state) or "", order, SeededChance(bytes(32), sheet.place(state))).state
    assert [str(sentence) for sentence in sheet.question(state).lead if "place" in str(sentence)] == []
