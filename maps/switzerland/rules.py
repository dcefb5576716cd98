"""Switzerland (3 and 4 players).

1. Zürich begins with four cubes, Basel with three, every other City with two.
2. A player who issues no share in a turn may buy one back for $8. Nobody may have fewer than two shares.
3. Every placement costs $4, whatever the land and the tile: new and replaced tiles, redirected track, towns.
4. Red sides of hexes and black hexes are impassable; nothing can be built on black hexes.
5. No tile can ever be laid on St. Gotthard, Lötschberg and Raron, and Raron cannot be urbanized. Before turn 5
   nothing is there, and no track may lead there.
6. At the start of turn 5 the tunnels of St. Gotthard and Lötschberg (each from north to south) and the town Raron
   (with track to the north, south-west and south-east) come into being; from then on track may lead to their
   open sides. Their track takes the owner of the track that is joined to it, costs nothing and scores nothing.
7. Geneva, La Chaux-de-Fonds and Lugano take cubes of every colour, black too; so all must stop there. Zürich is
   black.
8. In every goods growth Zürich receives one cube from the bag, besides those of the goods display, after Production
   and before the dice.
9. Every segment of own track in a complete link is worth two points.
"""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from typing_extensions import override

from pbem.age_of_steam import bends
from pbem.age_of_steam.game import AgeOfSteam
from pbem.age_of_steam.moves import Issue
from pbem.age_of_steam.notation import ISSUE, OrderWord, single
from pbem.age_of_steam.phases import IssueShares
from pbem.age_of_steam.phases.base import AgeOfSteamPhase, Waiting
from pbem.age_of_steam.proposals import Placement
from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State
from pbem.engine import Choice, Move, Place, Question, Refusal, Say, Seat, Step, Who, refuse, replace, say, to_reader
from pbem.engine.chance import Chance
from pbem.engine.events import Event
from pbem.engine.phase import Forced
from pbem.engine.standing_orders import PlanPart
from pbem.rails.board import Label
from pbem.rails.hexes import TOWN, opposite
from pbem.rails.track import Link, Segment


class BuyBack(Move):
    keyword = "buyback"
    usage = "buyback"


BUY_BACK = {"buyback": single(BuyBack, "buyback")}


ZURICH, RARON = "F10", "R8"
OPENING_TURN = 5
PRINTED = {
    "O11": (Segment(0, 3, None),),
    "P8": (Segment(0, 3, None),),
    RARON: (Segment(TOWN, 0, None), Segment(TOWN, 2, None), Segment(TOWN, 4, None)),
}
"""6. The track of St. Gotthard, Lötschberg and Raron (edges: 0 north, 2 south-east, 3 south, 4 south-west)."""
SHARE = 8
"""2. Dollars for a share that is bought back."""
FEWEST_SHARES = 2
PLACEMENT = 4
"""3. Dollars for a placement."""


class ShareBoughtBack(Event):
    seat: Seat
    total: int
    cash: int

    @override
    def text(self) -> Say:
        return say(
            "{player} bought back a share for ${price} and has {total} shares and ${cash}.",
            player=Who(self.seat),
            price=SHARE,
            total=self.total,
            cash=self.cash,
        )


to_reader(
    "{player} bought back a share for ${price} and has {total} shares and ${cash}.",
    player="You bought back a share for ${price} and have {total} shares and ${cash}.",
)


class TunnelsOpened(Event):
    """Printed track came into being on these hexes."""

    sentence = say("The tunnels are open: there is track on {hexes}.")
    hexes: tuple[Label, ...]


class IssueOrBuyBack(IssueShares):
    """2. Issuing shares, or buying one back (R148)."""

    moves = (Issue, BuyBack)
    words: ClassVar[Mapping[str, OrderWord]] = {**ISSUE, **BUY_BACK}

    @override
    def forced(self, rules: Rules, state: State, seat: Seat) -> Forced | None:
        return None if refuse_buy_back(state, seat) is None else super().forced(rules, state, seat)

    @override
    def refuse(self, rules: Rules, state: State, seat: Seat, move: Move) -> Refusal | None:
        if isinstance(move, BuyBack):
            return refuse_buy_back(state, seat)
        return super().refuse(rules, state, seat, move)

    @override
    def apply(self, rules: Rules, state: State, seat: Seat, move: Move, chance: Chance) -> Step[State]:
        if not isinstance(move, BuyBack):
            return super().apply(rules, state, seat, move, chance)
        player = state.players[seat]
        shares, cash = player.shares - 1, player.cash - SHARE
        state = replace(state.with_player(seat, shares=shares, cash=cash), scratch=state.scratch_as(Waiting).rest())
        return Step(state, (ShareBoughtBack(seat, shares, cash),))

    @override
    def legal(self, rules: Rules, state: State, seat: Seat) -> Sequence[Move]:
        issues = super().legal(rules, state, seat)
        return issues if refuse_buy_back(state, seat) else [*issues, BuyBack()]

    @override
    def ask(self, rules: Rules, state: State, seat: Seat) -> Question:
        question = super().ask(rules, state, seat)
        if refuse_buy_back(state, seat):
            return question
        cash, bill = state.players[seat].cash - SHARE, rules.expenses(state, seat) - 1
        title = say("Buy back a share for ${price}", price=SHARE)
        choice = Choice(str(BuyBack()), title, say("${cash} in hand, bill ${bill}.", cash=cash, bill=bill))
        return replace(
            question,
            act=say("Issue shares or buy one back"),
            choices=(*question.choices, choice),
        )

    @override
    def plan_part(self, rules: Rules, state: State, seat: Seat) -> PlanPart | None:
        part = super().plan_part(rules, state, seat)
        if part is None:
            return None
        return replace(part, note=say("{note} Buying one back is typed: “buyback”.", note=part.note))


