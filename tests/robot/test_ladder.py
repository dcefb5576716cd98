"""The ladder: each level slips less than the one before, the first adapts, and none slips into bankruptcy."""

import random
from dataclasses import replace

import pytest
from hypothesis import given
from hypothesis import strategies as st

from pbem import engine
from pbem.engine import Choice, catalog, say
from pbem.robot import opponents
from pbem.robot.matches import thinker
from pbem.robot.opponents.thinkers import ROBOTS, Thinker
from pbem.robot.reasons import Reason, Until, reason_from_json, reason_to_json
from pbem.robot.thinking import CHARACTERS, Decision, Option, decide
from pbem.robot.thinking.decision import misjudged, with_second
from tests.robot.games import game

RUIN = -60.0
MASTER = replace(CHARACTERS["marta"], budget=40)
option = st.builds(Option, st.text(min_size=1), st.floats(-200, 200), st.just(say("Why.")), safe=st.booleans())
options = st.lists(option, min_size=1)


@pytest.mark.parametrize("kind", ["slip", "steam_slip"])
def test_each_level_slips_less_than_the_one_before_and_the_last_not_at_all(kind: str) -> None:
    slips = [getattr(character, kind) for character in CHARACTERS.values()]
    assert [str(character.level) for character in CHARACTERS.values()] == ["Novice", "Club", "Strong", "Master"]
    assert slips == sorted(set(slips), reverse=True)
    assert slips[-1] == 0
    assert [key for key in opponents.every() if opponents.adapts([key])] == ["penny"]


@pytest.mark.parametrize(
    ("record", "slip"),
    [
        ((), 10),
        ((True,), 8),
        ((False,), 12),
        ((True, False, True), 8),
        ((True,) * 9, 3),
        ((False,) * 9, 20),
        ((*(False,) * 9, True), 18),
    ],
    ids=["first game", "a win", "a loss", "in turns", "always won", "always lost", "from the limit"],
)
def test_the_novice_slips_more_after_a_loss_and_less_after_a_win(record: tuple[bool, ...], slip: float) -> None:
    novice = next(robot for robot in ROBOTS if robot.adapts).against(record)
    assert isinstance(novice, Thinker)
    assert novice.slip == slip


def test_other_levels_play_against_everybody_alike() -> None:
    assert all(robot.against((False,) * 9) is robot for robot in ROBOTS if not robot.adapts)


@given(options, st.floats(0.1, 20), st.integers())
def test_a_slip_leads_into_bankruptcy_only_where_everything_does(found: list[Option], slip: float, seed: int) -> None:
    first = misjudged(found, slip, random.Random(seed), RUIN)[0]
    sound = [option for option in found if option.safe and option.value > RUIN]
    assert not sound or first.order in {option.order for option in sound}


@given(options, st.floats(0.1, 20), st.integers())
def test_a_slip_loses_no_option(found: list[Option], slip: float, seed: int) -> None:
    seen = misjudged(found, slip, random.Random(seed), RUIN)
    assert sorted(option.order for option in seen) == sorted(option.order for option in found)


def test_whoever_slips_much_loses_to_whoever_does_not() -> None:
    sheet = catalog.sheet("age-of-steam", "st_lucia")
    master, novice = (thinker(replace(CHARACTERS["marta"], budget=60, slip=slip)) for slip in (0.0, 20.0))
    for number, master_seat in enumerate(sheet.colours[:2]):
        *_, end = game(sheet, 2, number, {master_seat}, master, novice)
        assert sheet.winners(end, sheet.standings(end)) == (master_seat,)


# the second choice --------------------------------------------------------------------------------------


def _decision(*values: float, until: Until = Until.TURN) -> Decision:
    found = tuple(Option(f"issue {n}", value, say("Why.")) for n, value in enumerate(values))
    return Decision(found[0].order, found[0].why, until, found)


def _second(decision: Decision) -> str:
    sheet = catalog.sheet("age-of-steam", "rust_belt")
    named = with_second(decision, sheet.question(next(game(sheet, 4, 1, ()))), RUIN, Until.TURN)
    return "" if named.second is None else str(named.second)


@pytest.mark.parametrize(
    ("values", "told"),
    [
        ((50, 46.6), "Second choice: “Issue 1 share”, 3 points less."),
        ((50, 48.9), "Second choice: “Issue 1 share”, 1 point less."),
        ((50, 49.8), "Second choice: “Issue 1 share”, about as good."),
        ((50, -60.0), ""),
        ((50,), ""),
    ],
    ids=["some", "one", "none", "ruin", "no other"],
)
def test_a_reason_names_the_second_choice_and_how_much_less_it_is_worth(values: tuple[float, ...], told: str) -> None:
    assert _second(_decision(*values)) == told


def test_the_second_choice_is_not_another_way_of_the_same_cube() -> None:
    sheet = catalog.sheet("age-of-steam", "rust_belt")
    same = [Choice(order, say("blue, L5 to Q2")) for order in ("move blue L5 > Q2", "move blue L5 > T3 > Q2")]
    asked = engine.replace(sheet.question(next(game(sheet, 4, 1, ()))), choices=(*same, Choice("pass", say("Pass"))))
    found = tuple(Option(choice.order, 50 - n, say("Why.")) for n, choice in enumerate(asked.choices))
    named = with_second(Decision(found[0].order, found[0].why, Until.TURN, found), asked, RUIN, Until.TURN)
    assert str(named.second) == "Second choice: “Pass”, 2 points less."


def test_no_second_choice_is_named_of_a_bid() -> None:
    assert _second(_decision(50, 40, until=Until.PHASE)) == ""


@pytest.mark.parametrize("later", [Until.TURN, Until.GAME])
def test_what_must_be_over_before_the_second_choice_is_told_is_kept_with_it(later: Until) -> None:
    reason = Reason(say("Why."), Until.NOTHING, say("Second choice: “{order}”, about as good.", order="loco"), later)
    assert reason_from_json(reason_to_json(reason)) == reason


def test_where_hands_are_hidden_the_second_choice_is_hidden_until_the_game_is_over() -> None:
    ireland, rust_belt = catalog.sheet("steam-power", "ireland"), catalog.sheet("age-of-steam", "rust_belt")
    master = replace(MASTER, budget=400)
    for sheet, later in ((ireland, Until.GAME), (rust_belt, Until.TURN)):
        named = [decide(sheet, state, master, "s") for _, state in zip(range(12), game(sheet, 3, 1, ()), strict=False)]
        told = [decision for decision in named if decision.second is not None]
        assert told
        assert {decision.reason.later for decision in told} == {later}
