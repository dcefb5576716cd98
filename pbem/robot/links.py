"""New links that a player can pay for now: one for every pair of places, each tried on the judge of the sheet."""

from __future__ import annotations

from collections.abc import Iterator, Mapping, Sequence
from dataclasses import dataclass, replace
from functools import lru_cache
from itertools import pairwise
from typing import NamedTuple

from pbem.engine import Place, Say, Sheet, State, say
from pbem.engine.overview import HandCard
from pbem.rails.board import Label
from pbem.rails.builder import builder_of
from pbem.rails.scene import Scene
from pbem.rails.track import RouteChoice
from pbem.robot.thinking.table import MOVING, Table, read_table
from pbem.robot.thinking.ways import Finder, hung
from pbem.robot.trying import after, purse
from pbem.robot.walks import Way, order_of

PLENTY = 10_000
"""More dollars than any way costs."""
CONNECTIONS = 24
"""In Steam Power only who has no track yet has more."""
KEPT = 64
"""Positions whose proposals are kept."""


Pieces = frozenset[tuple[Label, int, int]]
"""Track: hexes with the two ends of each piece on them."""


class Ride(NamedTuple):
    """A delivery of this turn: income steps for the player, the cube, and where it goes."""

    gain: int = 0
    cube: str | None = None
    start: Label | None = None
    goal: Label | None = None


@dataclass(frozen=True, slots=True)
class LinkProposal:
    """A link that can be built now: the whole order, and its steps as the build page takes them.

    ``ends``: its two places, ``through``: towns in between. ``gain``: income steps of the best delivery of this turn
    that goes over the new track, ``None`` in Steam Power; ``cube``, ``start`` and ``goal``: of that delivery, ``None``
    where there is none. ``contract``: of the hand that can be paid afterwards, and could not before or was dearer.
    ``pieces``: the new track, where deliveries were looked for: hex and two sides.
    """

    order: str
    steps: tuple[str, ...]
    ends: tuple[Label, Label]
    through: tuple[Label, ...]
    price: int
    tiles: int
    gain: int | None
    cube: str | None = None
    start: Label | None = None
    goal: Label | None = None
    contract: HandCard | None = None
    pieces: Pieces = frozenset()

    @property
    def title(self) -> Say:
        a, b = map(Place, self.ends)
        towns = tuple(map(Place, self.through))
        return say("{a} to {b} by {towns}", a=a, b=b, towns=towns) if towns else say("{a} to {b}", a=a, b=b)

    @property
    def delivery(self) -> Say | None:
        """From where to where its best delivery of this turn goes."""
        if self.start is None or self.goal is None:
            return None
        return say("{a} to {b}", a=Place(self.start), b=Place(self.goal))


Judged = Iterator[tuple[LinkProposal, State]]
"""Proposals, each with the position after it."""


def new_links(sheet: Sheet, state: State, seat: str, first: Sequence[str] = ()) -> Iterator[LinkProposal]:
    """New links within the money of the seat that is to build, the cheapest first; in Steam Power those to new Cities
    before the others. Each is tried when it is asked for, and no deliveries are looked for: every ``gain`` is 0.

    ``first``: what the build begins with, as steps; in Steam Power nothing.
    """
    return (link for link, _ in _judged(sheet, state, seat, first))


def proposals(
    sheet: Sheet, state: State, seat: str, first: Sequence[str] = (), *, cheapest: bool = False
) -> tuple[LinkProposal, ...]:
    """All of them, those with the best delivery of this turn first, or with a contract.

    ``cheapest``: sorted by price instead.
    """
    found = _proposals(sheet, sheet.encode(state), seat, tuple(first))
    return tuple(sorted(found, key=lambda one: (one.price, one.tiles, -(one.gain or 0)))) if cheapest else found


def ways_of(sheet: Sheet, state: State, seat: str) -> Iterator[LinkProposal]:
    """New links of one turn if money were no matter, not tried on the judge; in Steam Power those that can be paid for,
    while the seat is asked."""
    if sheet.game == "age-of-steam":
        table = read_table(sheet, state, seat)
        tiles = table.rules.tile_limit(state, seat)
        for way, price in _cheapest(table, PLENTY, tiles) if seat in table.companies else ():
            a, *through, b = way.nodes
            order = order_of(table.scene.board, (way,), way.parts)
            yield LinkProposal(order, (), (a, b), tuple(through), price, way.tiles, 0)
    elif sheet.to_act(state) == seat:
        yield from new_links(sheet, state, seat)


@lru_cache(maxsize=KEPT)
def _proposals(sheet: Sheet, stored: bytes, seat: str, first: tuple[str, ...]) -> tuple[LinkProposal, ...]:
    state = sheet.decode(stored)
    before = _pieces(sheet.scene(state))
    found = []
    for judged, then in _judged(sheet, state, seat, first, thorough=True):
        link = replace(judged, pieces=_pieces(sheet.scene(then)) - before)
        found.append(link if link.gain is None else replace(link, **_best_ride(sheet, seat, link, then)._asdict()))
    return tuple(sorted(found, key=lambda one: (-(one.gain or 0), not one.contract, one.price, one.tiles)))


