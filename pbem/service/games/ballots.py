"""Votes as rows: who may vote, how many have agreed, how a vote stands. What follows is in ``votes``, what is voted on
in ``proposals``."""

from collections.abc import Sequence
from datetime import timedelta

from sqlalchemy import delete, select

from pbem.engine import Who, say
from pbem.service.base import GameReader, GameWork, NotNow
from pbem.service.games import proposals
from pbem.service.games.proposals import Proposal, VoteContext
from pbem.store.statuses import GameStatus, VoteStatus
from pbem.store.tables import Ballot, Seat, Vote
from pbem.views.people import VoteView

STANDS = timedelta(days=14)
"""How long a vote waits for answers."""


def people(look: GameReader) -> list[Seat]:
    """The seats that somebody plays: not those that are free, nor those that are out of the game."""
    out = {row.seat for row in look.sheet.rows(look.state) if row.out is not None}
    return [seat for seat in look.seats if seat.account_id is not None and seat.colour not in out]


def voters(look: GameReader, vote: Vote) -> list[Seat]:
    return proposals.of(vote).voters(people(look), vote.asked_by)


def open_vote(work: GameWork, proposal: Proposal, asker: Seat) -> Vote:
    """Ask the others, each by a letter. Raises :class:`NotNow` while the same is asked or was just refused."""
    _check_earlier(work, proposal)
    vote = Vote(
        game_id=work.game.id,
        kind=proposal.kind,
        asked_by=asker.number,
        version=work.game.version,
        proposal=proposal.stored(),
        status=VoteStatus.OPEN,
        asked_at=work.now,
    )
    work.session.add(vote)
    work.session.flush()
    for seat in voters(work, vote):
        if seat.number == asker.number:
            work.session.add(Ballot(vote_id=vote.id, seat_number=seat.number, agrees=True, at=work.now))
        else:
            letter = proposal.letter(vote.id)
            work.write_to(seat, letter, f"{letter.kind}:{vote.id}:{seat.number}")
    work.session.flush()
    return vote


def _check_earlier(work: GameWork, proposal: Proposal) -> None:
    """Raises :class:`NotNow` while the same is asked, or when it cannot be asked again yet."""
    asked = select(Vote).where(Vote.game_id == work.game.id, Vote.kind == proposal.kind).order_by(Vote.id.desc())
    same = (vote for vote in work.session.scalars(asked) if proposals.of(vote) == proposal)
    if (before := next(same, None)) is None:
        return
    if stands(work, before) == VoteStatus.OPEN:
        raise NotNow(say("The others have already been asked, and not all have answered yet."))
    if (why := proposal.refused_for_now(before, work.game, work.now)) is not None:
        raise NotNow(why)


def stands(look: GameReader, vote: Vote) -> VoteStatus:
    """How a vote stands now: it dies in two weeks, and some die when the game goes on."""
    if vote.status != VoteStatus.OPEN:
        return vote.status
    gone_on = proposals.of(vote).dies_with_orders and vote.version != look.game.version
    if gone_on or look.game.status != GameStatus.RUNNING or look.now >= vote.asked_at + STANDS:
        return VoteStatus.LAPSED
    return VoteStatus.OPEN


def cast(work: GameWork, vote: Vote, seat: Seat, agrees: bool) -> bool:
    """Note how a seat votes; returns whether that is news."""
    ballot = work.session.get(Ballot, (vote.id, seat.number))
    if ballot is not None and ballot.agrees == agrees:
        return False
    if ballot is None:
        work.session.add(Ballot(vote_id=vote.id, seat_number=seat.number, agrees=agrees, at=work.now))
    else:
        ballot.agrees, ballot.at = agrees, work.now
    work.session.flush()
    return True


def forget(work: GameWork, vote: Vote, seat: Seat) -> None:
    """The answer of somebody who has left the seat counts no more, nor for whoever takes it."""
    work.session.execute(delete(Ballot).where(Ballot.vote_id == vote.id, Ballot.seat_number == seat.number))


def last_refusal(look: GameReader, vote: Vote) -> int:
    no = select(Ballot.seat_number).where(Ballot.vote_id == vote.id, Ballot.agrees.is_(False))
    return look.session.scalars(no.order_by(Ballot.at.desc(), Ballot.seat_number).limit(1)).one()


def outcome(look: GameReader, vote: Vote) -> VoteStatus:
    """passed, refused, or open while both can still be."""
    answers = _answers(look, vote)
    deciding = voters(look, vote)
    agreed = sum(answers.get(seat.number) is True for seat in deciding)
    refused = sum(answers.get(seat.number) is False for seat in deciding)
    required = proposals.of(vote).needed(len(deciding))
    if agreed >= required:
        return VoteStatus.PASSED
    return VoteStatus.REFUSED if len(deciding) - refused < required else VoteStatus.OPEN


def asked(look: GameReader, vote: Vote) -> VoteContext:
    return VoteContext(look.session, vote, {seat.number: seat for seat in look.seats}, look.now)


def shown(look: GameReader, vote: Vote) -> VoteView:
    proposal, about = proposals.of(vote), asked(look, vote)
    answers = _answers(look, vote)
    deciding = [seat.number for seat in voters(look, vote)]

    def those(answer: bool | None) -> tuple[Who, ...]:
        return tuple(about.who(number) for number in deciding if answers.get(number) is answer)

    return VoteView(
        id=vote.id,
        kind=vote.kind,
        status=stands(look, vote),
        asks=about.seats[vote.asked_by].name,
        asked_by=vote.asked_by,
        words=proposal.words(about),
        title=proposal.title(about),
        terms=proposal.terms(about),
        if_refused=proposal.if_refused(about),
        agreed=those(True),
        refused=those(False),
        missing=those(None),
        needed=proposal.needed(len(deciding)),
        voters=len(deciding),
        asked_at=vote.asked_at,
        version=vote.version,
    )


def open_votes(look: GameReader) -> Sequence[Vote]:
    """The votes that can still be decided, oldest first."""
    found = look.session.scalars(
        select(Vote).where(Vote.game_id == look.game.id, Vote.status == VoteStatus.OPEN).order_by(Vote.id)
    )
    return [vote for vote in found if stands(look, vote) == VoteStatus.OPEN]


def _answers(look: GameReader, vote: Vote) -> dict[int, bool]:
    found = select(Ballot.seat_number, Ballot.agrees).where(Ballot.vote_id == vote.id)
    return {row.seat_number: row.agrees for row in look.session.execute(found)}
