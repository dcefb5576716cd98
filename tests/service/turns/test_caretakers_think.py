"""What a caretaker orders: thought about for a moment in Age of Steam, plain elsewhere, and always something."""

import logging
import time
from datetime import timedelta
from typing import Any

import pytest

from pbem.engine import Sheet, catalog, say
from pbem.engine.chance import DEAL, SeededChance, commitment
from pbem.robot import opponents, thinking
from pbem.robot.opponents import Answer
from pbem.robot.reasons import Until
from pbem.service.orders import deadlines
from pbem.service.turns import robots
from tests.table import Table

SECONDS = 2.0
"""Of the processor for one order, ten times what it takes: this tells a budget from none, not a fast machine."""


def _dealt(game: str, map: str, players: int) -> tuple[Sheet, object, dict[str, str]]:
    sheet = catalog.sheet(game, map)
    options = {option.key: option.default for option in sheet.options()}
    return sheet, sheet.start(sheet.colours[:players], SeededChance(b"cared", DEAL), options).state, options


def test_a_caretaker_thinks_in_age_of_steam_and_gives_the_same_orders_again() -> None:
    sheet, state, options = _dealt("age-of-steam", "rust_belt", 4)
    answer = opponents.caretaker(sheet, state, "seed", options)
    assert answer.why is not None
    assert answer == opponents.caretaker(sheet, state, "seed", options)


def test_a_caretaker_of_steam_power_does_not_think_where_no_budget_bounds_it() -> None:
    sheet, state, options = _dealt("steam-power", "ireland", 3)
    assert opponents.caretaker(sheet, state, "seed", options) == opponents.plain(sheet, state, "seed")


def test_the_clock_does_not_wait_long_for_a_caretaker() -> None:
    sheet, state, options = _dealt("age-of-steam", "southern_us", 6)
    chance = SeededChance(b"cared", "a")
    slowest = 0.0
    for _ in range(24):
        began = time.process_time()
        order = opponents.caretaker(sheet, state, "seed", options).orders
        slowest = max(slowest, time.process_time() - began)
        state = sheet.play(state, sheet.to_act(state) or "", sheet.parse(state, order, {}), chance).state
    assert slowest < SECONDS


def _vanish(table: Table) -> str:
    """Whoever is asked lets the time run out; returns what was played."""
    table.start(turn_time=timedelta(days=1), at_zero="caretaker")
    table.awake(days=1)
    assert deadlines.deadline(table.office, table.game, table.now)
    return table.view().log[-1].orders


def test_an_error_of_ours_costs_the_caretaker_its_thoughts_and_the_game_goes_on(
    table: Table, monkeypatch: pytest.MonkeyPatch, caplog: pytest.LogCaptureFixture
) -> None:
    def broken(*_: object) -> thinking.Decision:
        raise ZeroDivisionError

    monkeypatch.setattr(thinking, "decide", broken)
    with caplog.at_level(logging.ERROR):
        played = _vanish(table)
    before = table.view(at=0)
    assert played == str(before.sheet.default(before.state))
    assert "the caretaker has no answer" in caplog.text


def test_what_a_caretaker_thought_of_is_what_is_played(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    asked: list[str] = []

    def thought(sheet: Sheet, state: object, *_: object) -> thinking.Decision:
        asked.append(sheet.question(state).choices[2].order)
        return thinking.Decision(asked[-1], say("For a reason."), Until.NOTHING)

    monkeypatch.setattr(thinking, "decide", thought)
    assert _vanish(table) == asked[-1]


def test_who_thinks_for_a_seat_is_not_given_the_seed_of_the_dice(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    """A robot or a caretaker that has it could read ahead in the dice; the commitment is no secret either."""
    given: list[str] = []

    def asked(sheet: Sheet, state: object, *more: Any) -> Answer:
        given.append([word for word in more if isinstance(word, str)][-1])
        return Answer(str(sheet.default(state)))

    monkeypatch.setattr(opponents, "caretaker", asked)
    monkeypatch.setattr(opponents, "decide", asked)
    _vanish(table)
    table.awake(days=1)
    deadlines.deadline(table.office, table.game, table.now)
    with table.office.game(table.game, table.now) as work:
        robots.orders(robots.position(work, work.game.to_act, "clara"))
        seed, place = work.game.seed, work.sheet.place(work.state)
    assert len(given) == len(set(given)) == 3
    assert given[-1]
    rolled = SeededChance(seed, place).dice("growth-light", 40)
    for known in given:
        assert known not in (str(seed), repr(seed), seed.hex(), commitment(seed))
        assert seed.hex() not in known
        assert SeededChance(bytes.fromhex(known), place).dice("growth-light", 40) != rolled
