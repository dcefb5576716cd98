"""Entries of the log: what was ordered and rolled, and the position it led to."""

from collections.abc import Sequence

from sqlalchemy import insert

from pbem.engine import State, Step, Value
from pbem.engine.chance import NotedChance, SeededChance
from pbem.engine.events import tell
from pbem.engine.record import digest
from pbem.robot.reasons import Reason, reason_to_json
from pbem.service.base import GameWork
from pbem.service.clocks import game_clock
from pbem.service.turns import standing_orders
from pbem.store.statuses import MoveCause
from pbem.store.tables import Move

_INSERT = insert(Move)
"""Entries are many and never changed by whoever writes them: they are no objects of the session."""


class Entry(Value):
    """What is written down about one move beside the step it led to."""

    seat: str
    orders: str
    cause: MoveCause
    turn: int
    phase: str
    why: Reason | None = None
    """The reason of a robot."""


def chance_at(work: GameWork) -> NotedChance:
    sheet, state = work.sheet, work.state
    first = standing_orders.asked_first(work)
    return NotedChance(SeededChance(work.game.seed, sheet.place(state), first))


def note(work: GameWork, entry: Entry, step: Step[State], chance: NotedChance) -> None:
    """Stop the clock of the seat that answered, and add the move."""
    time = game_clock.answered(work)
    add(work, entry, step, chance.notes, time)


def written(moves: Sequence[object]) -> str:
    return "\n".join(map(str, moves))


def add(
    work: GameWork,
    entry: Entry,
    step: Step[State],
    chance: Sequence[dict[str, object]],
    time: tuple[int, int] | None = None,
) -> None:
    """Add an entry with number ``game.version`` to the log and make ``step`` the position; nobody is asked yet.

    ``time``: what the answer took and what the seat had in reserve before, in seconds.
    """
    spent, reserve = time or (None, None)
    sheet = work.sheet
    work.state = step.state
    if work.game in work.session.new:  # the entry points to it
        work.session.flush()
    values = {
        "game_id": work.game.id,
        "number": work.game.version,
        "seat": entry.seat,
        "turn": entry.turn,
        "phase": entry.phase,
        "orders": entry.orders,
        "cause": entry.cause,
        "chance": list(chance),
        "events": [tell(event) for event in step.events],
        "state": work.game.state,
        "digest": digest(sheet, step.state),
        "at": work.now,
        "asked_at": work.game.waiting_since,
        "spent_seconds": spent,
        "reserve_seconds": reserve,
        "why": None if entry.why is None else reason_to_json(entry.why),
    }
    work.session.connection().execute(_INSERT, values)
    work.game.turn, work.game.phase = sheet.turn(step.state), sheet.phase(step.state)


def copy(work: GameWork, moves: Sequence[Move]) -> None:
    """Make entries of another game the log of this one, numbered from 0, and the position after the last its own."""
    kept = "seat", "turn", "phase", "orders", "cause", "chance", "events", "state", "digest", "why"
    for number, move in enumerate(moves):
        values = {name: getattr(move, name) for name in kept}
        work.session.connection().execute(_INSERT, values | {"game_id": work.game.id, "number": number, "at": work.now})
    work.game.version, work.state = len(moves) - 1, work.sheet.decode(moves[-1].state)
    work.game.turn, work.game.phase = work.sheet.turn(work.state), work.sheet.phase(work.state)
