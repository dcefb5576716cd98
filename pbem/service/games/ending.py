"""Ending a game before its last turn: by vote, with a day to reconsider, or at once because nobody is left.

The seed of the dice is shown only when the day is over: a game that can go on must not show them.
"""

from dataclasses import replace
from datetime import datetime, timedelta

from sqlalchemy import select

from pbem.service.base import GameWork, Office
from pbem.service.base.task_hints import count_hint
from pbem.service.clocks import game_clock
from pbem.service.letters import push_messages, webhook_messages
from pbem.service.letters.kinds.games import GameEnding, GameOver
from pbem.service.letters.kinds.questions import YourTurn
from pbem.service.turns import audit_log
from pbem.store.statuses import GameStatus, VoteStatus
from pbem.store.tables import Offer, Vote

THINK = timedelta(days=1)
"""How long a game that was voted to end can still go on."""


def stop(work: GameWork) -> None:
    """The game is about to end: no clock runs, and it is over in a day."""
    work.game.status, work.game.stops_at, work.game.grace_until = GameStatus.STOPPING, work.now + THINK, None
    work.game.clock = replace(work.game.clock, spent_seconds=game_clock.seconds_spent(work), counted_from=None)
    game_clock.set_anew(work)
    push_messages.nobody_asked(work)
    audit_log.write(work, "ends")
    for seat in work.seats:
        work.write_to(seat, GameEnding(), f"game-ending:{work.game.id}:{seat.number}:{work.now:%Y%m%d%H%M%S}")


def go_on(work: GameWork) -> None:
    """Somebody no longer agrees to the end: the clock goes on where it stood, and the open question is asked again."""
    work.game.status, work.game.stops_at = GameStatus.RUNNING, None
    audit_log.write(work, "goes-on")
    game_clock.run(work, work.game.spent_seconds)
    if work.game.standing_order_at is not None:
        work.game.standing_order_at = (
            work.now
        )  # an order of who is asked waits: the clock plays it, and whoever comes next is asked
        return
    seat = work.seat(work.game.to_act)
    if seat.robot:
        return  # the clock calls it
    webhook_messages.turn(work, seat, again=True)
    push_messages.turn(work, seat, again=True)
    work.write_to(seat, YourTurn(), f"your-turn:{work.game.id}:{work.game.version}:{work.now:%Y%m%d%H%M%S}")


def finish(office: Office, game_id: str, now: datetime) -> bool:
    """Put a game whose day is over into the archive, with the standings so far; returns whether it was so."""
    with office.game(game_id, now) as work:
        if work.game.status != GameStatus.STOPPING or work.game.stops_at is None or work.game.stops_at > now:
            return False
        audit_log.write(work, "ended")
        close(work)
        return True


def close(work: GameWork, *, by_operator: bool = False) -> None:
    """The game is over before its last turn; the players are told whether it was the operator who ended it."""
    work.game.status, work.game.ended_at, work.game.to_act, work.game.ended_early = GameStatus.OVER, work.now, "", True
    work.game.stops_at = work.game.grace_until = work.game.standing_order_at = None
    work.game.count_at = work.now
    work.hints.append(count_hint(work.game.id))
    game_clock.stop(work.game)
    webhook_messages.over(work)
    push_messages.nobody_asked(work)
    for offer in work.session.scalars(select(Offer).where(Offer.game_id == work.game.id, Offer.closed_at.is_(None))):
        offer.closed_at = work.now
    for vote in work.session.scalars(select(Vote).where(Vote.game_id == work.game.id, Vote.status == VoteStatus.OPEN)):
        vote.status, vote.closed_at = VoteStatus.LAPSED, work.now
    for seat in work.seats:
        work.write_to(seat, GameOver(by_operator), f"game-over:{work.game.id}:{seat.number}")
