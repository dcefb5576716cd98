"""What a board picture is to show, as values: a game fills a :class:`Scene`, ``pbem.render`` draws it.

All texts in a scene are final English strings: a picture is the same for every reader and kept for ever.
Edges are numbers 0 to 5 (``pbem.rails.hexes``), ``TOWN`` is the middle of a town hex.
"""

from collections.abc import Iterable, Mapping, Sequence
from typing import Any

from pbem.engine import Value, field
from pbem.engine.overview import Row
from pbem.rails.board import Board, Label
from pbem.rails.track import Chain, Piece, Seat, Track


class CityPlate(Value):
    """A City or New City as it stands on the board now.

    ``kind``: ``city``, ``new`` (with ``letter``), ``terminal`` (accepts the dealt colour, no chips),
    ``zone``, ``block`` (several hexes without colour). ``chips``: the display columns that feed it
    (``L3``, ``D1``). ``cubes``: colours lying on it, or ``None`` for a place that never holds cubes.
    ``factory``: who owns the factory on it. ``pill``: words in a pill on the plate ("4 VP"). ``used_up``: its tile
    is flipped.
    """

    label: Label
    hexes: tuple[Label, ...]
    name: str
    colours: tuple[str, ...]
    chips: tuple[str, ...] = ()
    cubes: tuple[str, ...] | None = ()
    kind: str = "city"
    letter: str = ""
    factory: Seat | None = None
    pill: str = ""
    used_up: bool = False


class Bar(Value):
    """The common side of two adjacent Cities, by one of the two hexes; ``open``: somebody is connected to them."""

    hex: Label
    edge: int
    open: bool


class SpecialLink(Value):
    """A ferry or direct link: ``owner`` is a seat, ``None`` while it can be bought, ``public`` when nobody can."""

    id: str
    joins: tuple[Label, Label]
    hex: Label | None
    exits: tuple[int, ...]
    price: int | None
    owner: Seat | None = None
    public: bool = False


class DisplayRow(Value):
    """One die number of one half: the City it feeds and the boxes, the one emptied first at the front."""

    chip: str
    name: str
    colours: tuple[str, ...]
    boxes: tuple[str | None, ...]
    new_letter: str = ""
    new_colours: tuple[str, ...] = ()
    new_on_board: bool = False
    new_boxes: tuple[str | None, ...] = ()


class PlayerRow(Value):
    """One line of the players' table, ready to print; ``progress``: a bar of boxes, (filled, all of them)."""

    seat: Seat
    place: str
    name: str
    cells: Mapping[str, str]
    to_act: bool = False
    out: str = ""
    progress: tuple[int, int] | None = None


class Marks(Value):
    """What the last submission changed; drawn in amber (look/board: "What changed").

    ``laid``: the new pieces of each step of a build in order (numbered 1, 2, 3 …). ``route``: the pieces a
    delivery ran over, in order; ``cube``, ``taken_from``, ``brought_to``: the cube and its two ends.
    ``new_city``: the hex of a New City. ``cells``: (seat, column key) of figures that changed.
    ``grown``: cubes that appeared, colours per place. ``cities``: Cities that gained or lost cubes or a factory.
    """

    laid: tuple[tuple[Piece, ...], ...] = ()
    route: tuple[Piece, ...] = ()
    cube: str = ""
    taken_from: Label = ""
    brought_to: Label = ""
    new_city: Label = ""
    special: str = ""
    cells: frozenset[tuple[Seat, str]] = frozenset()
    grown: Mapping[Label, tuple[str, ...]] = field(default_factory=dict)
    cities: frozenset[Label] = frozenset()

    @property
    def hexes(self) -> tuple[Label, ...]:
        """Where the last submission itself changed something on the board, without what grew."""
        pieces = [piece.hex for step in (*self.laid, self.route) for piece in step]
        return tuple(dict.fromkeys(filter(None, (*pieces, self.taken_from, self.brought_to, self.new_city))))


NO_MARKS = Marks()


def pieces_of(told: Mapping[str, Any]) -> tuple[Piece, ...]:
    """The track that an event tells of."""
    return tuple(Piece(*piece) for piece in told["pieces"])


def changed_cells(before: Iterable[Row], after: Iterable[Row], keys: Sequence[str]) -> frozenset[tuple[Seat, str]]:
    """The figures of those still in the game that are others than before."""
    old = {row.seat: row.cells for row in before}
    still_in = [row for row in after if row.out is None]
    cells = ((row.seat, key, row.cells[key]) for row in still_in for key in keys if row.cells[key] is not None)
    return frozenset((seat, key) for seat, key, cell in cells if old[seat].get(key) != cell)


class Scene(Value):
    """A whole picture. ``unit``: what is numbered, before its numbers: "Turn". ``phases`` are the heads of the phases
    that can be played on this map, in order.

    ``acts``: what may be done now, for the head. ``end``: one sentence about when the game ends. ``progress``: what
    the boxes of the players' bars are. ``bars``: sides between adjacent Cities. ``stock``: cubes that are not on the
    board, by colour; ``bag``: what is said about the bag beside it; ``left_over``: colours of City tiles not used.
    ``trial``: what is written across the picture of a position that was only tried, empty for others. ``hex_labels``:
    whether the labels of hexes are shown.
    """

    board: Board
    title: str
    subtitle: str
    unit: str
    turn: int
    turns: int | None
    phases: tuple[str, ...]
    phase: int | None
    actor: Seat | None
    headline: str
    track: Track
    chains: tuple[Chain, ...]
    cities: tuple[CityPlate, ...]
    towns: Mapping[Label, str]
    cubes: Mapping[Label, tuple[str, ...]]
    links: tuple[SpecialLink, ...]
    light: tuple[DisplayRow, ...]
    dark: tuple[DisplayRow, ...]
    columns: tuple[tuple[str, str], ...]
    players: tuple[PlayerRow, ...]
    prices: Mapping[str, str]
    notes: tuple[str, ...] = ()
    marks: Marks = NO_MARKS
    orientation: str = "flat-top"
    acts: tuple[str, ...] = ()
    end: str = ""
    progress: str = ""
    bars: tuple[Bar, ...] = ()
    stock: tuple[tuple[str, int], ...] = ()
    bag: str = ""
    left_over: tuple[str, ...] = ()
    trial: str = ""
    hex_labels: bool = True
