"""II. Determine player order: the auction (section 5)."""

from collections.abc import Mapping, Sequence
from typing import ClassVar

from typing_extensions import override

from pbem.age_of_steam.events import AuctionWon, BidMade, Dropped, OrderSet, PassUsed
from pbem.age_of_steam.moves import Always, Bid, BidLimit, Drop, Pass
from pbem.age_of_steam.notation import ALWAYS_BID, BID, OrderWord, single
from pbem.age_of_steam.phases.base import AgeOfSteamPhase
from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.solvency import missing
from pbem.age_of_steam.state import State
from pbem.engine import (
    Choice,
    Move,
    Question,
    Refusal,
    Say,
    Seat,
    Step,
    Value,
    Who,
    field,
    refuse,
    replace,
    say,
    to_reader,
)
from pbem.engine.chance import Chance
from pbem.engine.moves import no
from pbem.engine.overview import Heading, Line, Overview
from pbem.engine.phase import Forced
from pbem.engine.standing_orders import PlanChoice, PlanPart, StandingOrder
from pbem.engine.text import nth
from pbem.rails.position_lines import FLAG, PLAYER, FieldLine, Lines, numbered, optional, several


class Auction(Value):
    """The auction so far. ``old``: the order it goes round in; ``left``: who dropped, the first one first;
    ``bids``: last bid per seat in dollars; ``high``: seat of the high bid; ``passed``: the Turn Order pass was
    used; ``last``: the seat that acted last."""

    old: tuple[Seat, ...]
    left: tuple[Seat, ...] = ()
    bids: Mapping[Seat, int] = field(default_factory=dict)
    high: Seat | None = None
    passed: bool = False
    last: Seat | None = None
    lines: ClassVar[Lines] = {
        "old": FieldLine("Auction goes round", several(PLAYER)),
        "bids": FieldLine("Bids", numbered(PLAYER)),
        "high": FieldLine("High bid", optional(PLAYER)),
        "left": FieldLine("Dropped", several(PLAYER)),
        "passed": FieldLine("Pass used", FLAG),
        "last": FieldLine("Last to act", optional(PLAYER)),
    }

    @property
    def bidding(self) -> tuple[Seat, ...]:
        return tuple(seat for seat in self.old if seat not in self.left)

    @property
    def highest(self) -> int:
        return self.bids[self.high] if self.high is not None else 0

    @property
    def next_place(self) -> int:
        """The place the next dropper takes."""
        return len(self.old) - len(self.left)

    def price(self, seat: Seat, place: int) -> int:
        """Dollars paid for a place: last nothing, first and second the bid, others half of it, rounded up."""
        bid = self.bids.get(seat, 0)
        if place == len(self.old):
            return 0
        return bid if place <= 2 else (bid + 1) // 2

    def next_seat(self) -> Seat | None:
        """The seat that is asked: in cyclic old order, the high bidder skipped (R13)."""
        bidding = self.bidding
        if len(bidding) < 2:
            return None
        start = 0 if self.last is None else self.old.index(self.last) + 1
        around = self.old[start:] + self.old[:start]
        return next(seat for seat in around if seat in bidding and seat != self.high)


