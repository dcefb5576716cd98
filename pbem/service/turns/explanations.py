"""What answers to a question lead to, for its player: asked for as a row, played on in thought by a worker in slices.

The only place that writes ``explanations``.
"""

from collections.abc import Mapping, Sequence
from datetime import datetime, timedelta
from typing import Any

from sqlalchemy import delete, func, or_, select
from sqlalchemy.orm import Session

from pbem.engine import Say, Value, say, say_from_json, say_to_json
from pbem.robot.tutor import Compared, Ending, compare
from pbem.service.base import GameWork, NotNow, Office, queries
from pbem.service.base.task_hints import explain_hint
from pbem.store.statuses import GameStatus
from pbem.store.tables import Explanation

FIRST, ENOUGH = 2, 8
"""How often every answer is played on before somebody sees it, and at the most."""
LONGEST = 60.0
"""Seconds of thought after which no answer is played on more often than the others."""
LEASE = timedelta(minutes=1)
"""How long a worker has for a slice before another may take the question in hand."""
TRIES = 3
KEPT = timedelta(days=3)
MOST_WAITING = 20
AT_ONCE = 5

Endings = Mapping[str, tuple[Ending, ...]]


class Explained(Value):
    """What is known of the answers to a question. ``endings``: by order, ``reasons``: a robot's, where it has some.

    ``done``: nothing more will come; ``spent``: seconds of thought so far.
    """

    endings: Endings
    reasons: Mapping[str, Say | None]
    done: bool = False
    spent: float = 0.0

    @property
    def number(self) -> int:
        """How often each answer was played on."""
        return min(map(len, self.endings.values()), default=0)

    @property
    def compared(self) -> tuple[Compared, ...]:
        """What the answers came to, the best first; nothing before it says something."""
        return compare(self.endings) if self.number >= FIRST else ()


class ExplanationJob(Value):
    """A question that is to be explained, and what is known of it so far."""

    id: int
    game: str
    version: int
    known: Explained


def may_be(robots: Sequence[bool]) -> bool:
    """Whether decisions are explained where these seats are robots': all but one."""
    return len(robots) > 1 and sum(robots) == len(robots) - 1


def ask(office: Office, game_id: str, version: int, now: datetime) -> None:
    """Have the question of a position explained, unless it is or will be.

    Raises ``NoSuch``, and :class:`NotNow` in games with other people, for a question that is not open, or when too many
    wait.
    """
    with office.game(game_id, now) as work:
        if not may_be([bool(seat.robot) for seat in work.seats]):
            raise NotNow(say("Decisions are explained only in games against robots."))
        if work.game.status != GameStatus.RUNNING or work.game.version != version:
            raise NotNow(say("This question is no longer open."))
        waiting = select(func.count()).where(Explanation.done.is_(False))
        if work.session.scalars(waiting).one() >= MOST_WAITING:
            raise NotNow(say("Robots are busy with other questions. Try again in a minute."))
        enter(work)


def enter(work: GameWork) -> None:
    """Enter the open question of a game, unless it stands there; its earlier ones go, and what is old."""
    game, session = work.game, work.session
    if _of(session, game.id, game.version) is not None:
        return
    session.execute(delete(Explanation).where(Explanation.game_id == game.id))
    session.execute(delete(Explanation).where(Explanation.asked_at <= work.now - KEPT))
    new = Explanation(game_id=game.id, version=game.version, asked_at=work.now, tries=0, done=False)
    session.add(new)
    session.flush()
    work.hints.append(explain_hint(new.id))


def of_position(office: Office, game_id: str, version: int) -> Explained | None:
    """What is known of a question, ``None`` when nobody has asked."""
    with office.read() as session:
        row = _of(session, game_id, version)
        return None if row is None else _explained(row)


def claim(office: Office, explanation_id: int, now: datetime) -> ExplanationJob | None:
    """Take a question in hand for a slice, unless it is done, in other hands, has failed too often, or has been
    answered."""
    with office.work(now) as work:
        row = work.session.get(Explanation, explanation_id, with_for_update=True)
        if row is None or row.done or (row.claimed_until is not None and row.claimed_until > now):
            return None
        game = queries.game(work.session, row.game_id)
        if row.tries >= TRIES or not (game.status == GameStatus.RUNNING and game.version == row.version):
            row.done = True
            return None
        row.tries, row.claimed_until = row.tries + 1, now + LEASE
        return ExplanationJob(row.id, row.game_id, row.version, _explained(row))


def keep(office: Office, job: ExplanationJob, found: Explained, now: datetime) -> None:
    """Keep what a slice has found; unless that was the last one, the question waits for the next."""
    with office.work(now) as work:
        row = work.session.get(Explanation, job.id, with_for_update=True)
        if row is None:
            return
        row.found, row.done, row.claimed_until, row.tries = _to_json(found), found.done, None, 0
        if not row.done:
            work.hints.append(explain_hint(row.id))


def look(office: Office, until: datetime, now: datetime) -> Sequence[int]:
    """Questions that were asked for before ``until`` and that no worker has in hand."""
    free = or_(Explanation.claimed_until.is_(None), Explanation.claimed_until <= now)
    waiting = select(Explanation.id).where(Explanation.done.is_(False), Explanation.asked_at <= until, free)
    with office.read() as session:
        return session.scalars(waiting.order_by(Explanation.asked_at).limit(AT_ONCE)).all()


def _of(session: Session, game_id: str, version: int) -> Explanation | None:
    here = Explanation.game_id == game_id, Explanation.version == version
    return session.scalar(select(Explanation).where(*here))


def _to_json(found: Explained) -> dict[str, Any]:
    answers = {
        order: {
            "why": say_to_json(why) if (why := found.reasons.get(order)) else None,
            "endings": [[end.points, end.place, end.lead] for end in ends],
        }
        for order, ends in found.endings.items()
    }
    return {"spent": found.spent, "answers": answers}


def _explained(row: Explanation) -> Explained:
    stored = row.found["answers"] if row.found else {}
    endings = {order: tuple(Ending(*end) for end in one["endings"]) for order, one in stored.items()}
    reasons = {order: say_from_json(one["why"]) if one["why"] else None for order, one in stored.items()}
    return Explained(endings, reasons, row.done, row.found["spent"] if row.found else 0.0)
