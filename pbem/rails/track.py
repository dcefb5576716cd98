"""Track on the board: segments, the chains they form, and the links among them.

A *segment* is one piece of track in one hex. A *chain* is a maximal run of segments joined edge to edge; it
never passes through a town or a City. A chain between two different nodes is a *link*, every other chain an
unfinished *section* (rules, section 0).
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Iterator, Mapping, Sequence
from dataclasses import dataclass
from functools import cached_property, lru_cache
from typing import Any, NamedTuple

from typing_extensions import override

from pbem.engine import Choice
from pbem.rails.board import Board, Label
from pbem.rails.hexes import OPPOSITE, TOWN, opposite
from pbem.rails.tiles import ends, tile_showing

Seat = str


class Segment(NamedTuple):
    """One piece of track: its two ends (edges 0-5, the smaller first, or ``TOWN`` and an edge), its owner."""

    a: int
    b: int
    owner: Seat | None

    def other(self, end: int) -> int:
        """The end that is not ``end``."""
        return self.b if end == self.a else self.a

    @property
    def ends(self) -> tuple[int, int]:
        return self.a, self.b


TRACKS_KEPT = 64
"""Of how many tracks, those asked about last, the net is kept."""
Track = Mapping[Label, tuple[Segment, ...]]


class Piece(NamedTuple):
    hex: Label
    a: int
    b: int


class Chain(NamedTuple):
    """A run of segments from one end to the other.

    ``ends``: the node (label) at each end, or ``None`` where the end is free; ``pieces`` run from the first
    end to the second; ``open`` are the free ends as (hex, edge).
    """

    pieces: tuple[Piece, ...]
    ends: tuple[Label | None, Label | None]
    owner: Seat | None
    open: tuple[tuple[Label, int], ...]

    @property
    def complete(self) -> bool:
        """A link: both ends at nodes, and not at the same one."""
        return None not in self.ends and self.ends[0] != self.ends[1]

    @property
    def anchor(self) -> Label | None:
        return self.ends[0] if self.ends[0] is not None else self.ends[1]


class Link(NamedTuple):
    """A way for cubes between two nodes: a completed chain or a special link (``id``), worth ``points``."""

    ends: tuple[Label, Label]
    owner: Seat | None
    pieces: tuple[Piece, ...] = ()
    id: str | None = None

    def beyond(self, node: Label) -> Label:
        return self.ends[1] if node == self.ends[0] else self.ends[0]

    def into(self, node: Label) -> tuple[Piece, ...]:
        """The pieces in the order of a cube that ends at ``node``."""
        return self.pieces if node == self.ends[1] else self.pieces[::-1]

    @property
    def points(self) -> int:
        """Segments counted for scoring; a special link counts 1."""
        return len(self.pieces) or 1


class Net:
    """The track of one position and the hexes that are Cities; what it finds of the whole board it finds once."""

    board: Board
    track: Track
    new_cities: tuple[Label, ...]
    cities: Mapping[Label, Label]

    def __init__(self, board: Board, track: Track, new_cities: Iterable[Label]) -> None:
        self.board, self.track, self.new_cities = board, track, tuple(new_cities)
        self.cities = _cities(board, self.new_cities)

    def laid(self, track: Track) -> Net:
        """The same board with this track on it."""
        return Net(self.board, track, self.new_cities)

    def segment(self, hex_: Label, edge: int) -> Segment | None:
        for segment in self.track.get(hex_, ()):
            if segment.a == edge or segment.b == edge:
                return segment
        return None

    def across(self, hex_: Label, edge: int) -> tuple[Label | None, Segment | None]:
        """What lies beyond a side: the City there (its label), or the segment that meets the side."""
        beyond = self.board.neighbours[hex_][edge]
        if beyond is None:
            return None, None
        city = self.cities.get(beyond)
        if city is not None:
            return city, None
        return None, self.segment(beyond, opposite(edge))

    def follow(self, hex_: Label, end: int) -> tuple[list[Piece], Label | None, tuple[Label, int] | None]:
        """Walk out of a hex through one end of a segment: the pieces passed, the node reached, or the free end."""
        neighbours, cities, track = self.board.neighbours, self.cities, self.track
        pieces: list[Piece] = []
        first, leaving = hex_, end
        while end != TOWN:
            beyond = neighbours[hex_][end]
            if beyond is None:
                return pieces, None, (hex_, end)
            if beyond in cities:
                return pieces, cities[beyond], None
            entered = OPPOSITE[end]
            for a, b, _ in track.get(beyond, ()):
                if a == entered or b == entered:
                    break
            else:
                return pieces, None, (hex_, end)
            pieces.append(Piece(beyond, a, b))
            hex_, end = beyond, b if a == entered else a
            if end == leaving and hex_ == first:  # a ring without node cannot arise
                return pieces, None, None
        return pieces, hex_, None

    def chain(self, hex_: Label, segment: Segment) -> Chain:
        back, first, open_first = self.follow(hex_, segment.a)
        ahead, second, open_second = self.follow(hex_, segment.b)
        pieces = (*reversed(back), Piece(hex_, segment.a, segment.b), *ahead)
        free = tuple(end for end in (open_first, open_second) if end is not None)
        return Chain(pieces, (first, second), segment.owner, free)

    @cached_property
    def chains(self) -> tuple[Chain, ...]:
        """Every chain on the board, each once, in the order of the track."""
        return tuple(self.chains_through((hex_, one) for hex_, lying in self.track.items() for one in lying))

    @cached_property
    def links(self) -> tuple[Link, ...]:
        """The completed ones as links."""
        return tuple(
            Link((chain.ends[0], chain.ends[1]), chain.owner, chain.pieces)
            for chain in self.chains
            if chain.complete and chain.ends[0] is not None and chain.ends[1] is not None
        )

    @cached_property
    def tiles(self) -> Counter[str]:
        """The tiles that show this track by name, towns by their kind; as if one lay under printed track as well."""
        return Counter(map(tile_under, self.track.values()))

    @cached_property
    def as_seen(self) -> Mapping[Label, Sequence[Sequence[object]]]:
        """Per hex its segments as ``[[exit, exit], owner]``, exits as seen on the board, ``@`` for the town."""
        names = {**dict(enumerate(self.board.directions)), TOWN: "@"}
        return {
            hex_: [[[names[a], names[b]], owner] for a, b, owner in self.track[hex_]] for hex_ in sorted(self.track)
        }

    def chains_of(self, owner: Seat | None) -> list[Chain]:
        """The chains of one owner, each once, in the order of the track: a chain has the same owner throughout."""
        return self.chains_through(
            (hex_, segment) for hex_, segments in self.track.items() for segment in segments if segment.owner == owner
        )

    def sections_of(self, owner: Seat | None) -> list[Chain]:
        """The unfinished sections of one owner, in the order of the track."""
        return [chain for chain in self.chains_of(owner) if not chain.complete]

    def number_of(self, owner: Seat | None) -> int:
        """How many chains an owner has: one less than segments for every side at which two segments meet."""
        own = [(hex_, a, b) for hex_, lying in self.track.items() for a, b, whose in lying if whose == owner]
        sides = {(hex_, edge) for hex_, a, b in own for edge in (a, b) if edge != TOWN}
        beyond = self.board.neighbours
        meeting = [edge for hex_, edge in sides if (beyond[hex_][edge], OPPOSITE[edge]) in sides]
        return len(own) - len(meeting) // 2

    def chains_through(self, through: Iterable[tuple[Label, Segment]]) -> list[Chain]:
        seen: set[Piece] = set()
        found = []
        for hex_, segment in through:
            if (hex_, segment.a, segment.b) not in seen:
                chain = self.chain(hex_, segment)
                seen.update(chain.pieces)
                found.append(chain)
        return found

    def links_from(self, node: Label) -> Sequence[Link]:
        """The completed chains that touch a town or City, as links that run from it."""
        known = self._links_from.get(node)
        if known is None:
            known = self._links_from[node] = self._look_from(node)
        return known

    @cached_property
    def _links_from(self) -> dict[Label, Sequence[Link]]:
        return {}

    def _look_from(self, node: Label) -> list[Link]:
        found = []
        for hex_, (a, b, owner), entered in self.leaving(node):
            pieces, end, _ = self.follow(hex_, b if a == entered else a)
            if end is not None and end != node:
                found.append(Link((node, end), owner, (Piece(hex_, a, b), *pieces)))
        return found

    def leaving(self, node: Label) -> Iterator[tuple[Label, Segment, int]]:
        """The segments that touch a node: the hex of each, and the end at the node."""
        if node in self.cities:
            for hex_ in self.board.cities[node].hexes if node in self.board.cities else (node,):
                for edge, beyond in enumerate(self.board.neighbours[hex_]):
                    if beyond is not None and (segment := self.segment(beyond, OPPOSITE[edge])) is not None:
                        yield beyond, segment, OPPOSITE[edge]
        elif node in self.board.towns:
            for segment in self.track.get(node, ()):
                yield node, segment, TOWN


def net_of(track: Track, board: Board, new_cities: tuple[Label, ...]) -> Net:
    """The net of a position: for equal tracks the same one, as most orders change no track."""
    return _net(_Laid(tuple(track), track, board, new_cities))


class _Laid(NamedTuple):
    """What a net is made from. The order of the hexes counts, and they alone are hashed: segments are compared."""

    hexes: tuple[Label, ...]
    track: Track
    board: Board
    new_cities: tuple[Label, ...]

    @override
    def __hash__(self) -> int:
        return hash((self.hexes, self.new_cities))


@lru_cache(maxsize=TRACKS_KEPT)
def _net(laid: _Laid) -> Net:
    return Net(laid.board, laid.track, laid.new_cities)


@lru_cache(maxsize=TRACKS_KEPT)
def _cities(board: Board, new_cities: tuple[Label, ...]) -> Mapping[Label, Label]:
    """Every hex that is a City, a New City too, with the label of its City."""
    return {**board.city_at, **{label: label for label in new_cities}}


@lru_cache(maxsize=4096)
def tile_under(segments: tuple[Segment, ...]) -> str:
    return tile_showing(frozenset(segment.ends for segment in segments))


def hexes_of(track: Track, owner: Seat | None) -> list[Label]:
    return [hex_ for hex_, segments in track.items() if any(segment.owner == owner for segment in segments)]


def with_owner(track: Track, pieces: Iterable[Piece], owner: Seat | None) -> dict[Label, tuple[Segment, ...]]:
    changed = dict(track)
    for hex_, a, b in pieces:
        changed[hex_] = tuple([Segment(a, b, owner) if one.a == a and one.b == b else one for one in changed[hex_]])
    return changed


def owner_sets(links: Sequence[Link], starts: Sequence[Label], goals: Sequence[Label]) -> set[frozenset[Seat]]:
    """The smallest sets of railroads that own a way from one of the starts to one of the goals (R85).

    A set is left out when it holds a smaller one; links of nobody add nothing to a set. Empty without a way.
    """
    found: dict[Label, list[frozenset[Seat]]] = {}
    open_: list[tuple[Label, frozenset[Seat]]] = [(start, frozenset()) for start in starts]
    while open_:
        node, owners = open_.pop()
        known = found.get(node, [])
        if any(smaller <= owners for smaller in known):
            continue
        found[node] = [*(other for other in known if not owners <= other), owners]
        for link in links:
            if node in link.ends:
                open_.append((link.beyond(node), owners | ({link.owner} if link.owner is not None else set())))
    arrived = {owners for goal in goals for owners in found.get(goal, [])}
    return {owners for owners in arrived if not any(other < owners for other in arrived)}


def track_of(board: Board, seen: Mapping[Label, Sequence[Any]]) -> dict[Label, tuple[Segment, ...]]:
    """The track that :attr:`Net.as_seen` shows."""
    edges = {**{name: edge for edge, name in enumerate(board.directions)}, "@": TOWN}
    return {
        hex_: tuple(Segment(*ends(edges[first], edges[second]), owner) for (first, second), owner in segments)
        for hex_, segments in seen.items()
    }


@dataclass(frozen=True, slots=True)
class RouteChoice(Choice):
    """A choice that moves a cube over the nodes of ``route`` and the track ``pieces``; gains are income steps."""

    cube: str = ""
    route: tuple[str, ...] = ()
    pieces: tuple[tuple[str, int, int], ...] = ()
