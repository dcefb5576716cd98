"""A position as text that people and programs read: sections of lines, one fact a line (``docs/letters.md``).

A sheet says a position without language and names (:meth:`Sheet.words`); :func:`spoken` reads it out, and
:class:`Reading` is what the text is read back with.
"""

import re
from collections.abc import Callable, Iterable, Iterator, Mapping, Sequence
from hashlib import sha256
from typing import Any, Final, NamedTuple

from pbem.engine.moves import SEATS, Seat
from pbem.engine.text import Say, Voice, Who, Word
from pbem.engine.values import Value

COLUMNS: Final = 72
"""Width of the text."""
MOST_CUBES: Final = 1_000
NONE, YES, NOBODY = "none", "yes", "nobody"
WORDS: Final = (NONE, YES, NOBODY)
_BEFORE_NUMBER = re.compile(r"(?<!\d) (?=-?\d+(?:[ ,;]|$))")
_SEPARATORS = re.compile(r"[,:;]|^\s|\s$|\s\s")


class Misread(ValueError):
    """Text that is no position; the sentence says which line and why."""


class Fixed(Value):
    """A word of the text itself, which the catalogues have with the context ``position``."""

    word: str


class Named(Value):
    """A player by name, where it is said what the others are called."""

    seat: Seat


Part = str | int | Fixed | Named | Who | Word | Say
Line = tuple[Part, ...]


class TableColumn(Value):
    """A column of a section that pages show as a table: its head, and the words with which its clauses begin (none:
    those that begin with no word of the text). ``cubes``: the clauses are lists of cubes and empty boxes."""

    head: Line
    words: tuple[str, ...] = ()
    cubes: bool = False

    def has(self, clause: Line) -> bool:
        first = clause[0]
        return first.word in self.words if isinstance(first, Fixed) else not self.words


class Section(Value):
    """A head with its lines; a head alone is a line of its own.

    ``columns``: of a table of these lines, each of which is a name, its hexes, a colon and clauses.
    """

    head: Line
    lines: tuple[Line, ...] = ()
    columns: tuple[TableColumn, ...] = ()


class Paragraph(Value):
    head: str
    lines: tuple[str, ...] = ()


def listed(items: Iterable[Line], between: str = ", ") -> Line:
    """Items one after the other, with something between them."""
    parts: list[Part] = []
    for item in items:
        parts += [between, *item] if parts else item
    return tuple(parts)


def split(line: Line, between: str) -> tuple[Line, ...]:
    """The items that :func:`listed` put together, ``between`` being a part of its own."""
    items: list[list[Part]] = [[]]
    for part in line:
        if part == between:
            items.append([])
        else:
            items[-1].append(part)
    return tuple(map(tuple, items))


def counted(items: Sequence[str]) -> Line:
    """Cubes of a pile: "blue 2, red", in the order in which the colours come first."""
    colours = ((colour, items.count(colour)) for colour in dict.fromkeys(items))
    return listed((Word(colour), f" {n}") if n > 1 else (Word(colour),) for colour, n in colours)


def check_of(canonical: bytes) -> str:
    return sha256(canonical).hexdigest()[:8]


# read out ------------------------------------------------------------------------------------------------------------


def called(voice: Voice, names: Mapping[Seat, str]) -> dict[Seat, str]:
    """What the text calls players: by name, or by colour where a name would be taken for something else."""
    taken = {*map(voice.word, SEATS), *map(voice.fixed, (NONE, NOBODY))}
    several = list(names.values())
    return {
        seat: voice.word(seat) if name in taken or several.count(name) > 1 or _SEPARATORS.search(name) else name
        for seat, name in names.items()
    }


def spoken(sections: Iterable[Section], voice: Voice, seats: Iterable[Seat]) -> tuple[Paragraph, ...]:
    """The sections in the language and with the names of the voice."""
    line = line_reader(voice, seats)
    return tuple(Paragraph(line(section.head), tuple(map(line, section.lines))) for section in sections)


def line_reader(voice: Voice, seats: Iterable[Seat]) -> Callable[[Line], str]:
    """What reads a line out in the language and with the names of the voice."""
    names = called(voice, {seat: voice.who(seat) for seat in seats})

    def line(parts: Line) -> str:
        return "".join([part if type(part) is str else _said(part, voice, names) for part in parts])

    return line


