"""What the names in an order stand for on any board; methods of :class:`Names` raise ``Unknown`` with a sentence."""

import re
import unicodedata
from collections.abc import Callable, Iterable, Mapping
from dataclasses import dataclass, field
from functools import cached_property, lru_cache
from typing import Final

from pbem.engine import Seat, Who, say
from pbem.engine.reading import LONGEST_NAME, Unknown
from pbem.rails.board import Board, Label

SHORTEST_BEGINNING: Final = 3
"""Letters of a name that are enough where they fit one place only."""
_LABEL = re.compile(r"[A-Za-z]{1,2}[0-9]{1,3}")
_TYPED = str.maketrans({"ä": "ae", "ö": "oe", "ü": "ue"})
"""How Germans write these letters where a keyboard lacks them."""
# letters that are not a plain letter with an accent for Unicode, although they look like one
_PLAIN = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ı": "i", "ħ": "h", "æ": "ae", "œ": "oe", "þ": "th"})


def looks_like_label(text: str) -> bool:
    """Whether this has the form of a hex label, on whatever board."""
    return _LABEL.fullmatch(text) is not None


def folded(name: str) -> str:
    """A name without accents, case, spaces and punctuation; empty if nothing is left or it is far too long."""
    return _folded(name) if len(name) <= LONGEST_NAME else ""


@lru_cache(maxsize=1024)
def _folded(name: str) -> str:
    letters = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", name).casefold()).translate(_PLAIN)
    return "".join(letter for letter in letters if letter.isalnum())


def spellings(name: str) -> tuple[str, ...]:
    """How a name can be typed, folded: Görlitz as Gorlitz and as Goerlitz."""
    return tuple(dict.fromkeys((folded(name), folded(unicodedata.normalize("NFC", name).casefold().translate(_TYPED)))))


@dataclass(frozen=True, kw_only=True)
class Names:
    """The names of one position.

    ``names``: the players' names by seat; leave it empty to read orders that name seats by colour only, as
    records and buttons do, so that a player called "Red" cannot be mistaken for the red seat.
    """

    board: Board
    seats: tuple[Seat, ...]
    names: Mapping[Seat, str] = field(default_factory=dict)

    @cached_property
    def named(self) -> tuple[tuple[str, str, Label], ...]:
        """Folded name, printed name and label of every City and town, once for every way to call it."""
        printed = {city.label: city.name for city in self.board.cities.values()} | dict(self.board.towns)
        called = [(name, label) for label, name in printed.items()]
        called += list(self.board.also_called.items())
        return tuple((fold, printed[label], label) for name, label in called for fold in spellings(name) if fold)

    @cached_property
    def plain_seats(self) -> frozenset[Seat]:
        """The seats whose colour nobody has for a name: this word always means them."""
        taken = {name.strip().casefold() for name in self.names.values()}
        return frozenset(seat for seat in self.seats if seat not in taken)

    # places

    def hex(self, text: str) -> Label:
        """A hex by its label, or by the name of the place on it."""
        return self.label(text) if looks_like_label(text) else self.by_name(text)

    def node(self, text: str) -> Label:
        """A City or town by label or name; a City of several hexes goes by its first label."""
        if text in self.board.hexes or looks_like_label(text):
            label = self.label(text)
            return self.board.city_at.get(label, label)
        return self.by_name(text)

    def label(self, text: str) -> Label:
        label = text if text in self.board.hexes else text.upper()
        if label not in self.board.hexes:
            raise Unknown(say("This board has no hex {label}.", label=label))
        return label

    def by_name(self, text: str, fitting: frozenset[Label] = frozenset()) -> Label:
        """A City or town by its name or a beginning of it; ``fitting`` decides where several have that name."""
        wanted = folded(text)
        fits = _once((name, label) for fold, name, label in self.named if fold == wanted)
        if not fits and len(wanted) >= SHORTEST_BEGINNING:
            fits = _once((name, label) for fold, name, label in self.named if fold.startswith(wanted))
        if len(fits) > 1:
            fits = [(name, label) for name, label in fits if label in fitting] or fits
        if not fits:
            raise Unknown(
                say("No City or town on this board has this name; the first three letters of a name are enough.")
            )
        if len(fits) > 1:
            listed = tuple(f"{name} ({label})" for name, label in sorted(fits)[:12])
            raise Unknown(say("This name fits several places: {places}.", places=listed))
        return fits[0][1]

    # players

    def seat(self, text: str) -> Seat:
        """A player by name, or by seat colour where no player has that name."""
        if text in self.plain_seats:
            return text
        said = text.strip().casefold()
        named = self._called(said, lambda name: name.strip().casefold())
        if not named and said in self.seats:
            return said
        named = named or self._called(folded(text), folded)
        if len(named) > 1:
            raise Unknown(say("Several players have this name; use their colours: {seats}.", seats=tuple(named)))
        if not named:
            raise Unknown(
                say("No player has this name; the players are {players}.", players=tuple(map(Who, self.seats)))
            )
        return named[0]

    def _called(self, said: str, plain: Callable[[str], str]) -> list[Seat]:
        """The players whose name is this when both are made plain; nobody is called nothing."""
        return [seat for seat in self.seats if said and seat in self.names and plain(self.names[seat]) == said]

    def is_player(self, text: str) -> bool:
        try:
            return bool(self.seat(text))
        except Unknown:
            return False

    def in_seat_order(self, seats: Iterable[Seat]) -> tuple[Seat, ...]:
        """Each of the seats once, in the order of the table."""
        return tuple(sorted(set(seats), key=self.seats.index))


def _once(places: Iterable[tuple[str, Label]]) -> list[tuple[str, Label]]:
    return list(dict.fromkeys(places))
