"""A player who plays whatever comes to mind: legal orders by chance, found without listing what could be built.

Track is drawn with a finger: out of a City or of track that lies there, hex by hex with turns by chance, and the
judge of the game says whether it stands. So a whole game costs little, and no list has to be right for it.
"""

import random
from collections.abc import Iterable, Iterator, Mapping
from typing import Any

from pbem.engine import BadMove, Refused, Sheet, State, Step
from pbem.engine.chance import SeededChance
from pbem.rails.board import Board
from pbem.rails.hexes import opposite
from pbem.rails.sheet import MapSheet

LISTED = 0.03
"""The chance that a build is chosen from the list of all placements: a way to what a finger does not find."""
DRAWN = 4
"""Ways tried before nothing is built."""
MOST_TILES = 4
FIRST = 4
"""Among so many of a short list the choice is: the later ones are large bids and many shares."""
TRACK_MONEY = 9
"""Dollars a thrifty player wants for track besides the bill."""
KEPT = 2
"""Dollars a thrifty player keeps besides."""
COMPARED = 3
"""Deliveries a thrifty player compares."""


class RandomPlayer:
    """The players of one game with the dice of ``secret``; the ``rash`` do not look at their money."""

    def __init__(self, sheet: Sheet, secret: bytes, *, rash: bool) -> None:
        assert isinstance(sheet, MapSheet)
        self.sheet, self.board, self.secret, self.rash = sheet, sheet.board, secret, rash
        self.luck = random.Random(secret)
        self._tried: dict[str, Step[State]] = {}

    def play(self, state: State) -> tuple[str, Step[State]]:
        """An order for the seat to act, played. Raises ``BadMove`` or ``Refused`` when a list was wrong."""
        self._tried.clear()
        order = self._choose(state)
        return order, self._tried[order] if order in self._tried else self._step_of(state, order)

    def _choose(self, state: State) -> str:
        """An order for the seat to act."""
        legal = self.sheet.legal(state)
        if legal is None:
            return self._build(state) if self.sheet.game == "age-of-steam" else self._take_action(state)
        match legal[0].partition(" ")[0]:
            case "issue":
                return self._issue(state, legal)
            case "move" | "loco":
                return self._deliver(state, legal)
            case "drop" | "bid" if not self.rash:
                return self.luck.choice((*legal[:2], legal[0]))
        return self.luck.choice(legal[:FIRST] if self.rash else legal)

    def _issue(self, state: State, legal: tuple[str, ...]) -> str:
        """Enough for the bill and some track, or anything."""
        if self.rash:
            return self.luck.choice(legal[:FIRST])
        missing = max(0, TRACK_MONEY - self._spare(state)) + self.luck.choice((0, 0, 4))
        return legal[min(-(-missing // 4), len(legal) - 1)]

    def _deliver(self, state: State, legal: tuple[str, ...]) -> str:
        """The best for the own income of a few; a larger engine only for those who can pay for it."""
        orders = self.luck.sample(legal, min(len(legal), 1 if self.rash else COMPARED))
        if not self.rash and self._spare(state) < 1:
            orders = [order for order in orders if order != "loco"] or ["pass"]
        return max(orders, key=lambda order: self._income(state, order)) if len(orders) > 1 else orders[0]

    def _income(self, state: State, order: str) -> int:
        seat, after = self.sheet.to_act(state), self._after(state, order)
        return -1 if after is None else int(after.players[seat].income)

    def _spare(self, state: State) -> int:
        """Dollars that this turn's bill leaves; all that are there in games without a bill."""
        player = self.sheet.position(state)["players"][self.sheet.to_act(state)]
        bill = int(player.get("shares", 0)) + int(player.get("engine", 0))
        return int(player["cash"]) + int(player.get("income", 0)) - bill

    # track ------------------------------------------------------------------------------------------------

    def _build(self, state: State) -> str:
        position, money = self.sheet.position(state), self._spare(state) - KEPT
        for order in self._tracks(state, position):
            after = self._after(state, order)
            if after is not None and (self.rash or self._cost(position, after) <= max(money, 0)):
                return order
        return "build nothing"

    def _take_action(self, state: State) -> str:
        """Track, one of the two actions that are nearly always possible, or a button."""
        mood = self.luck.random()
        quick = ("cash", "draw") if mood < 0.6 else ()
        tracks: Iterable[str] = self._tracks(state, self.sheet.position(state)) if mood > 0.3 else ()
        for order in (*tracks, *self.luck.sample(quick, len(quick))):
            if self._after(state, order) is not None:
                return order
        buttons = [choice.order for choice in self.sheet.question(state).choices]
        return self.luck.choice([order for order in buttons if order.startswith("contract")] or buttons)

    def _tracks(self, state: State, position: Mapping[str, Any]) -> Iterator[str]:
        """Orders of one to four steps, legal or not."""
        if self.luck.random() < LISTED and (offers := self.sheet.placements(state)):
            yield self.luck.choice(offers)
        prefix = "build " if self.sheet.game == "age-of-steam" else "bonus " * (state.phase == "bonus") + "track "
        first = self._new_city(position)
        for _ in range(DRAWN):
            way = [*first, *self._way(position)]
            if way:
                yield prefix + "; ".join(way)
                yield prefix + way[0] + "; more" * (self.luck.random() < 0.5)

    def _new_city(self, position: Mapping[str, Any]) -> list[str]:
        """A New City by chance for the holder of Urbanization."""
        if position["players"][position["to_act"]].get("action") != "urbanization" or self.luck.random() < 0.1:
            return []
        letters = [letter for letter in self.board.new_cities if letter not in position["new_cities"]]
        towns = list(self.board.towns)
        return [f"city {self.luck.choice(letters)} {self.luck.choice(towns)}"] if letters else []

    def _way(self, position: Mapping[str, Any]) -> list[str]:
        """Steps out of a City, a town or a hex with track, straight on or with a bend at every hex."""
        board, luck = self.board, self.luck
        cities = [*board.city_at, *position.get("new_cities", {}).values()]
        hex_ = luck.choice((*cities, *cities, *position["track"]) or tuple(board.towns))
        edge, steps = luck.randrange(6), list[str]()
        for _ in range(luck.randint(1, MOST_TILES)):
            beyond = board.neighbours[hex_][edge]
            if beyond is None or beyond not in board.open_sides or beyond in cities:
                break
            hex_, entered = beyond, opposite(edge)
            edge = (entered + luck.choice((2, 3, 3, 4, 1))) % 6
            steps.append(self._tile(board, hex_, entered, edge))
        return steps

    def _tile(self, board: Board, hex_: str, entered: int, edge: int) -> str:
        names = board.directions
        if hex_ not in board.towns or self.sheet.game == "steam-power":
            return f"{hex_} {names[entered]}-{names[edge]}"
        return f"{hex_} @{names[entered]}" + (f",{names[edge]}" if self.luck.random() < 0.5 else "")

    def _after(self, state: State, order: str) -> State | None:
        """The position after an order, ``None`` when it is not legal."""
        try:
            step = self._tried[order] = self._step_of(state, order)
        except (BadMove, Refused):
            return None
        return step.state

    def _step_of(self, state: State, order: str) -> Step[State]:
        sheet, seat = self.sheet, self.sheet.to_act(state)
        chance = SeededChance(self.secret, sheet.place(state))
        return sheet.play(state, seat or "", sheet.parse(state, order, {}), chance)

    def _cost(self, position: Mapping[str, Any], after: State) -> int:
        """Dollars that an order spends."""
        seat = position["to_act"]
        return int(position["players"][seat]["cash"]) - int(after.players[seat].cash)
