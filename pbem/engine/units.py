"""What is numbered in a game, in words: the turns of Age of Steam, the rounds of Steam Power."""

from abc import ABC, abstractmethod

from typing_extensions import override

from pbem.engine.text import Say, count_say, say


class Unit(ABC):
    """``name``: "Turn"; ``names``: "Turns"; ``each``: "after every turn"; ``steps``: "from turn to turn"; ``endless``:
    "no fixed number of turns"."""

    name: Say
    names: Say
    each: Say
    steps: Say
    endless: Say

    @abstractmethod
    def nth(self, turn: int, turns: int | None = None) -> Say:
        """ "turn 5"; "turn 5 of 7" where their number is known."""

    @abstractmethod
    def length(self, n: int) -> Say:
        """ "7 turns"."""

    @abstractmethod
    def between(self, least: int, most: int) -> Say:
        """ "6 to 10 turns"."""


class _Turns(Unit):
    # TRANSLATORS: Before the number of a turn, or the numbers of all.
    name = say("Turn")
    names = say("Turns")
    # TRANSLATORS: “Points, after every turn”: the head of a table. “A page with the board after every turn.”
    each = say("after every turn")
    # TRANSLATORS: “Arrow keys go from order to order, with Shift from turn to turn.”
    steps = say("from turn to turn")
    endless = say("no fixed number of turns")

    @override
    def nth(self, turn: int, turns: int | None = None) -> Say:
        return say("turn {turn} of {turns}", turn=turn, turns=turns) if turns else say("turn {turn}", turn=turn)

    @override
    def length(self, n: int) -> Say:
        return count_say("{n} turn", "{n} turns", n)

    @override
    def between(self, least: int, most: int) -> Say:
        return say("{n} to {m} turns", n=least, m=most)


class _Rounds(Unit):
    # TRANSLATORS: Before the number of a round, or the numbers of all.
    name = say("Round")
    names = say("Rounds")
    # TRANSLATORS: “Points, after every round”: the head of a table. “A page with the board after every round.”
    each = say("after every round")
    # TRANSLATORS: “Arrow keys go from order to order, with Shift from round to round.”
    steps = say("from round to round")
    endless = say("no fixed number of rounds")

    @override
    def nth(self, turn: int, turns: int | None = None) -> Say:
        return say("round {turn} of {turns}", turn=turn, turns=turns) if turns else say("round {turn}", turn=turn)

    @override
    def length(self, n: int) -> Say:
        return count_say("{n} round", "{n} rounds", n)

    @override
    def between(self, least: int, most: int) -> Say:
        return say("{n} to {m} rounds", n=least, m=most)


TURNS: Unit = _Turns()
ROUNDS: Unit = _Rounds()
