"""Games that the robot plays for tests, on any sheet."""

import random
from collections.abc import Iterator
from dataclasses import dataclass

import pytest

from pbem import robot
from pbem.engine import Sheet, State, Step, catalog
from pbem.engine.chance import NotedChance, SeededChance, commitment
from pbem.engine.record import Entry, Record, digest, result_lines
from tests.every_map.random_player import RandomPlayer

MOST_ORDERS = 3_000
"""More than any game has; a game that goes on for longer has lost its way to the end."""
SENSE = 0.95
"""The share of decisions that players think about."""


def every_sheet() -> list[object]:
    return [pytest.param(sheet, id=f"{sheet.game}/{sheet.slug}") for sheet in catalog.sheets()]


def seed_of(number: int) -> bytes:
    """The secret of a game of tests."""
    return number.to_bytes(32, "big")


def players_of(sheet: Sheet, number: int) -> tuple[str, ...]:
    """The seats of a game, so that the numbers of games go through all player counts."""
    counts = sheet.player_counts()
    return sheet.colours[: counts[number % len(counts)]]


@dataclass(frozen=True)
class Played:
    """One order of a game and what it led to."""

    seat: str
    turn: int
    phase: str
    order: str
    step: Step[State]
    chance: NotedChance


def deal(sheet: Sheet, number: int, players: int | None = None) -> State:
    """A fresh game, of any player count or of this one."""
    seats = players_of(sheet, number) if players is None else sheet.colours[:players]
    return sheet.start(seats, SeededChance(seed_of(number), "deal"), {}).state


def play(
    sheet: Sheet, number: int, state: State, sense: float = SENSE, thoughtful: int = MOST_ORDERS
) -> Iterator[Played]:
    """Order after order to the end; with less ``sense`` more is left to chance.

    After so many ``thoughtful`` orders all are what comes to mind, which costs a third.
    """
    luck, hasty = random.Random(number), RandomPlayer(sheet, seed_of(number), rash=False)
    for done in range(MOST_ORDERS):
        if sheet.over(state):
            return
        seat = sheet.to_act(state)
        assert seat is not None
        order = robot.choose(sheet, state, luck, sense) if done < thoughtful else hasty.play(state)[0]
        turn, phase = sheet.turn(state), sheet.phase(state)
        chance = NotedChance(SeededChance(seed_of(number), sheet.place(state)))
        step = sheet.play(state, seat, sheet.parse(state, order, {}), chance)
        yield Played(seat, turn, phase, order, step, chance)
        state = step.state
    raise AssertionError(f"the game has not ended after {MOST_ORDERS} orders")


def recorded(sheet: Sheet, number: int, sense: float = SENSE, thoughtful: int = MOST_ORDERS) -> Record:
    """A whole game as a record with seed, rolls, digests and result, played as :func:`play` does."""
    state, turns = deal(sheet, number), []
    for played in play(sheet, number, state, sense, thoughtful):
        state = played.step.state
        turns.append(
            Entry(
                played.turn,
                played.phase,
                played.seat,
                played.order,
                tuple(played.chance.notes) or None,
                digest=digest(sheet, state),
            )
        )
    return Record(
        game=sheet.game,
        map=sheet.slug,
        options={},
        players=players_of(sheet, number),
        turns=tuple(turns),
        seed=seed_of(number),
        commitment=commitment(seed_of(number)),
        result=result_lines(sheet, state),
    )
