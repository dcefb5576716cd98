"""Southern U.S. (3 to 6 players).

1. Atlanta begins with four cubes, Charleston, Savannah, Mobile and New Orleans with three, every other City
   with one. Every town begins with one white cube: cotton.
2. Cotton is delivered from its town, or from the New City that was placed on it.
3. The four ports Charleston, Savannah, Mobile and New Orleans take cotton besides their own colour; it must
   stop at the first port it enters. All other Cities let it pass.
4. Delivered cotton leaves the game and gives its mover one more income.
5. In goods growth of turns 1 to 4 Atlanta receives one cube from the bag, besides those of the goods display, after
   Production and before the dice.
6. In turn 4, and only then, income reduction is doubled.
"""

from typing import ClassVar

from typing_extensions import override

from pbem.age_of_steam import bends
from pbem.age_of_steam.game import AgeOfSteam
from pbem.age_of_steam.proposals import Delivery
from pbem.age_of_steam.state import State, add_cubes
from pbem.engine.chance import Chance
from pbem.engine.moves import Seat
from pbem.engine.phase import Step
from pbem.engine.text import Say, say
from pbem.engine.values import replace
from pbem.rails.board import Label

COTTON = "white"
ATLANTA = "I9"


class SouthernUS(AgeOfSteam):
    """Cotton, its ports and the war."""

    notes: ClassVar[tuple[Say, ...]] = (
        say("White cubes are cotton. The four ports take it; its mover gains 1 more."),
        say("Turns 1 to 4: Atlanta receives one cube from the bag."),
        say("Turn 4: income reduction is doubled."),
    )

    @override
    def on_setup(self, state: State, chance: Chance) -> State:
        """1. Cotton on every town; the Cities are printed on the board."""
        return replace(state, cubes={**state.cubes, **dict.fromkeys(self.board.towns, (COTTON,))})

    @override
    def sources(self, state: State) -> tuple[Label, ...]:
        """2. Cotton moves from its town; an urbanized town keeps it."""
        return bends.with_towns(self, state)

    @override
    def delivery_gains(self, state: State, seat: Seat, delivery: Delivery) -> dict[Seat, int]:
        """4. One more for the mover, also without a link of the mover's own (R89)."""
        gains = super().delivery_gains(state, seat, delivery)
        if delivery.colour == COTTON:
            gains[seat] = gains.get(seat, 0) + 1
        return gains

    @override
    def on_delivered(self, state: State, seat: Seat, delivery: Delivery) -> Step[State]:
        """4. Cotton leaves the game."""
        if delivery.colour == COTTON:
            return Step(replace(state, gone=add_cubes(state.gone, (COTTON,))))
        return super().on_delivered(state, seat, delivery)

    @override
    def on_growth(self, state: State, chance: Chance) -> Step[State]:
        """5. Atlanta's cube (R91)."""
        return bends.extra_cube(state, ATLANTA, chance) if state.turn <= 4 else Step(state)

    @override
    def income_reduction(self, state: State, income: int) -> int:
        """6. Twice the table in turn 4 (R92)."""
        return super().income_reduction(state, income) * (2 if state.turn == 4 else 1)


SHEETS = (SouthernUS,)
