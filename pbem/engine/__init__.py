"""Moves, events, chance, phases and the flow between them: pure, and no game in it."""

from pbem.engine.moves import BadMove, Move, Refusal, Refused
from pbem.engine.phase import Step
from pbem.engine.sheet import Choice, Question, Sheet, State
from pbem.engine.text import Say, Typed, Who, Word, count_say, say, say_from_json, say_to_json, to_reader
from pbem.engine.values import Value, replace

__all__ = [
    "BadMove", "Choice", "Move", "Question", "Refusal", "Refused", "Say", "Sheet", "State", "Step", "Typed",
    "Value", "Who", "Word", "count_say", "replace", "say", "say_from_json", "say_to_json", "to_reader",
]  # fmt: skip
