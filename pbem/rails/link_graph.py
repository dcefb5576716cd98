"""Which links lead where: asked node by node, so that one delivery need not know the whole board."""

from __future__ import annotations

from collections.abc import Sequence

from pbem.rails.board import Label
from pbem.rails.hexes import TOWN
from pbem.rails.track import Link, Net, Piece


class LinkGraph:
    """The links of one position as a graph. A node is looked at when it is first asked for.

    ``special``: links that need no tiles. ``alike``: of parallel links of one owner only one counts, because
    only the owner matters (R49).
    """

    __slots__ = ("_followed", "_from", "_net", "alike", "special")

    def __init__(self, net: Net, special: Sequence[Link], *, alike: bool) -> None:
        self._net, self.special, self.alike = net, tuple(special), alike
        self._from: dict[Label, tuple[Link, ...]] = {}
        self._followed: dict[tuple[Piece, int], Link] = {}  # by their last piece and its side at the node beyond

    def after(self, net: Net, special: tuple[Link, ...], changed: frozenset[Label]) -> LinkGraph:
        """The graph of a later position, in which tiles have changed only links of these nodes."""
        later = LinkGraph(net, special, alike=self.alike)
        if special != self.special:
            changed |= {node for link in {*special} ^ {*self.special} for node in link.ends}
        later._from = {node: links for node, links in self._from.items() if node not in changed}
        return later

    def joined_to(self, node: Label) -> set[Label]:
        """The nodes looked at so far from which a link leads into this one."""
        return {other for other, links in self._from.items() if any(link.ends[1] == node for link in links)}

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
        found = self._built(node)
        if self.special:
            found += [link._replace(ends=(node, link.beyond(node))) for link in self.special if node in link.ends]
        if not self.alike:
            return found
        first: dict[tuple[Label, str | None], Link] = {}
        for link in found:
            first.setdefault((link.ends[1], link.owner), link)
        return list(first.values())

    def _built(self, node: Label) -> list[Link]:
        """As :meth:`Net.links_from`; track that was followed from its other end is not followed again."""
        net, followed, found = self._net, self._followed, list[Link]()
        for hex_, (a, b, owner), entered in net.leaving(node):
            piece = Piece(hex_, a, b)
            known = followed.pop((piece, entered), None)
            if known is not None:
                found.append(Link((node, known.ends[0]), owner, known.pieces[::-1]))
                continue
            left = b if a == entered else a
            pieces, end, _ = net.follow(hex_, left)
            if end is not None and end != node:
                link = Link((node, end), owner, (piece, *pieces))
                found.append(link)
                if end not in self._from:
                    last = link.pieces[-1]
                    followed[last, self._side(last, end) if pieces else left] = link
        return found

    def _side(self, piece: Piece, node: Label) -> int:
        """The end of a piece that touches a node, where its other end joins another piece."""
        if piece.a == TOWN:
            return TOWN
        return (
            piece.a if self._net.cities.get(self._net.board.neighbours[piece.hex][piece.a] or "") == node else piece.b
        )
