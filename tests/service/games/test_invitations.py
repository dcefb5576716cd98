"""A host who mistyped an address, or waits for somebody, can do something about it before the game starts."""

from __future__ import annotations

from dataclasses import replace

import pytest

from pbem.service import BadInput, NotNow
from pbem.service.base.rate_limits import TooMuch
from pbem.service.base.tokens import InvitationClaim
from pbem.service.games import first_game, invitations, opening
from pbem.store.statuses import SeatStatus
from tests.service.actors import kinds
from tests.table import Table


@pytest.mark.postgresql
def test_somebody_else_is_invited_in_the_place_of_a_mistyped_address(table: Table) -> None:
    table.open()
    invitations.invite(table.office, table.game, table.host, 1, "benedict@example.org", table.now)
    seat = table.view().seats[1]
    assert (seat.status, seat.name, seat.holder) == (SeatStatus.INVITED, "Benedict", 1)
    with pytest.raises(NotNow, match="no longer valid"):
        opening.answer(table.office, InvitationClaim(table.game, 1), True, table.now)
    with pytest.raises(NotNow):
        first_game.invited(table.office, InvitationClaim(table.game, 1))
    for number in (1, 2, 3):
        opening.answer(table.office, InvitationClaim(table.game, number, int(number == 1)), True, table.now)
    assert table.view().status == "running"
    assert kinds(table).count("invites") == 1


@pytest.mark.postgresql
def test_the_email_to_a_mistyped_address_is_not_sent_any_more_and_the_new_one_leads_to_the_seat(table: Table) -> None:
    table.open()
    invitations.invite(table.office, table.game, table.host, 1, "benedict@example.org", table.now)
    table.send_all()
    told = [(letter.seat_number, letter.status) for letter in table.letters("invitation")]
    assert sorted(told) == [(1, "sent"), (1, "withdrawn"), (2, "sent"), (3, "sent")]


def test_an_invitation_can_be_sent_once_more_a_day(table: Table) -> None:
    table.open()
    table.send_all()
    invitations.remind(table.office, table.game, table.host, 2, table.now)
    limited = replace(table.office, settings=replace(table.office.settings, rate_limits=True))
    invitations.remind(limited, table.game, table.host, 2, table.now)
    with pytest.raises(TooMuch):
        invitations.remind(limited, table.game, table.host, 2, table.now)
    table.later(days=1)
    invitations.remind(table.office, table.game, table.host, 2, table.now)
    assert [letter.seat_number for letter in table.letters("invitation")].count(2) == 3


def test_a_withdrawn_invitation_frees_the_seat_for_somebody_else(table: Table) -> None:
    table.open()
    invitations.withdraw(table.office, table.game, table.host, 3, table.now)
    assert table.view().seats[3].status == SeatStatus.VACANT
    with pytest.raises(NotNow, match="no longer valid"):
        opening.answer(table.office, InvitationClaim(table.game, 3), False, table.now)
    with pytest.raises(NotNow, match="Nobody is invited"):
        invitations.withdraw(table.office, table.game, table.host, 3, table.now)
    invitations.invite(table.office, table.game, table.host, 3, "fay@example.org", table.now)
    assert table.view().seats[3].name == "Fay"


def test_only_the_host_of_a_game_that_has_not_started_can_do_this(table: Table) -> None:
    table.open()
    with pytest.raises(NotNow, match="Only the host"):
        invitations.withdraw(table.office, table.game, table.host + 1, 1, table.now)
    opening.answer(table.office, InvitationClaim(table.game, 1), True, table.now)
    with pytest.raises(NotNow, match="taken"):
        invitations.invite(table.office, table.game, table.host, 1, "fay@example.org", table.now)
    for number in (2, 3):
        opening.answer(table.office, InvitationClaim(table.game, number), True, table.now)
    with pytest.raises(NotNow, match="already started"):
        invitations.remind(table.office, table.game, table.host, 1, table.now)


@pytest.mark.parametrize(
    ("address", "told"),
    [
        ("nonsense", "not an email address"),
        ("ana@example", "ends without .org, .com or the like"),
        ("chloé@example.org", "not an email address"),
    ],
)
def test_an_address_at_which_nobody_can_be_reached_is_refused(table: Table, address: str, told: str) -> None:
    table.open()
    with pytest.raises(BadInput, match=told):
        invitations.invite(table.office, table.game, table.host, 1, address, table.now)
    assert table.view().seats[1].name == "Ben"


def test_nobody_is_invited_twice(table: Table) -> None:
    table.open()
    for address in ("ben@example.org", "ana@example.org", "davi@example.org"):
        with pytest.raises(NotNow, match="is invited already, or plays"):
            invitations.invite(table.office, table.game, table.host, 1, address, table.now)
