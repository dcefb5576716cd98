"""Deleting an account: what goes, what stays, and who hears of it."""

from dataclasses import replace
from datetime import date

import pytest
from sqlalchemy import select

from pbem.service import BadInput, BadToken, NotNow
from pbem.service.archive import records
from pbem.service.base import queries, sentences
from pbem.service.base.tokens import InvitationClaim, SeatClaim, UnsubscribeClaim
from pbem.service.games import account_deletion, departures, ending, members, opening, seat_changes, votes
from pbem.service.games.proposals.ending_early import EndingEarly
from pbem.service.letters import talk
from pbem.service.operator import operating
from pbem.service.people import absences, accounts, blocks, bounces, feeds, notifications, webhooks
from pbem.service.turns import audit_log
from pbem.store.tables import Account, Game, Offer
from tests.rows import everything
from tests.table import Table

BEN = "ben@example.org"


def account(table: Table, number: int) -> int:
    return accounts.of_seat(table.office, table.game, number)


def number_of(table: Table, address: str) -> int:
    return table.only(select(Account.id).where(Account.address == address))


def leave(table: Table, number: int = 1, typed: str = BEN) -> int:
    """The player of a seat deletes the account; its number."""
    own = account(table, number)
    account_deletion.delete(table.office, own, typed, table.now)
    return own


@pytest.mark.postgresql
def test_name_and_address_are_nowhere_and_the_game_goes_on(dealt: Table) -> None:
    ben = account(dealt, 1)
    talk.post(dealt.office, dealt.game, 1, "Hello", dealt.now)
    talk.write_note(dealt.office, dealt.game, ben, "win", dealt.now)
    absences.add(dealt.office, ben, date(2026, 12, 1), date(2026, 12, 3), dealt.now)
    notifications.differ(dealt.office, ben, dealt.game, "mute")
    feeds.renew(dealt.office, ben, dealt.now)
    webhooks.add(dealt.office, ben, "json", "https://hooks.example.org/x", "", dealt.now)
    accounts.ask_login(dealt.office, BEN, dealt.now)
    accounts.log_in_seat(dealt.office, SeatClaim(dealt.game, 1), dealt.now)
    dealt.play_on(3)
    leave(dealt)
    dealt.send_all()
    said = [row for row in everything(dealt.office) if "ben@" in row or "Ben" in row]
    assert [row for row in said if not row.startswith("letters ")] == []
    assert {row.kind for row in dealt.letters() if "Ben" in str(row.data)} <= {"resigned", "away"}
    assert dealt.view().status == "running"
    assert dealt.view().names[dealt.view().seats[1].seat] == sentences.NOBODY
    assert dealt.play().status == "played"


def test_a_running_seat_is_offered_and_played_by_a_caretaker(dealt: Table) -> None:
    ben = leave(dealt)
    with dealt.office.read() as session:
        seat = queries.numbered(session, dealt.game, 1)
        assert (seat.account_id, seat.status, seat.caretaker_since) == (None, "vacant", dealt.now)
        assert session.scalars(select(Offer.seat_number)).all() == [1]
    assert {row.account_id for row in dealt.letters("resigned")} == {account(dealt, n) for n in (0, 2, 3)}
    assert ben not in {row.account_id for row in dealt.letters() if row.kind != "account-deleted"}


def test_a_game_that_is_over_stays_with_its_result(dealt: Table) -> None:
    dealt.play_on(1000)
    before = records.export(dealt.office, dealt.game)
    leave(dealt)
    after = records.export(dealt.office, dealt.game)
    assert after["result"] == before["result"]
    assert after["turns"] == before["turns"]
    assert sentences.NOBODY in after["names"].values()
    assert "Ben" not in after["names"].values()
    assert dealt.view().status == "over"


@pytest.mark.postgresql
def test_no_game_of_others_is_deleted(table: Table) -> None:
    kept = []
    for _ in range(2):
        table.start()
        kept.append(table.game)
    table.open()
    kept.append(table.game)
    for name in ("ana", "ben", "chloe", "davi"):
        address = f"{name}@example.org"
        account_deletion.delete(table.office, number_of(table, address), address, table.now)
    with table.office.read() as session:
        assert set(session.scalars(select(Game.id))) == set(kept)
        assert {game.status for game in session.scalars(select(Game))} == {"over", "cancelled"}


@pytest.mark.postgresql
def test_an_invitation_is_declined_and_its_link_is_of_no_use(table: Table) -> None:
    table.open()
    account_deletion.delete(table.office, account(table, 1), BEN, table.now)
    assert [row.account_id for row in table.letters("declined")] == [table.host]
    with pytest.raises(NotNow, match="no longer has an account"):
        opening.answer(table.office, InvitationClaim(table.game, 1), True, table.now)


@pytest.mark.postgresql
def test_an_open_game_of_the_host_is_cancelled_and_those_invited_hear_of_it(table: Table) -> None:
    table.open()
    assert account_deletion.leaving(table.office, table.host) == account_deletion.Leaving((), ("Coal by post",))
    account_deletion.delete(table.office, table.host, "ana@example.org", table.now)
    assert table.view().status == "cancelled"
    assert len(table.letters("cancelled")) == 3


