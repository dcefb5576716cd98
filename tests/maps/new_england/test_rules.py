"""New England: R154 to R156, R97, D30, D39."""

from typing import Any

import pytest

from pbem.engine import replace
from pbem.engine.chance import LoadedChance
from tests.age_of_steam.table import Table, position, sheet_of

NEW_ENGLAND = sheet_of("new_england")
LINK = {"D3": "blue NW-SE", "E4": "blue NW-SE"}
"""New Haven C2 - Providence F5."""


def two(phase: str, **more: Any) -> Table:
    state = position(phase, sheet=NEW_ENGLAND, seats=("blue", "green"), **more)
    return Table(state, sheet=NEW_ENGLAND).settle()


def orders_of_all_turns() -> list[tuple[str, ...]]:
    """Blue was drawn to be white."""
    state, orders = position("issue_shares", sheet=NEW_ENGLAND, seats=("blue", "green")), []
    for turn in range(1, 9):
        state = NEW_ENGLAND.on_turn(replace(state, turn=turn), LoadedChance([])).state
        orders.append(state.order)
    return orders


def test_there_are_eight_turns() -> None:
    """R154: as many as the list of first players has."""
    assert NEW_ENGLAND.turns(2) == 8
    assert list(NEW_ENGLAND.player_counts()) == [2]


def test_white_is_first_in_turns_1_3_6_and_8() -> None:
    """R154, D39: black leads turns 2, 4, 5 and 7."""
    firsts = [order[0] for order in orders_of_all_turns()]
    assert firsts == ["blue", "green", "blue", "green", "green", "blue", "green", "blue"]


def test_the_first_player_of_a_turn_also_issues_shares_first() -> None:
    """R154a: the order is set when the turn begins."""
    table = Table.deal(2, sheet=NEW_ENGLAND)
    white, black = table.state.order
    assert table.asked == white
    table.state = position("goods_growth", sheet=NEW_ENGLAND, seats=("blue", "green"), order=(white, black))
    table.settle()
    assert (table.state.turn, table.state.phase, table.asked) == (2, "issue_shares", black)


def test_it_is_told_who_plays_white() -> None:
    for turn, order in enumerate(orders_of_all_turns(), 1):
        state = position("issue_shares", sheet=NEW_ENGLAND, seats=("blue", "green"), turn=turn, order=order)
        assert [str(fact) for fact in NEW_ENGLAND.facts(state)] == ["Blue plays white."]


def test_there_is_no_turn_order_action_and_no_auction() -> None:
    """R155."""
    table = two("issue_shares").play("blue", "issue 0").play("green", "issue 0")
    assert table.state.phase == "select_actions"
    assert "action turn-order" not in table.legal
    assert len(table.legal) == 6
    assert table.refusal("blue", "action turn-order").rule == "R19"


def test_goods_are_moved_three_times_and_first_move_leads_every_round() -> None:
    """R156."""
    table = two("move_goods", green={"action": "first-move"})
    seats = []
    for _ in range(6):
        assert table.asked is not None
        seats.append(table.asked)
        table.play(table.asked, "pass")
    assert seats == ["green", "blue"] * 3
    assert table.state.turn == 2


def test_the_engine_is_raised_once_in_the_three_rounds() -> None:
    """R156."""
    table = two("move_goods", track=LINK, cubes={"C2": "blue blue"}).play("blue", "loco").play("green", "pass")
    assert table.refusal("blue", "loco").rule == "R53"


def test_only_complete_links_may_be_built() -> None:
    """R97: tested after the whole build turn."""
    table = two("build_track")
    assert table.refusal("blue", "build D3 NW-SE").rule == "R97"
    table.play("blue", "build D3 NW-SE; E4 NW-SE")
    assert table.owner("E4", "NW-SE") == "blue"


def test_an_unused_exit_of_a_town_is_unfinished_too() -> None:
    """R97."""
    table = two("build_track")
    assert table.refusal("blue", "build D3 NW-E; F3 @W,E").rule == "R97"
    table.play("blue", "build D3 NW-E; F3 @W")
    assert table.owner("F3", "@W") == "blue"


def test_a_build_turn_is_not_given_in_parts() -> None:
    """R97a."""
    assert two("build_track").refusal("blue", "build D3 NW-SE; E4 NW-SE; more").rule == "R97a"


@pytest.mark.parametrize(("cash", "points"), [(59, 2), (60, 3), (19, 0)])
def test_every_full_twenty_dollars_is_a_point(cash: int, points: int) -> None:
    """D30: $59 gives 2."""
    table = two("issue_shares", track=LINK, blue={"cash": cash, "income": 12, "shares": 7})
    parts = dict(NEW_ENGLAND.score(table.state, "blue", NEW_ENGLAND.links(table.state)))
    assert parts == {"income": 36, "track": 2, "shares": -21, "cash": points}


def test_seventeen_cubes_are_left_in_the_bag_after_set_up() -> None:
    """13.14: three cubes on each of nine Cities."""
    table = Table.deal(2, sheet=NEW_ENGLAND)
    assert sum(table.state.bag.values()) == 17
    assert [len(cubes) for cubes in table.state.cubes.values()] == [3] * 9
