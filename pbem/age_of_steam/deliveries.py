"""Deliveries of cubes: which there are, what a typed one means, what it pays (section 8)."""

from collections.abc import Iterator, Mapping, Sequence
from functools import cache, cached_property, partial
from itertools import chain

from typing_extensions import override

from pbem.age_of_steam.events_goods import Delivered, gain_said
from pbem.age_of_steam.layout import LinkGraph
from pbem.age_of_steam.moves import Deliver, Hop, Origin
from pbem.age_of_steam.proposals import Delivery
from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State
from pbem.engine import Place, Say, Seat, Who, Word, replace, say, to_reader
from pbem.engine.events import Told
from pbem.engine.moves import no, raise_for
from pbem.rails.board import Label
from pbem.rails.track import Link, RouteChoice

NOBODY = "nobody"
Journey = tuple[tuple[Link, ...], tuple[Label, ...]]
"""The links a cube goes over and the nodes they lead into."""


def deliveries(rules: Rules, state: State, seat: Seat, graph: LinkGraph | None = None) -> Iterator[Delivery]:
    """Every legal delivery of the player, source by source, colour by colour."""
    graph = rules.link_graph(state) if graph is None else graph
    for start in rules.sources(state):
        first = rules.first_links(state, start, graph)
        for colour in dict.fromkeys(state.cubes[start]):
            for links, nodes in _journeys(rules, state, seat, graph, start, first, colour):
                for delivery in variants(rules, state, seat, Delivery(colour, start, links, nodes)):
                    if rules.refuse_delivery(state, seat, delivery) is None:
                        yield delivery


def _journeys(
    rules: Rules, state: State, seat: Seat, graph: LinkGraph, start: Label, first: Sequence[Link], colour: str
) -> Iterator[Journey]:
    """Ways no longer than the engine pulls, no node visited twice, to the first node that takes the colour."""
    takes = cache(lambda node: colour in rules.accepts(state, node))
    longest = state.players[seat].engine
    open_: list[tuple[Label, Journey]] = [(start, ((), ()))]
    while open_:
        node, (links, nodes) = open_.pop()
        for link in rules.onward_links(graph, links, node) if links else first:
            beyond = link.ends[1]
            if beyond == start or beyond in nodes:
                continue
            if takes(beyond):
                yield (*links, link), (*nodes, beyond)
            elif len(links) + 1 < longest and rules.passes(state, beyond, colour):
                open_.append((beyond, ((*links, link), (*nodes, beyond))))


def variants(rules: Rules, state: State, seat: Seat, bare: Delivery) -> tuple[Delivery, ...]:
    """A way with what it pays, own income first, then the largest; once for everything that the mover chooses."""
    found = []
    for choice in rules.delivery_variants(state, seat, bare):
        gains = rules.delivery_gains(state, seat, choice).items()
        best_first = sorted(gains, key=lambda gain: (gain[0] != seat, -gain[1], gain[0]))
        found.append(replace(choice, gains=tuple(best_first)))
    return tuple(found)


def listed(rules: Rules, state: State, seat: Seat, graph: LinkGraph | None = None) -> list[Delivery]:
    """Every legal delivery, best own income first, then what the best rival gains least, then shorter."""
    return sorted(deliveries(rules, state, seat, graph), key=partial(rank, seat))


def rank(seat: Seat, delivery: Delivery) -> tuple[int, int, int]:
    """What a list is sorted by; the own gain stands first among the gains, then the largest (see :func:`variants`)."""
    gains = delivery.gains
    if gains and gains[0][0] == seat:
        return -gains[0][1], gains[1][1] if len(gains) > 1 else 0, len(delivery.links)
    return 0, gains[0][1] if gains else 0, len(delivery.links)


def wanted_by(rules: Rules, state: State, seat: Seat, event: Told) -> dict[Seat, int]:
    """Who else could have delivered the cube of this delivery, and for how many income steps at best."""
    if event.kind != Delivered.__name__ or event.fields.get("seat") != seat:
        return {}
    start, colour = str(event.fields["start"]), str(event.fields["colour"])
    alone = replace(state, cubes={**dict.fromkeys(state.cubes, ()), start: (colour,)})
    graph = rules.link_graph(alone)
    best = {
        other: max((dict(found.gains).get(other, 0) for found in deliveries(rules, alone, other, graph)), default=0)
        for other in state.order
        if other != seat
    }
    return {other: steps for other, steps in best.items() if steps > 0}


