"""Poland (3 to 6 players).

1. Warsaw, Wrocław and Gdańsk begin with three cubes, every other City with two.
2. A simple tile costs $6 on dark mountains, at the southern edge, and $4 on swamp, in the north-east. Coexisting
   tiles cost $1 more, crossing tiles $2 more, as always.
3. Whoever lays the first tile on a town gains 1 income at once, whatever its exits; each town pays once, and
   several towns may pay in one build. Track that only points at a town brings nothing, nor do further exits or
   a New City. A town that becomes a New City before it had a tile never pays.
4. Production: its holder draws one cube from the bag at the beginning of goods growth and puts it on any town
   that is not a New City, with or without track. Drawing may be declined beforehand; a drawn cube must be
   placed. Several cubes may lie on one town. (Option: the cube goes on a City instead.)
5. A cube on a town is delivered from there like one on a City. A New City on the town keeps it.
6. After Production and before the dice, one black cube is taken out of the bag and put on Warsaw, as long as
   the bag has one.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from typing_extensions import override

from pbem.age_of_steam import bends
from pbem.age_of_steam.bends import AT_CITY, AT_TOWN, ProduceAt
from pbem.age_of_steam.events_build import TownConnected
from pbem.age_of_steam.game import AgeOfSteam
from pbem.age_of_steam.moves import ProduceForm
from pbem.age_of_steam.notation import OrderWord
from pbem.age_of_steam.notation_goods import FORM, LINE, produce
from pbem.age_of_steam.phases import GoodsGrowth
from pbem.age_of_steam.phases.base import AgeOfSteamPhase
from pbem.age_of_steam.phases.goods_growth import Growing
from pbem.age_of_steam.proposals import Placement
from pbem.age_of_steam.rules import TERRAIN_PRICES, Rules
from pbem.age_of_steam.state import State, take_cubes
from pbem.engine.chance import Chance
from pbem.engine.moves import Move, Refusal, Seat, refuse
from pbem.engine.phase import Forced, Step
from pbem.engine.sheet import Choice, Option, Question
from pbem.engine.text import Place, Say, Word, say
from pbem.engine.values import replace
from pbem.rails.board import Label
from pbem.rails.tiles import tile_class

WARSAW = "K10"
TARGET = Option(
    "poland_production",
    "Production",
    {"town": "The cube goes on any town without a New City", "city": "The cube goes on any City"},
    "R119",
)


def targets(rules: Rules, state: State, seat: Seat) -> tuple[Label, ...]:
    """4. The towns (by option the Cities) that may take the cube of Production (R119)."""
    if state.options.get(TARGET.key) == "city":
        return bends.cities(rules, state)
    return rules.urbanizable(state, seat)


class PolishGrowth(GoodsGrowth):
    """4. Production puts one cube on a town."""

    moves = (ProduceAt, ProduceForm)
    words: ClassVar[Mapping[str, OrderWord]] = produce(FORM, AT_CITY, LINE, AT_TOWN)

    @override
    def most_drawn(self, rules: Rules, state: State) -> int:
        """4. One cube, whether or not a box of the display is empty."""
        return 1

    @override
    def forced(self, rules: Rules, state: State, seat: Seat) -> Forced | None:
        """Never: eight New Cities leave three of the eleven towns."""
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


class Poland(AgeOfSteam):
    """Towns that pay and that can hold cubes; a black cube for Warsaw in every turn."""

    phases: ClassVar[tuple[AgeOfSteamPhase, ...]] = bends.phases_with(PolishGrowth())
    map_options: ClassVar[tuple[Option, ...]] = (TARGET,)
    notes: ClassVar[tuple[Say, ...]] = (
        say("The first tile on a town: 1 income for its builder at once."),
        say("Every turn before the dice: one black cube for Warsaw."),
    )
    terrain_prices: ClassVar[Mapping[str, int]] = {**TERRAIN_PRICES, "dark_mountain": 6, "swamp": 4}
    """2."""

    @override
    def action_effect(self, state: State, seat: Seat, action: str) -> Say | None:
        """4."""
        if action == "production" and state.options.get(TARGET.key) == "city":
            return say("You draw one cube from the bag and put it on any City.")
        if action == "production":
            return say("You draw one cube from the bag and put it on any town.")
        return super().action_effect(state, seat, action)

    @override
    def facts(self, state: State) -> tuple[Say, ...]:
        """4. Where the cube of Production goes in this game."""
        if state.options.get(TARGET.key) == "city":
            return (say("Production: one cube from the bag onto any City."),)
        return (say("Production: one cube onto a town; it is delivered from there."),)

    @override
    def on_placement(self, state: State, seat: Seat, placement: Placement) -> Step[State]:
        """3. Income for the first tile on a town (R118)."""
        if tile_class(placement.tile) != "town" or placement.old:
            return Step(state)
        income = state.players[seat].income + 1
        return Step(state.with_player(seat, income=income), (TownConnected(seat, placement.hex, income),))

    @override
    def sources(self, state: State) -> tuple[Label, ...]:
        """5."""
        return bends.with_towns(self, state)

    @override
    def on_growth(self, state: State, chance: Chance) -> Step[State]:
        """6. Warsaw's black cube, looked for and not drawn (R120)."""
        if not state.bag.get("black"):
            return Step(state)
        cube = ("black",)
        return bends.put_cubes(replace(state, bag=take_cubes(state.bag, cube)), WARSAW, cube)


SHEETS = (Poland,)
