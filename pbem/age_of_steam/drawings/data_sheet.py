"""The rule sheet of a map that is data: one class answers every hook from the table ``[rules]`` of its drawing."""

from collections.abc import Mapping, Sequence
from functools import cached_property
from itertools import chain
from typing import Any, ClassVar, Final

from msgspec import UNSET, UnsetType
from typing_extensions import override

from pbem.age_of_steam import bends
from pbem.age_of_steam.drawings import town_production
from pbem.age_of_steam.drawings.table import ExtraCube, Goods, Table, read_table
from pbem.age_of_steam.drawings.table_words import NEW_CITY_ONLY, TERMINAL, engineer_effect, notes, rules
from pbem.age_of_steam.events import OrderSet
from pbem.age_of_steam.events_build import TownConnected
from pbem.age_of_steam.game import AgeOfSteam
from pbem.age_of_steam.moves import Urbanize
from pbem.age_of_steam.proposals import Delivery, Placement
from pbem.age_of_steam.rules import EFFECTS, TERRAIN_PRICES
from pbem.age_of_steam.state import State, add_cubes, fill_display, take_cubes
from pbem.engine import Place, Refusal, Say, Seat, Step, Value, Who, refuse, replace, say, to_reader
from pbem.engine.chance import Chance
from pbem.engine.sheet import Standing
from pbem.rails.board import Board, Label
from pbem.rails.position_lines import NUMBER, FieldLine, Lines, several
from pbem.rails.tiles import tile_class
from pbem.rails.track import Link

HIGHEST_REDUCTION: Final = 10
HALF: Final = "half the dearest"


class DirectLink(Value):
    """The turn in which a special link was built last, and what the Engineer paid for such links in it: they are never
    halved. ``prices`` is kept only where a board has several."""

    turn: int
    prices: tuple[int, ...] | UnsetType = UNSET
    lines: ClassVar[Lines] = {
        "turn": FieldLine("Direct link built in turn", NUMBER),
        "prices": FieldLine("Paid for direct links", several(NUMBER)._replace(empty=UNSET)),
    }


