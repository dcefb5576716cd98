"""One game of a balance report: the quick robot in every seat, and what is kept of it."""

import random
from collections import Counter
from collections.abc import Callable, Mapping
from typing import Any

from pbem.engine import Seat, Sheet, State, Value
from pbem.engine.chance import SeededChance
from pbem.rails.board import Label
from pbem.robot import matches, opponents
from pbem.robot.matches import BANKRUPT
from pbem.robot.trying import after

LINK, DELIVERY = "LinkCompleted", "Delivered"
GROWTH = frozenset({"CubesGrew", "CubesPlaced"})
"""Kinds of events that tell of a finished link, of a delivery, and of cubes that come onto the map."""

Money = tuple[int, int, int]
"""Cash, income and shares."""


class Game(Value):
    """What is kept of a game; seats stand in its first order.

    ``points``: for bankrupt seats what they count as where points are compared. ``orders``: by turn; ``money``: at the
    end of each turn by seat, nothing for those who are out. ``cubes``: that lay on the map at the start or came later.
    ``ridden``: links of all deliveries. ``built``: links that were finished. ``uses``: deliveries that begin, end and
    pass at a place. ``track``: hexes that carry some at the end.
    """

    points: tuple[int, ...]
    out: tuple[bool, ...]
    orders: tuple[int, ...]
    money: tuple[tuple[Money | None, ...], ...]
    cubes: int
    delivered: int
    ridden: int
    built: int
    uses: Mapping[Label, tuple[int, int, int]]
    track: tuple[Label, ...]

    @property
    def players(self) -> int:
        return len(self.points)


class _Counts:
    """What is counted while a game is played."""

    def __init__(self, cubes: int) -> None:
        self.cubes, self.delivered, self.ridden, self.built = cubes, 0, 0, 0
        self.uses: dict[Label, list[int]] = {}

    def add(self, event: Any) -> None:
        kind = type(event).__name__
        if kind == DELIVERY:
            self.delivered += 1
            self.ridden += len(event.nodes)
            for place, way in ((event.start, 0), (event.nodes[-1], 1), *((node, 2) for node in event.nodes[:-1])):
                self.uses.setdefault(place, [0, 0, 0])[way] += 1
        elif kind in GROWTH:
            self.cubes += len(event.cubes)
        self.built += kind == LINK


def quick(sheet: Sheet, state: State, seed: str) -> str:
    """The robot that plays for those who are away; what it may not order after all is what happens without an order."""
    order = opponents.caretaker(sheet, state, f"{seed}|{sheet.place(state)}", {}).orders
    asked = sheet.to_act(state)
    return order if asked and after(sheet, state, asked, order) is not None else str(sheet.default(state))


def play(sheet: Sheet, players: int, seed: str, number: int, watch: Callable[[], None]) -> Game:
    """Game ``number`` with so many players: always the same for a seed. ``watch`` is called after every order."""
    about = f"{seed} {players} {number}"
    secret = random.Random(about).randbytes(32)
    colours = sheet.colours[:players]
    dealt = state = sheet.start(tuple(colours), SeededChance(secret, "deal"), {}).state
    seats = tuple(sheet.position(dealt)["order"])
    counts = _Counts(sum(map(len, sheet.position(dealt)["cubes"].values())))
    orders: Counter[int] = Counter()
    money: dict[int, tuple[Money | None, ...]] = {}
    for _, _, step in matches.steps(sheet, dict.fromkeys(colours, quick), dealt, secret, about):
        turn, state = sheet.turn(state), step.state
        orders[turn] += 1
        for event in step.events:
            counts.add(event)
        if sheet.turn(state) != turn or sheet.over(state):
            money[turn] = _money(sheet, state, seats)
        watch()
    standings = {line.seat: line for line in sheet.standings(state)}
    return Game(
        points=tuple(BANKRUPT if standings[seat].out else standings[seat].score or 0 for seat in seats),
        out=tuple(standings[seat].out for seat in seats),
        orders=tuple(orders[turn] for turn in sorted(orders)),
        money=tuple(money[turn] for turn in sorted(money)),
        cubes=counts.cubes,
        delivered=counts.delivered,
        ridden=counts.ridden,
        built=counts.built,
        uses={place: (begin, end, passing) for place, (begin, end, passing) in sorted(counts.uses.items())},
        track=tuple(sheet.position(state)["track"]),
    )


def _money(sheet: Sheet, state: State, seats: tuple[Seat, ...]) -> tuple[Money | None, ...]:
    table = sheet.position(state)["players"]
    rows = (table[seat] for seat in seats)
    return tuple(None if row["out"] else (row["cash"], row["income"], row["shares"]) for row in rows)
