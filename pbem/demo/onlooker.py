"""Follows a game from outside, by its public record, so that robots can think about the position."""

from __future__ import annotations

import json
from collections.abc import Mapping
from typing import Any

from pbem import catalog
from pbem.demo.browser import Browser
from pbem.engine.chance import LoadedChance
from pbem.engine.record import Record, read_record, start
from pbem.engine.sheet import Sheet, State


class Onlooker:
    """Knows the position of the game at ``address`` as far as it has looked."""

    def __init__(self, browser: Browser, address: str) -> None:
        self._browser, self._address = browser, address
        self._record = self._read()
        self.sheet: Sheet = catalog.sheet(self._record.game, self._record.map)
        self.state: State = start(self.sheet, self._record)[0].state
        self._entries = 0

    def imagine(self, asked: Mapping[str, Any]) -> State | None:
        """The position of a question of the turn API as its reader may imagine it, in a game with secrets."""
        if not self.sheet.secret_draws:
            return self.look(asked["version"])
        return self.sheet.imagined(asked["position"], asked["seat"], self._record.options)

    def look(self, version: int) -> State:
        """The position after move ``version``, of a game without secrets."""
        if self._entries < version:
            self._record = self._read()
        for entry in self._record.turns[self._entries : version]:
            moves = self.sheet.parse(self.state, entry.orders, {})
            chance = LoadedChance(list(entry.chance or ()))
            self.state = self.sheet.play(self.state, entry.player, moves, chance).state
            self._entries += 1
        return self.state

    def _read(self) -> Record:
        return read_record(json.dumps(self._browser.get_json(f"{self._address}/record.json")))
