"""Steam Power with five players: single orders, what contracts can be paid with late in a game, whole random games.

All times are those of the processor. The floor of an order is storing and reading back the state that it leads to.
"""

from __future__ import annotations

import random
import statistics
import time
from collections.abc import Callable
from dataclasses import dataclass
from functools import partial

from bench.row import Row
from pbem import robot
from pbem.engine import catalog
from pbem.engine.chance import DEAL, SeededChance
from pbem.engine.sheet import Sheet, State
from pbem.steam_power.game import SteamPower
from pbem.steam_power.payments import Market

SEED = bytes(range(32))
MAP = "northern_italy"
PLAYERS = 5
GAMES = 3
EACH = 3
"""Runs of one order, of which the quickest counts: the machine does other things as well."""
LATE = 15
"""Decisions at the end of a game that count as late."""
PURSE = 25
"""Dollars to pay with: more than anybody ever has late in a game."""
SLOWEST_ORDER_MS = 2.0
SLOWEST_PAYMENTS_MS = 9.0
LONGEST_GAME_S = 0.5


@dataclass(frozen=True, slots=True)
class Decision:
    """A position, who is asked in it, and the order that a robot gave."""

    state: State
    seat: str
    order: str


def measure() -> list[Row]:
    """The slowest order, the slowest list of payments, the time of a random game."""
    sheet = catalog.sheet("steam-power", MAP)
    if not isinstance(sheet, SteamPower):
        raise TypeError(f"{MAP} is no map of Steam Power")
    games = [play(sheet, number) for number in range(GAMES)]
    decisions = [decision for found, _ in games for decision in found]
    orders = [seconds(partial(carry_out, sheet, decision)) for decision in decisions]
    stored = [seconds(partial(store, sheet, decision)) for decision in decisions]
    late = [decision for found, _ in games for decision in found[-LATE:]]
    asked = [seconds(partial(ask, sheet, decision)) for decision in late]
    payments = [seconds(partial(pay_everything, sheet, decision)) for decision in late]
    length = statistics.median(len(found) for found, _ in games)
    return [
        Row("Steam Power, slowest order", 1000 * max(orders), "ms", limit=SLOWEST_ORDER_MS),
        Row(
            "Steam Power, an order",
            1000 * statistics.median(orders),
            "ms",
            "state stored and read back",
            1000 * statistics.median(stored),
        ),
        Row("Steam Power, slowest question late", 1000 * max(asked), "ms", note="hand and every choice"),
        Row(
            "Steam Power, payments late",
            1000 * max(payments),
            "ms",
            limit=SLOWEST_PAYMENTS_MS,
            note="five players; every way to pay each contract that nobody has fulfilled, all of them in one hand",
        ),
        Row(
            "Steam Power, a random game of five",
            statistics.median(spent for _, spent in games),
            "s",
            limit=LONGEST_GAME_S,
            note=f"{length:.0f} orders, choosing them included",
        ),
    ]


def play(sheet: Sheet, number: int) -> tuple[list[Decision], float]:
    """A game of robots: its decisions, and its seconds."""
    luck, found, began = random.Random(number), [], time.process_time()
    options = {option.key: option.default for option in sheet.options()}
    state = sheet.start(sheet.colours[:PLAYERS], SeededChance(SEED, DEAL), options).state
    while (seat := sheet.to_act(state)) is not None:
        decision = Decision(state, seat, robot.choose(sheet, state, luck))
        state = carry_out(sheet, decision)
        found.append(decision)
    return found, time.process_time() - began


def carry_out(sheet: Sheet, decision: Decision) -> State:
    """Read and play an order."""
    moves = sheet.parse(decision.state, decision.order, {})
    chance = SeededChance(SEED, sheet.place(decision.state))
    return sheet.play(decision.state, decision.seat, moves, chance).state


def store(sheet: Sheet, decision: Decision) -> None:
    """Store the state and read it back."""
    sheet.decode(sheet.encode(decision.state))


def ask(sheet: Sheet, decision: Decision) -> None:
    """The whole question of the position and the hand beside it."""
    sheet.question(decision.state)
    sheet.hand(decision.state, decision.seat)


def pay_everything(sheet: SteamPower, decision: Decision) -> int:
    """All legal payments for all contracts that are not fulfilled; their number."""
    done = {number for player in decision.state.players.values() for number in player.done}
    market = Market(sheet, decision.state, decision.seat)
    return sum(len(market.payable(tile, PURSE)) for tile in sheet.contracts.values() if tile.number not in done)


def seconds(work: Callable[[], object]) -> float:
    """The quickest of a few runs."""
    times = []
    for _ in range(EACH):
        began = time.process_time()
        work()
        times.append(time.process_time() - began)
    return min(times)
