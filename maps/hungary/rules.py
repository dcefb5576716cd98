"""Hungary (3 to 6 players).

1. Budapest begins with three cubes, every other City with two.
2. Every engine begins at 2 links; two shares and that engine cost $4 in the first turn.
3. The game is one turn shorter than usual: 9, 7, 6 or 5 turns with 3, 4, 5 or 6 players.
4. A simple tile costs $3 on every hex, a coexisting tile $4, a crossing tile $5. Towns, replaced tiles and
   redirected track cost what they always do.
5. No track may be laid on Lake Balaton or led across it: the water hex and the impassable sides beside it.
6. Urbanization: the New City may also be placed on a New City that is on the map. The old one leaves the game
   and may not return; the cubes on its boxes of the goods display go into the bag, and the boxes stay out of
   use. Of the cubes that lie on it the player keeps any on the map and returns the others to the bag. Track
   stays as it is. The colours may be the same. This is the one New City of the build.
7. A delivery must use at least one link of another player who is still in the game. An unowned link does
   not count.
8. Production: at the end of goods growth, after the dice, its holder draws four cubes, puts two of them on
   Budapest and returns the others to the bag; when the bag has only one or two cubes, all go on Budapest.
   Drawing may be declined beforehand, afterwards two must be placed. The goods display takes no part in it.
"""

from collections import Counter
from collections.abc import Mapping, Sequence
from itertools import combinations
from typing import ClassVar

from typing_extensions import override

from pbem.age_of_steam import bends
from pbem.age_of_steam.game import AgeOfSteam
from pbem.age_of_steam.lexicon import by_colour
from pbem.age_of_steam.moves import ProduceForm, Urbanize
from pbem.age_of_steam.notation import OrderWord
from pbem.age_of_steam.notation_goods import FORM, LINE, Production, is_colour, produce
from pbem.age_of_steam.phases import GoodsGrowth
from pbem.age_of_steam.phases.base import AgeOfSteamPhase
from pbem.age_of_steam.phases.goods_growth import Growing
from pbem.age_of_steam.proposals import Delivery
from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State, add_cubes
from pbem.engine import Choice, Move, Question, Refusal, Say, Seat, Step, Value, Word, refuse, replace, say
from pbem.engine.chance import Chance
from pbem.engine.phase import Forced
from pbem.rails.board import Label, NewCity
from pbem.rails.position_lines import LETTER, FieldLine, Lines, several


class ProduceColours(Move):
    """``produce red blue``: these of the drawn cubes."""

    keyword = "produce"
    usage = "produce COLOUR COLOUR"
    colours: tuple[str, ...]


COLOURS = Production("produce COLOUR COLOUR", is_colour, lambda reader: ProduceColours(by_colour(reader.colours())))
PRODUCE = produce(FORM, LINE, COLOURS)


BUDAPEST = "J9"
DRAWN, PLACED = 4, 2
"""Cubes that Production draws, and how many of them go on Budapest."""
TILE = 3
"""Dollars for a tile with one track on any hex."""


class OutOfTheGame(Value):
    """The letters of the New Cities that were replaced."""

    letters: tuple[str, ...] = ()
    lines: ClassVar[Lines] = {"letters": FieldLine("New Cities out of the game", several(LETTER))}


class HungarianGrowth(GoodsGrowth):
    """8. Production comes last and feeds Budapest."""

    moves = (ProduceColours, ProduceForm)
    words: ClassVar[Mapping[str, OrderWord]] = PRODUCE
    can_wait = (ProduceForm,)
    never_waits = (ProduceColours,)

    @override
    def begin(self, rules: Rules, state: State, chance: Chance) -> Step[State]:
        if rules.last_turn(state):
            return super().begin(rules, state, chance)
        grown = self.roll(rules, replace(state, scratch=Growing()), chance)
        return self.draw(rules, grown.state, chance).after(grown.events)

    @override
    def most_drawn(self, rules: Rules, state: State) -> int:
        return DRAWN

    @override
    def forced(self, rules: Rules, state: State, seat: Seat) -> Forced | None:
        """A15: the drawn cubes leave one choice."""
        if not state.scratch_as(Growing).drawn:
            return None
        legal = self.placings(rules, state, seat)
        return Forced(legal[0], "A15") if len(legal) == 1 else None

    @override
    def refuse_placing(self, rules: Rules, state: State, seat: Seat, move: Move) -> Refusal | None:
        drawn = state.scratch_as(Growing).drawn
        count = min(PLACED, len(drawn))
        if (
            isinstance(move, ProduceColours)
            and len(move.colours) == count
            and not Counter(move.colours) - Counter(drawn)
        ):
            return None
        return refuse("R123", "Name {n} of the drawn cubes: {cubes}.", n=count, cubes=tuple(map(Word, drawn)))

    @override
    def place(self, rules: Rules, state: State, seat: Seat, move: Move) -> Step[State]:
        if not isinstance(move, ProduceColours):
            raise TypeError(move)
        returned = Counter(state.scratch_as(Growing).drawn) - Counter(move.colours)
        state = replace(state, bag=add_cubes(state.bag, tuple(returned.elements())), scratch=Growing())
        return bends.place_cubes(state, seat, BUDAPEST, move.colours)

    @override
    def end(self, rules: Rules, state: State, chance: Chance) -> Step[State]:
        return Step(state)

    @override
    def placings(self, rules: Rules, state: State, seat: Seat) -> Sequence[ProduceColours]:
        drawn = by_colour(state.scratch_as(Growing).drawn)
        return [ProduceColours(colours) for colours in dict.fromkeys(combinations(drawn, min(PLACED, len(drawn))))]

    @override
    def default_placing(self, rules: Rules, state: State, seat: Seat) -> Move:
        return self.placings(rules, state, seat)[0]

    @override
    def ask_placing(self, rules: Rules, state: State, seat: Seat) -> Question:
        legal = self.placings(rules, state, seat)
        choices = tuple(
            Choice(str(move), say("{cubes} on Budapest", cubes=tuple(map(Word, move.colours)))) for move in legal
        )
        drawn = tuple(map(Word, state.scratch_as(Growing).drawn))
        return Question(
            seat,
            self.name,
            say("Choose two cubes for Budapest"),
            (say("Drawn: {cubes}.", cubes=drawn), say("The cubes you do not choose go back into the bag.")),
            say("{cubes} go on Budapest", cubes=tuple(map(Word, legal[0].colours))),
            "choices",
            choices,
            example=choices[0].order,
        )


