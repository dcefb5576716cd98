"""When a robot answers: at once, or after a while as a person would, by day."""

import hashlib
from datetime import datetime, time, timedelta

from pbem.engine import say
from pbem.service.base import Problem
from pbem.store.tables import Game
from pbem.store.time_controls import NO_TIME, WAKING, Calendar, zone_named

LATE = timedelta(hours=1)
"""How long after its time a robot's safe order is played, should it still not have answered."""
LONGEST_PAUSE = timedelta(hours=24)
SHORTEST_PART = 0.25
"""Of the pause that the host chose, a robot waits at least this part."""
ASLEEP = time(22), time(8)


def answers_at(game: Game, asked: datetime) -> datetime:
    """When a robot answers what it is asked at this moment; the same for the same position of the same game."""
    if not game.robot_seconds:
        return asked
    drawn = hashlib.sha256(b"pause" + game.seed + str(game.version).encode()).digest()
    part = int.from_bytes(drawn[:4], "big") / 2**32
    moment = asked + timedelta(seconds=game.robot_seconds) * (SHORTEST_PART + (1 - SHORTEST_PART) * part)
    morning = Calendar(zone_named(game.robot_zone), quiet=ASLEEP).quiet_until(moment)
    return moment if morning is None else morning + WAKING * part


def problems(pause: timedelta) -> list[Problem]:
    if NO_TIME <= pause <= LONGEST_PAUSE:
        return []
    return [Problem("robot_pause", say("Robots can wait at most 24 hours before they answer."))]
