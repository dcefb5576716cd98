"""Robots that think: they win, stay solvent, know only what their seat may know, and answer the same every time."""

import subprocess
import sys
from dataclasses import replace
from statistics import mean

import pytest

from pbem.engine import Place, Sheet, State, Word, catalog, say_from_json, say_to_json
from pbem.engine import replace as changed_value
from pbem.engine.chance import SeededChance
from pbem.engine.text import Value
from pbem.robot.matches import thinker
from pbem.robot.reasons import Until
from pbem.robot.thinking import CHARACTERS, Character, decide
from pbem.robot.thinking.plans import BEGUN, NEXT_WAYS
from tests.every_map.games import deal, every_sheet
from tests.robot.games import ended, game

HASTY = replace(CHARACTERS["marta"], budget=40)
"""Thinks as little as a test can wait for."""
A_WHILE = 30
"""Orders of a game that a test of every sheet plays."""


def some_states(sheet: Sheet, players: int, number: int, count: int) -> list[State]:
    """The states of the beginning of a game of plain robots."""
    states = game(sheet, players, number, ())
    return [state for _, state in zip(range(count), states, strict=False) if not sheet.over(state)]


def test_one_against_three_plain_robots_wins_on_the_rust_belt() -> None:
    result = ended(catalog.sheet("age-of-steam", "rust_belt"), 4, 0, thinker(HASTY))
    assert result.won == 1
    assert result.out == 0
    assert mean(result.scores) > mean(result.others) + 20


@pytest.mark.parametrize("sheet", every_sheet())
def test_orders_are_legal_on_every_sheet(sheet: Sheet) -> None:
    """Those of one seat; in the slow run all seats think, with every number of players, to the end."""
    players = min(sheet.player_counts())
    states = game(sheet, players, 1, frozenset(sheet.colours[:1]), thinker(HASTY))
    last = [state for _, state in zip(range(A_WHILE), states, strict=False)][-1]
    assert sheet.turn(last) >= 2


def test_robots_in_all_seats_play_a_game_to_its_end() -> None:
    sheet = catalog.sheet("age-of-steam", "st_lucia")
    result = ended(sheet, 2, 0, thinker(HASTY), count=2)
    assert len(result.scores) == 2
    assert mean(result.scores) > 30


@pytest.mark.slow
@pytest.mark.parametrize("sheet", every_sheet())
def test_robots_in_all_seats_of_every_sheet_play_games_to_their_end(sheet: Sheet) -> None:
    for number, players in enumerate(sheet.player_counts()):
        result = ended(sheet, players, number, thinker(HASTY), count=players)
        assert len(result.scores) + result.out == players or sheet.slug.startswith("detroit")


@pytest.mark.parametrize(("game_name", "slug"), [("age-of-steam", "rust_belt"), ("steam-power", "ireland")])
def test_the_same_position_and_seed_give_the_same_decision_in_another_process(game_name: str, slug: str) -> None:
    program = (
        "from tests.robot.test_thinking import *\n"
        f"sheet = catalog.sheet({game_name!r}, {slug!r})\n"
        "decisions = [decide(sheet, state, HASTY, 'seed') for state in some_states(sheet, 3, 2, 12)]\n"
        "print([(one.order, [option.value for option in one.options]) for one in decisions])"
    )
    said = {
        subprocess.run(
            [sys.executable, "-c", program], env={"PYTHONHASHSEED": number}, capture_output=True, check=True, text=True
        ).stdout
        for number in ("1", "2")
    }
    assert len(said) == 1
    assert "build" in said.pop() or game_name == "steam-power"


def test_hidden_things_do_not_change_an_order() -> None:
    """Two states that differ in the bag and in the hands of others look alike to the seat, and get one order."""
    sheet = catalog.sheet("steam-power", "ireland")
    for state in some_states(sheet, 3, 3, 30):
        seat = sheet.to_act(state)
        hidden = [*state.bag, *(n for other in state.seats if other != seat for n in state.players[other].hand)]
        turned = iter(hidden[::-1])
        bag = tuple(next(turned) for _ in state.bag)
        players = {
            other: player
            if other == seat
            else changed_value(player, hand=tuple(sorted(next(turned) for _ in player.hand)))
            for other, player in state.players.items()
        }
        changed = changed_value(state, bag=bag, players=players)
        assert changed != state
        assert decide(sheet, changed, HASTY, "s").order == decide(sheet, state, HASTY, "s").order


@pytest.mark.parametrize("character", CHARACTERS.values(), ids=CHARACTERS)
def test_every_order_has_a_reason_that_can_be_stored_and_read(character: Character) -> None:
    sheet = catalog.sheet("age-of-steam", "rust_belt")
    quick = replace(character, budget=40)
    for state in some_states(sheet, 4, 4, 60)[::6]:
        decision = decide(sheet, state, quick, "s")
        assert str(decision.why).endswith(".")
        assert say_from_json(say_to_json(decision.why)) == decision.why


OPEN_TO_ALL = {
    "Delivers the {colour} cube from {start} for {n} income.",
    "Draws cubes, to put them where it can deliver them.",
    "Draws no cubes: they would help others as much.",
    "Fulfils contract {number}: its cubes are as cheap as they get.",
    "Nothing else promises more.",
    "Passes with Turn Order, to see what the others bid.",
    "Passes: nothing that it could deliver or raise is worth its price.",
    "Plays on without a plan of its own.",
    "Puts cubes where it can deliver them, now or with a larger engine.",
    "Puts cubes where they help others least: it could deliver them nowhere.",
    "Raises the engine to {n} links, for longer deliveries later.",
    "Takes First Build: nobody can take its route away.",
    "Takes First Move: nobody can deliver its cubes before it does.",
    "Takes Production, for more cubes in the turns to come.",
    "Takes the {colour} cube from {start} before others deliver it.",
    "Takes Turn Order, for a better place at a small price in the next turn.",
    "Takes {action}: nothing that is left promises more.",
    "The {colour} cube from {start} brings {n} income, and none brings more now.",
}
"""What robots say that everybody may read at once: it follows from the order and the table."""


