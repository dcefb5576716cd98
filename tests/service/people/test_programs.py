"""Accounts that programs play for: how one becomes such an account, where it may sit, and what it is asked."""

import json
from datetime import timedelta

import pytest
from sqlalchemy import select

from pbem.engine import replace
from pbem.service import BadInput, BadToken, NoSuch, NotNow
from pbem.service.base import validation
from pbem.service.games import account_deletion, account_merging, companions, invitations, members, open_tables
from pbem.service.games.opening import Invited
from pbem.service.games.terms import Terms
from pbem.service.leagues import members as league_members
from pbem.service.leagues.members import NewLeague
from pbem.service.people import accounts, own_data, programs
from pbem.service.statistics import counting, ratings, results
from pbem.store.statuses import LeagueKind, SeatStatus
from pbem.store.tables import Account, ProgramToken, Rating
from tests.table import NAMES, Table

pytestmark = pytest.mark.postgresql

SHORT = {"map": "st_lucia", "players": (Invited("ben@example.org", "Ben"),)}
"""A game of two, soon over."""


def program(table: Table, name: str = "Deep") -> int:
    """The account of a program, with one token."""
    number = table.account(name)
    programs.make_token(table.office, number, table.now)
    return number


def names(table: Table) -> list[str]:
    return [seat.name for seat in table.view().seats]


def test_the_first_token_makes_an_account_that_of_a_program(table: Table) -> None:
    number = table.account("Deep")
    token = programs.make_token(table.office, number, table.now)
    row = table.found(Account, number)
    assert (row.program, row.statistics, row.name) == (True, True, "Deep [bot]")
    assert token.startswith("pbem_")
    kept = table.only(select(ProgramToken))
    assert token not in (kept.hash, str(vars(kept)))
    assert programs.caller(table.office, token, table.now).account == number


def test_who_has_played_cannot_become_a_program(table: Table) -> None:
    table.open()
    with pytest.raises(NotNow, match="You have played here yourself"):
        programs.make_token(table.office, table.host, table.now)
    assert programs.obstacle(table.office, table.host) is not None
    ben = table.account("Ben")
    assert programs.obstacle(table.office, ben) is None, "an invitation binds nobody"
    assert table.rows(select(ProgramToken)) == []


def test_a_token_lets_in_until_it_is_withdrawn_and_its_last_use_is_noted_by_the_hour(table: Table) -> None:
    number = table.account("Deep")
    token = programs.make_token(table.office, number, table.now)
    first = table.now
    for minutes in (0, 59):
        programs.caller(table.office, token, first + timedelta(minutes=minutes))
        assert programs.tokens(table.office, number)[0].used_at == first
    programs.caller(table.office, token, table.later(hours=1))
    (kept,) = programs.tokens(table.office, number)
    assert kept.used_at == table.now
    with pytest.raises(NoSuch):
        programs.withdraw(table.office, table.account("Ben"), kept.id)
    programs.withdraw(table.office, number, kept.id)
    for wrong in (token, "", "pbem_", kept.id, "\ud800"):
        with pytest.raises(BadToken):
            programs.caller(table.office, str(wrong), table.now)


def test_there_are_at_most_five_tokens(table: Table) -> None:
    number = program(table)
    for _ in range(programs.MOST - 1):
        programs.make_token(table.office, number, table.now)
    with pytest.raises(NotNow, match="at most 5 tokens"):
        programs.make_token(table.office, number, table.now)


def test_the_name_of_a_program_says_so_whatever_it_is_changed_to_and_no_other_does(table: Table) -> None:
    deep, ben = program(table), table.account("Ben")
    for typed, shown in (("Deeper", "Deeper [bot]"), ("Deep [BOT]", "Deep [bot]"), ("x" * 34, "x" * 34 + " [bot]")):
        accounts.rename(table.office, deep, typed)
        assert table.found(Account, deep).name == shown
    for wrong in ("x" * 35, "[bot]", "", " [bot] [bot]"):
        with pytest.raises(BadInput):
            accounts.rename(table.office, deep, wrong)
    for wrong in ("Ben [bot]", "Ben [Bot]", "[bot]"):
        with pytest.raises(BadInput, match=r"Only names of programs end with \[bot\]"):
            accounts.rename(table.office, ben, wrong)
    assert validation.introduced("Ben [bot]", "b@example.org")[0]
    with table.office.write() as session:
        assert accounts.account(session, "new@example.org", "New [bot]", table.now).name == "New"


