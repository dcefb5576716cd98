"""What a position is worth: the present turn played to its end in thought, then the rest in broad strokes."""

from __future__ import annotations

import random
from collections.abc import Iterable, Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from itertools import pairwise

from pbem.engine.moves import Seat
from pbem.rails.board import Label
from pbem.robot.thinking.characters import Character
from pbem.robot.thinking.memory import Memory
from pbem.robot.thinking.network import LONGEST, Land, Reach, read_land
from pbem.robot.thinking.outlook import Lot, Scoring, Start, project, ruined
from pbem.robot.thinking.table import Company, Table
from pbem.robot.thinking.ways import Finder
from pbem.robot.thinking.weights import Weights

FINDERS = Memory[Finder](20)
"""An auction asks again and again on the same map."""
Taken = tuple[Label, str]
"""A cube by its place and colour."""


@dataclass(frozen=True, slots=True)
class Holding:
    """The company as a plan would leave it: dollars, shares, engine, points of track."""

    cash: float
    shares: int
    engine: int
    points: float
    income: float
    extra: int = 0

    @classmethod
    def of(cls, company: Company) -> Holding:
        """As it stands."""
        return cls(company.cash, company.shares, company.engine, company.points, company.income, company.extra)


@dataclass(frozen=True, slots=True)
class Outlook:
    """What a plan promises. ``gains``: of the deliveries of this turn; ``raises``: whether it raises the engine."""

    value: float
    gains: tuple[float, ...]
    raises: bool
    rivals: float


@dataclass(frozen=True, slots=True)
class Cargo:
    """What the company could deliver over its links: now, and in the turns to come.

    ``now``: gain by engine, the cube, and how many of it lie there. ``lots``, ``counts``: all of it, for the outlook.
    ``places``: which lot a cube that lies on the board is in.
    """

    now: list[tuple[Sequence[float], Taken, int]]
    lots: list[Lot]
    counts: list[int]
    places: Mapping[Taken, int]


