"""The board with what has been laid on it, as hooks and phases ask about it."""

from collections.abc import Sequence
from typing import ClassVar

from pbem.age_of_steam.state import State
from pbem.rails.board import Board, Label
from pbem.rails.track import Link, Net, net_of


class LinkGraph:
    """The links of one position, node by node. ``alike``: of parallel links of one owner only one counts (R49)."""

    __slots__ = ("_from", "_net", "alike", "special")

    def __init__(self, net: Net, special: Sequence[Link], *, alike: bool) -> None:
        self._net, self.special, self.alike = net, tuple(special), alike
        self._from: dict[Label, tuple[Link, ...]] = {}

    def links_from(self, node: Label) -> tuple[Link, ...]:
        """The links that leave a town or City, each with this node as its first end; none leave any other hex."""
        found = self._from.get(node)
        if found is None:
            found = self._from[node] = tuple(self._look(node))
        return found

    def between(self, node: Label, beyond: Label) -> tuple[Link, ...]:
        return tuple(link for link in self.links_from(node) if link.ends[1] == beyond)

    def _look(self, node: Label) -> list[Link]:
        found = list(self._net.links_from(node))
        if self.special:
            found += [link._replace(ends=(node, link.beyond(node))) for link in self.special if node in link.ends]
        if not self.alike:
            return found
        first: dict[tuple[Label, str | None], Link] = {}
        for link in found:
            first.setdefault((link.ends[1], link.owner), link)
        return list(first.values())


class Layout:
    """``board`` is what is printed; the position says what lies on it."""

    board: Board
    parallel_alike: ClassVar[bool]

    def net(self, state: State) -> Net:
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
