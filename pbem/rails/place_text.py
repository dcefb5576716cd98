"""A place or a hex of the board and what lies beside it, in the words of the position."""

from collections.abc import Iterator
from typing import Any, Final

from pbem.engine import Seat, Who, say
from pbem.engine.position_text import NOBODY, Fixed, Line, Section, listed
from pbem.rails.board import CLOSED, Label
from pbem.rails.board_text import CITY, CONNECTIONS, LAND, PRICE, TOWN, UNPRICED
from pbem.rails.hexes import opposite
from pbem.rails.scene import SpecialLink
from pbem.rails.sheet import MapSheet
from pbem.rails.track import Chain, Piece
from pbem.rails.walks import Ends, middle, walk_of

NEW_CITY, BESIDE, LINKS = "New City", "Beside", "Links that end here"
CLOCKWISE, OFF, SIDE, AWAY = "clockwise", "off the board", "closed side", "not to this side"
HERE, TRACK, NO_TRACK, HEXES = "Track here", "track", "no track", "hexes"
WORDS: Final = (NEW_CITY, BESIDE, CLOCKWISE, LINKS, OFF, SIDE, AWAY, HERE, TRACK, NO_TRACK, HEXES)


def sections(sheet: MapSheet[Any, Any], state: Any, seat: Seat | None, label: Label) -> tuple[Section, ...]:
    """What a hex is and what lies there; what is beside it; links and connections that end there. ``label``: of a City
    the first of its hexes. ``seat``: who would build there."""
    around = _Around(sheet, state, seat, label)
    beside: Line = (Fixed(BESIDE), f" {around.names.get(label, label)}, ", Fixed(CLOCKWISE))
    parts = (
        Section((Fixed(LINKS),), tuple(around.links())),
        Section((Fixed(CONNECTIONS),), tuple(around.connections())),
    )
    return (
        Section(around.head(), tuple(around.here())),
        Section(beside, tuple(around.sides())),
        *(part for part in parts if part.lines),
    )