def test_two_programs_of_one_name_are_told_apart_before_the_mark() -> None:
    taken = {"deep [bot]"}
    assert validation.distinct("Deep [bot]", taken) == "Deep 2 [bot]"
    long = validation.as_program("x" * 40)
    second = validation.distinct(long, {long})
    assert len(second) <= len(long) == validation.LONGEST_NAME
    assert second.endswith("x 2 [bot]")


def test_a_program_sits_only_where_the_host_allows_it(table: Table) -> None:
    deep = program(table)
    for allowed in (False, True):
        table.open(["Ana"], open_to=Terms(3, table.now + timedelta(days=7)), programs=allowed)
        if not allowed:
            with pytest.raises(NotNow, match="does not allow programs"):
                open_tables.join(table.office, table.game, deep, table.now)
            assert names(table) == ["Ana", "", "", ""]
            continue
        open_tables.join(table.office, table.game, deep, table.now)
        assert names(table) == ["Ana", "Deep [bot]", "", ""]


def test_an_invited_program_accepts_only_where_the_host_allows_it_and_is_called_what_it_is(table: Table) -> None:
    program(table, "Ben")
    for allowed in (False, True):
        table.open(programs=allowed)
        assert names(table)[:2] == ["Ana", "Ben [bot]"]
        if not allowed:
            with pytest.raises(NotNow, match="does not allow programs"):
                table.answer(1)
            table.answer(1, accept=False)
        else:
            table.answer(1)
            assert table.view().seats[1].status == SeatStatus.ACCEPTED


def test_who_became_a_program_after_the_invitation_is_called_so_from_accepting_on(table: Table) -> None:
    table.open(programs=True)
    program(table, "Ben")
    assert names(table)[1] == "Ben"
    table.answer(1)
    assert names(table)[1] == "Ben [bot]"


def test_nobody_is_invited_under_the_name_of_a_program(table: Table) -> None:
    invited = tuple(Invited(f"{name}@example.org", f"{name} [bot]") for name in "bcd")
    table.open(players=invited)
    assert names(table)[1:] == ["b", "c", "d"]


def test_a_program_may_play_what_it_hosts(table: Table) -> None:
    deep = program(table, "Ana")
    table.start()
    assert names(table)[0] == "Ana [bot]"
    assert table.row().programs
    assert table.row().host_id == deep


def test_a_rematch_lets_programs_play_again(table: Table) -> None:
    program(table, "Ben")
    table.start(**SHORT, programs=True)
    table.play_on(1000)
    first = table.game
    table.game = members.rematch(table.office, first, table.host, table.now)
    assert table.row().programs
    assert names(table)[1] == "Ben [bot]"
    table.answer(1)


def test_a_program_that_one_plays_with_is_invited_under_its_name(table: Table) -> None:
    ben = program(table, "Ben")
    table.start(programs=True)
    table.open(["Ana", "Cleo"], open_to=Terms(2, table.now + timedelta(days=7)), programs=True)
    with table.office.read() as session:
        assert "Ben [bot]" in [one.name for one in companions.of(session, table.host)]
    free = next(seat.number for seat in table.view().seats if seat.status == SeatStatus.VACANT)
    invitations.invite_companion(table.office, table.game, table.host, free, ben, table.now)
    assert names(table)[free] == "Ben [bot]"


def test_programs_take_no_part_in_leagues(table: Table) -> None:
    host, deep = table.account("Ana"), program(table)
    new = NewLeague("Tuesday", LeagueKind.LEAGUE, "age-of-steam", ("rust_belt",), table.now + timedelta(days=7))
    league = league_members.open_league(table.office, host, new, table.now)
    with pytest.raises(NotNow, match="Programs do not take part in leagues"):
        league_members.join(table.office, league, deep, table.now)


