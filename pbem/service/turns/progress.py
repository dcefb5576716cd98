"""Writing down that a game went on: the move, the new position, the time there is, and the letters."""

import logging
from collections.abc import Sequence
from datetime import datetime, timedelta

from sqlalchemy import select
from sqlalchemy.exc import DBAPIError

from pbem.engine import Move, Refused, State, Step
from pbem.engine.chance import NotedChance
from pbem.service.base import GameWork, Office
from pbem.service.base.task_hints import count_hint, think_hint
from pbem.service.clocks import game_clock, grace
from pbem.service.letters import push_messages, webhook_messages
from pbem.service.letters.kinds.games import GameOver
from pbem.service.letters.kinds.lessons import LessonTurn
from pbem.service.letters.kinds.questions import YourTurn
from pbem.service.turns import explanations, planning, standing_orders, stuck
from pbem.service.turns.entries import Entry, add, chance_at, note, written
from pbem.store.statuses import GameStatus, MoveCause, StandingOrderStatus
from pbem.store.tables import StandingOrderRow, Submission

__all__ = ["Entry", "add", "ask", "chance_at", "go_on", "play_held", "write_down", "write_down_first", "written"]

log = logging.getLogger(__name__)

PAGE_WAITS = timedelta(minutes=10)
"""How long no letter asks somebody who plays against robots on a page, and is shown every question there."""
MOST_AT_ONCE = 500
"""Standing orders that are played one after the other at most; far more than a turn has questions."""


def write_down(
    work: GameWork, entry: Entry, step: Step[State], chance: NotedChance, *, hold: timedelta = timedelta(0)
) -> None:
    """Add the move that led to ``step``, make it the position of the game, and write to whom it concerns.

    ``hold``: how long the letter waits if the next question is for the same seat, whom a page shows it meanwhile.
    """
    note(work, entry, step, chance)
    work.game.grace_until = grace.until(work.game, entry.cause, grace.reveals(chance.notes, step.events), work.now)
    if not _held(work, entry.seat):
        _play_standing_orders(work)
    opened = entry.cause == MoveCause.START or work.sheet.turn(work.state) != entry.turn
    _tell(work, sender=entry.seat, opened=opened, hold=hold, by_robot=entry.cause == MoveCause.ROBOT)


def write_down_first(work: GameWork, entry: Entry, step: Step[State], chance: NotedChance) -> None:
    """The same for a move that its sender follows up with another at once: nobody is told of the position between."""
    note(work, entry, step, chance)
    game_clock.ask(work, entry.seat)


def go_on(work: GameWork) -> None:
    """Play standing orders that answer what is asked now: some have just been given, or have waited long enough.

    Those of others than the sender of the last orders wait while these can be taken back.
    """
    held = work.game.standing_order_at is not None
    if grace.runs(work.game, work.now) and work.game.to_act != grace.sender(work):
        if not _held(work) and held:
            tell_asked(work, grace.wait(work.game, "", work.game.to_act, work.now))
        return
    work.game.standing_order_at = None
    version, turn = work.game.version, work.sheet.turn(work.state)
    _play_standing_orders(work)
    if work.game.version != version:
        _tell(work, opened=work.sheet.turn(work.state) != turn)
    elif held:
        tell_asked(work)


def play_held(office: Office, game_id: str, now: datetime) -> bool:
    """The grace time is over: play the standing orders that waited for its end; returns whether there were any."""
    with office.game(game_id, now) as work:
        waits_until = work.game.standing_order_at
        if work.game.status != GameStatus.RUNNING or waits_until is None or waits_until > now:
            return False
        go_on(work)
        return True


def _held(work: GameWork, sender: str = "") -> bool:
    """Whether standing orders of the next player wait until the last orders can no longer be taken back."""
    asked = work.sheet.to_act(work.state)
    other = asked is not None and asked != sender
    waits = other and work.game.grace_until is not None and bool(standing_orders.waits(work, asked or ""))
    work.game.standing_order_at = work.game.grace_until if waits else None
    return waits


def _play_standing_orders(work: GameWork) -> None:
    """Play standing orders for this position and those it leads to, each as a move of its own."""
    for _ in range(MOST_AT_ONCE):
        seat = work.sheet.to_act(work.state)
        waiting = standing_orders.waits(work, seat) if seat else ()
        if not waiting or not _play_standing_order(work, waiting):
            break
        work.game.grace_until = None
    standing_orders.sweep(work)


