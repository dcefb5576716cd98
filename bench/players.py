"""A game through the service and a game on paper: what several benchmarks need."""

import os
import random
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pbem import robot
from pbem.engine import Sheet, State, replace
from pbem.engine.chance import SeededChance
from pbem.engine.record import Entry, Record, start
from pbem.service import Office
from pbem.service.base.tokens import InvitationClaim
from pbem.service.games import opening

SEED = bytes(range(32))
PLAYERS = tuple(opening.Invited(f"{name}@example.org", name.capitalize()) for name in ("ann", "ben", "cleo", "dan"))
SHARED = Path(os.environ.get("PBEM_SHARED", Path(__file__).parents[2] / "shared"))
"""Where games that people really played are recorded; they are no part of a checkout."""


def now() -> datetime:
    """The time, in UTC."""
    return datetime.now(UTC)


def open_game(office: Office, title: str = "Measured") -> str:
    """A game of four on the Rust Belt that everybody has accepted; its id."""
    new = opening.NewGame(title, "age-of-steam", "rust_belt", PLAYERS, grace=timedelta(0), seed=SEED)
    game = opening.open_game(office, None, new, now())
    for number in range(len(PLAYERS)):
        opening.answer(office, InvitationClaim(game, number), True, now())
    return game


def play_out(sheet: Sheet, players: int, number: int) -> tuple[Record, State]:
    """A whole game of robots as a record, and its end; another number is another game."""
    dice, seed = random.Random(number), number.to_bytes(32, "big")
    record = Record(sheet.game, sheet.slug, {}, sheet.colours[:players], (), seed)
    state, entries = start(sheet, record)[0].state, []
    while (seat := sheet.to_act(state)) is not None:
        order = robot.choose(sheet, state, dice)
        entries.append(Entry(sheet.turn(state), sheet.phase(state), seat, order))
        state = sheet.play(state, seat, sheet.parse(state, order, {}), SeededChance(seed, sheet.place(state))).state
    return replace(record, turns=tuple(entries)), state