@dataclass
class Thought:
    """One decision being thought about; ``work`` counts what it has looked at."""

    table: Table
    character: Character
    scoring: Scoring
    luck: random.Random
    work: int = 0
    finders: dict[int, Finder] = field(default_factory=dict)
    rival_ways: dict[Seat, list[tuple[float, Taken]]] = field(default_factory=dict)

    def briefly(self, part: int) -> Thought:
        """The same with a part of the budget, and its own count of work."""
        shorter = replace(self.character, budget=max(1, self.character.budget // part))
        return Thought(self.table, shorter, self.scoring, self.luck)

    @property
    def weights(self) -> Weights:
        return self.character.weights

    @property
    def budget(self) -> int:
        return self.character.budget

    @property
    def slip(self) -> float:
        return self.character.slip

    @property
    def tastes(self) -> Mapping[str, float]:
        return self.character.tastes

    @cached_property
    def land(self) -> Land:
        """The links and Cities as they are."""
        table = self.table
        return read_land(table.scene, table.cubes, table.links_of_others, self.character.strangers)

    def finder(self, tiles: int) -> Finder:
        """Finds ways of at most so many tiles."""
        if tiles not in self.finders:
            key = self.table.map_key, tiles
            self.finders[tiles] = FINDERS.get(
                key, lambda: Finder(self.table.scene, self.table.seat, tiles, self.table.price)
            )
        return self.finders[tiles]

    @cached_property
    def lying(self) -> Mapping[Taken, int]:
        """The cubes that lie on the board."""
        return {(cubes.node, cubes.colour): cubes.count for cubes in self.table.cubes if cubes.ready == 0}

    def ways_of(self, seat: Seat) -> list[tuple[float, Taken]]:
        """What another seat could deliver now, the best first."""
        if seat not in self.rival_ways:
            engine = self.table.companies[seat].engine
            reaches = self.land.reaches(seat, engine, self.weights)
            found = [
                (reach.now[engine], (reach.node, reach.colour))
                for reach in reaches
                if reach.ready == 0 and reach.now[engine] > 0
            ]
            self.rival_ways[seat] = sorted(found, key=_worth, reverse=True)
        return self.rival_ways[seat]

    @cached_property
    def contested(self) -> frozenset[Taken]:
        """Cubes that somebody else could deliver."""
        others = (seat for seat in self.table.order if seat != self.table.seat)
        return frozenset(cube for seat in others for _, cube in self.ways_of(seat))

    def reaches(self, land: Land, engine: int) -> list[Reach]:
        """What the robot could deliver over the links of a plan, with the engines it may still get."""
        self.work += 1
        longest = min(LONGEST, engine + 1 + self.table.left)
        return land.reaches(self.table.seat, longest, self.weights)

    def after_moves(
        self,
        reaches: Sequence[Reach],
        holding: Holding,
        moving: Sequence[Seat],
        gone: Mapping[Taken, int],
        rivals: float,
        *,
        may_raise: bool = True,
    ) -> Outlook:
        """The better of delivering in every round and of raising the engine in the first one."""
        me = [seat for seat in moving if seat == self.table.seat]
        cargo = self._cargo(reaches)
        best = self._played(cargo, holding, moving, gone, rivals, raising=None)
        if may_raise and me and holding.engine < LONGEST:
            for raising in sorted({0, min(len(best.gains), len(me) - 1)}):
                other = self._played(cargo, holding, moving, gone, rivals, raising=raising)
                best = other if other.value > best.value else best
        return best

    def _cargo(self, reaches: Sequence[Reach]) -> Cargo:
        keeps, contested, cubes = self.weights.keeps, self.weights.contested, self.contested
        cargo = Cargo([], [], [], places := {})
        for reach in reaches:
            cube = (reach.node, reach.colour)
            if not reach.ready:
                places[cube] = len(cargo.lots)
                cargo.now.append((reach.now, cube, reach.count))
            cargo.lots.append((reach.best, reach.ready, contested if cube in cubes else keeps))
            cargo.counts.append(reach.count)
        return cargo

    def _played(
        self,
        cargo: Cargo,
        holding: Holding,
        moving: Sequence[Seat],
        gone: Mapping[Taken, int],
        rivals: float,
        *,
        raising: int | None,
    ) -> Outlook:
        """Everybody delivers what brings most; ``raising``: the own round in which the engine is raised instead."""
        me, engine = self.table.seat, holding.engine
        used = dict(gone)
        lying = self.lying
        gains: list[float] = []
        turn = 0
        for seat in moving:
            if seat != me:
                for gain, cube in self.ways_of(seat):
                    if used.get(cube, 0) < lying.get(cube, 0):
                        used[cube] = used.get(cube, 0) + 1
                        rivals += gain
                        break
                continue
            if turn == raising:
                engine += 1
            else:
                most, chosen = 0.0, None
                for by_engine, cube, count in cargo.now:
                    if by_engine[engine] > most and used.get(cube, 0) < count:
                        most, chosen = by_engine[engine], cube
                if chosen is not None:
                    used[chosen] = used.get(chosen, 0) + 1
                    gains.append(most)
            turn += 1
        income = holding.income + sum(gains)
        start = Start(holding.cash, income, holding.shares, engine, holding.points, holding.extra)
        value = self._projected(cargo, start, used)
        if gains and len(self.table.order) > 1:
            owed = holding.shares + engine + holding.extra
            if ruined(holding.cash, income - max(gains), owed):
                value -= self.weights.risk * (value - self.scoring.ruin)
            if ruined(holding.cash, holding.income, owed):
                value -= self.weights.risk / 3 * (value - self.scoring.ruin)
        others = max(1, len(self.table.order) - 1)
        value -= self.weights.rival * self.step() * rivals / others
        return Outlook(value, tuple(gains), raising is not None, rivals)

    def step(self) -> float:
        """About what a step of income is worth in points."""
        return self.scoring.income + 0.5 * min(self.table.left, 3)

    def _projected(self, cargo: Cargo, start: Start, used: Mapping[Taken, int]) -> float:
        counts = cargo.counts.copy()
        for cube, number in used.items():
            place = cargo.places.get(cube)
            if place is not None:
                counts[place] = max(0, counts[place] - number)
        return project(self.weights, self.scoring, start, cargo.lots, counts, self.table.left, self.table.rounds)


def _worth(entry: tuple[float, Taken]) -> float:
    return entry[0]


def links_of(nodes: Sequence[Label]) -> Iterable[tuple[Label, Label]]:
    """The links between nodes that follow each other."""
    return pairwise(nodes)
