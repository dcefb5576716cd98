"""What the names in an order stand for in one position: places, players, directions, colours, actions."""

import re
from collections.abc import Iterable, Mapping
from dataclasses import dataclass, field, replace
from typing import Final, Self

from typing_extensions import override

from pbem.engine import Seat, say
from pbem.engine.reading import DASH, LONGEST_NAME, Unknown
from pbem.rails.board import Connection, Label
from pbem.rails.names import SHORTEST_BEGINNING, Names, folded, looks_like_label

COLOURS: Final = ("red", "blue", "purple", "yellow", "black", "white")
NOBODY: Final = "nobody"
_MOST_HYPHENS: Final = 8
_LETTERED = re.compile(r"([^()]{3,}) \(([A-Za-z])\)")


@dataclass(frozen=True, kw_only=True)
class Lexicon(Names):
    """The names of one position. ``new_cities``: the hex of every New City on the board, by its letter."""

    new_cities: Mapping[str, Label] = field(default_factory=dict)

    def with_city(self, letter: str, label: Label) -> Self:
        """After New City ``letter`` was placed on ``label``; a New City there before is gone."""
        others = {old: place for old, place in self.new_cities.items() if place != label}
        return replace(self, new_cities={**others, letter: label})

    # places

    @override
    def hex(self, text: str) -> Label:
        """A hex by its label, or by the name of the City, New City or town on it; a letter alone is no hex."""
        if looks_like_label(text):
            return self.label(text)
        return self.node(text) if len(folded(text)) > 1 else self.by_name(text)

    @override
    def node(self, text: str) -> Label:
        """A City, New City or town by label, name or letter; a City of several hexes goes by its first label."""
        return self._node(text, frozenset())

    def town(self, text: str) -> Label:
        """As :meth:`node` in a place where only a town can stand."""
        return super().node(text) if looks_like_label(text) else self._node(text, frozenset(self.board.towns))

    def city(self, text: str) -> Label:
        """As :meth:`node` in a place where only a City or New City can stand."""
        if text in self.board.hexes or looks_like_label(text):
            return super().node(text)
        return self._node(text, frozenset(self.board.cities) | frozenset(self.new_cities.values()))

    def _node(self, text: str, fitting: frozenset[Label]) -> Label:
        if text in self.board.hexes or looks_like_label(text):
            return super().node(text)
        if lettered := _LETTERED.fullmatch(text):
            return self._lettered(lettered[1], lettered[2].upper())
        letter = folded(text).removeprefix("newcity").upper()
        if len(letter) == 1 and letter.isascii() and letter.isalpha():
            if letter not in self.new_cities:
                raise Unknown(say("New City {letter} is not on the board.", letter=letter))
            return self.new_cities[letter]
        return self.by_name(text, fitting)

    def _lettered(self, name: str, letter: str) -> Label:
        """``Toledo (D)``, as New Cities are called in mails."""
        label = self.node(name)
        if self.new_cities.get(letter) != label:
            raise Unknown(say("New City {letter} is not there.", letter=letter))
        return label

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
            fold == wanted or (len(wanted) >= SHORTEST_BEGINNING and fold.startswith(wanted))
            for fold, _, place in self.named
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

    def owner(self, text: str) -> Seat:
        """The owner of a link: a player, or ``nobody`` for an ownerless link whatever players are called."""
        if text in self.plain_seats:
            return text
        return NOBODY if text not in self.seats and folded(text) == NOBODY else self.seat(text)


def by_colour(colours: Iterable[str]) -> tuple[str, ...]:
    return tuple(sorted(colours, key=COLOURS.index))


def action(text: str, actions: tuple[str, ...]) -> str:
    """One of the actions by its name or a unique beginning of it."""
    wanted = folded(text)
    fits = [name for name in actions if wanted and folded(name).startswith(wanted)]
    if not fits:
        raise Unknown(say("The actions are {actions}.", actions=actions))
    if len(fits) > 1:
        raise Unknown(say("This fits several actions: {actions}.", actions=tuple(fits)))
    return fits[0]


def _pairs(text: str) -> list[tuple[str, str]]:
    """Both sides of every hyphen, as long as there are few enough to stand in names."""
    dashes = list(DASH.finditer(text[:LONGEST_NAME]))
    return [(text[: dash.start()], text[dash.end() :]) for dash in dashes] if len(dashes) <= _MOST_HYPHENS else []
