"""Writing down that a game went on: the move, the new position, the time there is, and the letters."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from datetime import datetime

from sqlalchemy.orm import Session

from pbem.engine.chance import NotedChance, SeededChance
from pbem.engine.events import tell
from pbem.engine.phase import Step
from pbem.engine.record import digest
from pbem.engine.sheet import Sheet, State
from pbem.service import clocks, grace, letters, rows
from pbem.service.hints import Hint
from pbem.store.tables import Game, Move, Seat


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
    clocks.answered(session, game, now)
    add(session, game, entry, step, chance.notes, now)
    asked = sheet.to_act(step.state) or ""
    revealed = grace.reveals(chance.notes, step.events)
    game.grace_until = grace.until(game, entry.cause, entry.seat, asked, revealed, now)
    if sheet.over(step.state):
        _end(session, hints, game, rows.seats(session, game.id), now)
    else:
        ask(session, hints, game, asked, now)


def add(
    session: Session, game: Game, entry: Entry, step: Step[State], chance: Sequence[dict[str, object]], now: datetime
) -> None:
    """Add an entry with number ``game.version`` to the log and make ``step`` the position; nobody is asked yet."""
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
            chance=list(chance),
            events=[tell(event) for event in step.events],
            state=game.state,
            digest=digest(sheet, step.state),
            at=now,
            asked_at=game.waiting_since,
            deadline_at=game.deadline_at,
        )
    )
    game.turn, game.phase = sheet.turn(step.state), sheet.phase(step.state)


def ask(session: Session, hints: list[Hint], game: Game, colour: str, now: datetime) -> None:
    """Ask this seat what the position asks; the letter and the time wait for the end of the grace time."""
    wait = grace.wait(game, now)
    clocks.ask(session, game, colour, now, told=now + wait)
    seat = rows.seat(session, game.id, colour)
    if seat.account_id is not None:
        key = f"your-turn:{game.id}:{game.version}"
        version = game.version
        letters.write(
            session, hints, "your-turn", key, seat.account_id, now, game=game, seat=seat, version=version, wait=wait
        )


def _end(session: Session, hints: list[Hint], game: Game, players: Sequence[Seat], now: datetime) -> None:
    game.status, game.ended_at, game.to_act = "over", now, ""
    clocks.stop(game)
    for seat in players:
        if seat.account_id is not None:
            key = f"game-over:{game.id}:{seat.number}"
            letters.write(
                session, hints, "game-over", key, seat.account_id, now, game=game, seat=seat, version=game.version
            )
