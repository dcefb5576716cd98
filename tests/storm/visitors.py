"""People who only look: pages, pictures and the turn API, asked for all the time while everything breaks."""

import random
import threading
from collections import Counter
from collections.abc import Sequence
from http.client import HTTPException

from pbem.service.base.tokens import TurnClaim
from tests.storm.looking import Window
from tests.storm.sending import Wire

PAUSE = 0.1
"""Seconds between two looks of one visitor."""
PAGES = ("/", "/archive", "/tables", "/login", "/games/{game}", "/games/{game}/board.png", "/t/{token}",
         "/api/v1/turn/{token}")  # fmt: skip


class Visitors:
    """A few threads. ``games``: those that can be looked at; ``answers``: how often each status came, 0 for none."""

    def __init__(
        self, window: Window, wires: Sequence[Wire], games: Sequence[str], seed: int, threads: int = 2
    ) -> None:
        self.answers: Counter[int] = Counter()
        self._window, self._wires, self._games = window, wires, games
        self._ended = threading.Event()
        self._lock = threading.Lock()
        self._threads = [
            threading.Thread(target=self._look, args=(random.Random(f"{seed} visitor {number}"),), daemon=True)
            for number in range(threads)
        ]

    def start(self) -> None:
        for thread in self._threads:
            thread.start()

    def stop(self) -> None:
        self._ended.set()
        for thread in self._threads:
            thread.join()

    def _look(self, luck: random.Random) -> None:
        while not self._ended.wait(PAUSE):
            if not self._games:
                continue
            page, game = luck.choice(PAGES), luck.choice(self._games)
            asked = self._window.asked(game) if "{token}" in page else None
            if asked is None and "{token}" in page:
                continue
            token = self._window.office.tokens.make(TurnClaim(asked.game, asked.seat, asked.version)) if asked else ""
            try:
                code, _, _ = luck.choice(self._wires).ask("GET", page.format(game=game, token=token))
            except (OSError, HTTPException):
                code = 0
            with self._lock:
                self.answers[code] += 1
