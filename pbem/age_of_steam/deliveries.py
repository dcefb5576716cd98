"""Ways for cubes: which deliveries there are, what a typed one means, what it pays (section 8)."""

from __future__ import annotations

from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pbem.age_of_steam.moves import Deliver, Hop, Origin
from pbem.age_of_steam.planning import no
from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State
from pbem.engine.moves import Refused, Seat
from pbem.engine.text import Place, Who, Word
from pbem.rails.board import Label
from pbem.rails.track import Link

Ways = dict[Label, dict[Label, list[Link]]]
"""Per node the nodes a link leads to, and the links that do, no two of the same owner."""

NOBODY = "nobody"


@dataclass(frozen=True, slots=True)
class Delivery:
    """A legal delivery: the links in order, the nodes they lead into, income steps per seat."""

    colour: str
    start: Label
    links: tuple[Link, ...]
    nodes: tuple[Label, ...]
    gains: tuple[tuple[Seat, int], ...]

    def gain(self, seat: Seat) -> int:
        """Income steps of a seat."""
        return dict(self.gains).get(seat, 0)


def ways(rules: Rules, state: State) -> Ways:
    """The graph of all links; parallel links of one owner count once, because only the owner matters (R49)."""
    graph: Ways = {}
    for link in rules.links(state):
        for node in link.ends:
            parallel = graph.setdefault(node, {}).setdefault(link.beyond(node), [])
            if all(other.owner != link.owner for other in parallel):
                parallel.append(link)
    return graph


def deliveries(rules: Rules, state: State, seat: Seat) -> Iterator[Delivery]:
    """Every legal delivery of the player, source by source, colour by colour, shorter ways first where they branch."""
    graph = ways(rules, state)
    engine = state.players[seat].engine
    takes = {node: rules.accepts(state, node) for node in graph}
    for start in rules.sources(state):
        if start not in graph:
            continue
        for colour in dict.fromkeys(state.cubes[start]):
            for links in _paths(rules, state, graph, takes, start, colour, engine):
                if rules.refuse_delivery(state, seat, colour, links) is None:
                    yield _delivery(rules, state, seat, colour, start, links)


def _paths(
    rules: Rules, state: State, graph: Ways, takes: dict[Label, tuple[str, ...]], start: Label, colour: str, engine: int
) -> Iterator[tuple[Link, ...]]:
    def walk(node: Label, seen: tuple[Label, ...], links: tuple[Link, ...]) -> Iterator[tuple[Link, ...]]:
        for beyond, parallel in graph[node].items():
            if beyond in seen:
                continue
            goal = colour in takes[beyond]
            for link in parallel:
                if goal:
                    yield (*links, link)
                elif len(links) + 1 < engine and rules.passes(state, beyond, colour):
                    yield from walk(beyond, (*seen, beyond), (*links, link))

    return walk(start, (start,), ())


def _delivery(rules: Rules, state: State, seat: Seat, colour: str, start: Label, links: Sequence[Link]) -> Delivery:
    nodes, node = [], start
    for link in links:
        node = link.beyond(node)
        nodes.append(node)
    gains = rules.delivery_gains(state, seat, colour, start, links)
    return Delivery(
        colour,
        start,
        tuple(links),
        tuple(nodes),
        tuple(sorted(gains.items(), key=lambda g: (g[0] != seat, -g[1], g[0]))),
    )


def listed(rules: Rules, state: State, seat: Seat) -> list[Delivery]:
    """Every legal delivery, best own income first, then what the best rival gains least, then shorter."""
    return sorted(
        deliveries(rules, state, seat),
        key=lambda d: (-d.gain(seat), max((n for s, n in d.gains if s != seat), default=0), len(d.links)),
    )


def order_of(rules: Rules, state: State, delivery: Delivery, graph: Ways | None = None) -> Deliver:
    """The delivery in canonical notation: an owner in brackets only where there is a choice (R49)."""
    graph = ways(rules, state) if graph is None else graph
    hops, node = [], delivery.start
    for link, beyond in zip(delivery.links, delivery.nodes, strict=True):
        choice = len(graph[node][beyond]) > 1
        hops.append(Hop(beyond, (link.owner or NOBODY) if choice else None))
        node = beyond
    return Deliver(delivery.colour, Origin(delivery.start), tuple(hops))


