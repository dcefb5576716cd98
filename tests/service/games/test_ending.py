"""Games that end before their last turn: by vote, or because the operator of the server cancels them."""

import json
from dataclasses import replace
from datetime import date, timedelta

import pytest
from sqlalchemy import select

from pbem.engine.record import read_record, verify
from pbem.service import NoSuch, NotNow
from pbem.service.archive import archive, records
from pbem.service.games import cancelling, departures, ending, opening, proposals, votes
from pbem.service.games.proposals import Proposal, VoteContext
from pbem.service.games.proposals.ending_early import EndingEarly
from pbem.service.games.proposals.pausing import Pausing
from pbem.service.games.proposals.removal import Removal
from pbem.service.games.proposals.taking_back import TakingBack
from pbem.service.games.terms import Terms
from pbem.service.leagues import members, seasons
from pbem.service.leagues.members import NewLeague
from pbem.service.letters import kinds as letter_kinds
from pbem.service.operator import due, operating
from pbem.service.orders import submissions
from pbem.service.people import accounts
from pbem.service.turns import audit_log
from pbem.store.statuses import GameStatus, LeagueKind
from pbem.store.tables import CountedGame, Game, LeagueGame, LeagueSeat, OpenTable, Rating, Result, Seat, Vote
from tests.service.actors import end, kinds, name_of, resign, take
from tests.table import Table
from workers import clock


@pytest.mark.postgresql
def test_two_thirds_end_a_game_and_a_day_later_it_is_in_the_archive(dealt: Table) -> None:
    dealt.play()
    vote = end(dealt)
    votes.answer(dealt.office, dealt.game, vote, 1, True, dealt.now)
    assert dealt.view().status == "running"
    votes.answer(dealt.office, dealt.game, vote, 2, True, dealt.now)
    view = dealt.view()
    assert (view.status, view.deadline, view.seed) == ("stopping", None, "")
    assert dealt.send_all().count("game-ending") == 4
    assert dealt.play("issue 1", seat=view.seats[0].seat, version=view.version).status == "refused"
    assert list(due.endings(dealt.office, dealt.later(hours=23))) == []
    assert not ending.finish(dealt.office, dealt.game, dealt.now)
    clock.tick(dealt.office, dealt.later(hours=1))
    assert (dealt.view().status, dealt.view().ended_early) == ("over", True)
    assert len(dealt.view().standings) == 4
    assert dealt.view().seed
    assert [letter.kind for letter in dealt.letters("game-over")] == ["game-over"] * 4


@pytest.mark.postgresql
def test_within_a_day_somebody_may_change_the_mind_and_the_clock_goes_on(dealt: Table) -> None:
    deadline = dealt.view().deadline
    dealt.later(hours=10)
    vote = end(dealt)
    for number in (1, 2):
        votes.answer(dealt.office, dealt.game, vote, number, True, dealt.now)
    dealt.later(hours=20)
    votes.answer(dealt.office, dealt.game, vote, 2, False, dealt.now)
    assert dealt.view().status == "running"
    assert dealt.view().deadline == (deadline or dealt.now) + timedelta(hours=20)
    assert "your-turn" in dealt.send_all()
    clock.tick(dealt.office, dealt.later(hours=30))
    assert dealt.view().status == "running"
    assert kinds(dealt)[-2:] == ["changes-mind", "goes-on"]


def test_a_game_that_ended_early_is_proved_and_can_be_taken_in_elsewhere(dealt: Table) -> None:
    dealt.play_on(9)
    vote = end(dealt)
    for number in (1, 2):
        votes.answer(dealt.office, dealt.game, vote, number, True, dealt.now)
    clock.tick(dealt.office, dealt.later(days=1))
    text = json.dumps(records.export(dealt.office, dealt.game))
    assert json.loads(text)["ended_early"] is True
    assert verify(dealt.view().sheet, read_record(text)).faults == ()
    dealt.game = records.import_record(dealt.office, text, dealt.now)
    assert dealt.view().ended_early


@pytest.mark.postgresql
def test_a_vote_that_was_refused_is_not_repeated_at_once(dealt: Table) -> None:
    vote = end(dealt)
    with pytest.raises(NotNow, match="already been asked"):
        end(dealt)
    for number in (1, 2):
        votes.answer(dealt.office, dealt.game, vote, number, False, dealt.now)
    with pytest.raises(NotNow, match="after three days"):
        end(dealt)
    dealt.later(days=3)
    assert end(dealt) != vote


