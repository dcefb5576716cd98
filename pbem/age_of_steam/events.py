"""What can happen in a game of Age of Steam, in order of play."""

from __future__ import annotations

from dataclasses import dataclass

from typing_extensions import override

from pbem.engine.events import Event
from pbem.engine.moves import Seat
from pbem.engine.text import Place, Say, Who, Word, count_say, say
from pbem.rails.track import Piece


@dataclass(frozen=True, slots=True)
class TurnBegan(Event):
    turn: int

    @override
    def text(self) -> Say:
        return say("Turn {turn} begins.", turn=self.turn)


@dataclass(frozen=True, slots=True)
class Issued(Event):
    seat: Seat
    shares: int
    total: int
    cash: int

    @override
    def text(self) -> Say:
        return count_say(
            "{player} issued {n} share and has ${cash}.",
            "{player} issued {n} shares and has ${cash}.",
            self.shares,
            player=Who(self.seat),
            cash=self.cash,
        )


@dataclass(frozen=True, slots=True)
class BidMade(Event):
    seat: Seat
    amount: int

    @override
    def text(self) -> Say:
        return say("{player} bid ${amount}.", player=Who(self.seat), amount=self.amount)


@dataclass(frozen=True, slots=True)
class PassUsed(Event):
    seat: Seat

    @override
    def text(self) -> Say:
        return say("{player} used the Turn Order pass.", player=Who(self.seat))


@dataclass(frozen=True, slots=True)
class Dropped(Event):
    seat: Seat
    place: int
    paid: int

    @override
    def text(self) -> Say:
        return say(
            "{player} dropped: place {place} for ${paid}.", player=Who(self.seat), place=self.place, paid=self.paid
        )


@dataclass(frozen=True, slots=True)
class AuctionWon(Event):
    seat: Seat
    paid: int

    @override
    def text(self) -> Say:
        return say("{player} is first for ${paid}.", player=Who(self.seat), paid=self.paid)


@dataclass(frozen=True, slots=True)
class OrderSet(Event):
    order: tuple[Seat, ...]

    @override
    def text(self) -> Say:
        return say("Turn order: {players}.", players=tuple(Who(seat) for seat in self.order))


@dataclass(frozen=True, slots=True)
class ActionTaken(Event):
    seat: Seat
    action: str
    engine: int = 0

    @override
    def text(self) -> Say:
        if self.engine:
            return say(
                "{player} took {action}; the engine pulls {engine}.",
                player=Who(self.seat),
                action=Word(self.action),
                engine=count_say("{n} link", "{n} links", self.engine),
            )
        return say("{player} took {action}.", player=Who(self.seat), action=Word(self.action))


@dataclass(frozen=True, slots=True)
class CityPlaced(Event):
    """A New City was placed on a town or, where a map allows it, on New City ``replaced`` (urbanization)."""

    seat: Seat
    letter: str
    hex: str
    replaced: str = ""

    @override
    def text(self) -> Say:
        if self.replaced:
            return say(
                "{player} placed New City {letter} on {town} instead of New City {old}.",
                player=Who(self.seat),
                letter=self.letter,
                town=Place(self.hex),
                old=self.replaced,
            )
        return say(
            "{player} placed New City {letter} on {town}.",
            player=Who(self.seat),
            letter=self.letter,
            town=Place(self.hex),
        )


@dataclass(frozen=True, slots=True)
class Built(Event):
    """One placement: the new or turned pieces, its price in dollars, the tile."""

    seat: Seat
    hex: str
    pieces: tuple[Piece, ...]
    price: int
    tile: str
    turned: bool = False

    @override
    def text(self) -> Say:
        if self.turned:
            return say(
                "{player} turned track on {hex} for ${price}.",
                player=Who(self.seat),
                hex=Place(self.hex),
                price=self.price,
            )
        return say(
            "{player} built on {hex} for ${price}.", player=Who(self.seat), hex=Place(self.hex), price=self.price
        )


