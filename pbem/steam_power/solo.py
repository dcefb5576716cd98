"""The solo mode (section 11): five companies, one purse, a bag of trains, eight rounds."""

from collections.abc import Mapping, Sequence
from typing import Any, ClassVar

from typing_extensions import override

from pbem.engine import Refusal, Say, Seat, Step, refuse, replace, say
from pbem.engine.chance import Chance
from pbem.engine.sheet import Standing
from pbem.steam_power.events import CounterLaid, RoundBegan, TrainDrawn
from pbem.steam_power.game import SteamPower
from pbem.steam_power.position import pieces_left
from pbem.steam_power.railways import Railways
from pbem.steam_power.state import VICTORY, State
from pbem.steam_power.taking import draw_numbers

IN_BAG = 2
"""Trains of each company in the bag; the others are left for building."""


class SoloSteamPower(SteamPower):
    """One player acts for whichever company's train is drawn."""

    mode = "solo"
    colours = ("gray",)
    """The player's own colour, so that nobody is taken for one of the companies."""
    company_colours: ClassVar[tuple[Seat, ...]] = SteamPower.colours
    players = range(1, 2)
    actions = 1
    rounds = 8
    trains = SteamPower.trains - IN_BAG

    @override
    def companies(self, seats: Sequence[Seat]) -> tuple[Seat, ...]:
        return self.company_colours

    @override
    def end_threshold(self, players: int) -> int | None:
        """The contract count never ends the game."""
        return None

    @override
    def last_round(self, state: State) -> bool:
        return state.turn == self.rounds

    @override
    def on_paid(self, state: State, company: Seat, amount: int) -> State:
        """Everything is paid to the bank."""
        return state

    @override
    def on_setup(self, state: State, chance: Chance) -> State:
        return replace(state, trains=self._all_trains())

    def _all_trains(self) -> tuple[Seat, ...]:
        return tuple(company for company in self.company_colours for _ in range(IN_BAG))

    @override
    def first_turn(self, state: State, chance: Chance) -> Step[State]:
        return self._draw_train(state, chance).after((RoundBegan(state.turn),))

    @override
    def next_turn(self, state: State, chance: Chance) -> Step[State]:
        """The next train, or after the tenth one the counter of the round (SP-R45)."""
        known = replace(state, known=state.step + 1)
        if state.trains:
            return self._draw_train(known, chance)
        counted = self._count_turn(known, chance)
        if state.turn == self.rounds:
            return Step(replace(counted.state, over=True), counted.events)
        following = replace(counted.state, turn=state.turn + 1, trains=self._all_trains())
        return self.first_turn(following, chance).after(counted.events)

    def _draw_train(self, state: State, chance: Chance) -> Step[State]:
        bag = {company: state.trains.count(company) for company in self.company_colours}
        (company,) = chance.draw("train", bag, 1)
        at = state.trains.index(company)
        trains = state.trains[:at] + state.trains[at + 1 :]
        drawn = replace(state, trains=trains, company=company, left=self.actions)
        return Step(drawn, (TrainDrawn(company),))

    def _count_turn(self, state: State, chance: Chance) -> Step[State]:
        numbers = draw_numbers(chance, "counter", state.bag, 1) if state.bag else ()
        bag = tuple(number for number in state.bag if number not in numbers)
        laid = replace(state, bag=bag, counters=state.counters + numbers)
        return Step(laid, (CounterLaid(state.turn, bool(numbers)),))

    @override
    def refuse_order(self, state: State) -> Refusal | None:
        """SP-R47: nobody orders for a train that is not drawn yet."""
        return self.refuse_standing_orders(state) if state.step < state.known else None

    @override
    def refuse_standing_orders(self, state: State) -> Refusal | None:
        return refuse("SP-R47", "The next train is drawn only after this action: send its order afterwards.")

    @override
    def winners(self, state: State, standings: Sequence[Standing]) -> tuple[Seat, ...]:
        """SP-R48."""
        return ()

    @override
    def score(self, state: State, seat: Seat, railways: Railways) -> tuple[tuple[str, int], ...]:
        player = state.players[seat]
        flipped = sum(1 for tile in state.cities.values() if tile.flipped)
        victory = [label for label, tile in state.cities.items() if tile.colour == VICTORY]
        return (
            ("contracts", sum(self.contracts[number].vp for number in player.done)),
            ("factories", self.flipped_points * flipped),
            ("cities", sum(len(railways.connected(label)) for label in victory)),
            ("cash", player.cash // 5),
        )

    @override
    def verdict(self, state: State) -> Say | None:
        (seat,) = state.seats
        points = sum(part for _, part in self.score(state, seat, self.railways(state)))
        return say("A game alone has no winner; its score is {points}.", points=points)

    @override
    def goal(self, state: State, seat: Seat) -> Say | None:
        points = sum(part for _, part in self.score(state, seat, self.railways(state)))
        return say(
            "Score as much as you can in {rounds} rounds of ten trains; each train gives one action to its company. "
            "You have {points} points: those of contracts, 2 for every factory that is used up, 1 for every company at "
            "each purple City, and 1 for every $5.",
            rounds=self.rounds,
            points=points,
        )

    @override
    def besides(self, state: State, railways: Railways) -> dict[str, Any]:
        trains: Mapping[Seat, int] = {company: state.trains.count(company) for company in self.company_colours}
        return {
            "company": None if state.over else state.company,
            "companies": {company: pieces_left(self, state, company, railways) for company in state.companies},
            "train_bag": {company: count for company, count in trains.items() if count},
            "counters": len(state.counters),
        }
