"""Tiles, land, and what lies on a hex and ends at it, in words: for the pages on which track is built."""

from collections.abc import Iterable, Mapping, Sequence
from enum import Enum

from pbem.engine import Place, Say, Seat, Value, Who, say
from pbem.rails.board import Board, Label
from pbem.rails.hexes import TOWN, opposite
from pbem.rails.tiles import Ends
from pbem.rails.track import Chain


class From(Enum):
    """What new track on a hex goes on from, the most useful first."""

    END = "an open end of one's own points here"
    TURN = "one's own track ends here and can be turned"
    TOWN = "a town with track of one's own, on this hex or beside it"
    CITY = "a City beside it"
    ELSE = "anything else"


class Hexes(Value):
    """The hexes of a position as the seat sees them that builds. ``cities``: hexes of Cities, New Cities too."""

    board: Board
    chains: Sequence[Chain]
    cities: frozenset[Label]
    seat: Seat

    def said(self, label: Label) -> tuple[Say, ...]:
        """A sentence for every section that ends at the hex or lies on it, one's own first."""
        ending = [(chain, edge) for chain in self.chains for edge in self._ends_at(chain, label)]
        ending.sort(key=lambda found: found[0].owner != self.seat)
        sentences = [self._ending(chain, edge) for chain, edge in ending]
        on_it = (chain for chain in self.chains if any(piece.hex == label for piece in chain.pieces))
        return (*sentences, *(self._lying(chain) for chain in sorted(on_it, key=lambda c: c.owner != self.seat)))

    def builds_from(self, label: Label) -> From:
        own = [chain for chain in self.chains if chain.owner == self.seat]
        unfinished = [chain for chain in own if not chain.complete]
        if any(self._ends_at(chain, label) for chain in unfinished):
            return From.END
        if label in {hex_ for chain in unfinished for hex_, _ in chain.open}:
            return From.TURN
        ends = {end for chain in own for end in chain.ends}
        towns = (ends & self.board.towns.keys()) - self.cities
        if towns & {label, *self.board.neighbours[label]}:
            return From.TOWN
        return From.CITY if self.near(label) else From.ELSE

    def near(self, label: Label) -> tuple[Label, ...]:
        beside = (n for n in self.board.neighbours[label] if n is not None and n in self.cities)
        return tuple(dict.fromkeys(self.board.city_at.get(n, n) for n in beside))

    def _ends_at(self, chain: Chain, label: Label) -> Iterable[int]:
        """The sides of the hex at which the section ends in front of it."""
        if chain.complete:
            return ()
        beyond = self.board.neighbours
        return tuple(opposite(edge) for hex_, edge in chain.open if beyond[hex_][edge] == label)

    def _ending(self, chain: Chain, edge: int) -> Say:
        start, side = Place(chain.anchor or ""), self.board.directions[edge]
        if chain.owner == self.seat:
            return say("Your section from {place} ends here, on the {side} side.", place=start, side=side)
        if chain.owner is None:
            return say("A section without owner from {place} ends here, on the {side} side.", place=start, side=side)
        return say(
            "A section of {player} from {place} ends here, on the {side} side.",
            player=Who(chain.owner), place=start, side=side,
        )  # fmt: skip

    def _lying(self, chain: Chain) -> Say:
        a, b = chain.ends
        if a is not None and b is not None and a != b:
            ends = {"a": Place(a), "b": Place(b)}
            if chain.owner == self.seat:
                return say("Your link {a}–{b} runs here.", **ends)
            if chain.owner is None:
                return say("The link {a}–{b} without owner runs here.", **ends)
            return say("A link of {player} runs here: {a}–{b}.", player=Who(chain.owner), **ends)
        start = Place(chain.anchor or chain.pieces[0].hex)
        if chain.owner == self.seat:
            return say("Your unfinished section from {place} lies here.", place=start)
        if chain.owner is None:
            return say("An unfinished section without owner from {place} lies here.", place=start)
        return say("An unfinished section of {player} from {place} lies here.", player=Who(chain.owner), place=start)


SHAPES: Mapping[str, Say] = {
    "straight": say("straight"),
    "gentle": say("gentle curve"),
    "acute": say("sharp curve"),
    "cross_straight_straight": say("crossing of two straights"),
    "cross_gentle_straight": say("crossing of a straight and a gentle curve"),
    "cross_gentle_gentle": say("crossing of two gentle curves"),
    "coexist_gentle_gentle": say("two gentle curves side by side"),
    "coexist_straight_acute": say("straight and sharp curve side by side"),
    "coexist_gentle_acute_1": say("gentle and sharp curve side by side"),
    "coexist_gentle_acute_2": say("gentle and sharp curve side by side"),
}
TERRAIN: Mapping[str, Say] = {
    "plain": say("plain"),
    "river": say("river"),
    "mountain": say("mountain"),
    "hill": say("hill"),
    "swamp": say("swamp"),
    "dark_mountain": say("high mountain"),
    "difficult": say("difficult"),
    "very_difficult": say("very difficult"),
}


def ends_said(board: Board, ends: Ends) -> str:
    """A segment as orders write it: ``SW-NE``, ``@-N``."""
    return "-".join("@" if end == TOWN else board.directions[end] for end in ends)