@dataclass(frozen=True, slots=True)
class LinkBought(Event):
    """A special link was built."""

    seat: Seat
    id: str
    name: str
    price: int

    @override
    def text(self) -> Say:
        return say(
            "{player} built the link {name} for ${price}.", player=Who(self.seat), name=self.name, price=self.price
        )


@dataclass(frozen=True, slots=True)
class LinkCompleted(Event):
    """Unfinished track became a link; ``seat`` owns it (``None``: nobody)."""

    seat: Seat | None
    ends: tuple[str, str]
    points: int

    @override
    def text(self) -> Say:
        if self.seat is None:
            return say("New link without owner: {a}–{b}.", a=Place(self.ends[0]), b=Place(self.ends[1]))
        return say(
            "New link of {player}: {a}–{b}.", player=Who(self.seat), a=Place(self.ends[0]), b=Place(self.ends[1])
        )


@dataclass(frozen=True, slots=True)
class BuildEnded(Event):
    """A build turn is over; dollars paid in all, cash left, the hexes built on."""

    sums_up = "Built"
    seat: Seat
    placements: int
    paid: int
    cash: int
    hexes: tuple[str, ...] = ()

    @override
    def text(self) -> Say:
        if not self.placements:
            return say("{player} built no track.", player=Who(self.seat))
        if not self.hexes:
            return say("{player} paid ${paid} and has ${cash}.", player=Who(self.seat), paid=self.paid, cash=self.cash)
        return count_say(
            "{player} built {n} tile for ${paid} ({hexes}) and has ${cash}.",
            "{player} built {n} tiles for ${paid} ({hexes}) and has ${cash}.",
            self.placements,
            player=Who(self.seat),
            paid=self.paid,
            cash=self.cash,
            hexes=tuple(map(Place, self.hexes)),
        )


@dataclass(frozen=True, slots=True)
class SectionLost(Event):
    """An unfinished section was not extended and is nobody's now."""

    seat: Seat
    anchor: str
    hex: str

    @override
    def text(self) -> Say:
        return say(
            "{player} lost the unfinished section {anchor} towards {hex}.",
            player=Who(self.seat),
            anchor=Place(self.anchor),
            hex=Place(self.hex),
        )


@dataclass(frozen=True, slots=True)
class Delivered(Event):
    """A cube was delivered over ``pieces``; income steps per seat."""

    seat: Seat
    colour: str
    start: str
    nodes: tuple[str, ...]
    gains: tuple[tuple[Seat, int], ...]
    pieces: tuple[Piece, ...]
    links: tuple[str, ...] = ()

    @override
    def text(self) -> Say:
        facts: dict[str, object] = {
            "player": Who(self.seat),
            "colour": Word(self.colour),
            "start": Place(self.start),
            "goal": Place(self.nodes[-1]),
        }
        if not self.gains:
            return say("{player} delivered {colour} from {start} to {goal}; nobody earned.", **facts)
        gains = tuple(say("{player} +{n}", player=Who(seat), n=n) for seat, n in self.gains)
        return say("{player} delivered {colour} from {start} to {goal}: {gains}.", gains=gains, **facts)


@dataclass(frozen=True, slots=True)
class EngineRaised(Event):
    seat: Seat
    engine: int

    @override
    def text(self) -> Say:
        return count_say(
            "{player} raised the engine to {n} link.",
            "{player} raised the engine to {n} links.",
            self.engine,
            player=Who(self.seat),
        )


@dataclass(frozen=True, slots=True)
class MovePassed(Event):
    seat: Seat

    @override
    def text(self) -> Say:
        return say("{player} moved nothing.", player=Who(self.seat))


@dataclass(frozen=True, slots=True)
class IncomeCollected(Event):
    gains: tuple[tuple[Seat, int], ...]

    @override
    def text(self) -> Say:
        return say(
            "Income: {gains}.", gains=tuple(say("{player} ${n}", player=Who(seat), n=n) for seat, n in self.gains)
        )


