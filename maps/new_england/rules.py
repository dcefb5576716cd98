"""New England (2 players).

1. Every City begins with three cubes. Schenectady, New York and Boston have two columns of the goods display each.
2. A die decides who plays white: white is the first player in turns 1, 3, 6 and 8, black in turns 2, 4, 5
   and 7. This holds from issuing shares on. There are eight turns.
3. The order of players is never determined otherwise: there is no auction, and there is no Turn Order action.
4. Only complete links may be built: at the end of your build turn no track of yours, no exit of a town either,
   may be unfinished. A build turn is therefore sent as a whole.
5. Everybody moves goods three times in a turn; the engine can still be raised only once in a turn.
6. At the end every full $20 of cash is one more point.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from typing_extensions import override

from pbem.age_of_steam import bends
from pbem.age_of_steam.events import OrderSet
from pbem.age_of_steam.game import AgeOfSteam
from pbem.age_of_steam.phases.base import AgeOfSteamPhase
from pbem.age_of_steam.state import State
from pbem.engine.chance import Chance
from pbem.engine.moves import Refusal, Seat
from pbem.engine.phase import Step
from pbem.engine.text import Say, Who, say, to_reader
from pbem.engine.values import replace
from pbem.rails.track import Link

FIRST_PLAYERS = ("white", "black", "white", "black", "black", "white", "black", "white")
"""2. Who is first in turns 1 to 8; white is the player who was drawn to be first in turn 1."""
DOLLARS_A_POINT = 20


class NewEngland(AgeOfSteam):
    """Two players, complete links, three rounds of moving."""

    players: ClassVar[range] = range(2, 3)
    game_turns: ClassVar[Mapping[int, int | None]] = {2: len(FIRST_PLAYERS)}
    phases: ClassVar[tuple[AgeOfSteamPhase, ...]] = bends.phases_with(bends.WholeBuild(), without="turn_order")
    actions: ClassVar[tuple[str, ...]] = bends.actions_but("turn-order")
    rounds: ClassVar[int] = 3
    notes: ClassVar[tuple[Say, ...]] = (
        say("Only complete links may be built."),
        say("Three rounds of moving goods."),
        say("First player: white in turns 1, 3, 6, 8, black in 2, 4, 5, 7."),
        say("Every $20 at the end is 1 point."),
    )

    @override
    def on_turn(self, state: State, chance: Chance) -> Step[State]:
        """2. The order turns round where the list of first players does (R154, R154a)."""
        if state.turn == 1:
            return Step(state, (OrderSet(state.order),))
        before, now = FIRST_PLAYERS[state.turn - 2 : state.turn]
        order = state.order if before == now else state.order[::-1]
        return Step(replace(state, order=order), (OrderSet(order),))

    @override
    def facts(self, state: State) -> tuple[Say, ...]:
        """2. Who plays white."""
        if len(state.order) < len(state.seats):
            return ()
        white = state.order[0 if FIRST_PLAYERS[state.turn - 1] == "white" else 1]
        return (say("{player} plays white.", player=Who(white)),)

    @override
    def refuse_build(self, state: State, seat: Seat) -> Refusal | None:
        """4. No unfinished section after the whole build (R97)."""
        return bends.loose_ends(self, state, seat)

    @override
    def score(self, state: State, seat: Seat, links: Sequence[Link]) -> tuple[tuple[str, int], ...]:
        """6. A point for every full $20."""
        return (*super().score(state, seat, links), ("cash", state.players[seat].cash // DOLLARS_A_POINT))

    @override
    def sums(self, state: State, seat: Seat) -> Mapping[str, Say]:
        cash = say("${cash} / {n}, rounded down", cash=state.players[seat].cash, n=DOLLARS_A_POINT)
        return {**super().sums(state, seat), "cash": cash}


to_reader("{player} plays white.", player="You play white.")


SHEETS = (NewEngland,)
