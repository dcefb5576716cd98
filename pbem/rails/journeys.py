"""The journeys of a cube over links: where it may go from its place, as far as an engine pulls."""

from __future__ import annotations

from collections.abc import Callable, Iterator, Sequence

from pbem.rails.board import Label
from pbem.rails.track import Link

Journey = tuple[tuple[Link, ...], tuple[Label, ...]]
"""The links a cube goes over and the nodes they lead into."""


def journeys(
    start: Label,
    first: Sequence[Link],
    onward: Callable[[Sequence[Link], Label], Sequence[Link]],
    takes: Callable[[Label], bool],
    passes: Callable[[Label], bool],
    longest: int,
) -> Iterator[Journey]:
    """Every journey of at most ``longest`` links, no node visited twice, to the first one that takes the cube.

    ``first``: the links over which it may leave its place; ``onward``: those over which it may leave a node after the
    links it has come over. All of them run from the node.
    """
    open_: list[tuple[Label, Journey]] = [(start, ((), ()))]
    while open_:
        node, (links, nodes) = open_.pop()
        for link in onward(links, node) if links else first:
            beyond = link.ends[1]
            if beyond == start or beyond in nodes:
                continue
            if takes(beyond):
                yield (*links, link), (*nodes, beyond)
            elif len(links) + 1 < longest and passes(beyond):
                open_.append((beyond, ((*links, link), (*nodes, beyond))))