@pytest.mark.parametrize("typed", ["", "ben", "ana@example.org", "ben@example.org x", "x" * 50_000, "\0"])
def test_another_address_deletes_nothing_at_all(dealt: Table, typed: str) -> None:
    before = everything(dealt.office)
    with pytest.raises(BadInput, match=BEN):
        leave(dealt, 1, typed)
    assert everything(dealt.office) == before


def test_twice_is_refused(dealt: Table) -> None:
    ben = leave(dealt)
    for typed in (BEN, f"deleted:{ben}"):
        with pytest.raises(BadInput):
            account_deletion.delete(dealt.office, ben, typed, dealt.now)


def test_links_of_old_letters_lead_nowhere(dealt: Table) -> None:
    secret = accounts.log_in_seat(dealt.office, SeatClaim(dealt.game, 1), dealt.now)
    ben = leave(dealt)
    assert accounts.logged_in(dealt.office, secret, dealt.now) is None
    with pytest.raises(BadToken):
        accounts.log_in_seat(dealt.office, SeatClaim(dealt.game, 1), dealt.now)
    (offer,) = dealt.rows(select(Offer.id))
    with pytest.raises(NotNow, match="deleted"):
        seat_changes.take(dealt.office, offer, ben, dealt.now)
    accounts.stop_mail(dealt.office, UnsubscribeClaim(ben, "", "your-turn"), "all", dealt.now)


@pytest.mark.postgresql
def test_one_last_letter_goes_to_the_address_which_is_forgotten_then(dealt: Table) -> None:
    leave(dealt)
    last = dealt.letters("account-deleted")[0]
    assert (dealt.read(last).envelope.to, dealt.read(last).envelope.name) == (BEN, "Ben")
    dealt.send_all()
    last = dealt.letters("account-deleted")[0]
    assert (last.status, last.data) == ("sent", {})
    bounces.returned(dealt.office, last.id, "5.1.1", f"{BEN} is not here", dealt.now)
    assert not [row for row in everything(dealt.office) if BEN in row]


def test_who_comes_back_is_somebody_new(dealt: Table) -> None:
    ben = leave(dealt)
    accounts.ask_login(dealt.office, BEN, dealt.now)
    again = number_of(dealt, BEN)
    assert again != ben
    offer = members.free_seats(dealt.office, again)[0]
    seat_changes.take(dealt.office, offer.id, again, dealt.now)
    assert dealt.view().seats[1].name == "Ben"


@pytest.mark.postgresql
def test_a_game_about_to_end_ends_without_the_one_who_leaves(dealt: Table) -> None:
    vote = votes.ask(dealt.office, dealt.game, 0, EndingEarly(), dealt.now)
    for number in (2, 3):
        votes.answer(dealt.office, dealt.game, vote, number, True, dealt.now)
    leave(dealt)
    assert dealt.view().status == "stopping"
    dealt.later(days=1)
    assert ending.finish(dealt.office, dealt.game, dealt.now)
    assert dealt.view().status == "over"


@pytest.mark.postgresql
def test_names_go_from_games_that_were_left_before(dealt: Table) -> None:
    ben = account(dealt, 1)
    departures.resign(dealt.office, dealt.game, 1, dealt.now)
    assert dealt.view().seats[1].name == "Ben"
    account_deletion.delete(dealt.office, ben, BEN, dealt.now)
    assert dealt.view().seats[1].name == sentences.NOBODY
    assert not [done for done in audit_log.of_game(dealt.office, dealt.game) if "Ben" in str(done.sentence)]


def test_two_who_leave_have_two_names(dealt: Table) -> None:
    leave(dealt)
    leave(dealt, 2, "chloe@example.org")
    assert [seat.name for seat in dealt.view().seats][1:3] == [sentences.NOBODY, f"{sentences.NOBODY} 2"]


@pytest.mark.postgresql
def test_blocks_go_on_both_sides(dealt: Table) -> None:
    blocks.block(dealt.office, account(dealt, 0), dealt.game, 1, dealt.now)
    ana = account(dealt, 0)
    leave(dealt)
    assert blocks.blocked(dealt.office, ana) == ()


@pytest.mark.postgresql
def test_the_operator_deletes_an_account_in_the_same_way_and_it_is_written_down(table: Table) -> None:
    table.office = replace(table.office, settings=replace(table.office.settings, operator="ana@example.org"))
    table.start()
    ben = account(table, 1)
    with pytest.raises(BadInput, match=r"type its address: ben@example\.org"):
        account_deletion.delete(table.office, ben, "bem@example.org", table.now, by_operator=True)
    account_deletion.delete(table.office, ben, BEN, table.now, by_operator=True)
    (letter,) = table.letters("account-deleted")
    assert (letter.data["to"], letter.data["by_operator"]) == (BEN, True)
    assert table.view().names[table.view().seats[1].seat] == sentences.NOBODY
    assert [(action.what, action.about) for action in operating.actions(table.office, 5)] == [("deletes", ben)]
    assert [row for row in everything(table.office) if "ben@" in row and not row.startswith("letters ")] == []


def test_the_operator_does_not_delete_the_account_of_the_operator(table: Table) -> None:
    table.office = replace(table.office, settings=replace(table.office.settings, operator="ana@example.org"))
    table.start()
    with pytest.raises(NotNow, match="the account of the operator"):
        account_deletion.delete(table.office, table.host, "ana@example.org", table.now, by_operator=True)
    account_deletion.delete(table.office, table.host, "ana@example.org", table.now)
    assert table.letters("account-deleted")[0].data["by_operator"] is False
