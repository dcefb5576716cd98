"""``python -m bench.planted MAP PLAYERS``: how many planted blunders reviews find and how many false alarms they raise.

Robots play games, in each of which one of them gives a random order in turns 2 to 5 that costs :data:`COSTLY` points or
more: as many pairs of continuations as :data:`PAIRS` say so, with luck that no review uses. A blunder is found if it is
among the three costliest mistakes of its player; any other order of these robots called a mistake is a false alarm.
With ``--itself`` every order that a review doubts is played on beside itself, with other luck: each mistake is chance.
"""

import argparse
import random
import sys
from collections.abc import Mapping
from concurrent.futures import ProcessPoolExecutor
from functools import partial
from hashlib import sha256
from unittest.mock import patch

from pbem import robot
from pbem.engine import Seat, Sheet, State, Value, catalog
from pbem.engine.chance import DEAL, NotedChance, SeededChance
from pbem.engine.record import Entry, Record
from pbem.robot import review
from pbem.robot.matches import Mean, Player, steps, thinker, wilson
from pbem.robot.review import of_record
from pbem.robot.review.comparisons import Comparison, Continuation
from pbem.robot.review.continuations import play_on
from pbem.robot.thinking import Character

COSTLY, PAIRS, AT_FIRST, SURE = 5.0, 200, 16, 4.0
"""Points of a blunder; pairs that say so at the most, those after which an order that is hardly worse is let go, and
the standard errors by which one is so much worse that fewer are enough."""
TURNS = range(2, 6)
FOUND_AMONG = 3
OTHER_LUCK = 1_000_000
"""Numbers of the luck of continuations from here on are used by no review."""
STRONG = thinker(Character("strong", budget=60, width=4))


class Outcome(Value):
    """``cost``: of the blunder, in points; ``place``: among the mistakes of its player from 1 on, 0 if it is not there.
    ``alarms``: other orders called mistakes, of so many ``orders``."""

    game: int
    order: str
    cost: float
    place: int
    alarms: int
    orders: int


def costs(sheet: Sheet, state: State, better: str, played: str) -> float:
    """Points that an order is worse by than another; few pairs are enough for one that is hardly worse."""
    leads: list[float] = []
    for number in range(OTHER_LUCK, OTHER_LUCK + PAIRS):
        one, other = (play_on(sheet, state, order, number) for order in (better, played))
        leads.append(one.lead - other.lead)
        mean = Mean.of(leads) if len(leads) >= AT_FIRST else None
        if mean is not None and (mean.value + 2 * mean.error < COSTLY or mean.value - SURE * mean.error > COSTLY):
            break
    return Mean.of(leads).value


def planted(map_: str, players: int, number: int) -> Outcome | None:
    """One game; ``None`` where every random order that was tried would have cost less."""
    sheet, luck = catalog.sheet("age-of-steam", map_), random.Random(f"planted {map_} {players} {number}")
    seats, seed = sheet.colours[:players], f"planted {map_} {players} {number}"
    turn, seat = luck.choice(TURNS), luck.choice(seats)
    entries: list[Entry] = []
    planted_at: list[int] = []
    cost = 0.0

    def blunders(sheet: Sheet, state: State, seed: str) -> str:
        nonlocal cost
        own = STRONG(sheet, state, seed)
        if planted_at or sheet.turn(state) < turn or sheet.turn(state) not in TURNS:
            return own
        other = robot.choose(sheet, state, luck, sense=0.0)
        if other == own or (cost := costs(sheet, state, own, other)) < COSTLY:
            return own
        planted_at.append(len(entries))
        return other

    record = recorded(sheet, {**dict.fromkeys(seats, STRONG), seat: blunders}, seed, entries)
    if not planted_at:
        return None
    mistakes = reviewed(sheet, record)
    own = [one for one in mistakes if one.player == seat]
    at = entries[planted_at[0]]
    same = [(one.turn, one.phase, one.played) == (at.turn, at.phase, at.orders) for one in own]
    place = 1 + same.index(True) if True in same else 0
    return Outcome(number, at.orders, cost, place, len(mistakes) - (place > 0), len(entries) - 1)


def against_itself(map_: str, players: int, number: int) -> tuple[int, int]:
    """Orders of a game that would be called mistakes beside themselves, and how many it has."""

    def same(sheet: Sheet, state: State, one: Comparison) -> tuple[Continuation, Continuation]:
        luck = len(one.pairs)
        return play_on(sheet, state, one.played, luck), play_on(sheet, state, one.played, OTHER_LUCK + luck)

    sheet, entries = catalog.sheet("age-of-steam", map_), list[Entry]()
    all_ = dict.fromkeys(sheet.colours[:players], STRONG)
    record = recorded(sheet, all_, f"itself {map_} {players} {number}", entries)
    with patch.object(review, "pair", same):
        return len(reviewed(sheet, record)), len(entries)


def recorded(sheet: Sheet, players: Mapping[Seat, Player], seed: str, entries: list[Entry]) -> Record:
    """A game of robots; ``entries`` fills with its orders while it is played."""
    secret = sha256(seed.encode()).digest()
    chance = NotedChance(SeededChance(secret, DEAL))
    state = sheet.start(tuple(players), chance, {}).state
    dealt = tuple(chance.notes)
    for who, order, step in steps(sheet, players, state, secret, "planted"):
        entries.append(Entry(sheet.turn(state), sheet.phase(state), who, order))
        state = step.state
    return Record(sheet.game, sheet.slug, {}, tuple(players), tuple(entries), secret, deal=dealt)


def reviewed(sheet: Sheet, record: Record) -> list[Comparison]:
    """The mistakes of a game, the surest first; chances are not worked out."""
    reviewing = of_record(sheet, record)
    reviewing.weights = None
    while not reviewing.done:
        reviewing.step()
    return [one for one in reviewing.review.decisions if one.mistake]


def main() -> None:
    parser = argparse.ArgumentParser(description=(__doc__ or "").partition("\n")[0])
    parser.add_argument("map", metavar="MAP")
    parser.add_argument("players", metavar="PLAYERS", type=int)
    parser.add_argument("--games", type=int, default=100)
    parser.add_argument("--jobs", type=int, default=2)
    parser.add_argument("--itself", action="store_true", help="plant nothing")
    given = parser.parse_args()
    if given.itself:
        with ProcessPoolExecutor(given.jobs) as pool:
            reviews = list(pool.map(partial(against_itself, given.map, given.players), range(given.games)))
        alarms, orders = (sum(column) for column in zip(*reviews, strict=True))
        print(f"{alarms} false alarms in {orders} orders of {len(reviews)} games")
        return
    outcomes: list[Outcome] = []
    with ProcessPoolExecutor(given.jobs) as pool:
        for done, one in enumerate(pool.map(partial(planted, given.map, given.players), range(given.games)), 1):
            print(f"\r{done} of {given.games} games", end="", file=sys.stderr, flush=True)
            if one is not None:
                outcomes.append(one)
                print(f"game {one.game}: {one.order}, {one.cost:.0f} points, place {one.place or '–'}", flush=True)
    found = sum(0 < one.place <= FOUND_AMONG for one in outcomes)
    alarms, orders = sum(one.alarms for one in outcomes), sum(one.orders for one in outcomes)
    print(f"{given.map}, {given.players} players: {found} of {len(outcomes)} planted blunders found", end=", ")
    print("{:.0%} to {:.0%}".format(*wilson(found / len(outcomes), len(outcomes))))
    print(f"{alarms} false alarms in {orders} orders, 1 in {orders / max(alarms, 1):.0f}")


if __name__ == "__main__":
    main()
