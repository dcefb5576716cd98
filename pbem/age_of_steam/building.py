"""Carries out the steps of a build turn (sections 7.6 to 7.10); raises :class:`Refused`, and changes nothing then."""

from collections import Counter

from pbem.age_of_steam.events_build import BuildEnded, Built, CityPlaced, LinkBought, LinkCompleted, SectionLost
from pbem.age_of_steam.events_goods import CubesReturned
from pbem.age_of_steam.moves import Build, BuildLink, BuildStep, Exits, Lay, OwnStep, Urbanize
from pbem.age_of_steam.placement_rules import Visits, plan, priced
from pbem.age_of_steam.proposals import Placement
from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State
from pbem.age_of_steam.words import towards
from pbem.engine import Place, Refused, Seat, Step, Value, Word, replace
from pbem.engine.events import Event
from pbem.engine.moves import no, raise_for
from pbem.rails.hexes import opposite
from pbem.rails.track import Chain, Link, Net, Piece, Segment, with_owner


class Site(Value):
    """A build turn under way: pieces added (R37), prices; ``visits``: what was done and paid on each hex (R23)."""

    state: State
    seat: Seat
    added: frozenset[Piece]
    prices: tuple[int, ...]
    urbanized: bool
    visits: Visits


class Laid(Value):
    """A site after a step, and what the step brought about."""

    site: Site
    events: tuple[Event, ...]


def build_step(rules: Rules, site: Site, step: BuildStep) -> Laid:
    """Carry out one step, its price included in the check of the cash (R24). Raises :class:`Refused`."""
    match step:
        case Urbanize():
            return _with_effect(rules, _urbanize(rules, site, step))
        case OwnStep():
            done = rules.on_own_step(site.state, site.seat, step)
            return Laid(replace(site, state=done.state), done.events)
        case BuildLink():
            laid = _build_link(rules, site, step)
        case Lay() | Exits():
            laid = place(rules, site, plan(rules, site.state, site.seat, step))
    _judge_price(rules, site, step, laid)
    return _with_effect(rules, laid)


def _judge_price(rules: Rules, site: Site, step: BuildStep, laid: Laid) -> None:
    """The number of placements and the cash (7.1, R24)."""
    limit = rules.tile_limit(site.state, site.seat)
    if len(laid.site.prices) > limit:
        raise no("Building Track", "You may place {n} tiles this turn.", n=limit)
    price = rules.build_price(laid.site.state, site.seat, laid.site.prices)
    cash = site.state.players[site.seat].cash
    if price > cash:
        raise no(
            "R24",
            "{step} costs ${price}, but by then only ${left} of your ${cash} are left.",
            step=str(step),
            price=laid.site.prices[-1],
            cash=cash,
            left=cash - rules.build_price(site.state, site.seat, site.prices),
        )


def _with_effect(rules: Rules, laid: Laid) -> Laid:
    """What completed links bring about on some maps."""
    if not any(isinstance(event, LinkCompleted) for event in laid.events):
        return laid
    effect = rules.on_links_completed(laid.site.state, laid.site.seat)
    return Laid(replace(laid.site, state=effect.state), laid.events + effect.events)


def place(rules: Rules, site: Site, placement: Placement) -> Laid:
    """Lay a judged tile: ownership, loops, ownership discs, price (7.6 to 7.8)."""
    seat, hex_ = site.seat, placement.hex
    net, touched = _join(rules, site, placement)
    completed = {frozenset(chain.pieces): chain for chain in touched if chain.complete}
    state = replace(site.state, track=net.track)
    judge_discs(rules, state, seat, net)
    raise_for(rules.refuse_placement(site.state, seat, placement, state))
    price, visits = priced(rules, site.state, seat, site.visits, placement)
    new = (*placement.added, *(into for _, into in placement.turned))
    pieces = tuple(Piece(hex_, *ends) for ends in new)
    step = rules.on_placement(state, seat, placement)
    events = (
        Built(seat, hex_, pieces, price, placement.tile, turned=not placement.added),
        *(_link_completed(rules, state, chain) for chain in completed.values()),
        *step.events,
    )
    after_it = replace(site, state=step.state, added=_added(site, placement), prices=(*site.prices, price))
    return Laid(replace(after_it, visits=visits), events)


def _join(rules: Rules, site: Site, placement: Placement) -> tuple[Net, list[Chain]]:
    """The track with the tile laid and every chain it touches given to its owner; these chains."""
    hex_ = placement.hex
    net = rules.net(site.state).laid({**site.state.track, hex_: _segments(site.state, site.seat, placement)})
    touched: list[Chain] = []
    for new in (*placement.added, *(into for _, into in placement.turned)):
        chain = net.chain(hex_, next(segment for segment in net.track[hex_] if segment.ends == new))
        if chain.ends[0] is not None and chain.ends[0] == chain.ends[1]:
            raise no(
                "Completed Links",
                "The track on {hex} would lead from {node} back to it.",
                hex=Place(hex_),
                node=Place(chain.ends[0]),
            )
        if new in placement.added or chain.complete:
            taken = [piece for piece in chain.pieces if (*piece[1:], site.seat) not in net.track[piece.hex]]
            net = net.laid(with_owner(net.track, taken, site.seat)) if taken else net
            chain = chain._replace(owner=site.seat)
        touched.append(chain)
    return net, touched


