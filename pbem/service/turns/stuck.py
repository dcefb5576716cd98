"""Orders that ran into an error of ours: set aside, reported, and played once the error is fixed."""

from collections.abc import Sequence
from datetime import datetime

from sqlalchemy import select, update

from pbem.engine import Say, Value, say, say_to_json
from pbem.service.base import GameWork, NewLetter, Office, Work, queries
from pbem.service.base.task_hints import play_hint
from pbem.service.letters import refusals
from pbem.service.letters.kinds.orders import SubmissionStuck
from pbem.service.people import accounts
from pbem.store.statuses import GameStatus, SubmissionStatus
from pbem.store.tables import Account, Game, Seat, Submission

BROKEN: Say = say("There was an error on our side, so these orders were not played. Send them again, or send others.")
MOVED_ON: Say = say("There was an error on our side, and the game moved on before these orders could be played.")


class StuckView(Value):
    """Orders that were set aside. ``answer``: whether what they answer is still asked, so that they can be played."""

    submission: int
    game: str
    title: str
    since: datetime
    answer: bool


def set_aside(office: Office, submission_id: int, now: datetime) -> None:
    """Orders could not be played because of an error of ours: nothing has changed, sender and host are told."""
    with office.work(now) as begun:
        submission = begun.session.get_one(Submission, submission_id)
        work = begun.lock(submission.game_id)
        work.session.refresh(submission)
        if submission.status != SubmissionStatus.WAITING:
            return
        submission.status, submission.done_at, submission.sentence = SubmissionStatus.STUCK, now, say_to_json(BROKEN)
        seat = work.seat(submission.seat)
        tell(work, seat, "submission", submission.id)
        refusals.tell(work, seat, submission, f"not-played:{submission.id}")


def tell(work: GameWork, seat: Seat, what: str, number: int) -> None:
    """Write to the host of the game and to who runs the server that orders of a seat could not be played.

    ``what``: submission, or order (a standing order); ``number``: its row. Nobody is told twice of the same
    one. The sender is told by whoever calls.
    """
    host = work.game.host_id if work.game.host_id != seat.account_id else None
    operator = _operator(work)
    for account_id in dict.fromkeys(number for number in (operator, host) if number is not None):
        how = "operator" if account_id == operator else "host"
        told, key = SubmissionStuck(seat.name, how, what, number), f"stuck:{what}:{number}:{how}"
        work.write(NewLetter(told, key, account_id, work.game, work.seat_of(account_id), work.game.version))


def of_all(office: Office) -> tuple[StuckView, ...]:
    """What is set aside, longest ago first."""
    query = (
        select(Submission, Game)
        .join(Game, Game.id == Submission.game_id)
        .where(Submission.status == SubmissionStatus.STUCK)
    )
    with office.read() as session:
        return tuple(
            StuckView(row.id, game.id, game.title, row.done_at or row.received_at, _answers(game, row))
            for row, game in session.execute(query.order_by(Submission.id))
        )


def play_again(office: Office, numbers: Sequence[int], now: datetime) -> dict[int, bool]:
    """Let orders that were set aside be played; tells for each whether it can be.

    One that answers nothing any more is closed, and no letter says so. Numbers that are not set aside are left out.
    """
    played: dict[int, bool] = {}
    for number in numbers:
        with office.work(now) as work:
            found = work.session.get(Submission, number)
            game = None if found is None else queries.locked(work.session, found.game_id)
            if found is None or game is None:
                continue
            work.session.refresh(found)
            if found.status == SubmissionStatus.STUCK:
                played[number] = _answers(game, found)
                _wake(work, found) if played[number] else _close(found, now)
    return played


def leave(work: GameWork, seat: Seat) -> None:
    """The seat has changed hands: what its former player had sent is not for whoever comes after."""
    of_seat = (
        Submission.game_id == work.game.id,
        Submission.seat == seat.colour,
        Submission.status == SubmissionStatus.STUCK,
    )
    closed = {"status": SubmissionStatus.REFUSED, "done_at": work.now, "sentence": say_to_json(MOVED_ON)}
    work.session.execute(update(Submission).where(*of_seat).values(closed))


def _wake(work: Work, submission: Submission) -> None:
    submission.status, submission.done_at, submission.seen_at = SubmissionStatus.WAITING, None, None
    submission.sentence = None
    work.hints.append(play_hint(submission.game_id))


def _close(submission: Submission, now: datetime) -> None:
    submission.status, submission.done_at, submission.sentence = SubmissionStatus.REFUSED, now, say_to_json(MOVED_ON)


def _answers(game: Game, submission: Submission) -> bool:
    return game.status == GameStatus.RUNNING and submission.version in (None, game.version)


def _operator(work: Work) -> int | None:
    address = work.operator
    if not address:
        return None
    reader: Account = accounts.account(work.session, address, "", work.now)
    work.session.flush()
    return reader.id
