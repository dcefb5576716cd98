"""A player that plays any sheet by chance, with just enough sense to keep a game going to its end.

Used by ``pbem play``, by the demonstration and by random play in tests: it asks a sheet only what everybody
may ask of it, so it plays every map and every game. It is not strong and not meant to be.
"""

from __future__ import annotations

import random
from collections.abc import Iterator

from pbem.engine.sheet import Choice, Draft, Question, Sheet, State
from pbem.rails.scene import Scene

WORKING_CASH = 8
"""Dollars for bids and track that the robot wants to have besides what its bill takes."""
FIRST_CHOICES = 4
"""Among so many of a list it chooses by chance: the later ones are large bids and many shares."""
STARTS = 10
"""First steps of a build it tries."""
FIRST_LINKS = 8
"""Dollars it spends on track while its income is small, whatever the bill."""


def choose(sheet: Sheet, state: State, luck: random.Random, sense: float = 0.95) -> str:
    """An order for the seat to act. ``sense`` is the chance that a decision is not left to chance alone."""
    question = sheet.question(state)
    if question.form == "build":
        return _build(sheet, state, luck)
    if luck.random() > sense:
        return luck.choice(question.choices if question.form == "deliver" else question.choices[:FIRST_CHOICES]).order
    if question.form == "deliver":
        return _deliver(sheet, state, question)
    match question.choices[0].order.partition(" ")[0]:
        case "issue":
            return _issue(sheet, state, question)
        case "drop":
            return _bid(sheet, state, question, luck)
    return luck.choice(question.choices).order


def _issue(sheet: Sheet, state: State, question: Question) -> str:
    """As many shares as the bill of the turn and a few tiles need."""
    cash, income, bill = _money(sheet, state)
    wanted = max(0, -(-(bill + WORKING_CASH - cash - income) // 4))
    return question.choices[min(wanted, len(question.choices) - 1)].order


def _bid(sheet: Sheet, state: State, question: Question, luck: random.Random) -> str:
    """A small bid now and then, while there is money to spare."""
    cash, income, bill = _money(sheet, state)
    spare = cash + income - bill - WORKING_CASH // 2
    bids = [choice.order for choice in question.choices if choice.order.startswith("bid ")][:2]
    affordable = [order for order in bids if int(order.split()[1]) <= spare]
    return luck.choice(affordable) if affordable and luck.random() < 0.4 else question.choices[0].order


def _deliver(sheet: Sheet, state: State, question: Question) -> str:
    """The delivery that pays best; the engine when longer ways would pay more and the bill allows it."""
    paying = [choice for choice in question.choices if _gain(choice, question.seat) > 0]
    cash, income, bill = _money(sheet, state)
    if any(choice.order == "loco" for choice in question.choices) and cash + income > bill:
        scene, engine = sheet.scene(state), _engine(sheet, state)
        worth = _worth(scene, question.seat, engine + 1) > _worth(scene, question.seat, engine)
        if not paying or (worth and _gain(paying[0], question.seat) <= engine // 2 + 1):
            return "loco"
    return (paying or list(question.choices[-1:]))[0].order


def _gain(choice: Choice, seat: str) -> int:
    return choice.gains.get(seat, 0)


def _build(sheet: Sheet, state: State, luck: random.Random) -> str:
    """The build that lets most income be delivered afterwards, among a few that complete a link."""
    cash, income, bill = _money(sheet, state)
    budget = min(cash, max(FIRST_LINKS if income < 4 else 0, cash + income - bill))
    offers = sheet.placements(state)
    engine, seat = _engine(sheet, state), sheet.to_act(state) or ""
    best, order = 0.0, "build nothing"
    for start in luck.sample(offers, min(STARTS, len(offers))):
        draft = _towards_a_link(sheet, state, [start.removeprefix("build ")], budget, luck)
        if draft is not None:
            value = 4.0 * _worth(sheet.scene(draft.state), seat, engine) + len(draft.completed) - draft.price / 4
            if value > best:
                best, order = value, draft.order
    return order


def _towards_a_link(sheet: Sheet, state: State, steps: list[str], budget: int, luck: random.Random) -> Draft | None:
    """Go on from the first step along the open end until a link is complete; ``None`` when it is not worth it."""
    draft = sheet.draft(state, steps)
    while not draft.completed:
        ends = [hex_.label for hex_ in draft.hexes if hex_.own_end]
        if draft.placed >= draft.limit or draft.price >= budget or not ends:
            return None
        tiles = [tile for tile in sheet.tiles_at(state, steps, luck.choice(ends)) if tile.affordable]
        if not tiles:
            return None
        steps = [*steps, luck.choice(tiles[:3]).order]
        draft = sheet.draft(state, steps)
    return draft if draft.price <= budget and draft.problem is None else None


def _worth(scene: Scene, seat: str, engine: int) -> int:
    """Income steps of the two best deliveries over own links alone."""
    links: dict[str, set[str]] = {}
    for chain in scene.chains:
        first, second = chain.ends
        if chain.complete and chain.owner == seat and first is not None and second is not None:
            links.setdefault(first, set()).add(second)
            links.setdefault(second, set()).add(first)
    takes = {plate.label: plate.colours for plate in scene.cities}
    best = [
        max(_lengths(links, takes, plate.label, cube, engine), default=0)
        for plate in scene.cities
        for cube in plate.cubes or ()
        if plate.label in links
    ]
    return sum(sorted(best, reverse=True)[:2])


def _lengths(
    links: dict[str, set[str]], takes: dict[str, tuple[str, ...]], start: str, cube: str, engine: int
) -> Iterator[int]:
    """Lengths of the ways a cube could go over these links."""
    ways: list[tuple[str, ...]] = [(start,)]
    while ways:
        way = ways.pop()
        for node in links[way[-1]]:
            if node in way:
                continue
            if cube in takes.get(node, ()):
                yield len(way)
            elif len(way) < engine:
                ways.append((*way, node))


def _engine(sheet: Sheet, state: State) -> int:
    return int(str(_cells(sheet, state).get("engine", 1)))


def _money(sheet: Sheet, state: State) -> tuple[int, int, int]:
    """Cash, income and bill of the seat to act, in dollars."""
    cells = _cells(sheet, state)
    return int(str(cells["cash"])), int(str(cells["income"])), int(str(cells["bill"]))


def _cells(sheet: Sheet, state: State) -> dict[str, object]:
    seat = sheet.to_act(state)
    return dict(next(row.cells for row in sheet.rows(state) if row.seat == seat))
