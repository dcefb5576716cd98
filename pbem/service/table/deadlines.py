"""What time does to a game: reminders, and at the end of it the default order or a caretaker."""

from __future__ import annotations

from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.orm import Session, defer

from pbem.service.base import queries
from pbem.service.base.office import Office
from pbem.service.base.task_hints import Hint
from pbem.service.clocks import asked, game_clock
from pbem.service.clocks.asked import Asked
from pbem.service.outbox import digests, letters, schedule, webhook_messages
from pbem.service.table import ending, seat_changes
from pbem.service.table.submissions import play_waiting
from pbem.service.turns import audit_log, caretaker, progress
from pbem.store.tables import Game, Letter, Seat, Submission


def deadline(office: Office, game_id: str, now: datetime) -> bool:
    """Play for the seat to act if its time is over, as its host chose; returns whether that was so.

    Orders that came in first are played first. A game with stuck orders for this position waits for us,
    once more as long as for an answer.
    """
    play_waiting(office, game_id, now)
    with office.write() as (session, hints):
        game = queries.locked(session, game_id)
        over = game.status == "running" and game.deadline_at is not None and game.deadline_at <= now
        if not over or _has_open_orders(session, game, now):
            return False
        _play_for(session, hints, game, now)
        return True


def remind(office: Office, game_id: str, now: datetime) -> bool:
    """Write the reminder that is due, if one is, and set the next; returns whether it was."""
    return remind_all(office, [game_id], now) == 1


def remind_all(office: Office, game_ids: Sequence[str], now: datetime) -> int:
    """The same for many games in one transaction; returns in how many a reminder was due.

    A game that somebody else changes at the moment is left for the next look.
    """
    if not game_ids:
        return 0
    due = (Game.id.in_(game_ids), Game.status == "running", Game.remind_at <= now, Game.deadline_at > now)
    with office.write() as (session, hints):
        found = select(Game).where(*due).order_by(Game.id).with_for_update(skip_locked=True)
        games = session.scalars(found.options(defer(Game.state), defer(Game.imported))).all()
        everybody = asked.in_games(session, games)
        held = digests.held_back(session, [game.id for game in games], now)
        new: list[letters.NewLetter] = []
        still: list[tuple[Game, Seat]] = []
        for game in games:
            who = everybody[game.id]
            if who.seat is not None:
                still.append((game, who.seat))
                game_clock.reminded(game, who.seat, who.calendar, who.steps, now)
                new += _reminder(session, hints, game, who, held.get((game.id, who.seat.account_id)), now)
        letters.write_all(session, hints, new, now)
        webhook_messages.remind(session, hints, still, now)
        return len(games)


def _reminder(
    session: Session, hints: list[Hint], game: Game, who: Asked, held: Letter | None, now: datetime
) -> list[letters.NewLetter]:
    """A question that was held back goes now and is its own reminder, unless its reader has muted the game."""
    if who.account is None:
        return []
    if held is None:
        key = f"reminder:{game.id}:{game.version}:{now:%Y%m%d%H%M%S}"
        return [letters.NewLetter("reminder", key, who.account.id, game, who.seat, game.version)]
    if schedule.mode(session, who.account, game.id) != "mute":
        digests.release(hints, held, now)
    return []


def _has_open_orders(session: Session, game: Game, now: datetime) -> bool:
    for_us = game.deadline_at is not None and now < game.deadline_at + timedelta(seconds=game.turn_seconds)
    status = ["waiting", "stuck"] if for_us else ["waiting"]
    open_orders = select(Submission.id).where(
        Submission.game_id == game.id,
        Submission.status.in_(status),
        (Submission.status == "waiting") | (Submission.version == game.version),
    )
    return session.scalar(open_orders.limit(1)) is not None


def _play_for(session: Session, hints: list[Hint], game: Game, now: datetime) -> None:
    """Play for the seat whose time is over, and tell its player."""
    seat = queries.seat(session, game.id, game.to_act)
    if seat.caretaker_since is not None:
        _play(session, hints, game, seat, "caretaker", now)
    elif game.at_zero == "caretaker":
        seat.caretaker_since = now
        _play(session, hints, game, seat, "caretaker", now)
    elif game.at_zero == "substitute" and seat_changes.offer_seat(session, hints, game, seat, now):
        _wait_for_substitute(session, hints, game, seat, now)
    else:
        _play(session, hints, game, seat, "default-played", now)


def _wait_for_substitute(session: Session, hints: list[Hint], game: Game, asked: Seat, now: datetime) -> None:
    """The game waits once more as long as for an answer, and everybody is told."""
    game.counted_from, game.spent_seconds, asked.reserve_seconds = now, 0, 0
    game_clock.set_anew(session, game)
    assert game.deadline_at is not None
    data = {"person": asked.name, "until": game.deadline_at.isoformat()}
    offer = seat_changes.open_offer(session, game, asked)
    to_host = {} if offer is None else {"offer": offer.id}
    for seat in queries.seats(session, game.id):
        if seat.account_id is not None:
            key = f"seat-offered:{game.id}:{seat.number}:{game.version}"
            mine = to_host if seat.account_id == game.host_id and seat is not asked else {}
            letters.write(
                session, hints, "seat-offered", key, seat.account_id, now, game=game, seat=seat, data={**data, **mine}
            )


def _play(session: Session, hints: list[Hint], game: Game, seat: Seat, letter: str, now: datetime) -> None:
    sheet = queries.sheet(game)
    state = sheet.decode(game.state)
    cared = letter == "caretaker"
    orders = caretaker.orders(session, game, sheet, state) if cared else (sheet.default(state),)
    chance = progress.chance_at(session, game, sheet, state)
    step = sheet.play(state, seat.colour, orders, chance)
    game.version += 1
    if seat.account_id is not None and not (cared and seat.caretaker_since != now):
        key = f"{letter}:{game.id}:{game.version}"
        version = game.version
        letters.write(session, hints, letter, key, seat.account_id, now, game=game, seat=seat, version=version)
    cause = "caretaker" if cared else "deadline"
    entry = progress.Entry(seat.colour, progress.written(orders), cause, sheet.turn(state), sheet.phase(state))
    progress.write_down(session, hints, game, entry, step, chance, now)
    if game.status == "running" and seat_changes.is_forsaken(session, game, seat, now):
        audit_log.write(session, game, "forsaken", now)
        ending.close(session, hints, game, now)
