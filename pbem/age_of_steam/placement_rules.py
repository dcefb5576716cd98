"""Judges and prices a tile or town of a build turn (sections 7.2 to 7.5): :func:`plan` is the one judge."""

from collections import Counter
from collections.abc import Sequence

from pbem.age_of_steam.moves import Exits, Lay
from pbem.age_of_steam.proposals import Placement
from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State
from pbem.engine import Place, Refused, Seat, Value, Who, refuse, replace
from pbem.engine.moves import no, raise_for
from pbem.rails.board import Label
from pbem.rails.hex_words import ends_said
from pbem.rails.hexes import TOWN
from pbem.rails.judging import judge_hex, judge_joining, judge_side
from pbem.rails.tiles import TILE_OF, TOWN_TILE_OF, Ends, discs, ends, lacking
from pbem.rails.track import Chain, Net, Piece, Segment, tile_under


def plan(rules: Rules, state: State, seat: Seat, step: Lay | Exits) -> Placement:
    """What tile a step asks for, judged completely (7.2 to 7.5, R1 to R4). Raises :class:`Refused`."""
    judge_hex(rules.board, step.hex)
    net = rules.net(state)
    if step.hex in net.cities:
        raise no("Restrictions", "{hex} is a City; no tile can be laid there.", hex=Place(step.hex))
    if step.hex not in rules.board.open_sides:
        raise no("Restrictions", "No track can be built on {hex}.", hex=Place(step.hex))
    raise_for(rules.refuse_hex(state, seat, step.hex))
    if isinstance(step, Exits):
        return plan_town(rules, state, seat, net, step.hex, {rules.board.edge(exit_) for exit_ in step.exits})
    if step.hex in rules.board.towns:
        raise no(
            "Entering a Town",
            "{hex} has a town: name the exits to add, for example “{hex} @{exit}”.",
            hex=Place(step.hex),
            exit=step.segments[0][0],
        )
    edge = rules.board.edge
    return plan_tile(rules, state, seat, net, step.hex, [ends(edge(a), edge(b)) for a, b in step.segments])


def plan_tile(rules: Rules, state: State, seat: Seat, net: Net, hex_: Label, listed: Sequence[Ends]) -> Placement:
    """A tile on an ordinary hex: which old segments stay, which turn, what is added (7.3, R28a)."""
    old = state.track.get(hex_, ())
    kept, turned, added = _match(rules, seat, net, hex_, old, list(dict.fromkeys(listed)))
    picture = frozenset([s.ends for s in kept] + [new for _, new in turned] + added)
    tile = TILE_OF.get(picture)
    if tile is None or len(picture) != len(kept) + len(turned) + len(added):
        raise no("R1", "No tile shows this track on {hex}.", hex=Place(hex_))
    if not turned and not added:
        raise no(
            "Replacing Track",
            "This track lies on {hex} already; a placement must add or turn something.",
            hex=Place(hex_),
        )
    for ends_ in added:
        _judge_ends(rules, state, seat, net, hex_, ends_)
        if not _anchored(rules, state, seat, net, hex_, ends_):
            base = refuse(
                "Building Track",
                "The track {segment} on {hex} would touch neither a City nor your track.",
                segment=ends_said(rules.board, ends_),
                hex=Place(hex_),
            )
            raise Refused(rules.unanchored(state, seat, hex_) or base)
    for segment, ends_ in turned:
        _judge_turned(rules, state, seat, net, hex_, segment, ends_)
    old_tile = TILE_OF[frozenset(s.ends for s in old)] if old else ""
    placement = Placement(hex_, tile, old_tile, tuple(added), tuple((s.ends, new) for s, new in turned))
    _judge_supply(rules, state, net, hex_, tile, placement.old)
    return placement


