"""Opens the games of a storm, both kinds and several maps, while it blows."""

import hashlib
import random
import threading
import time
from collections.abc import Sequence
from datetime import UTC, datetime, timedelta

from sqlalchemy.exc import DBAPIError
from typing_extensions import override

from pbem.engine import Sheet, catalog
from pbem.service import NotNow, Office
from pbem.service.base.tokens import InvitationClaim
from pbem.service.games import opening

PEOPLE = 60
"""Robots with an address; everybody plays in many games."""
AGAIN_AFTER = 0.5
MOST_PLAYERS = 4
STEAM_POWER = 0.4
"""The share of games of Steam Power."""


class Opening(threading.Thread):
    """Opens ``count`` games, ``pause`` seconds apart, and accepts all invitations; ``opened`` are their ids."""

    def __init__(self, office: Office, count: int, seed: int, pause: float) -> None:
        super().__init__(name="opening", daemon=True)
        self.opened: list[str] = []
        self._office, self._count, self._pause = office, count, pause
        self._luck = random.Random(f"{seed} opening")
        self._ended = threading.Event()

    def stop(self) -> None:
        self._ended.set()
        self.join()

    @override
    def run(self) -> None:
        sheets = _sheets()
        for number in range(self._count):
            kind = "steam-power" if self._luck.random() < STEAM_POWER else "age-of-steam"
            self._open(number, self._luck.choice(sheets[kind]))
            if self._ended.wait(self._pause):
                return

    def _open(self, number: int, sheet: Sheet) -> None:
        fitting = [count for count in sheet.player_counts() if 2 <= count <= MOST_PLAYERS]
        people = self._luck.sample(range(PEOPLE), self._luck.choice(fitting))
        new = opening.NewGame(
            title=f"Storm {number + 1}",
            game=sheet.game,
            map=sheet.slug,
            players=tuple(opening.Invited(f"robot{person}@storm.invalid", f"Robot {person}") for person in people),
            grace=timedelta(0),
            turn_time=timedelta(days=3),
            seed=hashlib.sha256(f"storm {number} {self._luck.random()}".encode()).digest(),
        )
        while not self._ended.is_set():
            try:
                self.opened.append(self._accepted(opening.open_game(self._office, None, new, _now()), len(people)))
            except DBAPIError:
                self._ended.wait(AGAIN_AFTER)
            else:
                return

    def _accepted(self, game: str, seats: int) -> str:
        number = 0
        while number < seats and not self._ended.is_set():
            try:
                opening.answer(self._office, InvitationClaim(game, number), True, _now())
            except DBAPIError:
                time.sleep(AGAIN_AFTER)
                continue
            except NotNow:
                break  # the last acceptance was committed when its connection broke
            number += 1
        return game


def _sheets() -> dict[str, Sequence[Sheet]]:
    """Sheets for two to four, by game."""
    found: dict[str, list[Sheet]] = {}
    for sheet in catalog.sheets():
        if any(2 <= count <= MOST_PLAYERS for count in sheet.player_counts()):
            found.setdefault(sheet.game, []).append(sheet)
    return dict(found)


def _now() -> datetime:
    return datetime.now(UTC)