def _said(part: Part, voice: Voice, names: Mapping[Seat, str]) -> str:
    match part:
        case Fixed(word):
            return voice.fixed(word)
        case Word(word):
            return voice.word(word)
        case Who(seat):
            return names.get(seat) or voice.word(seat)
        case Named(seat):
            return voice.who(seat)
        case Say():
            return part.read(voice)
    return str(part)


def as_text(paragraphs: Iterable[Paragraph]) -> str:
    """Paragraphs with a blank line between them, no line wider than 72 columns."""
    return "\n\n".join("\n".join(map(folded, _lines(paragraph))) for paragraph in paragraphs)


def _lines(paragraph: Paragraph) -> Iterator[str]:
    yield f"{paragraph.head}:" if paragraph.lines else paragraph.head
    yield from paragraph.lines


def folded(line: str) -> str:
    """A line that goes on behind two spaces where it is too long; no number is parted from its word."""
    if len(line) <= COLUMNS:
        return line
    rows = [""]
    for word in _BEFORE_NUMBER.sub("\0", line).split(" "):
        if rows[-1] and len(rows[-1]) + len(word) >= COLUMNS:
            rows.append(f"  {word}")
        else:
            rows[-1] += f" {word}" if rows[-1] else word
    return "\n".join(rows).replace("\0", " ")


class ReadPosition(NamedTuple):
    """A position that was read from text: the state, the players' names, whose hand it shows (``""``: nobody's)."""

    state: Any
    names: Mapping[Seat, str]
    viewer: Seat = ""


# read back -----------------------------------------------------------------------------------------------------------


def paragraphs_of(text: str) -> Iterator[Paragraph]:
    """The paragraphs of a text, lines put together that were folded."""
    for block in re.split(r"\n(?:[ \t]*\n)+", text.replace("\r\n", "\n").strip("\n")):
        head, *lines = re.sub(r"\n  ", " ", block).split("\n")
        yield Paragraph(head.rstrip().removesuffix(":") if lines else head.rstrip(), tuple(map(str.rstrip, lines)))


class Reading:
    """What a text is read with: the voice it was read out by, and the seats that there may be."""

    def __init__(self, voice: Voice, seats: Iterable[Seat]) -> None:
        self.voice, self.seats = voice, tuple(seats)
        self.names: dict[Seat, str] = {}
        self._seats: dict[str, Seat] = {}

    def name(self, names: Mapping[Seat, str]) -> None:
        """From here on the players are known by name."""
        self.names = dict(names)
        self._seats = {name: seat for seat, name in called(self.voice, names).items()}

    def seat(self, text: str) -> Seat:
        return self._seats.get(text) or self.colour(text, self.seats)

    def colour(self, text: str, colours: Iterable[str]) -> str:
        return self.meaning(text, colours, self.voice.word)

    def fixed(self, text: str, words: Iterable[str]) -> str:
        return self.meaning(text, words, self.voice.fixed)

    def meaning(self, text: str, words: Iterable[str], said: Callable[[str], str]) -> str:
        """Which of the words is said in this way."""
        for word in words:
            if said(word) == text:
                return word
        raise Misread(f"“{text}” means nothing here.")

    def after(self, text: str, word: str) -> str | None:
        """What stands behind a fixed word, ``None`` where the text does not begin with it."""
        said = self.voice.fixed(word) + " "
        return text.removeprefix(said) if text.startswith(said) else None

    def cubes(self, text: str, colours: Iterable[str]) -> tuple[str, ...]:
        """What :func:`counted` wrote."""
        cubes: list[str] = []
        for item in text.split(", "):
            colour, _, n = item.rpartition(" ")
            several = bool(colour) and n.isdecimal()
            cubes += [self.colour(colour if several else item, colours)] * (number(n) if several else 1)
            if len(cubes) > MOST_CUBES:
                raise Misread(f"There are not more than {MOST_CUBES} cubes in a game.")
        return tuple(cubes)


def number(text: str) -> int:
    if not re.fullmatch(r"-?\d{1,6}", text):
        raise Misread(f"“{text}” is no number.")
    return int(text)


def first_number(text: str) -> int:
    """The first number of a clause: the 5 of "turn 5 of 6"."""
    digits = re.search(r"\d{1,6}", text)
    if digits is None:
        raise Misread(f"“{text}” has no number.")
    return int(digits[0])
