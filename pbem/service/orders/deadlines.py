"""Deadlines: reminders before them, and afterwards the default order, a caretaker or a substitute."""

import logging
from datetime import datetime

from sqlalchemy import select

from pbem.engine import replace
from pbem.service.base import GameWork, NewLetter, Office
from pbem.service.clocks import game_clock
from pbem.service.games import ending, seat_changes
from pbem.service.letters import digests, push_messages, schedule, webhook_messages
from pbem.service.letters.kinds.orders import Caretaker, DefaultPlayed
from pbem.service.letters.kinds.questions import Reminder
from pbem.service.letters.kinds.seats import SeatOffered
from pbem.service.orders.submissions import play_waiting
from pbem.service.turns import audit_log, progress, robots
from pbem.store.statuses import GameStatus, MoveCause, SubmissionStatus
from pbem.store.tables import Seat, Submission

log = logging.getLogger(__name__)


def deadline(office: Office, game_id: str, now: datetime) -> bool:
    """Play for the seat to act if its time is over, as its host chose; returns whether that was so.

    Orders that came in first are played first. A game with stuck orders for this position waits for us,
    once more as long as for an answer.
    """
    play_waiting(office, game_id, now)
    with office.game(game_id, now) as work:
        ends = work.game.deadline_at
        over = work.game.status == GameStatus.RUNNING and ends is not None and ends <= now
        if not over or _has_open_orders(work):
            return False
        _play_for(work)
        return True


def remind(office: Office, game_id: str, now: datetime) -> bool:
    with office.game(game_id, now) as work:
        clock = work.game.clock
        due = clock.remind_at is not None and clock.remind_at <= now
        if work.game.status != GameStatus.RUNNING or not due or clock.deadline_at is None or clock.deadline_at <= now:
            return False
        seat = work.seat(work.game.to_act)
        calendar, steps = game_clock.calendar_of(work, seat), game_clock.steps_of(work.player(seat))
        game_clock.reminded(work.game, seat, calendar, steps, now)
        _remind(work, seat)
        webhook_messages.remind(work, seat)
        push_messages.remind(work, seat)
        return True


def _remind(work: GameWork, seat: Seat) -> None:
    account = work.player(seat)
    if account is None:
        return
    held = digests.held_back(work, account)
    if held is None:
        work.write_to(seat, Reminder(), f"reminder:{work.game.id}:{work.game.version}:{work.now:%Y%m%d%H%M%S}")
    elif schedule.mode(work.session, account, work.game.id) != "mute":
        digests.release(work, held)


def _has_open_orders(work: GameWork) -> bool:
    deadline = work.game.deadline_at
    for_us = deadline is not None and work.now < deadline + work.game.time_control.turn
    status = [SubmissionStatus.WAITING, SubmissionStatus.STUCK] if for_us else [SubmissionStatus.WAITING]
    open_orders = select(Submission.id).where(
        Submission.game_id == work.game.id,
        Submission.status.in_(status),
        (Submission.status == SubmissionStatus.WAITING) | (Submission.version == work.game.version),
    )
    return work.session.scalar(open_orders.limit(1)) is not None


def _play_for(work: GameWork) -> None:
    seat = work.seat(work.game.to_act)
    if seat.robot:
        log.warning("robot %s has not answered in game %s", seat.robot, work.game.id, extra={"game": work.game.id})
        _play(work, seat, DefaultPlayed())
    elif seat.caretaker_since is not None:
        _play(work, seat, Caretaker())
    elif work.game.time_control.at_zero == "caretaker":
        seat.caretaker_since = work.now
        _play(work, seat, Caretaker())
    elif work.game.time_control.at_zero == "substitute" and seat_changes.offer_seat(work, seat):
        _wait_for_substitute(work, seat)
    else:
        _play(work, seat, DefaultPlayed())


def _wait_for_substitute(work: GameWork, asked: Seat) -> None:
    """The game waits once more as long as for an answer, and everybody is told."""
    assert work.game.deadline_at is not None
    told = SeatOffered(asked.name, work.game.deadline_at)
    offer = seat_changes.open_offer(work, asked)
    to_host = replace(told, offer=None if offer is None else offer.id)
    for seat in work.seats:
        if seat.account_id is not None:
            key = f"seat-offered:{work.game.id}:{seat.number}:{work.game.version}"
            letter = to_host if seat.account_id == work.game.host_id and seat is not asked else told
            work.write(NewLetter(letter, key, seat.account_id, game=work.game, seat=seat))


def _play(work: GameWork, seat: Seat, letter: Caretaker | DefaultPlayed) -> None:
    sheet, state = work.sheet, work.state
    cared = isinstance(letter, Caretaker)
    orders = robots.for_caretaker(work, seat.colour) if cared else (sheet.default(state),)
    chance = progress.chance_at(work)
    step = sheet.play(state, seat.colour, orders, chance)
    work.game.version += 1
    if not (cared and seat.caretaker_since != work.now):
        work.write_to(seat, letter, f"{letter.kind}:{work.game.id}:{work.game.version}")
    cause = MoveCause.CARETAKER if cared else MoveCause.DEADLINE
    entry = progress.Entry(seat.colour, progress.written(orders), cause, sheet.turn(state), sheet.phase(state))
    progress.write_down(work, entry, step, chance)
    if not seat.robot and work.game.status == GameStatus.RUNNING and seat_changes.is_forsaken(work, seat):
        audit_log.write(work, "forsaken")
        ending.close(work)
