"""18xx.games: a setting of a game, the domain of an address, or having looked a moment ago keeps letters back for good.

choochoo: a mail that fails is logged and forgotten; the mail about a turn and that about the end have one subject.
"""

from collections.abc import Iterator
from datetime import timedelta

import pytest

from tests.mailserver import Receiver, posting
from tests.table import Table
from tests.web.site import Site
from workers import clock, work


@pytest.fixture
def receiver(table: Table) -> Iterator[Receiver]:
    yield from _receiver(table)


@pytest.fixture
def site_receiver(site: Site) -> Iterator[Receiver]:
    yield from _receiver(site)


def _receiver(table: Table) -> Iterator[Receiver]:
    taking = Receiver()
    with posting(table, taking) as table.office:
        yield taking


def send(table: Table) -> None:
    for row in table.letters(status="waiting"):
        work.send(table.office, row.id)


def kinds(receiver: Receiver) -> list[str]:
    return [str(letter["X-Pbem-Letter"]) for letter in receiver.letters]


def test_a_letter_not_taken_is_sent_again_and_the_log_shows_it(site: Site, site_receiver: Receiver) -> None:
    send(site)
    site.log_in(next(seat.number for seat in site.view().seats if seat.seat == site.view().state.order[1]))
    site.play()
    site_receiver.busy = 1
    send(site)
    assert site.letters("your-turn")[-1].status == "waiting"
    shown = site.client.get("/letters", base_url=site.office.settings.public_url).text
    assert "not accepted yet, will be tried again" in shown
    assert "come again later" in shown
    clock.tick(site.office, site.later(minutes=1))
    assert kinds(site_receiver)[-1] == "your-turn"
    shown = site.client.get("/letters", base_url=site.office.settings.public_url).text
    assert "accepted after 2 attempts" in shown


def test_a_mail_server_that_is_away_for_a_day_loses_no_letter(table: Table, receiver: Receiver) -> None:
    receiver.busy = 10_000
    table.start(turn_time=timedelta(days=3))
    for _ in range(24):
        clock.tick(table.office, table.awake(hours=1))
    assert receiver.letters == []
    receiver.busy = 0
    for _ in range(6):
        clock.tick(table.office, table.awake(hours=1))
    assert sorted(kinds(receiver)) == ["game-started"] * 3 + ["your-turn"]


def test_who_has_just_looked_is_told_all_the_same(site: Site, site_receiver: Receiver) -> None:
    """18xx drops the mail when its reader was seen within a minute, and never looks again."""
    second = site.view().state.order[1]
    site.log_in(next(seat.number for seat in site.view().seats if seat.seat == second))
    for path in ("/", f"/games/{site.game}"):
        assert site.client.get(path, base_url=site.office.settings.public_url).status_code == 200
    site.play()
    send(site)
    assert kinds(site_receiver)[-1] == "your-turn"


USUAL: dict[str, object] = {"unlisted": False, "weekends": True, "planning": False, "grace": timedelta(0)}
UNUSUAL: tuple[dict[str, object], ...] = (
    {"at_zero": "caretaker"},
    {"at_zero": "substitute"},
    {"bank": timedelta(days=7)},
    {"turn_time": timedelta(days=1), "cap": timedelta(days=3)},
    {"planning": True},
    {"unlisted": True},
    {"weekends": False},
    {"grace": timedelta(minutes=10)},
    {"at_zero": "substitute", "planning": True, "unlisted": True, "weekends": False, "grace": timedelta(minutes=10)},
)
"""What a host may choose, each by itself and much of it together."""


@pytest.mark.parametrize("chosen", UNUSUAL, ids=lambda chosen: " and ".join(chosen))
def test_no_setting_of_a_game_keeps_its_letters_back(table: Table, chosen: dict[str, object]) -> None:
    """18xx: a game that is pinned to a version notifies nobody any more."""
    _told(table, table.start(**(USUAL | chosen)).waiting_for)
    assert table.play().status == "played"
    table.later(minutes=11)
    _told(table, table.view().waiting_for)


def _told(table: Table, seat: str) -> None:
    """A letter that asks this seat leaves now."""
    number = next(other.number for other in table.view().seats if other.seat == seat)
    asking = [row for row in table.letters() if row.seat_number == number and row.kind in ("your-turn", "planning")]
    assert asking
    assert all(row.next_try_at <= table.now and not row.held for row in asking)