class Hungary(AgeOfSteam):
    """Strong engines, links of others, New Cities on New Cities, and cubes for Budapest."""

    phases: ClassVar[tuple[AgeOfSteamPhase, ...]] = bends.phases_with(HungarianGrowth())
    extra: ClassVar[type | None] = OutOfTheGame
    notes: ClassVar[tuple[Say, ...]] = (
        say("Every delivery uses at least one link of another player."),
        say("A New City may replace a New City."),
        say("Production, after the dice: two of four drawn cubes go on Budapest."),
    )
    links_of_others: ClassVar[int] = 1
    """7."""
    start_engine: ClassVar[int] = 2
    """2."""
    game_turns: ClassVar[Mapping[int, int | None]] = {3: 9, 4: 7, 5: 6, 6: 5}
    """3. (R125)"""

    @override
    def action_effect(self, state: State, seat: Seat, action: str) -> Say | None:
        """6 and 8."""
        match action:
            case "urbanization":
                return say("You may place a New City on a town or on another New City before you build.")
            case "production":
                return say("You draw four cubes after the dice and put two of them on Budapest.")
        return super().action_effect(state, seat, action)

    @override
    def terrain_price(self, label: Label) -> int:
        """4. The same on every hex (R121)."""
        return TILE

    @override
    def urbanizable(self, state: State, seat: Seat) -> tuple[Label, ...]:
        """6. Towns and the New Cities on the map."""
        return tuple(self.board.towns)

    @override
    def new_cities_free(self, state: State, seat: Seat) -> tuple[NewCity, ...]:
        """6. A New City that was replaced is out of the game."""
        gone = _gone(state).letters
        return tuple(city for city in super().new_cities_free(state, seat) if city.letter not in gone)

    @override
    def on_urbanized(self, state: State, seat: Seat, step: Urbanize) -> State:
        """6. The New City that was there leaves the game with its boxes; cubes stay or go (R122)."""
        old = next((x for x, label in state.new_cities.items() if label == step.hex and x != step.letter), None)
        if old is None:
            return state
        lying = state.cubes.get(step.hex, ())
        kept = lying if step.keep is None else step.keep
        returned = tuple((Counter(lying) - Counter(kept)).elements())
        boxed = tuple(cube for cube in state.display.get(old, ()) if cube is not None)
        return replace(
            state,
            new_cities={letter: label for letter, label in state.new_cities.items() if letter != old},
            cubes={**state.cubes, step.hex: kept},
            display={column: boxes for column, boxes in state.display.items() if column != old},
            bag=add_cubes(state.bag, returned + boxed),
            extra=OutOfTheGame((*_gone(state).letters, old)),
        )

    @override
    def facts(self, state: State) -> tuple[Say, ...]:
        """6. What has left the game."""
        gone = _gone(state).letters
        return (say("New Cities out of the game: {letters}.", letters=gone),) if gone else ()

    @override
    def refuse_delivery(self, state: State, seat: Seat, delivery: Delivery) -> Refusal | None:
        """7. Somebody else's link (R124); an eliminated player's links have no owner."""
        if sum(link.owner not in (None, seat) for link in delivery.links) >= self.links_of_others:
            return None
        return refuse("R124", "A delivery must use at least one link of another player.")


def _gone(state: State) -> OutOfTheGame:
    return state.extra if isinstance(state.extra, OutOfTheGame) else OutOfTheGame()


SHEETS = (Hungary,)
