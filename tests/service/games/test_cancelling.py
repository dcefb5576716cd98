"""The operator of the server cancels a game: how it ends, who hears of it, and what it counts for."""

from __future__ import annotations

from dataclasses import replace
from datetime import timedelta

import pytest
from sqlalchemy import select

from pbem.service import NoSuch, NotNow
from pbem.service.archive import archive
from pbem.service.games import cancelling, opening, votes
from pbem.service.games.terms import Terms
from pbem.service.leagues import members, seasons
from pbem.service.leagues.members import NewLeague
from pbem.service.operator import operating
from pbem.service.orders import submissions
from pbem.service.people import accounts
from pbem.store.statuses import GameStatus, LeagueKind
from pbem.store.tables import CountedGame, Game, LeagueGame, LeagueSeat, OpenTable, Rating, Result, Vote
from tests.service.actors import end, kinds
from tests.table import Table
from workers import clock


def run_by_ana(table: Table) -> None:
    settings = replace(table.office.settings, operator="ana@example.org")
    table.office = replace(table.office, settings=settings)


def cancel(table: Table) -> None:
    cancelling.cancel(table.office, table.game, table.now)


def actions(table: Table) -> list[str]:
    return [action.what for action in operating.actions(table.office, 10)]


@pytest.mark.postgresql
def test_a_game_that_has_not_started_is_cancelled_and_all_in_it_hear_of_it(table: Table) -> None:
    run_by_ana(table)
    table.open()
    table.answer(1)
    table.answer(2, False)
    cancel(table)
    assert table.view().status == GameStatus.CANCELLED
    told = [(letter.seat_number, letter.data) for letter in table.letters("cancelled")]
    assert told == [(number, {"by_operator": True}) for number in (0, 1, 3)], "the host too; not who has declined"
    assert kinds(table)[-1] == "operator-cancels"
    assert actions(table) == ["cancels"]
    with pytest.raises(NotNow, match="was cancelled"):
        table.answer(3)
    with pytest.raises(NotNow, match="is over"):
        cancel(table)


def test_a_host_without_a_seat_hears_of_it_and_the_table_is_open_no_longer(table: Table) -> None:
    table.open(plays=False, players=(), open_to=Terms(4, table.now + timedelta(days=7)))
    cancel(table)
    (letter,) = table.letters("cancelled")
    assert (letter.account_id, letter.seat_number) == (table.host, None)
    with table.office.read() as session:
        assert session.get(OpenTable, table.game) is None


@pytest.mark.postgresql
def test_a_running_game_ends_at_once_with_the_standings_so_far_and_no_rating_changes(table: Table) -> None:
    table.start()
    table.play_on(9)
    now = table.view()
    scores = [line.score for line in now.sheet.standings(now.state)]
    vote = end(table)
    cancel(table)
    view = table.view()
    assert (view.status, view.ended_early, view.deadline, view.waiting_for) == (GameStatus.OVER, True, None, "")
    assert view.seed
    assert [line.score for line in view.standings] == scores
    assert [letter.data for letter in table.letters("game-over")] == [{"by_operator": True}] * 4
    assert kinds(table)[-1] == "operator-cancels"
    clock.tick(table.office, table.later(minutes=1))
    with table.office.read() as session:
        assert session.scalars(select(Rating)).all() == []
        assert session.get_one(CountedGame, table.game).rated is False
        assert len(session.scalars(select(Result).where(Result.game_id == table.game)).all()) == 4
        assert session.get_one(Vote, vote).status == "lapsed"
    assert [entry.id for entry in archive.page(table.office).games] == [table.game]
    with pytest.raises(NotNow, match="already been decided"):
        votes.answer(table.office, table.game, vote, 1, True, table.now)


def test_orders_that_wait_are_refused_and_a_game_about_to_end_ends_now(table: Table) -> None:
    table.start()
    vote = end(table)
    for number in (1, 2):
        votes.answer(table.office, table.game, vote, number, True, table.now)
    assert table.view().status == GameStatus.STOPPING
    cancel(table)
    assert table.view().status == GameStatus.OVER
    table.start(title="Another")
    view = table.view()
    new = submissions.NewSubmission(view.waiting_for, "issue 1", view.version, "api")
    submissions.submit(table.office, table.game, new, table.now)
    cancel(table)
    submissions.play_waiting(table.office, table.game, table.now)
    assert [row.status for row in table.submissions()] == ["refused"]


def test_in_a_league_it_counts_as_it_stands_and_the_season_goes_on(table: Table) -> None:
    wish = NewLeague(
        "Winter", LeagueKind.LEAGUE, "age-of-steam", ("rust_belt",), table.now + timedelta(days=2), plays=False
    )
    table.open()
    league = members.open_league(table.office, table.host, wish, table.now)
    for number in range(4):
        members.join(table.office, league, accounts.of_seat(table.office, table.game, number), table.now)
    for _ in range(4):
        clock.tick(table.office, table.later(days=1), lambda *_: None)
    with table.office.read() as session:
        (row,) = session.scalars(select(LeagueGame)).all()
    table.game = row.game_id or ""
    assert cancelling.look(table.office, table.game).league
    cancel(table)
    assert seasons.due_results(table.office) == [row.id]
    assert seasons.note_result(table.office, row.id, table.now)
    with table.office.read() as session:
        assert all(seat.place for seat in session.scalars(select(LeagueSeat)))


def test_games_that_are_not_over_are_found_by_number_and_name(table: Table) -> None:
    table.open(title="Winter 50%")
    first = table.game
    table.start(title="Summer")
    assert [game.id for game in cancelling.find(table.office, "winter", 5)] == [first]
    assert [game.title for game in cancelling.find(table.office, table.game, 5)] == ["Summer"]
    assert [game.id for game in cancelling.find(table.office, "%", 5)] == [first]
    assert cancelling.find(table.office, " ", 5) == ()
    assert len(cancelling.find(table.office, "er", 1)) == 1
    cancel(table)
    assert cancelling.find(table.office, table.game, 5) == ()
    for refused in (cancelling.look, lambda office, game: cancelling.cancel(office, game, table.now)):
        with pytest.raises(NoSuch):
            refused(table.office, "nothing")
    with table.office.read() as session:
        assert session.get_one(Game, first).status == GameStatus.OPEN
    opening.cancel(table.office, first, table.host, table.now)
