"""Which links lead where: asked node by node, so that one delivery need not know the whole board."""

from __future__ import annotations

from collections.abc import Iterator, Mapping

from typing_extensions import override

from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State
from pbem.rails.board import Label
from pbem.rails.track import Link


class Ways(Mapping[Label, Mapping[Label, list[Link]]]):
    """Per node the nodes a link leads to, and the links that do: the graph of all links of one position.

    Parallel links of one owner count once where only the owner matters (R49). A node is looked at when it is
    first asked for.
    """

    __slots__ = ("_found", "_net", "_rules", "_special")

    def __init__(self, rules: Rules, state: State) -> None:
        self._rules, self._net = rules, rules.net(state)
        self._special = rules.special_links(state)
        self._found: dict[Label, dict[Label, list[Link]]] = {}

    @override
    def __getitem__(self, node: Label) -> dict[Label, list[Link]]:
        found = self._found.get(node)
        if found is None:
            found = self._found[node] = self._out(node)
        return found

    @override
    def __iter__(self) -> Iterator[Label]:
        return iter(dict.fromkeys((*self._net.cities.values(), *self._rules.board.towns)))

    @override
    def __len__(self) -> int:
        return sum(1 for _ in self)

    def _out(self, node: Label) -> dict[Label, list[Link]]:
        """The links that leave a node; raises ``KeyError`` for a hex that is none."""
        out: dict[Label, list[Link]] = {}
        for chain in self._net.chains_from(node):
            if chain.ends[0] is not None and chain.ends[1] is not None and chain.complete:
                self._put(out, node, Link((chain.ends[0], chain.ends[1]), chain.owner, chain.pieces))
        for link in self._special:
            if node in link.ends:
                self._put(out, node, link)
        return out

    def _put(self, out: dict[Label, list[Link]], node: Label, link: Link) -> None:
        parallel = out.setdefault(link.beyond(node), [])
        if not self._rules.parallel_alike or all(other.owner != link.owner for other in parallel):
            parallel.append(link)
