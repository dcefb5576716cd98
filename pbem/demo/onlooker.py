"""Follows a game from outside, by its public record, so that robots can think about the position."""

import json
from collections.abc import Mapping
from typing import Any

from pbem.demo.browser import Astray, Browser
from pbem.engine import catalog
from pbem.engine.record import Record, play_entry, read_record, start
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
        """The position of a question of the turn API as its reader may imagine it, with hidden things made up.

        Raises :class:`Astray` when the public record tells of another position than the question does.
        """
        state = self.look(asked["version"])
        self._compare(state, asked["position"])
        if not self.sheet.secret_draws:
            return state
        return self.sheet.imagined(asked["position"], asked["seat"], self._record.options)

    def look(self, version: int) -> State:
        """The position after move ``version``, as far as it is open to all."""
        if self._entries < version:
            self._record = self._read()
        for entry in self._record.turns[self._entries : version]:
            self.state = play_entry(self.sheet, self._record, entry, self.state).state
            self._entries += 1
        return self.state

    def _compare(self, state: State, asked: Mapping[str, Any]) -> None:
        told = json.loads(json.dumps(self.sheet.position(state)))
        players = asked["players"].items()
        open_ = {seat: {key: value for key, value in player.items() if key != "hand"} for seat, player in players}
        seen = {**asked, "players": open_}
        if others := sorted(key for key in {*told, *seen} if told.get(key) != seen.get(key)):
            raise Astray(
                f"After move {self._entries} the public record has other {', '.join(others)} than the question."
            )

    def _read(self) -> Record:
        return read_record(json.dumps(self._browser.get_json(f"{self._address}/record.json")))
