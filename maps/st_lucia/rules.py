"""St. Lucia (2 players).

1. There are no Cities at the start, only towns; all eight New Cities can be placed. Track starts at a City, so
   nobody can build before the first New City.
2. Every plain hex and every river hex without a town begins with one cube. The goods display is not used.
3. A turn begins with the order of players, then come shares, actions, track, goods and money. There is no goods
   growth. The game lasts eight turns.
4. There is no auction. One player is the nominal first player: drawn for turn 1, then the two take turns. That
   player may pay $5 to be first. If not, the other may pay $5 to be first instead. If neither pays, the nominal
   first player is first for nothing. Nobody with less than $5 is asked.
5. Turn Order makes its holder the nominal first player of the next turn, who still has to pay the $5 to keep
   the place. The turns after that alternate as if nothing had happened.
6. There is no Production.
7. The cube of a hex can be delivered as soon as there is track on the hex. The mover chooses one of the pieces
   of track and the end by which the cube leaves. The stretch to the next City or town is one link for the engine
   and one income for the owner of the piece, also when the track does not lead on at its other end. From there the
   cube goes on over complete links as always, but not back over the track on which it lay. (Option: the stretch pays
   its owner two.)
8. Delivered cubes go into the bag and do not come back.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from typing_extensions import override

from pbem.age_of_steam import bends
from pbem.age_of_steam.deliveries import NOBODY
from pbem.age_of_steam.events import OrderSet
from pbem.age_of_steam.game import AgeOfSteam
from pbem.age_of_steam.layout import LinkGraph
from pbem.age_of_steam.moves import Always, Origin
from pbem.age_of_steam.notation import always_single, single
from pbem.age_of_steam.phases import (
    BuildTrack,
    CollectIncome,
    IncomeReduction,
    IssueShares,
    MoveGoods,
    PayExpenses,
    SelectActions,
)
from pbem.age_of_steam.phases.base import AgeOfSteamPhase, Waiting
from pbem.age_of_steam.proposals import Delivery
from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State
from pbem.engine import Choice, Move, Question, Refusal, Say, Seat, Step, Value, Who, refuse, replace, say, to_reader
from pbem.engine.chance import Chance
from pbem.engine.events import Event
from pbem.engine.phase import Forced
from pbem.engine.sheet import Option
from pbem.engine.standing_orders import PlanChoice, PlanPart, StandingOrder
from pbem.rails.board import Label
from pbem.rails.position_lines import PLAYER, FieldLine, Lines
from pbem.rails.track import Link, Piece


class Pay(Move):
    keyword = "pay"
    usage = "pay"


class Decline(Move):
    keyword = "decline"
    usage = "decline"


OFFER = {"pay": single(Pay, "pay"), "decline": single(Decline, "decline")}
ALWAYS = {"pay": always_single("pay"), "decline": always_single("decline")}


FIRST_PLACE = 5
"""4. Dollars for being first."""


class Alternation(Value):
    """4. The player who was drawn: the nominal first player of all odd turns."""

    drawn: Seat
    lines: ClassVar[Lines] = {"drawn": FieldLine("First in odd turns", PLAYER)}


class FirstPlaceBought(Event):
    sentence = say("{player} paid ${paid} to be first.")
    seat: Seat
    paid: int


to_reader("{player} paid ${paid} to be first.", player="You paid ${paid} to be first.")


class FirstPlaceDeclined(Event):
    sentence = say("{player} did not pay to be first.")
    seat: Seat


to_reader("{player} did not pay to be first.", player="You did not pay to be first.")


class OfferFirst(AgeOfSteamPhase):
    """4 and 5. The nominal first player is asked for $5, then the other (R105, R106)."""

    name = "turn_order"
    act = say("{player} may pay to be first")
    moves = (Pay, Decline)
    scratch = Waiting
    words = OFFER
    always = ALWAYS
    opens_turn = True

    @override
    def begin(self, rules: Rules, state: State, chance: Chance) -> Step[State]:
        order = _nominal_order(state)
        return Step(replace(state, order=order, scratch=Waiting(order)))

    @override
    def forced(self, rules: Rules, state: State, seat: Seat) -> Forced | None:
        return None if state.players[seat].cash >= FIRST_PLACE else Forced(Decline(), "A12")

    @override
    def refuse(self, rules: Rules, state: State, seat: Seat, move: Move) -> Refusal | None:
        cash = state.players[seat].cash
        if isinstance(move, Pay) and cash < FIRST_PLACE:
            return refuse("R106", "You cannot pay ${price}: you have ${cash}.", price=FIRST_PLACE, cash=cash)
        return None

    @override
    def apply(self, rules: Rules, state: State, seat: Seat, move: Move, chance: Chance) -> Step[State]:
        if isinstance(move, Decline):
            return Step(replace(state, scratch=state.scratch_as(Waiting).rest()), (FirstPlaceDeclined(seat),))
        state = state.with_player(seat, cash=state.players[seat].cash - FIRST_PLACE)
        order = (seat, *(other for other in state.order if other != seat))
        return Step(replace(state, order=order, scratch=Waiting(())), (FirstPlaceBought(seat, FIRST_PLACE),))

    @override
    def end(self, rules: Rules, state: State, chance: Chance) -> Step[State]:
        return Step(state, (OrderSet(state.order),))

    @override
    def legal(self, rules: Rules, state: State, seat: Seat) -> Sequence[Move]:
        return [Decline(), Pay()] if state.players[seat].cash >= FIRST_PLACE else [Decline()]

    @override
    def default(self, rules: Rules, state: State, seat: Seat) -> Move:
        return Decline()

    @override
    def ask(self, rules: Rules, state: State, seat: Seat) -> Question:
        nominal, other = state.order
        cash = state.players[seat].cash
        if seat == nominal:
            lead = say("You are the nominal first player; {other} is asked after you.", other=Who(other))
            decline = say(
                "{other} may then pay ${price} to be first; if not, you are.", other=Who(other), price=FIRST_PLACE
            )
        else:
            lead = say("{other} is the nominal first player and did not pay.", other=Who(nominal))
            decline = say("{other} is first without paying.", other=Who(nominal))
        choices = (
            Choice("decline", say("Do not pay"), decline),
            Choice(
                "pay",
                say("Pay ${price}", price=FIRST_PLACE),
                say("You are first, with ${n} left.", n=cash - FIRST_PLACE),
            ),
        )
        return Question(
            seat,
            self.name,
            say("Pay to be first, or not"),
            (lead, say("You have ${cash}.", cash=cash)),
            say("you do not pay"),
            "choices",
            choices,
            example="pay",
        )

    @override
    def due(self, rules: Rules, state: State, seat: Seat, waiting: StandingOrder) -> Move | None:
        match waiting.move:
            case Always("pay"):
                return Pay()
            case Always():
                return Decline()
        return waiting.move

    @override
    def plan_part(self, rules: Rules, state: State, seat: Seat) -> PlanPart | None:
        choices = (PlanChoice("pay", say("pay")), PlanChoice("decline", say("decline")))
        return PlanPart(
            self.name,
            "pick",
            "",
            say("Pay to be first"),
            choices,
            note=say("Played when you are asked and can pay."),
            template="pay",
            example="decline",
        )


class StLucia(AgeOfSteam):
    """Two players, Cities to be founded, cubes along the track."""

    players: ClassVar[range] = range(2, 3)
    game_turns: ClassVar[Mapping[int, int | None]] = {2: 8}
    phases: ClassVar[tuple[AgeOfSteamPhase, ...]] = (
        OfferFirst(),
        IssueShares(),
        SelectActions(),
        BuildTrack(),
        MoveGoods(),
        CollectIncome(),
        PayExpenses(),
        IncomeReduction(),
    )
    actions: ClassVar[tuple[str, ...]] = bends.actions_but("production")
    extra: ClassVar[type | None] = Alternation
    parallel_alike: ClassVar[bool] = False
    map_options: ClassVar[tuple[Option, ...]] = (
        Option(
            "partial_link_bonus",
            "Income for the stretch on which a cube begins",
            {"no": "1 for the owner, as for every link", "yes": "2 for the owner: a link and a bonus"},
            "R107",
        ),
    )
    notes: ClassVar[tuple[Say, ...]] = (
        say("No Cities at the start: they come by Urbanization."),
        say("A cube can be moved once its hex has track; the stretch to the first City or town counts as one link."),
        say("The first player changes every turn; $5 buys the first place."),
    )

    @override
    def display_boxes(self) -> dict[str, int]:
        """2. No City has a column; the boxes of the New Cities stay empty."""
        return dict.fromkeys(self.board.new_cities, 2)

    @override
    def fill_display(self, state: State, chance: Chance) -> State:
        """2. Nothing is put on the display."""
        return replace(state, display={column: (None,) * count for column, count in self.display_boxes().items()})

    @override
    def on_setup(self, state: State, chance: Chance) -> State:
        """2. A cube on every plain hex and river hex (R109: not on towns)."""
        land = [
            label
            for label, hex_ in self.board.hexes.items()
            if hex_.terrain in ("plain", "river") and label not in self.board.towns
        ]
        return bends.deal_cubes(state, land, chance, "hexes")

    @override
    def on_turn(self, state: State, chance: Chance) -> Step[State]:
        """4. The player drawn as first alternates with the other by the number of the turn (R105)."""
        return Step(state if state.turn > 1 else replace(state, extra=Alternation(state.order[0])))

    @override
    def action_effect(self, state: State, seat: Seat, action: str) -> Say | None:
        """5. What Turn Order brings here."""
        if action == "turn-order":
            return say("You are the nominal first player of the next turn.")
        return super().action_effect(state, seat, action)

    @override
    def sources(self, state: State) -> tuple[Label, ...]:
        """7. Hexes with a cube and track."""
        return tuple(label for label, cubes in state.cubes.items() if cubes and state.track.get(label))

    @override
    def first_links(self, state: State, start: Label, graph: LinkGraph) -> Sequence[Link]:
        """7. Each piece of track on the hex with each of its ends that leads to a City or town (R107)."""
        net, found = self.net(state), []
        for segment in state.track[start]:
            for end in segment.ends:
                pieces, node, _ = net.follow(start, end)
                if node is not None:
                    found.append(Link((start, node), segment.owner, (Piece(start, *segment.ends), *pieces)))
        return found

    @override
    def first_links_named(self, state: State, origin: Origin, graph: LinkGraph) -> Sequence[Link]:
        """7. The owner of the piece and the way the cube leaves, as far as an order names them."""
        owner = None if origin.owner == NOBODY else origin.owner
        return [
            link
            for link in self.first_links(state, origin.place, graph)
            if (origin.owner is None or link.owner == owner)
            and (origin.direction is None or self._leaves_by(link) == origin.direction)
        ]

    def _leaves_by(self, link: Link) -> str:
        """7. The direction in which a cube leaves its hex."""
        first = link.pieces[0]
        beyond = link.pieces[1].hex if len(link.pieces) > 1 else link.ends[1]
        edge = next(edge for edge in (first.a, first.b) if self.board.neighbours[first.hex][edge] == beyond)
        return self.board.directions[edge]

    @override
    def onward_links(self, graph: LinkGraph, links: Sequence[Link], node: Label) -> Sequence[Link]:
        """7. Not back over the track on which the cube lay; of other parallel links one for each owner (R108)."""
        lay_on = links[0].pieces[0]
        onward = (link for link in super().onward_links(graph, links, node) if lay_on not in link.pieces)
        return list({(link.beyond(node), link.owner): link for link in onward}.values())

    @override
    def delivery_variants(self, state: State, seat: Seat, delivery: Delivery) -> tuple[Delivery, ...]:
        """7. With the piece of track on which the cube begins."""
        first = delivery.links[0]
        return (replace(delivery, at=(first.owner, self._leaves_by(first))),)

    @override
    def delivery_gains(self, state: State, seat: Seat, delivery: Delivery) -> dict[Seat, int]:
        """7. The stretch counts like a link; by option it pays its owner one more (R107)."""
        gains = super().delivery_gains(state, seat, delivery)
        owner = delivery.links[0].owner
        if owner is not None and state.options.get("partial_link_bonus") == "yes":
            gains[owner] += 1
        return gains


def _nominal_order(state: State) -> tuple[Seat, ...]:
    """4 and 5. The nominal first player, then the other."""
    drawn = state.extra_as(Alternation).drawn
    by_turn = drawn if state.turn % 2 else next(seat for seat in state.seats if seat != drawn)
    first = state.holder("turn-order") or by_turn
    return (first, *(seat for seat in state.order if seat != first))


SHEETS = (StLucia,)
