"""Builds as a whole: one way, or several that fit together, the best of those that can be paid."""

from collections.abc import Mapping, Sequence
from dataclasses import replace
from functools import cached_property
from itertools import pairwise
from operator import attrgetter
from typing import NamedTuple

from pbem.engine import Seat
from pbem.rails.board import Board, Label
from pbem.robot.thinking.network import Land, Pair
from pbem.robot.thinking.table import Company
from pbem.robot.thinking.thought import Cargo, Outlook, Thought
from pbem.robot.thinking.ways import Begun, Finder, hung, merged
from pbem.robot.walks import NOTHING, Part, Way, order_of

ROOM = 0.4
"""Points for a node to which a later build can go on."""
NEXT_WAYS = 24
"""Ways of the next turn that are looked at for a build, those from its own nodes first."""
BEGUN = 24
"""Links over two turns that are looked at, the cheapest first."""
LEFT_OPEN = 0.85
"""The chance that such a link can be finished."""


class Plan(NamedTuple):
    """A build: its ways, what it costs by the picture, the segments it counts, and what it promises.

    ``tiles``: placements, and special links. ``room``: what builds to come are worth that it leads to. ``before``: a
    New City, as a step to be taken first. ``rest``: what the next turn has to lay of a link that is begun.
    """

    ways: tuple[Way, ...]
    links: frozenset[Pair]
    parts: tuple[Part, ...]
    tiles: int
    cost: int
    points: int
    outlook: Outlook
    cargo: Cargo
    room: float
    value: float
    before: str = ""
    rest: Way | None = None

    def order(self, board: Board) -> str:
        order = order_of(board, self.ways, self.parts)
        if not self.before:
            return order
        return f"build {self.before}" if order == NOTHING else f"build {self.before}; {order.removeprefix('build ')}"

    def apart(self, other: "Plan") -> bool:
        """Whether both lay nothing on the same hex."""
        return {part.hex for part in self.parts}.isdisjoint(part.hex for part in other.parts)

    def built(self, holding: Company) -> Company:
        """A company after it has paid for the build."""
        return holding._replace(cash=holding.cash - self.cost, points=holding.points + self.points)

    def value_to(self, thought: Thought, holding: Company, moving: Sequence[Seat] | None = None) -> float:
        """What it would be worth to a company with other means, or in another order of moving."""
        return self.outlook_to(thought, holding, moving).value + self.room

    def outlook_to(self, thought: Thought, holding: Company, moving: Sequence[Seat] | None = None) -> Outlook:
        moving = thought.table.moving if moving is None else moving
        return thought.after_moves(self.cargo, holding, moving, {}, 0.0)