def test_questions_are_told_until_orders_are_sent(table: Table) -> None:
    ben = program(table, "Ben")
    table.start(programs=True)
    for _ in range(30):
        asked = table.asked()
        told = programs.questions(table.office, ben, table.now)
        if asked.waiting_for != table.view().seats[1].seat:
            assert told == []
            table.play()
            continue
        (question,) = told
        row = table.row()
        assert (question.game, question.version, question.seat) == (table.game, row.version, asked.waiting_for)
        assert (question.deadline, question.turn, question.phase) == (row.deadline_at, row.turn, row.phase)
        table.send(table.legal())
        assert programs.questions(table.office, ben, table.now) == []
        return
    raise AssertionError("never asked")


def test_a_question_is_told_when_the_grace_time_is_over(table: Table) -> None:
    everybody = [program(table, name) for name in NAMES]
    table.start(grace=timedelta(minutes=10))
    table.play()
    assert not any(programs.questions(table.office, one, table.now) for one in everybody)
    table.awake(minutes=10)
    assert sum(len(programs.questions(table.office, one, table.now)) for one in everybody) == 1


def test_who_deletes_a_program_deletes_its_tokens(table: Table) -> None:
    deep = program(table)
    account_deletion.delete(table.office, deep, table.found(Account, deep).address, table.now)
    assert table.rows(select(ProgramToken)) == []


def test_a_program_is_merged_with_nobody(table: Table) -> None:
    deep, ben = program(table), table.account("Ben")
    for kept, goes in ((deep, ben), (ben, deep)):
        with pytest.raises(NotNow, match="cannot be merged"):
            account_merging.merge(table.office, ben, kept, goes, table.now)


def test_my_data_tells_of_tokens_and_gives_none_away(table: Table) -> None:
    number = table.account("Deep")
    token = programs.make_token(table.office, number, table.now)
    told = own_data.of_account(table.office, number)
    text = json.dumps(told)
    assert told["account"]["program"] is True
    assert told["program_tokens"] == [{"created_at": table.now.isoformat(), "used_at": None}]
    assert token not in text
    assert accounts.hashed(token) not in text


def test_a_host_lets_programs_in_and_not_out_again(table: Table) -> None:
    deep, later = program(table), Terms(3, table.now + timedelta(days=7))
    table.open(["Ana"], open_to=later)
    open_tables.change(table.office, table.game, table.host, replace(later, programs=True), table.now)
    open_tables.join(table.office, table.game, deep, table.now)
    with pytest.raises(BadInput, match="has a seat at this table already"):
        open_tables.change(table.office, table.game, table.host, replace(later, seats=2), table.now)
    open_tables.leave(table.office, table.game, deep, table.now)
    open_tables.change(table.office, table.game, table.host, later, table.now)
    with pytest.raises(NotNow, match="does not allow programs"):
        open_tables.join(table.office, table.game, deep, table.now)


def counted(table: Table) -> dict[str, int]:
    """Play a game to its end and count it; the ratings by whose they are."""
    table.play_on(1000)
    counting.count(table.office, table.game, table.now)
    return {row.who: row.mu for row in table.rows(select(Rating))}


def test_a_game_with_a_program_moves_ratings_of_programs_alone(table: Table) -> None:
    table.start(**SHORT)
    people = counted(table)
    assert len(people) == 2
    deep = program(table, "Deep")
    table.later(days=1)
    table.start_anew(**SHORT | {"players": (Invited("deep@example.org"),), "programs": True})
    both = counted(table)
    assert {who: mu for who, mu in both.items() if who != f"p{deep}"} == people
    assert f"p{deep}" in both
    (of_people, of_programs) = results.ranked(table.office, "age-of-steam")
    assert [line.account for line in of_programs] == [deep]
    assert of_programs[0].name == "Deep [bot]"
    assert deep not in [line.account for line in of_people]
    assert [one.games for one in results.own_ratings(table.office, deep)] == [1]
    assert results.of_account(table.office, deep, None).games == 1, "everybody sees the results of a program"
    kept = {row.who: (row.mu, row.games) for row in table.rows(select(Rating))}
    assert ratings.rate_again(table.office, "age-of-steam") == 2
    assert {row.who: (row.mu, row.games) for row in table.rows(select(Rating))} == kept


def test_programs_among_themselves_are_rated_by_each_other(table: Table) -> None:
    everybody = [program(table, name) for name in ("Ana", "Ben")]
    table.start(**SHORT)
    assert set(counted(table)) == {f"p{one}" for one in everybody}
    assert results.ranked(table.office, "age-of-steam")[0] == ()
