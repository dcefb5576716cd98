"""Orders: they come in, wait as rows, and are played one after the other under the lock of their game."""

from __future__ import annotations

import hashlib
import logging
from datetime import datetime, timedelta

from sqlalchemy import Select, func, select
from sqlalchemy.exc import DataError, SQLAlchemyError
from sqlalchemy.orm import Session

from pbem.engine.moves import BadMove, Refusal, Refused, refuse
from pbem.engine.sheet import Sheet, State
from pbem.engine.text import Say, say_to_json
from pbem.service.base import queries, validation
from pbem.service.base.errors import NoSuch
from pbem.service.base.office import Office
from pbem.service.base.task_hints import Hint, play_hint
from pbem.service.outbox import letters, refusals
from pbem.service.table import seat_changes
from pbem.service.turns import caretaker, orders, progress, standing_orders, stuck
from pbem.service.turns.progress import written
from pbem.store import tables
from pbem.store.tables import Game, Submission

log = logging.getLogger(__name__)

PAGE_TELLS = refusals.PAGE_TELLS
"""How long a page has to show a refusal, or the next question to the same player, before it is sent as a letter."""


def submit(
    office: Office,
    game_id: str,
    seat: str,
    text: str,
    version: int | None,
    via: str,
    now: datetime,
    source: str = "",
) -> int:
    """Take in orders and return the number of the submission; they are played by a worker.

    ``version`` is the position they answer, ``None`` for whatever is asked when they are played. ``via``: page
    api mail. ``source`` tells what came in (a Message-ID); the same source, or without one the same text for
    the same version, is the same submission. Raises :class:`NoSuch` and :class:`BadInput`.
    """
    text = validation.orders(text)
    with office.write() as (session, hints):
        game = queries.locked(session, game_id)
        caretaker.leave(session, game, queries.seat(session, game_id, seat), now)
        if not source and version is None:
            source = _after_stuck(session, _once(session, game, seat, text))
        source = source or _after_stuck(session, _source(game_id, seat, version, text))
        known = _known(session, source)
        if known is None:
            known = Submission(
                game_id=game_id,
                seat=seat,
                version=version,
                text=text,
                source=source,
                via=via,
                status="waiting",
                received_at=now,
            )
            session.add(known)
            session.flush()
        if known.status == "waiting":
            hints.append(play_hint(game_id))
        return known.id


def not_read(office: Office, game_id: str, seat: str, version: int | None, why: Say, now: datetime, source: str) -> int:
    """A mail with orders that cannot be read: it is refused at once, with a letter; a second time nothing is done.

    Returns the number of the submission.
    """
    with office.write() as (session, hints):
        game = queries.locked(session, game_id)
        caretaker.leave(session, game, queries.seat(session, game_id, seat), now)
        known = _known(session, source)
        if known is None:
            known = Submission(
                game_id=game_id, seat=seat, version=version, text="", source=source, via="mail",
                status="waiting", received_at=now,
            )  # fmt: skip
            session.add(known)
            session.flush()
            _refuse(session, hints, game, known, Refusal(why), 0, now)
        return known.id


def seen(office: Office, submission_id: int, now: datetime) -> None:
    """The page that sent the orders has shown what became of them: no letter is needed for it."""
    with office.write() as (session, _):
        submission = session.get(Submission, submission_id)
        if submission is None:
            raise NoSuch(f"There is no submission {submission_id}.")
        if submission.seen_at is None and submission.status in ("played", "refused", "stuck"):
            submission.seen_at = now


def play_waiting(office: Office, game_id: str, now: datetime) -> int:
    """Play what waits in a game, oldest first, one transaction each; returns how many were dealt with."""
    dealt_with = 0
    while _play_oldest(office, game_id, now):
        dealt_with += 1
    return dealt_with


def _play_oldest(office: Office, game_id: str, now: datetime) -> bool:
    at = 0
    try:
        with office.write() as (session, hints):
            game = queries.locked(session, game_id)
            submission = session.scalar(_waiting(game_id))
            if submission is None:
                return False
            at = submission.id
            _answer(session, hints, game, submission, now)
    except Exception as error:
        if isinstance(error, SQLAlchemyError) and not isinstance(error, DataError):
            raise  # the database failed, not the orders: they wait until it is back
        log.exception("submission %s of game %s is stuck", at, game_id, extra={"game": game_id, "submission": at})
        if not at:
            raise
        stuck.set_aside(office, at, now)
    else:
        about = {"game": game_id, "submission": at}
        log.info("submission %s of game %s is %s", at, game_id, submission.status, extra=about)
    return True


def _waiting(game_id: str) -> Select[Submission]:
    return (
        select(Submission)
        .where(Submission.status == "waiting", Submission.game_id == game_id)
        .order_by(Submission.id)
        .limit(1)
    )


def _answer(session: Session, hints: list[Hint], game: Game, submission: Submission, now: datetime) -> None:
    """Play the submission or refuse it; both are committed."""
    try:
        _play(session, hints, game, submission, now)
        submission.status, submission.done_at = "played", now
        if submission.via == "mail":
            _echo(session, hints, game, submission, now)
    except BadMove as bad:
        _refuse(session, hints, game, submission, Refusal(bad.sentence()), bad.line, now)
    except Refused as refused:
        _refuse(session, hints, game, submission, refused.refusal, refused.line, now)