def _play_standing_order(work: GameWork, waiting: Sequence[StandingOrderRow]) -> bool:
    """Play the first of these orders that has something to say; ``False`` when their owner is to be asked.

    An error of ours in one is its own: it is set aside, and what led here stays played.
    """
    seat, at, sheet, state = waiting[0].seat, waiting[0], work.sheet, work.state
    try:
        with work.savepoint():
            for at in standing_orders.fitting(sheet, state, seat, waiting):
                move = standing_orders.due_move(sheet, state, at, work.now)
                if move is not None:
                    return _played_standing_order(work, seat, move, at)
                if at.status != StandingOrderStatus.WAITING:
                    break
    except DBAPIError:
        raise
    except Exception:
        log.exception("standing order %s in game %s is stuck", at.id, work.game.id, extra={"game": work.game.id})
        standing_orders.set_aside(at, work.now)
        stuck.tell(work, work.seat(seat), "order", at.id)
    return False


def _played_standing_order(work: GameWork, seat: str, move: Move, row: StandingOrderRow) -> bool:
    sheet, state, chance = work.sheet, work.state, chance_at(work)
    try:
        step = sheet.play(state, seat, (move,), chance)
    except Refused as refused:
        standing_orders.void(row, refused, work.now)
        return False
    work.game.version += 1
    game_clock.ask(work, seat)
    entry = Entry(seat, written(step.played), MoveCause.STANDING_ORDER, sheet.turn(state), sheet.phase(state))
    note(work, entry, step, chance)
    standing_orders.was_played(row, work.game.version, work.now)
    return True


def _tell(
    work: GameWork, *, sender: str = "", opened: bool = False, hold: timedelta = timedelta(0), by_robot: bool = False
) -> None:
    """Ask the next seat, or tell everybody that the game is over.

    ``sender``: who may still take orders back; ``opened``: a turn has begun, and everybody is asked what can be
    planned; ``hold``: see :func:`write_down`; ``by_robot``: it was a robot that has led here.
    """
    if work.sheet.over(work.state):
        _end(work)
        return
    asked = work.sheet.to_act(work.state) or ""
    wait = grace.wait(work.game, sender, asked, work.now)
    wait_here = hold if sender == asked else wait
    ask(work, asked, wait=wait_here, planned=wait if opened else None, by_robot=by_robot)


def ask(
    work: GameWork,
    colour: str,
    *,
    wait: timedelta = timedelta(0),
    planned: timedelta | None = None,
    by_robot: bool = False,
) -> None:
    """Ask this seat what the position asks; ``wait``: how long the letter is held back and no time runs.

    ``planned``: a turn has begun, and after this time everybody is asked what can be planned; ``by_robot``: a robot
    has just answered, and a page may show its player the question.
    """
    game_clock.ask(work, colour, told=work.now + wait)
    if planned is not None:
        planning.open_turn(work, planned)
    if work.game.standing_order_at is None:
        held = PAGE_WAITS if by_robot and _plays_on_a_page(work) else timedelta(0)
        tell_asked(work, timedelta(0) if work.game.lesson else max(wait, held))


def _plays_on_a_page(work: GameWork) -> bool:
    """Whether who is asked has just sent orders from a page, which goes on by itself when robots answer at once."""
    if work.game.robot_seconds:
        return False
    lately = select(Submission.id).where(
        Submission.game_id == work.game.id, Submission.seat == work.game.to_act, Submission.via == "page",
        Submission.received_at > work.now - PAGE_WAITS,
    )  # fmt: skip
    return work.session.scalar(lately.limit(1)) is not None


def tell_asked(work: GameWork, wait: timedelta = timedelta(0)) -> None:
    seat = work.seat(work.game.to_act)
    push_messages.turn(work, seat, PAGE_WAITS if work.game.lesson else wait)
    if seat.robot:
        call_robot(work)
        return
    webhook_messages.turn(work, seat, wait)
    if seat.caretaker_since is not None:
        return
    if seat.account_id is not None and not planning.covers(work, seat):
        key = f"your-turn:{work.game.id}:{work.game.version}"
        void = standing_orders.void_now(work, seat.colour)
        work.write_to(seat, LessonTurn(void) if work.game.lesson else YourTurn(void), key, wait=wait)
        if work.game.lesson:
            explanations.enter(work)


def call_robot(work: GameWork) -> None:
    """A robot is asked: it is called at once when its time has come, else by the clock."""
    if work.game.robot_at is not None and work.game.robot_at <= work.now:
        work.hints.append(think_hint(work.game.id))


def _end(work: GameWork) -> None:
    work.game.status, work.game.ended_at = GameStatus.OVER, work.now
    work.game.to_act, work.game.standing_order_at = "", None
    work.game.count_at = work.now
    work.hints.append(count_hint(work.game.id))
    game_clock.stop(work.game)
    webhook_messages.over(work)
    push_messages.nobody_asked(work)
    for seat in work.seats:
        work.write_to(seat, GameOver(), f"game-over:{work.game.id}:{seat.number}")
