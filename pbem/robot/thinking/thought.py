"""What a position is worth: the present turn played to its end in thought, then the rest in broad strokes."""

import random
from collections.abc import Mapping, Sequence
from dataclasses import dataclass, field, replace
from functools import cached_property
from operator import itemgetter
from typing import NamedTuple

from pbem.engine import Seat
from pbem.rails.board import Label
from pbem.robot.thinking.characters import FIRST_HALF, MANY_PLAYERS, NO_TASTES, Character, Tastes, Weights
from pbem.robot.thinking.network import LONGEST, Land, Reach, read_land
from pbem.robot.thinking.outlook import Course, Lot, Scoring, course, project, ruined
from pbem.robot.thinking.table import Company, Table
from pbem.robot.thinking.ways import Finder

Taken = tuple[Label, str]
"""A cube by its place and colour."""


class Outlook(NamedTuple):
    """What a plan promises. ``gains``: of the deliveries of this turn. ``safe``: without the best of them the company
    is not bankrupt at the end of the turn."""

    value: float
    gains: tuple[float, ...]
    safe: bool


@dataclass(slots=True)
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
    rival_ways: dict[Seat, list[tuple[float, Taken, int]]] = field(default_factory=dict)

    @property
    def weights(self) -> Weights:
        return self.character.weights

    @property
    def many(self) -> bool:
        """Whether there are :data:`MANY_PLAYERS`."""
        return len(self.table.order) >= MANY_PLAYERS

    @cached_property
    def tastes(self) -> Tastes:
        """What the character likes on this sheet, with so many players and turns left."""
        if not self.many:
            return NO_TASTES
        tastes = self.character.tastes_on.get(self.table.sheet.slug, self.character.tastes)
        return tastes if self.table.left >= FIRST_HALF else replace(tastes, share=0.0, urbanization=0.0)

    @cached_property
    def land(self) -> Land:
        table = self.table
        return read_land(table.scene, table.cubes, table.rules.links_of_others, public=self.character.public)

    def finder(self, tiles: int) -> Finder:
        """Finds ways of at most so many tiles."""
        if tiles not in self.finders:
            self.finders[tiles] = Finder(self.table.scene, self.table.seat, tiles, self.table.price)
        return self.finders[tiles]

    @cached_property
    def lying(self) -> Mapping[Taken, int]:
        return {(cubes.node, cubes.colour): cubes.count for cubes in self.table.cubes if cubes.ready == 0}

    def ways_of(self, seat: Seat) -> list[tuple[float, Taken, int]]:
        """What another seat could deliver now, and how many cubes of it lie there, the best first."""
        found = self.rival_ways.get(seat)
        if found is None:
            engine, lying = self.table.companies[seat].engine, self.lying
            reaches = self.land.reaches(seat, engine, self.weights)
            found = [
                (reach.now[engine], (reach.node, reach.colour), lying[reach.node, reach.colour])
                for reach in reaches
                if reach.ready == 0 and reach.now[engine] > 0
            ]
            found = self.rival_ways[seat] = sorted(found, key=itemgetter(0), reverse=True)
        return found

    @cached_property
    def contested(self) -> frozenset[Taken]:
        """Cubes that somebody else could deliver."""
        others = (seat for seat in self.table.order if seat != self.table.seat)
        return frozenset(cube for seat in others for _, cube, _ in self.ways_of(seat))

    def reaches(self, land: Land, engine: int) -> list[Reach]:
        """What the robot could deliver over the links of a plan, with the engines it may still get."""
        self.work += 1
        return land.reaches(self.table.seat, min(LONGEST, engine + 1 + self.table.left), self.weights)

    def after_moves(
        self,
        cargo: Cargo,
        holding: Company,
        moving: Sequence[Seat],
        gone: Mapping[Taken, int],
        rivals: float,
        *,
        may_raise: bool = True,
    ) -> Outlook:
        """The better of delivering in every round and of raising the engine in the first one."""
        mine = sum(1 for seat in moving if seat == self.table.seat)
        best = self._outlook(cargo, holding, moving, gone, rivals, None)
        if may_raise and mine and holding.engine < LONGEST:
            for raising in sorted({0, min(len(best.gains), mine - 1)}):
                other = self._outlook(cargo, holding, moving, gone, rivals, raising)
                best = other if other.value > best.value else best
        return best

    def cargo(self, reaches: Sequence[Reach]) -> Cargo:
        """What is within reach, in the order in which it is looked through."""
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

    def _outlook(
        self,
        cargo: Cargo,
        holding: Company,
        moving: Sequence[Seat],
        gone: Mapping[Taken, int],
        rivals: float,
        raising: int | None,
    ) -> Outlook:
        """Everybody delivers what brings most; ``raising``: the own round in which the engine is raised instead."""
        me, engine = self.table.seat, holding.engine
        used = dict(gone)
        gains: list[float] = []
        turn = 0
        for seat in moving:
            if seat != me:
                for gain, cube, there in self.ways_of(seat):
                    taken = used.get(cube, 0)
                    if taken < there:
                        used[cube] = taken + 1
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
        counts = cargo.counts.copy()
        for cube, number in used.items():
            place = cargo.places.get(cube)
            if place is not None:
                counts[place] = max(0, counts[place] - number)
        turns = course(self.weights, self.scoring, engine, cargo.lots, counts, self.table.left, self.table.rounds)
        value, safe = self._promised(holding, gains, rivals, engine, turns)
        return Outlook(value, tuple(gains), safe)

    def _promised(
        self, holding: Company, gains: Sequence[float], rivals: float, engine: int, turns: Course
    ) -> tuple[float, bool]:
        """What the deliveries are worth to a company in the end, less what they risk and what others gain; whether they
        risk nothing."""
        income = holding.income + sum(gains)
        start = holding._replace(income=income, engine=engine)
        value = project(self.weights, self.scoring, start, turns)
        owed = holding.shares + engine + holding.extra
        safe = not ruined(holding.cash, income - max(gains, default=0.0), owed)
        if gains and len(self.table.order) > 1:
            if not safe:
                value -= self.weights.risk * (value - self.scoring.ruin)
            if ruined(holding.cash, holding.income, owed):
                value -= self.weights.risk / 3 * (value - self.scoring.ruin)
        others = max(1, len(self.table.order) - 1)
        return value - self.scoring.rival * self.weights.rival * self.step() * rivals / others, safe

    def step(self) -> float:
        """About what a step of income is worth in points."""
        return self.scoring.income + 0.5 * min(self.table.left, 3)