def refuse_buy_back(state: State, seat: Seat) -> Refusal | None:
    """2. Why the player cannot buy back a share now (R148)."""
    player = state.players[seat]
    if player.shares <= FEWEST_SHARES:
        return refuse("R148", "You cannot buy back a share: {n} shares are the fewest.", n=FEWEST_SHARES)
    if player.cash < SHARE:
        return refuse(
            "R148", "Buying back a share costs ${price}, and you have ${cash}.", price=SHARE, cash=player.cash
        )
    return None


class Switzerland(AgeOfSteam):
    """Dear track, and tunnels in turn 5."""

    players: ClassVar[range] = range(3, 5)
    game_turns: ClassVar[Mapping[int, int | None]] = {3: 10, 4: 8}
    phases: ClassVar[tuple[AgeOfSteamPhase, ...]] = bends.phases_with(IssueOrBuyBack())
    printed_track: ClassVar[frozenset[Label]] = frozenset(PRINTED)
    notes: ClassVar[tuple[Say, ...]] = (
        say("Every placement costs $4."),
        say("St. Gotthard (O11), Lötschberg (P8) and Raron open in turn 5; no tile is laid there."),
        say("A share can be bought back for $8. Zürich receives a cube every turn."),
        say("Each piece of track counts 2 points."),
    )

    @override
    def placement_price(self, state: State, seat: Seat, placement: Placement) -> int:
        """3. Always the same (R149)."""
        return PLACEMENT

    @override
    def terrain_price(self, label: Label) -> int:
        """3. Land makes no difference (R149)."""
        return PLACEMENT

    @override
    def cheapest_placement(self, state: State, seat: Seat, prices: Sequence[int]) -> int:
        """3. Nothing is cheaper (R149)."""
        return PLACEMENT

    @override
    def refuse_hex(self, state: State, seat: Seat, label: Label) -> Refusal | None:
        """5. No tile on the three hexes (R151)."""
        if label in PRINTED:
            return refuse("R151", "No tile can be laid on {hex}; its track is printed.", hex=Place(label))
        return None

    @override
    def refuse_end(self, state: State, seat: Seat, label: Label, edge: int) -> Refusal | None:
        """5 and 6. From turn 5 on, and only to the sides at which the printed track ends (R150)."""
        beyond = self.board.neighbours[label][edge]
        if beyond not in PRINTED:
            return None
        if state.turn < OPENING_TURN:
            return refuse("R150", "{hex} opens in turn {turn}.", hex=Place(beyond), turn=OPENING_TURN)
        if any(opposite(edge) in segment.ends for segment in PRINTED[beyond]):
            return None
        side = self.board.directions[opposite(edge)]
        return refuse("R150", "The track on {hex} has no end at its side {side}.", hex=Place(beyond), side=side)

    @override
    def urbanizable(self, state: State, seat: Seat) -> tuple[Label, ...]:
        """5. Not Raron."""
        return tuple(label for label in super().urbanizable(state, seat) if label != RARON)

    @override
    def on_turn(self, state: State, chance: Chance) -> Step[State]:
        """6. The tunnels and Raron come into being (R151)."""
        if state.turn != OPENING_TURN:
            return Step(state)
        return Step(replace(state, track={**state.track, **PRINTED}), (TunnelsOpened(tuple(PRINTED)),))

    @override
    def on_growth(self, state: State, chance: Chance) -> Step[State]:
        """8. Zürich's cube (R152)."""
        return bends.extra_cube(state, ZURICH, chance)

    @override
    def link_points(self, state: State, link: Link) -> int:
        """9. Two for each piece, none for what is printed (R151)."""
        return 2 * sum(1 for piece in link.pieces if piece.hex not in PRINTED)


SHEETS = (Switzerland,)
