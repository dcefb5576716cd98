"""Track as one choice among others: what pays at once, else a kind of choice by chance, or track."""

from __future__ import annotations

import random
from dataclasses import replace
from itertools import islice

from pbem.engine.sheet import Question, Sheet, State
from pbem.rails.scene import Scene
from pbem.robot.build_ideas import ideas_on
from pbem.robot.trying import after, pays
from pbem.robot.walks import order_of

TRIED = 8
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
    for plan in islice(plans, TRIED):
        order = order_of(scene.board, (), plan.parts, prefix)
        if after(sheet, state, seat, order) is not None:
            return order
    done = _complete(scene)
    for order in offers[:TRIED]:
        then = after(sheet, state, seat, order)
        if then is not None and _complete(sheet.scene(then)) > done:
            return order
    return offers[0]


def _complete(scene: Scene) -> int:
    return sum(1 for chain in scene.chains if chain.complete)
