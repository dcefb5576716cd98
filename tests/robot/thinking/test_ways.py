"""Ways of new track on the Rust Belt: legal as they are found, at the judge's prices, through towns."""

import random
from dataclasses import replace
from statistics import mean

import pytest

from maps.western_us.rules import WesternUS
from pbem.engine import Sheet, State, catalog
from pbem.robot.matches import thinker
from pbem.robot.thinking import decide
from pbem.robot.thinking.actions import action_values
from pbem.robot.thinking.building import best_plans
from pbem.robot.thinking.characters import CHARACTERS, FIRST_HALF, QUICK, Character, Tastes
from pbem.robot.thinking.money import bid, issue
from pbem.robot.thinking.outlook import scoring_of
from pbem.robot.thinking.table import read_table
from pbem.robot.thinking.thought import Thought
from pbem.robot.thinking.ways import Finder
from pbem.robot.trying import after
from pbem.robot.walks import Way, order_of
from tests.every_map.games import deal
from tests.robot.games import ended, game


def sheet() -> Sheet:
    return catalog.sheet("age-of-steam", "rust_belt")


def finder_of(sheet: Sheet, state: State, seat: str) -> Finder:
    """Finds ways of three tiles."""
    table = read_table(sheet, state, seat)
    return Finder(table.scene, seat, 3, table.price)


def building(number: int) -> list[State]:
    """The positions of a game in which somebody builds."""
    states = game(sheet(), 4, number, ())
    return [state for state in states if not sheet().over(state) and sheet().phase(state) == "build_track"]


def test_evansville_and_cincinnati_are_linked_through_a_town_or_directly() -> None:
    """Digest, E3 and E4: T9 to Q12 with two tiles for $4, or by Indianapolis (Q10) with three for $7."""
    found = finder_of(sheet(), deal(sheet(), 1, 4), "blue").ways
    ways = {way.nodes: way for way in reversed(found)}
    assert (ways["T9", "Q12"].cost, ways["T9", "Q12"].tiles) == (4, 2)
    assert (ways["T9", "Q10", "Q12"].cost, ways["T9", "Q10", "Q12"].tiles) == (7, 3)


def test_most_ways_are_legal_and_cost_what_was_said() -> None:
    legal = tried = 0
    for state in building(3)[4::5]:
        seat = sheet().to_act(state) or ""
        rich = state.with_player(seat, cash=50)
        for way in finder_of(sheet(), rich, seat).ways[::3]:
            tried += 1
            then = after(sheet(), rich, seat, order_of(sheet().scene(rich).board, (way,), way.parts))
            if then is not None:
                legal += 1
                assert 50 - sheet().position(then)["players"][seat]["cash"] == way.cost
    assert tried > 100
    assert legal > 0.8 * tried


def test_the_first_builds_of_the_western_us_are_legal_as_they_are_thought_of() -> None:
    """Track begins at starting Cities there, and hangs together: plans for anything else are not made."""
    western = WesternUS()
    states = game(western, 3, 1, ())
    state = next(state for state in states if western.phase(state) == "build_track")
    seat = western.to_act(state) or ""
    rich = state.with_player(seat, cash=30)
    table = read_table(western, rich, seat)
    plans = best_plans(Thought(table, CHARACTERS["marta"], scoring_of(western), random.Random(1)), table.me, 3)
    orders = [plan.order(western.board) for plan in plans[:12]]
    assert "Denver" in {western.board.cities[node].name for node in table.barred if node in western.board.cities}
    assert sum(after(western, rich, seat, order) is not None for order in orders) >= 10


