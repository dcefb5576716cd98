"""Robots in seats: asked like everybody, they think without any lock and send their orders through the same door."""

from dataclasses import replace
from datetime import datetime, timedelta

from sqlalchemy import select

from pbem.engine import say
from pbem.service.base import NotNow, Office
from pbem.service.base.task_hints import play_hint
from pbem.service.games import opening, seat_changes
from pbem.service.games.new_games import known_robot
from pbem.service.orders.submissions import NewSubmission, submit
from pbem.service.turns import robots
from pbem.service.turns.robots import Answer, Position
from pbem.store.statuses import GameStatus, SeatStatus, SubmissionStatus
from pbem.store.tables import Account, Submission

LEASE = timedelta(minutes=2)
"""How long one process has to think before another may try; far more than any robot needs."""


def think(office: Office, game_id: str, now: datetime) -> bool:
    """Let the robot that is asked think and send its orders; returns whether it was its time.

    A second hint for the same question does nothing while the first is in hand. A process that is killed while it
    thinks leaves the question to the clock. Raises ``NoSuch``.
    """
    taken = _take(office, game_id, now)
    if taken is None:
        return False
    asked, source, safe = taken
    answer = Answer(str(asked.sheet.default(asked.state))) if safe else robots.orders(asked)
    new = NewSubmission(asked.seat, answer.orders, asked.version, "robot", source, answer.why)
    submit(office, game_id, new, now)
    return True


def _take(office: Office, game_id: str, now: datetime) -> tuple[Position, str, bool] | None:
    """What the robot is to answer, the source of its submission, one for each try, and whether it is not to think; if
    its time has come and nobody else thinks for it."""
    with office.game(game_id, now) as work:
        game = work.game
        if game.status != GameStatus.RUNNING or game.robot_at is None or game.robot_at > now:
            return None
        seat = work.seat(game.to_act)
        game.clock = replace(game.clock, robot_at=now + LEASE)
        source = f"robot:{game.id}:{game.version}"
        sent = work.session.scalar(select(Submission.status).where(Submission.source == source))
        if sent is None:
            return robots.position(work, seat.colour, seat.robot), source, False
        if sent == SubmissionStatus.REFUSED:
            return robots.position(work, seat.colour, seat.robot), f"{source}:safe", True
        if sent == SubmissionStatus.WAITING:
            work.hints.append(play_hint(game_id))
        return None  # what is stuck waits for the deadline, as the orders of people do


def sit_down(office: Office, game_id: str, host_id: int, number: int, robot: str, now: datetime) -> None:
    """The host gives a seat to a robot: one that nobody has, or whose invitation nobody has accepted.

    Raises :class:`NotNow`, and ``BadInput`` for an unknown robot.
    """
    known_robot(robot)
    with office.game(game_id, now) as work:
        seat = work.numbered(number)
        if work.game.host_id != host_id:
            raise NotNow(say("Only the host can give a seat to a robot."))
        if work.game.status == GameStatus.OPEN:
            if seat.robot or seat.status == SeatStatus.ACCEPTED:
                raise NotNow(say("This seat is taken."))
            opening.seat_robot(work, seat, robot, work.session.get_one(Account, host_id))
            return
        seat_changes.runs(work.game)
        if seat.robot or seat.account_id is not None:
            raise NotNow(say("This seat is not free."))
        seat_changes.robot_sits_down(work, seat, robot)
