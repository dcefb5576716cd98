"""How a robot of the demo decides: it counts its money, looks for links that earn at once, and delivers.

It asks the sheet only what every player may ask. Tracks are planned on the printed board, as a person would
with a finger, and judged by playing on to the robot's next delivery with everybody else doing nothing.
"""

from __future__ import annotations

import random
from collections.abc import Iterator
from dataclasses import dataclass

from pbem import robot
from pbem.engine.chance import SeededChance
from pbem.engine.moves import BadMove, Refused
from pbem.engine.sheet import Choice, NewCityChoice, Question, Sheet, State
from pbem.rails.board import Board, Label
from pbem.rails.hexes import opposite

GUESS = bytes(32)
"""The dice a robot imagines; it cannot know the real ones."""
LOOKED_AT = 40
"""Plans that are played on in thought; the others only have to be legal and cheap."""
LOOK_AHEAD = 30
"""Decisions of others until the robot delivers, at most."""
BUILD_MONEY = {1: 9, 2: 9, 3: 8, 4: 8}
LATER_MONEY = 7
ACTIONS = ("locomotive", "urbanization", "engineer", "first-move", "first-build", "production", "turn-order")
DIFFERENT_TASTE = 2
"""Among so many of the best actions a robot chooses by its own luck."""
ENGINE_ENOUGH = 5
NEW_CITY = 1.0
"""What a New City is worth beside the deliveries of this turn."""


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


def choose(sheet: Sheet, state: State, luck: random.Random) -> str:
    """An order for the seat to act."""
    question = sheet.question(state)
    if question.form == "build":
        return _build(sheet, state, question.seat, luck)
    if question.form == "deliver":
        return _deliver(sheet, state, question)
    match question.choices[0].order.split()[0]:
        case "issue":
            return _issue(sheet, state, question)
        case "drop" | "bid" | "pass":
            return _bid(sheet, state, question, luck)
        case "action":
            return _action(sheet, state, question, luck)
    return robot.choose(sheet, state, luck)


def _issue(sheet: Sheet, state: State, question: Question) -> str:
    return question.choices[min(shares_wanted(sheet, state, question.seat), len(question.choices) - 1)].order