class DataSheet(AgeOfSteam):
    """A sheet made of a board and its table of rules; a map that has more than a table can say bends it like any other.

    What of the table cannot be used is as in the base game: :mod:`pbem.age_of_steam.drawings.checks` tells of it.
    """

    def __init__(self, board: Board | None = None) -> None:
        super().__init__(board)
        board, self.table = self.board, read_table(self.board.rules)[0]
        self.buyable = tuple(link for link in board.connections.values() if link.price is not None)
        kinds = type(self).__mro__
        own = {name for kind in kinds[: kinds.index(DataSheet)] for name in vars(kind)}
        for name, value in _answers(board, self.table).items():
            if name not in own and value != getattr(type(self), name):
                vars(self)[name] = value

    @override
    def rule_texts(self) -> tuple[Say, ...]:
        return (*rules(self.board, self.table), *super().rule_texts())

    # set-up -------------------------------------------------------------------------------------------

    @override
    def bag(self) -> dict[str, int]:
        """Without the cubes that are laid on towns."""
        bag = super().bag()
        if self.table.town_cube in bag:
            bag[self.table.town_cube] -= len(self.board.towns)
        return bag

    @override
    def fill_display(self, state: State, chance: Chance) -> State:
        return fill_display(state, self.display_boxes(), chance, rows=self.table.display_rows)

    @override
    def on_setup(self, state: State, chance: Chance) -> State:
        """Cubes on towns, the colours of terminals, links that belong to everybody."""
        if self.table.town_cube == "drawn":
            state = bends.deal_cubes(state, tuple(self.board.towns), chance, "towns")
        elif self.table.town_cube != "none":
            state = replace(state, cubes={**state.cubes, **dict.fromkeys(self.board.towns, (self.table.town_cube,))})
        public = [link.id for link in self.board.connections.values() if link.price is None]
        state = replace(state, links={**state.links, **dict.fromkeys(public)})
        terminals = [city.label for city in self.board.cities.values() if TERMINAL in city.tags]
        if not terminals:
            return state
        cubes = chance.draw("terminal", state.bag, len(terminals))
        accepts = {label: (cube,) for label, cube in zip(terminals, cubes, strict=True)}
        return replace(state, accepts=accepts, bag=take_cubes(state.bag, cubes), gone=add_cubes(state.gone, cubes))

    @override
    def on_opening(self, state: State) -> State:
        """The cubes that show the colours of the terminals are out of the game."""
        if not state.accepts:
            return state
        return replace(state, gone=add_cubes({}, tuple(chain.from_iterable(state.accepts.values()))))

    @override
    def on_turn(self, state: State, chance: Chance) -> Step[State]:
        """The order turns round where the list of first players does (R154, R154a)."""
        firsts = self.table.first_player
        if not firsts or len(state.order) < 2:
            return Step(state)
        if state.turn == 1:
            order = state.order if firsts[0] == "white" else state.order[::-1]
        else:
            before, now = firsts[state.turn - 2 : state.turn]
            order = state.order if before == now else state.order[::-1]
        return Step(replace(state, order=order), (OrderSet(order),))

    @override
    def facts(self, state: State) -> tuple[Say, ...]:
        """Who plays white: the player who was drawn to be first; where the cube of Production goes."""
        production = (town_production.fact(state),) if self.table.production == "town" else ()
        if not self.table.first_player or len(state.order) < 2:
            return production
        white = state.order[0 if self.table.first_player[state.turn - 1] == "white" else 1]
        return (say("{player} plays white.", player=Who(white)), *production)

    # shares and actions -------------------------------------------------------------------------------

    @override
    def shares_allowed(self, state: State, seat: Seat) -> int:
        return min(self.table.shares_a_turn, super().shares_allowed(state, seat))

    @override
    def action_effect(self, state: State, seat: Seat, action: str) -> Say | None:
        if action == "engineer":
            return engineer_effect(self.table) or EFFECTS[action]
        if action == "production" and self.table.production == "town":
            return town_production.effect(state)
        return super().action_effect(state, seat, action)

    # build track --------------------------------------------------------------------------------------

    @override
    def build_price(self, state: State, seat: Seat, prices: Sequence[int]) -> int:
        """Less for the Engineer: the cheapest placement (R132), or half of the dearest tile (R96)."""
        if state.players[seat].action != "engineer" or not prices:
            return sum(prices)
        match self.table.discount:
            case "cheapest free":
                return sum(prices) - min(prices)
            case "half the dearest":
                tiles = list(prices)
                for price in self._paid_for_links(state, seat):
                    tiles.remove(price)
                return sum(prices) - max(tiles, default=0) // 2
        return sum(prices)

    def _paid_for_links(self, state: State, seat: Seat) -> tuple[int, ...]:
        """What the Engineer has paid for special links in this turn: they are no tiles."""
        if not isinstance(state.extra, DirectLink) or state.extra.turn != state.turn:
            return ()
        if state.extra.prices is not UNSET:
            return state.extra.prices
        return (self.buyable[0].price or 0,) if seat in state.links.values() else ()

    @override
    def cheapest_placement(self, state: State, seat: Seat, prices: Sequence[int]) -> int:
        """Nothing or half for the Engineer, whose only placement it may be (R132, R96)."""
        if state.players[seat].action != "engineer" or self.table.discount == "none":
            return self._least
        if self.table.discount == HALF:
            return self._least - self._least // 2
        return self._least if prices else 0

    @cached_property
    def _least(self) -> int:
        """Dollars for the cheapest placement of the board: an exit or a replaced tile costs $2."""
        printed = (hex_.price for hex_ in self.board.hexes.values() if hex_.price is not None)
        return min((2, *self.table.prices.values(), *printed, *(link.price or 0 for link in self.buyable)))

    @override
    def refuse_placement(self, state: State, seat: Seat, placement: Placement, after: State) -> Refusal | None:
        """Some special links lead to a town only when it is a New City (R133)."""
        if not placement.link:
            return None
        link = self.board.connections[placement.link]
        town = next((label for label in link.joins if label in self.board.towns), None)
        if NEW_CITY_ONLY in link.tags and town is not None and town not in state.new_cities.values():
            return refuse("R133", "This link can be built only when {town} is a New City.", town=Place(town))
        return None

    @override
    def on_placement(self, state: State, seat: Seat, placement: Placement) -> Step[State]:
        """Income for the first tile on a town (R118); when a special link was built is remembered where it matters."""
        if placement.link:
            return Step(self._link_noted(state, seat, placement.link) if self.table.discount == HALF else state)
        if not self.table.town_income or placement.old or tile_class(placement.tile) != "town":
            return Step(state)
        income = state.players[seat].income + self.table.town_income
        return Step(state.with_player(seat, income=income), (TownConnected(seat, placement.hex, income),))

    def _link_noted(self, state: State, seat: Seat, link: str) -> State:
        if len(self.buyable) == 1:
            return replace(state, extra=DirectLink(state.turn))
        if state.players[seat].action != "engineer":
            return state
        paid = (*self._paid_for_links(state, seat), self.board.connections[link].price or 0)
        return replace(state, extra=DirectLink(state.turn, paid))

    @override
    def on_urbanized(self, state: State, seat: Seat, step: Urbanize) -> State:
        return bends.cubes_to_bag(state, step.hex) if self.table.urbanized == "bag" else state

    @override
    def refuse_build(self, state: State, seat: Seat) -> Refusal | None:
        """Nothing unfinished, where only complete links may be built (R97)."""
        return bends.loose_ends(self, state, seat) if self.table.complete_links else None

    # move goods ---------------------------------------------------------------------------------------

    @override
    def passes(self, state: State, node: Label, colour: str) -> bool:
        """Nothing passes through a terminal."""
        city = self.board.cities.get(node)
        return city is None or TERMINAL not in city.tags

    @override
    def sources(self, state: State) -> tuple[Label, ...]:
        """Towns as well, where cubes lie on them."""
        if self.table.town_cube == "none" and self.table.production == "display":
            return super().sources(state)
        return bends.with_towns(self, state)

    @override
    def refuse_delivery(self, state: State, seat: Seat, delivery: Delivery) -> Refusal | None:
        """Enough links of one's own (R131) and of others (R124)."""
        own = sum(link.owner == seat for link in delivery.links)
        if self.table.own_links == "half" and own < (needed := (len(delivery.links) + 1) // 2):
            return refuse(
                "R131",
                "Of {n} links {needed} must be your own; {own} are.",
                n=len(delivery.links),
                needed=needed,
                own=own,
            )
        if sum(link.owner not in (None, seat) for link in delivery.links) >= self.links_of_others:
            return None
        if self.links_of_others == 1:
            return refuse("R124", "A delivery must use at least one link of another player.")
        return refuse("R124", "A delivery must use at least {n} links of other players.", n=self.links_of_others)

    @override
    def delivery_gains(self, state: State, seat: Seat, delivery: Delivery) -> dict[Seat, int]:
        """More or less for the mover of some colours, also without a link of the mover's own (R89)."""
        gains = super().delivery_gains(state, seat, delivery)
        if more := self._goods(delivery.colour).income:
            gain = max(gains.pop(seat, 0) + more, -state.players[seat].income)
            return {**gains, seat: gain} if gain else gains
        return gains

    def _goods(self, colour: str) -> Goods:
        return self.table.goods.get(colour, Goods())

    @override
    def on_delivered(self, state: State, seat: Seat, delivery: Delivery) -> Step[State]:
        """Cubes of some colours leave the game."""
        if self._goods(delivery.colour).leaves:
            return Step(replace(state, gone=add_cubes(state.gone, (delivery.colour,))))
        return super().on_delivered(state, seat, delivery)

    # income, expenses, reduction ----------------------------------------------------------------------

    @override
    def expenses(self, state: State, seat: Seat) -> int:
        """The number of the turn counts as well where the table says so (R137)."""
        return super().expenses(state, seat) + (state.turn if self.table.expenses_add_turn else 0)

    @override
    def lowered_income(self, state: State, seat: Seat, missing: int) -> int:
        """Not below 0 where nobody goes bankrupt (R117a)."""
        income = super().lowered_income(state, seat, missing)
        return max(0, income) if self.table.bankruptcy == "never" else income

    @override
    def income_reduction(self, state: State, income: int) -> int:
        """By the table of the game, in steps of five (R134) or not at all; twice in some turns (R92)."""
        match self.table.income_reduction:
            case "none":
                return 0
            case "fives":
                once = min(HIGHEST_REDUCTION, max(0, (income - 1) // 5))
            case _:
                once = super().income_reduction(state, income)
        return once * (2 if state.turn in self.table.reduction_doubled else 1)

    # goods growth -------------------------------------------------------------------------------------

    @override
    def on_growth_begins(self, state: State, chance: Chance) -> Step[State]:
        """Extra cubes that come first of all (R98a)."""
        return self._extra_cubes(state, "before production", chance)

    @override
    def on_growth(self, state: State, chance: Chance) -> Step[State]:
        """Extra cubes after Production (R91, R120)."""
        return self._extra_cubes(state, "before dice", chance)

    def _extra_cubes(self, state: State, when: str, chance: Chance) -> Step[State]:
        step = Step(state)
        for cube in self.table.cubes:
            if cube.due(state.turn, when):
                step = _extra_cube(step.state, cube, chance).after(step.events)
        return step

    @override
    def growth_dice(self, state: State) -> tuple[int, int]:
        return self.table.growth_dice or super().growth_dice(state)

    # end of the game ----------------------------------------------------------------------------------

    @override
    def link_points(self, state: State, link: Link) -> int:
        return self.table.track_points * super().link_points(state, link)

    @override
    def score(self, state: State, seat: Seat, links: Sequence[Link]) -> tuple[tuple[str, int], ...]:
        """A point for every full sum of dollars, where they count."""
        parts = super().score(state, seat, links)
        if not self.table.dollars_a_point:
            return parts
        return (*parts, ("cash", state.players[seat].cash // self.table.dollars_a_point))

    @override
    def sums(self, state: State, seat: Seat) -> Mapping[str, Say]:
        sums = super().sums(state, seat)
        if not (dollars := self.table.dollars_a_point):
            return sums
        cash = say("${cash} / {n}, rounded down", cash=state.players[seat].cash, n=dollars)
        return {**sums, "cash": cash}

    @override
    def winners(self, state: State, standings: Sequence[Standing]) -> tuple[Seat, ...]:
        """To the last player: also when all of the last ones went bankrupt together (R135)."""
        if self.table.end != "last player":
            return super().winners(state, standings)
        return tuple(line.seat for line in standings if line.place == 1)


def _extra_cube(state: State, cube: ExtraCube, chance: Chance) -> Step[State]:
    """A cube of a colour is looked for in the bag, any other is drawn."""
    if not cube.colour:
        return bends.extra_cube(state, cube.hex, chance)
    if not state.bag.get(cube.colour):
        return Step(state)
    found = (cube.colour,)
    return bends.put_cubes(replace(state, bag=take_cubes(state.bag, found)), cube.hex, found)


def _answers(board: Board, table: Table) -> dict[str, Any]:
    """What other maps say as attributes of their class."""
    town = table.production == "town"
    own = [*([bends.WholeBuild()] if table.complete_links else []), *([town_production.TownGrowth()] if town else [])]
    last = table.end == "last player"
    return {
        "players": range(table.players[0], table.players[1] + 1),
        "game_turns": dict.fromkeys(range(1, 7)) if last else table.turns,
        "start_cash": table.cash,
        "start_shares": table.shares,
        "start_engine": table.engine,
        "share_cap": table.share_cap,
        "actions": table.actions,
        "phases": bends.phases_with(*own, without="turn_order" if table.order == "none" else ""),
        "tiles": table.tiles,
        "rounds": table.rounds,
        "engine_cap": table.engine_cap,
        "engineer_tiles": table.engineer_tiles,
        "terrain_prices": {**TERRAIN_PRICES, **table.prices},
        "links_of_others": table.links_of_others,
        "scored": not last,
        "map_options": (town_production.TARGET,) if town else (),
        "idle_options": frozenset() if table.income_reduction == "table" else frozenset({"reduction_table"}),
        "extra": DirectLink if table.discount == HALF else None,
        "notes": notes(board, table),
    }


to_reader("{player} plays white.", player="You play white.")
