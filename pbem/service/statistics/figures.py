"""What finished games come to, map by map: read from tallies, at the same cost however many games there are."""

from collections import Counter, defaultdict
from collections.abc import Iterator, Mapping
from datetime import timedelta

from sqlalchemy import select

from pbem.engine import Value, catalog
from pbem.service.base import Office
from pbem.store.tables import Tally


class Spread(Value):
    """How values lie: of ``n``, the least and the most, the quartiles, and the mean."""

    n: int
    least: int
    low: int
    median: int
    high: int
    most: int
    mean: float


class OfCount(Value):
    """Games of so many players. ``early``: ended before their last turn; ``out``: players who went out of the game.

    ``places``: points by place; ``bids``: how often a first-turn bid was made; ``turns``: how many turns games had;
    ``seconds``: how long they lasted.
    """

    players: int
    games: int
    early: int
    out: int
    places: tuple[tuple[int, Spread], ...]
    bids: tuple[tuple[int, int], ...]
    bid: Spread | None
    turns: Spread | None
    seconds: Spread | None

    @property
    def lasted(self) -> tuple[timedelta, timedelta, timedelta] | None:
        if (found := self.seconds) is None:
            return None
        return timedelta(seconds=found.low), timedelta(seconds=found.median), timedelta(seconds=found.high)


class OfMap(Value):
    """All games of a map. ``actions``: how often each was taken in turn 1, 2 …, the one taken most often first."""

    game: str
    map: str
    counts: tuple[OfCount, ...]
    actions: tuple[tuple[str, tuple[int, ...]], ...]

    @property
    def games(self) -> int:
        return sum(count.games for count in self.counts)


def games(office: Office) -> Mapping[tuple[str, str], Mapping[int, int]]:
    """How many finished games there are on printed maps, by game and map, and of them by number of players."""
    found: defaultdict[tuple[str, str], dict[int, int]] = defaultdict(dict)
    printed = Tally.figure == "games", ~Tally.map.startswith(catalog.OWN)
    query = select(Tally.game, Tally.map, Tally.players, Tally.number).where(*printed)
    with office.read() as session:
        for game, map, players, number in session.execute(query.order_by(Tally.players)):
            found[game, map][players] = number
    return found


def of_map(office: Office, game: str, map: str) -> OfMap:
    figures: defaultdict[int, defaultdict[str, Counter[str]]] = defaultdict(lambda: defaultdict(Counter))
    query = select(Tally.players, Tally.figure, Tally.key, Tally.number).where(Tally.game == game, Tally.map == map)
    with office.read() as session:
        for players, figure, key, number in session.execute(query):
            figures[players][figure][key] = number
    return OfMap(
        game,
        map,
        tuple(_of_count(players, found) for players, found in sorted(figures.items())),
        _actions(sum((found["action"] for found in figures.values()), Counter[str]())),
    )


def _of_count(players: int, found: Mapping[str, Counter[str]]) -> OfCount:
    places = ((place, spread(_numbers(found[f"place {place}"]))) for place in range(1, players + 1))
    bids = _numbers(found["bid"])
    return OfCount(
        players=players,
        games=found["games"][""],
        early=found["early"][""],
        out=found["out"][""],
        places=tuple((place, there) for place, there in places if there is not None),
        bids=tuple(sorted(bids.items())),
        bid=spread(bids),
        turns=spread(_numbers(found["turns"])),
        seconds=spread(_numbers(found["seconds"])),
    )


def _numbers(found: Counter[str]) -> Counter[int]:
    return Counter({int(key): number for key, number in found.items()})


def spread(values: Mapping[int, int]) -> Spread | None:
    """How values lie that are counted by value; ``None`` without any. A quartile between two values is the lower."""
    n = sum(values.values())
    if not n:
        return None
    low, median, high = (_nth(values, (n - 1) * quarter // 4) for quarter in (1, 2, 3))
    mean = sum(value * number for value, number in values.items()) / n
    return Spread(n, min(values), low, median, high, max(values), mean)


def _nth(values: Mapping[int, int], nth: int) -> int:
    for value in sorted(values):
        nth -= values[value]
        if nth < 0:
            return value
    raise ValueError("there are fewer values")


def _actions(found: Counter[str]) -> tuple[tuple[str, tuple[int, ...]], ...]:
    taken: defaultdict[str, Counter[int]] = defaultdict(Counter)
    for turn, action, number in _parted(found):
        taken[action][turn] += number
    last = max((turn for turns in taken.values() for turn in turns), default=0)
    often = sorted(taken.items(), key=lambda line: (-sum(line[1].values()), line[0]))
    return tuple((action, tuple(turns[turn] for turn in range(1, last + 1))) for action, turns in often)


def _parted(found: Counter[str]) -> Iterator[tuple[int, str, int]]:
    for key, number in found.items():
        turn, _, action = key.partition(":")
        yield int(turn), action, number
