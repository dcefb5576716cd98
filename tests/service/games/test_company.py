"""Who plays with whom: blocking, watching, and the same people once more."""

from datetime import timedelta

import pytest
from sqlalchemy import select

from pbem.service import BadInput, NotNow
from pbem.service.base.tokens import BadToken, WatchClaim
from pbem.service.games import members, seat_changes, watching
from pbem.service.people import blocks
from pbem.store.tables import Block, Game
from tests.service.actors import kinds, offer, resign
from tests.table import Table

pytestmark = pytest.mark.postgresql


def test_people_who_block_each_other_are_in_no_new_game(dealt: Table) -> None:
    blocks.block(dealt.office, dealt.host, dealt.game, 1, dealt.now)
    assert [found.name for found in blocks.blocked(dealt.office, dealt.host)] == ["Ben"]
    with pytest.raises(BadInput, match=r"ben@example\.org cannot be invited"):
        dealt.open()
    ben = dealt.account("Ben")
    blocks.unblock(dealt.office, dealt.host, ben)
    blocks.block(dealt.office, ben, dealt.game, 0, dealt.now)
    with pytest.raises(BadInput, match="cannot be invited"):
        dealt.open()
    assert len(dealt.rows(select(Game))) == 1


def test_two_guests_who_block_each_other_are_not_invited_together(dealt: Table) -> None:
    blocks.block(dealt.office, dealt.account("Ben"), dealt.game, 3, dealt.now)
    with pytest.raises(BadInput, match=r"davi@example\.org cannot be invited"):
        dealt.open()


def test_nobody_takes_a_seat_beside_somebody_who_blocked_them(dealt: Table) -> None:
    resign(dealt, 1)
    ben = dealt.account("Ben")
    with dealt.office.write() as session:
        session.add(Block(account_id=dealt.host, blocked_id=ben, name="Ben", since=dealt.now))
    with pytest.raises(NotNow, match="cannot take this seat"):
        seat_changes.take(dealt.office, offer(dealt), ben, dealt.now)


def test_blocking_needs_a_game_together(dealt: Table) -> None:
    with pytest.raises(NotNow, match="play or have played"):
        blocks.block(dealt.office, dealt.account("Gil"), dealt.game, 0, dealt.now)
    with pytest.raises(NotNow, match="This is you"):
        blocks.block(dealt.office, dealt.host, dealt.game, 0, dealt.now)


def test_an_unlisted_game_is_for_its_people_and_for_those_with_the_link(table: Table) -> None:
    table.start(unlisted=True)
    gil = table.account("Gil")
    assert watching.may_look(table.office, table.game, table.host)
    assert not watching.may_look(table.office, table.game, gil)
    assert not watching.may_look(table.office, table.game, None)
    address = watching.open_link(table.office, table.game, table.host, table.now)
    assert watching.open_link(table.office, table.game, table.host, table.now) == address
    claim = table.office.tokens.read(WatchClaim, address.rpartition("/")[2])
    assert watching.watched(table.office, claim) == table.game
    watching.close_link(table.office, table.game, table.host, table.now)
    with pytest.raises(BadToken):
        watching.watched(table.office, claim)
    with pytest.raises(BadToken):
        watching.watched(table.office, WatchClaim(table.game, ""))
    with pytest.raises(NotNow, match="Only the host"):
        watching.open_link(table.office, table.game, gil, table.now)
    resign(table, 1)
    assert members.free_seats(table.office, None) == ()
    assert kinds(table)[-3:] == ["watch-on", "watch-off", "resigned"]


def test_the_same_people_play_once_more_and_ask_for_it_only_once(table: Table) -> None:
    table.start(grace=timedelta(minutes=5))
    table.play_on(1000)
    old = table.game
    ben = table.account("Ben")
    again = members.rematch(table.office, old, ben, table.now)
    assert members.rematch(table.office, old, table.host, table.now) == again
    assert kinds(table)[-1] == "rematch"
    table.game = again
    view = table.view()
    assert (view.title, view.grace, view.seats[0].name) == ("Coal by post 2", timedelta(minutes=5), "Ben")
    assert {seat.name for seat in view.seats} == {"Ana", "Ben", "Chloé", "Davi"}


@pytest.mark.parametrize(
    ("title", "again"),
    [
        ("Coal", "Coal 2"),
        ("Coal 2", "Coal 3"),
        ("Coal 999", "Coal 1000"),
        ("Coal 1000", "Coal 1000 2"),
        ("Coal ²", "Coal ² 2"),
        ("7", "7 2"),
        ("x" * 80, "x" * 78 + " 2"),
    ],
)
def test_a_game_played_again_counts_in_its_title(title: str, again: str) -> None:
    assert members._again(title) == again