def test_a_vote_is_counted_again_when_somebody_leaves_who_has_not_answered(dealt: Table) -> None:
    vote = end(dealt)
    votes.answer(dealt.office, dealt.game, vote, 1, True, dealt.now)
    assert dealt.view().status == "running"
    resign(dealt, 3)
    assert dealt.view().status == "stopping"
    assert [letter.kind for letter in dealt.letters("game-ending")] == ["game-ending"] * 3


@pytest.mark.postgresql
def test_who_leaves_takes_the_answer_along(dealt: Table) -> None:
    """Four need three; when the asker and one who agreed are gone, two are left and one of them has agreed."""
    vote = end(dealt)
    votes.answer(dealt.office, dealt.game, vote, 1, True, dealt.now)
    resign(dealt, 1)
    assert dealt.view().status == "running"
    take(dealt, "Fay")
    votes.answer(dealt.office, dealt.game, vote, 2, False, dealt.now)
    assert dealt.view().status == "running"
    resign(dealt, 3)
    assert dealt.view().status == "running"
    resign(dealt, 1)
    (letter,) = dealt.letters("not-agreed")
    assert letter.data["person"] == name_of(dealt, 2)
    assert dealt.view().status == "running"


@pytest.mark.postgresql
def test_a_vote_dies_after_two_weeks(table: Table) -> None:
    table.start(turn_time=timedelta(days=30))
    vote = end(table)
    table.later(days=14)
    with pytest.raises(NotNow, match="nothing left to decide"):
        votes.answer(table.office, table.game, vote, 1, True, table.now)


def test_a_finished_game_has_nothing_left_to_decide(dealt: Table) -> None:
    dealt.play_on(1000)
    with pytest.raises(NotNow, match="while the game is running"):
        resign(dealt, 0)
    with pytest.raises(NotNow, match="running game can be ended"):
        end(dealt)
    with pytest.raises(NotNow, match="not running"):
        votes.ask(dealt.office, dealt.game, 0, TakingBack(), dealt.now)
    with pytest.raises(NotNow, match="while the game is running"):
        departures.remove(dealt.office, dealt.game, dealt.host, 1, dealt.now)
    assert {seat.status for seat in dealt.rows(select(Seat))} == {"accepted"}


@pytest.mark.postgresql
def test_who_asked_can_withdraw_the_question_and_nobody_is_asked_by_email_any_more(dealt: Table) -> None:
    vote = end(dealt)
    with pytest.raises(NotNow, match="Only the player who asked"):
        votes.withdraw(dealt.office, dealt.game, vote, 1, dealt.now)
    for _ in range(2):
        votes.withdraw(dealt.office, dealt.game, vote, 0, dealt.now)
    assert kinds(dealt).count("withdraws-vote") == 1
    dealt.send_all()
    assert {letter.status for letter in dealt.letters("end-asked")} == {"withdrawn"}
    with pytest.raises(NotNow, match="already been decided"):
        votes.answer(dealt.office, dealt.game, vote, 1, True, dealt.now)
    with pytest.raises(NotNow, match="asked and withdrawn"):
        end(dealt)
    dealt.later(days=3)
    assert end(dealt) != vote


def test_a_vote_that_is_decided_or_of_another_game_cannot_be_withdrawn(dealt: Table) -> None:
    vote = end(dealt)
    first = dealt.game
    dealt.start()
    with pytest.raises(NoSuch):
        votes.withdraw(dealt.office, dealt.game, vote, 0, dealt.now)
    for number in (1, 2):
        votes.answer(dealt.office, first, vote, number, True, dealt.now)
    with pytest.raises(NotNow, match="already been decided"):
        votes.withdraw(dealt.office, first, vote, 0, dealt.now)


def test_taking_back_is_not_asked_twice_for_the_same_orders_by_who_withdrew_it(dealt: Table) -> None:
    number = dealt.number_asked()
    dealt.play("issue 2")
    vote = votes.ask(dealt.office, dealt.game, number, TakingBack(), dealt.now)
    votes.withdraw(dealt.office, dealt.game, vote, number, dealt.now)
    with pytest.raises(NotNow, match="withdrew this question"):
        votes.ask(dealt.office, dealt.game, number, TakingBack(), dealt.now)


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
def test_a_running_game_ends_at_once_with_the_standings_so_far_and_no_rating_changes(dealt: Table) -> None:
    dealt.play_on(9)
    now = dealt.view()
    scores = [line.score for line in now.sheet.standings(now.state)]
    vote = end(dealt)
    cancel(dealt)
    view = dealt.view()
    assert (view.status, view.ended_early, view.deadline, view.waiting_for) == (GameStatus.OVER, True, None, "")
    assert view.seed
    assert [line.score for line in view.standings] == scores
    assert [letter.data for letter in dealt.letters("game-over")] == [{"by_operator": True}] * 4
    assert kinds(dealt)[-1] == "operator-cancels"
    clock.tick(dealt.office, dealt.later(minutes=1))
    with dealt.office.read() as session:
        assert session.scalars(select(Rating)).all() == []
        assert session.get_one(CountedGame, dealt.game).rated is False
        assert len(session.scalars(select(Result).where(Result.game_id == dealt.game)).all()) == 4
        assert session.get_one(Vote, vote).status == "lapsed"
    assert [entry.id for entry in archive.page(dealt.office).games] == [dealt.game]
    with pytest.raises(NotNow, match="already been decided"):
        votes.answer(dealt.office, dealt.game, vote, 1, True, dealt.now)


