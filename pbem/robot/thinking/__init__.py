"""Robots worth playing: every decision by what the rest of the game promises after it (``docs/robots.md``).

:func:`decide` is the door: a sheet, a state and a character in, an order with its reason out. It is

- *fair*: before it thinks, the state is reduced to what the seat may see, hidden things dealt anew (:func:`seen`);
- *deterministic*: luck comes from the robot's own seed and the place in the game, never from the game's dice;
- *bounded*: it counts what it looks at (``Decision.work``), and looks at no more than its character's budget says;
- *silent*: a decision says what must be over before others may read why (``Decision.until``);
- *legal*: what it wants to build is shown to the sheet's own judge, and every other order is one of the question's.

Where a question is of no kind known here (another game, a map's own order), :func:`pbem.robot.choose` answers it.
"""

import random
from collections.abc import Callable, Mapping

from pbem import robot
from pbem.engine import Question, Sheet, State, say
from pbem.robot.reasons import Until
from pbem.robot.thinking.actions import take
from pbem.robot.thinking.building import build
from pbem.robot.thinking.characters import CARETAKER, CHARACTERS, Character
from pbem.robot.thinking.decision import Decision, Option, with_second
from pbem.robot.thinking.growing import grow
from pbem.robot.thinking.money import bid, by_build, decides_by_build, hurried, issue, pay
from pbem.robot.thinking.moving import move
from pbem.robot.thinking.outlook import scoring_of
from pbem.robot.thinking.steam import steam
from pbem.robot.thinking.table import read_table
from pbem.robot.thinking.thought import Thought

__all__ = ["BOUNDED", "CARETAKER", "CHARACTERS", "Character", "Decision", "Option", "decide", "seen"]

Thinker = Callable[[Thought, Question], Decision]
FORMS: Mapping[str, Thinker] = {"build": build, "deliver": move, "boxes": grow}
WORDS: Mapping[str, Thinker] = {
    "issue": issue,
    "drop": bid,
    "bid": bid,
    "pay": pay,
    "decline": pay,
    "action": take,
    "produce": grow,
}
"""What answers a question, by its form, or by the first word of its first choice."""
BOUNDED = ("age-of-steam",)
"""Games in which the budget of a character says how much is looked at for a decision, whatever it is about."""
STEAM = ("actions", "bonus")
"""Phases of Steam Power that are thought about."""


def decide(
    sheet: Sheet, state: State, character: Character, seed: str, options: Mapping[str, str] | None = None
) -> Decision:
    """What a robot orders for the seat to act, and why.

    ``seed``: the robot's own, not the game's. ``options``: those with which the game was opened.
    """
    state = seen(sheet, state, options or {})
    decision = _decide(sheet, state, character, seed, options or {})
    later = Until.GAME if sheet.secret_draws else Until.TURN
    return with_second(decision, sheet.question(state), scoring_of(sheet).ruin, later)


def _decide(sheet: Sheet, state: State, character: Character, seed: str, options: Mapping[str, str]) -> Decision:
    question = sheet.question(state)
    luck = random.Random(f"{seed}|{sheet.place(state)}|{question.seat}")
    if sheet.game == "steam-power" and question.phase in STEAM:
        return steam(sheet, state, question, character.budget, character.steam_slip, luck)
    thinker = _thinker(sheet, question)
    if thinker is None:
        order = robot.choose(sheet, state, luck, sense=1.0)
        return Decision(order, say("Plays on without a plan of its own."), Until.NOTHING, work=1)
    thought = Thought(read_table(sheet, state, question.seat), character, scoring_of(sheet), luck)
    decision = thinker(thought, question)
    if thinker is not issue or not decides_by_build(thought):
        return decision
    quick = hurried(character)
    return by_build(thought, decision, lambda then: decide(sheet, then, quick, seed, options))


def seen(sheet: Sheet, state: State, options: Mapping[str, str]) -> State:
    """The state as the seat to act may know it: where the game hides something, that is dealt anew."""
    seat = sheet.to_act(state)
    if seat is None:
        raise ValueError("nobody is asked anything: the game is over")
    known = sheet.imagined(sheet.position(state, seat), seat, options)
    return state if known is None else known


def _thinker(sheet: Sheet, question: Question) -> Thinker | None:
    if question.builder or sheet.game != "age-of-steam":
        return None
    if question.form in FORMS:
        return FORMS[question.form]
    return WORDS.get(question.choices[0].order.partition(" ")[0]) if question.choices else None
