"""Barbados: R99 to R103, D29."""

from collections.abc import Sequence
from typing import Any

import pytest

from maps.barbados.rules import Barbados, Blocked, CannotBuyBack, SharesBoughtBack
from pbem.age_of_steam.events import GameEnded
from pbem.age_of_steam.state import State
from pbem.engine.chance import Draw, LoadedChance
from tests.age_of_steam.table import Table, position

BARBADOS = Barbados()
TOP = ["blue", "black", "yellow", "black", "yellow", "black"]


def alone(
    phase: str,
    *,
    blocked: tuple[str, ...] = (),
    drawn: Sequence[str] = (),
    rolls: Sequence[Draw] | None = None,
    **more: Any,
) -> Table:
    """``drawn``: the cubes of Production; ``rolls``: what comes after it."""
    production: Draw = {"for": "production", "cubes": list(drawn)}
    state = position(phase, sheet=BARBADOS, seats=("blue",), extra=Blocked(blocked), rolls=[production], **more)
    return Table(state, sheet=BARBADOS, rolls=rolls).settle()


def after_turn_10(cash: int, shares: int) -> Table:
    return alone("goods_growth", turn=10, blue={"cash": cash, "shares": shares})


def filled(*draws: Draw) -> State:
    state = State(("blue",), {}, ("blue",), {}, bag=BARBADOS.bag())
    return BARBADOS.fill_display(state, LoadedChance(list(draws)))


def test_the_bag_has_no_purple_cubes_and_sixty_are_left_after_set_up() -> None:
    """13.5: ten cubes on the top boxes of the light half, one on each yellow City."""
    table = Table.deal(1, sheet=BARBADOS)
    assert sum(BARBADOS.bag().values()) == 76
    assert "purple" not in BARBADOS.bag()
    assert sum(table.state.bag.values()) == 60
    assert {column: [box is None for box in boxes] for column, boxes in table.state.display.items()} == {
        **{f"L{n}": [False, True, True] for n in range(1, 7)},
        **{letter: [False, True] for letter in "ABCD"},
    }
    assert [len(cubes) for cubes in table.state.cubes.values()] == [1] * 6


def test_in_the_easy_variant_every_city_begins_with_two_cubes() -> None:
    table = Table.deal(1, sheet=BARBADOS, barbados_cubes="two")
    assert [len(cubes) for cubes in table.state.cubes.values()] == [2] * 6
    assert sum(table.state.bag.values()) == 54


def test_a_refused_cube_goes_back_after_another_one_was_drawn() -> None:
    """R99: A draws red, red again and black; B draws blue and yellow."""
    state = filled(
        {"for": "deal", "cubes": [*TOP, "red", "blue", "red", "blue"]},
        {"for": "redraw", "cubes": ["red"]},
        {"for": "redraw", "cubes": ["black"]},
        {"for": "redraw", "cubes": ["yellow"]},
    )
    assert [state.display[letter][0] for letter in "ABCD"] == ["black", "yellow", "red", "blue"]
    assert [state.display[letter] for letter in "AB"] == [("black", None), ("yellow", None)]
    assert state.bag == {"red": 19, "blue": 18, "yellow": 17, "black": 12}


def test_red_may_lie_in_column_b_and_blue_in_column_a() -> None:
    """R99: only its own colour is refused to a New City."""
    state = filled({"for": "deal", "cubes": [*TOP, "blue", "red", "black", "black"]})
    assert [state.display[letter][0] for letter in "AB"] == ["blue", "red"]


def test_two_dice_are_rolled_for_the_light_half_only() -> None:
    """R100."""
    table = alone(
        "goods_growth",
        display={"L1": "red - -", "L2": "blue - -"},
        rolls=[{"for": "growth-light", "dice": [1, 1]}],
    )
    assert table.state.cubes == {"A0": ("red",)}
    assert table.state.turn == 2


def test_production_may_fill_every_empty_box_of_the_light_half() -> None:
    """R101: 16 of the 26 boxes are empty at the start."""
    display = {**{f"L{n}": "red - -" for n in range(1, 7)}, **dict.fromkeys("ABCD", "black -")}
    table = alone("goods_growth", display=display, drawn=["red", "red"], blue={"action": "production"})
    boxes = {put.split(">")[1] for order in table.legal for put in order.split()[1:]}
    assert boxes == {f"L{n}/{row}" for n in range(1, 7) for row in (2, 3)} | {f"{letter}/2" for letter in "ABCD"}


