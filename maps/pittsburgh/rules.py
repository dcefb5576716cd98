"""Pittsburgh (3 and 4 players).

1. Every City begins with three cubes. Every City has a column in both halves of the goods display.
2. The game lasts eight turns.
3. A simple curve costs $3 and a simple straight $10, whatever the land. A coexisting or crossing
   tile costs $10 if it has a straight, otherwise $4.
4. Towns are free: their first tile and every further exit cost $0. So a build never ends for lack of money.
5. Replacing a tile costs $10 if a straight is added or track is redirected into a straight, otherwise $4.
   (Option, as pictured in the reprint: redirected track costs $10 only where a tile with two curves, crossing or one
   of them sharp, becomes a straight with a gentle curve across it, or a gentle and a sharp curve become a
   straight with a sharp curve beside it; all other redirected track costs $4. A tile that redirects track and
   adds some costs what it costs without the option.)
6. The crossing of two straights does not exist on this map. (Option: it does.)
7. Commonwealth replaces Turn Order, so nobody can pass in an auction. The first tile for $10 in its holder's
   build costs $7.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from typing_extensions import override

from pbem.age_of_steam import bends
from pbem.age_of_steam.game import AgeOfSteam
from pbem.age_of_steam.proposals import Placement
from pbem.age_of_steam.state import State
from pbem.engine import Say, Seat, say
from pbem.engine.sheet import Option
from pbem.rails.board import Label
from pbem.rails.tiles import Ends, tile_class

STRAIGHT, COMPLEX, CURVE = 10, 4, 3
DISCOUNT = 3
"""What Commonwealth takes off one placement for $10."""
REDIRECT = Option(
    "pittsburgh_redirect",
    "Price of turned track",
    {"designer": "$10 when it becomes straight, otherwise $4", "reprint": "$10 only as pictured in the reprint"},
    "R159a",
)
TWO_STRAIGHTS = Option(
    "pittsburgh_two_straights", "Crossing of two straights", {"no": "Not available", "yes": "Available"}, "R160"
)
GENTLE_AND_SHARP = frozenset({"coexist_gentle_acute_1", "coexist_gentle_acute_2"})
PICTURED = frozenset(
    {(old, "cross_gentle_straight") for old in {"cross_gentle_gentle", *GENTLE_AND_SHARP}}
    | {(old, "coexist_straight_acute") for old in GENTLE_AND_SHARP}
)
"""5. Old and new tile of the redirects that cost $10 in the reprint."""


def straight(ends: Ends) -> bool:
    return ends[1] - ends[0] == 3


class Pittsburgh(AgeOfSteam):
    """Nothing is straight or flat: curves are cheap, straights dear, towns free."""

    players: ClassVar[range] = range(3, 5)
    game_turns: ClassVar[Mapping[int, int | None]] = {3: 8, 4: 8}
    """2."""
    map_options: ClassVar[tuple[Option, ...]] = (REDIRECT, TWO_STRAIGHTS)
    notes: ClassVar[tuple[Say, ...]] = (
        say("Straight $10, curve $3, two curves $4, towns free."),
        say("Commonwealth: the first $10 of the build is $7."),
    )
    actions: ClassVar[tuple[str, ...]] = bends.actions_but("turn-order", "commonwealth")
    own_words: ClassVar[Mapping[str, str]] = {"commonwealth": "Commonwealth"}
    """7."""

    @override
    def action_effect(self, state: State, seat: Seat, action: str) -> Say | None:
        """7."""
        if action == "commonwealth":
            return say("Your first placement for $10 in this turn costs $7.")
        return super().action_effect(state, seat, action)

    @override
    def facts(self, state: State) -> tuple[Say, ...]:
        """5 and 6, as the game was opened."""
        reprint = state.options.get(REDIRECT.key) == "reprint"
        turned = say("Turned track is priced as pictured in the reprint.")
        crossing = say("There is no crossing of two straights.")
        return (*([turned] if reprint else []), *([crossing] if state.options.get(TWO_STRAIGHTS.key) != "yes" else []))

    @override
    def placement_price(self, state: State, seat: Seat, placement: Placement) -> int:
        """3 to 5. Towns are free; the shape of what is added or turned decides (R159, R159a)."""
        kind = tile_class(placement.tile)
        if kind == "town":
            return 0
        if placement.turned and not placement.added and state.options.get(REDIRECT.key) == "reprint":
            return STRAIGHT if (placement.old, placement.tile) in PICTURED else COMPLEX
        if any(straight(ends) for ends in (*placement.added, *(into for _, into in placement.turned))):
            return STRAIGHT
        return CURVE if kind == "simple" and not placement.old else COMPLEX

    @override
    def price_words(self, label: Label) -> Say:
        """3."""
        return say("curve ${curve}, straight ${straight}", curve=CURVE, straight=STRAIGHT)

    @override
    def cheapest_placement(self, state: State, seat: Seat, prices: Sequence[int]) -> int:
        """4. (R162)"""
        return 0

    @override
    def tiles_in_box(self, state: State) -> Mapping[str, int]:
        """6. (R160)"""
        if state.options.get(TWO_STRAIGHTS.key) == "yes":
            return self.tile_supply
        return {**self.tile_supply, "cross_straight_straight": 0}

    @override
    def build_price(self, state: State, seat: Seat, prices: Sequence[int]) -> int:
        """7. Once in a build (R161)."""
        reduced = state.players[seat].action == "commonwealth" and STRAIGHT in prices
        return sum(prices) - (DISCOUNT if reduced else 0)


SHEETS = (Pittsburgh,)