@pytest.mark.parametrize(("slug", "game_of"), [("rust_belt", "age-of-steam"), ("ireland", "steam-power")])
def test_a_reason_that_everybody_may_read_at_once_follows_from_the_order_and_the_table(slug: str, game_of: str) -> None:
    sheet = catalog.sheet(game_of, slug)
    told: set[str] = set()
    for state in some_states(sheet, 3, 4, 120)[::3]:
        decision = decide(sheet, state, HASTY, "s")
        if decision.until == Until.NOTHING:
            told.add(decision.order.split()[0])
            assert decision.why.one in OPEN_TO_ALL
            assert decision.order not in ("action locomotive", "action engineer", "action urbanization")
            figures = _figures(sheet, state, decision.order)
            for value in decision.why.values.values():
                assert value in figures or _named(value) in decision.order, decision
    assert told >= ({"move", "loco", "action"} if slug == "rust_belt" else {"contract"})


def _named(value: Value) -> str:
    """What a place or a word is called in an order."""
    match value:
        case Place(label):
            return label
        case Word(word):
            return word
    return str(value)


def _figures(sheet: Sheet, state: State, order: str) -> set[int]:
    """What an order changes of the income of whoever gives it, and the engine it leads to."""
    seat = sheet.to_act(state) or ""
    chance = SeededChance(bytes(32), sheet.place(state))
    after = sheet.play(state, seat, sheet.parse(state, order, {}), chance).state
    before, now = (sheet.position(one)["players"][seat] for one in (state, after))
    if sheet.game != "age-of-steam":
        return set()
    return {now["income"] - before["income"], now["engine"]}


@pytest.mark.parametrize("follows", [0, 10])
def test_thinking_is_bounded_by_counted_work(follows: int) -> None:
    """The next turn comes on top, and is bounded by what is looked at for it."""
    sheet = catalog.sheet("age-of-steam", "rust_belt")
    states = [state for state in some_states(sheet, 4, 5, 200) if sheet.phase(state) == "build_track"]
    next_turn = (follows + 1) * NEXT_WAYS + BEGUN if follows else 0
    for budget in (30, 300):
        character = replace(HASTY, budget=budget, follows=follows)
        works = [decide(sheet, state, character, "s").work for state in states[:6]]
        assert 0 < max(works) <= 8 * budget + next_turn


def test_no_company_is_ruined_by_its_own_plans_while_a_share_can_be_had() -> None:
    """A robot that needs money issues a share rather than go bankrupt."""
    sheet = catalog.sheet("age-of-steam", "rust_belt")
    state = deal(sheet, 1, 4)
    seat = sheet.to_act(state) or ""
    poor = state.with_player(seat, cash=0)
    order = decide(sheet, poor, HASTY, "s").order
    assert order.startswith("issue ")
    assert int(order.split()[1]) >= 1


def test_a_bid_leaves_the_dollars_that_the_bill_needs() -> None:
    sheet = catalog.sheet("age-of-steam", "western_us")
    state = next(state for state in some_states(sheet, 5, 1, 60) if sheet.phase(state) == "turn_order")
    seat = sheet.to_act(state) or ""
    poor = state.with_player(seat, cash=14, income=0, shares=8, engine=3)
    assert not decide(sheet, poor, HASTY, "s").order.startswith("bid")


def test_shares_are_issued_where_they_can_also_be_bought_back() -> None:
    """Switzerland: not every answer to the question of shares is a number of shares."""
    sheet = catalog.sheet("age-of-steam", "switzerland")
    state = deal(sheet, 1, 3)
    seat = sheet.to_act(state) or ""
    rich = state.with_player(seat, cash=40, shares=5)
    assert any(not choice.order.startswith("issue") for choice in sheet.question(rich).choices)
    assert decide(sheet, rich, HASTY, "s").order.startswith("issue ")


def test_a_larger_engine_is_not_raised_into_bankruptcy() -> None:
    sheet = catalog.sheet("age-of-steam", "rust_belt")
    for state in some_states(sheet, 4, 6, 250):
        if sheet.phase(state) != "move_goods":
            continue
        seat = sheet.to_act(state) or ""
        poor = state.with_player(seat, cash=0, income=0, shares=5, engine=1)
        decision = decide(sheet, poor, HASTY, "s")
        options = {option.order: option.value for option in decision.options}
        if "loco" in options:
            assert decision.order != "loco" or options["loco"] == max(options.values())


def test_luck_is_the_robots_own_and_not_the_games() -> None:
    """The order does not change with the secret seed of the game, of which no state tells."""
    sheet = catalog.sheet("age-of-steam", "rust_belt")
    state = deal(sheet, 1, 4)
    seat = sheet.to_act(state) or ""
    orders = set()
    for secret in (bytes(32), bytes([1] * 32)):
        chance = SeededChance(secret, sheet.place(state))
        then = sheet.play(state, seat, sheet.parse(state, "issue 1", {}), chance).state
        orders.add(decide(sheet, then, CHARACTERS["penny"], "mine").order)
    assert len(orders) == 1
