"""What can happen in the Western U.S. only."""

from typing_extensions import override

from pbem.engine import Say, Seat, Who, say, to_reader
from pbem.engine.events import Event


class Connected(Event):
    """East and West were joined; what each of these railroads gains."""

    players: tuple[Seat, ...]
    steps: int

    @override
    def text(self) -> Say:
        if not self.players:
            return say("East and West are joined by links without an owner: there is no bonus.")
        gains = tuple(say("{player} +{n}", player=Who(seat), n=self.steps) for seat in self.players)
        return say("The Transcontinental railroad is complete: {gains}.", gains=gains)


class BonusPaid(Event):
    """The bonus of an east-west delivery in cash (R80)."""

    consequence = True
    sentence = say("{player} receives $1 for the way between East and West.")
    seat: Seat


to_reader(
    "{player} receives $1 for the way between East and West.",
    player="You receive $1 for the way between East and West.",
)


class LotsDrawn(Event):
    """Lots for players who tied."""

    lots: tuple[Seat, ...]

    @override
    def text(self) -> Say:
        return say("Lots decide ties in the order {players}.", players=tuple(map(Who, self.lots)))