def shares_wanted(sheet: Sheet, state: State, seat: str) -> int:
    """Enough shares for the bill and for some track, none in the last turn but for the bill."""
    purse, turn = purse_of(sheet, state, seat), sheet.turn(state)
    last = sheet.turns(len(sheet.rows(state)))
    build = 0 if turn == last else BUILD_MONEY.get(turn, LATER_MONEY)
    return max(0, -(-(build - purse.spare) // 4))


def _bid(sheet: Sheet, state: State, question: Question, luck: random.Random) -> str:
    """A dollar or two for an early place when there is plenty, else none."""
    orders = {choice.order for choice in question.choices}
    bids = [choice.order for choice in question.choices if choice.order.startswith("bid")]
    rich = purse_of(sheet, state, question.seat).spare > BUILD_MONEY[1] + 1
    if bids and rich and int(bids[0].split()[1]) <= 2 and luck.random() < 0.6:
        return bids[0]
    return "pass" if "pass" in orders else "drop"


def _action(sheet: Sheet, state: State, question: Question, luck: random.Random) -> str:
    free = {choice.order.removeprefix("action ") for choice in question.choices}
    purse = purse_of(sheet, state, question.seat)
    liked = [action for action in ACTIONS if action in free]
    if "locomotive" in liked and purse.spare < 2:
        liked.remove("locomotive")
    return f"action {luck.choice(liked[:DIFFERENT_TASTE])}" if liked else question.choices[-1].order


def _deliver(sheet: Sheet, state: State, question: Question) -> str:
    """What earns most and helps others least; else the engine while it can be paid for."""
    orders = {choice.order for choice in question.choices}
    best = max(question.choices, key=lambda choice: worth(choice, question.seat))
    if best.gains.get(question.seat, 0) > 0:
        return best.order
    purse = purse_of(sheet, state, question.seat)
    if "loco" in orders and purse.engine < ENGINE_ENOUGH and purse.spare >= 1:
        return "loco"
    return "pass" if "pass" in orders else best.order


def worth(choice: Choice, seat: str) -> float:
    """What a delivery is worth to a seat."""
    others = sum(steps for other, steps in choice.gains.items() if other != seat)
    return choice.gains.get(seat, 0) - 0.3 * others


# building ---------------------------------------------------------------------------------------------------


def _build(sheet: Sheet, state: State, seat: str, luck: random.Random) -> str:
    """The plan that earns most in this turn's deliveries for its price."""
    draft = sheet.draft(state, ())
    purse = purse_of(sheet, state, seat)
    board: Board = sheet.scene(state).board
    plans = list(_plans(board, sheet, state, seat, draft.limit))
    luck.shuffle(plans)
    if draft.new_cities:
        plans = [*_urbanized(draft.new_cities, plans, luck), *plans]
    best, best_value = "build nothing", _value(sheet, state, seat, "build nothing", purse)
    looked_at = 0
    for plan in plans:
        order = f"build {'; '.join(plan)}"
        after = imagine(sheet, state, seat, order)
        if after is None or purse_of(sheet, after, seat).spare < -3:
            continue
        value = _value(sheet, state, seat, order, purse)
        if value > best_value:
            best, best_value = order, value
        looked_at += 1
        if looked_at == LOOKED_AT:
            break
    return best


def _plans(board: Board, sheet: Sheet, state: State, seat: str, tiles: int) -> Iterator[list[str]]:
    """Ways of at most so many tiles from a City, or from a town the seat has track in, to a City or town."""
    nodes = {**dict.fromkeys(board.city_at, "city"), **dict.fromkeys(board.towns, "town")}
    nodes |= dict.fromkeys(sheet.position(state).get("new_cities", {}).values(), "city")
    for label, kind in nodes.items():
        if kind == "city":
            for edge in board.open_sides[label]:
                beyond = board.neighbours[label][edge]
                if beyond is not None:
                    yield from _ways(board, nodes, beyond, opposite(edge), [], {label}, tiles)


def _urbanized(
    new_cities: tuple[NewCityChoice, ...], plans: list[list[str]], luck: random.Random
) -> Iterator[list[str]]:
    """The plans that end in a town, with a New City put there first, which also saves a tile."""
    steps: dict[str, list[str]] = {}
    for choice in new_cities:
        for step, label, _ in choice.towns:
            steps.setdefault(label, []).append(step)
    for plan in plans:
        town = plan[-1].partition(" @")[0]
        if town in steps and "," not in plan[-1] and len(plan) > 1:
            yield [luck.choice(steps[town]), *plan[:-1]]


def _ways(
    board: Board, nodes: dict[Label, str], label: Label, entry: int, way: list[str], seen: set[Label], tiles: int
) -> Iterator[list[str]]:
    """Go on with a way that comes into ``label`` over the edge ``entry``."""
    if label in seen or label not in board.open_sides or entry not in board.open_sides[label]:
        return
    kind = nodes.get(label)
    if kind == "city":
        if way:
            yield way
        return
    if len(way) == tiles:
        return
    names = board.directions
    if kind == "town":
        yield [*way, f"{label} @{names[entry]}"]
    for edge in board.open_sides[label]:
        beyond = board.neighbours[label][edge]
        if edge != entry and beyond is not None:
            here = f"{label} @{names[entry]},{names[edge]}" if kind else f"{label} {names[entry]}-{names[edge]}"
            yield from _ways(board, nodes, beyond, opposite(edge), [*way, here], {*seen, label}, tiles)


def _value(sheet: Sheet, state: State, seat: str, order: str, purse: Purse) -> float:
    """Income steps the seat's next deliveries would give after this order, less what it costs."""
    after = imagine(sheet, state, seat, order)
    if after is None:
        return -1.0
    spent = purse.cash - purse_of(sheet, after, seat).cash
    gains = sorted(_own_gains(sheet, after, seat), reverse=True)
    earned = sum(gains[:2]) + 0.15 * sum(gains[2:6])
    short = max(0, -(purse.spare - spent + sum(gains[:2])))
    return earned - 0.2 * spent - 1.5 * short + NEW_CITY * order.count("city ")


def _own_gains(sheet: Sheet, state: State, seat: str) -> Iterator[int]:
    """What the seat gains by each delivery it could make next this turn, one for each cube."""
    turn = sheet.turn(state)
    for _ in range(LOOK_AHEAD):
        if sheet.over(state) or sheet.turn(state) != turn:
            return
        asked = sheet.to_act(state) or ""
        if asked == seat and (question := sheet.question(state)).form == "deliver":
            best: dict[tuple[str, str], int] = {}
            for choice in question.choices:
                key = (choice.cube, choice.route[0] if choice.route else "")
                best[key] = max(best.get(key, 0), choice.gains.get(seat, 0))
            yield from (gain for gain in best.values() if gain > 0)
            return
        next_state = imagine(sheet, state, asked, str(sheet.default(state)))
        assert next_state is not None, "a default order is always legal"
        state = next_state


def imagine(sheet: Sheet, state: State, seat: str, order: str) -> State | None:
    """The position after an order, ``None`` when it is not legal."""
    try:
        return sheet.play(state, seat, sheet.parse(state, order, {}), SeededChance(GUESS, sheet.place(state))).state
    except (BadMove, Refused):
        return None


def purse_of(sheet: Sheet, state: State, seat: str) -> Purse:
    """The money of a seat."""
    cells = next(row.cells for row in sheet.rows(state) if row.seat == seat)
    figures = (cells.get(key) for key in ("cash", "income", "bill", "engine"))
    return Purse(*(figure if isinstance(figure, int) else 0 for figure in figures))
