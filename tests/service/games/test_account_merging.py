"""Merging two accounts of one person: all of it passes, nothing is lost, and nothing points to what is gone."""

from dataclasses import replace
from datetime import date
from itertools import count
from typing import Any

import pytest
import sqlalchemy as sa
from msgspec import structs
from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.service import NoSuch, NotNow
from pbem.service.base import BadInput, merged
from pbem.service.base.tokens import SeatClaim, UnsubscribeClaim
from pbem.service.games import account_deletion, account_merging, opening, remarks
from pbem.service.letters import talk
from pbem.service.operator import operating
from pbem.service.people import absences, accounts, blocks, bounces, feeds, notifications, webhooks
from pbem.service.statistics import counting, ratings
from pbem.store import tables
from pbem.store.tables import Account, Block, League, MergedAccount, Rating, Result
from tests.rows import everything
from tests.table import START, Table

BEN, BENNO = "ben@example.org", "benno@example.net"
COLUMNS = [
    column
    for table in tables.Table.metadata.sorted_tables
    for column in table.columns
    if any(key.column.table.name == "accounts" for key in column.foreign_keys)
]
"""Every column of the database that points to an account."""


def ben(table: Table) -> int:
    """The account that plays in the game, and is to go."""
    return accounts.of_seat(table.office, table.game, 1)


def benno(table: Table, address: str = BENNO) -> int:
    """The other account of the same person, which is to be kept."""
    return table.account("Benno", address)


def merge(table: Table) -> tuple[int, int]:
    """Ben's account goes, Benno's is kept; their numbers."""
    goes, kept = ben(table), benno(table)
    account_merging.merge(table.office, table.host, kept, goes, table.now)
    return goes, kept


def run_by(table: Table, address: str) -> None:
    """Let the server be run by whoever has the address."""
    table.office = replace(table.office, settings=replace(table.office.settings, operator=address))


def test_every_column_that_points_to_an_account_is_dealt_with() -> None:
    """A table that is added later fails here until merging knows what becomes of it."""
    ways = (
        account_merging.PASSED, account_merging.UNITED, account_merging.ENDED, account_merging.COUNTED,
        account_merging.REMEMBERED,
    )  # fmt: skip
    known = [f"{column.class_.__tablename__}.{column.key}" for way in ways for column in way]
    assert sorted(known) == sorted(str(column) for column in COLUMNS)


def point(session: Session, column: sa.Column[Any], account: int, others: int) -> None:
    """Let a row of the table point to the account: one that is there, or else a new one."""
    table = column.table
    if session.scalar(select(sa.func.count()).where(column == account)):
        return
    if (first := session.execute(select(*table.primary_key)).first()) is not None and not column.primary_key:
        here = [one == value for one, value in zip(table.primary_key, first, strict=True)]
        session.execute(sa.update(table).where(*here).values({column.name: account}))
        return
    made_up(session, table, {column.name: account}, others)


NUMBERS = count(7000)


def made_up(session: Session, table: sa.Table, given: dict[str, Any], others: int) -> Any:
    """Add a row to a table; what it points to is there or is added as well. Returns its first key."""
    values = dict(given)
    for column in table.columns:
        if column.name in values or column.nullable or column.default is not None:
            continue
        if column.foreign_keys:
            above = next(iter(column.foreign_keys)).column
            there = others if above.table.name == "accounts" else session.scalar(select(above).limit(1))
            values[column.name] = made_up(session, above.table, {}, others) if there is None else there
        elif not (column.primary_key and column.type.python_type is int):
            values[column.name] = some(column)
    added: Any = session.execute(sa.insert(table).values(values))
    return added.inserted_primary_key[0]


def some(column: sa.Column[Any]) -> Any:
    """A value that the column takes."""
    match column.type:
        case sa.Enum():
            return column.type.enums[0]
        case tables.UtcTime():
            return START
        case sa.Date():
            return date(2026, 12, 1)
        case sa.JSON():
            return []
        case sa.Boolean():
            return False
        case sa.Integer():
            return next(NUMBERS)
        case _:
            return f"x{next(NUMBERS)}"


@pytest.mark.postgresql
def test_no_row_points_to_the_account_that_goes(dealt: Table) -> None:
    goes, kept = ben(dealt), benno(dealt)
    somebody = benno(dealt, "zoe@example.org")
    with dealt.office.write() as session:
        for column in COLUMNS:
            if str(column) != "merged_accounts.id":
                point(session, column, goes, somebody)
    account_merging.merge(dealt.office, dealt.host, kept, goes, dealt.now)
    with dealt.office.read() as session:
        left = [str(one) for one in COLUMNS if session.scalar(select(sa.func.count()).where(one == goes))]
        assert left == ["merged_accounts.id"]
        row = session.get_one(Account, goes)
        assert (row.address, row.deleted_at) == (f"deleted:{goes}", dealt.now)
    assert operating.actions(dealt.office, 1)[0].what == "merges"


