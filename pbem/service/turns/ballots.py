"""Votes as rows: who may vote, how many must agree, how a vote stands. What follows is in ``votes``."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from datetime import date, datetime, timedelta

from sqlalchemy import delete, select
from sqlalchemy.orm import Session

from pbem.company import VoteView
from pbem.engine.text import say
from pbem.service.base import queries
from pbem.service.base.errors import NotNow
from pbem.service.base.work import GameWork, NewLetter
from pbem.service.kinds.votes import ConsentAsked, EndAsked, PauseAsked, RemoveAsked, VoteAsked
from pbem.statuses import GameStatus, VoteStatus
from pbem.store.tables import Ballot, Game, Move, Seat, Vote

STANDS = timedelta(days=14)
"""How long a vote waits for answers."""
AGAIN = timedelta(days=3)
"""How long after a refusal the same is not asked again."""
LETTERS: Mapping[str, type[VoteAsked]] = {
    "take-back": ConsentAsked,
    "end": EndAsked,
    "remove": RemoveAsked,
    "pause": PauseAsked,
}
"""The letter by which each kind of vote asks."""


def people(session: Session, game: Game) -> list[Seat]:
    """The seats that somebody plays: not those that are free, nor those that are out of the game."""
    sheet = queries.sheet(game)
    out = {row.seat for row in sheet.rows(sheet.decode(game.state)) if row.out is not None}
    seats = queries.seats(session, game.id)
    return [seat for seat in seats if seat.account_id is not None and seat.colour not in out]


def voters(session: Session, game: Game, vote: Vote) -> list[Seat]:
    """Who decides: about taking back and pauses all others, about ending everybody, about removing all but that one."""
    playing = people(session, game)
    match vote.kind:
        case "take-back" | "pause":
            return [seat for seat in playing if seat.number != vote.asked_by]
        case "remove":
            return [seat for seat in playing if seat.number != vote.about]
    return playing


def needed(kind: str, voters: int) -> int:
    """How many must agree: all to taking back and pauses, two thirds to ending, more than half to removing somebody."""
    match kind:
        case "take-back" | "pause":
            return voters
        case "end":
            return -(-2 * voters // 3)
    return voters // 2 + 1


def open_vote(work: GameWork, kind: str, asker: Seat, about: int | None = None) -> Vote:
    """Ask the others, each by a letter. Raises :class:`NotNow` while the same is asked or was just refused."""
    before = work.session.scalar(
        select(Vote)
        .where(Vote.game_id == work.game.id, Vote.kind == kind, Vote.about == about)
        .order_by(Vote.id.desc())
    )
    if before is not None:
        _may_be_asked(work.game, before, work.now)
    vote = Vote(
        game_id=work.game.id,
        kind=kind,
        asked_by=asker.number,
        version=work.game.version,
        about=about,
        status=VoteStatus.OPEN,
        asked_at=work.now,
    )
    work.session.add(vote)
    work.session.flush()
    deciding = voters(work.session, work.game, vote)
    for seat in deciding:
        if seat.number == asker.number:
            work.session.add(Ballot(vote_id=vote.id, seat_number=seat.number, agrees=True, at=work.now))
        elif seat.account_id is not None:
            letter = LETTERS[kind](vote.id)
            key = f"{letter.kind}:{vote.id}:{seat.number}"
            work.write(
                NewLetter(
                    letter,
                    key,
                    seat.account_id,
                    game=work.game,
                    seat=seat,
                    version=work.game.version,
                )
            )
    work.session.flush()
    return vote


def _may_be_asked(game: Game, before: Vote, now: datetime) -> None:
    same = before.kind != "take-back" or before.version == game.version
    if stands(game, before, now) == VoteStatus.OPEN and same:
        raise NotNow(say("The others have already been asked, and not all have answered yet."))
    if before.status == VoteStatus.REFUSED and before.kind == "take-back" and same:
        raise NotNow(say("The others have refused this."))
    if before.status == VoteStatus.REFUSED and before.kind != "take-back" and now < (before.closed_at or now) + AGAIN:
        raise NotNow(say("The others have refused this. You can ask again after three days."))


def stands(game: Game, vote: Vote, now: datetime) -> VoteStatus:
    """How a vote stands now: a question about taking back dies when the game goes on, every other in two weeks."""
    if vote.status != VoteStatus.OPEN:
        return vote.status
    gone_on = vote.kind == "take-back" and vote.version != game.version
    if gone_on or game.status != GameStatus.RUNNING or now >= vote.asked_at + STANDS:
        return VoteStatus.LAPSED
    return VoteStatus.OPEN


def cast(session: Session, vote: Vote, seat: Seat, agrees: bool, now: datetime) -> bool:
    """Note how a seat votes; returns whether that is news."""
    ballot = session.get(Ballot, (vote.id, seat.number))
    if ballot is not None and ballot.agrees == agrees:
        return False
    if ballot is None:
        session.add(Ballot(vote_id=vote.id, seat_number=seat.number, agrees=agrees, at=now))
    else:
        ballot.agrees, ballot.at = agrees, now
    session.flush()
    return True


def forget(session: Session, vote: Vote, seat: Seat) -> None:
    """The answer of somebody who has left the seat counts no more, nor for whoever takes it."""
    session.execute(delete(Ballot).where(Ballot.vote_id == vote.id, Ballot.seat_number == seat.number))


def last_refusal(session: Session, vote: Vote) -> int:
    """The seat that was the last to refuse."""
    no = select(Ballot.seat_number).where(Ballot.vote_id == vote.id, Ballot.agrees.is_(False))
    return session.scalars(no.order_by(Ballot.at.desc(), Ballot.seat_number).limit(1)).one()


def outcome(session: Session, game: Game, vote: Vote) -> VoteStatus:
    """passed, refused, or open while both can still be."""
    answers = _answers(session, vote)
    deciding = voters(session, game, vote)
    agreed = sum(answers.get(seat.number) is True for seat in deciding)
    refused = sum(answers.get(seat.number) is False for seat in deciding)
    required = needed(vote.kind, len(deciding))
    if agreed >= required:
        return VoteStatus.PASSED
    return VoteStatus.REFUSED if len(deciding) - refused < required else VoteStatus.OPEN


def shown(session: Session, game: Game, vote: Vote, now: datetime) -> VoteView:
    """The vote as everybody sees it."""
    names = {seat.number: seat.name for seat in queries.seats(session, game.id)}
    answers = _answers(session, vote)
    deciding = [seat.number for seat in voters(session, game, vote)]

    def those(answer: bool | None) -> tuple[str, ...]:
        return tuple(names[number] for number in deciding if answers.get(number) is answer)

    return VoteView(
        id=vote.id,
        kind=vote.kind,
        status=stands(game, vote, now),
        asks=names.get(vote.asked_by, ""),
        what=_what(session, vote, names),
        agreed=those(True),
        refused=those(False),
        missing=those(None),
        needed=needed(vote.kind, len(deciding)),
        voters=len(deciding),
        asked_at=vote.asked_at,
        version=vote.version,
        until=date.fromordinal(vote.about) if vote.kind == "pause" and vote.about else None,
    )


def open_votes(session: Session, game: Game, now: datetime) -> Sequence[Vote]:
    """The votes that can still be decided, oldest first."""
    found = session.scalars(
        select(Vote).where(Vote.game_id == game.id, Vote.status == VoteStatus.OPEN).order_by(Vote.id)
    )
    return [vote for vote in found if stands(game, vote, now) == VoteStatus.OPEN]


def _answers(session: Session, vote: Vote) -> dict[int, bool]:
    found = select(Ballot.seat_number, Ballot.agrees).where(Ballot.vote_id == vote.id)
    return {row.seat_number: row.agrees for row in session.execute(found)}


def _what(session: Session, vote: Vote, names: dict[int, str]) -> str:
    if vote.kind == "remove":
        return names.get(-1 if vote.about is None else vote.about, "")
    move = session.get(Move, (vote.game_id, vote.about)) if vote.kind == "take-back" else None
    return "" if move is None else move.orders
