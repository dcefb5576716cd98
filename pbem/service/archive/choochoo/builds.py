"""The tiles of one build turn of choochoo.games as one order."""

from collections.abc import Callable
from contextlib import suppress
from typing import Any

import msgspec

from pbem.engine import Refused, State
from pbem.engine.chance import NO_SEED, SeededChance
from pbem.rails.sheet import MapSheet
from pbem.service.archive.choochoo.export import Action, Coordinates, Differs
from pbem.service.archive.choochoo.places import TOWNS, Places

TILES, ENGINEER = 3, 4
"""Tiles of a turn, and with the Engineer."""
WITHOUT_FOURTH = ("germany",)
"""Maps on which the Engineer has no fourth tile."""
CHEAPEST = 2
"""A build turn ends there when its player has less left, in dollars."""
FIRST_FREE = ("detroit",)
"""Maps on which the first tile of the Engineer costs nothing."""
PRICED_OTHERWISE = ("pittsburgh",)
"""Maps on which a tile that replaces another, and does not cross it, has another price there."""
CROSSINGS = (11, 12, 13)
TOWN = "@"


class BuildTurn:
    """What has been laid so far, and ``state`` with it, as far as our rules let a turn be played in parts.

    ``cities``: the letters of the New Cities that are left, in the order in which they are numbered there.
    ``link``: how a link without tiles is called here.
    """

    def __init__(
        self,
        sheet: MapSheet[Any, Any],
        state: State,
        seat: str,
        places: Places,
        cities: list[str],
        link: Callable[[Any], str],
    ) -> None:
        self._sheet, self._seat, self._places, self._cities, self._link = sheet, seat, places, cities, link
        self._before = self.state = state
        self._steps: list[str] = []
        self._laid = 0
        action = sheet.position(state)["players"][seat]["action"]
        self._engineer = action == "engineer"
        self._city = action == "urbanization"
        self._in_parts = all(getattr(phase, "parts", True) for phase in sheet.phases)

    def open(self, state: State) -> bool:
        """Whether its player is asked there for more."""
        if self._city:
            return True
        limit = ENGINEER if self._engineer and self._sheet.board.slug not in WITHOUT_FOURTH else TILES
        free = self._engineer and self._sheet.board.slug in FIRST_FREE and not self._laid
        cash = self._sheet.position(state)["players"][self._seat]["cash"]
        return self._laid < limit and cash >= (0 if free else CHEAPEST)

    def add(self, action: Action) -> None:
        """Raises ``BadMove`` or ``Refused`` for a step that our rules do not allow."""
        data = action.action_data
        if action.action_name == "urbanize":
            self._steps.append(f"city {self._cities.pop(data['cityIndex'])} {self._label(data)}")
            self._city = False
        else:
            self._steps.append(self._tile(data) if action.action_name == "build" else self._link(data))
            self._laid += 1
        if self._in_parts:
            self._try("; more")
        else:
            with suppress(Refused):  # an unfinished link: its player is asked for more
                self._try("")

    def _try(self, more: str) -> None:
        moves = self._sheet.parse(self._before, f"{self.order()}{more}", {})
        self.state = self._sheet.play(self._before, self._seat, moves, SeededChance(NO_SEED, "tried")).state

    def order(self) -> str:
        return f"build {'; '.join(self._steps)}" if self._steps else "build nothing"

    def _label(self, data: Any) -> str:
        return self._places.label(msgspec.convert(data["coordinates"], Coordinates))

    def _tile(self, data: Any) -> str:
        label, tile, orientation = self._label(data), data["tileType"], data["orientation"]
        lying = [set(ends) for ends, _ in self._sheet.position(self._before)["track"].get(label, ())]
        if tile in TOWNS:
            exits = [end for end in self._places.exits(tile, orientation) if {TOWN, end} not in lying]
            return f"{label} @{','.join(exits)}"
        if lying and tile not in CROSSINGS and self._sheet.board.slug in PRICED_OTHERWISE:
            raise Differs(f"the tile on {label} had another price there, so money would differ from now on")
        segments = [ends for ends in self._places.segments(tile, orientation) if set(ends) not in lying]
        return f"{label} {','.join('-'.join(ends) for ends in segments)}"
