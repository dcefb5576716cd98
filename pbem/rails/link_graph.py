"""Which links lead where: asked node by node, so that one delivery need not know the whole board."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.rails.board import Label
from pbem.rails.track import Link, Net


class LinkGraph:
    """The links of one position as a graph. A node is looked at when it is first asked for.

    ``special``: links that need no tiles. ``alike``: of parallel links of one owner only one counts, because
    only the owner matters (R49).
    """

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
        """The links that lead from one node into another."""
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
