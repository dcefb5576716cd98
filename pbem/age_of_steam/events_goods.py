"""What can happen to goods: moved, produced, grown."""

from typing_extensions import override

from pbem.engine import Place, Say, Seat, Who, Word, count_say, say, to_reader
from pbem.engine.events import Event
from pbem.rails.track import Piece


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
        gains = tuple(gain_said(seat, n) for seat, n in self.gains)
        return say("{player} delivered {colour} from {start} to {goal}: {gains}.", gains=gains, **facts)


def gain_said(seat: Seat, n: int) -> Say:
    """Steps of income that a delivery brings; on some maps it costs the mover some."""
    return say("{player} +{n}", player=Who(seat), n=n) if n >= 0 else say("{player} −{n}", player=Who(seat), n=-n)


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


class MovePassed(Event):
    sentence = say("{player} moved nothing.")
    seat: Seat


class CubesDrawn(Event):
    """Production: what came out of the bag."""

    consequence = True
    sentence = say("{player} drew {cubes} for Production.")
    seat: Seat
    cubes: tuple[str, ...]


class ProductionDeclined(Event):
    sentence = say("{player} drew no cubes for Production.")
    seat: Seat


class CubesProduced(Event):
    """Production: the drawn cubes on boxes (colour, column, row from 1)."""

    seat: Seat
    puts: tuple[tuple[str, str, int], ...]

    @override
    def text(self) -> Say:
        puts = tuple(say("{colour} on {box}", colour=Word(c), box=f"{column}/{row}") for c, column, row in self.puts)
        return say("{player} put {puts}.", player=Who(self.seat), puts=puts)


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


class CubesReturned(Event):
    """Cubes of a place that a New City covers went back into the bag."""

    label: str
    cubes: tuple[str, ...]

    @override
    def text(self) -> Say:
        return say(
            "Back into the bag from {place}: {cubes}.", place=Place(self.label), cubes=tuple(map(Word, self.cubes))
        )


class DiceRolled(Event):
    """Goods growth: the dice of one half."""

    half: str
    dice: tuple[int, ...]

    @override
    def text(self) -> Say:
        if self.half == "light":
            return say("Dice of the light half: {dice}.", dice=tuple(sorted(self.dice)))
        return say("Dice of the dark half: {dice}.", dice=tuple(sorted(self.dice)))


class CubesGrew(Event):
    label: str
    cubes: tuple[str, ...]

    @override
    def text(self) -> Say:
        return say("{city} receives {cubes}.", city=Place(self.label), cubes=tuple(map(Word, self.cubes)))


to_reader(
    "{player} delivered {colour} from {start} to {goal}; nobody earned.",
    player="You delivered {colour} from {start} to {goal}; nobody earned.",
)
to_reader(
    "{player} delivered {colour} from {start} to {goal}: {gains}.",
    player="You delivered {colour} from {start} to {goal}: {gains}.",
)
to_reader("{player} +{n}", player="you +{n}")
to_reader(
    "{player} raised the engine to {n} link.",
    player=("You raised your engine to {n} link.", "You raised your engine to {n} links."),
)
to_reader("{player} moved nothing.", player="You moved nothing.")
to_reader("{player} drew {cubes} for Production.", player="You drew {cubes} for Production.")
to_reader("{player} drew no cubes for Production.", player="You drew no cubes for Production.")
to_reader("{player} put {puts}.", player="You put {puts}.")
to_reader("{player} put {cubes} on {place}.", player="You put {cubes} on {place}.")
