"""Moves, events, chance, phases and the flow between them: pure, and no game in it."""

from pbem.engine.moves import BadMove, Move, Refusal, Refused, Seat, refuse
from pbem.engine.phase import Step
from pbem.engine.sheet import Choice, Question, Sheet, State
from pbem.engine.text import Place, Say, Typed, Who, Word, count_say, say, say_from_json, say_to_json, to_reader
from pbem.engine.values import Value, field, replace

__all__ = [
    "BadMove", "Choice", "Move", "Place", "Question", "Refusal", "Refused", "Say", "Seat", "Sheet", "State", "Step",
    "Typed", "Value", "Who", "Word", "count_say", "field", "refuse", "replace", "say", "say_from_json", "say_to_json",
    "to_reader",
]  # fmt: skip
