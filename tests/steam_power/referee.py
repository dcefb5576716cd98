"""A referee who looks at a game of Steam Power after every order and trusts nobody's bookkeeping (section 12).

Positions are judged as others see them, track by :mod:`tests.tracing`. Raises ``AssertionError`` with a sentence
that names the fault.
"""

import random
from collections import Counter
from collections.abc import Iterator, Mapping
from dataclasses import dataclass
from typing import Any

from pbem.engine import Step
from pbem.engine.chance import SeededChance
from pbem.steam_power.events import CashTaken, ContractFulfilled, TrackLaid
from pbem.steam_power.game import SteamPower
from pbem.steam_power.solo import SoloSteamPower
from pbem.steam_power.state import State
from tests.invariants import Invariants
from tests.tracing import Run, Tracing, complex_tile, curve

POOLS = {"straight": "S", "gentle": "S", "acute": "A", "cross_straight_straight": "A"}
SIZES = {"S": 80, "A": 10, "C": 10}
COLOURS = ("black", "white", "orange", "gray")
PRESSED = 2
"""Choices of a question that are played and taken back after every order."""


@dataclass
class Seen:
    """One position with what the referee made of it."""

    state: State
    position: dict[str, Any]
    runs: list[Run]
    tracing: Tracing

    @property
    def links(self) -> list[Run]:
        return [run for run in self.runs if run.link]


