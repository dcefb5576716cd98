"""A robot that thinks."""

from __future__ import annotations

import random
from dataclasses import dataclass

from pbem import robot
from pbem.engine.sheet import Sheet, State
from pbem.engine.text import say
from pbem.robot.thinking.deciding import Decision, act, bid, issue, lay, move
from pbem.robot.thinking.outlook import Scoring
from pbem.robot.thinking.table import read_table
from pbem.robot.thinking.thought import Thought
from pbem.robot.thinking.weights import TUNED, Weights

QUICK = 400


def decide(sheet: Sheet, state: State, seed: str, weights: Weights = TUNED, budget: int = QUICK) -> Decision:
    question = sheet.question(state)
    luck = random.Random(f"{seed}|{sheet.place(state)}|{question.seat}")
    thinker = {"issue": issue, "drop": bid, "bid": bid, "pass": bid, "action": act}.get(
        question.choices[0].order.partition(" ")[0] if question.choices else ""
    )
    if question.form == "build":
        thinker = lay
    if question.form == "deliver":
        thinker = move
    if thinker is None or question.builder:
        return Decision(robot.choose(sheet, state, luck, sense=1.0), say("Plays."))
    thought = Thought(read_table(sheet, state, question.seat), weights, Scoring())
    return thinker(thought, question, budget)
