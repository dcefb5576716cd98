"""Writing down that a game went on: the move, the new position, the time there is, and the letters."""

from __future__ import annotations

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy.exc import DBAPIError
from sqlalchemy.orm import Session

from pbem.engine.chance import NotedChance
from pbem.engine.moves import Move, Refused
from pbem.engine.phase import Step
from pbem.engine.sheet import Sheet, State
from pbem.service.base import queries
from pbem.service.base.office import Office
from pbem.service.base.task_hints import Hint
from pbem.service.clocks import game_clock, grace
from pbem.service.outbox import letters, webhook_messages
from pbem.service.turns import planning, standing_orders, stuck
from pbem.service.turns.entries import Entry, add, chance_at, note, written
from pbem.store.tables import Game, Seat, StandingOrderRow

__all__ = ["Entry", "add", "ask", "chance_at", "go_on", "play_held", "write_down", "write_down_first", "written"]

log = logging.getLogger(__name__)

MOST_AHEAD = 500
"""Orders ahead that are played one after the other at most; far more than a turn has questions."""


def write_down(
    session: Session,
    hints: list[Hint],
    game: Game,
    entry: Entry,
    step: Step[State],
    chance: NotedChance,
    now: datetime,
    *,
    hold: timedelta = timedelta(0),
) -> None:
    """Add the move that led to ``step``, make it the position of the game, and write to whom it concerns.

    ``hold``: how long the letter waits if the next question is for the same seat, whom a page shows it meanwhile.
    """
    sheet, state = queries.sheet(game), step.state
    note(session, game, entry, step, chance, now)
    game.grace_until = grace.until(game, entry.cause, grace.reveals(chance.notes, step.events), now)
    if not _held(session, game, sheet, state, entry.seat):
        state = _play_ahead(session, hints, game, sheet, state, now)
    opened = entry.cause == "start" or sheet.turn(state) != entry.turn
    _tell(session, hints, game, sheet, state, now, sender=entry.seat, opened=opened, hold=hold)


def write_down_first(
    session: Session, game: Game, entry: Entry, step: Step[State], chance: NotedChance, now: datetime
) -> None:
    """The same for a move that its sender follows up with another at once: nobody is told of the position between."""
    note(session, game, entry, step, chance, now)
    game_clock.ask(session, game, entry.seat, now)


def go_on(session: Session, hints: list[Hint], game: Game, now: datetime) -> None:
    """Play orders ahead that answer what is asked now: some have just been given, or have waited long enough.

    Those of others than the sender of the last orders wait while these can be taken back.
    """
    sheet, held = queries.sheet(game), game.ahead_at is not None
    state = sheet.decode(game.state)
    if grace.runs(game, now) and game.to_act != grace.sender(session, game):
        if not _held(session, game, sheet, state) and held:
            _tell_asked(session, hints, game, now, grace.wait(game, "", game.to_act, now))
        return
    game.ahead_at = None
    after = _play_ahead(session, hints, game, sheet, state, now)
    if after is not state:
        _tell(session, hints, game, sheet, after, now, opened=sheet.turn(after) != sheet.turn(state))
    elif held:
        _tell_asked(session, hints, game, now)


def play_held(office: Office, game_id: str, now: datetime) -> bool:
    """The grace time is over: play the orders ahead that waited for its end; returns whether there were any."""
    with office.write() as (session, hints):
        game = queries.locked(session, game_id)
        if game.status != "running" or game.ahead_at is None or game.ahead_at > now:
            return False
        go_on(session, hints, game, now)
        return True


def _held(session: Session, game: Game, sheet: Sheet, state: State, sender: str = "") -> bool:
    """Whether orders ahead of the next player wait until the last orders can no longer be taken back."""
    asked = sheet.to_act(state)
    other = asked is not None and asked != sender
    waits = other and game.grace_until is not None and bool(standing_orders.waits(session, game, asked or ""))
    game.ahead_at = game.grace_until if waits else None
    return waits


def _play_ahead(session: Session, hints: list[Hint], game: Game, sheet: Sheet, state: State, now: datetime) -> State:
    """Play orders that waited for this position and those it leads to, each as a move of its own."""
    for _ in range(MOST_AHEAD):
        seat = sheet.to_act(state)
        waiting = standing_orders.waits(session, game, seat) if seat else ()
        after = _play_one_ahead(session, hints, game, sheet, state, waiting, now) if waiting else None
        if after is None:
            break
        state, game.grace_until = after, None
    standing_orders.sweep(session, game, sheet, state, now)
    return state


