"""How the plain robot builds: the plan that earns most for its price, of those it can pay without ruin."""

import random
from collections.abc import Iterator, Sequence
from dataclasses import dataclass
from itertools import islice

from pbem.engine import Question, Sheet, State, replace
from pbem.rails.scene import Scene
from pbem.robot.build_ideas import Promises, gains, ideas_on, links_of
from pbem.robot.trying import Purse, after, pays, purse
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


# track as one choice among others ------------------------------------------------------------------------------


TRIES = 8
"""Plans and tiles it tries before it gives up."""
PLAN_SHORT = 2
"""Tiles of a link."""
TRACK = ("track", "track")
"""Track is chosen twice as often as any other kind of choice."""


def choose_or_lay(sheet: Sheet, state: State, question: Question, luck: random.Random) -> str:
    """What pays at once; else a kind of choice by chance, or track."""
    best = max(question.choices, key=lambda choice: pays(choice, question.seat))
    if pays(best, question.seat) > 0:
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
    near = {node for chain in scene.chains if chain.complete and chain.owner == seat for node in chain.ends}
    plans = (plan for plan in ideas_on(shuffled, PLAN_SHORT) if not near or plan.nodes[0] in near)
    for plan in islice(plans, TRIES):
        order = order_of(scene.board, (), plan.parts, prefix)
        if after(sheet, state, seat, order) is not None:
            return order
    done = _complete(scene)
    for order in offers[:TRIES]:
        then = after(sheet, state, seat, order)
        if then is not None and _complete(sheet.scene(then)) > done:
            return order
    return offers[0]


def _complete(scene: Scene) -> int:
    return sum(1 for chain in scene.chains if chain.complete)
