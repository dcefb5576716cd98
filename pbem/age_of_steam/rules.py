"""The hooks of Age of Steam in order of play; every default body is the base rule.

A map overrides what its sheet says differently. The name tells the kind of hook: a noun answers,
``refuse_…`` vetoes with a sentence, ``on_…`` does something. Only a hook that takes a ``Chance`` can be
random. Numbers R… are the rulings of the digest, kept in ``docs/rulings.md``. What hooks may ask of the track that
lies on the board is in ``layout.py``, what they are told of in ``proposals.py``.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from pbem.age_of_steam.layout import Layout, LinkGraph
from pbem.age_of_steam.moves import Origin, OwnStep, Urbanize
from pbem.age_of_steam.proposals import Delivery, Placement
from pbem.age_of_steam.state import State, add_cubes, fill_display
from pbem.engine import Refusal, Say, Seat, Step, replace, say
from pbem.engine.chance import Chance
from pbem.engine.units import TURNS, Unit
from pbem.rails.board import Label, NewCity
from pbem.rails.tiles import SUPPLY, TOWN_DISCS, tile_class
from pbem.rails.track import Chain, Link

TERRAIN_PRICES: Mapping[str, int] = {"plain": 2, "river": 3, "mountain": 4, "hill": 3, "swamp": 4, "dark_mountain": 5}
SHARE_PRICE = 5
"""Dollars a player receives for a share."""
SHARE_POINTS = 3
"""Points a share costs at the end."""
SURCHARGE: Mapping[str, int] = {"simple": 0, "coexist": 1, "cross": 2}

EFFECTS: Mapping[str, Say] = {
    "first-move": say("You move goods before all others, in every round."),
    "first-build": say("You build before all others."),
    "engineer": say("You may lay four tiles instead of three."),
    "urbanization": say("You may place a New City on a town before you build."),
    "production": say("You put two cubes from the bag on empty boxes of the goods display."),
    "turn-order": say("You may pass once in the next auction without dropping."),
}


class Rules(Layout):
    """The base rules as hooks."""

    unit: ClassVar[Unit] = TURNS
    notes: ClassVar[tuple[Say, ...]] = ()
    """Two to four short sentences beside the board picture: what is different on this map."""

    # set-up -------------------------------------------------------------------------------------------

    players: ClassVar[range] = range(3, 7)
    game_turns: ClassVar[Mapping[int, int | None]] = {3: 10, 4: 8, 5: 7, 6: 6}
    start_cash: ClassVar[int] = 10
    start_shares: ClassVar[int] = 2
    start_engine: ClassVar[int] = 1

    def bag(self) -> dict[str, int]:
        """The cubes in the bag before set-up (1.3)."""
        return {"red": 20, "blue": 20, "purple": 20, "yellow": 20, "black": 16}

    def display_boxes(self) -> dict[str, int]:
        """How many boxes each column of the goods display has (set-up 2)."""
        return {**{f"{half}{n}": 3 for half in "LD" for n in range(1, 7)}, **dict.fromkeys("ABCDEFGH", 2)}

    def fill_display(self, state: State, chance: Chance) -> State:
        """Fill the goods display from the bag (set-up 2); every box of every column (R8)."""
        return fill_display(state, self.display_boxes(), chance)

    def on_setup(self, state: State, chance: Chance) -> State:
        """Set-up after display and Cities: cubes on other hexes, then extras of the map (R6)."""
        return state

    def on_opening(self, state: State) -> State:
        """The opening of a record has been laid out: what it cannot say is put where it must be."""
        return state

    def on_turn(self, state: State, chance: Chance) -> Step[State]:
        """What happens when a turn begins, the first one too."""
        return Step(state)

    # issue shares -------------------------------------------------------------------------------------

    share_cap: ClassVar[int] = 15
    """R10: in all, the starting shares included."""

    def shares_allowed(self, state: State, seat: Seat) -> int:
        return max(0, self.share_cap - state.players[seat].shares)

    def share_terms(self) -> Say:
        """What a share brings and costs, as the question for shares says it."""
        if not self.scored:
            return say("Each brings ${price} now and costs $1 a turn.", price=SHARE_PRICE)
        return say(
            "Each brings ${price} now, costs $1 a turn and {points} points at the end.",
            price=SHARE_PRICE,
            points=SHARE_POINTS,
        )

    # select actions -----------------------------------------------------------------------------------

    actions: ClassVar[tuple[str, ...]] = (
        "first-move",
        "first-build",
        "engineer",
        "locomotive",
        "urbanization",
        "production",
        "turn-order",
    )

    def actions_free(self, state: State, seat: Seat) -> tuple[str, ...]:
        taken = {state.players[other].action for other in state.order}
        return tuple(action for action in self.actions if action not in taken)

    def action_price(self, state: State, seat: Seat, action: str) -> int:
        return 0

    def action_effect(self, state: State, seat: Seat, action: str) -> Say | None:
        """One sentence on what an action brings."""
        if action == "locomotive":
            engine = state.players[seat].engine
            return say("Your engine goes from {a} to {b} links now.", a=engine, b=min(self.engine_cap, engine + 1))
        return EFFECTS.get(action)

    def on_action(self, state: State, seat: Seat, action: str) -> Step[State]:
        """What an action brings about when it is taken: Locomotive raises the engine at once (R20)."""
        engine = state.players[seat].engine
        if action != "locomotive" or engine >= self.engine_cap:
            return Step(state)
        return self.on_engine(state.with_player(seat, engine=engine + 1), seat)

    def on_engine(self, state: State, seat: Seat) -> Step[State]:
        """What it brings about that the player's engine has just risen, by the action or by a move."""
        return Step(state)

    # build track --------------------------------------------------------------------------------------

    tiles: ClassVar[int] = 3
    engineer_tiles: ClassVar[int] = 4
    tile_supply: ClassVar[Mapping[str, int]] = SUPPLY
    town_discs: ClassVar[int] = TOWN_DISCS
    terrain_prices: ClassVar[Mapping[str, int]] = TERRAIN_PRICES

    def tile_limit(self, state: State, seat: Seat) -> int:
        return self.engineer_tiles if state.players[seat].action == "engineer" else self.tiles

    printed_track: ClassVar[frozenset[Label]] = frozenset()
    """Hexes whose track is printed on the board: it takes no tile and no disc from the supply."""

    def tiles_in_box(self, state: State) -> Mapping[str, int]:
        """Copies of each tile that may lie on the board (R1)."""
        return self.tile_supply

    def cheapest_placement(self, state: State, seat: Seat, prices: Sequence[int]) -> int:
        """Dollars that the next placement adds at the least: with less cash nobody is asked (A6)."""
        return 2

    def ownership_discs(self, state: State) -> int | None:
        """R4: links and sections one player may own, ``None`` for no limit."""
        limit = state.options.get("ownership_discs", "20")
        return None if limit == "unlimited" else int(limit)

    def new_cities_free(self, state: State, seat: Seat) -> tuple[NewCity, ...]:
        return tuple(city for letter, city in self.board.new_cities.items() if letter not in state.new_cities)

    def urbanizable(self, state: State, seat: Seat) -> tuple[Label, ...]:
        built = set(state.new_cities.values())
        return tuple(label for label in self.board.towns if label not in built)

    def refuse_hex(self, state: State, seat: Seat, label: Label) -> Refusal | None:
        """Land that this player may not build on, beyond what is printed as closed."""
        return None

    def refuse_end(self, state: State, seat: Seat, label: Label, edge: int) -> Refusal | None:
        """A side of a hex that track may not lead to, beyond what is printed as closed."""
        return None

    def anchors(self, state: State, seat: Seat, node: Label) -> bool:
        """Whether new track may start at this City (7.4 a)."""
        return True

    def has_presence(self, state: State, seat: Seat, town: Label) -> bool:
        """Whether the player may add exits to the town's tile (section 0)."""
        return any(segment.owner == seat for segment in state.track.get(town, ()))

    def unanchored(self, state: State, seat: Seat, label: Label) -> Refusal | None:
        """A map's own sentence for track on a hex that hangs on nothing; ``None`` = that of the base rules (7.4)."""
        return None

    def refuse_placement(self, state: State, seat: Seat, placement: Placement, after: State) -> Refusal | None:
        """A map's veto on one placement, with the board as it lies afterwards."""
        return None

    def placement_price(self, state: State, seat: Seat, placement: Placement) -> int:
        """Dollars for one placement (7.7, R39-R41)."""
        if placement.link:
            return self.board.connections[placement.link].price or 0
        kind = tile_class(placement.tile)
        if placement.old:
            if kind == "town":
                return 3
            return 3 if kind == "cross" and tile_class(placement.old) == "simple" else 2
        if kind == "town":
            return 1 + len(placement.added)
        return self.terrain_price(placement.hex) + SURCHARGE[kind]

    def terrain_price(self, label: Label) -> int:
        """Dollars for a simple tile on an empty hex: the printed price, else by terrain."""
        hex_ = self.board.hexes[label]
        return hex_.price if hex_.price is not None else self.terrain_prices[hex_.terrain]

    def price_words(self, label: Label) -> Say:
        """What a simple tile costs on an empty hex, as the key of the picture says it."""
        return say("${price}", price=self.terrain_price(label) + SURCHARGE["simple"])

    def build_price(self, state: State, seat: Seat, prices: Sequence[int]) -> int:
        """Dollars for a whole build turn from the prices of its placements, discounts taken off."""
        return sum(prices)

    def on_placement(self, state: State, seat: Seat, placement: Placement) -> Step[State]:
        """What a placement brings about at once."""
        return Step(state)

    def on_urbanized(self, state: State, seat: Seat, step: Urbanize) -> State:
        """Cubes that lay on an urbanized town (R47: none on base maps)."""
        return state

    def completed_by_city(self, state: State, seat: Seat, chain: Chain) -> Seat | None:
        """R43: who gets an unowned section that a New City completes; ``None`` = nobody, for good."""
        return seat

    def on_links_completed(self, state: State, seat: Seat) -> Step[State]:
        """What it brings about that a step of the player's build, a New City too, has completed links."""
        return Step(state)

    def on_own_step(self, state: State, seat: Seat, step: OwnStep) -> Step[State]:
        """Carry out a step of a build that only this map has. Raises ``Refused``."""
        raise TypeError(step)

    def refuse_build(self, state: State, seat: Seat) -> Refusal | None:
        """Look at the board as it stands after the whole build, before sections are lost."""
        return None

    # move goods ---------------------------------------------------------------------------------------

    rounds: ClassVar[int] = 2
    engine_cap: ClassVar[int] = 6

    def accepts(self, state: State, node: Label) -> tuple[str, ...]:
        """Colours a node takes; a cube of such a colour must stop there."""
        if node in state.accepts:
            return state.accepts[node]
        city = self.board.cities.get(node)
        if city is not None:
            return city.colours
        for letter, label in state.new_cities.items():
            if label == node:
                return self.board.new_cities[letter].colours
        return ()

    def passes(self, state: State, node: Label, colour: str) -> bool:
        """Whether a cube that the node does not take may go on through it."""
        return True

    def sources(self, state: State) -> tuple[Label, ...]:
        """Places from which cubes may be delivered, in the order of the board."""
        cities, new = self.board.cities, state.new_cities.values()
        return tuple(label for label, cubes in state.cubes.items() if cubes and (label in cities or label in new))

    def first_links(self, state: State, start: Label, graph: LinkGraph) -> Sequence[Link]:
        """The links over which a cube may leave its place, each with this place as its first end."""
        return graph.links_from(start)

    def first_links_named(self, state: State, origin: Origin, graph: LinkGraph) -> Sequence[Link]:
        """The links that fit what an order says about where the cube leaves."""
        return self.first_links(state, origin.place, graph)

    parallel_alike: ClassVar[bool] = True
    """Whether parallel links of one owner are the same way for a cube (R49)."""

    def onward_links(self, graph: LinkGraph, links: Sequence[Link], node: Label) -> Sequence[Link]:
        """The links over which a cube that has come over ``links`` may leave a node, whether or not they lead on."""
        return graph.links_from(node)

    def refuse_delivery(self, state: State, seat: Seat, delivery: Delivery) -> Refusal | None:
        """A map's veto on a way, beyond the base rules."""
        return None

    def delivery_variants(self, state: State, seat: Seat, delivery: Delivery) -> tuple[Delivery, ...]:
        """The delivery with everything that the mover chooses besides; one where there is no choice."""
        return (delivery,)

    def delivery_gains(self, state: State, seat: Seat, delivery: Delivery) -> dict[Seat, int]:
        """Income steps per player for a delivery (section 8)."""
        gains: dict[Seat, int] = {}
        for link in delivery.links:
            if link.owner is not None:
                gains[link.owner] = gains.get(link.owner, 0) + 1
        return gains

    def on_delivered(self, state: State, seat: Seat, delivery: Delivery) -> Step[State]:
        """Where the delivered cube goes: back into the bag. The rest is for :meth:`after_delivery`."""
        return Step(replace(state, bag=add_cubes(state.bag, (delivery.colour,))))

    def after_delivery(self, state: State, seat: Seat, delivery: Delivery) -> Step[State]:
        """What a delivery brings about when its cube has gone; the base game has nothing here."""
        return Step(state)

    # income, expenses, reduction ----------------------------------------------------------------------

    def expenses(self, state: State, seat: Seat) -> int:
        """Dollars owed this turn (section 9)."""
        player = state.players[seat]
        return player.shares + player.engine

    def lowered_income(self, state: State, seat: Seat, missing: int) -> int:
        """The income of a player who is some dollars short (section 9)."""
        return state.players[seat].income - missing

    def income_reduction(self, state: State, income: int) -> int:
        """Steps an income falls (R55, R57)."""
        if income <= 10:
            return 0
        if state.options.get("reduction_table") == "first_edition":
            return 10 if income > 50 else 2 * ((income - 1) // 10)
        return 10 if income >= 50 else 2 * ((income - 1) // 10)

    def least_players(self, state: State) -> int:
        """With fewer players than this the game ends after paying expenses (R64, R65)."""
        return 2 if len(state.seats) > 1 else 1

    # goods growth -------------------------------------------------------------------------------------

    def on_growth_begins(self, state: State, chance: Chance) -> Step[State]:
        """Extra cubes before Production."""
        return Step(state)

    def growth_dice(self, state: State) -> tuple[int, int]:
        """Dice for the light and the dark half: players at the start of the game (R59)."""
        return len(state.seats), len(state.seats)

    def production_cubes(self, state: State) -> int:
        """Cubes the Production action draws, before R58 ii."""
        return 2

    def on_growth(self, state: State, chance: Chance) -> Step[State]:
        """Extra cubes after Production and before the dice."""
        return Step(state)

    def columns_fed(self, state: State) -> dict[str, tuple[Label, ...]]:
        """Display columns with the Cities on the map that they feed, New Cities included."""
        fed = dict(self.board.columns)
        for letter, label in state.new_cities.items():
            fed[letter] = (label,)
        return fed

    # end of the game ----------------------------------------------------------------------------------

    def last_turn(self, state: State) -> bool:
        """Whether no turn follows this one; the length is fixed by the starting players (R9)."""
        return state.turn == self.game_turns[len(state.seats)]

    def on_game_end(self, state: State, chance: Chance) -> Step[State]:
        """What happens when the last turn is over, before points are counted."""
        return Step(state)

    def link_points(self, state: State, link: Link) -> int:
        """Victory points of a link: one for each segment (section 11)."""
        return link.points

    scored: ClassVar[bool] = True

    def tie_break(self, state: State, seat: Seat, links: Sequence[Link]) -> tuple[int, ...]:
        """What decides among equal points, the larger the better; nothing in the base game (R61)."""
        return ()

    def score(self, state: State, seat: Seat, links: Sequence[Link]) -> tuple[tuple[str, int], ...]:
        """The parts of a player's victory points; their sum is the score (section 11); ``links``: all there are."""
        player = state.players[seat]
        track = sum(self.link_points(state, link) for link in links if link.owner == seat)
        return (
            ("income", 3 * player.income),
            ("track", track),
            ("shares", -SHARE_POINTS * player.shares),
        )

    # what is said ------------------------------------------------------------------------------------

    own_words: ClassVar[Mapping[str, str]] = {}
    """Words of orders that only this map has, as sentences write them."""

    def facts(self, state: State) -> tuple[Say, ...]:
        """What stands nowhere else on the table: beside the picture, after the notes, and in the board in words."""
        return ()
