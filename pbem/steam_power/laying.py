"""Carries out the operations of a track action and lists them (section 4): the one judge of track."""

from collections import Counter
from collections.abc import Sequence
from functools import cached_property

from pbem.engine import Place as At
from pbem.engine import Refused, Say, Value, Word, replace, say
from pbem.engine.events import Event
from pbem.engine.moves import no
from pbem.rails.board import Label
from pbem.rails.hex_words import ends_said
from pbem.rails.hexes import opposite
from pbem.rails.judging import judge_hex, judge_joining, judge_side
from pbem.rails.tiles import TILE_OF, Ends, ends
from pbem.rails.track import Net, Piece, Segment
from pbem.steam_power.events import ConnectionCompleted, TrackLaid, TrackRemoved
from pbem.steam_power.moves import Operation, Place, Remove
from pbem.steam_power.railways import OpenEnd, Railways
from pbem.steam_power.rules import Rules
from pbem.steam_power.state import State

MOST_OPERATIONS = 2


class Site:
    """A position in which the acting company lays track; what is asked of it often is found out once."""

    def __init__(self, rules: Rules, state: State) -> None:
        self.rules, self.state, self.company = rules, state, state.company

    @cached_property
    def railways(self) -> Railways:
        return self.rules.railways(self.state)

    @cached_property
    def net(self) -> Net:
        return self.railways.net

    @cached_property
    def open_end(self) -> OpenEnd | None:
        return self.railways.open_end(self.company)

    @cached_property
    def starts(self) -> frozenset[Label]:
        """The Cities a new connection may start at: those of the network, any without track (SP-R12)."""
        if not self.railways.trains(self.company):
            return frozenset(self.rules.board.cities)
        network = self.railways.network(self.company)
        return frozenset(city for city, group in self.rules.groups.items() if group in network)

    @cached_property
    def pools(self) -> Counter[str]:
        """Tiles on the board by their pool (SP-R1)."""
        used: Counter[str] = Counter()
        for segments in self.state.track.values():
            used[self.pool_of(segments) or ""] += 1
        return used

    def pool_of(self, segments: Sequence[Segment]) -> str | None:
        """The pool of the tile that shows these segments, ``None`` where there is no such tile."""
        tile = TILE_OF.get(frozenset(segment.ends for segment in segments), "")
        return self.rules.pool(self.state, tile)


class Laid(Value):
    """The position after an operation, its price, what it brought about."""

    state: State
    price: int
    events: tuple[Event, ...]

    @property
    def completed(self) -> tuple[ConnectionCompleted, ...]:
        """The connection that became complete, if one did (SP-R20: at most one)."""
        return tuple(event for event in self.events if isinstance(event, ConnectionCompleted))


def run(rules: Rules, state: State, operations: Sequence[Operation]) -> Laid:
    """A whole track action. Raises :class:`Refused` with the number of the failing operation."""
    if not 1 <= len(operations) <= MOST_OPERATIONS:
        raise no("SP-R9", "A track action is one or two operations; this one has {n}.", n=len(operations))
    price, events = 0, tuple[Event, ...]()
    for number, operation in enumerate(operations, 1):
        try:
            laid = operate(Site(rules, state), operation)
        except Refused as refused:
            raise Refused(refused.refusal.in_step(number)) from None
        state, price, events = laid.state, price + laid.price, events + laid.events
    return Laid(state, price, events)


def operate(site: Site, operation: Operation) -> Laid:
    if isinstance(operation, Remove):
        return _remove(site)
    edge = site.rules.board.edge
    return _place(site, operation.hex, ends(edge(operation.ends[0]), edge(operation.ends[1])))


def _remove(site: Site) -> Laid:
    """Take the last tile of the incomplete connection away (SP-R10, SP-R11, SP-R16)."""
    end = site.open_end
    if end is None:
        raise no("SP-R10", "You have no incomplete connection; track of complete ones stays.")
    hex_ = end.last.hex
    left = tuple(s for s in site.state.track[hex_] if s.ends != (end.last.a, end.last.b))
    _judge_pool(site, hex_, left)
    state = replace(site.state, track=_with(site, hex_, left))
    return Laid(state, 0, (TrackRemoved(site.company, hex_, len(end.pieces) == 1),))