def _match(
    rules: Rules, seat: Seat, net: Net, hex_: Label, old: tuple[Segment, ...], listed: list[Ends]
) -> tuple[list[Segment], list[tuple[Segment, Ends]], list[Ends]]:
    kept: list[Segment] = []
    turned: list[tuple[Segment, Ends]] = []
    left = list(listed)
    for segment in old:
        if segment.ends in left:
            left.remove(segment.ends)
            kept.append(segment)
        elif not any(set(segment.ends) & set(new) for new in listed):
            kept.append(segment)
        else:
            anchored, _ = turnable(seat, net, hex_, segment)
            new = next((n for n in left if anchored in n), None)
            if new is None:
                raise no(
                    "R28",
                    "The track {segment} on {hex} hangs on {side}; turned track must keep that side.",
                    segment=ends_said(rules.board, segment.ends),
                    hex=Place(hex_),
                    side=rules.board.directions[anchored],
                )
            left.remove(new)
            turned.append((segment, new))
    return kept, turned, left


def turnable(seat: Seat, net: Net, hex_: Label, segment: Segment) -> tuple[int, int]:
    """The anchored and the free edge of a segment that may be redirected (R27, R28, R45)."""
    if segment.owner not in (None, seat):
        raise no(
            "R27",
            "The track on {hex} belongs to {owner} and must stay as it is.",
            hex=Place(hex_),
            owner=Who(segment.owner or ""),
        )
    chain = net.chain(hex_, segment)
    if chain.complete:
        raise no("R27", "The track on {hex} belongs to a finished link and must stay as it is.", hex=Place(hex_))
    for edge in segment.ends:
        if (hex_, edge) in chain.open:
            return segment.other(edge), edge
    if not chain.open:  # R45: both ends hang on the same New City, either may be turned
        piece = Piece(hex_, *segment.ends)
        for edge in segment.ends:
            if piece in (chain.pieces[0], chain.pieces[-1]) and net.across(hex_, edge)[0] is not None:
                return segment.other(edge), edge
    raise no(
        "R28",
        "Only the free end of an unfinished section can be turned; the track on {hex} is not one.",
        hex=Place(hex_),
    )


def plan_town(rules: Rules, state: State, seat: Seat, net: Net, hex_: Label, listed: set[int]) -> Placement:
    """A town tile with more exits (R31 to R33)."""
    if hex_ not in rules.board.towns:
        raise no(
            "Entering a Town", "There is no town on {hex}: name the track, for example “{hex} N-S”.", hex=Place(hex_)
        )
    before = frozenset(segment.b for segment in state.track.get(hex_, ()))
    added = sorted(listed - before)
    if not added:
        raise no(
            "Replacing Track", "The town {hex} has these exits already; a placement must add one.", hex=Place(hex_)
        )
    tile = TOWN_TILE_OF.get(before | set(added))
    if tile is None:
        raise no(
            "Entering a Town",
            "A town has at most four exits; {hex} would get {n}.",
            hex=Place(hex_),
            n=len(before) + len(added),
        )
    segments = tuple((TOWN, edge) for edge in added)
    for ends_ in segments:
        _judge_ends(rules, state, seat, net, hex_, ends_)
    if not rules.has_presence(state, seat, hex_) and not any(
        _anchored(rules, state, seat, net, hex_, ends_) for ends_ in segments
    ):
        base = refuse(
            "R33",
            "No exit of {hex} would touch a City or your track, and you have no track in the town.",
            hex=Place(hex_),
        )
        raise Refused(rules.unanchored(state, seat, hex_) or base)
    placement = Placement(hex_, tile, TOWN_TILE_OF[before] if before else "", segments)
    _judge_supply(rules, state, net, hex_, tile, placement.old)
    return placement


def _judge_ends(rules: Rules, state: State, seat: Seat, net: Net, hex_: Label, ends_: Ends) -> None:
    """7.2 and 7.5 for the ends of one new segment."""
    for edge in ends_:
        if edge != TOWN:
            _judge_end(rules, state, seat, net, hex_, edge)


def _judge_end(rules: Rules, state: State, seat: Seat, net: Net, hex_: Label, edge: int) -> None:
    judge_side(rules.board, hex_, edge, "Restrictions")
    raise_for(rules.refuse_end(state, seat, hex_, edge))
    judge_joining(net, seat, hex_, edge, "Restrictions")


