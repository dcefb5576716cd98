"""What the track of a position amounts to: connections, networks, open groups, open ends."""

from collections.abc import Mapping

from pbem.engine import Seat, Value
from pbem.rails.board import Board, Label
from pbem.rails.hexes import opposite
from pbem.rails.track import Chain, Piece, Track, net_of

Group = Label
"""A group of Cities goes by the label of its first City."""


class OpenEnd(Value):
    """An incomplete connection: the City it starts at, its pieces from there, the free edge of the last one."""

    start: Label
    pieces: tuple[Piece, ...]
    edge: int

    @property
    def last(self) -> Piece:
        return self.pieces[-1]

    @property
    def anchored(self) -> int:
        """The edge by which the last segment hangs on the chain."""
        return self.last.b if self.edge == self.last.a else self.last.a


class Railways:
    __slots__ = ("board", "chains", "connections", "groups", "net", "open_groups")

    def __init__(self, board: Board, groups: Mapping[Label, Group], track: Track) -> None:
        self.board, self.groups = board, groups
        self.net = net_of(track, board, ())
        self.chains = self.net.chains
        self.connections = self.net.links
        self.open_groups = frozenset(groups[end] for link in self.connections for end in link.ends)

    def network(self, company: Seat) -> frozenset[Group]:
        """The groups that a complete connection of the company touches (SP-R12)."""
        return frozenset(self.groups[end] for link in self.connections if link.owner == company for end in link.ends)

    def open_end(self, company: Seat) -> OpenEnd | None:
        for chain in self.chains:
            if chain.owner == company and not chain.complete:
                return _open_end(chain)
        return None

    def trains(self, company: Seat) -> int:
        """Trains of the company on the board: one for each connection, complete or not."""
        return sum(1 for chain in self.chains if chain.owner == company)

    def connected(self, city: Label) -> frozenset[Seat]:
        """The companies with a complete connection that ends at this very City (SP-R43)."""
        return frozenset(link.owner for link in self.connections if city in link.ends and link.owner is not None)

    def towards(self, end: OpenEnd) -> Label:
        beyond = self.board.neighbours[end.last.hex][end.edge]
        if beyond is None:
            raise AssertionError("track leads off the board")
        return beyond

    def enters(self, end: OpenEnd) -> tuple[Label, int]:
        """The hex in which the connection goes on, and the edge over which it comes in."""
        return self.towards(end), opposite(end.edge)


def _open_end(chain: Chain) -> OpenEnd:
    """The pieces of an incomplete connection in the order in which they were laid."""
    if chain.anchor is None or len(chain.open) != 1:
        raise AssertionError("an incomplete connection starts at a City and has one free end")
    pieces = chain.pieces if chain.ends[0] is not None else chain.pieces[::-1]
    return OpenEnd(chain.anchor, pieces, chain.open[0][1])
