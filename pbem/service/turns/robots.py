"""What robots order: the one door through which the service asks them, for seats of their own and for caretakers."""

import hashlib
import logging
from collections.abc import Mapping

from sqlalchemy import func, select
from sqlalchemy.orm import aliased

from pbem.engine import BadMove, Move, Refused, Sheet, State, Value
from pbem.engine.chance import Chance
from pbem.robot import opponents
from pbem.robot.opponents import Answer
from pbem.service.base import GameWork
from pbem.service.turns import progress
from pbem.store.tables import Result

__all__ = ["Answer", "Position", "caretaker", "for_caretaker", "orders", "position"]

log = logging.getLogger(__name__)


class Position(Value):
    """What a robot is asked: everything it takes to think without the database.

    ``seed``: of its own chance, the same for the same seat of the same game; nothing of the game's dice is in it.
    ``record``: for a robot that adapts, which of their earlier games against it the only person of the game has won.
    """

    game: str
    version: int
    sheet: Sheet
    state: State
    options: Mapping[str, str]
    seat: str
    robot: str
    seed: str
    record: tuple[bool, ...] = ()


def position(work: GameWork, seat: str, robot: str) -> Position:
    seed, game = _seed(work, "robot", seat), work.game
    record = _record(work, robot) if opponents.adapts([robot]) else ()
    return Position(game.id, game.version, work.sheet, work.state, dict(game.options), seat, robot, seed, record)


def _record(work: GameWork, robot: str) -> tuple[bool, ...]:
    """Which games before this one its only person has won against this robot, by coming in before it."""
    people = [seat.account_id for seat in work.seats if not seat.robot]
    if len(people) != 1 or people[0] is None:
        return ()
    own, other = aliased(Result), aliased(Result)
    earlier = (
        select(own.place < func.min(other.place))
        .join(other, other.game_id == own.game_id)
        .where(own.who == f"a{people[0]}", other.who == f"r{robot}", own.ended_at < work.game.started_at)
        .group_by(own.game_id, own.number)
        .order_by(own.ended_at, own.game_id)
    )
    return tuple(map(bool, work.session.scalars(earlier)))


def orders(asked: Position) -> Answer:
    try:
        return opponents.decide(asked.sheet, asked.state, asked.robot, asked.seed, asked.options, asked.record)
    except Exception:
        log.exception("robot %s has no answer in game %s", asked.robot, asked.game, extra={"game": asked.game})
        return Answer(str(asked.sheet.default(asked.state)))


def for_caretaker(work: GameWork, seat: str) -> tuple[Move, ...]:
    """What a caretaker plays in the position of the game; the same in the same position of the same game."""
    sheet, state, game = work.sheet, work.state, work.game
    seed = _seed(work, "caretaker", sheet.place(state))
    return caretaker(sheet, state, seat, seed, dict(game.options), progress.chance_at(work))


def caretaker(
    sheet: Sheet, state: State, seat: str, seed: str, options: Mapping[str, str], chance: Chance
) -> tuple[Move, ...]:
    """What a caretaker plays for the seat that is asked, within about 0.2 seconds: orders that can be played."""
    try:
        moves = sheet.parse(state, opponents.caretaker(sheet, state, seed, options).orders, {})
        sheet.play(state, seat, moves, chance)
    except (BadMove, Refused):  # it plans with dice of its own, and may be wrong about what it may do
        return (sheet.default(state),)
    except Exception:  # the game goes on, whatever keeps a caretaker from thinking
        log.exception("the caretaker has no answer on %s", sheet.slug)
        return (sheet.default(state),)
    return moves


def _seed(work: GameWork, *about: str) -> str:
    return hashlib.sha256(b"|".join([work.game.seed, *(word.encode() for word in about)])).hexdigest()
