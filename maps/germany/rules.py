"""Germany (3 to 6 players).

1. Königsberg begins with three cubes, Wien (To Vienna) with four, every other City with two.
2. The six green hexes (Rotterdam, Antwerp, Paris, Lyon, Copenhagen, Warsaw) are foreign terminals. At set-up one
   cube is drawn for each and leaves the game: its colour is the only one that the terminal takes.
3. Terminals have no cubes and no column of the goods display. No cube passes through a terminal. Track may begin
   and end at them as at Cities.
4. The Engineer builds three tiles like everybody else; the dearest tile of the turn costs half, rounded up.
   The special link is no tile and is never halved.
5. Only complete links may be built: at the end of your build turn no track of yours, no exit of a town either,
   may be unfinished. A build turn is therefore sent as a whole.
6. The number in a box is what a simple tile costs on that hex, whatever the land; coexisting tiles cost $1 more,
   crossing tiles $2 more; replacing a tile costs what it always does.
7. Köln/Düsseldorf (here: Düsseldorf) and Essen/Dortmund (here: Essen) can be joined by a special link for $2.
   It counts as one tile, needs no track beside it, has one owner, and is one link and one point.
8. In every goods growth Berlin receives one cube from the bag, besides those of the goods display, before Production
   and before the dice.
"""

from collections.abc import Sequence
from itertools import chain
from typing import ClassVar

from typing_extensions import override

from pbem.age_of_steam import bends
from pbem.age_of_steam.game import AgeOfSteam
from pbem.age_of_steam.phases.base import AgeOfSteamPhase
from pbem.age_of_steam.proposals import Placement
from pbem.age_of_steam.state import State, add_cubes, take_cubes
from pbem.engine.chance import Chance
from pbem.engine.moves import Refusal, Seat
from pbem.engine.phase import Step
from pbem.engine.text import Say, say
from pbem.engine.values import Value, replace
from pbem.rails.board import Label
from pbem.rails.position_lines import NUMBER, FieldLine, Lines

BERLIN = "J9"
TERMINAL = "terminal"


class DirectLink(Value):
    """7. The turn in which the direct link was built: the Engineer does not halve it."""

    turn: int
    lines: ClassVar[Lines] = {"turn": FieldLine("Direct link built in turn", NUMBER)}


class Germany(AgeOfSteam):
    """Foreign terminals, complete links, a cheaper tile for the Engineer."""

    notes: ClassVar[tuple[Say, ...]] = (
        say("Only complete links may be built."),
        say("Terminals take the colour dealt to them; nothing passes through."),
        say("Engineer: the dearest tile of the turn costs half, rounded up."),
        say("Berlin receives one cube from the bag every turn."),
    )
    phases: ClassVar[tuple[AgeOfSteamPhase, ...]] = bends.phases_with(bends.WholeBuild())
    extra: ClassVar[type | None] = DirectLink
    engineer_tiles: ClassVar[int] = 3
    """4."""

    @override
    def on_setup(self, state: State, chance: Chance) -> State:
        """2. One cube decides what a terminal takes."""
        terminals = [city.label for city in self.board.cities.values() if TERMINAL in city.tags]
        cubes = chance.draw("terminal", state.bag, len(terminals))
        accepts = {label: (cube,) for label, cube in zip(terminals, cubes, strict=True)}
        return replace(state, accepts=accepts, bag=take_cubes(state.bag, cubes), gone=add_cubes(state.gone, cubes))

    @override
    def on_opening(self, state: State) -> State:
        """2. The cubes that show the colours of the terminals are out of the game."""
        return replace(state, gone=add_cubes({}, tuple(chain.from_iterable(state.accepts.values()))))

    @override
    def passes(self, state: State, node: Label, colour: str) -> bool:
        """3. Nothing passes through a terminal."""
        city = self.board.cities.get(node)
        return city is None or TERMINAL not in city.tags

    @override
    def build_price(self, state: State, seat: Seat, prices: Sequence[int]) -> int:
        """4. Half of the dearest tile for the Engineer (R96)."""
        if state.players[seat].action != "engineer":
            return sum(prices)
        tiles = list(prices)
        if isinstance(state.extra, DirectLink) and state.extra.turn == state.turn and seat in state.links.values():
            (link,) = self.board.connections.values()
            tiles.remove(link.price or 0)
        return sum(prices) - max(tiles, default=0) // 2

    @override
    def cheapest_placement(self, state: State, seat: Seat, prices: Sequence[int]) -> int:
        """4. A tile of $2 costs the Engineer $1 (R96)."""
        return 1 if state.players[seat].action == "engineer" else super().cheapest_placement(state, seat, prices)

    @override
    def on_placement(self, state: State, seat: Seat, placement: Placement) -> Step[State]:
        """7. Remember when the direct link was built."""
        return Step(replace(state, extra=DirectLink(state.turn)) if placement.link else state)

    @override
    def refuse_build(self, state: State, seat: Seat) -> Refusal | None:
        """5. Nothing unfinished (R97)."""
        return bends.loose_ends(self, state, seat)

    @override
    def on_growth_begins(self, state: State, chance: Chance) -> Step[State]:
        """8. Berlin's cube comes first of all (R98a)."""
        return bends.extra_cube(state, BERLIN, chance)


SHEETS = (Germany,)