class TurnOrder(AgeOfSteamPhase):
    """Bids go round until one player is left (R12 to R18)."""

    name = "turn_order"
    act = say("{player} bids or drops")
    moves = (Bid, Drop, Pass)
    scratch = Auction
    words: ClassVar[Mapping[str, OrderWord]] = {"bid": BID, "drop": single(Drop, "drop")}
    always = ALWAYS_BID
    can_wait = (Bid, BidLimit, Drop)
    lasting = (BidLimit,)
    opens_turn = True

    @override
    def begin(self, rules: Rules, state: State, chance: Chance) -> Step[State]:
        return Step(replace(state, scratch=Auction(state.order)))

    @override
    def to_act(self, rules: Rules, state: State) -> Seat | None:
        return state.scratch_as(Auction).next_seat()

    @override
    def forced(self, rules: Rules, state: State, seat: Seat) -> Forced | None:
        cannot_bid = state.players[seat].cash <= state.scratch_as(Auction).highest
        return Forced(Drop(), "A3") if cannot_bid and not can_pass(state, seat) else None

    @override
    def refuse(self, rules: Rules, state: State, seat: Seat, move: Move) -> Refusal | None:
        highest, cash = state.scratch_as(Auction).highest, state.players[seat].cash
        match move:
            case Bid(amount) if amount > cash:
                return refuse("R12", "You cannot bid ${amount}: you have ${cash}.", amount=amount, cash=cash)
            case Bid(amount) if amount <= highest:
                return refuse(
                    "R12",
                    "A bid of ${amount} is too low: the next bid is at least ${least}.",
                    amount=amount,
                    least=highest + 1,
                )
            case Pass() if holds_pass(state, seat) and state.scratch_as(Auction).passed:
                return refuse("R14", "You have used the Turn Order pass in this auction: bid or drop.")
            case Pass() if holds_pass(state, seat) and not can_pass(state, seat):
                return refuse("R14", "Only you and the high bidder are left: bid or drop.")
        return None

    @override
    def apply(self, rules: Rules, state: State, seat: Seat, move: Move, chance: Chance) -> Step[State]:
        auction = state.scratch_as(Auction)
        match move:
            case Bid(amount):
                scratch = replace(auction, bids={**auction.bids, seat: amount}, high=seat, last=seat)
                return Step(replace(state, scratch=scratch), (BidMade(seat, amount),))
            case Pass() if can_pass(state, seat):
                return Step(replace(state, scratch=replace(auction, passed=True, last=seat)), (PassUsed(seat),))
            case Drop() | Pass():  # without the action a pass means drop
                place = auction.next_place
                paid = auction.price(seat, place)
                state = state.with_player(seat, cash=state.players[seat].cash - paid)
                scratch = replace(auction, left=(*auction.left, seat), last=seat)
                return Step(replace(state, scratch=scratch), (Dropped(seat, place, paid),))
        raise TypeError(move)

    @override
    def end(self, rules: Rules, state: State, chance: Chance) -> Step[State]:
        auction = state.scratch_as(Auction)
        if len(auction.old) < 2:  # R18
            return Step(state)
        (winner,) = auction.bidding
        paid = auction.price(winner, 1)
        state = state.with_player(winner, cash=state.players[winner].cash - paid)
        order = (winner, *reversed(auction.left))
        return Step(replace(state, order=order), (AuctionWon(winner, paid), OrderSet(order)))

    @override
    def legal(self, rules: Rules, state: State, seat: Seat) -> Sequence[Move]:
        bids = [Bid(n) for n in range(state.scratch_as(Auction).highest + 1, state.players[seat].cash + 1)]
        passing = [Pass()] if can_pass(state, seat) else []
        return [Drop(), *passing, *bids]

    @override
    def default(self, rules: Rules, state: State, seat: Seat) -> Move:
        return Drop()

    @override
    def ask(self, rules: Rules, state: State, seat: Seat) -> Question:
        auction, cash = state.scratch_as(Auction), state.players[seat].cash
        place = auction.next_place
        paid = auction.price(seat, place)
        if paid:
            drop = say("Drop out: {place} for ${paid}", place=nth(place), paid=paid)
            facts = say(
                "You have ${cash}. Drop out now and you are {place}, for ${paid}.",
                cash=cash,
                place=nth(place),
                paid=paid,
            )
        else:
            drop = say("Drop out: {place}, for free", place=nth(place))
            facts = say("You have ${cash}. Drop out now and you are {place}, for free.", cash=cash, place=nth(place))
        choices = [Choice("drop", drop, say("You will be {place} of {n}.", place=nth(place), n=len(auction.old)))]
        for amount in range(auction.highest + 1, cash + 1):
            choices.append(Choice(f"bid {amount}", say("Bid ${amount}", amount=amount), _bid_effect(auction, amount)))
        if can_pass(state, seat):
            choices.insert(
                1, Choice("pass", say("Pass once"), say("You stay in without a bid; the Turn Order pass is used."))
            )
        if auction.high is None:
            high = say("Nobody has bid yet.")
        else:
            high = say("{player} bids ${amount}.", player=Who(auction.high), amount=auction.highest)
        short = _short_from(rules, state, seat, auction.highest + 1)
        return Question(
            seat,
            "turn_order",
            say("Bid or drop"),
            (high, facts),
            say("you drop"),
            "choices",
            tuple(choices),
            example=f"bid {auction.highest + 1}",
            overviews=(_so_far(state, seat), _prices(auction, seat, cash, short)),
            even=True,
        )

    # orders that wait

    @override
    def moments_left(self, rules: Rules, state: State, seat: Seat) -> Sequence[str]:
        bidding = state.scratch_as(Auction).bidding
        return [self.name] if seat in bidding and len(bidding) > 1 else []

    @override
    def moments_to_come(self, rules: Rules, state: State) -> Sequence[str]:
        return [self.name] if len(state.order) > 1 else []

    @override
    def takes_waiting(self, rules: Rules, move: Move) -> bool:
        if isinstance(move, Bid):
            raise no("P2", "A single bid cannot be given ahead of time; a limit can: “bid max {n}”.", n=move.amount)
        return super().takes_waiting(rules, move)

    @override
    def refuse_waiting(self, rules: Rules, state: State, seat: Seat, move: Move) -> Refusal | None:
        match move:
            case BidLimit(until=int(place)) if not 1 <= place <= len(state.order):
                return refuse("P2", "There are {n} places in the order, not {place}.", n=len(state.order), place=place)
            case BidLimit(most, int(first)) if first > most:
                return refuse("P2", "The first bid of ${first} is above the limit of ${most}.", first=first, most=most)
        return None

    @override
    def due(self, rules: Rules, state: State, seat: Seat, waiting: StandingOrder) -> Move | None:
        match waiting.move:
            case Always(_, int(most)):
                return _bid(state, seat, BidLimit(most))
            case BidLimit() as limit:
                return _bid(state, seat, limit)
        return waiting.move

    @override
    def plan_part(self, rules: Rules, state: State, seat: Seat) -> PlanPart | None:
        places = range(2, len(state.order))
        return PlanPart(
            self.name,
            "limit",
            "bid max",
            say("Auction"),
            tuple(PlanChoice(str(place), say("{place} or better", place=nth(place))) for place in places),
            note=say("One more than the high bid each time, never more than this. 0 drops at once."),
            template="bid max _",
            example="bid max 4 until 3" if len(state.order) > 3 else "bid max 4",
            may_pass=holds_pass(state, seat),
        )


