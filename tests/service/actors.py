"""Steps that tests of the people of a game share."""

import threading
from collections.abc import Callable
from concurrent.futures import ThreadPoolExecutor
from datetime import timedelta

from sqlalchemy import select

from pbem.service.games import departures, seat_changes, votes
from pbem.service.games.proposals.ending_early import EndingEarly
from pbem.service.orders import deadlines
from pbem.service.turns import audit_log
from pbem.store.tables import Offer
from tests.table import Table


def not_asked(table: Table) -> int:
    view = table.view()
    return next(seat.number for seat in view.seats if seat.seat != view.waiting_for)


def offer(table: Table) -> int:
    return table.only(select(Offer.id).where(Offer.closed_at.is_(None)))


def kinds(table: Table) -> list[str]:
    return [done.kind for done in audit_log.of_game(table.office, table.game)]


def name_of(table: Table, number: int) -> str:
    return table.view().seats[number].name


def resign(table: Table, number: int) -> None:
    departures.resign(table.office, table.game, number, table.now)


def take(table: Table, name: str = "Fay") -> int:
    account = table.account(name)
    assert seat_changes.take(table.office, offer(table), account, table.now) == table.game
    return account


def vanish(table: Table, days: int = 8) -> int:
    """Somebody does not answer, and the rest goes on for some days; returns the seat."""
    number = table.number_asked()
    colour = table.view().seats[number].seat
    until = table.now + timedelta(days=days + 3)
    while table.now < until:
        if table.view().waiting_for == colour:
            table.now = max(table.now, table.view().deadline or table.now)
            assert deadlines.deadline(table.office, table.game, table.now)
        else:
            table.play()
            table.later(hours=6)
    return number


def end(table: Table) -> int:
    return votes.ask(table.office, table.game, 0, EndingEarly(), table.now)


def at_once(acts: list[Callable[[], object]]) -> None:
    """Several threads do something at the same moment."""
    gate = threading.Barrier(len(acts))

    def run(act: Callable[[], object]) -> None:
        gate.wait()
        act()

    with ThreadPoolExecutor(len(acts)) as pool:
        for done in [pool.submit(run, act) for act in acts]:
            done.result()