def _judge_turned(rules: Rules, state: State, seat: Seat, net: Net, hex_: Label, segment: Segment, new: Ends) -> None:
    free = next(edge for edge in new if edge not in segment.ends)
    _judge_end(rules, state, seat, net, hex_, free)
    if segment.owner is None and not (
        _claimable(rules, state, seat, net, net.chain(hex_, segment)) or holds(rules, state, seat, net, hex_, free)
    ):
        base = refuse("Building Track", "You have no track at the other end of the section on {hex}.", hex=Place(hex_))
        raise Refused(rules.unanchored(state, seat, hex_) or base)


def _anchored(rules: Rules, state: State, seat: Seat, net: Net, hex_: Label, ends_: Ends) -> bool:
    """7.4 for one new segment."""
    return any(edge != TOWN and holds(rules, state, seat, net, hex_, edge) for edge in ends_)


def holds(rules: Rules, state: State, seat: Seat, net: Net, hex_: Label, edge: int) -> bool:
    """Whether an edge leads to (a) a City, (b) own track or (c) a section the player may claim."""
    city, segment = net.across(hex_, edge)
    if city is not None:
        return rules.anchors(state, seat, city)
    if segment is None:
        return False
    if segment.owner == seat:
        return True
    beyond = rules.board.neighbours[hex_][edge]
    return (
        segment.owner is None and beyond is not None and _claimable(rules, state, seat, net, net.chain(beyond, segment))
    )


def _claimable(rules: Rules, state: State, seat: Seat, net: Net, chain: Chain) -> bool:
    """7.4 c: the section hangs on a City, or on a town in which the player has track."""
    anchor = chain.anchor or ""
    if anchor in net.cities.values():
        return rules.anchors(state, seat, anchor)
    return rules.has_presence(state, seat, anchor)


def tiles_used(rules: Rules, net: Net) -> Counter[str]:
    """Tiles on the board by name, towns by their kind; hexes with printed track hold none."""
    printed = (net.track[label] for label in rules.printed_track if label in net.track)
    return net.tiles - Counter(map(tile_under, printed))


def _judge_supply(rules: Rules, state: State, net: Net, hex_: Label, tile: str, old: str) -> None:
    """R1 to R3: after the replaced tile went back, is there one of these, and a disc if it needs one?"""
    used = tiles_used(rules, net)
    used[tile] += 1
    if old:
        used[old] -= 1
    if (short := lacking(used, rules.tiles_in_box(state))) is not None:
        raise no(
            "R1", "No tile for {hex} is left in the supply ({tile}).", hex=Place(hex_), tile=short.replace("_", " ")
        )
    if discs(used) > rules.town_discs:
        raise no("R3", "All {n} town discs are on the board.", n=rules.town_discs)


# what several placements on one hex cost together (R23) --------------------------------------------------------------


class Visit(Value):
    """All that a build has done on one hex so far, as one placement, and the dollars paid for it."""

    placement: Placement
    paid: int


Visits = tuple[Visit, ...]


def priced(rules: Rules, state: State, seat: Seat, visits: Visits, placement: Placement) -> tuple[int, Visits]:
    """Dollars for a placement, and the visits with it: those of a hex cost at least what its tile does at once."""
    price = rules.placement_price(state, seat, placement)
    before = next((visit for visit in visits if visit.placement.hex == placement.hex), None)
    if before is None:
        return price, (*visits, Visit(placement, price))
    whole = at_once(before.placement, placement)
    if whole.added or whole.turned:
        price = max(price, rules.placement_price(state, seat, whole) - before.paid)
    others = (visit for visit in visits if visit is not before)
    return price, (*others, Visit(whole, before.paid + price))


def at_once(first: Placement, second: Placement) -> Placement:
    """The one placement that leads to the same tile as two on the same hex, the second one after the first."""
    into = dict(second.turned)
    turned = [(old, into.get(new, new)) for old, new in first.turned]
    laid = {*first.added, *(new for _, new in first.turned)}
    turned += [(old, new) for old, new in second.turned if old not in laid]
    return replace(
        second,
        old=first.old,
        added=(*(into.get(ends, ends) for ends in first.added), *second.added),
        turned=tuple((old, new) for old, new in turned if old != new),
    )
