"""What can be voted on: each kind is declared once, stores what it reads, and counts as it says."""

from __future__ import annotations

from datetime import date

import pytest

from pbem.service.games import proposals
from pbem.service.games.proposals import Proposal, VoteContext
from pbem.service.games.proposals.ending_early import EndingEarly
from pbem.service.games.proposals.pausing import Pausing
from pbem.service.games.proposals.removal import Removal
from pbem.service.games.proposals.taking_back import TakingBack
from pbem.service.letters import kinds
from pbem.service.turns import audit_log
from pbem.store.tables import Seat, Vote
from tests.table import Table

SAMPLES = (TakingBack(12), EndingEarly(), Removal(2), Pausing(date(2027, 1, 2)), Pausing())
each = pytest.mark.parametrize("proposal", SAMPLES, ids=repr)


def test_every_kind_of_vote_has_its_letter_and_its_line_of_the_audit_log() -> None:
    assert set(proposals.every()) >= {proposal.kind for proposal in SAMPLES}
    assert {kind.letter.kind for kind in proposals.every().values()} <= set(kinds.every())
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


def test_a_vote_on_taking_back_names_all_orders_that_came_in_together(table: Table) -> None:
    table.start()
    table.play("issue 2")
    table.play("issue 1")
    with table.office.read() as session:
        vote = Vote(game_id=table.game, asked_by=1, version=2, kind=TakingBack.kind)
        asked = VoteContext(session, vote, {1: Seat(name="Ben", colour="blue")}, table.now)
        assert str(TakingBack(1).words(asked)) == "Blue asks to take back “issue 2; issue 1”"
        assert str(TakingBack(2).words(asked)) == "Blue asks to take back “issue 1”"
