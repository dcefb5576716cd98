"""What robots order: the one door through which the service asks them, for seats of their own and for caretakers."""

from __future__ import annotations

import hashlib
import logging
from dataclasses import dataclass

from pbem.engine.moves import BadMove, Move, Refused
from pbem.engine.sheet import Sheet, State
from pbem.engine.text import Say
from pbem.robot import characters
from pbem.service.base.work import GameWork
from pbem.service.turns import progress

log = logging.getLogger(__name__)


@dataclass(frozen=True, slots=True)
class Position:
    """What a robot is asked: everything it takes to think without the database.

    ``seed``: of its own chance, the same for the same position of the same game and nothing of the game's dice.
    """

    game: str
    version: int
    sheet: Sheet
    state: State
    seat: str
    character: str
    seed: bytes


@dataclass(frozen=True, slots=True)
class Answer:
    """Orders as text, and in one sentence why; without a reason they are the safe orders of the sheet."""

    orders: str
    why: Say | None = None


def position(work: GameWork, seat: str, character: str) -> Position:
    """What this robot is asked in the position of the game."""
    drawn = hashlib.sha256(b"robot" + work.game.seed + work.sheet.place(work.state).encode() + seat.encode())
    return Position(work.game.id, work.game.version, work.sheet, work.state, seat, character, drawn.digest())


def orders(asked: Position) -> Answer:
    """What the robot orders; the safe orders of the sheet where an error of ours keeps it from thinking."""
    try:
        decision = characters.decide(asked.sheet, asked.state, asked.seat, asked.character, asked.seed)
    except Exception:
        log.exception("robot %s has no answer in game %s", asked.character, asked.game, extra={"game": asked.game})
        return Answer(str(asked.sheet.default(asked.state)))
    return Answer(decision.orders, decision.why)


def for_caretaker(work: GameWork, seat: str) -> tuple[tuple[Move, ...], Say | None]:
    """What a caretaker plays in the position of the game, and why."""
    sheet, state = work.sheet, work.state
    answer = orders(position(work, seat, characters.QUICK))
    try:
        moves = sheet.parse(state, answer.orders, {})
        sheet.play(state, seat, moves, progress.chance_at(work))
    except (BadMove, Refused):  # it plans with dice of its own, and may be wrong about what it may do
        return (sheet.default(state),), None
    return moves, answer.why
