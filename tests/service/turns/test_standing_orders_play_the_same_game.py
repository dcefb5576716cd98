"""Orders given ahead lead through exactly the positions that the same orders lead through one by one."""

import random
from collections.abc import Callable
from dataclasses import dataclass
from datetime import timedelta
from typing import Any

import pytest
from hypothesis import HealthCheck, given, settings
from hypothesis import strategies as st
from sqlalchemy import select
from sqlalchemy.orm import undefer

from pbem import robot
from pbem.age_of_steam.game import AgeOfSteam
from pbem.age_of_steam.phases import IssueShares
from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State
from pbem.engine import Move as Order
from pbem.engine import Step
from pbem.engine.chance import Chance
from pbem.service.orders import submissions
from pbem.service.turns import progress
from pbem.store.tables import Move, StandingOrderRow
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


@settings(max_examples=5, suppress_health_check=[HealthCheck.function_scoped_fixture])
@given(
    seed=st.integers(0, 10_000),
    eager=st.sampled_from([0.3, 0.7, 1.0]),
    grace=st.sampled_from([timedelta(0), timedelta(minutes=10)]),
)
def test_the_same_standing_orders_and_one_by_one_give_the_same_positions(
    sqlite: Sqlite, tmp_path_factory: pytest.TempPathFactory, seed: int, eager: float, grace: timedelta
) -> None:
    folder = tmp_path_factory.mktemp("data")
    first, second = Table(sqlite.fresh(), folder), Table(sqlite.fresh(), folder)
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


def test_a_limit_bids_as_a_patient_player_would(sqlite: Sqlite, tmp_path_factory: pytest.TempPathFactory) -> None:
    folder = tmp_path_factory.mktemp("data")
    patient, limited = Table(sqlite.fresh(), folder), Table(sqlite.fresh(), folder)
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


Break = Callable[[pytest.MonkeyPatch, str], None]


class Broken(Exception):
    """An error of ours."""


def when_it_is_played(monkeypatch: pytest.MonkeyPatch, seat: str) -> None:
    """The rule of the phase breaks for this seat."""
    sound = IssueShares.apply

    def apply(self: IssueShares, rules: Rules, state: State, who: str, move: Order, chance: Chance) -> Step[State]:
        if who == seat:
            raise Broken(seat)
        return sound(self, rules, state, who, move, chance)

    monkeypatch.setattr(IssueShares, "apply", apply)


def when_it_is_asked_what_it_says(monkeypatch: pytest.MonkeyPatch, seat: str) -> None:
    def due_order(self: AgeOfSteam, state: State, ahead: object) -> Order | None:
        raise Broken(seat)

    monkeypatch.setattr(AgeOfSteam, "due_order", due_order)


def when_its_moment_is_looked_for(monkeypatch: pytest.MonkeyPatch, seat: str) -> None:
    def moments(self: AgeOfSteam, state: State, who: str) -> tuple[str, ...]:
        raise Broken(seat)

    monkeypatch.setattr(AgeOfSteam, "moments", moments)


def when_what_it_led_to_is_stored(monkeypatch: pytest.MonkeyPatch, seat: str) -> None:
    """The position after it cannot be encoded; the one before can."""
    sound = AgeOfSteam.encode

    def encode(self: AgeOfSteam, state: State) -> bytes:
        if state.step > 1:
            raise Broken(seat)
        return sound(self, state)

    monkeypatch.setattr(AgeOfSteam, "encode", encode)


WAYS: tuple[Break, ...] = (
    when_it_is_played,
    when_it_is_asked_what_it_says,
    when_its_moment_is_looked_for,
    when_what_it_led_to_is_stored,
)


@pytest.mark.postgresql
@pytest.mark.parametrize("breaks", WAYS, ids=lambda way: way.__name__)
def test_orders_of_others_count_owners_are_asked(dealt: Table, monkeypatch: pytest.MonkeyPatch, breaks: Break) -> None:
    first, second = dealt.view().state.order[:2]
    dealt.play("issue 2", seat=second)
    breaks(monkeypatch, second)
    assert dealt.play("issue 1", seat=first).status == "played"
    monkeypatch.undo()
    view = dealt.view()
    assert (view.version, view.waiting_for) == (1, second)
    assert [move.orders for move in rows(dealt, Move) if move.number] == ["issue 1"]
    (order,) = rows(dealt, StandingOrderRow)
    assert (order.status, order.reason["say"][:23] if order.reason else "") == ("stuck", "It could not be played ")
    assert dealt.play("issue 2", seat=second).status == "played"


def rows(table: Table, kind: Any) -> list[Any]:
    return table.rows(select(kind))


def test_the_owner_reads_why_and_the_host_is_told_once(dealt: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    dealt.send_all()
    first, second = dealt.view().state.order[:2]
    dealt.play("always issue 0", seat=second)
    when_it_is_played(monkeypatch, second)
    dealt.play("issue 1", seat=first)
    (asked,) = [dealt.read(letter) for letter in dealt.letters("your-turn", "waiting")]
    assert asked.own.void is not None
    assert (asked.seat, asked.own.void.orders) == (second, "always issue 0")
    assert "error on our side" in asked.own.void.sentence
    dealt.play("cancel", seat=second)
    hosts = [seat.seat for seat in dealt.view().seats if seat.host]
    told = dealt.letters("submission-stuck")
    assert len(told) == (0 if hosts == [second] else 1)
    assert [letter.data["what"] for letter in told] == ["order"] * len(told)


@pytest.mark.postgresql
def test_orders_of_others_before_it_stay_played(dealt: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    first, second, third, _ = dealt.view().state.order
    for seat in (second, third):
        dealt.play("issue 2", seat=seat)
    when_it_is_played(monkeypatch, third)
    dealt.play("issue 1", seat=first)
    assert [(move.seat, move.cause) for move in rows(dealt, Move) if move.number] == [
        (first, "player"),
        (second, "ahead"),
    ]
    assert dealt.view().waiting_for == third
    assert sorted(order.status for order in rows(dealt, StandingOrderRow)) == ["played", "stuck"]
