"""The board with what has been laid on it, as hooks and phases ask about it."""

from __future__ import annotations

from typing import ClassVar

from pbem.age_of_steam.state import State
from pbem.rails.board import Board
from pbem.rails.link_graph import LinkGraph
from pbem.rails.track import Link, Net, net_of


class Layout:
    """``board`` is what is printed; the position says what lies on it."""

    board: Board
    parallel_alike: ClassVar[bool]
    """What ``Rules`` says of parallel links."""

    def net(self, state: State) -> Net:
        """The track of the position, to be asked."""
        return net_of(state.track, self.board, tuple(state.new_cities.values()))

    def link_graph(self, state: State) -> LinkGraph:
        """The links of the position as a graph for cubes."""
        return LinkGraph(self.net(state), self.special_links(state), alike=self.parallel_alike)

    def links(self, state: State) -> list[Link]:
        """All links of the position: completed chains, then special links."""
        return [*self.net(state).links, *self.special_links(state)]

    def special_links(self, state: State) -> list[Link]:
        """The links of the position that need no tiles, but for those that lie as track on their hex."""
        return [
            Link(self.board.connections[key].joins, owner, id=key)
            for key, owner in state.links.items()
            if not self.laid_as_track(state, key)
        ]

    def laid_as_track(self, state: State, key: str) -> bool:
        """Whether a special link lies on its hex as a piece of track, and so is among the chains."""
        hex_ = self.board.connections[key].hex
        return hex_ is not None and bool(state.track.get(hex_))
