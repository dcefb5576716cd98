"""A player that plays any sheet with some sense: it counts its money, looks for links that earn, and delivers.

Used by ``pbem demo`` and ``pbem play``, by caretakers, benchmarks and random play in tests: it asks a sheet only what
everybody may ask of it, so it plays every map and every game. It is not strong, and not meant to be.
"""

import random

from pbem.engine import Question, Sheet, State
from pbem.rails.scene import Scene
from pbem.robot.build_ideas import gains, links_of
from pbem.robot.building import build, choose_or_lay
from pbem.robot.trying import pays, purse
from pbem.robot.walks import tile_price

__all__ = ["ACTIONS", "DIFFERENT_TASTE", "choose", "shares_wanted"]

FIRST_CHOICES = 4
"""Among so many of a list it chooses by chance: the later ones are large bids and many shares."""
TILES = 3
"""Tiles it wants to have money for besides its bill, and two dollars more in the first turns."""
FIRST_TURNS = 4
SHARE = 4
"""Dollars a share brings more than it costs in its first turn."""
BID_MOST, TEMPTED = 2, 0.6
"""Dollars it bids at the most, and the chance that it does when it could."""
WHIM = 3.0
"""How much likelier than any other thoughtless decision it is that any legal tile is built."""
ENGINE_ENOUGH = 5
RICH = 7
"""Dollars to spare with which it raises the engine for deliveries to come."""
ACTIONS = ("locomotive", "urbanization", "engineer", "first-move", "first-build", "production", "turn-order")
"""Actions from the most liked on."""
DIFFERENT_TASTE = 2
"""Among so many of the most liked ones it chooses by chance."""


def choose(sheet: Sheet, state: State, luck: random.Random, sense: float = 0.95) -> str:
    """An order for the seat to act. ``sense``: the chance that a decision is not left to chance alone."""
    question = sheet.question(state)
    if question.form == "build":
        return build(sheet, state, question.seat, luck, WHIM * (1 - sense))
    if luck.random() > sense:
        return luck.choice(question.choices if question.form == "deliver" else question.choices[:FIRST_CHOICES]).order
    if question.form == "deliver":
        return _deliver(sheet, state, question)
    if question.builder:
        return choose_or_lay(sheet, state, question, luck)
    match question.choices[0].order.partition(" ")[0]:
        case "issue":
            return question.choices[min(shares_wanted(sheet, state, question.seat), len(question.choices) - 1)].order
        case "pay" | "decline":
            rich = purse(sheet, state, question.seat).spare > _track_money(sheet, state) + RICH
            return "pay" if rich and luck.random() < TEMPTED else "decline"
        case "drop" | "bid" | "pass":
            return _bid(sheet, state, question, luck)
        case "action":
            return _action(sheet, state, question, luck)
    return luck.choice(question.choices).order


def _track_money(sheet: Sheet, state: State) -> int:
    """Dollars for track that it wants to have besides what its bill takes; none in the last turn."""
    if sheet.turn(state) == sheet.turns(len(sheet.rows(state))):
        return 0
    scene: Scene = sheet.scene(state)
    return TILES * tile_price(scene) + (2 if sheet.turn(state) <= FIRST_TURNS else 1)


def shares_wanted(sheet: Sheet, state: State, seat: str) -> int:
    """As many shares as the bill of the turn and some track need."""
    missing = _track_money(sheet, state) - purse(sheet, state, seat).spare
    return max(0, -(-missing // SHARE))


def _bid(sheet: Sheet, state: State, question: Question, luck: random.Random) -> str:
    """A dollar or two for an early place now and then, when there is plenty, else none."""
    spare = purse(sheet, state, question.seat).spare - _track_money(sheet, state)
    bids = [choice.order for choice in question.choices if choice.order.startswith("bid ")]
    if bids and int(bids[0].split()[1]) <= min(BID_MOST, spare + 1) and luck.random() < TEMPTED:
        return bids[0]
    orders = {choice.order for choice in question.choices}
    return next((order for order in ("pass", "drop") if order in orders), question.choices[0].order)


def _action(sheet: Sheet, state: State, question: Question, luck: random.Random) -> str:
    """An action it likes; a New City where there is no City at all, no engine it cannot pay for."""
    free = {choice.order for choice in question.choices}
    liked = [order for action in ACTIONS if (order := f"action {action}") in free]
    if not sheet.scene(state).cities and "action urbanization" in liked:
        return "action urbanization"
    if "action locomotive" in liked and not _wants_engine(sheet, state, question.seat, 2):
        liked.remove("action locomotive")
    return luck.choice(liked[:DIFFERENT_TASTE] or [choice.order for choice in question.choices])


def _wants_engine(sheet: Sheet, state: State, seat: str, spare: int) -> bool:
    """Whether a larger engine can be paid for, and brings something now or costs little."""
    money = purse(sheet, state, seat)
    if money.engine >= ENGINE_ENOUGH or money.spare < spare:
        return False
    scene: Scene = sheet.scene(state)
    if money.spare >= RICH:
        return True
    links = links_of(scene, seat)
    return gains(links, seat, money.engine + 1)[:1] > gains(links, seat, money.engine)[:1]


def _deliver(sheet: Sheet, state: State, question: Question) -> str:
    """The delivery that pays best and helps others least; the engine while it can be paid for."""
    best = max(question.choices, key=lambda choice: pays(choice, question.seat))
    if best.gains.get(question.seat, 0) > 0:
        return best.order
    orders = {choice.order for choice in question.choices}
    if "loco" in orders and _wants_engine(sheet, state, question.seat, 1):
        return "loco"
    return "pass" if "pass" in orders else best.order
