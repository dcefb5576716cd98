"""Reads the parts that orders of all games on these boards share: places, players, directions, track."""

from collections.abc import Callable, Iterable
from typing import ClassVar, Final, Generic, TypeVar

from pbem.engine import Seat, say
from pbem.engine.reading import Reader, Span, Unknown
from pbem.rails.board import Label
from pbem.rails.names import Names, looks_like_label

N = TypeVar("N", bound=Names)

PLACE_EXPECTED: Final = say("A place is expected here: a hex label, or the name of a City or town.")
PLAYER_EXPECTED: Final = say("A player is expected here, by name or by colour.")
TRACK_EXPECTED: Final = say("A hyphen and the other end of the track are expected here.")


class BoardReader(Reader, Generic[N]):
    """A text of orders read with the names of one position."""

    cube_colours: ClassVar[tuple[str, ...]]

    def __init__(self, text: str, lexicon: N) -> None:
        super().__init__(text)
        self.lexicon = lexicon

    def place_name(self, symbols: str, words: Iterable[str] = ()) -> Span:
        """The name of a place: a hex label alone, or everything up to one of the symbols or words."""
        here = self.here
        if here.kind == "word" and (here.text in self.lexicon.board.hexes or looks_like_label(here.text)):
            return self.one()
        return self.name(symbols, words, PLACE_EXPECTED)

    def place(self, kind: Callable[[str], Label], symbols: str, words: Iterable[str] = ()) -> Label:
        """A place, looked up by one of the methods of the lexicon."""
        return self.meaning(self.place_name(symbols, words), kind)

    def player(self, symbols: str, words: Iterable[str] = ()) -> Seat:
        return self.meaning(self.name(symbols, words, PLAYER_EXPECTED), self.lexicon.seat)

    def colour(self) -> str:
        if self.closed:
            raise self.bad(say("A colour is expected here: {colours}.", colours=self.cube_colours))
        return self.meaning(self.one(), lambda text: colour(text, self.cube_colours))

    def edge(self) -> int:
        """A direction of the board, as the number of its edge."""
        found = self.word(*self.lexicon.board.direction_words)
        if found is None:
            directions = self.lexicon.board.directions
            raise self.bad(say("The directions of this board are {directions}.", directions=directions))
        return self.lexicon.board.edge(found)

    def segment(self) -> tuple[int, int]:
        """Track from side to side, ``SW-NE``: the edges it joins, the smaller first."""
        first = self.edge()
        self.need("-", TRACK_EXPECTED)
        place = self.here
        second = self.edge()
        if first == second:
            raise self.bad_at(place, say("Track joins two different sides of a hex."))
        return min(first, second), max(first, second)


def colour(text: str, colours: tuple[str, ...]) -> str:
    """One of the colours of cubes in its canonical spelling."""
    said = text.casefold().replace("grey", "gray")
    if said not in colours:
        raise Unknown(say("Cubes are {colours}.", colours=colours))
    return said
