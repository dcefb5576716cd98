"""Games of ours written as choochoo.games exports them: what the importer has to read back."""

import json
from collections.abc import Iterable, Iterator, Mapping
from contextlib import suppress
from typing import Any

from pbem.engine import Refused, Sheet, State, catalog
from pbem.engine.chance import NO_SEED, SeededChance
from pbem.engine.flow import PlayedUnasked
from pbem.engine.record import Record, replay, start
from pbem.service.archive.choochoo.export import CUBES, MAPS, SEATS
from pbem.service.archive.choochoo.places import DIRECTIONS, TILES, TOWNS
from pbem.service.archive.choochoo.translation import ACTIONS

Json = dict[str, Any]
KEYS = {slug: key for key, slug in MAPS.items()}
SIMPLE = {"loco": "locomotive", "drop": "pass", "pay": "stLuciaBid", "decline": "stLuciaPass", "pass": "pass"}
SHAPES: dict[int, tuple[Any, ...]] = {**TILES, **TOWNS}
HALVES = {"L": 1, "D": 2}
FIGURES = {"money": "cash", "income": "income", "shares": "shares", "locomotive": "engine"}
AWAY = 3
"""How far their hexes lie from where ours begin to count."""


class Written:
    """One game. ``bag``: the cubes in the bag in their order; ``seeds``: of every order that rolled or drew."""

    def __init__(self, record: Record, bag: Iterable[str], seeds: Iterable[str]) -> None:
        self.record, self.bag, self.seeds = record, list(bag), iter(seeds)
        self.sheet: Sheet = catalog.sheet(record.game, record.map)
        self.board = self.sheet.board  # type: ignore[attr-defined]
        self.upright = self.board.orientation == "flat-top"
        self.directions = DIRECTIONS["upright" if self.upright else "clockwise"]
        self.letters = sorted(self.board.new_cities)
        self.actions: list[Json] = []

    def file(self) -> Json:
        self.cities = list(self.letters)
        state: State = start(self.sheet, self.record)[0].state
        first = self.state(self.sheet.position(state))
        for played in replay(self.sheet, self.record):
            assert played.refusal is None
            if played.step:
                self.order(state, played.entry.player, played.entry.phase, played.entry.orders)
                for event in played.step.events:
                    if isinstance(event, PlayedUnasked):
                        self.settled(played.state, event)
                if played.draws:
                    self.actions[-1]["seed"] = next(self.seeds)
            state = played.state
        return {
            "id": 7,
            "gameKey": KEYS[self.board.slug],
            "variant": {},
            "playerIds": list(range(len(self.record.players))),
            "startSeed": "1",
            "startState": json.dumps({"version": 3, "gameData": first}),
            "actions": [{"version": number, "seed": None, **action} for number, action in enumerate(self.actions, 1)],
        }

    def settled(self, after: State, event: PlayedUnasked) -> None:
        """What is settled unasked here and not there."""
        if event.phase == "move_goods":
            self.act("pass")
        if event.phase == "build_track" and self.sheet.position(after)["players"][event.seat]["cash"] >= 2:
            self.act("done")

    def at(self, label: str) -> Json:
        hex_ = self.board.hexes[label]
        column, row = (hex_.x, hex_.y) if self.upright else (hex_.y, 100 - hex_.x)
        assert (row - column) % 2 == self.parity()
        return {"q": column, "r": (row - column - self.parity()) // 2 + AWAY}

    def parity(self) -> int:
        hex_ = next(iter(self.board.hexes.values()))
        return int(hex_.y - hex_.x) % 2

    def state(self, position: Mapping[str, Any]) -> Json:
        """What is dealt."""
        grid = []
        columns: Mapping[str, list[str | None]] = position["display"]
        for label in self.board.hexes:
            space: Json = {"type": 1 if label in self.board.city_at else 2}
            if label in self.board.towns:
                space["townName"] = "Somewhere"
            if city := self.board.cities.get(label):
                space["onRoll"] = [on_roll(column, columns[column]) for column in city.columns if column in columns]
            if label in position.get("accepts", ()):
                space["color"] = CUBES.index(position["accepts"][label][0])
            if cubes := position["cubes"].get(label):
                space["goods"] = [CUBES.index(cube) for cube in cubes]
            grid.append([self.at(label), space])
        players = [
            {"playerId": 100 + SEATS.index(seat), "color": SEATS.index(seat)}
            | {there: one[here] for there, here in FIGURES.items()}
            for seat, one in position["players"].items()
        ]
        return {
            "grid": grid,
            "bag": [CUBES.index(cube) for cube in self.bag],
            "players": players,
            "turnOrder": [SEATS.index(seat) for seat in self.record.players],
            "availableCities": [
                {"onRoll": [on_roll(self.board.new_cities[letter].columns[0], columns.get(letter, ()))]}
                for letter in self.letters
            ],
            "interCityConnections": [],
        }

    def act(self, name: str, **data: object) -> None:
        self.actions.append({"actionName": name, "actionData": data})

    def order(self, state: State, seat: str, phase: str, orders: str) -> None:
        word, _, rest = orders.partition(" ")
        if phase == "build_track":
            self.build(state, seat, rest)
        elif word == "issue":
            self.act("takeShares", numShares=int(rest))
        elif word == "bid":
            self.act("bid", bid=int(rest))
        elif orders == "action none":
            self.act("skip-select")
        elif word == "action":
            self.act("select", action={name: number for number, name in ACTIONS.items()}[rest])
        elif word == "pass" and phase == "turn_order":
            self.act("turnOrderPass")
        elif word == "move":
            self.move(state, seat, rest)
        elif word == "lift":
            colour, start, _, goal = rest.split(" ")
            cities = {"startingCity": self.at(start), "endingCity": self.at(goal)}
            self.act("heavy-lifting", good=CUBES.index(colour), **cities)
        elif word == "produce" and ">" not in rest:
            self.act("poland-production", coordinates=self.at(rest))
        elif word == "produce":
            for put in rest.split():
                self.produce(put)
        else:
            self.act(SIMPLE[word])

    def move(self, state: State, seat: str, rest: str) -> None:
        colour, _, way = rest.partition(" ")
        first, *hops = way.split(" > ")
        at = first.startswith("at ")
        start, owner = named(first.removeprefix("at ").split(" ")[0])
        path = []
        for number, hop in enumerate(hops):
            node, by = named(hop)
            by = owner if at and number == 0 else by or self.owner(state, seat, colour, (first, *hops), number)
            leg: Json = {"endingStop": self.at(node), "additionalData": {"teleport": False}}
            path.append(leg | ({} if by == "nobody" else {"owner": SEATS.index(by)}))
        self.act("move", path=path, startingCity=self.at(start), good=CUBES.index(colour))

    def owner(self, state: State, seat: str, colour: str, way: tuple[str, ...], number: int) -> str:
        """Over whose link a cube goes where an order does not say it."""
        for owner in (seat, "nobody", *self.record.players):
            said = [f"{hop}({owner})" if at == number + 1 else hop for at, hop in enumerate(way)]
            moves = self.sheet.parse(state, f"move {colour} {' > '.join(said)}", {})
            with suppress(Refused):
                self.sheet.play(state, seat, moves, self.luck())
                return owner
        raise AssertionError(f"nobody has the link to {way[number + 1]}")

    def produce(self, put: str) -> None:
        colour, _, box = put.partition(">")
        column, _, slot = box.partition("/")
        city = self.board.new_cities.get(column)
        there = city.columns[0] if city else column
        self.act(
            "production", urbanized=city is not None, onRoll=int(there[1]), cityGroup=HALVES[there[0]],
            good=CUBES.index(colour), row=(2 if city else 3) - int(slot),
        )  # fmt: skip

    def build(self, state: State, seat: str, rest: str) -> None:
        """Step by step, with ``done`` where its player would be asked for more there."""
        action = self.sheet.position(state)["players"][seat]["action"]
        steps = [] if rest == "nothing" else rest.split("; ")
        laid, city = 0, action == "urbanization"
        for step in steps:
            if step.startswith("city "):
                _, letter, label = step.split(" ")
                self.act("urbanize", cityIndex=self.cities.index(letter), coordinates=self.at(label))
                self.cities.remove(letter)
                city = False
            elif step.startswith("link "):
                self.link(step.removeprefix("link "))
                laid += 1
            else:
                label = step.partition(" ")[0]
                self.act("build", coordinates=self.at(label), **self.tile(self.lying(state, seat, steps, label)))
                laid += 1
        after = self.sheet.play(state, seat, self.sheet.parse(state, f"build {rest}", {}), self.luck()).state
        cash = self.sheet.position(after)["players"][seat]["cash"]
        limit = 4 if action == "engineer" and self.board.slug != "germany" else 3
        free = action == "engineer" and self.board.slug == "detroit" and not laid
        if city or (laid < limit and (cash >= 2 or free)):
            self.act("done")

    def link(self, called: str) -> None:
        fitting = [one for one in self.board.connections.values() if called in (one.name, f"{one.name} {one.price}")]
        if fitting[0].hex:
            self.act("claim", coordinates=self.at(fitting[0].hex))
        else:
            self.act("connect-cities", id=fitting[0].id.removeprefix("link:"))

    def lying(self, state: State, seat: str, steps: list[str], label: str) -> list[list[str]]:
        """The track on a hex after the step there: a New City that is founded later takes it away."""
        kept = [step for step in steps if not (step.startswith("city ") and step.endswith(f" {label}"))]
        moves = self.sheet.parse(state, f"build {'; '.join(kept)}", {})
        return [
            ends
            for ends, _ in self.sheet.position(self.sheet.play(state, seat, moves, self.luck()).state)["track"][label]
        ]

    @staticmethod
    def luck() -> SeededChance:
        return SeededChance(NO_SEED, "written")

    def tile(self, lying: list[list[str]]) -> Json:
        """The tile with this track, and how it lies."""
        wanted = {frozenset(ends) for ends in lying}
        for orientation in range(1, 7):
            for tile, shape in SHAPES.items():
                ends: list[tuple[int, ...]] = [(end,) if isinstance(end, int) else end for end in shape]
                track = {frozenset(self.end(end, orientation) for end in one) for one in ends}
                if tile in TOWNS:
                    track = {one | {"@"} for one in track}
                if track == wanted:
                    return {"tileType": tile, "orientation": orientation}
        raise AssertionError(f"there is no tile with {lying}")

    def end(self, end: int, orientation: int) -> str:
        return self.directions[(end + orientation - 3) % 6]


def on_roll(column: str, boxes: Iterable[str | None]) -> Json:
    goods = [None if cube is None else CUBES.index(cube) for cube in reversed(list(boxes))]
    return {"group": HALVES[column[0]], "onRoll": int(column[1]), "goods": goods}


def named(hop: str) -> tuple[str, str]:
    node, _, owner = hop.removesuffix(")").partition("(")
    return node, owner


def cubes(counts: Mapping[str, int]) -> Iterator[str]:
    for cube, count in counts.items():
        yield from [cube] * count