@pytest.mark.parametrize("slug", ["pittsburgh", "switzerland", "france"])
def test_ways_cost_what_the_sheet_says(slug: str) -> None:
    """Pittsburgh: a straight $10, a curve $3, towns nothing; Switzerland: $4 for everything."""
    other = catalog.sheet("age-of-steam", slug)
    states = [state for state in game(other, 3, 1, ()) if not other.over(state)]
    builds = [state for state in states if other.phase(state) == "build_track"]
    legal = 0
    for state in builds[:: max(1, len(builds) // 4)]:
        seat = other.to_act(state) or ""
        rich = state.with_player(seat, cash=80, action="production")
        for way in finder_of(other, rich, seat).ways[::9]:
            then = after(other, rich, seat, order_of(other.scene(rich).board, (way,), way.parts))
            if then is not None:
                legal += 1
                assert 80 - other.position(then)["players"][seat]["cash"] == way.cost
    assert legal > 10


def test_one_against_two_plain_robots_does_better_than_they_do() -> None:
    ireland, rufus = catalog.sheet("steam-power", "ireland"), thinker(CHARACTERS["marta"])
    games = [ended(ireland, 3, number, rufus) for number in (0, 1)]
    assert mean(game.scores[0] for game in games) > mean(score for game in games for score in game.others)


def test_nobody_gathers_money_for_ever() -> None:
    """Seen among three of them: all took cash, turn after turn, and the game did not end."""
    sheet = catalog.sheet("steam-power", "ireland")
    state = deal(sheet, 1, 3)
    seat = sheet.to_act(state) or ""
    rich = state.with_cash(seat, 40)
    assert decide(sheet, rich, CHARACTERS["marta"], "s").order != "cash"


def plans_of(sheet: Sheet, state: State, follows: int) -> dict[tuple[Way, ...], float]:
    """What builds are worth, by their ways, to a robot that looks at the next turn for so many of them."""
    seat = sheet.to_act(state) or ""
    table = read_table(sheet, state, seat)
    character = replace(CHARACTERS["marta"], follows=follows)
    thought = Thought(table, character, scoring_of(sheet), random.Random(1))
    return {plan.ways: plan.value for plan in best_plans(thought, table.me, 3) if plan.rest is None}


def test_the_next_turn_makes_builds_worth_more_but_not_in_the_last_turn() -> None:
    early, last = (building(3)[n] for n in (5, -1))
    alone, followed = plans_of(sheet(), early, 0), plans_of(sheet(), early, 10)
    more = [followed[ways] - worth for ways, worth in alone.items()]
    assert min(more) >= 0
    assert 1 <= sum(gain > 0 for gain in more) <= 10
    assert plans_of(sheet(), last, 10) == plans_of(sheet(), last, 0)


@pytest.mark.parametrize(("slug", "begins"), [("rust_belt", True), ("germany", False)])
def test_links_over_two_turns_are_thought_of_where_track_may_be_left_unfinished(slug: str, begins: bool) -> None:
    """Germany: only complete links may be built."""
    other = catalog.sheet("age-of-steam", slug)
    dealt = deal(other, 1, 3)
    seat = other.to_act(dealt) or ""
    table = read_table(other, dealt.with_player(seat, cash=25), seat)
    thought = Thought(table, CHARACTERS["marta"], scoring_of(other), random.Random(1))
    assert any(plan.rest is not None for plan in best_plans(thought, table.me, 3)) is begins


def test_what_lies_apart_from_the_best_build_is_looked_at_as_far() -> None:
    """First Build is worth what the difference between the two is."""
    state = building(3)[7]
    alone, followed = plans_of(sheet(), state, 0), plans_of(sheet(), state, 1)
    first, second = ({part.hex for way in ways for part in way.parts} for ways in alone if followed[ways] > alone[ways])
    assert first.isdisjoint(second)


def test_the_taste_for_locomotive_is_for_games_of_many() -> None:
    def worth(slug: str, players: int, taste: float) -> float:
        other = catalog.sheet("age-of-steam", slug)
        table = read_table(other, deal(other, 1, players), other.colours[0])
        character = replace(CHARACTERS["marta"], follows=0, tastes=Tastes(locomotive=taste))
        thought = Thought(table, character, scoring_of(other), random.Random(1))
        return action_values(thought, ["locomotive"])[0].value

    assert worth("rust_belt", 3, 2.5) == pytest.approx(worth("rust_belt", 3, 0.0) + 2.5)
    assert worth("new_england", 2, 2.5) == worth("new_england", 2, 0.0)


def test_the_taste_for_an_early_place_makes_bids_higher() -> None:
    state = next(state for state in game(sheet(), 4, 3, ()) if sheet().question(state).choices[-1].order[:4] == "bid ")
    seat = sheet().to_act(state) or ""
    table = read_table(sheet(), state.with_player(seat, cash=60), seat)

    def worth(early: float) -> float:
        character = replace(CHARACTERS["marta"], follows=0, tastes=Tastes(early=early))
        thought = Thought(table, character, scoring_of(sheet()), random.Random(1))
        return max(option.value for option in bid(thought, sheet().question(state)).options)

    assert worth(1.0) > worth(0.0)


@pytest.mark.parametrize(("left", "likes"), [(FIRST_HALF, 1), (FIRST_HALF - 1, 0)])
def test_on_finland_shares_and_urbanization_are_liked_in_the_first_half_of_the_game(left: int, likes: int) -> None:
    finland = catalog.sheet("age-of-steam", "finland")
    state = deal(finland, 1, 4)
    seat = finland.to_act(state) or ""
    table = replace(read_table(finland, state.with_player(seat, cash=20), seat), left=left)

    def values(character: Character) -> dict[str, float]:
        thought = Thought(table, character, scoring_of(finland), random.Random(1))
        options = [*issue(thought, finland.question(state)).options, *action_values(thought, ["urbanization"])]
        return {option.order: option.value for option in options}

    master = replace(CHARACTERS["marta"], budget=QUICK, follows=0)
    plain, liked = values(replace(master, tastes_on={})), values(master)
    for order, more in {"issue 0": 0, "issue 1": 0.7, "issue 3": 2.1, "action urbanization": 4.0}.items():
        assert liked[order] == pytest.approx(plain[order] + likes * more)


def test_track_that_brings_no_income_this_turn_is_not_said_to_bring_some() -> None:
    hungary = catalog.sheet("age-of-steam", "hungary")
    decision = decide(hungary, deal(hungary, 1, 4), CHARACTERS["marta"], "x")
    assert str(decision.why) == "Issues 2 shares: it expects to build $12 of track this turn."


def test_with_two_players_the_next_turn_is_not_looked_at() -> None:
    england = catalog.sheet("age-of-steam", "new_england")
    dealt = deal(england, 1, 2)
    assert plans_of(england, dealt, 10) == plans_of(england, dealt, 0)
