"""What is numbered in a game, in words: the turns of Age of Steam, the rounds of Steam Power."""

from pbem.engine.text import Say, count_say, say
from pbem.engine.values import Value


class Unit(Value):
    """``name``: "Turn"; ``names``: "Turns"; ``each``: "after every turn"; ``steps``: "from turn to turn"; ``endless``:
    "no fixed number of turns". The others are sentences whose numbers are not filled in."""

    name: Say
    names: Say
    each: Say
    steps: Say
    endless: Say
    one: Say
    one_of: Say
    some: Say
    range: Say

    def nth(self, turn: int, turns: int | None = None) -> Say:
        """ "turn 5"; "turn 5 of 7" where their number is known."""
        return Say(self.one_of.one, {"turn": turn, "turns": turns}) if turns else Say(self.one.one, {"turn": turn})

    def length(self, n: int) -> Say:
        return Say(self.some.one, {"n": n}, self.some.many, n)

    def between(self, least: int, most: int) -> Say:
        return Say(self.range.one, {"n": least, "m": most})


TURNS = Unit(
    # TRANSLATORS: Before the number of a turn, or the numbers of all.
    name=say("Turn"),
    names=say("Turns"),
    # TRANSLATORS: “Points, after every turn”: the head of a table. “A page with the board after every turn.”
    each=say("after every turn"),
    # TRANSLATORS: “Arrow keys go from order to order, with Shift from turn to turn.”
    steps=say("from turn to turn"),
    endless=say("no fixed number of turns"),
    one=say("turn {turn}"),
    one_of=say("turn {turn} of {turns}"),
    some=count_say("{n} turn", "{n} turns", 0),
    range=say("{n} to {m} turns"),
)
ROUNDS = Unit(
    # TRANSLATORS: Before the number of a round, or the numbers of all.
    name=say("Round"),
    names=say("Rounds"),
    # TRANSLATORS: “Points, after every round”: the head of a table. “A page with the board after every round.”
    each=say("after every round"),
    # TRANSLATORS: “Arrow keys go from order to order, with Shift from round to round.”
    steps=say("from round to round"),
    endless=say("no fixed number of rounds"),
    one=say("round {turn}"),
    one_of=say("round {turn} of {turns}"),
    some=count_say("{n} round", "{n} rounds", 0),
    range=say("{n} to {m} rounds"),
)
