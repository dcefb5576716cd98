"""How a robot of the demo answers, and gives standing orders: a plan for the turn, and deliveries to follow a build."""

import random

from pbem import robot
from pbem.engine import Sheet, State
from pbem.engine.standing_orders import phase_of
from pbem.robot import ACTIONS, DIFFERENT_TASTE, shares_wanted
from pbem.robot.trying import after, next_deliveries, pays, purse

MORE = "; more"
"""The end of a build that is to be asked about again."""
ALTERNATIVES = 6
"""Deliveries among which the first possible one is to be played."""
RICH = 10
"""Dollars to spare from which on a robot bids for an early place."""


def plan(sheet: Sheet, state: State, seat: str, luck: random.Random) -> str:
    """The answer to a planning letter, one line for each part that it asks for."""
    found = sheet.turn_plan(state, seat)
    assert found is not None, "a planning letter asks for something"
    lines = []
    for part in found.parts:
        match part.form, part.word:
            case "pick", "issue":
                most = len(part.choices) - 1
                lines.append(f"issue {min(shares_wanted(sheet, state, seat), most)}")
            case "pick", _:
                lines.append(part.choices[-1].value)
            case "limit", _:
                rich = purse(sheet, state, seat).spare > RICH and luck.random() < 0.6
                lines.append(f"{part.word} {luck.randint(1, 2) if rich else 0}")
            case "rank", _:
                lines.append(f"{part.word} {' > '.join(_liked([choice.value for choice in part.choices], luck))}")
    if sheet.turn(state) == 1:
        lines += [choice.value for choice in found.always]
    return "\n".join(lines)


def choose(sheet: Sheet, state: State, seat: str, luck: random.Random) -> str:
    """An answer to the question, a build with all its parts: each part sent by itself would be asked about anew."""
    order = robot.choose(sheet, state, luck, sense=1.0)
    while order.endswith(MORE):
        played = after(sheet, state, seat, order)
        if played is None or sheet.to_act(played) != seat:
            return order
        whole = _joined(order, robot.choose(sheet, played, luck, sense=1.0))
        if after(sheet, state, seat, whole) is None:
            return order
        order = whole
    return order


def _joined(part: str, following: str) -> str:
    steps = following.removeprefix("build ")
    goes_on = following.startswith("build ") and steps != "nothing"
    return f"{part.removesuffix(MORE)}; {steps}" if goes_on else part.removesuffix(MORE)


def _liked(actions: list[str], luck: random.Random) -> list[str]:
    """All actions, the best ones in an order of the robot's own taste."""
    known = [action for action in ACTIONS if action in actions]
    best, rest = known[:DIFFERENT_TASTE], known[DIFFERENT_TASTE:]
    luck.shuffle(best)
    return [*best, *rest, *(action for action in actions if action not in known)]


def then(sheet: Sheet, state: State, seat: str, order: str) -> list[str]:
    """Lines that may follow an answer: for every round of moving goods to come the deliveries that look best now."""
    played = after(sheet, state, seat, order)
    if played is None or "more" in order.split("; "):
        return []
    rounds = [moment for moment in sheet.moments(state, seat)[1:] if phase_of(moment) == "move_goods"]
    paying = [choice for choice in next_deliveries(sheet, played, seat) if choice.gains.get(seat, 0) > 0]
    best = [choice.order for choice in sorted(paying, key=lambda choice: -pays(choice, seat))][:ALTERNATIVES]
    return [" | ".join(best)] * len(rounds) if best else []