def _play(session: Session, hints: list[Hint], game: Game, submission: Submission, now: datetime) -> None:
    """Play it: what answers the question at once, the rest when its moment comes.

    Raises :class:`BadMove` and :class:`Refused`, and has changed nothing then.
    """
    sheet = queries.sheet(game)
    names = {seat.colour: seat.name for seat in queries.seats(session, game.id)}
    if submission.version is not None and submission.version != game.version:
        submission.move_number = _played_before(session, sheet, game, submission, names)
        return
    if game.status == "stopping":
        raise Refused(refuse("", "The players have agreed to end the game, so no orders are played."))
    if game.status != "running":
        raise Refused(refuse("", "The game is over."))
    state = sheet.decode(game.state)
    moves = sheet.parse(state, submission.text, names)
    sheaf = orders.sort(sheet, state, submission.seat, moves, strict=submission.version is not None)
    _carry_out(session, hints, game, submission, sheaf, now)


def _carry_out(
    session: Session, hints: list[Hint], game: Game, submission: Submission, sheaf: orders.Sheaf, now: datetime
) -> None:
    sheet, seat = queries.sheet(game), submission.seat
    if sheaf.cancels:
        standing_orders.cancel_all(session, game, seat, now)
    standing_orders.give(session, game, seat, sheaf.waiting, submission.id, now, played=sheaf.lasting)
    if not sheaf.moves:
        progress.go_on(session, hints, game, now)
        return
    submission.move_number, submission.moves = game.version + 1, len(sheaf.moves)
    state = sheet.decode(game.state)
    for number, move in enumerate(sheaf.moves, 1):
        chance = progress.chance_at(session, game, sheet, state)
        step = sheet.play(state, seat, (move,), chance)
        game.version += 1
        entry = progress.Entry(seat, written(step.played), "player", sheet.turn(state), sheet.phase(state))
        if number < len(sheaf.moves):
            progress.write_down_first(session, game, entry, step, chance, now)
        else:
            hold = PAGE_TELLS if submission.via == "page" and game.planning else timedelta(0)
            progress.write_down(session, hints, game, entry, step, chance, now, hold=hold)
        state = step.state
    seat_changes.answered(session, game, seat, now)


def _played_before(session: Session, sheet: Sheet, game: Game, submission: Submission, names: dict[str, str]) -> int:
    """The number of the move if it is this very order that was played then; else raises :class:`Refused`."""
    version = submission.version or 0
    answer = session.get(tables.Move, (game.id, version + 1))
    asked = session.get(tables.Move, (game.id, version))
    if answer is not None and answer.seat == submission.seat and answer.taken_back_by is not None:
        raise Refused(refuse("", "That answer was taken back; answer what is asked now."))
    if answer is not None and asked is not None and answer.seat == submission.seat:
        state: State = sheet.decode(asked.state)
        if written(sheet.parse(state, submission.text, names)) == answer.orders:
            return answer.number
        raise Refused(refuse("", "That question has been answered with “{orders}”.", orders=answer.orders))
    raise Refused(refuse("", "These orders are for another position of the game; nothing was changed."))


def _refuse(
    session: Session,
    hints: list[Hint],
    game: Game,
    submission: Submission,
    refusal: Refusal,
    line: int,
    now: datetime,
) -> None:
    submission.status, submission.done_at = "refused", now
    submission.sentence, submission.rule = say_to_json(refusal.why), refusal.rule
    submission.line, submission.step = line, refusal.step
    seat = queries.seat(session, game.id, submission.seat)
    refusals.tell(session, hints, game, seat, submission, f"refused:{submission.id}", now)


def _echo(session: Session, hints: list[Hint], game: Game, submission: Submission, now: datetime) -> None:
    """Who has answered by mail sees by mail what was understood, unless another letter follows at once."""
    seat = queries.seat(session, game.id, submission.seat)
    if seat.account_id is not None and game.status == "running" and game.to_act != submission.seat:
        letters.write(
            session, hints, "played", f"played:{submission.id}", seat.account_id, now,
            game=game, seat=seat, version=game.version, data={"submission": submission.id},
        )  # fmt: skip


def _known(session: Session, source: str) -> Submission | None:
    return session.scalar(select(Submission).where(Submission.source == source))


def _after_stuck(session: Session, source: str) -> str:
    """The source of orders sent once more after an error of ours had set the same ones aside: they are new ones."""
    again = source
    while (known := _known(session, again)) is not None and known.status == "stuck":
        again = f"{source}:{known.id}"
    return again


def _once(session: Session, game: Game, seat: str, text: str) -> str:
    """The source of orders that answer no certain position: twice in a row in one position they are the same."""
    other = select(func.max(Submission.id)).where(
        Submission.game_id == game.id, Submission.seat == seat, Submission.text != text
    )
    return _source(game.id, f"{seat}:{session.scalar(other) or 0}", game.version, text)


def _source(game_id: str, seat: str, version: int | None, text: str) -> str:
    same = hashlib.sha256(text.encode()).hexdigest()[:32]
    return f"{game_id}:{seat}:{version}:{same}"
