"""Every recorded game replayed, and what one decision costs late in a game.

Records of five maps (``PBEM_SHARED``), the state stored and read back after every entry. The first rows are held
against the times of choochoo's engine for the same games, four times as fast at the least; because machines differ
each has a floor of its own, the same bytes of every state stored and read back and nothing else. Without the records
there are no rows: robots play too unlike people for these limits.

All times are those of the processor. An order is early in the first two turns of a game and late in the last two;
every order counts, whatever it asks for.
"""

from __future__ import annotations

import gc
import statistics
import time
from collections.abc import Callable, Iterator, Sequence
from dataclasses import dataclass
from functools import partial

from bench.players import SHARED
from bench.row import Row
from pbem import catalog
from pbem.engine.record import Entry, Record, read_record, replay
from pbem.engine.sheet import Sheet, State

GAME = "age-of-steam"
PEER_MS = {
    "rust_belt-2692": 624.0,
    "southern_us-2852": 786.0,
    "barbados-3038": 72.0,
    "st_lucia-3032": 162.0,
    "new_england-2657": 194.0,
}
"""Milliseconds that choochoo's engine took for these games on a machine like ours."""
TIMES_AS_FAST = 4
FIVE_PLAYERS = ("rust_belt-2692", "southern_us-2852")
SLOWEST_DELIVERIES_MS = 30.0
SLOWEST_PLACEMENTS_MS = 60.0
MOST_LATE = 1.5
RUNS = 7
EACH = 5


@dataclass(frozen=True, slots=True)
class Game:
    """A recorded game with every state that it leads to, before each entry and at the end."""

    name: str
    sheet: Sheet
    record: Record
    states: tuple[State, ...]

    @property
    def last(self) -> int:
        """The last turn that was played."""
        return max(entry.turn for entry in self.record.turns)


def measure() -> list[Row]:
    """Rows of all recorded games; none where the records are missing."""
    games = [read(name) for name in PEER_MS if (SHARED / "recorded" / f"{name}.json").is_file()]
    if not games:
        return []
    gc.freeze()  # every state of five games is baggage of this benchmark, not of what it measures
    full = [game for game in games if game.name in FIVE_PLAYERS]
    return [*map(replayed, games), *listings(full), late_and_early(games)]


def read(name: str) -> Game:
    """One recorded game, played through."""
    record = read_record((SHARED / "recorded" / f"{name}.json").read_bytes())
    sheet = catalog.sheet(GAME, record.map)
    return Game(name, sheet, record, tuple(played.state for played in replay(sheet, record)))


def replayed(game: Game) -> Row:
    """A whole game with the state stored and read back between entries, in milliseconds."""
    stored = [game.sheet.encode(state) for state in game.states]
    pairs = [(milliseconds(lambda: play(game)), milliseconds(lambda: store(game, stored))) for _ in range(RUNS)]
    value, floor = (statistics.median(times) for times in zip(*pairs, strict=True))
    peer = PEER_MS[game.name]
    return Row(
        f"replay of {game.name}, stored after every entry",
        value,
        "ms",
        "storing and reading the same states",
        floor,
        limit=peer / TIMES_AS_FAST,
        note=f"{len(game.record.turns)} entries; choochoo's engine took {peer:.0f} ms",
    )


def play(game: Game) -> None:
    """Replay; raises ``RuntimeError`` when an entry is refused."""
    for played in replay(game.sheet, game.record, store=True):
        if played.refusal is not None:
            raise RuntimeError(f"{game.name}, entry {played.number}: {played.refusal.sentence()}")


def store(game: Game, stored: Sequence[bytes]) -> None:
    """Only the storing of a replay."""
    for text in stored:
        game.sheet.encode(game.sheet.decode(text))


def listings(games: Sequence[Game]) -> list[Row]:
    """The longest lists of the last two turns of games of five: deliveries, and placements of one tile."""
    deliveries = slowest_list("all legal deliveries", games, "move_goods", deliveries_of, SLOWEST_DELIVERIES_MS)
    placements = slowest_list("all legal placements", games, "build_track", placements_of, SLOWEST_PLACEMENTS_MS)
    return [*deliveries, *placements]


def deliveries_of(sheet: Sheet, state: State) -> Sequence[str]:
    """Everything that is legal in a round of moving goods: all but one or two of them are deliveries."""
    return sheet.legal(state) or ()


def placements_of(sheet: Sheet, state: State) -> Sequence[str]:
    """Every tile, New City and special link that the builder could place next."""
    return sheet.placements(state)


def slowest_list(
    name: str, games: Sequence[Game], phase: str, listed: Callable[[Sheet, State], Sequence[str]], limit: float
) -> list[Row]:
    """The position whose list takes longest; no row where nobody is asked in that phase."""
    late = [(game.sheet, state) for game in games for state in late_states(game, phase)]
    if not late:
        return []
    times = [typical(partial(listed, *at)) for at in late]
    sheet, state = late[times.index(max(times))]
    moves = [move for order in listed(sheet, state) for move in sheet.parse(state, order, {})]
    return [
        Row(
            f"{name} late in a game of five",
            max(times),
            "ms",
            "writing the same orders as text",
            typical(lambda: list(map(str, moves))),
            limit=limit,
            note=f"the slowest of {len(late)} positions, {len(moves)} orders; median {statistics.median(times):.1f} ms",
        )
    ]


def late_states(game: Game, phase: str) -> Iterator[State]:
    """The states of the last two turns in which somebody is asked in this phase."""
    sheet = game.sheet
    for state in game.states:
        if not sheet.over(state) and sheet.turn(state) >= game.last - 1 and sheet.phase(state) == phase:
            yield state


def late_and_early(games: Sequence[Game]) -> Row:
    """The mean cost of an order late in a game beside that of one early in it, over all games."""
    early: list[float] = []
    late: list[float] = []
    notes = []
    for game in games:
        costs = order_costs(game)
        first = [cost for entry, cost in costs if entry.turn <= 2]
        last = [cost for entry, cost in costs if entry.turn >= game.last - 1]
        notes.append(f"{game.record.map} {statistics.mean(last) / statistics.mean(first):.2f}")
        early, late = early + first, late + last
    return Row(
        "an order late in a game, read, played and stored",
        statistics.mean(late),
        "ms",
        "an order early in it",
        statistics.mean(early),
        most=MOST_LATE,
        note=f"{len(late)} and {len(early)} orders; single games: {', '.join(notes)}",
    )


def order_costs(game: Game) -> list[tuple[Entry, float]]:
    """Milliseconds of every entry that was played, the least of several replays."""
    best: dict[int, tuple[Entry, float]] = {}
    for _ in range(RUNS):
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


def typical(work: Callable[[], object]) -> float:
    """The median of several runs, in milliseconds."""
    return statistics.median(milliseconds(work) for _ in range(EACH))


def milliseconds(work: Callable[[], object]) -> float:
    """How long something takes, in time of the processor: what else runs on the machine does not count."""
    began = time.process_time()
    work()
    return (time.process_time() - began) * 1000
