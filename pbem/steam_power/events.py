"""What can happen in a game of Steam Power. Events about single contracts in hands are for single seats."""

from __future__ import annotations

from collections import Counter
from collections.abc import Iterable

from typing_extensions import override

from pbem.engine import Place, Say, Seat, Who, Word, count_say, say, to_reader
from pbem.engine.events import Event
from pbem.rails.track import Piece


class RoundBegan(Event):
    sentence = say("Round {turn} begins.")
    turn: int


class TrackLaid(Event):
    """One operation; ``how``: placed, crossed or replaced. ``pieces``: the new piece."""

    company: Seat
    hex: str
    pieces: tuple[Piece, ...]
    price: int
    how: str

    @override
    def text(self) -> Say:
        if self.how == "replaced":
            return say("{player} changed the last tile of a connection on {hex}.", **self._values())
        if self.how == "crossed":
            return say("{player} crossed the track on {hex} for ${price}.", **self._values())
        return say("{player} laid track on {hex} for ${price}.", **self._values())

    def _values(self) -> dict[str, object]:
        return {"player": Who(self.company), "hex": Place(self.hex), "price": self.price}


class TrackRemoved(Event):
    """``train``: the connection is gone and its train came back."""

    company: Seat
    hex: str
    train: bool

    @override
    def text(self) -> Say:
        if self.train:
            return self.said(say("{player} removed the track on {hex} and took the train back."))
        return self.said(say("{player} removed the track on {hex}."))


class ConnectionCompleted(Event):
    company: Seat
    ends: tuple[str, str]

    @override
    def text(self) -> Say:
        return say(
            "{player} connected {a} and {b}.", player=Who(self.company), a=Place(self.ends[0]), b=Place(self.ends[1])
        )


class FactoryBuilt(Event):
    company: Seat
    city: str
    colour: str
    cubes: int

    @override
    def text(self) -> Say:
        return say(
            "{player} built a factory in {city} with {n} {colour}.",
            player=Who(self.company),
            city=Place(self.city),
            n=self.cubes,
            colour=Word(self.colour),
        )


class ContractFulfilled(Event):
    """``items``: colour, source (``None`` = bank), owners of the connections paid, owner of the factory or ``None``
    where that costs nothing. ``paid``: dollars by receiver."""

    seat: Seat
    company: Seat
    number: int
    price: int
    items: tuple[ToldItem, ...]
    paid: tuple[tuple[Seat, int], ...]
    money: int
    vp: int
    bank_price: int

    @override
    def text(self) -> Say:
        return say(
            "{player} fulfilled contract {number} for ${price}: {cubes}. It brings ${money} and {points}.",
            player=Who(self.company),
            number=self.number,
            price=self.price,
            cubes=cubes_said(self.items, self.bank_price),
            money=self.money,
            points=points_said(self.vp),
        )


ToldItem = tuple[str, str | None, tuple[Seat, ...], Seat | None]
"""A cube as events tell it: colour, source or ``None``, owners of the way, owner of the factory who is paid."""


def cubes_said(items: Iterable[ToldItem], bank_price: int) -> tuple[Say, ...]:
    """Where cubes come from and who is paid for them, like ones together."""
    counted = Counter((item[0], item[1], tuple(item[2]), item[3]) for item in items)
    return tuple(_cubes_said(n, item, bank_price) for item, n in counted.items())


def _cubes_said(n: int, item: ToldItem, bank_price: int) -> Say:
    colour, source, over, owner = item
    cubes = colour_said(colour, n)
    if source is None:
        return say("{cubes} from the bank (${price})", cubes=cubes, price=n * bank_price)
    paid = Counter((*over, *([owner] if owner is not None else [])))
    if not paid:
        return say("{cubes} from {city} (free)", cubes=cubes, city=Place(source))
    shares = tuple(say("${n} to {player}", n=n * times, player=Who(seat)) for seat, times in paid.items())
    return say("{cubes} from {city} ({shares})", cubes=cubes, city=Place(source), shares=shares)


def colour_said(colour: str, n: int) -> Say | Word:
    """Cubes of a colour: black, 2 black."""
    return Word(colour) if n == 1 else say("{n} {colour}", n=n, colour=Word(colour))


def points_said(vp: int) -> Say:
    return count_say("{n} point", "{n} points", vp)


class CityFlipped(Event):
    city: str
    owner: Seat

    @override
    def text(self) -> Say:
        return say(
            "{player}'s factory in {city} is used up: 2 points at the end.",
            player=Who(self.owner),
            city=Place(self.city),
        )


class ContractsDrawn(Event):
    seat: Seat
    count: int
    left: int

    @override
    def text(self) -> Say:
        return count_say(
            "{player} drew {n} contract; {left} are left in the bag.",
            "{player} drew {n} contracts; {left} are left in the bag.",
            self.count,
            player=Who(self.seat),
            left=self.left,
        )