def _with(site: Site, hex_: Label, segments: tuple[Segment, ...]) -> dict[Label, tuple[Segment, ...]]:
    track = dict(site.state.track)
    if segments:
        track[hex_] = segments
    else:
        del track[hex_]
    return track


def _place(site: Site, hex_: Label, new: Ends) -> Laid:
    """Place, cross or replace: the hex decides which."""
    _judge_hex(site, hex_, new)
    end = site.open_end
    if end is not None and end.last.hex == hex_ and {end.last.a, end.last.b} & set(new):
        return _replace(site, end, new)
    old = site.state.track.get(hex_, ())
    start, ahead = _anchor(site, end, hex_, new)
    if len(old) > 1:
        raise no("SP-R15", "A hex never holds three pieces of track; {hex} has two.", hex=At(hex_))
    price = site.rules.crossing_price if old else site.rules.terrain_price(hex_)
    return _lay(
        site, hex_, (*old, Segment(*new, site.company)), new, start, ahead, price, "crossed" if old else "placed"
    )


def _judge_hex(site: Site, hex_: Label, new: Ends) -> None:
    """Land, and sides behind which there is land or a City (SP-R13)."""
    board = site.rules.board
    judge_hex(board, hex_)
    if hex_ in board.cities:
        raise no("Build Track", "{hex} is a City; no track can be laid on it.", hex=At(hex_))
    if hex_ not in board.open_sides:
        raise no("Build Track", "{hex} is water; no track can be laid on it.", hex=At(hex_))
    for edge in new:
        judge_side(board, hex_, edge, "SP-R13")


def _anchor(site: Site, end: OpenEnd | None, hex_: Label, new: Ends) -> tuple[Label, int]:
    """Rule 1: the City at which the connection starts, and the edge that leads on."""
    if end is not None:
        return _goes_on(site, end, hex_, new)
    for first, ahead in (new, new[::-1]):
        city, _ = site.net.across(hex_, first)
        if city in site.starts and city is not None:
            if site.railways.trains(site.company) < site.rules.trains:
                return city, ahead
            n = site.rules.trains
            raise no("SP-R21", "All {n} trains are on the board: no new connection can be started.", n=n)
    touched = tuple(At(city) for edge in new if (city := site.net.across(hex_, edge)[0]) is not None)
    if len(touched) > 1:
        raise no("SP-R12", "{cities} are not in your network; a new connection starts inside it.", cities=touched)
    if touched:
        raise no("SP-R12", "{city} is not in your network; a new connection starts inside it.", city=touched)
    raise no(
        "SP-R12",
        "The track {segment} on {hex} touches no City; a new connection starts at one.",
        segment=ends_said(site.rules.board, new),
        hex=At(hex_),
    )


def _goes_on(site: Site, end: OpenEnd, hex_: Label, new: Ends) -> tuple[Label, int]:
    ahead_hex, entered = site.railways.enters(end)
    if hex_ == ahead_hex and entered in new:
        return end.start, new[0] if new[1] == entered else new[1]
    raise no(
        "Build Track",
        "Your incomplete connection from {city} ends on {last} and goes on to {hex} {side}: "
        "carry it on, or change or remove its last tile.",
        city=At(end.start),
        last=At(end.last.hex),
        hex=At(ahead_hex),
        side=site.rules.board.directions[entered],
    )


def _replace(site: Site, end: OpenEnd, new: Ends) -> Laid:
    """Another piece instead of the last one; the edge by which it hangs stays (SP-R10)."""
    hex_, old = end.last.hex, (end.last.a, end.last.b)
    board = site.rules.board
    if new == old:
        raise no("SP-R10", "The track {old} lies on {hex} already.", old=ends_said(board, old), hex=At(hex_))
    if end.anchored not in new:
        raise no(
            "SP-R10",
            "The last tile of your connection, on {hex}, hangs on {side}; its track must keep that side.",
            hex=At(hex_),
            side=board.directions[end.anchored],
        )
    others = tuple(s for s in site.state.track[hex_] if s.ends != old)
    ahead = new[0] if new[1] == end.anchored else new[1]
    return _lay(site, hex_, (*others, Segment(*new, site.company)), new, end.start, ahead, 0, "replaced")


