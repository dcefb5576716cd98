"""Orders: they come in, wait as rows, and are played one after the other under the lock of their game."""

import dataclasses
import logging
from datetime import datetime, timedelta

from sqlalchemy import bindparam, select
from sqlalchemy.exc import DataError, SQLAlchemyError

from pbem.engine import BadMove, Move, Refusal, Refused, Say, State, Typed, Value, refuse, replace, say_to_json
from pbem.language import orders as spoken_orders
from pbem.language import reading
from pbem.robot.reasons import reason_from_json
from pbem.service.base import GameWork, NoSuch, Office, queries, rate_limits, validation
from pbem.service.base.task_hints import play_hint
from pbem.service.games import seat_changes
from pbem.service.letters import refusals
from pbem.service.letters.kinds import similar
from pbem.service.letters.kinds.orders import Played
from pbem.service.orders.taking_in import NewSubmission, inserted, known, taken_in
from pbem.service.turns import caretaker, clashes, orders, progress, standing_orders, stuck
from pbem.service.turns.plain_orders import PlainReader
from pbem.service.turns.progress import written
from pbem.store import tables
from pbem.store.statuses import GameStatus, MoveCause, Sending, SubmissionStatus
from pbem.store.tables import Account, Letter, Submission

__all__ = ["NewSubmission", "not_read", "play_waiting", "seen", "status", "submit"]

log = logging.getLogger(__name__)

PAGE_TELLS = refusals.PAGE_TELLS
"""How long a page has to show a refusal, or the next question to the same player, before it is sent as a letter."""

PAGE_GOES_ON = timedelta(minutes=5)
"""How long the page on which orders were sent has to ask the next question of the same player, before an email does."""
QUESTIONS_TELL = timedelta(minutes=5)
"""How long the others have to bring the next question to whoever has answered by mail, which tells what was played."""


def submit(office: Office, game_id: str, new: NewSubmission, now: datetime) -> int:
    """Take in orders and return the number of the submission; they are played by a worker.

    Raises :class:`NoSuch` and :class:`BadInput`; for orders of an email, which are counted in the same transaction,
    ``TooMuch``. Pages and the API count theirs before.
    """
    new = replace(new, text=validation.orders(new.text))
    with office.work(now) as work:
        caretaker_plays = queries.lock_seat(work.session, game_id, new.seat)
        if new.via == "mail":
            rate_limits.use(office, work.session, rate_limits.ORDERS, f"{game_id}:{new.seat}", now)
        number, waits = taken_in(work, game_id, new, caretaker_plays)
        if waits:
            work.hints.append(play_hint(game_id))
        return number


def not_read(office: Office, game_id: str, new: NewSubmission, why: Say, now: datetime) -> int:
    """A mail with orders that cannot be read: it is refused at once, with a letter; a second time nothing is done.

    Returns the number of the submission.
    """
    with office.game(game_id, now) as work:
        caretaker.leave(work, work.seat(new.seat))
        number = inserted(work, game_id, new)
        if number is None:
            return known(work.session, new.source).id
        _refuse(work, work.session.get_one(Submission, number), Refusal(why), 0, understood=False)
        return number


def seen(office: Office, submission_id: int, now: datetime) -> None:
    """The page that sent the orders has shown what became of them: no letter is needed for it."""
    with office.work(now) as work:
        submission = work.session.get(Submission, submission_id)
        if submission is None:
            raise NoSuch(f"There is no submission {submission_id}.")
        if submission.seen_at is None and submission.status in (
            SubmissionStatus.PLAYED,
            SubmissionStatus.REFUSED,
            SubmissionStatus.STUCK,
        ):
            submission.seen_at = now


def status(office: Office, submission_id: int) -> SubmissionStatus:
    """What has become of orders so far. Raises :class:`NoSuch`."""
    with office.read() as session:
        found = session.scalar(select(Submission.status).where(Submission.id == submission_id))
        if found is None:
            raise NoSuch(f"There is no submission {submission_id}.")
        return found


_OLDEST = (
    select(Submission)
    .where(Submission.status == SubmissionStatus.WAITING, Submission.game_id == bindparam("game"))
    .order_by(Submission.id)
    .limit(2)
)


