"""Barbados (alone).

1. Purple cubes and New Cities E, F, G and H are not in the game.
2. Only the light half of the goods display is used. The top box of columns 1 to 6 and of New Cities A to D
   receives one cube; a red cube for A or a blue one for B is drawn again. The other boxes begin empty.
3. Each of the six yellow Cities begins with one cube. (Option, the easy variant: with two.)
4. At most one share may be issued in a turn, and 15 in all as always.
5. The order of players is not determined: that phase does not exist.
6. The actions are Engineer, Locomotive, Urbanization and Production. One must be taken each turn. An action
   that was taken is blocked until all four have been taken; then all four are free again.
7. Goods growth: two dice are rolled, for the light half. Production may fill any empty box of it.
8. The game ends after ten turns. Then all shares, the two of the start too, are bought back for $5 each. If you
   cannot pay that, you have lost; otherwise the cash that is left is your score. Income and track count nothing.
9. Whoever cannot pay the expenses and falls below an income of 0 has lost at once.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from typing_extensions import override

from pbem.age_of_steam import bends
from pbem.age_of_steam.game import AgeOfSteam
from pbem.age_of_steam.phases.base import AgeOfSteamPhase
from pbem.age_of_steam.phases.money import eliminate
from pbem.age_of_steam.state import State, add_cubes, fill_display, take_cubes
from pbem.engine import Say, Seat, Step, Value, Who, Word, count_say, replace, say, to_reader
from pbem.engine.chance import Chance
from pbem.engine.events import Event
from pbem.engine.sheet import Option
from pbem.rails.position_lines import ACTION, FieldLine, Lines, several
from pbem.rails.track import Link

SHARE_PRICE = 5
"""8. Dollars for a share that is bought back."""


class Blocked(Value):
    """6. The actions that carry a disc."""

    actions: tuple[str, ...] = ()
    lines: ClassVar[Lines] = {"actions": FieldLine("Actions with a disc", several(ACTION))}


class SharesBoughtBack(Event):
    """The end of the game: dollars paid for all shares."""

    consequence = True
    seat: Seat
    shares: int
    paid: int

    @override
    def text(self) -> Say:
        return count_say(
            "{player} bought back {n} share for ${paid}.",
            "{player} bought back {n} shares for ${paid}.",
            self.shares,
            player=Who(self.seat),
            paid=self.paid,
        )


to_reader(
    "{player} bought back {n} share for ${paid}.",
    player=("You bought back {n} share for ${paid}.", "You bought back {n} shares for ${paid}."),
)


class CannotBuyBack(Event):
    """The end of the game: the shares cost more than there is."""

    consequence = True
    sentence = say("{player} has ${cash} and cannot buy back the shares for ${price}.")
    seat: Seat
    price: int
    cash: int


to_reader(
    "{player} has ${cash} and cannot buy back the shares for ${price}.",
    player="You have ${cash} and cannot buy back your shares for ${price}.",
)


class Barbados(AgeOfSteam):
    """Alone for cash."""

    players: ClassVar[range] = range(1, 2)
    game_turns: ClassVar[Mapping[int, int | None]] = {1: 10}
    phases: ClassVar[tuple[AgeOfSteamPhase, ...]] = bends.phases_with(without="turn_order")
    actions: ClassVar[tuple[str, ...]] = ("engineer", "locomotive", "urbanization", "production")
    extra: ClassVar[type | None] = Blocked
    map_options: ClassVar[tuple[Option, ...]] = (
        Option(
            "barbados_cubes",
            "Cubes on the Cities at the start",
            {"one": "One on each City", "two": "Two on each City: the easy variant"},
        ),
    )
    notes: ClassVar[tuple[Say, ...]] = (
        say("One share a turn at most."),
        say("An action is blocked until all four have been taken."),
        say("After turn 10 all shares are bought back for $5 each: the cash left is your score."),
    )

    @override
    def bag(self) -> dict[str, int]:
        """1. No purple cubes."""
        return {colour: count for colour, count in super().bag().items() if colour != "purple"}

    @override
    def display_boxes(self) -> dict[str, int]:
        """2. The light half with New Cities A to D (R101)."""
        return {
            column: count
            for column, count in super().display_boxes().items()
            if column.startswith("L") or column in self.board.new_cities
        }

    @override
    def fill_display(self, state: State, chance: Chance) -> State:
        """2. The top boxes, without a cube in the colour of its New City (R99)."""
        state = fill_display(state, self.display_boxes(), chance, rows=1)
        for letter in ("A", "B"):
            while state.display[letter][0] in self.board.new_cities[letter].colours:
                state = _redraw(state, letter, chance)
        return state

    @override
    def on_setup(self, state: State, chance: Chance) -> State:
        """3. The second cubes of the easy variant (R103: yellow ones are not drawn again)."""
        cubes = dict(state.cubes)
        drawn: tuple[str, ...] = ()
        if state.options.get("barbados_cubes") == "two":
            drawn = chance.draw("easy", state.bag, len(self.board.cities))
            for city, cube in zip(self.board.cities, drawn, strict=True):
                cubes[city] = (*cubes[city], cube)
        return replace(state, cubes=cubes, bag=take_cubes(state.bag, drawn), extra=Blocked())

    @override
    def shares_allowed(self, state: State, seat: Seat) -> int:
        """4. One a turn."""
        return min(1, super().shares_allowed(state, seat))

    @override
    def share_terms(self) -> Say:
        """8. They are bought back at the end."""
        return say("Each brings ${price} now, costs $1 a turn and ${price} at the end.", price=SHARE_PRICE)

    @override
    def actions_free(self, state: State, seat: Seat) -> tuple[str, ...]:
        """6. Those without a disc."""
        return tuple(action for action in self.actions if action not in state.extra_as(Blocked).actions)

    @override
    def on_action(self, state: State, seat: Seat, action: str) -> Step[State]:
        """6. A disc on the action; the fourth one clears all of them."""
        blocked = (*state.extra_as(Blocked).actions, action)
        free_again = len(blocked) == len(self.actions)
        state = replace(state, extra=Blocked(() if free_again else blocked))
        return super().on_action(state, seat, action)

    @override
    def facts(self, state: State) -> tuple[Say, ...]:
        """6. The discs on the actions."""
        blocked = tuple(map(Word, state.extra_as(Blocked).actions))
        return (say("Blocked actions: {actions}.", actions=blocked),) if blocked else ()

    @override
    def growth_dice(self, state: State) -> tuple[int, int]:
        """7. Two for the light half (R100)."""
        return 2, 0

    @override
    def on_game_end(self, state: State, chance: Chance) -> Step[State]:
        """8. All shares are bought back, or the game is lost (R102)."""
        (seat,) = state.order
        player = state.players[seat]
        price = SHARE_PRICE * player.shares
        if price > player.cash:
            return Step(eliminate(state, seat), (CannotBuyBack(seat, price, player.cash),))
        paid = state.with_player(seat, cash=player.cash - price, shares=0)
        return Step(paid, (SharesBoughtBack(seat, player.shares, price),))

    @override
    def score(self, state: State, seat: Seat, links: Sequence[Link]) -> tuple[tuple[str, int], ...]:
        """8. Cash, less what the shares cost that are still to be bought back."""
        player = state.players[seat]
        return ("cash", player.cash), ("shares", -SHARE_PRICE * player.shares)

    @override
    def sums(self, state: State, seat: Seat) -> Mapping[str, Say]:
        return {"shares": say("{n} × −{price}", n=state.players[seat].shares, price=SHARE_PRICE)}

    @override
    def verdict(self, state: State) -> Say | None:
        """8 and 9. What became of the player."""
        (seat,) = state.seats
        player = state.players[seat]
        if not player.out:
            return say("All shares are bought back, and ${cash} are left: that is your score.", cash=player.cash)
        if player.income < 0:
            return say("Bankrupt in turn {turn}: the game is lost.", turn=player.out)
        return say("The shares could not be bought back: the game is lost.")


def _redraw(state: State, letter: str, chance: Chance) -> State:
    """2. Another cube for a New City; the refused one goes back after it was drawn (R99)."""
    refused = tuple(filter(None, state.display[letter][:1]))
    drawn = chance.draw("redraw", state.bag, 1)
    bag = add_cubes(take_cubes(state.bag, drawn), refused)
    return replace(state, display={**state.display, letter: (*drawn, *state.display[letter][1:])}, bag=bag)


SHEETS = (Barbados,)
