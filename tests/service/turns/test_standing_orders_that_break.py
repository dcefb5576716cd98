"""An error of ours in an order given ahead sets that aside: its owner is asked, and what led to it counts."""

from __future__ import annotations

from collections.abc import Callable
from typing import Any

import pytest
from sqlalchemy import select

from pbem.age_of_steam.game import AgeOfSteam
from pbem.age_of_steam.phases import IssueShares
from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State
from pbem.engine.chance import Chance
from pbem.engine.moves import Move as Order
from pbem.engine.phase import Step
from pbem.store.tables import Move, StandingOrderRow
from tests.table import Table

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
def test_the_orders_of_the_other_player_count_and_the_owner_is_asked(
    table: Table, monkeypatch: pytest.MonkeyPatch, breaks: Break
) -> None:
    table.start()
    first, second = table.view().state.order[:2]
    table.play("issue 2", seat=second)
    breaks(monkeypatch, second)
    assert table.play("issue 1", seat=first).status == "played"
    monkeypatch.undo()
    view = table.view()
    assert (view.version, view.waiting_for) == (1, second)
    assert [move.orders for move in rows(table, Move) if move.number] == ["issue 1"]
    (order,) = rows(table, StandingOrderRow)
    assert (order.status, order.reason["say"][:23] if order.reason else "") == ("stuck", "It could not be played ")
    assert table.play("issue 2", seat=second).status == "played"


def rows(table: Table, kind: Any) -> list[Any]:
    with table.office.read() as session:
        return list(session.scalars(select(kind)))


def test_the_owner_reads_why_and_the_host_is_told_once(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.start()
    table.send_all()
    first, second = table.view().state.order[:2]
    table.play("always issue 0", seat=second)
    when_it_is_played(monkeypatch, second)
    table.play("issue 1", seat=first)
    (asked,) = [table.read(letter) for letter in table.letters("your-turn", "waiting")]
    assert asked.own.void is not None
    assert (asked.seat, asked.own.void.orders) == (second, "always issue 0")
    assert "error on our side" in asked.own.void.sentence
    table.play("cancel", seat=second)
    hosts = [seat.seat for seat in table.view().seats if seat.host]
    told = table.letters("submission-stuck")
    assert len(told) == (0 if hosts == [second] else 1)
    assert [letter.data["what"] for letter in told] == ["order"] * len(told)


@pytest.mark.postgresql
def test_orders_of_others_before_it_stay_played(table: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    table.start()
    first, second, third, _ = table.view().state.order
    for seat in (second, third):
        table.play("issue 2", seat=seat)
    when_it_is_played(monkeypatch, third)
    table.play("issue 1", seat=first)
    assert [(move.seat, move.cause) for move in rows(table, Move) if move.number] == [
        (first, "player"),
        (second, "ahead"),
    ]
    assert table.view().waiting_for == third
    assert sorted(order.status for order in rows(table, StandingOrderRow)) == ["played", "stuck"]