class Referee:
    """Watches one game from its deal on."""

    def __init__(self, sheet: SteamPower, dealt: State, invariants: Invariants | None = None) -> None:
        self.sheet, self.invariants, self.luck = sheet, invariants or Invariants(sheet), random.Random(2)
        self.solo = isinstance(sheet, SoloSteamPower)
        self.turns = Counter[str]()
        self.groups = tuple(_groups(Tracing(sheet.board, {"new_cities": {}, "track": {}})))
        self.last = self._look(dealt)
        self.check(self.last)

    def watch(self, seat: str, order: str, step: Step[State]) -> None:
        """Judge the position that an order led to, and the way there."""
        seen = self._look(step.state)
        try:
            self.check(seen)
            self._connections_stay(seen)
            self._ledger(seen, step)
            self._turn_passes(seat, seen)
        except AssertionError as fault:
            raise AssertionError(f"after {seat}: {order}: {fault}") from fault
        self.last = seen

    def _look(self, state: State) -> Seen:
        position = self.sheet.position(state)
        tracing = Tracing(self.sheet.board, {"new_cities": {}, **position})
        return Seen(state, position, tracing.runs(), tracing)

    def check(self, seen: Seen) -> None:
        """Everything that holds in every position."""
        self._cubes(seen)
        self._contracts(seen)
        self._track(seen)
        self._networks(seen)
        self._players(seen)
        if self.invariants.check(seen.state) and not seen.state.over:
            self._choices(seen)

    # pieces -------------------------------------------------------------------------------------------

    def _cubes(self, seen: Seen) -> None:
        cities, stock = seen.position["cities"], seen.position["stock"]
        for colour in COLOURS:
            on_board = sum(city["cubes"] for city in cities.values() if city["colour"] == colour)
            assert on_board + stock[colour] == 30, f"{colour} cubes appeared or vanished"
        open_cities = self._open_cities(seen)
        for label, city in cities.items():
            factory = city["factory"]
            assert city["flipped"] is (factory is not None and city["cubes"] == 0), f"{label} is flipped or not"
            assert factory is None or city["colour"] != "purple", f"a factory on the victory City {label}"
            assert factory is not None or city["cubes"] == 0, f"cubes without a factory on {label}"
            assert factory is None or label in open_cities, f"a factory on {label}, to which no connection leads"
            assert 0 <= city["cubes"] <= 6, f"{city['cubes']} cubes on {label}"

    def _contracts(self, seen: Seen) -> None:
        state = seen.state
        piles = [state.bag, state.counters]
        piles += [pile for player in state.players.values() for pile in (player.hand, player.done)]
        numbers = [number for pile in piles for number in pile]
        assert len(numbers) == len(set(numbers)) == len(self.sheet.contracts), "contracts appeared or vanished"
        assert seen.position["bag"] == len(state.bag)

    def _players(self, seen: Seen) -> None:
        position = seen.position
        assert position["order"] == list(seen.state.seats)
        assert seen.state.over or 0 <= position["actions_left"] <= self.sheet.actions
        pieces = position["companies"] if self.solo else position["players"]
        for company, left in pieces.items():
            on_board = sum(1 for run in seen.runs if run.owner == company)
            assert left["trains"] == (16 if self.solo else 18) - on_board, f"trains of {company}"
            built = sum(1 for city in position["cities"].values() if city["factory"] == company)
            assert left["factories"] == 15 - built, f"factories of {company}"
            assert min(left["trains"], left["factories"]) >= 0, f"{company} has used more pieces than there are"
        for seat, player in position["players"].items():
            assert player["cash"] >= 0, f"{seat} has ${player['cash']}"
            assert player["points"] == self._points(seen, seat), f"the points of {seat}"
            assert "hand" not in player, f"the hand of {seat} is shown"

    def _points(self, seen: Seen, seat: str) -> int:
        position, player = seen.position, seen.position["players"][seat]
        points = player["cash"] // 5 + sum(self.sheet.contracts[number].vp for number in player["done"])
        points += 2 * sum(
            1 for c in position["cities"].values() if c["flipped"] and (self.solo or c["factory"] == seat)
        )
        for label, city in position["cities"].items():
            if city["colour"] == "purple":
                there = {run.owner for run in seen.links if label in run.nodes}
                if self.solo:
                    points += len(there)
                elif seat in there:
                    points += 4 // len(there)
        return int(points)

    # track --------------------------------------------------------------------------------------------

    def _track(self, seen: Seen) -> None:
        board, tracing = self.sheet.board, seen.tracing
        sides: Counter[tuple[str, str]] = Counter()
        for (hex_, ends), owner in tracing.owner.items():
            assert owner in seen.state.companies, f"track of nobody on {hex_}"
            assert hex_ not in tracing.city, f"track on the City {hex_}"
            for end in ends:
                sides[hex_, end] += 1
                beyond = tracing.beyond(hex_, end)
                assert beyond is not None, f"track off the board on {hex_}"
                assert "water" not in (board.hexes[hex_].terrain, board.hexes[beyond].terrain), f"water at {hex_}"
        assert not [side for side, count in sides.items() if count > 1], "two segments on one side of a hex"
        used = Counter(self._pool(edges) for _, edges in tracing.tiles())
        assert all(used[pool] <= size for pool, size in SIZES.items()), f"more tiles than there are: {used}"
        for run in seen.runs:
            where = sorted(hex_ for hex_, _ in run.pieces)
            assert len(run.owners) == 1, f"a connection of several owners: {where}"
            assert run.link or (len(run.nodes) == 1 and len(run.open) == 1), f"track that starts at no City: {where}"
        open_ends = Counter(run.owner for run in seen.runs if not run.link)
        assert all(count == 1 for count in open_ends.values()), f"two incomplete connections: {open_ends}"

    def _pool(self, edges: tuple[int, ...]) -> str:
        name = curve(*edges) if len(edges) == 2 else complex_tile(*edges)
        assert name is not None, f"no tile shows {edges}"
        assert name in POOLS or name in ("cross_gentle_gentle", "cross_gentle_straight"), f"there is no {name}"
        return POOLS.get(name, "C")

    def _open_cities(self, seen: Seen) -> set[str]:
        touched = {node for run in seen.links for node in run.nodes}
        return {city for group in self.groups if touched & group for city in group}

    def _networks(self, seen: Seen) -> None:
        """SP-R49: every company's complete connections are one piece, adjacent Cities of open groups included."""
        group_of = {city: group for group in self.groups for city in group}
        for company in seen.state.companies:
            links = [{group_of[node] for node in run.nodes} for run in seen.links if run.owner == company]
            reached, before = set(links[0]) if links else set(), -1
            while len(reached) > before:
                before = len(reached)
                reached |= {group for link in links if link & reached for group in link}
            assert all(link & reached for link in links), f"the network of {company} is in pieces"
            for run in seen.runs:
                if run.owner == company and not run.link and links:
                    assert group_of[run.nodes[0]] in reached, f"{company} has started outside of its network"

    # what an order may change -------------------------------------------------------------------------

    def _connections_stay(self, seen: Seen) -> None:
        now = {run.pieces: run.owner for run in seen.links}
        for run in self.last.links:
            assert now.get(run.pieces) == run.owner, f"the connection {run.nodes} has changed"
        for label, city in self.last.position["cities"].items():
            after = seen.position["cities"][label]
            assert city["factory"] in (None, after["factory"]), f"the factory in {label} has changed its owner"
            assert city["colour"] == after["colour"]

    def _ledger(self, seen: Seen, step: Step[State]) -> None:
        """Cash has changed by what the events tell, and by nothing else."""
        cash: Counter[str] = Counter()
        actor = self.last.state.seat
        for event in step.events:
            match event:
                case TrackLaid():
                    cash[actor] -= event.price
                case CashTaken(seat, amount):
                    cash[seat] += amount
                case ContractFulfilled():
                    cash[event.seat] += event.money - event.price
                    assert sum(dict(event.paid).values()) <= event.price
                    if not self.solo:
                        cash.update(dict(event.paid))
        before, after = self.last.position["players"], seen.position["players"]
        for seat in seen.state.seats:
            assert after[seat]["cash"] - before[seat]["cash"] == cash[seat], f"the cash of {seat}"

    def _turn_passes(self, seat: str, seen: Seen) -> None:
        """Clockwise, everybody as often; the game ends with the last seat."""
        seats = seen.state.seats
        if seen.position["to_act"] != seat or (len(seats) == 1 and seen.position["turn"] != self.last.position["turn"]):
            self.turns[seat] += 1
            following = seats[(seats.index(seat) + 1) % len(seats)]
            assert seen.state.over or seen.position["to_act"] == following, "the turn went to the wrong player"
        if seen.state.over:
            assert len({self.turns[seat] for seat in seats}) == 1, f"not everybody had as many turns: {self.turns}"
            most = max(len(player["done"]) for player in seen.position["players"].values())
            threshold = self.sheet.end_threshold(len(seats))
            assert threshold is None or most >= threshold, "the game ended too early"

    def _choices(self, seen: Seen) -> None:
        """Buttons are legal, payable contracts among them; nobody else's cards are told."""
        question = self.sheet.question(seen.state)
        for choice in self.luck.sample(question.choices, min(PRESSED, len(question.choices))):
            moves = self.sheet.parse(seen.state, choice.order, {})
            assert [str(move) for move in moves] == [choice.order]
            chance = SeededChance(bytes(32), "tried")
            after = self.sheet.play(seen.state, question.seat, moves, chance).state
            self._gains(seen, choice.gains, after)

    def _gains(self, seen: Seen, gains: Mapping[str, int], after: State) -> None:
        for seat, gain in gains.items():
            if seat != seen.state.seat and seat in after.players:
                was = seen.position["players"][seat]["cash"]
                assert after.players[seat].cash == was + gain, f"{seat} does not get ${gain}"


def _groups(tracing: Tracing) -> Iterator[frozenset[str]]:
    """Adjacent Cities, found hex by hex."""
    left = set(tracing.city)
    while left:
        group, todo = set[str](), [left.pop()]
        while todo:
            city = todo.pop()
            group.add(city)
            beside = {tracing.beyond(city, side) for side in tracing.steps} & left
            left -= beside
            todo += [label for label in beside if label is not None]
        yield frozenset(group)
