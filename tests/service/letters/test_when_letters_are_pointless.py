"""When nobody needs a letter any more, kind by kind."""

from __future__ import annotations

from collections.abc import Iterator

import pytest

from pbem.service.base.work import GameWork
from pbem.service.letters import kinds
from pbem.service.letters.kinds import Case, LetterKind
from pbem.service.letters.kinds.games import GameEnding, Invitation
from pbem.service.letters.kinds.questions import Digest, Reminder, YourTurn
from pbem.service.letters.kinds.seats import SubstituteWanted
from pbem.service.letters.kinds.votes import ConsentAsked, EndAsked
from pbem.store.statuses import GameStatus, SeatStatus, VoteStatus
from pbem.store.tables import Ballot, Letter, Offer, Vote
from tests.table import Table

DECIDED, TAKEN = "the vote has been decided", "the seat has been taken"
ANSWERED = "every question has been answered"


@pytest.fixture
def work(table: Table) -> Iterator[GameWork]:
    """A game that has begun."""
    table.start()
    with table.office.game(table.game, table.now) as work:
        yield work


def why(work: GameWork, letter: LetterKind, seat: int = 1, account: int = 1) -> str:
    """Why a letter to this seat, about the position the game is in, is not needed."""
    row = Letter(game_id=work.game.id, seat_number=seat, version=work.game.version, account_id=account)
    return letter.unwanted(Case(work.session, row, work.game))


@pytest.mark.parametrize("question", [YourTurn(), Reminder()], ids=lambda kind: str(kind.kind))
def test_a_question_is_open_in_its_position_while_the_game_runs(work: GameWork, question: LetterKind) -> None:
    answered = "the question has been answered"
    assert why(work, question) == ""
    assert question.unwanted(Case(work.session, Letter(version=work.game.version), None)) == answered
    assert question.unwanted(Case(work.session, Letter(version=work.game.version + 1), work.game)) == answered
    work.game.status = GameStatus.OVER
    assert why(work, question) == answered


def test_a_digest_is_needed_while_its_reader_is_asked_in_a_game_that_runs(work: GameWork) -> None:
    asked = work.seat(work.game.to_act).account_id
    assert asked is not None
    others = [seat.account_id for seat in work.seats if seat.account_id not in (asked, None)]
    assert why(work, Digest(), account=asked) == ""
    assert {why(work, Digest(), account=other or 0) for other in others} == {ANSWERED}
    work.game.status = GameStatus.OVER
    assert why(work, Digest(), account=asked) == ANSWERED


def test_an_invitation_is_open_while_its_seat_is_invited_and_the_game_has_not_begun(work: GameWork) -> None:
    answered = "the invitation has been answered"
    work.game.status, work.seats[1].status = GameStatus.OPEN, SeatStatus.INVITED
    invited = work.seats[1].account_id or 0
    assert why(work, Invitation(), account=invited) == ""
    assert why(work, Invitation(), account=invited + 1) == answered, "somebody else is invited now"
    assert why(work, Invitation(), seat=2, account=work.seats[2].account_id or 0) == answered
    work.game.status = GameStatus.CANCELLED
    assert why(work, Invitation(), account=invited) == answered
    assert Invitation().unwanted(Case(work.session, Letter(game_id=work.game.id, seat_number=1), None)) == answered


def test_that_a_game_ends_is_told_only_while_it_is_about_to(work: GameWork) -> None:
    assert why(work, GameEnding()) == "the game goes on or is over"
    work.game.status = GameStatus.STOPPING
    assert why(work, GameEnding()) == ""
    assert GameEnding().unwanted(Case(work.session, Letter(), None)) == "the game goes on or is over"


def test_a_seat_is_free_until_its_offer_is_closed(work: GameWork) -> None:
    offer = Offer(game_id=work.game.id, seat_number=1, since=work.now, waits_until=work.now)
    work.session.add(offer)
    work.session.flush()
    assert why(work, SubstituteWanted(offer.id)) == ""
    assert why(work, SubstituteWanted(offer.id + 1)) == TAKEN
    offer.closed_at = work.now
    assert why(work, SubstituteWanted(offer.id)) == TAKEN


@pytest.mark.parametrize("kind", [ConsentAsked, EndAsked], ids=lambda kind: str(kind.kind))
def test_a_vote_is_asked_for_while_it_is_open_and_the_seat_has_not_voted(
    work: GameWork, kind: type[ConsentAsked | EndAsked]
) -> None:
    vote = Vote(game_id=work.game.id, kind="end", asked_by=0, version=work.game.version, proposal={}, asked_at=work.now)
    work.session.add(vote)
    work.session.flush()
    work.session.add(Ballot(vote_id=vote.id, seat_number=2, agrees=True, at=work.now))
    work.session.flush()
    assert why(work, kind(vote.id)) == ""
    assert why(work, kind(vote.id), seat=2) == DECIDED
    assert why(work, kind(vote.id + 1)) == DECIDED
    assert kind(vote.id).unwanted(Case(work.session, Letter(seat_number=1), None)) == DECIDED
    earlier = Letter(seat_number=1, version=work.game.version - 1)
    gone_on = kind(vote.id).unwanted(Case(work.session, earlier, work.game))
    assert gone_on == (DECIDED if kind is ConsentAsked else "")  # only taking back is about one position
    vote.status = VoteStatus.PASSED
    assert why(work, kind(vote.id)) == DECIDED


def test_most_letters_are_never_pointless(work: GameWork) -> None:
    for name in ("game-started", "game-over"):
        assert why(work, kinds.named(name)()) == ""
