"""What the names in an order stand for: places, players, directions, colours, actions.

A :class:`Lexicon` is made for one position. Its methods raise :class:`pbem.engine.reading.Unknown` with a
sentence, and with the list where a name fits several things.
"""

from __future__ import annotations

import re
import unicodedata
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from functools import cached_property
from typing import Final

from pbem.age_of_steam.moves import ACTIONS
from pbem.engine.moves import Seat
from pbem.engine.reading import DASH, LONGEST_NAME, Unknown
from pbem.engine.text import Who, say
from pbem.rails.board import Board, Connection, Label

COLOURS: Final = ("red", "blue", "purple", "yellow", "black", "white")
"""Colours of cubes."""
NOBODY: Final = "nobody"
"""The owner of an ownerless link."""
_SHORTEST_BEGINNING: Final = 3
_MOST_HYPHENS: Final = 8
_LABEL = re.compile(r"[A-Za-z]{1,2}[0-9]{1,3}")
_LETTERED = re.compile(r"([^()]{3,}) \(([A-Za-z])\)")
# letters that are not a plain letter with an accent for Unicode, although they look like one
_PLAIN = str.maketrans({"ł": "l", "ø": "o", "đ": "d", "ð": "d", "ı": "i", "ħ": "h", "æ": "ae", "œ": "oe", "þ": "th"})


def looks_like_label(text: str) -> bool:
    """Whether this has the form of a hex label, on whatever board."""
    return _LABEL.fullmatch(text) is not None


def folded(name: str) -> str:
    """A name without accents, case, spaces and punctuation; empty if nothing is left or it is far too long."""
    if len(name) > LONGEST_NAME:
        return ""
    letters = unicodedata.normalize("NFKD", unicodedata.normalize("NFKD", name).casefold()).translate(_PLAIN)
    return "".join(letter for letter in letters if letter.isalnum())