def play_waiting(office: Office, game_id: str, now: datetime) -> int:
    """Play what waits in a game, oldest first, one transaction each; returns how many were dealt with."""
    dealt_with, waits = 0, True
    while waits:
        number, waits = _play_oldest(office, game_id, now)
        dealt_with += number
    return dealt_with


def _play_oldest(office: Office, game_id: str, now: datetime) -> tuple[int, bool]:
    """Returns how many were dealt with, and whether more wait.

    What comes in later is not our concern: its sender waits for our lock, and hints at it afterwards.
    """
    at, waiting = 0, 2
    try:
        with office.game(game_id, now) as work, work.session.no_autoflush:
            found = work.session.scalars(_OLDEST, {"game": game_id}).all()
            if not found:
                return 0, False
            submission, waiting = found[0], len(found)
            at = submission.id
            work.read_players()
            _answer(work, submission)
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
        return 1, waiting > 1
    return 1, True


def _answer(work: GameWork, submission: Submission) -> None:
    """Play the submission or refuse it; both are committed."""
    try:
        read = _play(work, submission)
        submission.status, submission.done_at = SubmissionStatus.PLAYED, work.now
        if submission.via == "mail":
            _echo(work, submission, read)
    except BadMove as bad:
        _refuse(work, submission, Refusal(bad.sentence()), bad.line, understood=_is_understood(work, submission))
    except Refused as refused:
        _refuse(work, submission, refused.refusal, refused.line)


class Read(Value):
    """How an email was read. ``literal``: it holds nothing but orders as we print them, none of them twice, and cancels
    none; ``clashes``: its orders leave some that wait nothing to do."""

    literal: bool
    clashes: bool = False


def _play(work: GameWork, submission: Submission) -> Read:
    """Play it: what answers the question at once, the rest when its moment comes.

    Raises :class:`BadMove` and :class:`Refused`, and has changed nothing then.
    """
    sheet = work.sheet
    version = submission.version
    if version is not None and version != work.game.version:
        submission.move_number = _played_before(work, submission, version)
        return Read(literal=False)
    if work.game.status == GameStatus.STOPPING:
        raise Refused(refuse("", "The players have agreed to end the game, so no orders are played."))
    if work.game.status != GameStatus.RUNNING:
        raise Refused(refuse("", "The game is over."))
    if submission.via == "robot" and not work.seat(submission.seat).robot:
        raise Refused(refuse("", "A robot no longer has this seat."))
    state = work.state
    moves = _read(work, state, submission)
    given = orders.sort(sheet, state, submission.seat, moves, strict=version is not None)
    plain = not (given.cancels or given.repeated)
    literal = submission.via == "mail" and plain and _is_literal(work, submission)
    after = _carry_out(work, submission, given)
    if submission.via != "mail" or work.game.status != GameStatus.RUNNING:
        return Read(literal)
    waiting = standing_orders.waits(work, submission.seat)
    return Read(literal, bool(clashes.found(sheet, state, after, submission.seat, waiting)))


def _is_understood(work: GameWork, submission: Submission) -> bool:
    """Whether anything of what cannot be read is like orders: of an email that may be a program's."""
    with reading(_language(work, submission)):
        return submission.via != "mail" or _reader(work).resembles_orders(submission.text)


def _is_literal(work: GameWork, submission: Submission) -> bool:
    with reading(_language(work, submission)):
        return _reader(work).is_literal(submission.text)


def _read(work: GameWork, state: State, submission: Submission) -> tuple[Move, ...]:
    """The orders, in English or in the language of the player; in emails people write them as they speak.

    Raises :class:`BadMove`.
    """
    names = {seat.colour: seat.name for seat in work.seats}
    with reading(_language(work, submission)):
        if submission.via == "mail":
            numbered = submission.version is not None
            return PlainReader(work.sheet, state, names, numbered).parse(submission.text)
        return spoken_orders.parse(work.sheet, state, submission.text, names)


def _language(work: GameWork, submission: Submission) -> str:
    """In which a person has written orders, beside English."""
    if submission.via not in ("mail", "page"):
        return ""
    account = work.seat(submission.seat).account_id
    return "" if account is None else work.session.get_one(Account, account).language


