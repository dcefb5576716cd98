"""Builds as a whole: one way, or several that fit together, the best of those that can be paid."""

from __future__ import annotations

from collections.abc import Mapping, Sequence
from dataclasses import dataclass, replace
from functools import cached_property

from pbem.engine.moves import Seat
from pbem.rails.board import Board, Label
from pbem.robot.thinking.network import Land, Pair, Reach
from pbem.robot.thinking.thought import Holding, Outlook, Thought, links_of
from pbem.robot.thinking.ways import NOTHING, Finder, Part, Way, hung, merged, order_of

ROOM = 0.4
"""Points for a node to which a later build can go on."""


@dataclass(frozen=True, slots=True)
class Plan:
    """A build: its ways, what it costs by the picture, the segments it counts, and what it promises."""

    ways: tuple[Way, ...]
    parts: tuple[Part, ...]
    cost: int
    points: int
    outlook: Outlook
    reaches: tuple[Reach, ...]
    room: float = 0.0
    """What builds to come are worth that it leads to, where all track has to hang together."""
    before: str = ""
    """A New City, as a step to be taken first."""

    @property
    def tiles(self) -> int:
        return len(self.parts) + sum(1 for way in self.ways if way.link)

    @property
    def value(self) -> float:
        return self.outlook.value + self.room

    def order(self, board: Board) -> str:
        """The build as it is typed."""
        order = order_of(board, self.ways, self.parts)
        if not self.before:
            return order
        return f"build {self.before}" if order == NOTHING else f"build {self.before}; {order.removeprefix('build ')}"

    def outlook_of(self, thought: Thought, holding: Holding, moving: Sequence[Seat] | None = None) -> Outlook:
        """What it would promise to a company with other means, or in another order of moving."""
        moving = thought.table.moving if moving is None else moving
        outlook = thought.after_moves(self.reaches, holding, moving, {}, 0.0)
        return replace(outlook, value=outlook.value + self.room)


class Planner:
    """Looks for builds with a budget of work."""

    def __init__(
        self, thought: Thought, holding: Holding, land: Land, tiles: int, budget: int, finder: Finder | None = None
    ) -> None:
        self.finder = finder or thought.finder(tiles)
        self.thought, self.holding, self.land = thought, holding, land
        self.tiles, self.most = tiles, thought.work + budget
        self.known: dict[tuple[frozenset[Pair], tuple[Pair, ...]], tuple[Reach, ...]] = {}
        scene = thought.table.scene
        self.on_track = {label for label in scene.cubes if label not in scene.towns}
        self.barred = thought.table.barred
        own = (chain for chain in scene.chains if chain.owner == thought.table.seat) if self.barred else ()
        self.owned = frozenset(node for chain in own for node in chain.ends if node is not None)

    def nothing(self) -> Plan:
        """To build nothing."""
        return self._valued((), ())

    def plans(self, ways: Sequence[Way] | None = None, width: int = 0) -> list[Plan]:
        """Builds from the best on, with nothing among them; ``width`` of them are gone on with."""
        width = width or self.thought.character.width
        cash = self.holding.cash
        ways = [way for way in (self.finder.ways if ways is None else ways) if way.cost <= cash]
        ways.sort(key=lambda way: (way.cost / len(way.nodes), way.nodes))
        found, hanging = [self.nothing()], list[Plan]()
        for way in self._laid(ways):
            if self.thought.work >= self.most:
                break
            plan = self._valued((way,), way.parts)
            (found if self._hung((way,)) else hanging).append(plan)
        first = sorted(found[1:], key=_value, reverse=True)
        singles = sorted([*first, *hanging], key=_value, reverse=True)
        level = first[:width]
        while level and self.thought.work < self.most:
            level = self._longer(level, singles)[:width]
            found += level
        return sorted(found, key=_value, reverse=True)

    def _hung(self, ways: tuple[Way, ...]) -> tuple[Way, ...] | None:
        return hung(ways, self.barred, self.owned, together=self.thought.table.together)

    def _laid(self, ways: Sequence[Way]) -> list[Way]:
        """Those that may begin somewhere, or at the end of a shorter one that may, each from that end."""
        if not self.barred:
            return list(ways)
        single = [laid[0] for way in ways if (laid := self._hung((way,)))]
        ends = {node for way in single if way.tiles < self.tiles for node in way.nodes}
        return single + [
            way for way in ways if way.tiles < self.tiles and not ends.isdisjoint(way.nodes) and not self._hung((way,))
        ]

    def _longer(self, level: Sequence[Plan], singles: Sequence[Plan]) -> list[Plan]:
        """The plans with one more way each."""
        longer: dict[frozenset[int], Plan] = {}
        for plan in level:
            for single in singles:
                if self.thought.work >= self.most:
                    break
                (way,) = single.ways
                ways = (*plan.ways, way)
                key = frozenset(map(id, ways))
                if len(key) < len(ways) or key in longer or plan.tiles >= self.tiles:
                    continue
                laid = self._hung(ways)
                parts = None if laid is None else merged(laid)
                if parts is None or len(parts) + sum(1 for one in ways if one.link) > self.tiles:
                    continue
                if sum(map(self.finder.price, parts)) + sum(one.cost for one in ways if one.link) > self.holding.cash:
                    continue
                longer[key] = self._valued(ways, parts)
        return sorted(longer.values(), key=_value, reverse=True)

    def _valued(self, ways: tuple[Way, ...], parts: tuple[Part, ...]) -> Plan:
        cost = sum(map(self.finder.price, parts)) + sum(way.cost for way in ways if way.link)
        points = sum(len(part.edges) if part.town else 1 for part in parts) + sum(1 for way in ways if way.link)
        reaches = self._reaches(ways)
        holding = replace(self.holding, cash=self.holding.cash - cost, points=self.holding.points + points)
        outlook = self.thought.after_moves(reaches, holding, self.thought.table.moving, {}, 0.0)
        return Plan(ways, parts, cost, points, outlook, reaches, self._room(ways))

    def _room(self, ways: tuple[Way, ...]) -> float:
        """More for every node that can be gone on to from the ends of the ways."""
        if not self.thought.table.together:
            return 0.0
        new = {node for way in ways for node in way.nodes} - self.owned
        return ROOM * sum(len(self.beyond.get(node, ())) for node in new) * min(1.0, self.thought.table.left / 4)

    @cached_property
    def beyond(self) -> Mapping[Label, set[Label]]:
        """The nodes that one way leads to from each node."""
        beyond: dict[Label, set[Label]] = {}
        for way in self.finder.ways:
            for here, there in (way.nodes[:2], way.nodes[:-3:-1]):
                beyond.setdefault(here, set()).add(there)
        return beyond

    def _reaches(self, ways: tuple[Way, ...]) -> tuple[Reach, ...]:
        """What could be delivered with these ways; ways between the same nodes are alike."""
        links = frozenset(link for way in ways for link in links_of(way.nodes))
        over = tuple(lead for way in ways for lead in way.leads() if lead[0] in self.on_track)
        if (links, over) not in self.known:
            land = self.land.joined(sorted(links), self.thought.table.seat, over) if links else self.land
            self.known[links, over] = tuple(self.thought.reaches(land, self.holding.engine))
        return self.known[links, over]


def _value(plan: Plan) -> float:
    return plan.value