@pytest.mark.parametrize(("cash", "score"), [(36, 1), (35, 0)])
def test_what_is_left_after_buying_back_seven_shares_is_the_score(cash: int, score: int) -> None:
    """R102, D29: exactly enough is not lost."""
    table = after_turn_10(cash, 7)
    (standing,) = BARBADOS.standings(table.state)
    assert (standing.score, standing.out, standing.place) == (score, False, 1)
    assert (table["blue"].cash, table["blue"].shares) == (score, 0)
    assert table.told(SharesBoughtBack) == [SharesBoughtBack("blue", 7, 35)]
    assert f"${score} are left" in str(BARBADOS.verdict(table.state))


def test_who_cannot_buy_back_the_shares_has_lost() -> None:
    """R102, D29: $34 for seven shares."""
    table = after_turn_10(34, 7)
    (standing,) = BARBADOS.standings(table.state)
    assert (standing.score, standing.out) == (None, True)
    assert table.told(CannotBuyBack) == [CannotBuyBack("blue", 35, 34)]
    assert "could not be bought back" in str(BARBADOS.verdict(table.state))


def test_the_track_of_a_loser_is_nobodys_as_that_of_every_player_who_is_out() -> None:
    table = alone("goods_growth", turn=10, blue={"cash": 34, "shares": 7}, track={"J5": "blue NW-SE"})
    assert BARBADOS.position(table.state)["players"]["blue"]["out"]
    assert {segment.owner for segments in table.state.track.values() for segment in segments} == {None}
    assert table.state.order == ()


def test_the_game_of_a_loser_ends_without_a_winner() -> None:
    """13.5: the last pass of turn 10 ends the game."""
    table = alone("move_goods", turn=10, blue={"cash": 0, "income": 9, "shares": 7})
    table.play("blue", "pass", "pass")
    assert table.told(GameEnded) == [GameEnded(())]


def test_insolvency_ends_the_game_at_once() -> None:
    """13.5: income below 0 in turn 3."""
    table = alone("pay_expenses", turn=3, blue={"cash": 0, "income": 2, "shares": 2, "engine": 1})
    assert table.state.over
    assert BARBADOS.standings(table.state)[0].out
    assert str(BARBADOS.verdict(table.state)) == "Bankrupt in turn 3: the game is lost."


def test_a_yellow_cube_on_a_yellow_city_goes_to_another_yellow_city() -> None:
    """R103."""
    table = alone("move_goods", track={"J5": "blue NW-SE"}, cubes={"I4": "yellow"})
    assert "move yellow I4 > K6" in table.legal


def test_at_most_one_share_is_issued_in_a_turn() -> None:
    """13.5."""
    table = alone("issue_shares")
    assert table.legal == ("issue 0", "issue 1")
    assert table.refusal("blue", "issue 2").rule == "R10"


def test_at_fifteen_shares_none_is_issued() -> None:
    """13.5, R10: 15 in all as always."""
    assert ("blue", "issue 0", "A1") in alone("issue_shares", blue={"shares": 15}).unasked


def test_an_action_is_blocked_until_all_four_have_been_taken() -> None:
    """13.5: the fourth one is taken unasked (A5, A16), then all are free again."""
    table = alone("select_actions", blocked=("engineer", "production"))
    assert table.legal == ("action locomotive", "action urbanization")
    assert table.refusal("blue", "action engineer").rule == "R19"
    table.play("blue", "action locomotive")
    assert table.state.extra == Blocked(("engineer", "production", "locomotive"))
    last = alone("select_actions", blocked=("engineer", "production", "locomotive"))
    assert ("blue", "action urbanization", "A5") in last.unasked
    assert last.state.extra == Blocked()


def test_there_is_no_auction_and_only_new_cities_a_to_d() -> None:
    """13.5."""
    table = alone("issue_shares").play("blue", "issue 0")
    assert table.state.phase == "select_actions"
    building = alone("build_track", blue={"action": "urbanization"})
    assert {step.split()[1] for step in building.steps if step.startswith("city")} == set("ABCD")


def test_an_income_of_nothing_is_no_bankruptcy() -> None:
    """8 and 9: who is out with an income of 0 could not buy back the shares."""
    state = alone("issue_shares").state
    for income, why in ((0, "The shares could not be bought back"), (-1, "Bankrupt in turn 10")):
        assert str(BARBADOS.verdict(state.with_player("blue", out=10, income=income))).startswith(why)