def _judged(sheet: Sheet, state: State, seat: str, first: Sequence[str], *, thorough: bool = False) -> Judged:
    """``thorough``: also what is not found quickly."""
    if sheet.game == "age-of-steam":
        return _links(sheet, state, seat, first)
    return iter(()) if first else _connections(sheet, state, seat, thorough=thorough)


# Age of Steam ------------------------------------------------------------------------------------------------


def _links(sheet: Sheet, state: State, seat: str, first: Sequence[str]) -> Judged:
    """For every pair of places the cheapest way that the judge allows."""
    draft = builder_of(sheet).draft(state, first) if first else None
    table, joined = read_table(sheet, draft.state if draft else state, seat), set[frozenset[Label]]()
    cash, tiles = int(table.me.cash), table.rules.tile_limit(table.state, seat)
    if draft:
        cash, tiles = draft.left, draft.limit - draft.placed
    for way, price in _cheapest(table, cash, tiles):
        a, *through, b = way.nodes
        if frozenset((a, b)) in joined:
            continue
        laid = order_of(table.scene.board, (way,), way.parts).removeprefix("build ")
        steps = (*first, *laid.split("; "))
        order = f"build {'; '.join(steps)}"
        then = after(sheet, state, seat, order)
        if then is not None:
            joined.add(frozenset((a, b)))
            if draft:
                price = draft.left - purse(sheet, then, seat).cash
            yield LinkProposal(order, steps, (a, b), tuple(through), price, way.tiles, 0), then


def _cheapest(table: Table, cash: int, tiles: int) -> list[tuple[Way, int]]:
    """The ways that need no more, with their prices, the cheapest first."""
    rules, chains = table.rules, table.scene.chains
    own = frozenset(node for chain in chains if chain.owner == table.seat for node in chain.ends if node is not None)
    finder = Finder(table.scene, table.seat, tiles, table.price)
    found: list[tuple[Way, int]] = []
    for way in finder.ways:
        prices = [way.cost] if way.link else list(map(finder.price, way.parts))
        price = rules.build_price(table.state, table.seat, prices)
        laid = hung((way,), table.barred, own, together=table.together)
        if laid and price <= cash:
            found.append((laid[0], price))
    return sorted(found, key=lambda one: (one[1], one[0].tiles))


def _best_ride(sheet: Sheet, seat: str, link: LinkProposal, then: State) -> Ride:
    """The best of the deliveries that the rules list after the build and that go over the new track."""
    moment = next((name for name in sheet.moments(then, seat) if name.startswith(MOVING)), None)
    asked = None if moment is None else sheet.asked_ahead(then, seat, moment)
    best = Ride()
    if asked is None:
        return best
    for choice in sheet.question(asked).choices:
        gain = choice.gains.get(seat, 0)
        if isinstance(choice, RouteChoice) and choice.route and gain > best.gain and _goes_over(choice, link):
            best = Ride(gain, choice.cube, choice.route[0], choice.route[-1])
    return best


def _goes_over(choice: RouteChoice, link: LinkProposal) -> bool:
    """Whether a cube goes over new track, or between the places of a new link without track."""
    if not link.pieces:
        return any({*hop} == {*link.ends} for hop in pairwise(choice.route))
    return not link.pieces.isdisjoint(choice.pieces)


def _pieces(scene: Scene) -> Pieces:
    return frozenset((label, segment.a, segment.b) for label, segments in scene.track.items() for segment in segments)


# Steam Power -------------------------------------------------------------------------------------------------


def _connections(sheet: Sheet, state: State, seat: str, *, thorough: bool) -> Judged:
    """The connections that one track action completes."""
    cash, scene = purse(sheet, state, seat).cash, sheet.scene(state)
    cards = {card.order: card for card in sheet.cards(state, seat)}
    for order in sheet.suggestions(state, thorough=thorough)[:CONNECTIONS]:
        then = after(sheet, state, seat, order)
        if then is None:
            continue
        chains = (chain for chain in sheet.scene(then).chains if chain.complete and chain not in scene.chains)
        a, b = next(chains).ends
        if a is not None and b is not None:
            steps = tuple(order.removeprefix("bonus ").removeprefix("track ").split("; "))
            price, contract = cash - purse(sheet, then, seat).cash, _paid_for(sheet, then, seat, cards)
            yield LinkProposal(order, steps, (a, b), (), price, len(steps), None, contract=contract), then


def _paid_for(sheet: Sheet, then: State, seat: str, before: Mapping[str, HandCard]) -> HandCard | None:
    """The contract that the connection makes payable, or most dollars cheaper than it was."""
    found = [
        (before[card.order].short == 0, card.price - before[card.order].price, card)
        for card in sheet.cards(then, seat)
        if not card.short and card.order in before and card.price < before[card.order].price
    ]
    return min(found, key=lambda one: one[:2])[2] if found else None
