"""Lists what a player could build next. Proposes candidates quickly and lets the judge decide each of them."""

from __future__ import annotations

from collections.abc import Iterator
from itertools import combinations

from pbem.age_of_steam.building import Laid, Site, build_step
from pbem.age_of_steam.lexicon import by_colour
from pbem.age_of_steam.moves import BuildLink, BuildStep, Exits, Lay, Urbanize
from pbem.age_of_steam.placement_rules import holds, turnable
from pbem.age_of_steam.rules import Rules
from pbem.engine.moves import Refused, Seat
from pbem.rails.board import Label
from pbem.rails.tiles import PICTURES, TOWN_TILE_OF, Ends, ends
from pbem.rails.track import Net, Segment

Offer = tuple[BuildStep, Laid]

SIMPLE = tuple(sorted(ends_ for picture in PICTURES if len(picture) == 1 for ends_ in picture))
DOUBLE = tuple(tuple(sorted(picture)) for picture in PICTURES if len(picture) == 2)


def any_step(rules: Rules, site: Site) -> bool:
    """Whether the player could place a New City, a tile or a special link now (A6)."""
    if next(cities(rules, site), None) is not None:
        return True
    return not _nothing_left(rules, site) and next(_by_likelihood(rules, site), None) is not None


def _by_likelihood(rules: Rules, site: Site) -> Iterator[Offer]:
    """The same placements as :func:`steps` where some are left, those that are found at once first."""
    track, net = site.state.track, rules.net(site.state)
    for hex_ in rules.board.open_sides:
        if hex_ not in track and (hex_ in rules.board.towns or _borders(net, site.seat, hex_)):
            yield from steps_at(rules, site, hex_)
    for hex_ in rules.board.open_sides:
        if hex_ in track:
            yield from steps_at(rules, site, hex_)
    yield from link_steps(rules, site)


def _borders(net: Net, seat: Seat, hex_: Label) -> bool:
    """Whether an empty hex borders on what new track can start from: a City, own track or nobody's.

    A player may have a presence in a town besides (:meth:`Rules.has_presence`).
    """
    for beyond in net.board.neighbours[hex_]:
        if beyond is not None:
            if beyond in net.cities:
                return True
            for segment in net.track.get(beyond, ()):
                if segment.owner == seat or segment.owner is None:
                    return True
    return False


def steps(rules: Rules, site: Site) -> Iterator[Offer]:
    """Every legal single placement within the player's cash, hex by hex, then special links."""
    if _nothing_left(rules, site):
        return
    for hex_ in rules.board.open_sides:
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
    """Every special link the player could build."""
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
    ways = [
        edge for edge in sorted(rules.board.open_sides[hex_]) if edge not in taken and not _rival(net, seat, hex_, edge)
    ]
    holding = {edge for edge in ways if holds(rules, state, seat, net, hex_, edge)}
    if hex_ in rules.board.towns:
        yield from _town_candidates(rules, site, hex_, old, ways, holding)
    elif not old:
        if holding:
            yield from _first_tiles(rules, hex_, ways, holding)
    else:
        yield from _replacements(rules, site, net, hex_, old, ways, holding)


def _rival(net: Net, seat: str, hex_: Label, edge: int) -> bool:
    _, segment = net.across(hex_, edge)
    return segment is not None and segment.owner not in (None, seat)


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


def _first_tiles(rules: Rules, hex_: Label, ways: list[int], holding: set[int]) -> Iterator[Lay | Exits]:
    open_ways = set(ways)
    for new in SIMPLE:
        if open_ways.issuperset(new) and not holding.isdisjoint(new):
            yield _lay(rules, hex_, (new,))
    if len(holding) > 1:
        for pair in DOUBLE:
            if all(open_ways.issuperset(new) and not holding.isdisjoint(new) for new in pair):
                yield _lay(rules, hex_, pair)


def _replacements(
    rules: Rules, site: Site, net: Net, hex_: Label, old: tuple[Segment, ...], ways: list[int], holding: set[int]
) -> Iterator[Lay | Exits]:
    turns = [_turns(site, net, hex_, segment, ways) for segment in old]
    added = [new for new in SIMPLE if set(ways).issuperset(new) and not holding.isdisjoint(new)]
    if len(old) == 1:
        for new in added:
            yield _lay(rules, hex_, (new,))
        for turned in turns[0]:
            yield _lay(rules, hex_, (turned,))
            yield from _turn_and_add(rules, site, net, hex_, old[0], turned, ways)
        return
    for own_turns in turns:
        for turned in own_turns:
            yield _lay(rules, hex_, (turned,))
    for first, second in ((a, b) for a in turns[0] for b in turns[1]):
        yield _lay(rules, hex_, (first, second))
    yield from _swaps(rules, site, net, hex_, old, ways)


def _turns(site: Site, net: Net, hex_: Label, segment: Segment, ways: list[int]) -> list[Ends]:
    """The ways a segment may be turned to, its freed side not among them."""
    try:
        anchored, _ = turnable(site.seat, net, hex_, segment)
    except Refused:
        return []
    return [ends(anchored, edge) for edge in ways]


def _turn_and_add(
    rules: Rules, site: Site, net: Net, hex_: Label, segment: Segment, turned: Ends, ways: list[int]
) -> Iterator[Lay | Exits]:
    """Turning a segment and adding another in one placement (R29), on the side just freed too (R28a)."""
    freed = next(edge for edge in segment.ends if edge not in turned)
    left = {*ways, freed} - set(turned)
    for new in SIMPLE:
        if left.issuperset(new) and any(holds(rules, site.state, site.seat, net, hex_, edge) for edge in new):
            yield _lay(rules, hex_, (turned, new))


def _swaps(
    rules: Rules, site: Site, net: Net, hex_: Label, old: tuple[Segment, ...], ways: list[int]
) -> Iterator[Lay | Exits]:
    """Two segments turned at once, one or both on the side that the other frees (R30)."""
    try:
        (held, freed), (other_held, other_freed) = (turnable(site.seat, net, hex_, segment) for segment in old)
    except Refused:
        return
    for first in (*ways, other_freed):
        for second in (*ways, freed):
            if first == other_freed or second == freed:
                yield _lay(rules, hex_, (ends(held, first), ends(other_held, second)))


def _lay(rules: Rules, hex_: Label, segments: tuple[Ends, ...]) -> Lay:
    names = rules.board.directions
    return Lay(hex_, tuple(sorted(((names[a], names[b]) for a, b in segments), key=lambda s: names.index(s[0]))))
