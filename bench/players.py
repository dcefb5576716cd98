"""A game through the service and somebody who plays it: what several benchmarks need."""

from __future__ import annotations

import random
from datetime import UTC, datetime

from pbem.engine.sheet import Sheet, State
from pbem.service import Office, games
from pbem.service.tokens import InvitationClaim

SEED = bytes(range(32))
PLAYERS = tuple(games.Invited(f"{name}@example.org", name.capitalize()) for name in ("ann", "ben", "cleo", "dan"))


def now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)


def open_game(office: Office, title: str = "Measured") -> str:
    """A game of four on the Rust Belt that everybody has accepted; its id."""
    game = games.open_game(office, None, games.NewGame(title, "age-of-steam", "rust_belt", PLAYERS, seed=SEED), now())
    for number in range(len(PLAYERS)):
        games.answer(office, InvitationClaim(game, number), True, now())
    return game


def some_order(sheet: Sheet, state: State, dice: random.Random) -> str:
    """A legal order, with a tile laid wherever one can be, so that the position grows like that of a real game."""
    if placements := sheet.placements(state):
        return dice.choice(placements)
    legal = sheet.legal(state)
    return dice.choice(legal) if legal else str(sheet.default(state))
