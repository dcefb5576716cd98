"""Production onto a town: its holder draws one cube and puts it on a town, by option on a City (R119)."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from typing_extensions import override

from pbem.age_of_steam import bends
from pbem.age_of_steam.bends import AT_CITY, AT_TOWN, ProduceAt
from pbem.age_of_steam.moves import ProduceForm
from pbem.age_of_steam.notation import OrderWord
from pbem.age_of_steam.notation_goods import FORM, LINE, produce
from pbem.age_of_steam.phases import GoodsGrowth
from pbem.age_of_steam.phases.goods_growth import Growing
from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State
from pbem.engine import Choice, Move, Place, Question, Refusal, Say, Seat, Step, Word, refuse, replace, say
from pbem.engine.phase import Forced
from pbem.engine.sheet import Option
from pbem.rails.board import Label

TARGET = Option(
    "poland_production",
    "Production",
    {"town": "The cube goes on any town without a New City", "city": "The cube goes on any City"},
    "R119",
)


def targets(rules: Rules, state: State, seat: Seat) -> tuple[Label, ...]:
    """The towns (by option the Cities) that may take the cube of Production (R119)."""
    if state.options.get(TARGET.key) == "city":
        return bends.cities(rules, state)
    return rules.urbanizable(state, seat)


class TownGrowth(GoodsGrowth):
    """Production puts one cube on a town."""

    moves = (ProduceAt, ProduceForm)
    words: ClassVar[Mapping[str, OrderWord]] = produce(FORM, AT_CITY, LINE, AT_TOWN)

    @override
    def most_drawn(self, rules: Rules, state: State) -> int:
        """One cube, whether or not a box of the display is empty, as long as it can lie anywhere."""
        return 1 if targets(rules, state, state.holder("production") or "") else 0

    @override
    def forced(self, rules: Rules, state: State, seat: Seat) -> Forced | None:
        """Never: where the cube goes is asked even if there is one town left."""
        return None

    @override
    def refuse_placing(self, rules: Rules, state: State, seat: Seat, move: Move) -> Refusal | None:
        if not isinstance(move, ProduceAt):
            (cube,) = state.scratch_as(Growing).drawn
            return refuse("R119", "The {cube} cube is drawn and must be placed.", cube=Word(cube))
        if move.node in targets(rules, state, seat):
            return None
        if state.options.get(TARGET.key) == "city":
            return refuse("R119", "{node} is not a City.", node=Place(move.node))
        return refuse("R119", "{node} is not a town without a New City.", node=Place(move.node))

    @override
    def place(self, rules: Rules, state: State, seat: Seat, move: Move) -> Step[State]:
        if not isinstance(move, ProduceAt):
            raise TypeError(move)
        drawn = state.scratch_as(Growing).drawn
        return bends.place_cubes(replace(state, scratch=Growing()), seat, move.node, drawn)

    @override
    def placings(self, rules: Rules, state: State, seat: Seat) -> Sequence[Move]:
        city = state.options.get(TARGET.key) == "city"
        return [ProduceAt(node, city) for node in targets(rules, state, seat)]

    @override
    def default_placing(self, rules: Rules, state: State, seat: Seat) -> Move:
        return self.placings(rules, state, seat)[0]

    @override
    def ask_placing(self, rules: Rules, state: State, seat: Seat) -> Question:
        (cube,) = state.scratch_as(Growing).drawn
        nodes = targets(rules, state, seat)
        choices = tuple(
            Choice(str(move), say("{place}", place=Place(node)), _lying(state, node))
            for move, node in zip(self.placings(rules, state, seat), nodes, strict=True)
        )
        return Question(
            seat,
            self.name,
            say("Place the drawn cube"),
            (say("Drawn: {cube}.", cube=Word(cube)), say("It may be delivered from there later.")),
            say("it goes on {place}", place=Place(nodes[0])),
            "choices",
            choices,
            example=choices[0].order,
        )


def _lying(state: State, node: Label) -> Say:
    cubes = state.cubes.get(node, ())
    if not cubes:
        return say("No cube lies there.")
    return say("Cubes there: {cubes}.", cubes=tuple(map(Word, cubes)))


def effect(state: State) -> Say:
    """What the action Production brings."""
    if state.options.get(TARGET.key) == "city":
        return say("You draw one cube from the bag and put it on any City.")
    return say("You draw one cube from the bag and put it on any town.")


def fact(state: State) -> Say:
    """Where the cube of Production goes in this game."""
    if state.options.get(TARGET.key) == "city":
        return say("Production: one cube from the bag onto any City.")
    return say("Production: one cube onto a town; it is delivered from there.")