@pytest.mark.postgresql
def test_the_game_goes_on_with_links_names_and_waiting_emails_as_they_were(dealt: Table) -> None:
    while dealt.asked().waiting_for != dealt.view().seats[1].seat:
        dealt.play()
    before = dealt.view()
    goes, kept = merge(dealt)
    assert dealt.view().names == before.names
    letter = next(row for row in reversed(dealt.letters("your-turn")) if row.seat_number == 1)
    assert letter.account_id == kept
    assert dealt.read(letter).envelope.to == BENNO
    accounts.log_in_seat(dealt.office, SeatClaim(dealt.game, 1), dealt.now)
    assert dealt.play().status == "played"
    assert [game.game for game in notifications.games(dealt.office, kept)] == [dealt.game]
    with pytest.raises(NoSuch):
        account_merging.merging(dealt.office, kept, goes)


def test_the_old_address_leads_to_the_account_that_was_kept(dealt: Table) -> None:
    _, kept = merge(dealt)
    accounts.ask_login(dealt.office, BEN, dealt.now)
    assert dealt.read(dealt.letters("login")[-1]).envelope.to == BENNO
    dealt.open(("Ana", "Ben", "Chloé", "Davi"))
    assert accounts.of_seat(dealt.office, dealt.game, 1) == kept
    invited = tuple(opening.Invited(address, "Ben") for address in (BEN, BENNO, "davi@example.org"))
    new = opening.NewGame("Twice", "age-of-steam", "rust_belt", invited)
    with pytest.raises(BadInput) as bad:
        opening.open_game(dealt.office, dealt.host, new, dealt.now)
    assert str(bad.value.problems[0].sentence) == "benno@example.net is listed twice."
    with dealt.office.read() as session:
        assert merged.addresses(session, kept) == (BEN,)


def test_links_that_name_the_old_number_mean_the_kept_account(dealt: Table) -> None:
    goes, kept = merge(dealt)
    claim = UnsubscribeClaim(goes, dealt.game, "your-turn")
    accounts.stop_mail(dealt.office, claim, "game", dealt.now)
    assert accounts.mail_stopped(dealt.office, structs.replace(claim, account=kept))
    accounts.resume_mail(dealt.office, claim)
    assert not accounts.mail_stopped(dealt.office, structs.replace(claim, account=kept))


def test_a_third_account_can_follow_and_the_first_address_leads_on(dealt: Table) -> None:
    goes, kept = merge(dealt)
    last = benno(dealt, "b@example.com")
    account_merging.merge(dealt.office, dealt.host, last, kept, dealt.now)
    with dealt.office.read() as session:
        assert merged.number_now(session, goes) == merged.number_now(session, kept) == last
        assert merged.addresses(session, last) == (BEN, BENNO)
    account_deletion.delete(dealt.office, last, "b@example.com", dealt.now)
    assert dealt.rows(select(MergedAccount)) == []
    dealt.send_all()
    assert [row for row in everything(dealt.office) if BENNO in row or BEN in row] == []


def test_of_settings_those_of_the_kept_account_hold_and_nothing_that_was_written_is_lost(dealt: Table) -> None:
    goes, kept = ben(dealt), benno(dealt)
    for one in (goes, kept):
        talk.write_note(dealt.office, dealt.game, one, f"note of {one}", dealt.now)
        feeds.renew(dealt.office, one, dealt.now)
        webhooks.add(dealt.office, one, "json", "https://hooks.example.org/x", "", dealt.now)
    webhooks.add(dealt.office, goes, "json", "https://hooks.example.org/y", "", dealt.now)
    absences.add(dealt.office, goes, date(2026, 12, 1), date(2026, 12, 30), dealt.now)
    absences.add(dealt.office, kept, date(2026, 12, 1), date(2026, 12, 30), dealt.now)
    notifications.differ(dealt.office, goes, dealt.game, "digest")
    accounts.stop_mail(dealt.office, UnsubscribeClaim(goes, "", "your-turn"), "all", dealt.now)
    blocks.block(dealt.office, goes, dealt.game, 2, dealt.now)
    with dealt.office.write() as session:
        session.get_one(Account, goes).findable = True
        session.get_one(Account, kept).findable = session.get_one(Account, kept).statistics = True
        session.add(Block(account_id=kept, blocked_id=goes, name="Ben", since=dealt.now))
    account_merging.merge(dealt.office, dealt.host, kept, goes, dealt.now)
    assert talk.note(dealt.office, dealt.game, kept) == f"note of {kept}\n\nnote of {goes}"
    assert len(webhooks.mine(dealt.office, kept)) == 2
    assert [game.mails for game in notifications.games(dealt.office, kept)] == ["digest"]
    assert not accounts.mail_stopped(dealt.office, UnsubscribeClaim(kept, "", "your-turn"))
    assert [one.name for one in blocks.blocked(dealt.office, kept)] == ["Chloé"]
    assert absences.left(dealt.office, kept, 2026) == 0
    with dealt.office.read() as session:
        row = session.get_one(Account, kept)
        assert (row.findable, row.statistics) == (True, False)


