"""Track as walks: place, hexes in order, place. Two hexes share one side, so a walk fixes every piece of track.

For neighbours *p*, *h*, *n* in a walk *h* has the segment from its side to *p* to its side to *n*; a town at an end has
the segment from the town to its side to its neighbour, a City at an end has none.
"""

from collections import Counter
from collections.abc import Collection, Iterable, Iterator, Mapping
from typing import Final

from pbem.engine import Seat, Who
from pbem.engine.position_text import NOBODY, Fixed, Line, Misread, Paragraph, Section, listed
from pbem.rails.board import Board, Connection, Label
from pbem.rails.hexes import TOWN
from pbem.rails.names import folded
from pbem.rails.position_lines import TableReading
from pbem.rails.tiles import ends
from pbem.rails.track import Chain, Net, Piece, Segment

TRACK, OPEN = "Track of", "open to"
FERRY, DIRECT, PUBLIC = "ferry", "direct link", "public link"
WORDS: Final = (TRACK, OPEN, FERRY, DIRECT, PUBLIC)


class Ends:
    """What walks call Cities and towns, ``names`` being those of all by label: with a label where another has the name
    too, or where the City has several hexes: that of the hex that is touched. ``new_cities``: hexes of New Cities."""

    def __init__(self, board: Board, names: Mapping[Label, str], new_cities: Collection[Label] = ()) -> None:
        several = Counter(names.values())
        self.by_hex: dict[Label, str] = {}
        for label, name in names.items():
            hexes = board.cities[label].hexes if label in board.cities else (label,)
            unlike = len(hexes) == 1 and several[name] == 1
            self.by_hex |= {hex_: name if unlike else f"{name} ({hex_})" for hex_ in hexes}
        self.hexes = {name: hex_ for hex_, name in self.by_hex.items()}
        self.towns = board.towns.keys() - set(new_cities)


# written -------------------------------------------------------------------------------------------------------------


def track_sections(
    net: Net, places: Ends, owners: Iterable[Seat | None], links: Mapping[str, Seat | None]
) -> Iterator[Section]:
    """The track of every owner; ``links``: connections without tiles by id."""
    walks: dict[Seat | None, list[tuple[str, Line]]] = {}
    for chain in net.chains:
        walks.setdefault(chain.owner, []).append(walk_of(net, places, chain))
    for key, owner in links.items():
        walks.setdefault(owner, []).append(_without_tiles(places, net.board.connections[key]))
    for owner in owners:
        if owner in walks:
            whose = Fixed(NOBODY) if owner is None else Who(owner)
            yield Section((Fixed(TRACK), " ", whose), tuple(walk for _, walk in sorted(walks[owner], key=_sorted)))


def _sorted(walk: tuple[str, Line]) -> str:
    return walk[0]


def walk_of(net: Net, places: Ends, chain: Chain) -> tuple[str, Line]:
    """A chain as a walk, and by what it is sorted: it begins at a place, with the name that sorts first."""
    pieces = chain.pieces
    outer = (pieces[0].a, pieces[0].b)
    if len(pieces) > 1:
        outer = (_outer(net, pieces[0], pieces[1].hex), _outer(net, pieces[-1], pieces[-2].hex))
    steps: list[Line] = [(piece.hex,) for piece in pieces]
    first, last = _end(net, places, pieces[0].hex, outer[0]), _end(net, places, pieces[-1].hex, outer[1])
    steps = [first, *steps[outer[0] == TOWN : len(steps) - (outer[1] == TOWN)], last]
    names = [folded(str(step[-1])) for step in steps]
    if (chain.ends[1] is None, names[::-1]) < (chain.ends[0] is None, names):
        return " ".join(names[::-1]), listed(steps[::-1])
    return " ".join(names), listed(steps)


def _outer(net: Net, piece: Piece, beside: Label) -> int:
    """The end of the first or last piece that leads away from the piece beside it."""
    return piece.a if net.board.neighbours[piece.hex][piece.b] == beside else piece.b


def _end(net: Net, places: Ends, hex_: Label, end: int) -> Line:
    if end == TOWN:
        return (places.by_hex[hex_],)
    beyond = net.board.neighbours[hex_][end]
    if beyond is not None and beyond in net.cities:
        return (places.by_hex[beyond],)
    return (Fixed(OPEN), " ", beyond or net.board.directions[end])


def _without_tiles(places: Ends, connection: Connection) -> tuple[str, Line]:
    """A connection as a walk of three."""
    first, last = sorted((places.by_hex[label] for label in connection.joins), key=folded)
    return f"{folded(first)} {folded(last)}", listed([(first,), middle(connection), (last,)])


def middle(connection: Connection) -> Line:
    """What a connection is, and the water hex that it crosses."""
    if connection.hex is not None:
        return (Fixed(FERRY), " ", connection.hex)
    return (Fixed(PUBLIC if connection.price is None else DIRECT),)


# read back -----------------------------------------------------------------------------------------------------------


class Laid:
    """The track and the connections of a text, as far as they are read."""

    def __init__(self, reading: TableReading, places: Ends) -> None:
        self.reading, self.places = reading, places
        self.track: dict[Label, tuple[Segment, ...]] = {}
        self.links: dict[str, Seat | None] = {}

    def read(self, paragraphs: Iterable[Paragraph]) -> None:
        """All sections of track among the paragraphs. Raises :class:`Misread`."""
        for paragraph in paragraphs:
            whose = self.reading.after(paragraph.head, TRACK)
            if whose is not None:
                owner = None if whose == self.reading.voice.fixed(NOBODY) else self.reading.seat(whose)
                for line in paragraph.lines:
                    self._read_walk(line, owner)

    def _read_walk(self, line: str, owner: Seat | None) -> None:
        steps = line.split(", ")
        if len(steps) == 3 and (connection := self._connection(steps)) is not None:
            self.links[connection] = owner
            return
        at = [self._place(step) for step in steps]
        for before, (step, hex_), after in zip(
            [None, *at[:-1]], zip(steps, at, strict=True), [*at[1:], None], strict=True
        ):
            if before is not None and after is not None:
                self._lay(hex_, self._side(hex_, before), self._side(hex_, after), owner)
            elif hex_ in self.places.towns and step in self.places.hexes:
                beside = before or after
                if beside is not None:
                    self._lay(hex_, TOWN, self._side(hex_, beside), owner)

    def _connection(self, steps: list[str]) -> str | None:
        """The id of the connection that is a walk of three."""
        first, between, last = steps
        joins = {self.places.hexes.get(first), self.places.hexes.get(last)}
        for connection in self.reading.board.connections.values():
            if set(connection.joins) == joins and between == self._said(middle(connection)):
                return connection.id
        return None

    def _said(self, line: Line) -> str:
        return "".join(self.reading.voice.fixed(part.word) if isinstance(part, Fixed) else str(part) for part in line)

    def _place(self, step: str) -> str:
        """The hex of a step, or the direction in which an open end leaves the board."""
        beyond = self.reading.after(step, OPEN)
        if beyond in self.reading.board.directions:
            return str(beyond)
        return self.places.hexes.get(step) or self.reading.hex(beyond or step)

    def _side(self, hex_: Label, beside: str) -> int:
        board = self.reading.board
        if beside in board.directions:
            return board.directions.index(beside)
        if beside not in board.neighbours[hex_]:
            raise Misread(f"{hex_} and {beside} are no neighbours.")
        return board.neighbours[hex_].index(beside)

    def _lay(self, hex_: Label, a: int, b: int, owner: Seat | None) -> None:
        segment = Segment(*ends(a, b), owner)
        self.track[hex_] = (*self.track.get(hex_, ()), segment)
