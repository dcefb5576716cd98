"""The hooks of Steam Power; every default body is the base rule. Numbers SP-R… are the rulings."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from typing import Any, ClassVar

from typing_extensions import override

from pbem.engine import Refusal, Say, Seat, Step, replace, say
from pbem.engine.chance import Chance
from pbem.engine.units import ROUNDS, Unit
from pbem.rails.board import Board, Label, groups_of
from pbem.rails.sheet import AskingPhase, MapSheet
from pbem.rails.track import Net
from pbem.steam_power.contracts import ContractTile, contracts_for
from pbem.steam_power.events import RoundBegan
from pbem.steam_power.railways import Group, Railways
from pbem.steam_power.state import COLOURS, VICTORY, State

POOLS: Mapping[str, str] = {
    "straight": "straight tiles and gentle curves",
    "gentle": "straight tiles and gentle curves",
    "acute": "sharp curves and double straights",
    "cross_straight_straight": "sharp curves and double straights",
    "cross_gentle_gentle": "other crossings",
    "cross_gentle_straight": "other crossings",
}
"""The pool that a tile side belongs to (SP-R1): a physical tile has two sides."""
COEXISTING: Mapping[str, str] = {"coexist_gentle_gentle": "other crossings"}
"""What the option adds (SP-R1)."""


class Rules:
    """The base rules as hooks. ``board`` is what is printed."""

    board: Board
    colours: ClassVar[tuple[Seat, ...]]
    unit: ClassVar[Unit] = ROUNDS
    notes: ClassVar[tuple[Say, ...]] = ()
    """Short sentences beside the board picture: what is different on this map."""

    # set-up -------------------------------------------------------------------------------------------

    players: ClassVar[range] = range(2, 6)
    start_cash: ClassVar[int] = 5
    start_hand: ClassVar[int] = 5
    trains: ClassVar[int] = 18
    factories: ClassVar[int] = 15
    city_tiles: ClassVar[Mapping[str, int]] = {**dict.fromkeys(COLOURS, 7), VICTORY: 5}

    @cached_property
    def contracts(self) -> Mapping[int, ContractTile]:
        return contracts_for(self.package).tiles

    @cached_property
    def package(self) -> str:
        return type(self).__module__.rpartition(".")[0]

    @cached_property
    def groups(self) -> Mapping[Label, Group]:
        """The group of every City: adjacent Cities are one (SP-R12)."""
        return groups_of(self.board, self.board.cities)

    def companies(self, seats: Sequence[Seat]) -> tuple[Seat, ...]:
        return tuple(seats)

    def on_setup(self, state: State, chance: Chance) -> State:
        """What a mode sets up besides."""
        return state

    # turns --------------------------------------------------------------------------------------------

    actions: ClassVar[int] = 2
    rounds: ClassVar[int | None] = None
    """Length of a game, ``None`` where the contracts end it."""

    def end_threshold(self, players: int) -> int | None:
        """Contracts fulfilled by one player that make the round the last one (section 3)."""
        return {2: 14, 3: 11, 4: 9, 5: 8}[players]

    def last_round(self, state: State) -> bool:
        threshold = self.end_threshold(len(state.seats))
        return threshold is not None and any(len(player.done) >= threshold for player in state.players.values())

    def first_turn(self, state: State, chance: Chance) -> Step[State]:
        """Whose turn it is after the deal."""
        first = state.seats[0]
        begun = replace(state, seat=first, company=first, left=self.actions)
        return Step(begun, (RoundBegan(state.turn),))

    def next_turn(self, state: State, chance: Chance) -> Step[State]:
        """After a turn: clockwise; the game ends after a last round, so everyone has had as many turns (SP-R7)."""
        at = state.seats.index(state.seat) + 1
        if at < len(state.seats):
            following = state.seats[at]
            return Step(replace(state, seat=following, company=following, left=self.actions))
        if self.last_round(state):
            return Step(replace(state, over=True))
        return self.first_turn(replace(state, turn=state.turn + 1), chance)

    def refuse_order(self, state: State) -> Refusal | None:
        return None

    def refuse_standing_orders(self, state: State) -> Refusal | None:
        """Why nothing may be ordered ahead of time."""
        return None

    # money --------------------------------------------------------------------------------------------

    crossing_price: ClassVar[int] = 2
    bank_price: ClassVar[int] = 5
    terrain_prices: ClassVar[Mapping[str, int]] = {"plain": 0, "hill": 2, "mountain": 4}

    def terrain_price(self, label: Label) -> int:
        """Dollars for a simple tile on an empty hex."""
        hex_ = self.board.hexes[label]
        return hex_.price if hex_.price is not None else self.terrain_prices[hex_.terrain]

    def price_words(self, label: Label) -> Say:
        """What a simple tile costs on an empty hex, as the key of the picture says it."""
        return say("${price}", price=self.terrain_price(label))

    def cash_action(self, state: State) -> int:
        """Dollars that the cash action takes (section 8)."""
        return int(state.options.get("cash_action", "3"))

    def on_paid(self, state: State, company: Seat, amount: int) -> State:
        """Dollars reach the owner of a factory or connection (section 6)."""
        return state.with_cash(company, amount)

    # tiles --------------------------------------------------------------------------------------------

    pool_sizes: ClassVar[Mapping[str, int]] = {
        "straight tiles and gentle curves": 80,
        "sharp curves and double straights": 10,
        "other crossings": 10,
    }

    def pool(self, state: State, tile: str) -> str | None:
        """The pool of a tile side, ``None`` for one that does not exist (SP-R1)."""
        if tile in COEXISTING and state.options.get("coexisting") == "yes":
            return COEXISTING[tile]
        return POOLS.get(tile)

    def pools_limited(self, state: State) -> bool:
        """SP-R2."""
        return state.options.get("limited_tiles", "yes") == "yes"

    # factories ----------------------------------------------------------------------------------------

    factory_cubes: ClassVar[int] = 5
    bonus_cubes: ClassVar[tuple[int, ...]] = (4, 5, 6)

    # scoring ------------------------------------------------------------------------------------------

    victory_points: ClassVar[int] = 4
    flipped_points: ClassVar[int] = 2

    def score(self, state: State, seat: Seat, railways: Railways) -> tuple[tuple[str, int], ...]:
        """The parts of a player's victory points; their sum is the score (section 10)."""
        player = state.players[seat]
        flipped = sum(1 for tile in state.cities.values() if tile.flipped and tile.factory == seat)
        shares = [railways.connected(label) for label, tile in state.cities.items() if tile.colour == VICTORY]
        return (
            ("contracts", sum(self.contracts[number].vp for number in player.done)),
            ("factories", self.flipped_points * flipped),
            ("cities", sum(self.victory_points // len(sharing) for sharing in shares if seat in sharing)),
            ("cash", player.cash // 5),
        )

    def besides(self, state: State, railways: Railways) -> dict[str, Any]:
        """What a mode adds to the position that others see."""
        return {}

    # what hooks may use -------------------------------------------------------------------------------

    def railways(self, state: State) -> Railways:
        return Railways(self.board, self.groups, state.track)


class SteamPowerSheet(Rules, MapSheet[State, AskingPhase[Rules, State]]):
    """The rules as a sheet."""

    @override
    def net(self, state: State) -> Net:
        return self.railways(state).net
