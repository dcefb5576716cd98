"""Steam Power with others as a robot sees it: who reaches which cubes at what price, what a position is worth to it."""

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, replace
from typing import Any, Self

from pbem.engine.moves import Seat
from pbem.engine.sheet import Sheet, State
from pbem.rails import board
from pbem.rails.board import Label
from pbem.rails.scene import Scene
from pbem.rails.track import Link

BANK = 5
"""Dollars for a cube that no factory in reach has."""
POINT = 5
"""Dollars of a point in the end."""
ACTION = 1.2
"""About what an action is worth, in points."""
DOLLAR, NEEDED = 0.34, 9
"""What a dollar is worth while there are actions to spend it on, and how many it has use for."""
SITE = 1.7
"""What a cube is taken to cost that a factory yet to be placed in reach would give."""
FULL = 5
"""Cubes of a new factory."""
BONUS = {"track": 1.1, "factory": 1.2, "contracts": 1.0}
NEXT = 0.83
"""What the next best contract of the hand is worth, as a part of the one before: it takes longer to come to it."""
REACH = 0.16
"""What it is worth, in points a dollar saved, to reach cubes of a colour for contracts to come."""
FLIPPED, FLIPS, EMPTIED = 2, 0.35, 0.12
"""Points of an emptied factory; the chance that a full one is emptied, and how much each cube gone adds to it."""
VICTORY, VICTORY_POINTS = "purple", 4
RATE = 0.85
"""Contracts that the leader fulfils in a round."""


@dataclass(frozen=True, slots=True)
class Works:
    """The tile of a City: its colour, who has a factory there, with how many cubes."""

    colour: str
    owner: Seat | None
    cubes: int


