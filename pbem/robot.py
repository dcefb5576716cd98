"""A player that plays any sheet by chance, with just enough sense to keep a game going to its end.

Used by ``pbem play`` and by random play in tests: it asks a sheet what everybody may ask of it, so it plays
every map and every game. It is not strong and not meant to be.
"""

from __future__ import annotations

import random

from pbem.engine.sheet import Choice, Question, Sheet, State

CASH_IN_HAND = 7
"""Dollars the robot wants to have for building after its bill is covered."""
TRIES = 12
"""Placements it looks at before it builds."""


def choose(sheet: Sheet, state: State, luck: random.Random, sense: float = 0.8) -> str:
    """An order for the seat to act. ``sense`` is the chance that a decision is not left to chance alone."""
    question = sheet.question(state)
    if question.form == "build":
        return _build(sheet, state, luck)
    if luck.random() > sense:
        return luck.choice(question.choices).order
    if question.form == "deliver":
        return _deliver(question, luck)
    keyword = question.choices[0].order.partition(" ")[0]
    if keyword in ("issue", "shares"):
        return _issue(sheet, state, question)
    if keyword == "drop":
        return luck.choice(question.choices[:4]).order if luck.random() < 0.4 else question.choices[0].order
    return luck.choice(question.choices).order


def _issue(sheet: Sheet, state: State, question: Question) -> str:
    """As many shares as the bill of the turn and a few tiles need."""
    cash, income, bill = _money(sheet, state)
    short = bill + CASH_IN_HAND - cash - income
    wanted = max(0, -(-short // 4))
    return question.choices[min(wanted, len(question.choices) - 1)].order


def _deliver(question: Question, luck: random.Random) -> str:
    """The delivery that pays best, or the engine while deliveries are short."""
    best = [choice for choice in question.choices if gain(choice, question.seat) > 0][:3]
    engine = [choice for choice in question.choices if choice.order == "loco"]
    if engine and (not best or gain(best[0], question.seat) < 2) and luck.random() < 0.5:
        return engine[0].order
    return luck.choice(best or list(question.choices)).order


def gain(choice: Choice, seat: str) -> int:
    """Income steps a choice gives a seat."""
    return choice.gains.get(seat, 0)


def _build(sheet: Sheet, state: State, luck: random.Random) -> str:
    """One placement at a time, rather one that completes a link, within what the bill leaves."""
    offers = sheet.placements(state)
    if not offers or luck.random() < 0.05:
        return "build nothing"
    cash, income, bill = _money(sheet, state)
    for offer in luck.sample(offers, min(TRIES, len(offers))):
        draft = sheet.draft(state, [offer.removeprefix("build ")])
        price = cash - draft.left
        if draft.completed and price <= max(4, cash + income - bill):
            return f"{offer}; more"
    return _anything(sheet, state, offers, luck) if luck.random() < 0.5 and cash + income > bill else "build nothing"


def _anything(sheet: Sheet, state: State, offers: tuple[str, ...], luck: random.Random) -> str:
    """A cheap placement that may become a link later."""
    return f"{luck.choice(offers[: max(1, len(offers) // 2)])}; more"


def _money(sheet: Sheet, state: State) -> tuple[int, int, int]:
    """Cash, income and bill of the seat to act, in dollars."""
    cells = next(row.cells for row in sheet.rows(state) if row.seat == sheet.to_act(state))
    return int(str(cells["cash"])), int(str(cells["income"])), int(str(cells["bill"]))
