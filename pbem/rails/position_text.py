"""What the position of every game on these boards has as text: its first section, what is read first, the last line."""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any, Final, NamedTuple

from pbem.engine import Say, Seat, Word
from pbem.engine.position_text import (
    Fixed,
    Line,
    Misread,
    Section,
    check_of,
    first_number,
    listed,
    number,
)
from pbem.rails.position_lines import TableReading, lines_of
from pbem.rails.sheet import MapSheet

POSITION, CHECK, OPTIONS, ORDERS, OVER = "The position", "Check", "Options", "orders so far", "game over"
WORDS: Final = (POSITION, CHECK, OPTIONS, ORDERS, OVER)


class Heading(NamedTuple):
    """What the first section says; ``said``: its other lines, by what stands before the colon."""

    turn: int
    phase: str
    step: int
    over: bool
    options: dict[str, str]
    said: Mapping[str, str]


def heading(sheet: MapSheet[Any, Any], state: Any, *own: Line, facts: Iterable[Say] = ()) -> Section:
    """The first section; ``own``: lines of the game, before those of the phase and the map."""
    first: list[Line] = [
        (f"{sheet.full_name}: ", sheet.unit.nth(state.turn, sheet.turns(len(state.seats)))),
        (Word(state.phase),),
        (Fixed(ORDERS), f" {state.step}"),
    ]
    lines = [listed([*first, (Fixed(OVER),)] if state.over else first, "; ")]
    usual = usual_options(sheet)
    if chosen := [(f"{key} {value}",) for key, value in state.options.items() if usual.get(key) != value]:
        lines.append((Fixed(OPTIONS), ": ", *listed(chosen)))
    kept = (*lines_of(sheet.board, state.scratch), *lines_of(sheet.board, getattr(state, "extra", None)))
    return Section((Fixed(POSITION),), (*lines, *own, *kept, *((fact,) for fact in facts)))


def usual_options(sheet: MapSheet[Any, Any]) -> dict[str, str]:
    return {option.key: option.default for option in sheet.known_options()}


def last_line(sheet: MapSheet[Any, Any], state: Any, viewer: Seat = "") -> Section:
    """With what a program proves that it has misread nothing."""
    return Section((Fixed(CHECK), ": ", check_of(sheet.canonical(state, viewer))))


def section(reading: TableReading, sections: Mapping[str, tuple[str, ...]], head: str) -> tuple[str, ...]:
    """The lines of a section; none where it is left out."""
    return sections.get(reading.voice.fixed(head), ())


def name_players(reading: TableReading, lines: Iterable[str]) -> dict[Seat, str]:
    """Make the players known, and what the lines of their section say behind the colons."""
    names, said = {}, {}
    for line in lines:
        subject, _, clauses = line.rpartition(": ")
        name, _, colour = subject.rpartition(", ")
        seat = reading.colour(colour, reading.seats)
        names[seat], said[seat] = name, clauses
    reading.name(names)
    return said


def read_heading(sheet: MapSheet[Any, Any], reading: TableReading, lines: Sequence[str]) -> Heading:
    """Read back what :func:`heading` wrote. Raises :class:`Misread`."""
    first, *others = lines or ("",)
    clauses = first.removeprefix(f"{sheet.full_name}: ").split("; ")
    if len(clauses) < 3:
        raise Misread(f"The first line of a position says turn, phase and orders, not “{first}”.")
    turn, phase, step, *over = clauses
    said = dict(line.split(": ", 1) for line in others if ": " in line)
    options = said.get(reading.voice.fixed(OPTIONS), "")
    return Heading(
        first_number(turn),
        reading.colour(phase, (one.name for one in sheet.phases)),
        number(reading.after(step, ORDERS) or ""),
        bool(over),
        dict(option.split(" ", 1) for option in options.split(", ") if " " in option),
        said,
    )