def _bid(state: State, seat: Seat, limit: BidLimit) -> Move:
    """P2: one more than the high bid while that is at most the limit; then drop, pass or ask."""
    auction = state.scratch_as(Auction)
    if limit.until is not None and auction.next_place <= limit.until:
        return Drop()
    bid = auction.highest + 1
    if limit.first is not None and seat not in auction.bids:
        bid = max(bid, limit.first)
    if bid <= min(limit.most, state.players[seat].cash):
        return Bid(bid)
    if limit.then == "pass" and can_pass(state, seat):
        return Pass()
    if limit.then == "ask":
        raise no("P2", "The next bid is ${bid}, above your limit of ${most}.", bid=bid, most=limit.most)
    return Drop()


def holds_pass(state: State, seat: Seat) -> bool:
    """Whether the player took the Turn Order action in the previous turn."""
    return state.players[seat].action == "turn-order"


def can_pass(state: State, seat: Seat) -> bool:
    """R14: the holder may pass once, but not when only the high bidder is left besides."""
    auction = state.scratch_as(Auction)
    alone_with_high = len(auction.bidding) == 2 and auction.high is not None
    return holds_pass(state, seat) and not auction.passed and not alone_with_high


def _so_far(state: State, seat: Seat) -> Overview:
    """Everybody's bid and how it stands, in the order in which bids go round."""
    auction = state.scratch_as(Auction)
    columns = (Heading(say("In order")), Heading(say("Cash"), True), Heading(say("Bid"), True), Heading(say("Stands")))
    lines = (
        Line(
            say("{player}", player=Who(other)),
            (state.players[other].cash, auction.bids.get(other), _stands(state, auction, other, seat)),
            other == seat,
        )
        for other in auction.old
    )
    return Overview(say("The auction so far"), columns, tuple(lines))


to_reader("{player}", player="You")


def _stands(state: State, auction: Auction, other: Seat, asked: Seat) -> Say:
    if other in auction.left:
        place = len(auction.old) - auction.left.index(other)
        return say("dropped out: {place} place for ${paid}", place=nth(place), paid=auction.price(other, place))
    if other == auction.high:
        return say("highest bid")
    if other == asked:
        return say("to bid")
    if auction.passed and holds_pass(state, other):
        return say("still in, has used the pass")
    return say("still in")


def _short_from(rules: Rules, state: State, seat: Seat, least: int) -> int | None:
    """The least price of a bid after which the bill of this turn cannot be paid without a further delivery."""
    cash = state.players[seat].cash
    prices = range(least, cash + 1)
    return next((n for n in prices if missing(rules, state.with_player(seat, cash=cash - n), seat)), None)


def _prices(auction: Auction, seat: Seat, cash: int, short: int | None) -> Overview:
    """What each place costs: who has it already, or what of a bid is paid for it.

    ``short``: the least price that leaves too little for the bill.
    """
    bid, places = auction.highest + 1, len(auction.old)
    after = replace(auction, bids={**auction.bids, seat: bid})
    bids = bid <= cash
    columns = (Heading(say("Place")), *((Heading(say("If you bid ${bid}", bid=bid), True),) if bids else ()))
    lines = []
    for place in range(1, places + 1):
        pays = after.price(seat, place) if place <= auction.next_place else None
        cells = (*((pays,) if bids else ()), _cost(auction, seat, place))
        lines.append(Line(say("{place}", place=nth(place)), cells))
    warning = (
        say("If you pay ${n} or more, you cannot pay the bill of this turn without another delivery.", n=short)
        if short
        else None
    )
    return Overview(say("What each place costs now"), (*columns, Heading(say("Price"))), tuple(lines), warning)


def _cost(auction: Auction, seat: Seat, place: int) -> Say:
    if place > auction.next_place:
        other = auction.left[len(auction.old) - place]
        return say("${paid}, taken by {player}", paid=auction.price(other, place), player=Who(other))
    if place == auction.next_place:
        return say("${paid} for you, if you drop now", paid=auction.price(seat, place))
    return say("full bid") if place <= 2 else say("half the bid, rounded up")


def _bid_effect(auction: Auction, amount: int) -> Say:
    half = (amount + 1) // 2
    if auction.next_place > 3:
        return say("Finish 1st or 2nd: pay ${amount}. Last: nothing. In between: ${half}.", amount=amount, half=half)
    if auction.next_place == 3 and len(auction.old) > 3:
        return say("Finish 1st or 2nd: pay ${amount}. Finish 3rd: pay ${half}.", amount=amount, half=half)
    return say("If the bid stands you are first and pay ${amount}.", amount=amount)
