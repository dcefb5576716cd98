"""Writing down that a game went on: the move, the new position, the time there is, and the letters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime, timedelta

from sqlalchemy.orm import Session

from pbem.engine.chance import NotedChance, SeededChance
from pbem.engine.events import tell
from pbem.engine.phase import Step
from pbem.engine.record import digest
from pbem.engine.sheet import Sheet, State
from pbem.service import letters, rows
from pbem.service.hints import Hint
from pbem.store.tables import Game, Move, Seat

REMIND_AT = 2 / 3
"""The part of the time after which there is a reminder."""


@dataclass(frozen=True, slots=True)
class Entry:
    """What is written down about one move beside the step it led to."""

    seat: str
    orders: str
    cause: str
    turn: int
    phase: str


def chance_at(game: Game, sheet: Sheet, state: State) -> NotedChance:
    """The dice of the game from this position on."""
    return NotedChance(SeededChance(game.seed, sheet.place(state)))


def write_down(
    session: Session, hints: list[Hint], game: Game, entry: Entry, step: Step[State], chance: NotedChance, now: datetime
) -> None:
    """Add the move that led to ``step``, make it the position of the game, and write to whom it concerns."""
    sheet = rows.sheet(game)
    game.state = sheet.encode(step.state)
    session.add(
        Move(
            game_id=game.id,
            number=game.version,
            seat=entry.seat,
            turn=entry.turn,
            phase=entry.phase,
            orders=entry.orders,
            cause=entry.cause,
            chance=list(chance.notes),
            events=[tell(event) for event in step.events],
            state=game.state,
            digest=digest(sheet, step.state),
            at=now,
        )
    )
    game.turn, game.phase = sheet.turn(step.state), sheet.phase(step.state)
    players = rows.seats(session, game.id)
    if sheet.over(step.state):
        _end(session, hints, game, players, now)
    else:
        _ask(session, hints, game, players, sheet.to_act(step.state) or "", now)


def _ask(session: Session, hints: list[Hint], game: Game, players: Sequence[Seat], colour: str, now: datetime) -> None:
    time = timedelta(seconds=game.turn_seconds)
    game.to_act, game.waiting_since, game.reminded_at = colour, now, None
    game.deadline_at, game.remind_at = now + time, now + time * REMIND_AT
    for seat in players:
        if seat.colour == colour and seat.account_id is not None:
            key = f"your-turn:{game.id}:{game.version}"
            letters.write(
                session, hints, "your-turn", key, seat.account_id, now, game=game, seat=seat, version=game.version
            )


def _end(session: Session, hints: list[Hint], game: Game, players: Sequence[Seat], now: datetime) -> None:
    game.status, game.ended_at, game.to_act = "over", now, ""
    game.waiting_since = game.deadline_at = game.remind_at = game.reminded_at = None
    for seat in players:
        if seat.account_id is not None:
            key = f"game-over:{game.id}:{seat.number}"
            letters.write(
                session, hints, "game-over", key, seat.account_id, now, game=game, seat=seat, version=game.version
            )