class Orders:
    """Deliveries of one position in canonical notation: an owner in brackets only where there is a choice (R49)."""

    def __init__(self, graph: LinkGraph) -> None:
        self._choice = cache(lambda node, beyond: len({link.owner for link in graph.between(node, beyond)}) > 1)

    def of(self, delivery: Delivery) -> Deliver:
        ways = zip((delivery.start, *delivery.nodes), delivery.nodes, delivery.links, strict=False)
        hops = tuple(
            Hop(node, (link.owner or NOBODY) if self._choice(before, node) else None) for before, node, link in ways
        )
        origin = Origin(delivery.start)
        if delivery.at is not None:
            origin = Origin(delivery.start, at=True, owner=delivery.at[0] or NOBODY, direction=delivery.at[1])
        return Deliver(delivery.colour, origin, hops, None, delivery.bonus, delivery.remove)


def meant(rules: Rules, state: State, seat: Seat, order: Deliver) -> Delivery:
    """What a typed delivery means, judged completely. Raises :class:`Refused`."""
    start, colour = order.origin.place, order.colour
    if start not in rules.sources(state) or colour not in state.cubes[start]:
        raise no(
            "Move Goods",
            "There is no {colour} cube on {place} that could be moved.",
            colour=Word(colour),
            place=Place(start),
        )
    if order.to is not None:
        return _to(rules, state, seat, order)
    found = variants(rules, state, seat, Delivery(colour, start, *_way_named(rules, state, seat, order)))
    _judge(rules, state, seat, found[0])
    return _chosen(rules, state, order, found)


def _chosen(rules: Rules, state: State, order: Deliver, found: Sequence[Delivery]) -> Delivery:
    """The variant that the order names; without a choice it need not name any (A13, A14)."""
    fitting = [
        delivery
        for delivery in found
        if order.bonus in (None, delivery.bonus) and order.remove in (None, delivery.remove)
    ]
    if len(fitting) == 1:
        return fitting[0]
    written = Orders(rules.link_graph(state))
    orders = tuple(f"“{written.of(delivery)}”" for delivery in found)
    if not fitting:
        raise no("", "This cannot be chosen here; you can choose: {orders}.", orders=orders)
    raise no("", "This order leaves a choice open; send one of these: {orders}.", orders=orders)


def _way_named(rules: Rules, state: State, seat: Seat, order: Deliver) -> Journey:
    graph = rules.link_graph(state)
    first = rules.first_links_named(state, order.origin, graph)
    links: list[Link] = []
    node = order.origin.place
    for hop in order.hops:
        out = rules.onward_links(graph, links, node) if links else first
        parallel = [link for link in out if link.ends[1] == hop.node]
        if not parallel and links and graph.between(node, hop.node):
            raise no(
                "Move Goods",
                "A link may be used only once: none is left from {a} to {b}.",
                a=Place(node),
                b=Place(hop.node),
            )
        if not parallel:
            raise no("Move Goods", "There is no link from {a} to {b}.", a=Place(node), b=Place(hop.node))
        links.append(_parallel(parallel, seat, hop, node))
        node = hop.node
    return tuple(links), tuple(hop.node for hop in order.hops)


def _parallel(parallel: list[Link], seat: Seat, hop: Hop, node: Label) -> Link:
    """The link a hop means: as named, else the own one, an ownerless one, the only one (R49)."""
    if len(parallel) == 1 and hop.owner in (None, parallel[0].owner):
        return parallel[0]
    owners = {link.owner: link for link in parallel}
    if hop.owner is not None:
        wanted = None if hop.owner == NOBODY else hop.owner
        if wanted == seat not in owners:
            raise no("R49", "You have no link from {a} to {b}.", a=Place(node), b=Place(hop.node))
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
        raise no("Move Goods", "The route has {n} links; your engine pulls {engine}.", n=len(nodes), engine=engine)
    visited = (delivery.start, *nodes)
    if len(set(visited)) < len(visited):
        twice = next(node for node in nodes if visited.count(node) > 1)
        raise no("Move Goods", "A cube may visit {node} only once.", node=Place(twice))
    for node in nodes[:-1]:
        if colour in rules.accepts(state, node):
            raise no(
                "Move Goods", "{node} takes {colour}: the cube must stop there.", node=Place(node), colour=Word(colour)
            )
        if not rules.passes(state, node, colour):
            raise no("Move Goods", "Nothing may pass through {node}.", node=Place(node))
    if colour not in rules.accepts(state, nodes[-1]):
        raise no("Move Goods", "{node} does not take {colour}.", node=Place(nodes[-1]), colour=Word(colour))
    raise_for(rules.refuse_delivery(state, seat, delivery))


