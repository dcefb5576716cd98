"""What a phase or a map keeps of a position, a line for each field: written and read by the same table."""

from collections.abc import Callable, Iterator, Mapping
from typing import Any, NamedTuple

from pbem.engine import Seat, Who, Word
from pbem.engine.position_text import NONE, YES, Fixed, Line, Misread, Reading, listed, number
from pbem.engine.text import Voice
from pbem.rails.board import Board
from pbem.rails.hexes import TOWN
from pbem.rails.tiles import Ends, ends
from pbem.rails.track import Piece


class TableReading(Reading):
    """What a text about a board is read with: the words that may stand for cubes and actions."""

    def __init__(
        self, voice: Voice, board: Board, seats: tuple[Seat, ...], cubes: tuple[str, ...], actions: tuple[str, ...]
    ) -> None:
        super().__init__(voice, seats)
        self.board, self.cube_colours, self.actions = board, cubes, actions

    def hex(self, text: str) -> str:
        if text not in self.board.hexes:
            raise Misread(f"“{text}” is no hex of this board.")
        return text


class Kind(NamedTuple):
    """How the values of a field are written and read; ``empty``: what a field holds whose line is left out."""

    write: Callable[[Board, Any], Line]
    read: Callable[[TableReading, str], Any]
    empty: Any = None


class FieldLine(NamedTuple):
    """The line of a field: what stands before the colon, and how its values are written."""

    head: str
    kind: Kind


Lines = Mapping[str, FieldLine]
"""By the name of the field; the first one always has its line."""

PLAYER = Kind(lambda _, seat: (Who(seat),), lambda reading, text: reading.seat(text))
NUMBER = Kind(lambda _, n: (n,), lambda _, text: number(text), 0)
CUBE = Kind(lambda _, cube: (Word(cube),), lambda reading, text: reading.colour(text, reading.cube_colours))
ACTION = Kind(lambda _, action: (Word(action),), lambda reading, text: reading.colour(text, reading.actions))
LETTER = Kind(lambda _, letter: (letter,), lambda _, text: text)
FLAG = Kind(
    lambda _, flag: (Fixed(YES if flag else NONE),),
    lambda reading, text: reading.fixed(text, (YES, NONE)) == YES,
    empty=False,
)


def optional(kind: Kind) -> Kind:
    """A value or none."""
    return Kind(
        lambda board, value: (Fixed(NONE),) if value is None else kind.write(board, value),
        lambda reading, text: None if text == reading.voice.fixed(NONE) else kind.read(reading, text),
    )


def several(kind: Kind, between: str = ", ") -> Kind:
    """A tuple of values."""
    return Kind(
        lambda board, values: listed((kind.write(board, v) for v in values), between) if values else (Fixed(NONE),),
        lambda reading, text: (
            () if text == reading.voice.fixed(NONE) else tuple(kind.read(reading, item) for item in text.split(between))
        ),
        (),
    )


def numbered(kind: Kind) -> Kind:
    """A mapping of values to numbers: "Finn 1, Eva 2"."""

    def read(reading: TableReading, text: str) -> dict[Any, int]:
        pairs = (item.rpartition(" ") for item in text.split(", "))
        return {kind.read(reading, word): number(n) for word, _, n in pairs}

    return Kind(lambda board, values: listed((*kind.write(board, v), f" {n}") for v, n in values.items()), read, {})


def sides(board: Board, joined: Ends) -> str:
    """The two ends of a piece of track: "N-SE", "@SW"."""
    first, second = joined
    after = board.directions[second]
    return f"@{after}" if first == TOWN else f"{board.directions[first]}-{after}"


def ends_of(board: Board, text: str) -> Ends:
    """What :func:`sides` wrote."""
    first, _, second = text.partition("-")
    try:
        if text.startswith("@"):
            return ends(TOWN, board.directions.index(text[1:]))
        return ends(board.directions.index(first), board.directions.index(second))
    except ValueError as error:
        raise Misread(f"“{text}” names no two sides.") from error


def _read_piece(reading: TableReading, text: str) -> Piece:
    hex_, _, joined = text.partition(" ")
    return Piece(reading.hex(hex_), *ends_of(reading.board, joined))


PIECE = Kind(lambda board, piece: (f"{piece.hex} {sides(board, (piece.a, piece.b))}",), _read_piece)


def lines_of(board: Board, kept: Any) -> Iterator[Line]:
    """The lines of what is kept; empty fields have none."""
    if kept is None:
        return
    for at, (field, line) in enumerate(kept.lines.items()):
        value = getattr(kept, field)
        if at == 0 or value:
            yield (Fixed(line.head), ": ", *line.kind.write(board, value))


def kept_in(reading: TableReading, kept: type[Any] | None, said: Mapping[str, str]) -> Any:
    """What :func:`lines_of` wrote, from the lines by what stands before the colon; ``None`` for none of them."""
    if kept is None:
        return None
    lines: Lines = kept.lines
    if reading.voice.fixed(next(iter(lines.values())).head) not in said:
        return None
    values = {}
    for field, line in lines.items():
        text = said.get(reading.voice.fixed(line.head))
        values[field] = line.kind.empty if text is None else line.kind.read(reading, text)
    return kept(**values)
