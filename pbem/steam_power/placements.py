"""Lists what a company could lay next. Proposes candidates quickly and lets the judge decide each of them."""

from __future__ import annotations

from pbem.engine.moves import Refused
from pbem.rails.board import Label
from pbem.rails.hexes import opposite
from pbem.rails.tiles import ends
from pbem.steam_power.laying import Laid, Site, operate
from pbem.steam_power.moves import Operation, Place, Remove
from pbem.steam_power.rules import Rules
from pbem.steam_power.state import State


def offers(site: Site) -> list[tuple[Operation, Laid]]:
    """Every legal single operation, the cheapest way of the company's going on first."""
    found = []
    for operation in _candidates(site):
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