class ContractsSeen(Event):
    """The contracts that came into a hand; only its owner reads of it."""

    consequence = True
    seat: Seat
    numbers: tuple[int, ...]

    @override
    def seen_by(self) -> tuple[str, ...] | None:
        return (self.seat,)

    @override
    def text(self) -> Say:
        return count_say(
            "You drew contract {numbers}.", "You drew contracts {numbers}.", len(self.numbers), numbers=self.numbers
        )


class ContractStolen(Event):
    sentence = say("{player} drew a contract from the hand of {victim}.")
    seat: Seat
    victim: Seat


class StolenSeen(Event):
    """Which contract changed hands; its old and its new owner read of it (SP-R38)."""

    consequence = True
    sentence = say("Contract {number} went from {victim} to {player}.")
    seat: Seat
    victim: Seat
    number: int

    @override
    def seen_by(self) -> tuple[str, ...] | None:
        return (self.seat, self.victim)


class CashTaken(Event):
    sentence = say("{player} took ${amount} and has ${cash}.")
    seat: Seat
    amount: int
    cash: int


class BonusGone(Event):
    """``why``: ``declined``, or ``impossible`` where there was no legal use of it (SP-R41)."""

    company: Seat
    number: int
    why: str

    @override
    def follows(self) -> bool:
        return self.why != "declined"

    @override
    def text(self) -> Say:
        if self.why == "declined":
            return say("{player} declined the bonus of contract {n}.", player=Who(self.company), n=self.number)
        return say("{player} could not use the bonus of contract {n}.", player=Who(self.company), n=self.number)


class LastRoundBegan(Event):
    consequence = True
    seat: Seat
    done: int

    @override
    def text(self) -> Say:
        return say("{player} has fulfilled {n} contracts: this round is the last.", player=Who(self.seat), n=self.done)


class TrainDrawn(Event):
    consequence = True
    sentence = say("A train was drawn from the bag: the next action is for {company}.")
    company: Seat


class CounterLaid(Event):
    """A round of the solo game is counted; ``contract``: by a contract from the bag, laid aside unseen (SP-R45)."""

    turn: int
    contract: bool

    @override
    def text(self) -> Say:
        if self.contract:
            return say("A contract is laid aside unseen for round {turn}.", turn=self.turn)
        return say("The bag of contracts is empty; round {turn} is over.", turn=self.turn)


class GameEnded(Event):
    winners: tuple[Seat, ...]

    @override
    def text(self) -> Say:
        if not self.winners:
            return say("The game is over.")
        return count_say(
            "The game is over. {players} has won.",
            "The game is over. {players} share the victory.",
            len(self.winners),
            players=tuple(Who(seat) for seat in self.winners),
        )


to_reader(
    "{player} changed the last tile of a connection on {hex}.",
    player="You changed the last tile of a connection on {hex}.",
)
to_reader("{player} crossed the track on {hex} for ${price}.", player="You crossed the track on {hex} for ${price}.")
to_reader("{player} laid track on {hex} for ${price}.", player="You laid track on {hex} for ${price}.")
to_reader(
    "{player} removed the track on {hex} and took the train back.",
    player="You removed the track on {hex} and took the train back.",
)
to_reader("{player} removed the track on {hex}.", player="You removed the track on {hex}.")
to_reader("{player} connected {a} and {b}.", player="You connected {a} and {b}.")
to_reader(
    "{player} built a factory in {city} with {n} {colour}.", player="You built a factory in {city} with {n} {colour}."
)
to_reader(
    "{player} fulfilled contract {number} for ${price}: {cubes}. It brings ${money} and {points}.",
    player="You fulfilled contract {number} for ${price}: {cubes}. It brings you ${money} and {points}.",
)
to_reader("${n} to {player}", player="${n} to you")
to_reader(
    "{player}'s factory in {city} is used up: 2 points at the end.",
    player="Your factory in {city} is used up: 2 points at the end.",
)
to_reader(
    "{player} drew {n} contract; {left} are left in the bag.",
    player=(
        "You drew {n} contract; {left} are left in the bag.",
        "You drew {n} contracts; {left} are left in the bag.",
    ),
)
to_reader(
    "{player} drew a contract from the hand of {victim}.",
    player="You drew a contract from the hand of {victim}.",
    victim="{player} drew a contract from your hand.",
)
to_reader(
    "Contract {number} went from {victim} to {player}.",
    player="Contract {number} went from {victim} to you.",
    victim="Contract {number} went from you to {player}.",
)
to_reader("{player} took ${amount} and has ${cash}.", player="You took ${amount} and have ${cash}.")
to_reader("{player} declined the bonus of contract {n}.", player="You declined the bonus of contract {n}.")
to_reader("{player} could not use the bonus of contract {n}.", player="You could not use the bonus of contract {n}.")
to_reader(
    "{player} has fulfilled {n} contracts: this round is the last.",
    player="You have fulfilled {n} contracts: this round is the last.",
)
to_reader(
    "A train was drawn from the bag: the next action is for {company}.",
    company="A train was drawn from the bag: the next action is for you.",
)
to_reader(
    "The game is over. {players} has won.",
    players=("The game is over. You have won.", "The game is over. You share the victory with {players}."),
)
