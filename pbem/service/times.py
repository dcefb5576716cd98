"""What time does to a game: a reminder, and at the end of it the default order."""

from __future__ import annotations

from datetime import datetime

from sqlalchemy import select
from sqlalchemy.orm import Session

from pbem.service import clocks, letters, progress, rows
from pbem.service.hints import Hint
from pbem.service.office import Office
from pbem.service.play import play_waiting
from pbem.store.tables import Game, Submission


def deadline(office: Office, game_id: str, now: datetime) -> bool:
    """Play the default order if the time of the seat to act is over; returns whether that was so.

    Orders that came in first are played first. A game with stuck orders for this position waits for us.
    """
    play_waiting(office, game_id, now)
    with office.write() as (session, hints):
        game = rows.locked(session, game_id)
        over = game.status == "running" and game.deadline_at is not None and game.deadline_at <= now
        if not over or _has_open_orders(session, game):
            return False
        _play_default(session, hints, game, now)
        return True


def remind(office: Office, game_id: str, now: datetime) -> bool:
    """Write the reminder that is due, if one is, and set the next; returns whether it was."""
    with office.write() as (session, hints):
        game = rows.locked(session, game_id)
        due = game.status == "running" and game.remind_at is not None and game.remind_at <= now
        if not due or game.deadline_at is None or game.deadline_at <= now:
            return False
        clocks.reminded(session, game, now)
        seat = rows.seat(session, game_id, game.to_act)
        if seat.account_id is not None:
            key = f"reminder:{game_id}:{game.version}:{now:%Y%m%d%H%M%S}"
            letters.write(
                session, hints, "reminder", key, seat.account_id, now, game=game, seat=seat, version=game.version
            )
        return True


def _has_open_orders(session: Session, game: Game) -> bool:
    open_orders = select(Submission.id).where(
        Submission.game_id == game.id,
        (Submission.status == "waiting") | ((Submission.status == "stuck") & (Submission.version == game.version)),
    )
    return session.scalar(open_orders.limit(1)) is not None


def _play_default(session: Session, hints: list[Hint], game: Game, now: datetime) -> None:
    sheet = rows.sheet(game)
    state = sheet.decode(game.state)
    seat = rows.seat(session, game.id, game.to_act)
    order = sheet.default(state)
    chance = progress.chance_at(game, sheet, state)
    step = sheet.play(state, seat.colour, (order,), chance)
    game.version += 1
    if seat.account_id is not None:
        key = f"default-played:{game.id}:{game.version}"
        letters.write(
            session, hints, "default-played", key, seat.account_id, now, game=game, seat=seat, version=game.version
        )
    entry = progress.Entry(seat.colour, str(order), "deadline", sheet.turn(state), sheet.phase(state))
    progress.write_down(session, hints, game, entry, step, chance, now)
