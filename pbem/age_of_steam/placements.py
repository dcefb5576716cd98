"""Lists what a player could build next. Proposes candidates quickly and lets the judge decide each of them."""

from collections.abc import Iterable, Iterator
from itertools import combinations

from pbem.age_of_steam.building import Laid, Site, build_step
from pbem.age_of_steam.lexicon import by_colour
from pbem.age_of_steam.moves import BuildLink, BuildStep, Exits, Lay, Urbanize
from pbem.age_of_steam.placement_rules import holds, turnable
from pbem.age_of_steam.rules import Rules
from pbem.engine import Refused
from pbem.rails.board import Label
from pbem.rails.tiles import PICTURES, TOWN_TILE_OF, Ends
from pbem.rails.track import Net, Segment

Offer = tuple[BuildStep, Laid]
PICTURES_AND_EDGES = tuple((picture, frozenset(edge for ends in picture for edge in ends)) for picture in PICTURES)


def any_step(rules: Rules, site: Site) -> bool:
    """Whether the player could place a New City, a tile or a special link now (A6)."""
    empty_first = sorted(rules.board.open_sides, key=site.state.track.__contains__)  # there it is found soonest
    return any(next(offers, None) is not None for offers in (cities(rules, site), steps(rules, site, empty_first)))


def steps(rules: Rules, site: Site, hexes: Iterable[Label] | None = None) -> Iterator[Offer]:
    """Every legal single placement within the player's cash, hex by hex, then special links."""
    if _nothing_left(rules, site):
        return
    for hex_ in rules.board.open_sides if hexes is None else hexes:
        yield from steps_at(rules, site, hex_)
    yield from link_steps(rules, site)


def steps_at(rules: Rules, site: Site, hex_: Label) -> Iterator[tuple[Lay | Exits, Laid]]:
    """Every legal placement on one hex within the player's cash."""
    net = rules.net(site.state)
    if hex_ in net.cities or hex_ not in rules.board.open_sides:
        return
    for step in _candidates(rules, site, net, hex_):
        laid = _tried(rules, site, step)
        if laid is not None:
            yield step, laid


def link_steps(rules: Rules, site: Site) -> Iterator[tuple[BuildLink, Laid]]:
    for connection in rules.board.connections.values():
        if connection.price is None or connection.id in site.state.links:
            continue
        twins = [c for c in rules.board.connections.values() if c.name == connection.name]
        step = BuildLink(connection.name, connection.price if len(twins) > 1 else None)
        laid = _tried(rules, site, step)
        if laid is not None:
            yield step, laid


def cities(rules: Rules, site: Site) -> Iterator[tuple[Urbanize, Laid]]:
    """Every New City the player could place, letter by letter."""
    if site.urbanized or site.prices or site.state.players[site.seat].action != "urbanization":
        return
    for city in rules.new_cities_free(site.state, site.seat):
        for hex_ in rules.urbanizable(site.state, site.seat):
            for keep in _keeps(site, hex_):
                step = Urbanize(city.letter, hex_, keep)
                laid = _tried(rules, site, step)
                if laid is not None:
                    yield step, laid


def _keeps(site: Site, hex_: Label) -> list[tuple[str, ...] | None]:
    """What may be kept of the cubes on a New City that is replaced: all first, in the end none (R122)."""
    if hex_ not in site.state.new_cities.values():
        return [None]
    cubes = by_colour(site.state.cubes.get(hex_, ()))
    fewer = [kept for count in reversed(range(len(cubes))) for kept in combinations(cubes, count)]
    return [None, *dict.fromkeys(fewer)]


def _nothing_left(rules: Rules, site: Site) -> bool:
    """A quick test before any tile is tried: no placement left, or less cash than the cheapest one costs."""
    state, seat = site.state, site.seat
    if len(site.prices) >= rules.tile_limit(state, seat):
        return True
    return state.players[seat].cash - rules.build_price(state, seat, site.prices) < rules.cheapest_placement(
        state, seat, site.prices
    )


def _tried(rules: Rules, site: Site, step: BuildStep) -> Laid | None:
    try:
        return build_step(rules, site, step)
    except Refused:
        return None


def _candidates(rules: Rules, site: Site, net: Net, hex_: Label) -> Iterator[Lay | Exits]:
    state, seat = site.state, site.seat
    old = state.track.get(hex_, ())
    taken = {edge for segment in old for edge in segment.ends}
    ways: list[int] = []
    holding: set[int] = set()
    for edge in sorted(rules.board.open_sides[hex_] - taken):
        city, segment = net.across(hex_, edge)
        if segment is None or segment.owner in (None, seat):
            ways.append(edge)
            if (city or segment) and holds(rules, state, seat, net, hex_, edge):
                holding.add(edge)
    if hex_ in rules.board.towns:
        yield from _town_candidates(rules, site, hex_, old, ways, holding)
    elif old or holding:
        yield from _tile_candidates(rules, site, net, hex_, old, ways, holding)


def _town_candidates(
    rules: Rules, site: Site, hex_: Label, old: tuple[Segment, ...], ways: list[int], holding: set[int]
) -> Iterator[Lay | Exits]:
    present = rules.has_presence(site.state, site.seat, hex_)
    if not present and not holding:
        return
    before = frozenset(segment.b for segment in old)
    for count in range(1, 5 - len(before)):
        for exits in combinations(ways, count):
            if (present or holding & set(exits)) and before | set(exits) in TOWN_TILE_OF:
                yield Exits(hex_, tuple(rules.board.directions[edge] for edge in exits))


def _tile_candidates(
    rules: Rules, site: Site, net: Net, hex_: Label, old: tuple[Segment, ...], ways: list[int], holding: set[int]
) -> Iterator[Lay]:
    """Pictures with all old track, turned or not, and new track that hangs on something."""
    hanging = {segment.ends: _hanging(site, net, hex_, segment) for segment in old}
    stays = {ends for ends, side in hanging.items() if side is None}
    sides = {edge for ends in hanging for edge in ends}.union(ways)
    hangs = {edge for ends in hanging.keys() - stays for edge in ends} | holding
    for picture in _pictures(sides, stays, len(old)) if hangs else ():
        new = picture - hanging.keys()
        if new and _fits(new, hangs, {side for ends, side in hanging.items() if ends not in picture}):
            yield _lay(rules, hex_, new)


def _pictures(sides: set[int], stays: set[Ends], least: int) -> Iterator[frozenset[Ends]]:
    """Pictures of tiles within these sides with the track that stays, and with as many tracks at least."""
    for picture, edges in PICTURES_AND_EDGES:
        if edges <= sides and stays <= picture and len(picture) >= least:
            yield picture


def _fits(new: frozenset[Ends], hangs: set[int], turned: set[int | None]) -> bool:
    """Whether all new track hangs on something, and goes on from every side that turned track keeps."""
    return not any(hangs.isdisjoint(ends) for ends in new) and turned <= {edge for ends in new for edge in ends}


def _hanging(site: Site, net: Net, hex_: Label, segment: Segment) -> int | None:
    """The side that a segment keeps when it is turned; ``None`` for one that stays."""
    try:
        return turnable(site.seat, net, hex_, segment)[0]
    except Refused:
        return None


def _lay(rules: Rules, hex_: Label, segments: frozenset[Ends]) -> Lay:
    names = rules.board.directions
    return Lay(hex_, tuple((names[a], names[b]) for a, b in sorted(segments)))