def _play_one_ahead(
    session: Session,
    hints: list[Hint],
    game: Game,
    sheet: Sheet,
    state: State,
    waiting: Sequence[StandingOrderRow],
    now: datetime,
) -> State | None:
    """Play the first of these orders that has something to say; ``None`` when their owner is to be asked.

    An error of ours in one is its own: it is set aside, and what led here stays played.
    """
    seat, at = waiting[0].seat, waiting[0]
    try:
        with session.begin_nested():
            for at in standing_orders.fitting(sheet, state, seat, waiting):
                move = standing_orders.speak(sheet, state, at, now)
                if move is not None:
                    return _played_ahead(session, game, sheet, state, seat, move, at, now)
                if at.status != "waiting":
                    break
    except DBAPIError:
        raise
    except Exception:
        log.exception("order %s given ahead in game %s is stuck", at.id, game.id, extra={"game": game.id})
        standing_orders.set_aside(at, now)
        stuck.tell(session, hints, game, queries.seat(session, game.id, seat), now, "order", at.id)
    return None


def _played_ahead(
    session: Session,
    game: Game,
    sheet: Sheet,
    state: State,
    seat: str,
    move: Move,
    row: StandingOrderRow,
    now: datetime,
) -> State | None:
    chance = chance_at(session, game, sheet, state)
    try:
        step = sheet.play(state, seat, (move,), chance)
    except Refused as refused:
        standing_orders.void(row, refused, now)
        return None
    game.version += 1
    game_clock.ask(session, game, seat, now)
    entry = Entry(seat, written(step.played), "ahead", sheet.turn(state), sheet.phase(state))
    note(session, game, entry, step, chance, now)
    standing_orders.was_played(row, game.version, now)
    return step.state


def _tell(
    session: Session,
    hints: list[Hint],
    game: Game,
    sheet: Sheet,
    state: State,
    now: datetime,
    *,
    sender: str = "",
    opened: bool = False,
    hold: timedelta = timedelta(0),
) -> None:
    """Ask the next seat, or tell everybody that the game is over.

    ``sender``: who may still take orders back; ``opened``: a turn has begun, and everybody is asked what can be
    planned; ``hold``: see :func:`write_down`.
    """
    if sheet.over(state):
        _end(session, hints, game, queries.seats(session, game.id), now)
        return
    asked = sheet.to_act(state) or ""
    wait = grace.wait(game, sender, asked, now)
    ask(session, hints, game, asked, now, wait=hold if sender == asked else wait, planned=wait if opened else None)


def ask(
    session: Session,
    hints: list[Hint],
    game: Game,
    colour: str,
    now: datetime,
    *,
    wait: timedelta = timedelta(0),
    planned: timedelta | None = None,
) -> None:
    """Ask this seat what the position asks; ``wait``: how long the letter is held back and no time runs.

    ``planned``: a turn has begun, and after this time everybody is asked what can be planned.
    """
    game_clock.ask(session, game, colour, now, told=now + wait)
    if planned is not None:
        planning.open_turn(session, hints, game, now, planned)
    if game.ahead_at is None:
        _tell_asked(session, hints, game, now, wait)


def _tell_asked(session: Session, hints: list[Hint], game: Game, now: datetime, wait: timedelta = timedelta(0)) -> None:
    """Write to the seat that is asked."""
    seat = queries.seat(session, game.id, game.to_act)
    webhook_messages.turn(session, hints, game, seat, now, wait)
    if seat.caretaker_since is not None:
        return
    if seat.account_id is not None and not planning.covers(session, game, seat):
        key = f"your-turn:{game.id}:{game.version}"
        void = standing_orders.void_now(session, game, seat.colour, now)
        letters.write(
            session,
            hints,
            "your-turn",
            key,
            seat.account_id,
            now,
            game=game,
            seat=seat,
            version=game.version,
            data={} if void is None else {"void": void},
            wait=wait,
        )


def _end(session: Session, hints: list[Hint], game: Game, players: Sequence[Seat], now: datetime) -> None:
    game.status, game.ended_at, game.to_act, game.ahead_at = "over", now, "", None
    game_clock.stop(game)
    webhook_messages.over(session, hints, game, now)
    for seat in players:
        if seat.account_id is not None:
            key = f"game-over:{game.id}:{seat.number}"
            letters.write(
                session, hints, "game-over", key, seat.account_id, now, game=game, seat=seat, version=game.version
            )
