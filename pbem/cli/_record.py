"""Reading the record that a command is given."""

from __future__ import annotations

from pathlib import Path

from pbem import catalog
from pbem.cli._failure import Failure
from pbem.engine.chance import ChanceMismatch
from pbem.engine.record import BadRecord, Played, Record, read_record, replay, start
from pbem.engine.sheet import Sheet, State

LARGEST = 8_000_000
"""Bytes a record may have."""


def read(path: Path) -> tuple[Sheet, Record]:
    """The record in a file and its sheet. Raises :class:`Failure`."""
    try:
        if path.stat().st_size > LARGEST:
            raise Failure(f"{path} is larger than any record.")
        record = read_record(path.read_bytes())
        sheet = catalog.sheet(record.game, record.map)
        check_options(sheet, record)
        return sheet, record
    except OSError as error:
        raise Failure(f"{path} cannot be read: {error.strerror}.") from error
    except (BadRecord, catalog.UnknownSheet) as error:
        raise Failure(f"{path}: {error}") from error


def check_options(sheet: Sheet, record: Record) -> None:
    """Raises :class:`BadRecord` for an option or a value that the sheet does not have."""
    known = {option.key: option.choices for option in sheet.options()}
    for key, value in record.options.items():
        if value not in known.get(key, {}):
            raise BadRecord(f"{sheet.name} has no option {key} = {value}.")


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
    except (BadRecord, ChanceMismatch, ValueError) as error:
        raise Failure(f"The opening cannot be dealt: {error}") from error