@dataclass(frozen=True, kw_only=True)
class Lexicon:
    """The names of one position.

    ``new_cities``: the hex of every New City on the board, by its letter. ``names``: the players' names by
    seat; leave it empty to read orders that name seats by colour only, as records and buttons do, so that a
    player called "Red" cannot be mistaken for the red seat.
    """

    board: Board
    seats: tuple[Seat, ...]
    new_cities: Mapping[str, Label] = field(default_factory=dict)
    names: Mapping[Seat, str] = field(default_factory=dict)

    def with_city(self, letter: str, label: Label) -> Lexicon:
        """After New City ``letter`` was placed on ``label``; a New City there before is gone."""
        others = {old: place for old, place in self.new_cities.items() if place != label}
        return replace(self, new_cities={**others, letter: label})

    @cached_property
    def _named(self) -> tuple[tuple[str, str, Label], ...]:
        """Folded name, printed name and label of every City and town."""
        printed = [(city.name, city.label) for city in self.board.cities.values()]
        printed += [(name, label) for label, name in self.board.towns.items()]
        return tuple((folded(name), name, label) for name, label in printed if folded(name))

    # places

    def hex(self, text: str) -> Label:
        """A hex by its label, or by the name of the City, New City or town on it; a letter alone is no hex."""
        if looks_like_label(text):
            return self._label(text)
        return self.node(text) if len(folded(text)) > 1 else self._by_name(text, frozenset())

    def node(self, text: str) -> Label:
        """A City, New City or town by label, name or letter; a City of several hexes goes by its first label."""
        return self._node(text, frozenset())

    def town(self, text: str) -> Label:
        """As :meth:`node` in a place where only a town can stand."""
        return self._node(text, frozenset(self.board.towns))

    def city(self, text: str) -> Label:
        """As :meth:`node` in a place where only a City or New City can stand."""
        return self._node(text, frozenset(self.board.cities) | frozenset(self.new_cities.values()))

    def _node(self, text: str, fitting: frozenset[Label]) -> Label:
        if looks_like_label(text):
            label = self._label(text)
            return self.board.city_at.get(label, label)
        if lettered := _LETTERED.fullmatch(text):
            return self._lettered(lettered[1], lettered[2].upper())
        letter = folded(text).removeprefix("newcity").upper()
        if len(letter) == 1 and letter.isascii() and letter.isalpha():
            if letter not in self.new_cities:
                raise Unknown(say("New City {letter} is not on the board.", letter=letter))
            return self.new_cities[letter]
        return self._by_name(text, fitting)

    def _lettered(self, name: str, letter: str) -> Label:
        """``Toledo (D)``, as New Cities are called in mails."""
        label = self.node(name)
        if self.new_cities.get(letter) != label:
            raise Unknown(say("New City {letter} is not there.", letter=letter))
        return label

    def _label(self, text: str) -> Label:
        label = text.upper()
        if label not in self.board.hexes:
            raise Unknown(say("This board has no hex {label}.", label=label))
        return label

    def _by_name(self, text: str, fitting: frozenset[Label]) -> Label:
        wanted = folded(text)
        fits = [(name, label) for fold, name, label in self._named if fold == wanted]
        if not fits and len(wanted) >= _SHORTEST_BEGINNING:
            fits = [(name, label) for fold, name, label in self._named if fold.startswith(wanted)]
        if len(fits) > 1:
            fits = [(name, label) for name, label in fits if label in fitting] or fits
        if not fits:
            raise Unknown(say("No City or town on this board is called that; three letters of a name are enough."))
        if len(fits) > 1:
            listed = tuple(f"{name} ({label})" for name, label in sorted(fits)[:12])
            raise Unknown(say("This name fits several places: {places}.", places=listed))
        return fits[0][1]

    def link(self, text: str) -> str:
        """The printed name of a special link, from that name or from the two places it joins (``A-B``).

        Two places that no link joins give ``LABEL-LABEL``: readable, and for the rules to refuse.
        """
        wanted = folded(text)
        links = self.board.connections.values()
        found = {link.name for link in links if wanted and folded(link.name) == wanted}
        pairs = _pairs(text)
        if not found:
            found = {link.name for link in links for pair in pairs if self._joins(link, *pair)}
        if len(found) == 1:
            return found.pop()
        if found:
            raise Unknown(say("This fits several special links: {links}.", links=tuple(sorted(found))))
        return self._no_link(pairs)

    def _joins(self, link: Connection, first: str, second: str) -> bool:
        a, b = link.joins
        return (self._fits(first, a) and self._fits(second, b)) or (self._fits(first, b) and self._fits(second, a))

    def _fits(self, text: str, label: Label) -> bool:
        wanted = folded(text)
        if text.strip().upper() == label or self.new_cities.get(wanted.removeprefix("newcity").upper()) == label:
            return True
        return any(
            fold == wanted or (len(wanted) >= _SHORTEST_BEGINNING and fold.startswith(wanted))
            for fold, _, place in self._named
            if place == label
        )

    def _no_link(self, pairs: Iterable[tuple[str, str]]) -> str:
        for first, second in pairs:
            try:
                return f"{self.node(first)}-{self.node(second)}"
            except Unknown:
                continue  # this hyphen may belong to a name and another one part the two
        links = tuple(sorted({link.name for link in self.board.connections.values()}))
        if not links:
            raise Unknown(say("This board has no special links."))
        raise Unknown(say("This board has no such link; its special links are {links}.", links=links))

    # players

    def seat(self, text: str) -> Seat:
        """A player by name, or by seat colour where no player has that name."""
        said = text.strip().casefold()
        players = [(seat, self.names[seat]) for seat in self.seats if seat in self.names]
        named = [seat for seat, name in players if name.strip().casefold() == said]
        if not named and said in self.seats:
            return said
        if not named and (wanted := folded(text)):
            named = [seat for seat, name in players if folded(name) == wanted]
        if len(named) > 1:
            raise Unknown(say("Several players have this name; say their colours: {seats}.", seats=tuple(named)))
        if not named:
            raise Unknown(say("No player is called that; there are {players}.", players=tuple(map(Who, self.seats))))
        return named[0]

    def is_player(self, text: str) -> bool:
        """Whether this names a player of the game."""
        try:
            return bool(self.seat(text))
        except Unknown:
            return False

    def owner(self, text: str) -> Seat:
        """The owner of a link: a player, or ``nobody`` for an ownerless link whatever players are called."""
        return NOBODY if folded(text) == NOBODY else self.seat(text)

    def in_seat_order(self, seats: Iterable[Seat]) -> tuple[Seat, ...]:
        """Each of the seats once, in the order of the table."""
        return tuple(sorted(set(seats), key=self.seats.index))


def colour(text: str) -> str:
    """A colour of cubes in its canonical spelling."""
    if (said := text.casefold()) in COLOURS:
        return said
    raise Unknown(say("Cubes are {colours}.", colours=COLOURS))


def by_colour(colours: Iterable[str]) -> tuple[str, ...]:
    """Cubes in the canonical order of their colours."""
    return tuple(sorted(colours, key=COLOURS.index))


def action(text: str) -> str:
    """An action by its name or a unique beginning of it."""
    wanted = folded(text)
    fits = [name for name in ACTIONS if wanted and folded(name).startswith(wanted)]
    if not fits:
        raise Unknown(say("The actions are {actions}.", actions=ACTIONS))
    if len(fits) > 1:
        raise Unknown(say("This fits several actions: {actions}.", actions=tuple(fits)))
    return fits[0]


def _pairs(text: str) -> list[tuple[str, str]]:
    """Both sides of every hyphen, as long as there are few enough to stand in names."""
    dashes = list(DASH.finditer(text[:LONGEST_NAME]))
    return [(text[: dash.start()], text[dash.end() :]) for dash in dashes] if len(dashes) <= _MOST_HYPHENS else []