def test_emails_that_the_old_address_did_not_take_go_to_the_kept_one(dealt: Table) -> None:
    goes, kept = ben(dealt), benno(dealt)
    letter = next(row for row in dealt.letters() if row.account_id == goes)
    bounces.returned(dealt.office, letter.id, "5.1.1", "no such mailbox", dealt.now)
    while dealt.asked().waiting_for != dealt.view().seats[1].seat:
        dealt.play()
    dealt.later(hours=1)
    dealt.send_all()
    assert dealt.letters("your-turn")[-1].status == "withdrawn"
    account_merging.merge(dealt.office, dealt.host, kept, goes, dealt.now)
    assert dealt.letters("your-turn")[-1].status == "waiting"
    assert bounces.unreachable(dealt.office, kept) is None


@pytest.mark.postgresql
def test_results_and_bookmarks_pass_and_ratings_are_those_of_one_person_from_the_first_game_on(dealt: Table) -> None:
    dealt.play_on(1000)
    counting.count(dealt.office, dealt.game, dealt.now)
    remarks.write(dealt.office, dealt.game, ben(dealt), remarks.NewRemark(3, "", False), dealt.now)
    goes, kept = merge(dealt)
    with dealt.office.read() as session:
        assert f"a{goes}" not in session.scalars(select(Result.who)).all()
        here = select(Rating.who, Rating.account_id, Rating.mu, Rating.games).order_by(Rating.who)
        rated = session.execute(here).all()
    assert (f"a{kept}", kept) in [row[:2] for row in rated]
    ratings.rate_again(dealt.office, "age-of-steam")
    with dealt.office.read() as session:
        assert session.execute(here).all() == rated
    assert [remark.own for remark in remarks.of_game(dealt.office, dealt.game, kept)] == [True]


def refused(table: Table, kept: int, goes: int) -> str:
    before = everything(table.office)
    told = account_merging.merging(table.office, kept, goes).refusals
    with pytest.raises(NotNow) as refusal:
        account_merging.merge(table.office, table.host, kept, goes, table.now)
    assert everything(table.office) == before
    assert refusal.value.sentence == told[0]
    return str(told[0])


def test_two_who_sit_in_one_game_stay_two(dealt: Table) -> None:
    ana = accounts.of_seat(dealt.office, dealt.game, 0)
    assert "nobody can have two: Coal by post." in refused(dealt, ana, ben(dealt))


def test_two_in_one_league_stay_two(dealt: Table) -> None:
    goes, kept = ben(dealt), benno(dealt)
    with dealt.office.write() as session:
        league = made_up(session, League.metadata.tables["leagues"], {"title": "Autumn"}, kept)
        for one in (goes, kept):
            made_up(session, League.metadata.tables["league_members"], {"league_id": league, "account_id": one}, kept)
    assert refused(dealt, kept, goes) == "Both accounts take part in the same league: Autumn."


@pytest.mark.parametrize("address", [BEN, BENNO])
def test_the_account_of_the_operator_is_not_merged(dealt: Table, address: str) -> None:
    run_by(dealt, address)
    assert "PBEM_OPERATOR" in refused(dealt, benno(dealt), ben(dealt))


def test_an_account_is_not_merged_with_itself_or_with_nobody(dealt: Table) -> None:
    own = ben(dealt)
    assert refused(dealt, own, own) == "Choose two different accounts."
    for pair in ((own, 999), (999, own)):
        with pytest.raises(NoSuch):
            account_merging.merge(dealt.office, dealt.host, *pair, dealt.now)


def test_a_seat_that_is_given_meanwhile_stops_it(dealt: Table, monkeypatch: pytest.MonkeyPatch) -> None:
    goes, kept = ben(dealt), benno(dealt)
    told: list[list[str]] = [[], [dealt.game]]
    monkeypatch.setattr(account_deletion, "games_of", lambda _session, _account: told.pop(0))
    before = everything(dealt.office)
    with pytest.raises(NotNow, match="try again"):
        account_merging.merge(dealt.office, dealt.host, kept, goes, dealt.now)
    assert everything(dealt.office) == before
