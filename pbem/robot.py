"""A player that plays any sheet by chance, with just enough sense to keep a game going to its end.

Used by ``pbem play``, by benchmarks and by random play in tests: it asks a sheet only what everybody may ask
of it, so it plays every map and every game. It is quick, not strong, and not meant to be.
"""

from __future__ import annotations

import random
from collections.abc import Iterator, Mapping
from dataclasses import dataclass, replace
from itertools import islice, pairwise

from pbem.engine.chance import SeededChance
from pbem.engine.moves import BadMove, Refused
from pbem.engine.sheet import Choice, Question, Sheet, State
from pbem.rails.board import Board, Label
from pbem.rails.hexes import opposite
from pbem.rails.scene import Scene

GUESS = bytes(32)
"""The dice it imagines when it tries an order; it cannot know the real ones."""
TRACK_MONEY = 7
"""Dollars for track that the robot wants to have besides what its bill takes."""
FIRST_CHOICES = 4
"""Among so many of a list it chooses by chance: the later ones are large bids and many shares."""
PLAN_TILES = 3
TRIED = 8
"""Plans it tries before it gives up."""
WHIM = 0.15
"""The chance that it builds any legal tile instead of a plan, where it can pay for it."""
ENGINE_ENOUGH = 5
PLAN_SHORT = 2
"""Tiles of a link where track is one choice among others."""
TRACK = ("track", "track")
"""Track is chosen twice as often as any other kind of choice."""

Links = Mapping[Label, frozenset[Label]]
"""Per node the nodes that links of a player lead to."""


@dataclass(frozen=True, slots=True)
class Plan:
    """Steps of a build that make links between the nodes in their order."""

    steps: tuple[str, ...]
    nodes: tuple[Label, ...]


@dataclass(frozen=True, slots=True)
class Purse:
    """The money of a seat in dollars, and its engine."""

    cash: int
    income: int
    bill: int
    engine: int

    @property
    def spare(self) -> int:
        """What can be spent if nothing more is earned this turn."""
        return self.cash + self.income - self.bill


def choose(sheet: Sheet, state: State, luck: random.Random, sense: float = 0.95) -> str:
    """An order for the seat to act. ``sense`` is the chance that a decision is not left to chance alone."""
    question = sheet.question(state)
    if question.form == "build":
        return _build(sheet, state, question.seat, luck)
    if luck.random() > sense:
        return luck.choice(question.choices if question.form == "deliver" else question.choices[:FIRST_CHOICES]).order
    if question.form == "deliver":
        return _deliver(sheet, state, question)
    if question.builder:
        return _choose_or_lay(sheet, state, question, luck)
    match question.choices[0].order.partition(" ")[0]:
        case "issue":
            return _issue(sheet, state, question)
        case "drop":
            return _bid(sheet, state, question, luck)
    return luck.choice(question.choices).order


