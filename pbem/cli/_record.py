"""Reading the record that a command is given."""

from pathlib import Path

from pbem.cli import _terminal
from pbem.cli._terminal import Failure
from pbem.engine import Sheet, State, catalog
from pbem.engine.faults import BadDrawing
from pbem.engine.record import BadRecord, Played, Record, read_record, replay, start


def read(path: Path) -> tuple[Sheet, Record]:
    """The record in a file and its sheet. Raises :class:`Failure`."""
    try:
        record = read_record(_terminal.read(path))
        return catalog.of_record(record), record
    except (BadRecord, BadDrawing, catalog.UnknownSheet) as error:
        raise Failure(f"{path}: {error}") from error


def at(sheet: Sheet, record: Record, number: int | None) -> tuple[State, Played | None, State]:
    """The position after entry ``number`` (from 0; ``None`` = the last), that entry, the position before it.

    Raises :class:`Failure` when the record does not get so far.
    """
    state = begin(sheet, record)
    before, last = state, None
    for played in replay(sheet, record):
        if played.refusal is not None:
            raise Failure(f"Entry {played.number} is refused: {played.refusal.sentence()}")
        if not played.passed_over:
            before, state, last = state, played.state, played
        if played.number == number:
            return state, last, before
    if number is not None:
        raise Failure(f"The record has entries 0 to {len(record.turns) - 1}.")
    return state, last, before


def begin(sheet: Sheet, record: Record) -> State:
    """The dealt game. Raises :class:`Failure`."""
    try:
        return start(sheet, record)[0].state
    except BadRecord as error:
        raise Failure(str(error)) from error
