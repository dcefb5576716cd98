"""The robots people can play against: each has a name, a taste, and a reason for every order.

Whoever lets one decide calls :func:`decide` and needs to know nothing of how it thinks.
"""

from __future__ import annotations

import random
from collections.abc import Mapping
from dataclasses import dataclass

from pbem.engine.sheet import Question, Sheet, State
from pbem.engine.text import Say, say
from pbem.robot import choose


@dataclass(frozen=True, slots=True)
class Character:
    """``name``: what its seat is called; ``taste``: one sentence for people who choose an opponent.

    ``sense`` and ``looks`` as in :func:`pbem.robot.choose`.
    """

    key: str
    name: str
    taste: Say
    sense: float
    looks: int


@dataclass(frozen=True, slots=True)
class Decision:
    """Orders for the question that is open, and in one sentence why."""

    orders: str
    why: Say


CHARACTERS: Mapping[str, Character] = {
    one.key: one
    for one in (
        Character("ada", "Robot Ada", say("Plans every track twice and wastes nothing."), 1.0, 4),
        Character("bolt", "Robot Bolt", say("Builds what looks good at once."), 0.97, 0),
        Character("cole", "Robot Cole", say("Plays by feeling; good for a first game."), 0.8, 0),
    )
}
"""By their keys, the strongest first."""
QUICK = "bolt"
"""The one that thinks least: for a caretaker, while somebody waits."""

_REASONS: Mapping[str, Say] = {
    "issue": say("The money covers the bills of this turn and the track it wants to build."),
    "bid": say("An earlier place is worth a dollar or two, and there is money to spare."),
    "pass": say("Nothing on offer is worth its price to it now."),
    "drop": say("The place in the turn order is not worth another dollar."),
    "action": say("Of the actions left, this is one it likes best."),
    "build": say("This track opens the best deliveries it could find for the money."),
    "move": say("No other delivery gives it more and others less."),
    "loco": say("It can pay for a larger engine, and longer deliveries come within reach."),
    "pay": say("There is money to spare for it."),
    "decline": say("It wants to keep its money for track."),
}
_ELSE = say("Of what is possible, it judged this best.")


def decide(sheet: Sheet, state: State, seat: str, character: str, seed: bytes) -> Decision:
    """What this robot orders for the seat that is asked; the same for the same seed.

    An unknown character plays like the quick one: a robot of a later version may sit in the games of an older one.
    """
    who = CHARACTERS.get(character, CHARACTERS[QUICK])
    question = sheet.question(state)
    if question.seat != seat:
        raise ValueError(f"{question.seat} is asked, not {seat}")
    orders = choose(sheet, state, random.Random(seed), who.sense, who.looks)
    return Decision(orders, _why(question, orders))


def _why(question: Question, orders: str) -> Say:
    """The choice in the words of its button, where it has some, and the reason."""
    reason = _REASONS.get(orders.partition(" ")[0], _ELSE)
    chosen = next((choice for choice in question.choices if choice.order == orders), None)
    if chosen is None or question.form != "choices":
        return reason
    return say("{choice}: {reason}", choice=chosen.title, reason=reason)