def _issue(sheet: Sheet, state: State, question: Question) -> str:
    """As many shares as the bill of the turn and a few tiles need; in the last turn none for tiles."""
    purse = _purse(sheet, state, question.seat)
    last = sheet.turn(state) == sheet.turns(len(sheet.rows(state)))
    wanted = max(0, -((purse.spare - (0 if last else TRACK_MONEY)) // 4))
    return question.choices[min(wanted, len(question.choices) - 1)].order


def _bid(sheet: Sheet, state: State, question: Question, luck: random.Random) -> str:
    """A small bid now and then, while there is money to spare."""
    spare = _purse(sheet, state, question.seat).spare - TRACK_MONEY
    bids = [choice.order for choice in question.choices if choice.order.startswith("bid ")][:2]
    affordable = [order for order in bids if int(order.split()[1]) <= spare + 1]
    return luck.choice(affordable) if affordable and luck.random() < 0.6 else question.choices[0].order


def _deliver(sheet: Sheet, state: State, question: Question) -> str:
    """The delivery that pays best and helps others least; the engine while it can be paid for."""
    best = max(question.choices, key=lambda choice: _pays(choice, question.seat))
    if best.gains.get(question.seat, 0) > 0:
        return best.order
    orders = {choice.order for choice in question.choices}
    purse = _purse(sheet, state, question.seat)
    if "loco" in orders and purse.engine < ENGINE_ENOUGH and purse.spare > 0:
        return "loco"
    return "pass" if "pass" in orders else best.order


def _pays(choice: Choice, seat: str) -> float:
    others = sum(steps for other, steps in choice.gains.items() if other != seat)
    return choice.gains.get(seat, 0) - 0.3 * others


# track among other choices ----------------------------------------------------------------------------------


def _choose_or_lay(sheet: Sheet, state: State, question: Question, luck: random.Random) -> str:
    """What pays at once; else a kind of choice by chance, or track."""
    best = max(question.choices, key=lambda choice: _pays(choice, question.seat))
    if _pays(best, question.seat) > 0:
        return best.order
    kinds: dict[str, list[str]] = {}
    for choice in question.choices:
        kinds.setdefault(choice.order.partition(" ")[0], []).append(choice.order)
    kind = luck.choice((*kinds, *TRACK))
    if kind in kinds:
        return luck.choice(kinds[kind])
    return _lay(sheet, state, question.seat, luck) or luck.choice(question.choices).order


def _lay(sheet: Sheet, state: State, seat: str, luck: random.Random) -> str | None:
    """A whole link between two Cities where one can be built, else tiles that complete one, else any."""
    offers = luck.sample(offered := sheet.placements(state), len(offered))
    if not offers:
        return None
    prefix = offers[0].partition("remove")[0].rsplit(" ", 2)[0]
    scene: Scene = sheet.scene(state)
    shuffled = replace(scene, cities=tuple(luck.sample(scene.cities, len(scene.cities))))
    near = _links(scene, seat)
    plans = (plan for plan in plans_on(shuffled, PLAN_SHORT) if not near or plan.nodes[0] in near)
    for plan in islice(plans, TRIED):
        order = f"{prefix} {'; '.join(plan.steps)}"
        if _cash_after(sheet, state, seat, order) is not None:
            return order
    done = _complete(scene)
    for order in offers[:TRIED]:
        after = _after(sheet, state, seat, order)
        if after is not None and _complete(sheet.scene(after)) > done:
            return order
    return offers[0]


def _complete(scene: Scene) -> int:
    return sum(1 for chain in scene.chains if chain.complete)


# building ---------------------------------------------------------------------------------------------------


def _build(sheet: Sheet, state: State, seat: str, luck: random.Random) -> str:
    """The plan that lets most be delivered, of those that can be built and paid; now and then anything."""
    purse = _purse(sheet, state, seat)
    budget, orders = min(purse.cash, max(purse.spare, 0)), _whims(sheet, state, luck)
    if new_city := _new_city(sheet, state, seat, luck):
        return new_city
    if luck.random() > WHIM:
        budget = min(purse.cash, max(purse.spare, TRACK_MONEY if purse.income < 4 else 0))
        orders = _ranked(sheet.scene(state), seat, purse, luck)
    for order in orders:
        cash = _cash_after(sheet, state, seat, order)
        if cash is not None and purse.cash - cash <= budget:
            return order
    return "build nothing"


def _new_city(sheet: Sheet, state: State, seat: str, luck: random.Random) -> str | None:
    """Any New City on any town for the holder of Urbanization, track to follow where the map allows parts."""
    if sheet.position(state)["players"][seat]["action"] != "urbanization":
        return None
    steps = [town[0] for choice in sheet.draft(state, ()).new_cities for town in choice.towns]
    if not steps:
        return None
    order = f"build {luck.choice(steps)}"
    return order if _cash_after(sheet, state, seat, f"{order}; more") is None else f"{order}; more"


def _whims(sheet: Sheet, state: State, luck: random.Random) -> Iterator[str]:
    """A few legal placements by chance, with an open end to the turn where the map allows it."""
    offers = sheet.placements(state)
    for offer in luck.sample(offers, min(TRIED // 2, len(offers))):
        yield f"{offer}; more"
        yield offer


def _ranked(scene: Scene, seat: str, purse: Purse, luck: random.Random) -> Iterator[str]:
    """The plans that promise most, the best first."""
    links = _links(scene, seat)
    now, worth = _worth(scene, links, purse.engine), dict[tuple[Label, ...], int]()
    plans = list(plans_on(scene))
    luck.shuffle(plans)
    for plan in plans:
        if plan.nodes not in worth:
            worth[plan.nodes] = _worth(scene, _joined(links, plan.nodes), purse.engine)
    plans.sort(key=lambda plan: len(plan.steps) - 4 * worth[plan.nodes])
    for plan in plans[:TRIED]:
        if worth[plan.nodes] > now:
            yield f"build {'; '.join(plan.steps)}"


def _cash_after(sheet: Sheet, state: State, seat: str, order: str) -> int | None:
    """Dollars left after an order, ``None`` when it is not legal."""
    after = _after(sheet, state, seat, order)
    return None if after is None else int(sheet.position(after)["players"][seat]["cash"])


def _after(sheet: Sheet, state: State, seat: str, order: str) -> State | None:
    """The position after an order, ``None`` when it is not legal."""
    try:
        return sheet.play(state, seat, sheet.parse(state, order, {}), SeededChance(GUESS, sheet.place(state))).state
    except (BadMove, Refused):
        return None


def plans_on(scene: Scene, tiles: int = PLAN_TILES) -> Iterator[Plan]:
    """Ways over empty hexes from a City to a City or town, as a person would find them with a finger."""
    nodes = {hex_: plate.label for plate in scene.cities for hex_ in plate.hexes}
    for label, city in nodes.items():
        for edge in scene.board.open_sides.get(label, ()):
            beyond = scene.board.neighbours[label][edge]
            if beyond is not None:
                yield from _ways(scene, nodes, beyond, opposite(edge), Plan((), (city,)), {label}, tiles)


def _ways(
    scene: Scene, nodes: Mapping[Label, Label], label: Label, entry: int, way: Plan, seen: set[Label], tiles: int
) -> Iterator[Plan]:
    """Go on with a way that comes into ``label`` over the edge ``entry``."""
    board: Board = scene.board
    if entry not in board.open_sides.get(label, ()):
        return
    if label in nodes:
        if way.steps and nodes[label] not in way.nodes:
            yield Plan(way.steps, (*way.nodes, nodes[label]))
        return
    town = label in scene.towns
    if label in seen or len(way.steps) == tiles or (label in scene.track and not town):
        return
    names = board.directions
    if town:
        way = Plan(way.steps, (*way.nodes, label))
        yield Plan((*way.steps, f"{label} @{names[entry]}"), way.nodes)
    for turn in (2, 3, 4):
        edge = (entry + turn) % 6
        beyond = board.neighbours[label][edge]
        if edge in board.open_sides[label] and beyond is not None:
            here = f"{label} @{names[entry]},{names[edge]}" if town else f"{label} {names[entry]}-{names[edge]}"
            longer = Plan((*way.steps, here), way.nodes)
            yield from _ways(scene, nodes, beyond, opposite(edge), longer, {*seen, label}, tiles)


def _links(scene: Scene, seat: str) -> Links:
    found: dict[Label, frozenset[Label]] = {}
    for chain in scene.chains:
        first, second = chain.ends
        if chain.complete and chain.owner == seat and first is not None and second is not None:
            found = dict(_joined(found, (first, second)))
    return found


def _joined(links: Links, nodes: tuple[Label, ...]) -> Links:
    """The links with those between nodes that follow each other added."""
    joined = dict(links)
    for a, b in pairwise(nodes):
        joined[a] = joined.get(a, frozenset()) | {b}
        joined[b] = joined.get(b, frozenset()) | {a}
    return joined


def _worth(scene: Scene, links: Links, engine: int) -> int:
    """Income steps of the two best deliveries over these links, and a little for more of them."""
    takes = {plate.label: plate.colours for plate in scene.cities}
    best = sorted(
        (
            max(_lengths(links, takes, plate.label, cube, engine), default=0)
            for plate in scene.cities
            if plate.label in links
            for cube in plate.cubes or ()
        ),
        reverse=True,
    )
    return 3 * sum(best[:2]) + sum(best[2:5])


def _lengths(
    links: Links, takes: Mapping[Label, tuple[str, ...]], start: Label, cube: str, engine: int
) -> Iterator[int]:
    """Lengths of the ways a cube could go over these links."""
    ways: list[tuple[Label, ...]] = [(start,)]
    while ways:
        way = ways.pop()
        for node in links[way[-1]]:
            if node in way:
                continue
            if cube in takes.get(node, ()):
                yield len(way)
            elif len(way) < engine:
                ways.append((*way, node))


def _purse(sheet: Sheet, state: State, seat: str) -> Purse:
    cells = next(row.cells for row in sheet.rows(state) if row.seat == seat)
    figures = (cells.get(key) for key in ("cash", "income", "bill", "engine"))
    return Purse(*(figure if isinstance(figure, int) else 0 for figure in figures))
