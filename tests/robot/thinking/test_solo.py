"""Steam Power alone: what is played on in thought is the game itself, and looking further ahead pays."""

from collections.abc import Iterator
from dataclasses import replace
from typing import Any

import pytest

from bench.tournament import classic, game, thinker
from pbem.engine import catalog
from pbem.engine.sheet import Sheet, State
from pbem.engine.values import replace as changed
from pbem.robot.thinking import CHARACTERS, decide
from pbem.robot.thinking.habits import HABITS, carry_out, options_of
from pbem.robot.thinking.solo import look
from pbem.robot.trying import after
from tests.every_map.games import deal

IRELAND = catalog.sheet("steam-power", "ireland_solo")
HASTY = replace(CHARACTERS["rufus"], budget=40)
"""Does what its habits say, and plays on only to tell how the game will end."""


@pytest.fixture(scope="module")
def states() -> list[State]:
    """A whole game."""
    return list(game(IRELAND, 1, 3, frozenset(IRELAND.colours), thinker(HASTY), classic))


def points(sheet: Sheet, state: State) -> int:
    (line,) = sheet.standings(state)
    return line.score or 0


def test_its_habits_alone_make_a_good_game(states: list[State]) -> None:
    assert points(IRELAND, states[-1]) >= 105


def asked(states: list[State]) -> Iterator[tuple[State, Any]]:
    for state in states[:-1]:
        yield state, look(IRELAND, state, IRELAND.question(state))


def test_it_builds_and_places_factories_from_the_first_turns(states: list[State]) -> None:
    state: Any = next(state for state in states if IRELAND.turn(state) == 3)
    assert sum(chain.complete for chain in IRELAND.scene(state).chains) >= 5
    assert sum(tile.factory is not None for tile in state.cities.values()) >= 2


def test_points_in_thought_are_those_of_the_game(states: list[State]) -> None:
    for state, seen in asked(states):
        assert seen.table.score() == points(IRELAND, state)


def test_actions_in_thought_do_what_they_do_in_the_game(states: list[State]) -> None:
    """Of every kind but draws, whose contracts nobody knows before, and bonuses, which are asked for later."""
    seen_kinds = set()
    for state, seen in list(asked(states))[::7]:
        if seen.bonus:
            continue
        labels = seen.table.land.labels
        best = {action.kind: action for action in options_of(seen.table, seen.company, seen.left + 1, HABITS)}
        for kind, action in best.items():
            words = {
                "factory": f"factory {labels[action.city]}" if action.city >= 0 else "",
                "track": f"track {'; '.join(tile for link in action.links for tile in link.way.orders)}",
                "cash": "cash",
            }
            if kind in words:
                then = after(IRELAND, state, IRELAND.to_act(state) or "", words[kind])
                assert then is not None
                table = seen.table.copy()
                carry_out(table, seen.company, action, seen.left + 1, HABITS)
                assert table.score() == points(IRELAND, then)
                if not IRELAND.over(then):
                    again = look(IRELAND, then, IRELAND.question(then)).table
                    assert (table.cash, table.nets, table.cubes, table.joined) == (
                        again.cash,
                        again.nets,
                        again.cubes,
                        again.joined,
                    )
                seen_kinds.add(kind)
    assert seen_kinds == {"factory", "track", "cash"}


def test_an_incomplete_connection_that_it_takes_over_is_completed_in_thought(states: list[State]) -> None:
    """It starts none itself; somebody whose seat it takes may have."""
    dealt: Any = deal(IRELAND, 1, 1)
    (seat,) = dealt.seats
    for order in IRELAND.placements(dealt):
        begun: Any = after(IRELAND, dealt, seat, order)
        open_now = changed(begun, company=dealt.company)
        table = look(IRELAND, open_now, IRELAND.question(open_now)).table
        if table.unfinished:
            (ways,) = table.unfinished.values()
            orders = [f"track {'; '.join(way.orders)}" for way in ways]
            assert orders
            done = [after(IRELAND, open_now, seat, order) for order in orders]
            assert all(look(IRELAND, then, IRELAND.question(then)).table.nets.count(0) == 4 for then in done if then)
            assert any(done)
            return
    raise AssertionError("no placement leaves a connection open")


def test_quick_robots_play_fewer_games_on_than_the_strongest(states: list[State]) -> None:
    quick, strong = (decide(IRELAND, states[60], CHARACTERS[key], "s").work for key in ("rufus", "clara"))
    assert 0 < quick < strong <= 200


def test_what_it_expects_is_what_its_reason_says(states: list[State]) -> None:
    decision = decide(IRELAND, states[60], CHARACTERS["rufus"], "s")
    assert decision.why.values["points"] == round(decision.options[0].value)
