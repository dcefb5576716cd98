"""What is known of the track of a position without another look at the whole of it.

A placement changes one hex and the chains that pass it. What was counted before is counted on, so that an order costs
the same whatever lies on the board already; where nothing is known, as in a process that has just read the game, the
whole board is looked at once. All of it belongs to one track, a value that never changes.
"""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable, Mapping, Sequence
from functools import lru_cache
from typing import Final

from pbem.age_of_steam.proposals import Placement
from pbem.engine.moves import Seat
from pbem.engine.values import Kept, Value, field, replace
from pbem.rails.board import Board, Label
from pbem.rails.hexes import TOWN
from pbem.rails.link_graph import LinkGraph
from pbem.rails.tiles import TILE_OF, TOWN_TILE_OF
from pbem.rails.track import TRACKS_KEPT, Chain, Link, Net, Segment, Track


class Known(Value, frozen=True):
    """What is known of one track on one ``board`` with these New Cities; other games may have the same track.

    ``tiles``: those on the board by name, towns by their kind, without the hexes of ``printed``; ``None`` where they
    have not been counted. ``most_chains``: per player a number of chains that is not too small. ``loose``: per player
    the hexes of all unfinished sections, and perhaps others. ``graph``: the links of an earlier track, since when those
    of the nodes in ``changed`` may be others.
    """

    board: Board
    new_cities: tuple[Label, ...]
    tiles: Mapping[str, int] | None = None
    printed: frozenset[Label] = frozenset()
    most_chains: Mapping[Seat, int] = field(default_factory=dict)
    loose: Mapping[Seat, frozenset[Label]] = field(default_factory=dict)
    graph: LinkGraph | None = None
    changed: frozenset[Label] = frozenset()


_KNOWN: Final[Kept[Track, Known]] = Kept(TRACKS_KEPT)


def known(net: Net) -> Known:
    """What is known of the track of a position so far."""
    found = _KNOWN.get(net.track)
    if found is None or found.board is not net.board or found.new_cities != net.new_cities:
        return Known(net.board, net.new_cities)
    return found


def carry(before: Net, after: Track) -> None:
    """The same track with sections that have lost their owner."""
    _KNOWN.put(after, known(before))


def carry_on(before: Net, after: Track, seat: Seat, placement: Placement, touched: Iterable[Chain]) -> None:
    """The track after a placement of a player. ``touched``: the chains through what is new or turned."""
    old = known(before)
    most, loose, tiles = old.most_chains, old.loose, old.tiles
    if seat in most:  # every new segment is part of one chain, and the player's other chains were there before
        most = {**most, seat: most[seat] + len(placement.added) + len(placement.turned)}
    if seat in loose:
        loose = {**loose, seat: loose[seat] | {piece.hex for chain in touched for piece in chain.pieces}}
    if tiles is not None and placement.hex not in old.printed:
        tiles = with_tile(tiles, placement.tile, placement.old)
    changed = old.changed.union(*(ends_of(chain) for chain in touched))
    later = replace(old, tiles=tiles, most_chains=most, loose=loose, changed=changed)
    _KNOWN.put(after, later)


def carry_to_city(before: Net, after: Net, town: Label, seat: Seat, completed: Sequence[Chain]) -> None:
    """The track after a player has placed a New City, which may have completed sections for that player."""
    old = known(before)
    most, tiles, gone = old.most_chains, old.tiles, before.track.get(town)
    if seat in most:
        most = {**most, seat: most[seat] + len(completed)}
    if tiles is not None and gone and town not in old.printed:
        tiles = without_tile(tiles, _tile(gone))
    changed = old.changed.union((town,), *(ends_of(chain) for chain in completed))
    if old.graph is not None:  # links into the town ran over its own track
        changed |= old.graph.joined_to(town)
    later = replace(old, new_cities=after.new_cities, tiles=tiles, most_chains=most, changed=changed)
    _KNOWN.put(after.track, later)


def ends_of(chain: Chain) -> tuple[Label, ...]:
    """The nodes that a completed link joins; none for an unfinished section."""
    first, second = chain.ends
    return () if first is None or second is None else (first, second)


def with_tile(used: Mapping[str, int], tile: str, old: str) -> dict[str, int]:
    """The tiles on the board after one was laid, or laid in the place of an old one."""
    changed = without_tile(used, old) if old else dict(used)
    changed[tile] = changed.get(tile, 0) + 1
    return changed


def without_tile(used: Mapping[str, int], old: str) -> dict[str, int]:
    """The tiles on the board after one was taken away."""
    changed = dict(used)
    changed[old] -= 1
    if not changed[old]:
        del changed[old]
    return changed


def tiles_of(net: Net, printed: frozenset[Label]) -> Mapping[str, int]:
    """Tiles on the board by name, towns by their kind; hexes with printed track hold none."""
    so_far = known(net)
    if so_far.tiles is not None and so_far.printed == printed:
        return so_far.tiles
    tiles = Counter(_tile(segments) for label, segments in net.track.items() if label not in printed)
    _KNOWN.put(net.track, replace(so_far, tiles=tiles, printed=printed))
    return tiles


@lru_cache(maxsize=4096)
def _tile(segments: tuple[Segment, ...]) -> str:
    """The tile under these segments; few different hexes exist."""
    if segments[0].a == TOWN:
        return TOWN_TILE_OF[frozenset(s.b for s in segments)]
    return TILE_OF[frozenset(s.ends for s in segments)]


def may_have_more_chains(net: Net, seat: Seat, most: int) -> bool:
    """Whether a player has more chains than this; false only where it is certain."""
    so_far = known(net)
    if so_far.most_chains.get(seat, most + 1) > most:
        so_far = replace(so_far, most_chains={**so_far.most_chains, seat: net.number_of(seat)})
        _KNOWN.put(net.track, so_far)
    return so_far.most_chains[seat] > most


def unfinished(net: Net, seat: Seat) -> list[Chain]:
    """The unfinished sections of a player, in the order of the track."""
    so_far = known(net)
    loose = so_far.loose.get(seat)
    if loose is None:
        chains = net.chains_of(seat)
    else:
        chains = net.chains_through(
            (hex_, segment)
            for hex_, segments in net.track.items()
            if hex_ in loose
            for segment in segments
            if segment.owner == seat
        )
    found = [chain for chain in chains if not chain.complete]
    hexes = frozenset(piece.hex for chain in found for piece in chain.pieces)
    if hexes != loose:
        _KNOWN.put(net.track, replace(so_far, loose={**so_far.loose, seat: hexes}))
    return found


def graph_of(net: Net, special: tuple[Link, ...], *, alike: bool) -> LinkGraph:
    """The links of a position; ``special`` and ``alike`` as :class:`LinkGraph` has them."""
    so_far = known(net)
    graph = so_far.graph
    if graph is not None and not so_far.changed and (graph.special, graph.alike) == (special, alike):
        return graph
    if graph is None or graph.alike is not alike:
        graph = LinkGraph(net, special, alike=alike)
    else:
        graph = graph.after(net, special, so_far.changed)
    _KNOWN.put(net.track, replace(so_far, graph=graph, changed=frozenset()))
    return graph