def meant(rules: Rules, state: State, seat: Seat, order: Deliver) -> Delivery:
    """What a typed delivery means, judged completely. Raises :class:`Refused`."""
    start, colour = order.origin.place, order.colour
    if start not in rules.sources(state) or colour not in state.cubes[start]:
        raise no(
            "8", "There is no {colour} cube on {place} that could be moved.", colour=Word(colour), place=Place(start)
        )
    if order.to is not None:
        return _to(rules, state, seat, order)
    links = _links_named(rules, state, seat, order)
    delivery = _delivery(rules, state, seat, colour, start, links)
    _judge(rules, state, seat, delivery)
    return delivery


def _links_named(rules: Rules, state: State, seat: Seat, order: Deliver) -> tuple[Link, ...]:
    graph = ways(rules, state)
    links, node = [], order.origin.place
    for hop in order.hops:
        parallel = graph.get(node, {}).get(hop.node, [])
        if not parallel:
            raise no("8", "There is no link from {a} to {b}.", a=Place(node), b=Place(hop.node))
        links.append(_parallel(parallel, seat, hop, node))
        node = hop.node
    return tuple(links)


def _parallel(parallel: list[Link], seat: Seat, hop: Hop, node: Label) -> Link:
    """The link a hop means: as named, else the own one, an ownerless one, the only one (R49)."""
    owners = {link.owner: link for link in parallel}
    if hop.owner is not None:
        wanted = None if hop.owner == NOBODY else hop.owner
        if wanted not in owners:
            raise no(
                "R49", "{owner} has no link from {a} to {b}.", owner=_owner(wanted), a=Place(node), b=Place(hop.node)
            )
        return owners[wanted]
    if seat in owners:
        return owners[seat]
    if None in owners:
        return owners[None]
    if len(parallel) == 1:
        return parallel[0]
    raise no(
        "R49",
        "There are several links from {a} to {b}: name the owner in brackets, {owners}.",
        a=Place(node),
        b=Place(hop.node),
        owners=tuple(_owner(owner) for owner in owners),
    )


def _owner(owner: Seat | None) -> Who | Word:
    return Word(NOBODY) if owner is None else Who(owner)


def _judge(rules: Rules, state: State, seat: Seat, delivery: Delivery) -> None:
    engine, colour, nodes = state.players[seat].engine, delivery.colour, delivery.nodes
    if len(nodes) > engine:
        raise no("8", "The way has {n} links; your engine pulls {engine}.", n=len(nodes), engine=engine)
    visited = (delivery.start, *nodes)
    for node in nodes:
        if visited.count(node) > 1:
            raise no("8", "A cube may visit {node} only once.", node=Place(node))
    for node in nodes[:-1]:
        if colour in rules.accepts(state, node):
            raise no("8", "{node} takes {colour}: the cube must stop there.", node=Place(node), colour=Word(colour))
        if not rules.passes(state, node, colour):
            raise no("8", "Nothing may pass through {node}.", node=Place(node))
    if colour not in rules.accepts(state, nodes[-1]):
        raise no("8", "{node} does not take {colour}.", node=Place(nodes[-1]), colour=Word(colour))
    if (refusal := rules.refuse_delivery(state, seat, colour, delivery.links)) is not None:
        raise Refused(refusal)


def _to(rules: Rules, state: State, seat: Seat, order: Deliver) -> Delivery:
    """``move … to …``: the only payment pattern, the shortest way of it; several are refused with their list."""
    goal = order.to or ""
    found = [
        delivery
        for delivery in deliveries(rules, state, seat)
        if (delivery.start, delivery.colour, delivery.nodes[-1]) == (order.origin.place, order.colour, goal)
    ]
    if not found:
        raise no(
            "8",
            "No way for the {colour} cube from {start} to {goal} within {n} links.",
            colour=Word(order.colour),
            start=Place(order.origin.place),
            goal=Place(goal),
            n=state.players[seat].engine,
        )
    if len({delivery.gains for delivery in found}) > 1:
        graph = ways(rules, state)
        shown = sorted(found, key=lambda d: (-d.gain(seat), len(d.links)))[:6]
        raise no(
            "",
            "There are {n} ways that pay differently; say which, for example {ways}.",
            n=len(found),
            ways=tuple(f"“{order_of(rules, state, delivery, graph)}”" for delivery in shown),
        )
    return min(found, key=lambda d: len(d.links))
