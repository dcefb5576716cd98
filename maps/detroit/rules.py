"""The game for one of Detroit Bankruptcy. What it has in common with the game for more is in the table of its board.

1. Alone: the actions are Engineer, Locomotive and Urbanization, at most one a turn, and each of them three
   times in the game. An action costs $3 the first time, $2 the second and $1 the third; taking none is free.
2. Alone: two dice are rolled for each half of the goods display, and income reduction has no limit.
3. Alone: the government goes bankrupt at the end of turn 6 with an income of -1. You win by lasting longer;
   your last turn and your income then are your result: turn 7 is better than the government, turn 8 above
   average, turn 9 expert, turn 10 is celebrated, turn 11 leaves no words, turn 12 enters the hall of fame.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from typing_extensions import override

from pbem.age_of_steam import bends
from pbem.age_of_steam.drawings.data_sheet import DataSheet
from pbem.age_of_steam.phases.base import AgeOfSteamPhase
from pbem.age_of_steam.state import State
from pbem.engine import Say, Seat, Step, Value, field, replace, say
from pbem.engine.chance import Chance
from pbem.engine.sheet import Standing
from pbem.rails.position_lines import ACTION, FieldLine, Lines, numbered

DISCS = 3
PAID_ACTIONS = ("engineer", "locomotive", "urbanization")
RATINGS = {
    7: say("Your railroad outlasted the government."),
    8: say("That is better than most, and Detroit thanks you."),
    9: say("That is the play of an expert: the economy of Detroit turns."),
    10: say("The factories work again, and Detroit celebrates you."),
    11: say("Eleven turns leave Detroit speechless."),
    12: say("Your railroad enters the hall of fame."),
}
"""3. What a last turn is worth; twelve stands for more as well."""


class Detroit(DataSheet):
    """Whoever is bankrupt last: all of it is in the table of the board."""


class Discs(Value):
    """1. Discs left on the actions."""

    left: Mapping[str, int] = field(default_factory=lambda: dict.fromkeys(PAID_ACTIONS, DISCS))
    lines: ClassVar[Lines] = {"left": FieldLine("Discs left", numbered(ACTION))}


class DetroitSolo(Detroit):
    """Alone against the government."""

    mode: ClassVar[str] = "solo"
    players: ClassVar[range] = range(1, 2)
    phases: ClassVar[tuple[AgeOfSteamPhase, ...]] = bends.phases_with(without="turn_order")
    extra: ClassVar[type | None] = Discs
    notes: ClassVar[tuple[Say, ...]] = (
        say("Expenses: shares, engine and the number of the turn."),
        say("Each action three times in the game, for $3, $2 and $1."),
        say("The government goes bankrupt in turn 6: last longer."),
    )

    @override
    def on_setup(self, state: State, chance: Chance) -> State:
        """1. Three discs on each action."""
        return replace(state, extra=Discs())

    @override
    def action_price(self, state: State, seat: Seat, action: str) -> int:
        """1. The discs that are left on it (R140a)."""
        return state.extra_as(Discs).left.get(action, 0)

    @override
    def actions_free(self, state: State, seat: Seat) -> tuple[str, ...]:
        """1. What has discs left and can be paid, or none (R140a)."""
        cash = state.players[seat].cash
        return (*(action for action, left in state.extra_as(Discs).left.items() if 0 < left <= cash), "none")

    @override
    def action_effect(self, state: State, seat: Seat, action: str) -> Say | None:
        """1. None is a choice."""
        return (
            say("You take no action and pay nothing.")
            if action == "none"
            else super().action_effect(state, seat, action)
        )

    @override
    def on_action(self, state: State, seat: Seat, action: str) -> Step[State]:
        """1. The fee is paid at once (R140a)."""
        if action == "none":
            return Step(state)
        price = self.action_price(state, seat, action)
        state = state.with_player(seat, cash=state.players[seat].cash - price)
        discs = {**state.extra_as(Discs).left, action: state.extra_as(Discs).left[action] - 1}
        return super().on_action(replace(state, extra=Discs(discs)), seat, action)

    @override
    def growth_dice(self, state: State) -> tuple[int, int]:
        """2. Two for each half."""
        return 2, 2

    @override
    def income_reduction(self, state: State, income: int) -> int:
        """2. Without a limit (R134)."""
        return max(0, (income - 1) // 5)

    @override
    def winners(self, state: State, standings: Sequence[Standing]) -> tuple[Seat, ...]:
        """3. Surviving turn 6 wins (R138)."""
        return tuple(seat for seat in state.seats if state.players[seat].out > 6)

    @override
    def verdict(self, state: State) -> Say | None:
        """3. The rating of the last turn (R139)."""
        (seat,) = state.seats
        player = state.players[seat]
        if player.out <= 6:
            return say(
                "Bankrupt in turn {turn} with income {income}: the government did as well or better. Try again.",
                turn=player.out,
                income=player.income,
            )
        return say(
            "Bankrupt in turn {turn} with income {income}. {rating}",
            turn=player.out,
            income=player.income,
            rating=RATINGS[min(12, player.out)],
        )


SHEETS = (Detroit, DetroitSolo)
