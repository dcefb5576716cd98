"""Orders become rows: the same ones once, whoever plays the seat is known to be back."""

import hashlib

from sqlalchemy import func, select
from sqlalchemy.orm import Session

from pbem.engine import Value, replace
from pbem.robot.reasons import Reason, reason_to_json
from pbem.service.base import Work, queries
from pbem.service.turns import caretaker
from pbem.store.statuses import SubmissionStatus
from pbem.store.tables import Submission
from pbem.store.upserts import insert_unless_known


class NewSubmission(Value):
    """Orders of a seat as they came in.

    ``version`` is the position they answer, ``None`` for whatever is asked when they are played. ``via``: page
    api mail, and robot for orders with a reason ``why`` from a robot that has the seat. ``source`` tells what came in
    (a Message-ID); the same source, or without one the same text for the same version, is the same submission.
    """

    seat: str
    text: str
    version: int | None
    via: str
    source: str = ""
    why: Reason | None = None


def taken_in(work: Work, game_id: str, new: NewSubmission, caretaker_plays: bool | None) -> tuple[int, bool]:
    """The row of these orders, a new one or that of the same ones that came before, and whether they wait.

    ``caretaker_plays``: for the seat that has sent them; ``None``: there is no such seat.

    Orders without a source that are sent once more after an error of ours had set the same ones aside are new ones.
    """
    source = again = new.source or _source(work.session, game_id, new)
    while (number := inserted(work, game_id, replace(new, source=again))) is None:
        row = known(work.session, again)
        if new.source or row.status != SubmissionStatus.STUCK:
            _is_back(work, game_id, new.seat)
            return row.id, row.status == SubmissionStatus.WAITING
        again = f"{source}:{row.id}"
    if caretaker_plays is not False:
        _is_back(work, game_id, new.seat)
    return number, True


def _is_back(work: Work, game_id: str, colour: str) -> None:
    """The player of a seat has sent something. Raises :class:`NoSuch` for no such seat."""
    game = work.lock(game_id)
    caretaker.leave(game, game.seat(colour))


def inserted(work: Work, game_id: str, new: NewSubmission) -> int | None:
    """The number of a new row; ``None`` when there is a row with its source."""
    values = {
        "game_id": game_id,
        "seat": new.seat,
        "version": new.version,
        "text": new.text,
        "source": new.source,
        "via": new.via,
        "why": None if new.why is None else reason_to_json(new.why),
        "status": SubmissionStatus.WAITING,
        "received_at": work.now,
    }
    return insert_unless_known(work.session, Submission, "source", values)


def known(session: Session, source: str) -> Submission:
    return session.scalars(select(Submission).where(Submission.source == source)).one()


def _source(session: Session, game_id: str, new: NewSubmission) -> str:
    """What is the same for the same orders; those that answer no certain position: twice in a row in one position."""
    if new.version is not None:
        return _named(game_id, new, new.seat, new.version)
    other = select(func.max(Submission.id)).where(
        Submission.game_id == game_id, Submission.seat == new.seat, Submission.text != new.text
    )
    version = queries.game(session, game_id).version
    return _named(game_id, new, f"{new.seat}:{session.scalar(other) or 0}", version)


def _named(game_id: str, new: NewSubmission, place: str, version: int) -> str:
    same = hashlib.sha256(new.text.encode()).hexdigest()[:32]
    return f"{game_id}:{place}:{version}:{same}"
