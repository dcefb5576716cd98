"""A game through the service and a game on paper: what several benchmarks need."""

from __future__ import annotations

import os
import random
from dataclasses import replace
from datetime import UTC, datetime, timedelta
from pathlib import Path

from pbem import robot
from pbem.engine.chance import SeededChance
from pbem.engine.record import Entry, Record, read_record, start
from pbem.engine.sheet import Sheet
from pbem.service import Office
from pbem.service.base.tokens import InvitationClaim
from pbem.service.table import opening

SEED = bytes(range(32))
PLAYERS = tuple(opening.Invited(f"{name}@example.org", name.capitalize()) for name in ("ann", "ben", "cleo", "dan"))
SHARED = Path(os.environ.get("PBEM_SHARED", Path(__file__).parents[2] / "shared"))
RECORDED = SHARED / "recorded" / "rust_belt-2692.json"
"""A game of five that people really played; ``PBEM_SHARED`` says where, it is no part of a checkout."""


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


def recorded(sheet: Sheet) -> Record:
    """The recorded game, or one that five robots play where it is missing."""
    return read_record(RECORDED.read_bytes()) if RECORDED.is_file() else play_out(sheet, 5)


def play_out(sheet: Sheet, players: int) -> Record:
    """A whole game of robots as a record."""
    dice = random.Random(players)
    record = Record(sheet.game, sheet.slug, {}, sheet.colours[:players], (), SEED)
    state, entries = start(sheet, record)[0].state, []
    while (seat := sheet.to_act(state)) is not None:
        order = robot.choose(sheet, state, dice)
        entries.append(Entry(sheet.turn(state), sheet.phase(state), seat, order))
        state = sheet.play(state, seat, sheet.parse(state, order, {}), SeededChance(SEED, sheet.place(state))).state
    return replace(record, turns=tuple(entries))