def _carry_out(work: GameWork, submission: Submission, given: orders.Sorted) -> State:
    """Returns the position after what was played of it, before anything that others have ordered ahead."""
    sheet, seat = work.sheet, submission.seat
    if given.cancels:
        standing_orders.cancel_all(work, seat)
    standing_orders.give(work, seat, given.waiting, submission.id, played=given.lasting)
    after: State = work.state
    if not given.moves:
        progress.go_on(work)
        return after
    submission.move_number, submission.moves = work.game.version + 1, len(given.moves)
    cause = MoveCause.ROBOT if submission.via == "robot" else MoveCause.PLAYER
    why = None if submission.why is None else reason_from_json(submission.why)
    for number, tried in enumerate(given.moves, 1):
        state, chance = work.state, progress.chance_at(work)
        known = tried.holds(state, seat, chance.source, sheet.colours)
        step = tried.step if known else sheet.play(state, seat, (tried.move,), chance)
        work.game.version, after = work.game.version + 1, step.state
        entry = progress.Entry(seat, written(step.played), cause, sheet.turn(state), sheet.phase(state), why)
        if number < len(given.moves):
            progress.write_down_first(work, entry, step, chance)
        else:
            hold = PAGE_GOES_ON if submission.via == "page" else timedelta(0)
            progress.write_down(work, entry, step, chance, hold=hold)
    seat_changes.answered(work, seat)
    return after


def _played_before(work: GameWork, submission: Submission, version: int) -> int:
    """The number of the move if it is this very order that was played then; else raises :class:`Refused`."""
    answer = work.session.get(tables.Move, (work.game.id, version + 1))
    if answer is None or answer.seat != submission.seat:
        raise Refused(refuse("", "These orders are for another position of the game; nothing was changed."))
    if answer.taken_back_by is not None:
        raise Refused(refuse("", "That answer was taken back; answer the current question."))
    state: State = work.sheet.decode(work.session.get_one(tables.Move, (work.game.id, version)).state)
    if written(_read(work, state, submission)) == answer.orders:
        return answer.number
    raise Refused(refuse("", "That question has been answered with “{orders}”.", orders=Typed(answer.orders)))


def _reader(work: GameWork) -> PlainReader:
    return PlainReader(work.sheet, work.state, {seat.colour: seat.name for seat in work.seats})


def _refuse(work: GameWork, submission: Submission, refusal: Refusal, line: int, *, understood: bool = True) -> None:
    submission.status, submission.done_at = SubmissionStatus.REFUSED, work.now
    why = refusal.why
    if submission.version == work.game.version and work.game.to_act == submission.seat and not refusal.whole:
        place = (line, refusal.step)
        with reading(_language(work, submission)):
            why = similar.with_what_is_allowed(why, work.sheet, work.state, submission.text, place)
    submission.sentence, submission.rule = say_to_json(why), refusal.rule
    submission.line, submission.step = line, refusal.step
    seat = work.seat(submission.seat)
    if submission.via != "robot":
        refusals.tell(work, seat, submission, f"refused:{submission.id}", understood=understood)
    elif seat.robot and work.game.robot_at is not None and submission.version == work.game.version:
        work.game.clock = dataclasses.replace(work.game.clock, robot_at=work.now)
        progress.call_robot(work)


def _echo(work: GameWork, submission: Submission, read: Read) -> None:
    """Who has answered by mail sees by mail what was understood, unless a question tells it soon.

    In a lesson it does. What only waits, was withdrawn, or clashes, no question tells: that is told at once. Orders
    that were literal are told by the next question whenever it comes: their writer has learnt by the first letter of
    the game that silence means played.
    """
    seat = work.seat(submission.seat)
    follows = submission.move_number is not None and (work.game.to_act == submission.seat or work.game.lesson)
    told = follows or (read.literal and _has_answered(work, submission))
    if work.game.status != GameStatus.RUNNING or (told and not read.clashes):
        return
    wait = timedelta(0) if submission.move_number is None or read.clashes else QUESTIONS_TELL
    work.write_to(seat, Played(submission.id, read.clashes), f"played:{submission.id}", wait=wait)


def _has_answered(work: GameWork, submission: Submission) -> bool:
    """Whether an earlier email of the seat was confirmed."""
    seat = work.seat(submission.seat)
    confirmed = select(Letter.id).where(
        Letter.game_id == work.game.id,
        Letter.seat_number == seat.number,
        Letter.account_id == seat.account_id,
        Letter.kind == Played.kind,
        Letter.status != Sending.WITHDRAWN,
    )
    return work.session.scalar(confirmed.limit(1)) is not None
