"""Outages: when the server was away or its time was set, all that runs moves by the gap, once."""

import contextlib
from dataclasses import replace
from datetime import datetime, timedelta

from sqlalchemy import or_, select
from sqlalchemy.exc import IntegrityError
from sqlalchemy.orm import Session, defer

from pbem.engine import Value
from pbem.service.base import NewLetter, Office
from pbem.service.clocks import game_clock
from pbem.service.clocks.game_clock import AskedSeat
from pbem.service.letters.kinds.clocks import ClocksMoved
from pbem.store.statuses import PLAYING, GameStatus, Sending
from pbem.store.tables import Game, Heartbeat, Letter, Offer, Seat

GAP = timedelta(minutes=10)
"""More than this between two looks of the clock is an outage; a new version is installed in less."""
AT_ONCE = 2_000
"""How many games are held in memory at the same time."""
THE_ROW = 1
WHOSE_CLOCK_RUNS = (
    select(Seat.account_id)
    .join(Game, Game.id == Seat.game_id)
    .where(Game.status.in_(PLAYING), Game.deadline_at.is_not(None), Seat.account_id.is_not(None))
    .distinct()
)
"""The accounts of the games in which a clock runs."""


class Gap(Value):
    """From the last look of the clock to the next; ``length`` is negative when its time was set back."""

    since: datetime
    until: datetime

    @property
    def length(self) -> timedelta:
        return self.until - self.since

    def moved(self, moment: datetime | None) -> datetime | None:
        """A moment that was still to come when the gap began, moved by it; others as they are."""
        return moment if moment is None or moment <= self.since else moment + self.length


def beat(office: Office, now: datetime) -> Gap | None:
    """Note that the clock looks now. A gap before it moves every running clock in the same transaction."""
    with office.work(now) as work:
        row = work.session.get(Heartbeat, THE_ROW, with_for_update=True)
        if row is None:
            with contextlib.suppress(IntegrityError), work.session.begin_nested():  # another clock has just begun, too
                work.session.add(Heartbeat(id=THE_ROW, at=now))
            return None
        gap = Gap(row.at, now)
        row.at = now
        if abs(gap.length) <= GAP:
            return None
        moved, key = ClocksMoved(gap.since, gap.until), f"{ClocksMoved.kind}:{gap.until:%Y%m%d%H%M%S}"
        told = sorted(move(work.session, gap))
        work.write(*(NewLetter(moved, f"{key}:{account_id}", account_id) for account_id in told))
        return gap


def beat_on(office: Office, now: datetime) -> None:
    """Note that the clock has worked until now, without looking for a gap."""
    with office.work(now) as work:
        work.session.merge(Heartbeat(id=THE_ROW, at=now))


def move(session: Session, gap: Gap) -> set[int]:
    """Move all clocks by a gap; returns the accounts of the games in which one runs, whom nobody has told yet."""
    told = {number for number in session.scalars(WHOSE_CLOCK_RUNS) if number is not None}
    # locked by id, as everybody locks several
    ids = session.scalars(
        select(Game.id).where(Game.status.in_(PLAYING)).order_by(Game.id).with_for_update(key_share=True)
    ).all()
    for start in range(0, len(ids), AT_ONCE):
        some = select(Game).where(Game.id.in_(ids[start : start + AT_ONCE])).order_by(Game.id)
        games = session.scalars(some.options(defer(Game.state), defer(Game.imported))).all()
        everybody = game_clock.asked_in(session, games)
        for game in games:
            _move_game(session, game, everybody[game.id], gap)
        session.flush()
    for offer in session.scalars(select(Offer).where(Offer.closed_at.is_(None))):
        offer.waits_until = gap.moved(offer.waits_until) or offer.waits_until
    if gap.length < timedelta(0):
        _wake_letters(session, gap)
    return told


def _move_game(session: Session, game: Game, who: AskedSeat, gap: Gap) -> None:
    game.stops_at = gap.moved(game.stops_at)
    in_grace = game.grace_until is not None and game.grace_until > gap.since
    if in_grace:
        game.grace_until, game.standing_order_at = gap.moved(game.grace_until), gap.moved(game.standing_order_at)
        _hold_question(session, game, gap)
    clock = game.clock
    if game.status != GameStatus.RUNNING or clock.runs_from is None:
        return
    spent, start = clock.spent_seconds, gap.until
    if clock.runs_from <= gap.since:
        spent = int(clock.spent(who.calendar, gap.since).total_seconds())
    elif in_grace:
        start = clock.runs_from + gap.length
    game.clock = replace(
        clock,
        counted_from=start,
        spent_seconds=spent,
        waiting_since=clock.waiting_since and min(clock.waiting_since, gap.until),
        reminded_at=clock.reminded_at and min(clock.reminded_at, gap.until),
    )
    game.clock = game_clock.ending(game, who.seat, who.calendar, who.steps)


def _hold_question(session: Session, game: Game, gap: Gap) -> None:
    """A question that waits for the end of the grace time waits for its new end."""
    waiting = select(Letter).where(
        Letter.game_id == game.id, Letter.status == Sending.WAITING, Letter.version == game.version,
        Letter.next_try_at > gap.since,
    )  # fmt: skip
    for letter in session.scalars(waiting):
        letter.next_try_at += gap.length


def _wake_letters(session: Session, gap: Gap) -> None:
    """Letters whose next try or claim is in a future that was never to come."""
    beyond = or_(Letter.next_try_at > gap.until, Letter.claimed_until > gap.until)
    for letter in session.scalars(select(Letter).where(Letter.status == Sending.WAITING, beyond)):
        letter.next_try_at = min(letter.next_try_at, max(gap.until, letter.next_try_at + gap.length))
        letter.claimed_until = None
