"""Orders given ahead lead through exactly the positions that the same orders lead through one by one."""

from __future__ import annotations

import random
from dataclasses import dataclass
from datetime import timedelta

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select
from sqlalchemy.orm import undefer

from pbem import robot
from pbem.service.orders import submissions
from pbem.service.turns import progress
from pbem.store.tables import Move
from tests.databases import Sqlite
from tests.table import Table

MOVES = 70
"""Orders of a game that are compared: about three turns."""


@dataclass(frozen=True)
class Ordered:
    """An order of the game that was played one by one."""

    seat: str
    turn: int
    text: str


def moves(table: Table) -> list[Move]:
    with table.office.read() as session:
        query = select(Move).where(Move.game_id == table.game).order_by(Move.number)
        return list(session.scalars(query.options(undefer(Move.state))))


def one_by_one(table: Table, luck: random.Random) -> list[Ordered]:
    """A game in which everybody answers what he is asked."""
    table.start()
    ordered: list[Ordered] = []
    asked = table.asked()
    while len(ordered) < MOVES:
        order = robot.choose(asked.sheet, asked.state, luck)
        ordered.append(Ordered(asked.waiting_for, asked.sheet.turn(asked.state), order))
        table.send(order, seat=asked.waiting_for, version=asked.version)
        submissions.play_waiting(table.office, table.game, table.now)
        before, asked = asked.version, table.asked()
        assert asked.version > before, order
    return ordered


def ahead_of_time(table: Table, script: list[Ordered], luck: random.Random, eager: float, grace: timedelta) -> None:
    """The same game, but now and then somebody sends what he will order later in the turn."""
    table.start(grace=grace)
    while (done := table.asked().version) < len(script):
        now, to_come = script[done], script[done + 1 :]
        for seat in sorted({order.seat for order in to_come} - {now.seat}):
            lines = to_wait(to_come, seat, now.turn, luck, eager)
            if lines:
                table.play("\n".join(lines), seat=seat)
        if table.asked().version == done:
            whole = "\n".join([now.text, *to_wait(to_come, now.seat, now.turn, luck, eager)])
            if table.play(whole).status != "played":
                assert table.play(now.text).status == "played"
        table.now += grace
        progress.play_held(table.office, table.game, table.now)


def to_wait(to_come: list[Ordered], seat: str, turn: int, luck: random.Random, eager: float) -> list[str]:
    """Some of the next orders of a seat in this turn: single bids cannot wait, nor what follows them."""
    lines: list[str] = []
    for order in to_come:
        if order.seat == seat and order.turn == turn:
            if order.text.startswith("bid") or luck.random() > eager:
                break
            lines.append(order.text)
    return lines


@pytest.fixture(scope="module")
def databases(tmp_path_factory: pytest.TempPathFactory) -> Sqlite:
    return Sqlite(tmp_path_factory.mktemp("same"))


@settings(max_examples=5, deadline=None, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seed=st.integers(0, 10_000),
    eager=st.sampled_from([0.3, 0.7, 1.0]),
    grace=st.sampled_from([timedelta(0), timedelta(minutes=10)]),
)
def test_the_same_standing_orders_and_one_by_one_give_the_same_positions(
    databases: Sqlite, tmp_path_factory: pytest.TempPathFactory, seed: int, eager: float, grace: timedelta
) -> None:
    folder = tmp_path_factory.mktemp("data")
    first, second = Table(databases.fresh(), folder), Table(databases.fresh(), folder)
    script = one_by_one(first, random.Random(seed))
    ahead_of_time(second, script, random.Random(seed + 1), eager, grace)
    told, waited = moves(first), moves(second)[: len(script) + 1]
    assert [(move.seat, move.orders) for move in waited] == [(move.seat, move.orders) for move in told]
    assert [(move.digest, move.state, move.chance) for move in waited] == [
        (move.digest, move.state, move.chance) for move in told
    ]
    assert {move.cause for move in told} == {"start", "player"}
    if eager == 1.0:
        assert sum(move.cause == "ahead" for move in waited) > len(waited) / 4
    first.close()
    second.close()


def test_a_limit_bids_as_a_patient_player_would(databases: Sqlite, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("data")
    patient, limited = Table(databases.fresh(), folder), Table(databases.fresh(), folder)
    limits = {"blue": 4, "green": 0, "yellow": 7, "pink": 2}
    for table in (patient, limited):
        table.start()
        for _ in range(4):
            table.play("issue 1")
    while patient.phase() == "turn_order":
        asked = patient.asked()
        high = asked.state.scratch.highest
        patient.play(f"bid {high + 1}" if high < limits[asked.waiting_for] else "drop")
    for seat in limited.asked().state.order[1:]:
        limited.play(f"bid max {limits[seat]}", seat=seat)
    limited.play(f"bid max {limits[limited.asked().waiting_for]}")
    assert limited.phase() == "select_actions"
    assert [move.digest for move in moves(limited)] == [move.digest for move in moves(patient)]
    assert [move.orders for move in moves(limited)] == [move.orders for move in moves(patient)]
    patient.close()
    limited.close()
