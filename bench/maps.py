"""The rules alone, on games that people have played: beside the best peer's engine, and late orders beside early ones.

Records of five maps (``PBEM_SHARED``), the state stored and read back after every order. The peer's times are those of
``PEER.md`` beside the records: choochoo.games' engine, which has no server around it, on a machine like ours and on
another day. Without the records one row says that they were left out: robots play too unlike people.

All times are those of the processor, and every replay begins as in a process that has played nothing yet: what the
rules keep of positions, because a game asks for it again, they have to find out again. An order is early in the first
two turns of a game and late in the last two; every order counts, whatever it asks for.
"""

from __future__ import annotations

import gc
import re
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import _lru_cache_wrapper
from pathlib import Path

from bench.players import SHARED
from bench.row import Row
from pbem.engine import Sheet, catalog
from pbem.engine.chance import NO_SEED, NotedChance, SeededChance
from pbem.engine.events import tell
from pbem.engine.record import Entry, Record, digest, play_entry, read_record, replay, start
from pbem.service.turns import orders
from pbem.service.turns.entries import written

RECORDED = SHARED / "recorded"
PEER = "PEER.md"
TIMES_AS_FAST = 12.0
"""How many times as fast as the peer's engine ours has to be, with all that the server does for an order."""
LATE = 1.3
RUNS = 7


@dataclass(frozen=True, slots=True)
class Game:
    """A recorded game."""

    name: str
    sheet: Sheet
    record: Record

    @property
    def last(self) -> int:
        """The last turn that was played."""
        return max(entry.turn for entry in self.record.turns)


@dataclass(frozen=True, slots=True)
class Peer:
    """How long the peer's engine took for each game, in milliseconds, on its fastest day."""

    day: str
    times: dict[str, float]

    @classmethod
    def read(cls, path: Path) -> Peer:
        """From the table of the file."""
        lines = [re.findall(r"[^|]+", line) for line in path.read_text().splitlines() if line.startswith("|")]
        head, games = lines[0], [line for line in lines[2:] if line]
        days = {
            head[column].strip(): {line[0].strip(): float(line[column]) for line in games}
            for column in range(2, len(head))
        }
        day = min(days, key=lambda day: sum(days[day].values()))
        return cls(day, days[day])


def measure() -> list[Row]:
    """Rows of all recorded games."""
    if not (RECORDED / PEER).is_file():
        return [Row("recorded games beside the peer’s engine", 0, "games", note="left out: PBEM_SHARED has none")]
    peer = Peer.read(RECORDED / PEER)
    games = [read(name) for name in peer.times]
    kept.extend(what_forgets())
    gc.freeze()  # the records are baggage of this benchmark, not of what it measures
    return [as_a_server(games, peer), late_and_early(games)]


kept: list[Callable[[], None]] = []
"""What makes parts of pbem forget the answers that they keep."""


def what_forgets() -> Iterator[Callable[[], None]]:
    """For :data:`kept`; what a process reads once and keeps for good, as its boards, stays."""
    for found in gc.get_objects():
        if (
            isinstance(found, _lru_cache_wrapper)
            and str(found.__module__).partition(".")[0] in ("pbem", "maps")
            and found.cache_parameters()["maxsize"] is not None
        ):
            yield found.cache_clear


def forget() -> None:
    """Nothing is known of any position."""
    for clear in kept:
        clear()


def read(name: str) -> Game:
    """One recorded game. Raises ``RuntimeError`` when an order of it is refused."""
    record = read_record((RECORDED / f"{name}.json").read_bytes())
    sheet = catalog.sheet(record.game, record.map)
    if refused := [played.number for played in replay(sheet, record) if played.refusal is not None]:
        raise RuntimeError(f"{name}: entry {refused[0]} is refused")
    return Game(name, sheet, record)


def as_a_server(games: Sequence[Game], peer: Peer) -> Row:
    """All games with all that the server does per order, the least of several replays, beside the peer's engine."""
    ours = {game.name: min(served(game) for _ in range(RUNS)) for game in games}
    theirs, whole = sum(peer.times.values()), sum(ours.values())
    listed = ", ".join(f"{name} {peer.times[name] / took:.1f} times" for name, took in ours.items())
    note = f"{whole:.0f} ms, and {theirs:.0f} ms on {peer.day}; {listed}"
    name = "recorded games as the server plays them, as fast as the peer’s engine alone"
    return Row(name, theirs / whole, "times", limit=TIMES_AS_FAST, at_least=True, note=note)


def served(game: Game) -> float:
    """Milliseconds for a game as the server plays it: each order is tried by the judge, played, stored and digested.

    Stored states are read for every order, and written with the events and the digest. Only what belongs to the
    database, the clocks and the letters is left out.
    """
    sheet = game.sheet
    entries = [played.entry for played in replay(sheet, game.record) if not played.passed_over]
    stored = sheet.encode(start(sheet, game.record)[0].state)
    forget()
    began = time.process_time()
    for entry in entries:
        stored = order(sheet, game.record, entry, stored)
    return (time.process_time() - began) * 1000


def order(sheet: Sheet, record: Record, entry: Entry, stored: bytes) -> bytes:
    """What the server does with an order between the database and the database."""
    state = sheet.decode(stored)
    given = orders.sort(sheet, state, entry.player, sheet.parse(state, entry.orders, {}), strict=True)
    chance = NotedChance(SeededChance(NO_SEED, sheet.place(state)))
    (tried,) = given.moves
    known = tried.holds(state, entry.player, chance.source, sheet.colours)
    step = tried.step if known else play_entry(sheet, record, entry, state)
    written(step.played)
    for event in step.events:
        tell(event)
    digest(sheet, step.state)
    return sheet.encode(step.state)


def late_and_early(games: Sequence[Game]) -> Row:
    """The mean cost of an order late in a game beside that of one early in it, of all games."""
    early: list[float] = []
    late: list[float] = []
    listed: list[str] = []
    for game in games:
        costs = order_costs(game)
        opening = [cost for entry, cost in costs if entry.turn <= 2]
        ending = [cost for entry, cost in costs if entry.turn >= game.last - 1]
        listed.append(f"{game.record.map} {statistics.mean(ending) / statistics.mean(opening):.2f}")
        early, late = early + opening, late + ending
    last, first = statistics.mean(late), statistics.mean(early)
    note = f"{last:.3f} and {first:.3f} ms, {len(late)} and {len(early)} orders; {', '.join(listed)}"
    name = "an order late in a game beside one early in it, read, played and stored"
    return Row(name, last / first, "times", limit=LATE, timed=False, note=note)


def order_costs(game: Game) -> list[tuple[Entry, float]]:
    """Milliseconds of every entry that was played, the least of several replays."""
    best: dict[int, tuple[Entry, float]] = {}
    for _ in range(RUNS):
        forget()
        steps = replay(game.sheet, game.record, store=True)
        while True:
            began = time.process_time()
            played = next(steps, None)
            took = (time.process_time() - began) * 1000
            if played is None:
                break
            if not played.passed_over:
                known = best.get(played.number)
                best[played.number] = played.entry, took if known is None else min(known[1], took)
    return list(best.values())
