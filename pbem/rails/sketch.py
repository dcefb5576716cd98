"""Reads the sketch of a board: a sign for each hex, which stand on a grid."""

from collections.abc import Mapping
from typing import Final

from pbem.engine import Say, Value, say
from pbem.engine.faults import Fault
from pbem.engine.reading import shown
from pbem.rails.board import SIGNS, Label
from pbem.rails.hexes import label_at

ACROSS: Final = 40
"""Hexes from side to side at most."""
SIZES: Final = range(4, ACROSS + 1)
"""Hexes from side to side of a board that the site makes."""


class Sketch(Value):
    """The sign of every hex and where it stands on the grid."""

    signs: Mapping[Label, str]
    at: Mapping[Label, tuple[int, int]]
    faults: tuple[Fault, ...]


def read_sketch(text: str, orientation: str) -> Sketch:
    flat = orientation == "flat-top"
    lines = text.strip("\n").splitlines()
    found = [(line, at, sign) for line, row in enumerate(lines) for at, sign in enumerate(row) if sign != " "]
    if not found:
        return Sketch({}, {}, (Fault(say("The map has no sketch.")),))
    if len(lines) > ACROSS * (2 if flat else 1) or max(at for _, at, _ in found) >= 2 * ACROSS:
        return Sketch({}, {}, (Fault(say("The sketch is larger than {n} by {n} hexes.", n=ACROSS)),))
    parities = [_parity(line, at, flat=flat) for line, at, _ in found]
    usual = max((0, 1), key=parities.count)
    signs, places, faults, odd = {}, {}, [], set[int]()
    for (line, at, sign), parity in zip(found, parities, strict=True):
        x, y, label = _position(line, at, flat=flat)
        signs[label], places[label] = sign, (x, y)
        if parity != usual and line not in odd:
            odd.add(line)
            faults.append(Fault(_between(line + 1, at + 1, flat=flat), label))
        if sign not in SIGNS:
            unknown = say(
                "Line {line} of the sketch has the sign “{sign}”, which stands for no land.",
                line=line + 1,
                sign=shown(sign),
            )
            faults.append(Fault(unknown, label))
    return Sketch(signs, places, tuple(faults))


def _between(line: int, place: int, *, flat: bool) -> Say:
    if flat:
        return say(
            "Line {line} of the sketch: the sign at place {place} stands between two hexes. Signs of a line stand four "
            "places apart, lines alternate by two.",
            line=line,
            place=place,
        )
    return say(
        "Line {line} of the sketch: the sign at place {place} stands between two hexes. Signs of a line stand two "
        "places apart, lines alternate by one.",
        line=line,
        place=place,
    )


def _parity(line: int, at: int, *, flat: bool) -> int:
    """The same for all hexes of a board; 2 for a place where none can be."""
    if flat:
        return 2 if at % 2 else (at // 2 + line) % 2
    return (at + line) % 2


def _position(line: int, at: int, *, flat: bool) -> tuple[int, int, Label]:
    if flat:  # two signs to a column, one line to a half row
        return at // 2, line, label_at(at // 2, line, flat=True)
    return at, line, label_at(at, line, flat=False)