@dataclass(frozen=True, slots=True)
class ExpensesPaid(Event):
    """Dollars owed per seat, and how many income steps could not be paid in cash."""

    owed: tuple[tuple[Seat, int], ...]

    @override
    def text(self) -> Say:
        return say(
            "Expenses: {bills}.", bills=tuple(say("{player} ${n}", player=Who(seat), n=n) for seat, n in self.owed)
        )


@dataclass(frozen=True, slots=True)
class IncomeLowered(Event):
    """Missing dollars were taken off the income."""

    seat: Seat
    missing: int
    income: int

    @override
    def text(self) -> Say:
        return say(
            "{player} was ${missing} short: income falls to {income}.",
            player=Who(self.seat),
            missing=self.missing,
            income=self.income,
        )


@dataclass(frozen=True, slots=True)
class Eliminated(Event):
    seat: Seat
    income: int

    @override
    def text(self) -> Say:
        return say("{player} is out of the game with income {income}.", player=Who(self.seat), income=self.income)


@dataclass(frozen=True, slots=True)
class IncomeReduced(Event):
    falls: tuple[tuple[Seat, int], ...]

    @override
    def text(self) -> Say:
        return say(
            "Income reduction: {falls}.",
            falls=tuple(say("{player} −{n}", player=Who(seat), n=n) for seat, n in self.falls),
        )


@dataclass(frozen=True, slots=True)
class CubesDrawn(Event):
    """Production: what came out of the bag."""

    seat: Seat
    cubes: tuple[str, ...]

    @override
    def text(self) -> Say:
        return say("{player} drew {cubes} for Production.", player=Who(self.seat), cubes=tuple(map(Word, self.cubes)))


@dataclass(frozen=True, slots=True)
class CubesProduced(Event):
    """Production: the drawn cubes on boxes (colour, column, row from 1)."""

    seat: Seat
    puts: tuple[tuple[str, str, int], ...]

    @override
    def text(self) -> Say:
        puts = tuple(say("{colour} on {box}", colour=Word(c), box=f"{column}/{row}") for c, column, row in self.puts)
        return say("{player} put {puts}.", player=Who(self.seat), puts=puts)


@dataclass(frozen=True, slots=True)
class CubesPlaced(Event):
    """Production on maps where its cubes do not go on the display: the cubes put on a City or town."""

    seat: Seat
    label: str
    cubes: tuple[str, ...]

    @override
    def text(self) -> Say:
        return say(
            "{player} put {cubes} on {place}.",
            player=Who(self.seat),
            cubes=tuple(map(Word, self.cubes)),
            place=Place(self.label),
        )


@dataclass(frozen=True, slots=True)
class CubesReturned(Event):
    """Cubes of a place that a New City covers went back into the bag."""

    label: str
    cubes: tuple[str, ...]

    @override
    def text(self) -> Say:
        return say(
            "Back into the bag from {place}: {cubes}.", place=Place(self.label), cubes=tuple(map(Word, self.cubes))
        )


@dataclass(frozen=True, slots=True)
class DiceRolled(Event):
    """Goods growth: the dice of one half."""

    half: str
    dice: tuple[int, ...]

    @override
    def text(self) -> Say:
        if self.half == "light":
            return say("Dice of the light half: {dice}.", dice=tuple(sorted(self.dice)))
        return say("Dice of the dark half: {dice}.", dice=tuple(sorted(self.dice)))


@dataclass(frozen=True, slots=True)
class CubesGrew(Event):
    """Cubes arrived on a City."""

    label: str
    cubes: tuple[str, ...]

    @override
    def text(self) -> Say:
        return say("{city} receives {cubes}.", city=Place(self.label), cubes=tuple(map(Word, self.cubes)))


@dataclass(frozen=True, slots=True)
class GameEnded(Event):
    winners: tuple[Seat, ...]

    @override
    def text(self) -> Say:
        match self.winners:
            case ():
                return say("The game is over without a winner.")
            case (winner,):
                return say("The game is over: {player} wins.", player=Who(winner))
        return say("The game is over: {players} share the victory.", players=tuple(map(Who, self.winners)))
