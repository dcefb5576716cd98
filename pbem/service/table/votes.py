"""Agreeing and refusing, from a link in a letter or from the page of a game, and what follows from it."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy.orm import Session

from pbem.company import VoteView
from pbem.engine.text import say
from pbem.service.base import queries
from pbem.service.base.errors import NoSuch, NotNow
from pbem.service.base.numbers import NUMBERS
from pbem.service.base.office import Office
from pbem.service.base.task_hints import Hint
from pbem.service.base.tokens import BadToken, VoteClaim
from pbem.service.outbox import letters
from pbem.service.table import ending, pauses, seat_changes, takeback
from pbem.service.turns import audit_log, ballots
from pbem.store.tables import Game, Seat, Vote


def vote_of(office: Office, claim: VoteClaim, now: datetime) -> tuple[str, VoteView]:
    """The game and the vote a link is about; changes nothing. Raises ``BadToken`` when the seat has changed hands."""
    with office.read() as session:
        vote = _vote(session, claim.vote)
        _holder(session, vote, claim)
        return vote.game_id, ballots.shown(session, queries.game(session, vote.game_id), vote, now)


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
    with office.write() as (session, hints):
        game = queries.locked(session, game_id)
        vote, seat = _vote(session, vote_id), queries.numbered(session, game_id, number)
        if vote.game_id != game_id:
            raise NoSuch(f"Game {game_id} has no vote {vote_id}.")
        if seat.number not in [voter.number for voter in ballots.voters(session, game, vote)]:
            raise NotNow(say("This is for others to decide."))
        if game.status == "stopping" and vote.kind == "end" and vote.status == "passed":
            _change_mind(session, hints, game, vote, seat, agrees, now)
        elif ballots.stands(game, vote, now) == "open":
            _count(session, hints, game, vote, seat, agrees, now)
        elif vote.status == "open":
            raise NotNow(say("The game has gone on since, so nothing is left to decide."))
        else:
            raise NotNow(say("This has been decided already."))


def _count(
    session: Session, hints: list[Hint], game: Game, vote: Vote, seat: Seat, agrees: bool, now: datetime
) -> None:
    if ballots.cast(session, vote, seat, agrees, now):
        audit_log.write(session, game, "agrees" if agrees else "refuses", now, seat=seat)
        settle(session, hints, game, vote, now)


def left(session: Session, hints: list[Hint], game: Game, seat: Seat, now: datetime) -> None:
    """Somebody votes no more, having left the seat: the answers of those who stay may decide what is open."""
    for vote in ballots.open_votes(session, game, now):
        if vote.status != "open":
            continue  # the one before has removed somebody else, and this was counted then
        ballots.forget(session, vote, seat)
        if _moot(session, game, vote, seat, now):
            vote.status, vote.closed_at = "lapsed", now
        else:
            settle(session, hints, game, vote, now)


def _moot(session: Session, game: Game, vote: Vote, seat: Seat, now: datetime) -> bool:
    """Whether nothing is left to decide, now that somebody has left this seat."""
    if ballots.stands(game, vote, now) != "open" or not ballots.voters(session, game, vote):
        return True
    match vote.kind:
        case "take-back":
            return vote.asked_by == seat.number
        case "remove":
            return not seat_changes.has_vanished(session, game, _about(session, vote), now)
    return False


def settle(session: Session, hints: list[Hint], game: Game, vote: Vote, now: datetime) -> None:
    """Carry out what is decided; nothing while a vote is open."""
    outcome = ballots.outcome(session, game, vote)
    if outcome == "open":
        return
    vote.status, vote.closed_at = outcome, now
    if outcome == "refused":
        _tell_asker(session, hints, game, vote, now)
        return
    match vote.kind:
        case "take-back":
            takeback.consented(session, hints, game, vote, now)
        case "end":
            ending.stop(session, hints, game, now)
        case "pause":
            pauses.begin(session, hints, game, vote, now)
        case "remove":
            _remove(session, hints, game, vote, now)


def _remove(session: Session, hints: list[Hint], game: Game, vote: Vote, now: datetime) -> None:
    """Raises :class:`NotNow` when the player is back."""
    seat = _about(session, vote)
    seat_changes.removable(session, game, seat, now)
    audit_log.write(session, game, "voted-out", now, other=seat.name)
    seat_changes.vacate(session, hints, game, seat, "removed", now)
    left(session, hints, game, seat, now)


def _about(session: Session, vote: Vote) -> Seat:
    """Whom a vote to remove is about."""
    return queries.numbered(session, vote.game_id, -1 if vote.about is None else vote.about)


def _change_mind(
    session: Session, hints: list[Hint], game: Game, vote: Vote, seat: Seat, agrees: bool, now: datetime
) -> None:
    """Within a day of the vote its people may still change their minds."""
    if not ballots.cast(session, vote, seat, agrees, now):
        return
    audit_log.write(session, game, "agrees" if agrees else "changes-mind", now, seat=seat)
    if ballots.outcome(session, game, vote) != "passed":
        vote.status, vote.closed_at = "refused", now
        ending.go_on(session, hints, game, now)


def _tell_asker(session: Session, hints: list[Hint], game: Game, vote: Vote, now: datetime) -> None:
    """Who has asked learns of the latest of those who refused."""
    asker, no = queries.numbered(session, game.id, vote.asked_by), ballots.last_refusal(session, vote)
    if asker.account_id is not None:
        data = {"vote": vote.id, "person": queries.numbered(session, game.id, no).name}
        key = f"not-agreed:{vote.id}"
        letters.write(session, hints, "not-agreed", key, asker.account_id, now, game=game, seat=asker, data=data)


def _vote(session: Session, vote_id: int) -> Vote:
    vote = session.get(Vote, vote_id) if vote_id in NUMBERS else None
    if vote is None:
        raise NoSuch(f"There is no vote {vote_id}.")
    return vote


def _holder(session: Session, vote: Vote, claim: VoteClaim) -> None:
    if queries.numbered(session, vote.game_id, claim.number).holder != claim.holder:
        raise BadToken