def _segments(state: State, seat: Seat, placement: Placement) -> tuple[Segment, ...]:
    """The segments of the hex after the placement; turned ones keep their owner."""
    turned = dict(placement.turned)
    old = [
        Segment(*turned[segment.ends], segment.owner) if segment.ends in turned else segment
        for segment in state.track.get(placement.hex, ())
    ]
    return tuple(sorted((*old, *(Segment(a, b, seat) for a, b in placement.added)), key=lambda s: s.ends))


def _added(site: Site, placement: Placement) -> frozenset[Piece]:
    """The pieces added this turn; a piece that is turned later stays one of them (R37a)."""
    hex_ = placement.hex
    turned = {Piece(hex_, *old): Piece(hex_, *new) for old, new in placement.turned}
    return frozenset(
        {turned.get(piece, piece) for piece in site.added} | {Piece(hex_, *ends) for ends in placement.added}
    )


def judge_discs(rules: Rules, state: State, seat: Seat, net: Net) -> None:
    """R4: every link and every unfinished section of the player takes an ownership disc."""
    limit = rules.ownership_discs(state)
    if limit is None:
        return
    used = sum(1 for key, owner in state.links.items() if owner == seat and not rules.laid_as_track(state, key))
    used += net.number_of(seat)
    if used > limit:
        raise no("R4", "You have {n} ownership discs; this would need {used}.", n=limit, used=used)


def _link_completed(rules: Rules, state: State, chain: Chain) -> LinkCompleted:
    link = Link((chain.ends[0] or "", chain.ends[1] or ""), chain.owner, chain.pieces)
    return LinkCompleted(link.owner, link.ends, rules.link_points(state, link))


def _build_link(rules: Rules, site: Site, step: BuildLink) -> Laid:
    """A special link by its name (R98)."""
    found = [
        connection
        for connection in rules.board.connections.values()
        if connection.name == step.name and step.price in (None, connection.price)
    ]
    if not found:
        raise no("", "There is no link {name} on this board.", name=str(step).removeprefix("link "))
    if all(connection.price is None for connection in found):
        raise no("R130", "The link {name} is public: everybody uses it, nobody builds it.", name=step.name)
    free = [c for c in found if c.price is not None and c.id not in site.state.links]
    if not free:
        raise no("R98", "The link {name} is taken.", name=step.name)
    if len({connection.price for connection in free}) > 1:
        raise no(
            "",
            "There are two links {name}; add the price: {prices}.",
            name=step.name,
            prices=tuple(f"${connection.price}" for connection in free),
        )
    placement = Placement(free[0].joins[0], "", "", (), link=free[0].id)
    state = replace(site.state, links={**site.state.links, free[0].id: site.seat})
    raise_for(rules.refuse_placement(site.state, site.seat, placement, state))
    judge_discs(rules, state, site.seat, rules.net(state))
    price = rules.placement_price(site.state, site.seat, placement)
    effect = rules.on_placement(state, site.seat, placement)
    events = (
        LinkBought(site.seat, free[0].id, free[0].name, price),
        LinkCompleted(site.seat, free[0].joins, 1),
        *effect.events,
    )
    return Laid(replace(site, state=effect.state, prices=(*site.prices, price)), events)


def _urbanize(rules: Rules, site: Site, step: Urbanize) -> Laid:
    if site.urbanized:
        raise no("New City Tiles", "Only one New City may be placed in a turn.")
    if site.prices:
        raise no("R42a", "A New City is placed before any track is built.")
    after = urbanize(rules, site.state, site.seat, step)
    judge_discs(rules, after.state, site.seat, rules.net(after.state))
    return Laid(replace(site, state=after.state, urbanized=True), after.events)


# the whole build turn -----------------------------------------------------------------------------------


def run(rules: Rules, site: Site, build: Build) -> Laid:
    """Carry out the steps of one submission. Raises :class:`Refused` with the number of the failing step."""
    events: tuple[Event, ...] = ()
    # a New City comes first wherever it stands (R42)
    for number, step in sorted(enumerate(build.steps, 1), key=lambda step: not isinstance(step[1], Urbanize)):
        try:
            laid = build_step(rules, site, step)
        except Refused as refused:
            raise Refused(refused.refusal.in_step(number)) from None
        site, events = laid.site, events + laid.events
    price = rules.build_price(site.state, site.seat, site.prices)
    if build.limit is not None and price > build.limit:
        raise no("P5", "The build costs ${price}, more than your limit of ${limit}.", price=price, limit=build.limit)
    return Laid(site, events)