class _Around:
    """A City or another hex in a position, as a player sees it who builds."""

    def __init__(self, sheet: MapSheet[Any, Any], state: Any, seat: Seat | None, label: Label) -> None:
        self.sheet, self.state, self.seat, self.label = sheet, state, seat, label
        self.board, self.net, self.names = sheet.board, sheet.net(state), sheet.place_names(state)
        self.places = Ends(self.board, self.names, self.net.new_cities)
        self.hexes = self.board.cities[label].hexes if label in self.board.cities else (label,)
        self.specials: tuple[SpecialLink, ...] = sheet.scene(state).links
        self.chains = {piece: chain for chain in self.net.chains for piece in chain.pieces}

    def head(self) -> Line:
        if self.label in self.names:
            return (" ".join((self.names[self.label], *self.hexes)), ", ", self._kind(self.label))
        land: Line = (f"{self.label}, ", self._kind(self.label))
        if not self._priced(self.label):
            return land
        return (*land, ", ", say("{price} for a first simple tile", price=self.sheet.price_words(self.label)))

    def here(self) -> Iterator[Line]:
        """What lies on the hex, whose track, and why the player may not build there."""
        if contents := self.sheet.contents(self.state, self.label):
            yield contents
        for chain in self._through(self.label):
            yield (Fixed(HERE), ": ", *self._track(chain))
        yield from self._refused(self.label)

    def sides(self) -> Iterator[Line]:
        for hex_ in self.hexes:
            for edge, beyond in enumerate(self.board.neighbours[hex_]):
                if beyond is None or beyond not in self.hexes:
                    side = self.board.directions[edge]
                    subject = side if len(self.hexes) == 1 else f"{hex_} {side}"
                    yield (f"{subject}: ", *listed(self._side(hex_, edge, beyond), "; "))

    def links(self) -> Iterator[Line]:
        """Complete links of the place, those without tiles too, by the name of the other end."""
        found: list[tuple[Label, Line]] = []
        for link in self.net.links_from(self.label):
            found.append((link.ends[1], (*_owner(link.owner), ", ", Fixed(HEXES), f" {len(link.pieces)}")))
        for special in self.specials:
            if self.label in special.joins and (special.public or special.owner is not None):
                found.append((self._other(special.joins), (*_owner(special.owner), ", ", *self._middle(special.id))))
        for end, line in sorted(found, key=lambda link: self.names[link[0]]):
            yield (f"{self.names[end]}: ", *line)

    def connections(self) -> Iterator[Line]:
        """Those that can still be bought from the place; for the hex of a ferry the ferry, with its owner."""
        for special in self.specials:
            bought = special.public or special.owner is not None
            if self.label == special.hex or (self.label in special.joins and not bought):
                ends = special.joins if self.label == special.hex else (self._other(special.joins),)
                last: Line = _owner(special.owner) if bought else (Fixed(PRICE), f" {special.price}")
                yield (", ".join(self.names[end] for end in ends), ": ", *self._middle(special.id), ", ", *last)

    def _other(self, joins: tuple[Label, Label]) -> Label:
        return joins[joins[0] == self.label]

    def _middle(self, connection: str) -> Line:
        return middle(self.board.connections[connection])

    def _kind(self, label: Label) -> Fixed:
        if label in self.net.new_cities:
            return Fixed(NEW_CITY)
        if label in self.net.cities:
            return Fixed(CITY)
        return Fixed(TOWN if label in self.board.towns else LAND[self.board.hexes[label].terrain])

    def _priced(self, label: Label) -> bool:
        land = label in self.board.open_sides and label not in self.names
        return land and self.board.hexes[label].terrain not in UNPRICED

    def _side(self, hex_: Label, edge: int, beyond: Label | None) -> Iterator[Line]:
        """The clauses of a side: what is beyond, what track there is, and why the player may lead none there."""
        if beyond is None:
            yield (Fixed(OFF),)
            return
        if beyond in self.places.by_hex:
            yield (f"{self.names[self.net.cities.get(beyond, beyond)]} {beyond}, ", self._kind(beyond))
        elif self._priced(beyond):
            yield (f"{beyond}, ", self._kind(beyond), " ", self.sheet.price_words(beyond))
        else:
            yield (f"{beyond}, ", self._kind(beyond))
        if self.board.hexes[hex_].terrain in CLOSED or self.board.hexes[beyond].terrain in CLOSED:
            return
        if edge not in self.board.open_sides[hex_]:
            yield (Fixed(SIDE),)
        yield self._touching(hex_, edge, beyond)
        yield from self._refused(beyond, hex_, edge)

    def _refused(self, label: Label, before: Label | None = None, edge: int = 0) -> Iterator[Line]:
        """Why the player may not build on a hex, or lead track to it from the one before."""
        if self.seat is None or label in self.net.cities or label not in self.board.open_sides:
            return
        refusal = self.sheet.refuse_hex(self.state, self.seat, label)
        if refusal is None and before is not None:
            refusal = self.sheet.refuse_end(self.state, self.seat, before, edge)
        if refusal is not None:
            yield (refusal.why,)

    def _touching(self, hex_: Label, edge: int, beyond: Label) -> Line:
        """The track beyond a side, and that which leads from this hex to the side; first what touches the side."""
        touching = dict.fromkeys(self._at(beyond, opposite(edge)) + self._at(hex_, edge))
        others = (chain for chain in self._through(beyond) if chain not in touching)
        said = [self._track(chain) for chain in touching]
        said += [(*self._track(chain), ", ", Fixed(AWAY)) for chain in others]
        return (Fixed(TRACK), ": ", *listed(said, "; ")) if said else (Fixed(NO_TRACK),)

    def _through(self, hex_: Label) -> tuple[Chain, ...]:
        """The track that lies on a hex."""
        lying = self.net.track.get(hex_, ())
        return tuple(dict.fromkeys(self.chains[Piece(hex_, *segment.ends)] for segment in lying))

    def _at(self, hex_: Label, edge: int) -> tuple[Chain, ...]:
        """The track on a hex that ends at a side of it."""
        segment = self.net.segment(hex_, edge)
        return () if segment is None else (self.chains[Piece(hex_, *segment.ends)],)

    def _track(self, chain: Chain) -> Line:
        return (*_owner(chain.owner), ", ", *walk_of(self.net, self.places, chain)[1])


def _owner(seat: Seat | None) -> Line:
    return (Fixed(NOBODY) if seat is None else Who(seat),)
