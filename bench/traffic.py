"""Games whose players answer as people do, simulated: how often, when, and how long their orders wait for a worker.

One event is one order: it comes in when its player has looked into the mail, the next free worker plays it, and the
email to the next player is in the mail when it is done. Nothing is played and nothing is drawn; what an order costs has
been measured (:mod:`bench.hosting`).

People look into their mail at random moments, when they are awake, most of all in the evening; some ten times as often
as others. Who does not look for as long as the game allows has the safe order played by the clock.
"""

import heapq
import random
from bisect import bisect_right
from collections.abc import Iterable, Sequence
from dataclasses import dataclass, field
from itertools import accumulate

HOUR, DAY = 3600.0, 86400.0
LOOKS = (1, 0, 0, 0, 0, 1, 3, 6, 7, 6, 5, 5, 7, 7, 5, 5, 5, 6, 7, 9, 11, 11, 8, 4)
"""How much of the looks into a mailbox there is in each hour of the day."""
ZONES = ((0, 60), (-6, 25), (-9, 8), (8, 7))
"""Hours that the clocks of players differ from those of most, and per cent of the players."""
LOOKS_A_DAY, SPREAD = 4.0, 0.8
"""The median of the people, and the spread (sigma of a log-normal distribution) among them."""
DEADLINE, REMINDER = 3 * DAY, 1.5 * DAY
"""As games have them unless the host of a game chose otherwise: a reminder comes at half of the time."""
PLAYERS = 4

_UP_TO = [0.0, *accumulate(share / sum(LOOKS) for share in LOOKS)]


@dataclass
class Load:
    """What happened: times in seconds from the first day's midnight on."""

    games: int
    days: float
    orders: int = 0
    by_the_clock: int = 0
    """Orders of those who did not answer in time."""
    reminders: int = 0
    answers: list[float] = field(default_factory=list)
    """How long people took, for one order in a hundred."""
    waits: list[float] = field(default_factory=list)
    """How long each order waited for a worker."""
    hours: list[int] = field(default_factory=list)
    """Orders in each hour."""

    @property
    def orders_a_day(self) -> float:
        return self.orders / self.days

    @property
    def busiest_hour(self) -> int:
        """Orders in it."""
        return max(self.hours)


@dataclass(frozen=True, slots=True)
class Person:
    zone: float
    looks_a_day: float

    def answers_after(self, asked: float, dice: random.Random) -> float:
        """When somebody who is asked at that time answers."""
        days, rest = divmod(asked + self.zone * HOUR, DAY)
        share = days + _share(rest) + dice.expovariate(self.looks_a_day)
        whole = int(share // 1)
        return whole * DAY + _time(share - whole) - self.zone * HOUR


def _share(time: float) -> float:
    """How much of a day's looks lie before this second of the day."""
    hour = int(time // HOUR)
    return _UP_TO[hour] + (time / HOUR - hour) * (_UP_TO[hour + 1] - _UP_TO[hour])


def _time(share: float) -> float:
    """The second of the day before which this share of its looks lies."""
    hour = min(bisect_right(_UP_TO, share) - 1, 23)
    return HOUR * (hour + (share - _UP_TO[hour]) / (_UP_TO[hour + 1] - _UP_TO[hour]))


class Workers:
    """So many, who take what waits in the order in which it came."""

    def __init__(self, count: int, seconds: float) -> None:
        self._seconds = seconds
        self._free = [0.0] * count

    def take(self, at: float) -> tuple[float, float]:
        """When work that comes at ``at`` is begun, and when it is done; calls come in the order of time."""
        begun = max(at, self._free[0])
        heapq.heapreplace(self._free, begun + self._seconds)
        return begun, begun + self._seconds


def simulate(games: int, days: int, workers: Workers, seed: int = 1) -> Load:
    """So many games that run all the time, for so many days; a first day is not counted."""
    dice = random.Random(seed)
    tables = [[person(dice) for _ in range(PLAYERS)] for _ in range(games)]
    to_act = [dice.randrange(PLAYERS) for _ in range(games)]
    load = Load(games, days, hours=[0] * (24 * days))
    events = [(dice.random() * DAY, number, 0) for number in range(games)]
    heapq.heapify(events)
    first, last = DAY, DAY * (days + 1)
    while events[0][0] < last:
        at, game, reminds = heapq.heappop(events)
        begun, done = workers.take(at)
        counted = at >= first
        if counted:
            load.waits.append(begun - at)
        if reminds:
            load.reminders += counted
            continue
        if counted:
            load.orders += 1
            load.hours[int((at - first) // HOUR)] += 1
        to_act[game] = (to_act[game] + 1) % PLAYERS
        takes = tables[game][to_act[game]].answers_after(done, dice) - done
        if takes > REMINDER:
            heapq.heappush(events, (done + REMINDER, game, 1))
        if counted and takes > DEADLINE:
            load.by_the_clock += 1
        if counted and load.orders % 100 == 0:
            load.answers.append(min(takes, DEADLINE))
        heapq.heappush(events, (done + min(takes, DEADLINE), game, 0))
    return load


def person(dice: random.Random) -> Person:
    """Somebody who plays."""
    zone = dice.choices([hours for hours, _ in ZONES], [share for _, share in ZONES])[0]
    return Person(zone, LOOKS_A_DAY * dice.lognormvariate(0, SPREAD))


def quantile(values: Iterable[float], share: float) -> float:
    """The value that this share of them does not exceed; 0 of nothing."""
    found: Sequence[float] = sorted(values)
    return found[min(int(share * len(found)), len(found) - 1)] if found else 0.0