def finish(rules: Rules, site: Site) -> Laid:
    """End a build turn: a map's conditions, the price, sections that were not extended (R24, R37)."""
    raise_for(rules.refuse_build(site.state, site.seat))
    price = rules.build_price(site.state, site.seat, site.prices)
    cash = site.state.players[site.seat].cash - price
    lost = abandoned(rules, site)
    state = site.state.with_player(site.seat, cash=cash)
    if lost:
        state = replace(state, track=with_owner(state.track, (p for chain in lost for p in chain.pieces), None))
    events = (
        BuildEnded(site.seat, len(site.prices), price, cash, tuple(sorted({piece.hex for piece in site.added}))),
        *(SectionLost(site.seat, chain.anchor or "", towards(rules, chain)) for chain in lost),
    )
    return Laid(replace(site, state=state), events)


def abandoned(rules: Rules, site: Site) -> list[Chain]:
    """R37: the player's unfinished sections that got no added segment in this build turn."""
    sections = rules.net(site.state).sections_of(site.seat)
    return [chain for chain in sections if site.added.isdisjoint(chain.pieces)]


def unfinished_lost(rules: Rules, state: State) -> State:
    """When no build turn follows, every unfinished section is nobody's."""
    net = rules.net(state)
    pieces = [piece for seat in state.seats for chain in net.sections_of(seat) for piece in chain.pieces]
    return replace(state, track=with_owner(state.track, pieces, None)) if pieces else state


# New Cities ----------------------------------------------------------------------------------------------------------


def urbanize(rules: Rules, state: State, seat: Seat, step: Urbanize) -> Step[State]:
    """Place the New City; chains that pointed at the town now reach a City (R43 to R45). Raises ``Refused``."""
    if state.players[seat].action != "urbanization":
        raise no("New City Tiles", "Only the holder of Urbanization places a New City.")
    if step.letter not in rules.board.new_cities:
        raise no("New City Tiles", "There is no New City {letter} in this game.", letter=step.letter)
    if step.letter in state.new_cities:
        raise no("New City Tiles", "New City {letter} is on the board already.", letter=step.letter)
    if step.letter not in {city.letter for city in rules.new_cities_free(state, seat)}:
        raise no("New City Tiles", "New City {letter} is out of the game.", letter=step.letter)
    if step.hex not in rules.urbanizable(state, seat):
        raise no("New City Tiles", "{hex} is not a town that can take a New City.", hex=Place(step.hex))
    replaced = next((letter for letter, label in state.new_cities.items() if label == step.hex), "")
    _judge_keep(state, step, replaced)
    track = {hex_: segments for hex_, segments in state.track.items() if hex_ != step.hex}
    after = replace(state, track=track, new_cities={**state.new_cities, step.letter: step.hex})
    completed = [] if replaced else _completed(rules, state, after, step.hex)
    after, links = _connect(rules, after, seat, completed)
    after = rules.on_urbanized(after, seat, step)
    placed = CityPlaced(seat, step.letter, step.hex, replaced)
    return Step(after, (placed, *links, *_returned(state, after, step.hex)))


def _judge_keep(state: State, step: Urbanize, replaced: str) -> None:
    """R122: only cubes that lie on a New City that is replaced can be kept or not."""
    if step.keep is None:
        return
    if not replaced:
        raise no(
            "R122", "Only where a New City is replaced are cubes kept or not; {hex} has none.", hex=Place(step.hex)
        )
    lacking = Counter(step.keep) - Counter(state.cubes.get(step.hex, ()))
    if lacking:
        cubes = tuple(map(Word, sorted(lacking.elements())))
        raise no("R122", "These cubes do not lie on {hex}: {cubes}.", hex=Place(step.hex), cubes=cubes)


def _returned(before: State, after: State, hex_: str) -> tuple[Event, ...]:
    """The cubes that the New City sent back into the bag."""
    gone = Counter(before.cubes.get(hex_, ())) - Counter(after.cubes.get(hex_, ()))
    return (CubesReturned(hex_, tuple(sorted(gone.elements()))),) if gone else ()


def _connect(rules: Rules, after: State, seat: Seat, chains: list[Chain]) -> tuple[State, tuple[Event, ...]]:
    """Give the sections that the New City completes to their owners (R43, R44), those that nobody gets last."""
    events = []
    for chain in sorted(chains, key=lambda c: (c.owner or rules.completed_by_city(after, seat, c)) is None):
        owner = chain.owner or rules.completed_by_city(after, seat, chain)
        if owner != chain.owner:
            after = replace(after, track=with_owner(after.track, chain.pieces, owner))
        link = Link((chain.ends[0] or "", chain.ends[1] or ""), owner, chain.pieces)
        events.append(LinkCompleted(owner, link.ends, rules.link_points(after, link)))
    return after, tuple(events)


def _completed(rules: Rules, before: State, after: State, town: str) -> list[Chain]:
    """The chains that pointed at a side of the town where it had no exit; not those that loop back to it (R45)."""
    old, net = rules.net(before), rules.net(after)
    chains = [
        net.chain(beyond, segment)
        for beyond, segment, side in net.leaving(town)
        if old.segment(town, opposite(side)) is None
    ]
    return [chain for chain in chains if chain.complete]
