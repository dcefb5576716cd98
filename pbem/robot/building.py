"""How a robot builds: the plan that earns most for its price, of those it can pay without ruin."""

from __future__ import annotations

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass

from pbem.engine.sheet import Sheet, State
from pbem.rails.scene import Scene
from pbem.robot.build_ideas import Promises, gains, ideas_on, links_of
from pbem.robot.trying import Purse, after, purse
from pbem.robot.walks import Way, order_of

LEGAL = 6
"""Legal plans it considers before it gives up."""
TRIED = 60
"""Plans it tries on the judge at most; most maps refuse few."""
WHIMS = 4
NEW_CITIES, NEW_CITIES_MOST = 5, 20
"""New Cities it thinks about before it takes the best of them, and while none of them promises anything."""
DELIVERIES = 2
"""Deliveries of a turn, which a plan is to pay for."""
LATER = 0.15
"""What a delivery of a later turn is worth beside one of this turn."""
DOLLAR = 0.12
SHORT = 1.5
"""What a dollar is worth, and one that the bill will lack, in income steps."""


@dataclass(frozen=True, slots=True)
class Builder:
    """A seat that is to build, what it has, and what it sees."""

    sheet: Sheet
    state: State
    seat: str
    purse: Purse
    scene: Scene
    luck: random.Random

    def worth(self, earned: Sequence[int], spent: int) -> float:
        """Income steps of the deliveries to come, less what they cost and what the bill will lack."""
        lacks = max(0, spent - self.purse.spare - sum(earned[:DELIVERIES]))
        return (
            sum(earned[:DELIVERIES]) + LATER * sum(earned[DELIVERIES : DELIVERIES + 4]) - DOLLAR * spent - SHORT * lacks
        )

    def ruins(self, earned: Sequence[int], spent: int) -> bool:
        """Whether the bill cannot be paid after this, even by falling to an income of 0."""
        income = self.purse.income + sum(earned[:DELIVERIES])
        return self.purse.spare - spent + sum(earned[:DELIVERIES]) + income < 0


def build(sheet: Sheet, state: State, seat: str, luck: random.Random, whim: float) -> str:
    """The order of a build turn. ``whim``: the chance of any legal tile."""
    builder = Builder(sheet, state, seat, purse(sheet, state, seat), sheet.scene(state), luck)
    if luck.random() < whim:
        return _any_tile(builder)
    return _new_city(builder) or _planned(builder)


def _any_tile(builder: Builder) -> str:
    """A legal placement by chance, with an open end to the turn where the map allows it, if it can be spared."""
    offers = builder.sheet.placements(builder.state)
    for offer in builder.luck.sample(offers, min(WHIMS, len(offers))):
        for order in (f"{offer}; more", offer):
            spent = _spent(builder, order)
            if spent is not None and spent <= max(builder.purse.spare, 0):
                return order
    return "build nothing"


def _spent(builder: Builder, order: str) -> int | None:
    """The dollars that an order takes, ``None`` when it is not legal."""
    then = after(builder.sheet, builder.state, builder.seat, order)
    return None if then is None else builder.purse.cash - purse(builder.sheet, then, builder.seat).cash


def _planned(builder: Builder) -> str:
    """The best of the plans, unless nothing that is built is better."""
    found = 0
    now = gains(links_of(builder.scene, builder.seat), builder.seat, builder.purse.engine)
    best, most = "build nothing", builder.worth(now, 0)
    for _, plan, earned in _ranked(builder, builder.scene)[:TRIED]:
        order = order_of(builder.scene.board, (), plan.parts)
        spent = _spent(builder, order)
        if spent is None:
            continue
        found += 1
        worth = builder.worth(earned, spent)
        if worth > most and not builder.ruins(earned, spent):
            best, most = order, worth
        if found >= LEGAL:
            break
    return best


def _ranked(builder: Builder, scene: Scene) -> list[tuple[float, Way, list[int]]]:
    """The plans that can be paid, by what they promise."""
    promises, ranked = Promises(scene, builder.seat, builder.purse.engine), []
    for plan in builder.luck.sample(plans := list(ideas_on(scene)), len(plans)):
        if plan.cost <= builder.purse.cash:
            earned = promises.of(plan)
            ranked.append((builder.worth(earned, plan.cost), plan, earned))
    return sorted(ranked, key=lambda entry: entry[0], reverse=True)


def _new_city(builder: Builder) -> str | None:
    """A New City for the holder of Urbanization: where it promises most, track to follow where parts are allowed."""
    if builder.sheet.position(builder.state)["players"][builder.seat]["action"] != "urbanization":
        return None
    best, most = None, 0.0
    for thought, (order, then) in enumerate(_new_cities(builder)):
        ranked = _ranked(builder, builder.sheet.scene(then))
        promise = ranked[0][0] if ranked else 0.0
        if best is None or promise > most:
            best, most = order, promise
        if thought >= (NEW_CITIES if most > 0 else NEW_CITIES_MOST):
            break
    return best


def _new_cities(builder: Builder) -> Iterator[tuple[str, State]]:
    """Legal New Cities by chance, as orders with the positions after them."""
    scene, luck = builder.scene, builder.luck
    letters = [letter for letter in scene.board.new_cities if letter not in {plate.letter for plate in scene.cities}]
    sites = [(letter, town) for letter in letters for town in scene.towns]
    for letter, town in luck.sample(sites, min(TRIED, len(sites))):
        for order in (f"build city {letter} {town}; more", f"build city {letter} {town}"):
            then = after(builder.sheet, builder.state, builder.seat, order)
            if then is not None:
                yield order, then
                break