class Planner:
    """Looks for builds with a budget of work."""

    def __init__(
        self, thought: Thought, holding: Company, land: Land, tiles: int, budget: int, finder: Finder | None = None
    ) -> None:
        self.finder = finder or thought.finder(tiles)
        self.thought, self.holding, self.land = thought, holding, land
        self.tiles, self.most = tiles, thought.work + budget
        self.known: dict[tuple[frozenset[Pair], tuple[Pair, ...]], Cargo] = {}
        scene = thought.table.scene
        self.on_track = {label for label in scene.cubes if label not in scene.towns}
        self.barred = thought.table.barred
        own = (chain for chain in scene.chains if chain.owner == thought.table.seat) if self.barred else ()
        self.owned = frozenset(node for chain in own for node in chain.ends if node is not None)

    def plans(self, ways: Sequence[Way] | None = None, width: int = 0) -> list[Plan]:
        """Builds from the best on, with nothing among them; ``width`` of them are gone on with. Without it these are as
        many as the character goes on with, and the next turn is looked at for as many as the character does that."""
        looks = not width and self.thought.table.left and self.thought.many
        width = width or self.thought.character.width
        cash = self.holding.cash
        ways = [way for way in (self.finder.ways if ways is None else ways) if way.cost <= cash]
        ways.sort(key=lambda way: (way.cost / len(way.nodes), way.nodes))
        found, hanging = [self._valued((), (), frozenset())], list[Plan]()
        for way in self._startable(ways):
            if self.thought.work >= self.most:
                break
            plan = self._valued((way,), way.parts, frozenset(pairwise(way.nodes)))
            (found if self._hung((way,)) else hanging).append(plan)
        first = sorted(found[1:], key=attrgetter("value"), reverse=True)
        singles = sorted([*first, *hanging], key=attrgetter("value"), reverse=True)
        level = first[:width]
        while level and self.thought.work < self.most:
            level = self._longer(level, singles)[:width]
            found += level
        found.sort(key=attrgetter("value"), reverse=True)
        if looks and self.thought.character.follows:
            found = self._with_next_turn(found, singles)
            found.sort(key=attrgetter("value"), reverse=True)
        return found

    def _with_next_turn(self, found: list[Plan], singles: Sequence[Plan]) -> list[Plan]:
        """Builds, the best first, with what the next turn adds to the best, and to one that lies apart from the best of
        these; with links over two turns."""
        follows = self.thought.character.follows
        looked, rest = [self._followed(plan, singles) for plan in found[:follows]], found[follows:]
        best = max(looked, key=attrgetter("value"))
        if not any(map(best.apart, looked)):
            apart = next((number for number, plan in enumerate(rest) if best.apart(plan)), None)
            if apart is not None:
                rest[apart] = self._followed(rest[apart], singles)
        return looked + rest + [self._begun_now(begun) for begun in self._to_begin()]

    def _followed(self, plan: Plan, singles: Sequence[Plan]) -> Plan:
        """The plan with what the best way of the next turn adds to its promise. What that way costs beyond the dollars
        expected to go into track then is taken off."""
        built = plan.built(self.holding)
        new = {node for way in plan.ways for node in way.nodes}
        most = plan.outlook.value
        for single in sorted(singles, key=lambda single: new.isdisjoint(single.ways[0].nodes))[:NEXT_WAYS]:
            if merged((*plan.ways, *single.ways)) is None:
                continue
            most = max(most, self._next_turn(plan, built, single.ways[0], single.links))
        more = most - plan.outlook.value
        return plan._replace(room=plan.room + more, value=plan.value + more)

    def _next_turn(self, plan: Plan, built: Company, way: Way, links: frozenset[Pair]) -> float:
        """What a plan is worth if the next turn lays a way. ``built``: the company after the plan."""
        cargo = self._cargo((*plan.ways, way), plan.links | links)
        then, free = replace(cargo, now=plan.cargo.now), self.thought.weights.track_money
        holding = built._replace(cash=built.cash - max(0.0, way.cost - free))
        return self.thought.after_moves(then, holding, self.thought.table.moving, {}, 0.0).value

    def _to_begin(self) -> Sequence[Begun]:
        """Links over two turns that it can begin; none where its track has to be finished, or all to hang together."""
        if self.thought.table.together or not self.thought.table.open_ends:
            return ()
        cash, barred = self.holding.cash, self.barred
        return [one for one in self.finder.begun if one.price <= cash and one.rest.nodes[0] not in barred][:BEGUN]

    def _begun_now(self, begun: Begun) -> Plan:
        """A build that begins a link, with what the link is worth in the next turn as far as it will still be there."""
        tiles, cost, cargo = len(begun.first), begun.price, self._cargo((), frozenset())
        holding, moving = self.holding._replace(cash=self.holding.cash - cost), self.thought.table.moving
        outlook = self.thought.after_moves(cargo, holding, moving, {}, 0.0)
        plan = Plan((), frozenset(), begun.first, tiles, cost, 0, outlook, cargo, 0.0, outlook.value, rest=begun.rest)
        finished = holding._replace(points=holding.points + tiles)
        whole = self._next_turn(plan, finished, begun.rest, frozenset(pairwise(begun.rest.nodes)))
        room = LEFT_OPEN * max(0.0, whole - outlook.value)
        return plan._replace(room=room, value=outlook.value + room)

    def _hung(self, ways: tuple[Way, ...]) -> tuple[Way, ...] | None:
        return hung(ways, self.barred, self.owned, together=self.thought.table.together)

    def _startable(self, ways: Sequence[Way]) -> list[Way]:
        """Those that may begin somewhere, or at the end of a shorter one that may, each from that end."""
        if not self.barred:
            return list(ways)
        single = [laid[0] for way in ways if (laid := self._hung((way,)))]
        ends = {node for way in single if way.tiles < self.tiles for node in way.nodes}
        return single + [
            way for way in ways if way.tiles < self.tiles and not ends.isdisjoint(way.nodes) and not self._hung((way,))
        ]

    def _longer(self, level: Sequence[Plan], singles: Sequence[Plan]) -> list[Plan]:
        longer: dict[frozenset[int], Plan] = {}
        for plan in level:
            if plan.tiles >= self.tiles:
                continue
            taken = frozenset(map(id, plan.ways))
            for single in singles:
                if self.thought.work >= self.most:
                    break
                (way,) = single.ways
                key = taken | {id(way)}
                if len(key) == len(taken) or key in longer:
                    continue
                ways = (*plan.ways, way)
                hung = self._hung(ways)
                parts = None if hung is None else merged(hung)
                if parts is None:
                    continue
                tiles, cost, _ = self._measured(ways, parts)
                if tiles > self.tiles or cost > self.holding.cash:
                    continue
                longer[key] = self._valued(ways, parts, plan.links | single.links)
        return sorted(longer.values(), key=attrgetter("value"), reverse=True)

    def _measured(self, ways: tuple[Way, ...], parts: tuple[Part, ...]) -> tuple[int, int, int]:
        """Placements and special links, dollars, and segments that count."""
        special = [way.cost for way in ways if way.link]
        cost = sum(map(self.finder.price, parts)) + sum(special)
        points = sum(len(part.edges) if part.town else 1 for part in parts) + len(special)
        return len(parts) + len(special), cost, points

    def _valued(self, ways: tuple[Way, ...], parts: tuple[Part, ...], links: frozenset[Pair]) -> Plan:
        """What a build is worth that makes some links."""
        tiles, cost, points = self._measured(ways, parts)
        own, cargo = self.holding, self._cargo(ways, links)
        holding = own._replace(cash=own.cash - cost, points=own.points + points)
        moving, room = self.thought.table.moving, self._room(ways)
        outlook = self.thought.after_moves(cargo, holding, moving, {}, 0.0)
        return Plan(ways, links, parts, tiles, cost, points, outlook, cargo, room, outlook.value + room)

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

    def _cargo(self, ways: tuple[Way, ...], links: frozenset[Pair]) -> Cargo:
        """What could be delivered with these ways; ways between the same nodes are alike."""
        over = self._over(ways)
        cargo = self.known.get((links, over))
        if cargo is None:
            seat = self.thought.table.seat
            land = self.land.joined(sorted(links), seat, over) if links or over else self.land
            cargo = self.thought.cargo(self.thought.reaches(land, self.holding.engine))
            self.known[links, over] = cargo
        return cargo

    def _over(self, ways: tuple[Way, ...]) -> tuple[Pair, ...]:
        """Hexes on which cubes lie under the track, each with the nodes that it leads to."""
        if not self.on_track:
            return ()
        return tuple(lead for way in ways for lead in way.leads() if lead[0] in self.on_track)
