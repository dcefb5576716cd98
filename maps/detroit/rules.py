"""Detroit Bankruptcy (2 to 5 players) and its game for one.

1. Everybody begins with five shares and no money; 25 shares are the most.
2. Every City begins with two cubes. Each column of the goods display, those of the New Cities too, begins
   with one cube in its top box; the other boxes are empty.
3. There is no Production.
4. Engineer: four tiles instead of three, and the cheapest placement of the turn is free, special links too.
5. Special links can be bought for the printed price: Midtown to Downtown, Downtown to Windsor (two of them)
   and Windsor to Windsor Airport. Each has one owner, counts as one tile and needs no track beside it.
   The Airport can be joined in this way only when it is a New City.
6. At least half of the links of a delivery must be the mover's own.
7. Expenses are shares, those of the start too, engine and the number of the turn.
8. Income reduction begins earlier: 1 from an income of 6, 2 from 11, and 1 more for every five steps, at most 10.
9. There is no last turn and there are no points. The last player who is not bankrupt wins; if the last ones
   go bankrupt in the same turn, the one with the highest income among them.
10. Alone: the actions are Engineer, Locomotive and Urbanization, at most one a turn, and each of them three
    times in the game. An action costs $3 the first time, $2 the second and $1 the third; taking none is free.
11. Alone: two dice are rolled for each half of the goods display, and income reduction has no limit.
12. Alone: the government goes bankrupt at the end of turn 6 with an income of -1. You win by lasting longer;
    your last turn and your income then are your result: turn 7 is better than the government, turn 8 above
   average, turn 9 expert, turn 10 is celebrated, turn 11 leaves no words, turn 12 enters the hall of fame.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from typing_extensions import override

from pbem.age_of_steam import bends
from pbem.age_of_steam.game import AgeOfSteam
from pbem.age_of_steam.phases.base import AgeOfSteamPhase
from pbem.age_of_steam.proposals import Delivery, Placement
from pbem.age_of_steam.state import State, fill_display
from pbem.engine.chance import Chance
from pbem.engine.moves import Refusal, Seat, refuse
from pbem.engine.phase import Step
from pbem.engine.sheet import Standing
from pbem.engine.text import Place, Say, say
from pbem.engine.values import Value, field, replace
from pbem.rails.position_lines import ACTION, FieldLine, Lines, numbered

HIGHEST_REDUCTION = 10
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
"""12. What a last turn is worth; twelve stands for more as well."""


class Detroit(AgeOfSteam):
    """Whoever is bankrupt last."""

    players: ClassVar[range] = range(2, 6)
    game_turns: ClassVar[Mapping[int, int | None]] = dict.fromkeys(range(1, 6))
    start_cash: ClassVar[int] = 0
    start_shares: ClassVar[int] = 5
    share_cap: ClassVar[int] = 25
    scored: ClassVar[bool] = False
    idle_options: ClassVar[frozenset[str]] = frozenset({"reduction_table"})
    """8. Detroit has a table of its own."""
    actions: ClassVar[tuple[str, ...]] = bends.actions_but("production")
    notes: ClassVar[tuple[Say, ...]] = (
        say("Expenses: shares, engine and the number of the turn."),
        say("At least half of the links of a delivery must be your own."),
        say("The last player who is not bankrupt wins."),
    )

    @override
    def fill_display(self, state: State, chance: Chance) -> State:
        """2. One cube in the top box of every column."""
        return fill_display(state, self.display_boxes(), chance, rows=1)

    @override
    def action_effect(self, state: State, seat: Seat, action: str) -> Say | None:
        """4. What the engineer can do here."""
        if action == "engineer":
            return say("You may lay four tiles, and the cheapest one is free.")
        return super().action_effect(state, seat, action)

    @override
    def build_price(self, state: State, seat: Seat, prices: Sequence[int]) -> int:
        """4. The engineer's cheapest placement is free (R132)."""
        price = super().build_price(state, seat, prices)
        return price - min(prices) if prices and state.players[seat].action == "engineer" else price

    @override
    def cheapest_placement(self, state: State, seat: Seat, prices: Sequence[int]) -> int:
        """4. The engineer's only placement costs nothing (R132)."""
        if state.players[seat].action == "engineer" and not prices:
            return 0
        return super().cheapest_placement(state, seat, prices)

    @override
    def refuse_placement(self, state: State, seat: Seat, placement: Placement, after: State) -> Refusal | None:
        """5. The Airport is joined directly only as a New City (R133)."""
        if not placement.link:
            return None
        connection = self.board.connections[placement.link]
        town = next((label for label in connection.joins if label in self.board.towns), None)
        if "new city only" in connection.tags and town is not None and town not in state.new_cities.values():
            return refuse("R133", "This link can be built only when {town} is a New City.", town=Place(town))
        return None

    @override
    def refuse_delivery(self, state: State, seat: Seat, delivery: Delivery) -> Refusal | None:
        """6. Half of the links, rounded up (R131)."""
        own = sum(1 for link in delivery.links if link.owner == seat)
        needed = (len(delivery.links) + 1) // 2
        if own < needed:
            return refuse(
                "R131",
                "Of {n} links {needed} must be your own; {own} are.",
                n=len(delivery.links),
                needed=needed,
                own=own,
            )
        return None

    @override
    def expenses(self, state: State, seat: Seat) -> int:
        """7. The turn counts as well (R137)."""
        return super().expenses(state, seat) + state.turn

    @override
    def income_reduction(self, state: State, income: int) -> int:
        """8. Earlier and in steps of five (R134)."""
        return min(HIGHEST_REDUCTION, max(0, (income - 1) // 5))

    @override
    def winners(self, state: State, standings: Sequence[Standing]) -> tuple[Seat, ...]:
        """9. Also when all of the last ones went bankrupt together (R135)."""
        return tuple(line.seat for line in standings if line.place == 1)


class Discs(Value):
    """10. Discs left on the actions."""

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
        """10. Three discs on each action."""
        return replace(state, extra=Discs())

    @override
    def action_price(self, state: State, seat: Seat, action: str) -> int:
        """10. The discs that are left on it (R140a)."""
        return state.extra_as(Discs).left.get(action, 0)

    @override
    def actions_free(self, state: State, seat: Seat) -> tuple[str, ...]:
        """10. What has discs left and can be paid, or none (R140a)."""
        cash = state.players[seat].cash
        return (*(action for action, left in state.extra_as(Discs).left.items() if 0 < left <= cash), "none")

    @override
    def action_effect(self, state: State, seat: Seat, action: str) -> Say | None:
        """10. None is a choice."""
        return (
            say("You take no action and pay nothing.")
            if action == "none"
            else super().action_effect(state, seat, action)
        )

    @override
    def on_action(self, state: State, seat: Seat, action: str) -> Step[State]:
        """10. The fee is paid at once (R140a)."""
        if action == "none":
            return Step(state)
        price = self.action_price(state, seat, action)
        state = state.with_player(seat, cash=state.players[seat].cash - price)
        discs = {**state.extra_as(Discs).left, action: state.extra_as(Discs).left[action] - 1}
        return super().on_action(replace(state, extra=Discs(discs)), seat, action)

    @override
    def growth_dice(self, state: State) -> tuple[int, int]:
        """11. Two for each half."""
        return 2, 2

    @override
    def income_reduction(self, state: State, income: int) -> int:
        """11. Without a limit (R134)."""
        return max(0, (income - 1) // 5)

    @override
    def winners(self, state: State, standings: Sequence[Standing]) -> tuple[Seat, ...]:
        """12. Surviving turn 6 wins (R138)."""
        return tuple(seat for seat in state.seats if state.players[seat].out > 6)

    @override
    def verdict(self, state: State) -> Say | None:
        """12. The rating of the last turn (R139)."""
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