@dataclass(frozen=True, slots=True)
class View:
    """A position for the eyes of one player. ``left``: actions it may still take; ``tiles``: the contracts."""

    company: Seat
    cash: int
    points: float
    hand: tuple[int, ...]
    left: float
    groups: Mapping[Label, Label]
    works: Mapping[Label, Works]
    lines: tuple[Link, ...]
    tiles: Mapping[int, Any]

    def with_line(self, a: Label, b: Label, price: int) -> Self:
        cash = self.cash - price
        seen = replace(self, lines=(*self.lines, Link((a, b), self.company)), cash=cash)
        gained = seen.victory() - self.victory()
        return replace(seen, points=self.points + gained + cash // POINT - self.cash // POINT)

    def victory(self) -> float:
        total = 0
        for label, works in self.works.items():
            if works.colour == VICTORY:
                there = {line.owner for line in self.lines if label in line.ends}
                if self.company in there:
                    total += VICTORY_POINTS // len(there)
        return total


def groups_of(scene: Scene) -> dict[Label, Label]:
    return board.groups_of(scene.board, sorted(plate.label for plate in scene.cities))


def view(sheet: Sheet, state: State, seat: Seat, groups: Mapping[Label, Label] | None = None) -> View:
    """The position as the seat may see it."""
    rules: Any = sheet
    seen: Mapping[str, Any] = sheet.position(state, seat)
    scene: Scene = sheet.scene(state)
    lines = tuple(
        Link((chain.ends[0], chain.ends[1]), chain.owner)
        for chain in scene.chains
        if chain.complete and chain.ends[0] is not None and chain.ends[1] is not None
    )
    works = {label: Works(tile["colour"], tile["factory"], tile["cubes"]) for label, tile in seen["cities"].items()}
    player = seen["players"][seat]
    return View(
        seat,
        player["cash"],
        player["points"],
        tuple(player.get("hand", ())),
        _left(seen, scene),
        groups or groups_of(scene),
        works,
        lines,
        rules.contracts,
    )


def _left(seen: Mapping[str, Any], scene: Scene) -> float:
    """About how many actions the player will still take."""
    if seen["last_round"]:
        return float(seen["actions_left"])
    missing = min((all_ - done for done, all_ in filter(None, (row.progress for row in scene.players))), default=8)
    return float(2 * missing / RATE + seen["actions_left"])


def worth(seen: View) -> float:
    """What a position is worth in points: those it has, and what its hand, money, track and factories promise."""
    late, dollar = _times(seen)
    total = seen.points - seen.cash // POINT + seen.cash / POINT
    total += (dollar - 1 / POINT) * min(seen.cash, NEEDED)
    total += _prospects(seen, dollar, late)
    for works in seen.works.values():
        if works.owner is not None and works.cubes and works.owner == seen.company:
            total += FLIPPED * min(1.0, FLIPS + EMPTIED * (5 - works.cubes)) * late
    return total


def _times(seen: View) -> tuple[float, float]:
    """How far what comes late still counts, and what a dollar is worth."""
    late = min(1.0, seen.left / 8)
    return late, 1 / POINT + (DOLLAR - 1 / POINT) * late


def _prospects(seen: View, dollar: float, late: float) -> float:
    """What the hand and the reach are worth."""
    offers = _offers(seen)
    grosses = sorted((_gross(seen, seen.tiles[number], offers, dollar) for number in seen.hand), reverse=True)
    total, part, time = 0.0, NEXT, seen.left
    for gross in grosses:
        if gross <= ACTION or time < 1:
            break
        total += part * (gross - ACTION)
        part *= NEXT
        time -= 1.6
    reach = REACH * late
    for colour in sorted({works.colour for works in seen.works.values()} - {VICTORY}):  # sums depend on the order
        prices = offers.get(colour, ())
        total += reach * sum(BANK - price for price in sorted(prices)[:3])
    return total


def _gross(seen: View, tile: Any, offers: Mapping[str, Sequence[float]], dollar: float) -> float:
    """What a contract brings, less what its cubes cost; money that is missing has to be taken first."""
    price = 0.0
    for colour, number in Counter(tile.needs).items():
        prices = offers.get(colour, ())[:number]
        price += sum(prices) + BANK * (number - len(prices))
    missing = max(0.0, price - seen.cash)
    brought: float = tile.vp + dollar * (tile.money - price) + BONUS.get(tile.bonus, 0.0)
    return brought - missing * (ACTION / 3 - dollar + 0.1)


def _offers(seen: View) -> dict[str, list[float]]:
    """The prices of the cubes that can be had, by colour, the cheapest first."""
    far = _distances(seen)
    offers: dict[str, list[float]] = {}
    for label, works in seen.works.items():
        group = seen.groups[label]
        if group not in far:
            continue
        if works.cubes and works.owner is not None:
            price = far[group] + (works.owner != seen.company)
            offers.setdefault(works.colour, []).extend([price] * works.cubes)
        elif works.owner is None and works.colour != VICTORY:
            offers.setdefault(works.colour, []).extend([far[group] + SITE] * FULL)
    return {colour: sorted(prices) for colour, prices in offers.items()}


def _distances(seen: View) -> dict[Label, int]:
    """How many connections of others lie between the own network and every group in reach."""
    own = {seen.groups[end] for line in seen.lines if line.owner == seen.company for end in line.ends}
    far = dict.fromkeys(sorted(own), 0)
    ring: Iterable[Label] = list(far)
    beyond: dict[Label, list[Label]] = {}
    for line in seen.lines:
        a, b = (seen.groups[end] for end in line.ends)
        beyond.setdefault(a, []).append(b)
        beyond.setdefault(b, []).append(a)
    while ring:
        found = {near: far[group] + 1 for group in ring for near in beyond.get(group, ()) if near not in far}
        far.update(found)
        ring = list(found)
    return far


def drawn(seen: View, done: Iterable[int]) -> float:
    """What two contracts drawn are worth on average beside the hand."""
    spare = [number for number in seen.tiles if number not in {*seen.hand, *done}]
    if not spare:
        return 0.0
    base = worth(seen)
    pairs = [(spare[n], spare[(7 * n + 3) % len(spare)]) for n in range(0, len(spare), 3)]
    total = sum(worth(replace(seen, hand=(*seen.hand, *dict.fromkeys(pair)))) for pair in pairs)
    return total / len(pairs) - base
