"""Asking the others, agreeing and refusing, from a link in a letter or from the page of a game, and what follows."""

from datetime import datetime

from sqlalchemy.orm import Session

from pbem.engine import say
from pbem.service.base import GameReader, GameWork, NewLetter, NoSuch, NotNow, Office, queries
from pbem.service.base.numbers import NUMBERS
from pbem.service.base.tokens import BadToken, VoteClaim
from pbem.service.games import ballots, proposals
from pbem.service.games.proposals import Proposal
from pbem.service.letters.kinds.votes import NotAgreed
from pbem.service.turns import audit_log
from pbem.store.statuses import VoteStatus
from pbem.store.tables import Seat, Vote
from pbem.views.people import VoteView


def vote_of(office: Office, claim: VoteClaim, now: datetime) -> tuple[str, VoteView]:
    """The game and the vote a link is about; changes nothing. Raises ``BadToken`` when the seat has changed hands."""
    with office.read() as session:
        vote = _vote(session, claim.vote)
        _holder(session, vote, claim)
        look = GameReader(session, queries.game(session, vote.game_id), now)
        return vote.game_id, ballots.shown(look, vote)


def ask(office: Office, game_id: str, number: int, proposal: Proposal, now: datetime) -> int:
    """Ask those who decide; returns the vote. Where nobody else has to agree, it is carried out at once.

    Raises :class:`NotNow`, and what the proposal raises when it is looked at.
    """
    with office.game(game_id, now) as work:
        asker = work.numbered(number)
        checked = proposal.checked(work, asker)
        vote = ballots.open_vote(work, checked, asker)
        if ballots.voters(work, vote):
            details = checked.details(ballots.asked(work, vote))
            audit_log.write(work, checked.noted, seat=asker, **details)
        settle(work, vote)
        return vote.id


def answer_by_link(office: Office, claim: VoteClaim, agrees: bool, now: datetime) -> None:
    """Vote by the link of a letter. Raises :class:`NotNow` and ``BadToken``."""
    with office.read() as session:
        vote = _vote(session, claim.vote)
        _holder(session, vote, claim)
        game_id = vote.game_id
    answer(office, game_id, claim.vote, claim.number, agrees, now)


def answer(office: Office, game_id: str, vote_id: int, number: int, agrees: bool, now: datetime) -> None:
    """Vote as a seat; the same answer twice has the effect of once.

    Raises :class:`NotNow` when nothing is left to decide, :class:`NoSuch` for a vote that is none of this game.
    """
    with office.game(game_id, now) as work:
        vote, seat = _vote(work.session, vote_id), work.numbered(number)
        if vote.game_id != game_id:
            raise NoSuch(f"Game {game_id} has no vote {vote_id}.")
        if seat.number not in [voter.number for voter in ballots.voters(work, vote)]:
            raise NotNow(say("Only the other players can decide this."))
        if vote.status == VoteStatus.PASSED and proposals.of(vote).can_be_thought_over(work.game):
            _change_mind(work, vote, seat, agrees)
        elif ballots.stands(work, vote) == VoteStatus.OPEN:
            if ballots.cast(work, vote, seat, agrees):
                audit_log.write(work, "agrees" if agrees else "refuses", seat=seat)
                settle(work, vote)
        elif vote.status == VoteStatus.OPEN:
            raise NotNow(say("The game has moved on, so there is nothing left to decide."))
        else:
            raise NotNow(say("This has already been decided."))


def withdraw(office: Office, game_id: str, vote_id: int, number: int, now: datetime) -> None:
    """Close a vote as the seat that asked for it; its emails that still wait are not sent.

    A second call changes nothing.

    Raises :class:`NotNow` when somebody else has asked, or nothing is left to decide; :class:`NoSuch` for a vote that
    is none of this game.
    """
    with office.game(game_id, now) as work:
        vote = _vote(work.session, vote_id)
        if vote.game_id != game_id:
            raise NoSuch(f"Game {game_id} has no vote {vote_id}.")
        if vote.asked_by != number:
            raise NotNow(say("Only the player who asked can withdraw this."))
        if vote.status == VoteStatus.WITHDRAWN:
            return
        if ballots.stands(work, vote) != VoteStatus.OPEN:
            raise NotNow(say("This has already been decided."))
        vote.status, vote.closed_at = VoteStatus.WITHDRAWN, now
        audit_log.write(work, "withdraws-vote", seat=work.numbered(number))


def left(work: GameWork, seat: Seat) -> None:
    """Somebody votes no more, having left the seat: the answers of those who stay may decide what is open."""
    for vote in ballots.open_votes(work):
        if vote.status != VoteStatus.OPEN:
            continue  # the one before has removed somebody else, and this was counted then
        ballots.forget(work, vote, seat)
        if _moot(work, vote, seat):
            vote.status, vote.closed_at = VoteStatus.LAPSED, work.now
        else:
            settle(work, vote)


def _moot(work: GameWork, vote: Vote, seat: Seat) -> bool:
    """Whether nothing is left to decide, now that somebody has left this seat."""
    if ballots.stands(work, vote) != VoteStatus.OPEN or not ballots.voters(work, vote):
        return True
    return proposals.of(vote).no_longer_wanted(work, vote, seat)


def settle(work: GameWork, vote: Vote) -> None:
    """Carry out what is decided; nothing while a vote is open."""
    outcome = ballots.outcome(work, vote)
    if outcome == VoteStatus.OPEN:
        return
    vote.status, vote.closed_at = outcome, work.now
    if outcome == VoteStatus.REFUSED:
        _tell_asker(work, vote)
        return
    proposals.of(vote).carry_out(work, vote)


def _change_mind(work: GameWork, vote: Vote, seat: Seat, agrees: bool) -> None:
    """The vote is carried out, and its people may still change their minds."""
    if not ballots.cast(work, vote, seat, agrees):
        return
    audit_log.write(work, "agrees" if agrees else "changes-mind", seat=seat)
    if ballots.outcome(work, vote) != VoteStatus.PASSED:
        vote.status, vote.closed_at = VoteStatus.REFUSED, work.now
        proposals.of(vote).call_off(work)


def _tell_asker(work: GameWork, vote: Vote) -> None:
    """Who has asked learns of the latest of those who refused."""
    asker, no = work.numbered(vote.asked_by), ballots.last_refusal(work, vote)
    if asker.account_id is not None:
        told = NotAgreed(vote.id, work.numbered(no).name)
        key = f"not-agreed:{vote.id}"
        work.write(NewLetter(told, key, asker.account_id, game=work.game, seat=asker))


def _vote(session: Session, vote_id: int) -> Vote:
    vote = session.get(Vote, vote_id) if vote_id in NUMBERS else None
    if vote is None:
        raise NoSuch(f"There is no vote {vote_id}.")
    return vote


def _holder(session: Session, vote: Vote, claim: VoteClaim) -> None:
    if queries.numbered(session, vote.game_id, claim.number).holder != claim.holder:
        raise BadToken
