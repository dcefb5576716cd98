"""What can happen while track is built."""

from typing_extensions import override

from pbem.engine import Place, Say, Seat, Who, count_say, say, to_reader
from pbem.engine.events import Event
from pbem.rails.track import Piece


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
            return self.said(say("{player} turned track on {hex} for ${price}."))
        return self.said(say("{player} built on {hex} for ${price}."))


class LinkBought(Event):
    sentence = say("{player} built the link {name} for ${price}.")
    seat: Seat
    id: str
    name: str
    price: int


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
            return self.said(say("{player} paid ${paid} and has ${cash}."))
        return count_say(
            "{player} built {n} tile for ${paid} ({hexes}) and has ${cash}.",
            "{player} built {n} tiles for ${paid} ({hexes}) and has ${cash}.",
            self.placements,
            player=Who(self.seat),
            paid=self.paid,
            cash=self.cash,
            hexes=tuple(map(Place, self.hexes)),
        )


class SectionLost(Event):
    """An unfinished section was not extended and is nobody's now."""

    consequence = True
    sentence = say("{player} lost the unfinished section {anchor} towards {hex}.")
    seat: Seat
    anchor: str
    hex: str


class TownConnected(Event):
    """The first tile on a town raised its builder's income."""

    consequence = True
    sentence = say("{player} connected {town}: income {income}.")
    seat: Seat
    town: str
    income: int


to_reader(
    "{player} placed New City {letter} on {town} instead of New City {old}.",
    player="You placed New City {letter} on {town} instead of New City {old}.",
)
to_reader("{player} placed New City {letter} on {town}.", player="You placed New City {letter} on {town}.")
to_reader("{player} turned track on {hex} for ${price}.", player="You turned track on {hex} for ${price}.")
to_reader("{player} built on {hex} for ${price}.", player="You built on {hex} for ${price}.")
to_reader("{player} built the link {name} for ${price}.", player="You built the link {name} for ${price}.")
to_reader("New link of {player}: {a}–{b}.", player="Your new link: {a}–{b}.")
to_reader("{player} built no track.", player="You built no track.")
to_reader("{player} paid ${paid} and has ${cash}.", player="You paid ${paid} and have ${cash}.")
to_reader(
    "{player} built {n} tile for ${paid} ({hexes}) and has ${cash}.",
    player=(
        "You built {n} tile for ${paid} ({hexes}) and have ${cash}.",
        "You built {n} tiles for ${paid} ({hexes}) and have ${cash}.",
    ),
)
to_reader(
    "{player} lost the unfinished section {anchor} towards {hex}.",
    player="You lost your unfinished section {anchor} towards {hex}.",
)
to_reader("{player} connected {town}: income {income}.", player="You connected {town}: your income is {income}.")