def test_orders_that_wait_are_refused_and_a_game_about_to_end_ends_now(dealt: Table) -> None:
    vote = end(dealt)
    for number in (1, 2):
        votes.answer(dealt.office, dealt.game, vote, number, True, dealt.now)
    assert dealt.view().status == GameStatus.STOPPING
    cancel(dealt)
    assert dealt.view().status == GameStatus.OVER
    dealt.start(title="Another")
    view = dealt.view()
    new = submissions.NewSubmission(view.waiting_for, "issue 1", view.version, "api")
    submissions.submit(dealt.office, dealt.game, new, dealt.now)
    cancel(dealt)
    submissions.play_waiting(dealt.office, dealt.game, dealt.now)
    assert [row.status for row in dealt.submissions()] == ["refused"]


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
    (row,) = table.rows(select(LeagueGame))
    table.game = row.game_id or ""
    assert cancelling.look(table.office, table.game).league
    cancel(table)
    assert seasons.due_results(table.office) == [row.id]
    assert seasons.note_result(table.office, row.id, table.now)
    assert all(seat.place for seat in table.rows(select(LeagueSeat)))


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
    assert table.found(Game, first).status == GameStatus.OPEN
    opening.cancel(table.office, first, table.host, table.now)


SAMPLES = (TakingBack(12), EndingEarly(), Removal(2), Pausing(date(2027, 1, 2)), Pausing())
each = pytest.mark.parametrize("proposal", SAMPLES, ids=repr)


def test_every_kind_of_vote_has_its_letter_and_its_line_of_the_audit_log() -> None:
    assert set(proposals.every()) >= {proposal.kind for proposal in SAMPLES}
    assert {kind.letter.kind for kind in proposals.every().values()} <= set(letter_kinds.every())
    assert {kind.noted for kind in proposals.every().values()} <= set(audit_log.SENTENCES)


@each
def test_what_a_vote_stores_is_what_is_read_from_its_row(proposal: Proposal) -> None:
    assert proposals.of(Vote(kind=proposal.kind, proposal=proposal.stored())) == proposal


def test_a_row_that_stores_something_else_is_not_read() -> None:
    with pytest.raises(ValueError, match="seat"):
        proposals.of(Vote(kind=Removal.kind, proposal={}))


NEEDED = {TakingBack: (1, 2, 3, 4, 5), Pausing: (1, 2, 3, 4, 5), EndingEarly: (1, 2, 2, 3, 4), Removal: (1, 2, 2, 3, 3)}
"""Of one to five who decide: all, all, two thirds, more than half."""


@each
def test_so_many_must_agree(proposal: Proposal) -> None:
    assert tuple(proposal.needed(voters) for voters in range(1, 6)) == NEEDED[type(proposal)]


VOTERS = {TakingBack: [0, 2, 3], Pausing: [0, 2, 3], EndingEarly: [0, 1, 2, 3], Removal: [0, 1, 3]}
"""Who decides when seat 1 asks; the removal is that of seat 2."""


@each
def test_these_decide(proposal: Proposal) -> None:
    playing = [Seat(number=number) for number in range(4)]
    assert [seat.number for seat in proposal.voters(playing, 1)] == VOTERS[type(proposal)]


def test_a_vote_on_taking_back_names_all_orders_that_came_in_together(dealt: Table) -> None:
    dealt.play("issue 2")
    dealt.play("issue 1")
    with dealt.office.read() as session:
        vote = Vote(game_id=dealt.game, asked_by=1, version=2, kind=TakingBack.kind)
        asked = VoteContext(session, vote, {1: Seat(name="Ben", colour="blue")}, dealt.now)
        assert str(TakingBack(1).words(asked)) == "Blue asks to take back “issue 2; issue 1”"
        assert str(TakingBack(2).words(asked)) == "Blue asks to take back “issue 1”"