def _leaves(delivery: Delivery, origin: Origin) -> bool:
    """Whether a cube on a track hex leaves it over the track and by the side that an order names."""
    if delivery.at is None:
        return True
    owner, direction = delivery.at
    return origin.owner in (None, owner or NOBODY) and origin.direction in (None, direction)


def _to(rules: Rules, state: State, seat: Seat, order: Deliver) -> Delivery:
    """``move … to …``: the only payment pattern, the shortest way of it; several are refused with their list."""
    goal = order.to or ""
    found = [
        delivery
        for delivery in deliveries(rules, state, seat)
        if (delivery.start, delivery.colour, delivery.nodes[-1]) == (order.origin.place, order.colour, goal)
        and _leaves(delivery, order.origin)
    ]
    if not found:
        raise no(
            "Move Goods",
            "There is no route for the {colour} cube from {start} to {goal} within {n} links.",
            colour=Word(order.colour),
            start=Place(order.origin.place),
            goal=Place(goal),
            n=state.players[seat].engine,
        )
    fitting = [d for d in found if order.bonus in (None, d.bonus) and order.remove in (None, d.remove)]
    if len({(d.gains, d.bonus, d.remove) for d in fitting}) != 1:
        written = Orders(rules.link_graph(state))
        shown = sorted(fitting or found, key=lambda d: (-d.gain(seat), len(d.links)))[:6]
        raise no(
            "",
            "There are {n} routes that pay differently; name one, for example {ways}.",
            n=len(fitting or found),
            ways=tuple(f"“{written.of(delivery)}”" for delivery in shown),
        )
    return min(fitting, key=lambda d: len(d.links))


# among the answers to a question -----------------------------------------------------------------------------


class DeliveryChoice(RouteChoice):
    """A delivery among the choices. Of thousands few are shown: what it says is put together when it is looked at."""

    def __init__(self, delivery: Delivery, written: Orders, danger: Say | None = None) -> None:
        """``danger``: what the player should know before choosing it."""
        self.__dict__.update(_delivery=delivery, _written=written, _danger=danger)

    _delivery: Delivery
    _written: Orders
    _danger: Say | None

    @property
    @override
    def keyword(self) -> str:
        return Deliver.keyword

    @cached_property
    @override
    def order(self) -> str:
        return str(self._written.of(self._delivery))

    @cached_property
    @override
    def gains(self) -> Mapping[Seat, int]:
        return dict(self._delivery.gains)

    @cached_property
    @override
    def cube(self) -> str:
        return self._delivery.colour

    @cached_property
    @override
    def route(self) -> tuple[str, ...]:
        return self._delivery.start, *self._delivery.nodes

    @cached_property
    @override
    def pieces(self) -> tuple[tuple[str, int, int], ...]:
        ways_in = zip(self._delivery.links, self._delivery.nodes, strict=True)
        return tuple(chain.from_iterable(link.into(node) for link, node in ways_in))

    @cached_property
    @override
    def title(self) -> Say:
        start, goal = self.route[0], self.route[-1]
        return say("{colour} from {start} to {goal}", colour=Word(self.cube), start=Place(start), goal=Place(goal))

    @cached_property
    @override
    def effect(self) -> Say:
        via = tuple(Place(node) for node in self._delivery.nodes[:-1])
        effect = (
            say("Over {nodes}: {gains}.", nodes=via, gains=self._paid)
            if via
            else say("Directly: {gains}.", gains=self._paid)
        )
        return self._warned(effect)

    @property
    @override
    def meaning(self) -> tuple[Say, ...]:
        return (self._warned(say("{gains}.", gains=self._paid)),)

    @override
    def written(self, names: Mapping[str, str]) -> str:
        return self._written.of(self._delivery).written(names)

    @property
    def _paid(self) -> Say:
        gains = tuple(gain_said(seat, n) for seat, n in self._delivery.gains)
        return say("{gains}", gains=gains) if gains else say("nobody earns")

    def _warned(self, effect: Say) -> Say:
        """With what is chosen besides, and what is to be feared."""
        delivery = self._delivery
        if delivery.bonus is not None:
            effect = say("{effect} The bonus goes to {player}.", effect=effect, player=Who(delivery.bonus))
        if delivery.remove is not None:
            effect = say("{effect} A {colour} cube leaves the zone.", effect=effect, colour=Word(delivery.remove))
        return warned(effect, self._danger)


def warned(effect: Say, danger: Say | None) -> Say:
    """What a choice leads to, with what is to be feared of it."""
    return effect if danger is None else say("{effect} {danger}", effect=effect, danger=danger)


to_reader("{effect} The bonus goes to {player}.", player="{effect} The bonus goes to you.")
