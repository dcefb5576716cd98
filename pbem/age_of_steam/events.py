"""What can happen in a game of Age of Steam: turns, shares, the auction, actions, money. In order of play."""

from typing_extensions import override

from pbem.age_of_steam.moves import NO_ACTION
from pbem.engine import Say, Seat, Who, Word, count_say, say, to_reader
from pbem.engine.events import Event


class TurnBegan(Event):
    sentence = say("Turn {turn} begins.")
    turn: int


class Issued(Event):
    seat: Seat
    shares: int
    total: int
    cash: int

    @override
    def text(self) -> Say:
        if not self.shares:
            return say("{player} issued no shares and has ${cash}.", player=Who(self.seat), cash=self.cash)
        return count_say(
            "{player} issued {n} share and has ${cash}.",
            "{player} issued {n} shares and has ${cash}.",
            self.shares,
            player=Who(self.seat),
            cash=self.cash,
        )


class BidMade(Event):
    sentence = say("{player} bid ${amount}.")
    seat: Seat
    amount: int


class PassUsed(Event):
    sentence = say("{player} used the Turn Order pass.")
    seat: Seat


class Dropped(Event):
    sentence = say("{player} dropped out: place {place} for ${paid}.")
    seat: Seat
    place: int
    paid: int


class AuctionWon(Event):
    consequence = True
    sentence = say("{player} is first for ${paid}.")
    seat: Seat
    paid: int


class OrderSet(Event):
    order: tuple[Seat, ...]

    @override
    def text(self) -> Say:
        return say("Turn order: {players}.", players=tuple(Who(seat) for seat in self.order))


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
        if self.action == NO_ACTION:
            return say("{player} took no action.", player=Who(self.seat))
        return say("{player} took {action}.", player=Who(self.seat), action=Word(self.action))


class IncomeCollected(Event):
    gains: tuple[tuple[Seat, int], ...]

    @override
    def text(self) -> Say:
        return say(
            "Income: {gains}.", gains=tuple(say("{player} ${n}", player=Who(seat), n=n) for seat, n in self.gains)
        )


class ExpensesPaid(Event):
    """Dollars owed per seat, and how many income steps could not be paid in cash."""

    owed: tuple[tuple[Seat, int], ...]

    @override
    def text(self) -> Say:
        return say("Bills: {bills}.", bills=tuple(say("{player} ${n}", player=Who(seat), n=n) for seat, n in self.owed))


class IncomeLowered(Event):
    """Missing dollars were taken off the income."""

    consequence = True
    sentence = say("{player} was ${missing} short: income falls to {income}.")
    seat: Seat
    missing: int
    income: int


class Eliminated(Event):
    consequence = True
    sentence = say("{player} is out of the game with income {income}.")
    seat: Seat
    income: int


class IncomeReduced(Event):
    falls: tuple[tuple[Seat, int], ...]

    @override
    def text(self) -> Say:
        return say(
            "Income reduction: {falls}.",
            falls=tuple(say("{player} −{n}", player=Who(seat), n=n) for seat, n in self.falls),
        )


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


to_reader("{player} issued no shares and has ${cash}.", player="You issued no shares and have ${cash}.")
to_reader(
    "{player} issued {n} share and has ${cash}.",
    player=("You issued {n} share and have ${cash}.", "You issued {n} shares and have ${cash}."),
)
to_reader("{player} bid ${amount}.", player="You bid ${amount}.")
to_reader("{player} used the Turn Order pass.", player="You used the Turn Order pass.")
to_reader("{player} dropped out: place {place} for ${paid}.", player="You dropped out: place {place} for ${paid}.")
to_reader("{player} is first for ${paid}.", player="You are first for ${paid}.")
to_reader("{player} took {action}; the engine pulls {engine}.", player="You took {action}; your engine pulls {engine}.")
to_reader("{player} took {action}.", player="You took {action}.")
to_reader("{player} took no action.", player="You took no action.")
to_reader("{player} ${n}", player="you ${n}")
to_reader(
    "{player} was ${missing} short: income falls to {income}.",
    player="You were ${missing} short: your income falls to {income}.",
)
to_reader("{player} is out of the game with income {income}.", player="You are out of the game with income {income}.")
to_reader("{player} −{n}", player="you −{n}")
to_reader("The game is over: {player} wins.", player="The game is over: you win.")
to_reader(
    "The game is over: {players} share the victory.", players="The game is over: you share the victory with {players}."
)
