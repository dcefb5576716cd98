"""France (3 and 4 players).

1. Every City, Paris too, begins with two cubes and every town with one. Players begin with $20 and two shares.
   (Option, as reported of the published map: Paris begins with eight cubes, other Cities with two, towns with
   none; players begin with $10.)
2. A cube on a town is delivered from there like one on a City. A New City on the town sends it back into the
   bag.
3. Engineer: only its holder may lay, replace or redirect track on difficult (brown) and very difficult (black)
   hexes. It is still three tiles. Track that lies there is used by everybody, and track may point at such a hex.
4. A simple tile costs $2 on a difficult hex and $4 on a very difficult one; coexisting tiles cost $1 more, crossing
   tiles $2 more.
5. Urbanization: in the first turn two players may take it. Its holder may lay or replace only two tiles in the
   build, besides the New City and also without it.
6. Paris takes blue, red, yellow and purple cubes; they must stop there. Black cubes may pass through.
7. Production: before anything is drawn its holder chooses: two cubes from the bag onto empty boxes of the goods
   display as always, or two cubes straight onto one City, named beforehand, or none at all. Paris and New Cities
   may be named, towns may not.
8. Paris is Cities 1 to 6 of the dark half: every die of the dark half moves a cube from the column of its number
   to Paris. New Cities receive theirs as always.
9. A player who cannot pay all expenses loses income for every missing dollar, but never falls below 0; what is
   missing then is forgiven. Nobody goes bankrupt.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from typing_extensions import override

from pbem.age_of_steam import bends
from pbem.age_of_steam.bends import AT_CITY, AT_TOWN, ProduceAt
from pbem.age_of_steam.events_goods import CubesDrawn
from pbem.age_of_steam.game import AgeOfSteam
from pbem.age_of_steam.moves import Produce, ProduceForm, Put, Urbanize
from pbem.age_of_steam.notation import OrderWord
from pbem.age_of_steam.notation_goods import FORM, LINE, PUTS, produce
from pbem.age_of_steam.phases import GoodsGrowth
from pbem.age_of_steam.phases.base import AgeOfSteamPhase
from pbem.age_of_steam.phases.goods_growth import DECLINE, DISPLAY, Growing, assign, empty_boxes
from pbem.age_of_steam.rules import TERRAIN_PRICES, Rules
from pbem.age_of_steam.state import State, take_cubes
from pbem.engine import Choice, Move, Place, Question, Refusal, Say, Seat, Step, count_say, refuse, replace, say
from pbem.engine.chance import Chance
from pbem.engine.sheet import Option
from pbem.rails.board import Label

PARIS = "G7"
DIFFICULT = frozenset({"difficult", "very_difficult"})
SETUP = Option(
    "france_setup",
    "Set-up",
    {
        "printed": "As printed: Paris 2 cubes, every town 1, $20 each",
        "reported": "As reported: Paris 8 cubes, towns none, $10 each",
    },
    "R111",
)
REPORTED_CASH, REPORTED_IN_PARIS = 10, 8
URBANIZERS = 2
"""Players who may take Urbanization in the first turn."""


class FrenchGrowth(GoodsGrowth):
    """7. The holder of Production chooses its form before anything is drawn (R114, R114a)."""

    moves = (ProduceForm, ProduceAt, Produce)
    words: ClassVar[Mapping[str, OrderWord]] = produce(FORM, AT_CITY, LINE, AT_TOWN, PUTS)
    form_first = True

    @override
    def draw(self, rules: Rules, state: State, chance: Chance) -> Step[State]:
        """Nothing yet: the form is asked first; with an empty bag there is nothing to ask."""
        seat = state.holder("production")
        if seat is None or not state.bag:
            return self.draw_cubes(rules, state, chance)
        return Step(replace(state, scratch=Growing(seat)))

    @override
    def refuse_placing(self, rules: Rules, state: State, seat: Seat, move: Move) -> Refusal | None:
        if isinstance(move, Produce):
            return super().refuse_placing(rules, state, seat, move)
        return refuse("R114a", "The form of Production is chosen: the drawn cubes go on the goods display.")

    @override
    def refuse_form(self, rules: Rules, state: State, seat: Seat, move: Move) -> Refusal | None:
        match move:
            case ProduceForm("display") if not empty_boxes(state):
                return refuse("R114a", "No box of the goods display is empty.")
            case ProduceAt(node) if node not in bends.cities(rules, state):
                return refuse("R114", "{node} is not a City.", node=Place(node))
            case Produce(puts):
                found = assign(state, self._unseen(rules, state), puts)
                return found if isinstance(found, Refusal) else None
        return None

    def _unseen(self, rules: Rules, state: State) -> tuple[str, ...]:
        """The cubes that the usual form would draw, their colours unknown: a rule of boxes names any (P7)."""
        return ("any",) * min(self.most_drawn(rules, state), sum(state.bag.values()))

    @override
    def apply_form(self, rules: Rules, state: State, seat: Seat, move: Move, chance: Chance) -> Step[State]:
        match move:
            case ProduceAt(node):
                cubes = chance.draw("production", state.bag, rules.production_cubes(state))
                state = replace(state, bag=take_cubes(state.bag, cubes), scratch=Growing())
                return bends.place_cubes(state, seat, node, cubes).after((CubesDrawn(seat, cubes),))
            case Produce():
                drawn = self.draw_cubes(rules, state, chance)
                return self.place(rules, drawn.state, seat, move).after(drawn.events)
        return super().apply_form(rules, state, seat, move, chance)

    @override
    def forms(self, rules: Rules, state: State, seat: Seat) -> Sequence[Move]:
        """The display while it has room, the Cities, or nothing."""
        display = [DISPLAY] if empty_boxes(state) else []
        return [*display, *(ProduceAt(city, city=True) for city in bends.cities(rules, state)), DECLINE]

    @override
    def default_form(self, rules: Rules, state: State, seat: Seat) -> Move:
        top = sorted(empty_boxes(state), key=lambda box: box[1])
        unseen = self._unseen(rules, state)
        return Produce(tuple(Put(cube, *box) for cube, box in zip(unseen, top, strict=False))) if unseen else DECLINE

    @override
    def ask_form(self, rules: Rules, state: State, seat: Seat) -> Question:
        forms = self.forms(rules, state, seat)
        empty = len(empty_boxes(state))
        lead = say(
            "Two cubes from the bag: onto the goods display or straight onto one City. Choose before they are drawn."
        )
        boxes = count_say("{n} box of the display is empty.", "{n} boxes of the display are empty.", empty)
        otherwise = say("they go on the topmost empty boxes") if empty else say("nothing is drawn")
        return Question(
            seat,
            self.name,
            say("Choose the form of Production"),
            (lead, boxes),
            otherwise,
            "choices",
            tuple(Choice(str(move), _form(move)) for move in forms),
            example=str(forms[0]),
        )


def _form(move: Move) -> Say:
    match move:
        case ProduceAt(city):
            return say("Two cubes for {city}", city=Place(city))
        case ProduceForm("display"):
            return say("Two cubes for the display")
    return say("No cubes")


class France(AgeOfSteam):
    """Paris, difficult land that needs the Engineer, and cubes where Production wants them."""

    players: ClassVar[range] = range(3, 5)
    phases: ClassVar[tuple[AgeOfSteamPhase, ...]] = bends.phases_with(FrenchGrowth())
    map_options: ClassVar[tuple[Option, ...]] = (SETUP,)
    notes: ClassVar[tuple[Say, ...]] = (
        say("Brown and black hexes: only the Engineer builds there."),
        say("Urbanization: two tiles; in turn 1 two players may take it."),
        say("Paris is City 1 to 6 of the dark half."),
        say("Production: two cubes onto the display or onto one City."),
    )
    start_cash: ClassVar[int] = 20
    """1. As printed."""
    engineer_tiles: ClassVar[int] = 3
    """3. (R113)"""
    urbanization_tiles: ClassVar[int] = 2
    """5."""
    terrain_prices: ClassVar[Mapping[str, int]] = {**TERRAIN_PRICES, "difficult": 2, "very_difficult": 4}
    """4."""

    @override
    def on_setup(self, state: State, chance: Chance) -> State:
        """1. Cubes on towns, or the reported set-up (R111)."""
        if state.options.get(SETUP.key) != "reported":
            return bends.deal_cubes(state, tuple(self.board.towns), chance, "towns")
        more = chance.draw("paris", state.bag, REPORTED_IN_PARIS - len(state.cubes[PARIS]))
        cubes = {**state.cubes, PARIS: state.cubes[PARIS] + more}
        players = {seat: replace(player, cash=REPORTED_CASH) for seat, player in state.players.items()}
        return replace(state, players=players, cubes=cubes, bag=take_cubes(state.bag, more))

    @override
    def actions_free(self, state: State, seat: Seat) -> tuple[str, ...]:
        """5. Two seats for Urbanization in the first turn (R115)."""
        free = super().actions_free(state, seat)
        taken = [state.players[other].action for other in state.order].count("urbanization")
        if state.turn > 1 or not 0 < taken < URBANIZERS:
            return free
        return tuple(action for action in self.actions if action in (*free, "urbanization"))

    @override
    def action_effect(self, state: State, seat: Seat, action: str) -> Say | None:
        """3, 5 and 7."""
        match action:
            case "engineer":
                return say("You may build on difficult and very difficult hexes.")
            case "urbanization":
                return say("You may place a New City before you build, but lay only two tiles.")
            case "production":
                return say("You draw two cubes for empty boxes of the goods display or straight for one City.")
        return super().action_effect(state, seat, action)

    @override
    def tile_limit(self, state: State, seat: Seat) -> int:
        """5. Two tiles for the holder of Urbanization, whether a New City is placed or not (R115)."""
        if state.players[seat].action == "urbanization":
            return self.urbanization_tiles
        return super().tile_limit(state, seat)

    @override
    def refuse_hex(self, state: State, seat: Seat, label: Label) -> Refusal | None:
        """3. Difficult land is for the Engineer (R117)."""
        if self.board.hexes[label].terrain in DIFFICULT and state.players[seat].action != "engineer":
            return refuse("R117", "Only the Engineer builds on {hex}: the land there is difficult.", hex=Place(label))
        return None

    @override
    def on_urbanized(self, state: State, seat: Seat, step: Urbanize) -> State:
        """2. The town's cube goes into the bag."""
        return bends.cubes_to_bag(state, step.hex)

    @override
    def sources(self, state: State) -> tuple[Label, ...]:
        """2. (R112)"""
        return bends.with_towns(self, state)

    @override
    def lowered_income(self, state: State, seat: Seat, missing: int) -> int:
        """9. Not below 0 (R117a)."""
        return max(0, super().lowered_income(state, seat, missing))


SHEETS = (France,)