def _lay(
    site: Site, hex_: Label, segments: tuple[Segment, ...], new: Ends, start: Label, ahead: int, price: int, how: str
) -> Laid:
    """Judge what a new piece leads to, its tile and its price, and lay it."""
    city, met = site.net.across(hex_, ahead)
    if met is not None and met.owner == site.company:
        side = site.rules.board.directions[ahead]
        raise no("Build Track", "Track on {hex} would join your own track at its side {side}.", hex=At(hex_), side=side)
    judge_joining(site.net, site.company, hex_, ahead, "Build Track")
    if city == start:
        raise no("SP-R19", "The connection would lead back to {city}, where it started.", city=At(start))
    _judge_tile(site, hex_, segments, new)
    _judge_pool(site, hex_, segments)
    _judge_cash(site, hex_, new, price)
    segments = tuple(sorted(segments, key=lambda segment: segment.ends))
    state = replace(site.state.with_cash(site.state.seat, -price), track=_with(site, hex_, segments))
    events: tuple[Event, ...] = (TrackLaid(site.company, hex_, (Piece(hex_, *new),), price, how),)
    if city is not None:
        events += (ConnectionCompleted(site.company, (start, city)),)
    return Laid(state, price, events)


def _judge_tile(site: Site, hex_: Label, segments: tuple[Segment, ...], new: Ends) -> None:
    if site.pool_of(segments) is None or len({s.ends for s in segments}) < len(segments):
        others = tuple(ends_said(site.rules.board, s.ends) for s in segments if s.ends != new)
        why: Say = say("No tile shows {new} beside {old}", new=ends_said(site.rules.board, new), old=others)
        raise no("SP-R1", "{why}; the track on {hex} cannot be crossed like that.", why=why, hex=At(hex_))


def _judge_pool(site: Site, hex_: Label, segments: tuple[Segment, ...]) -> None:
    """The tile that lies there goes back first (SP-R1, SP-R17)."""
    if not segments or not site.rules.pools_limited(site.state):
        return
    pool = site.pool_of(segments)
    if pool is None:
        raise AssertionError(f"no tile shows {segments}")
    old = site.state.track.get(hex_, ())
    used = site.pools[pool] + 1 - (1 if site.pool_of(old) == pool else 0)
    if used > site.rules.pool_sizes[pool]:
        raise no(
            "SP-R1",
            "All {n} tiles of the kind “{pool}” are on the board; none is left for {hex}.",
            n=site.rules.pool_sizes[pool],
            pool=Word(pool),
            hex=At(hex_),
        )


def _judge_cash(site: Site, hex_: Label, new: Ends, price: int) -> None:
    if price > site.state.cash:
        raise no(
            "Build Track",
            "{hex} {segment} costs ${price}, and you have ${cash} left.",
            hex=hex_,
            segment=ends_said(site.rules.board, new),
            price=price,
            cash=site.state.cash,
        )


# what could be laid next: candidates are proposed, the judge decides -------------------------------------------------


def offers(site: Site, besides: Label = "") -> list[tuple[Operation, Laid]]:
    """Every legal single operation, the cheapest way of the company's going on first; none on the hex ``besides``."""
    found = []
    for operation in _candidates(site):
        if isinstance(operation, Place) and operation.hex == besides:
            continue
        try:
            found.append((operation, operate(site, operation)))
        except Refused:
            continue  # the judge decides; a candidate may be illegal
    return found


def any_offer(rules: Rules, state: State) -> bool:
    """Whether the company could do anything with a track action."""
    site = Site(rules, state)
    for operation in _candidates(site):
        try:
            operate(site, operation)
        except Refused:
            continue
        return True
    return False


def _candidates(site: Site) -> list[Operation]:
    end, board = site.open_end, site.rules.board
    if end is not None:
        hex_, entered = site.railways.enters(end)
        return [*_through(site, hex_, entered), *_through(site, end.last.hex, end.anchored), Remove()]
    places: dict[Place, None] = {}
    for city in board.cities:
        if city in site.starts:
            for edge, beyond in enumerate(board.neighbours[city]):
                if beyond is not None and beyond in board.open_sides and beyond not in board.cities:
                    places.update(dict.fromkeys(_through(site, beyond, opposite(edge))))
    return list(places)


def _through(site: Site, hex_: Label, entered: int) -> list[Place]:
    """Pieces of a hex that touch one of its sides: straight on, gentle curves, sharp curves."""
    names = site.rules.board.directions
    pairs = [ends(entered, (entered + turn) % 6) for turn in (3, 2, 4, 1, 5)]
    return [Place(hex_, (names[a], names[b])) for a, b in pairs]
