"""The build page: a draft that lives in the address, one link for every hex, tile and step."""

from __future__ import annotations

from collections.abc import Sequence
from dataclasses import dataclass
from typing import Any

from pbem.engine import Place, Say, replace, say
from pbem.rails.board import Label
from pbem.rails.builder import BuildHex, BuildTile, Draft, NewCityChoice, builder_of
from pbem.rails.hex_words import From, Hexes
from pbem.rails.track import Track, hexes_of
from pbem.render import MapGeometry
from pbem.render.palette import PLAYERS, code
from pbem.robot.links import LinkProposal, proposals
from pbem.views.games import GameView
from pbem.web.boards import spots
from pbem.web.boards.drafts import Steps
from pbem.web.boards.pictures import geometry_of, map_picture, sample
from pbem.web.turns.addresses import Addresses

SHOWN = 8
"""Tiles with a picture at once; the others lie under "more"."""
BEST = 5
"""New links that are shown at once, the best ones; all of them are listed by price."""
BY_PRICE = "price"
"""What the address says where all new links are listed, the cheapest first."""


@dataclass(frozen=True, slots=True)
class Wish:
    """What the address says: the steps so far, the chosen hex, the chosen New City, whether all new links are
    listed, the cheapest first."""

    steps: Steps
    hex: Label
    letter: str
    cheapest: bool = False


@dataclass(frozen=True, slots=True)
class HexLink:
    label: Label
    words: str
    tiles: int
    cheapest: int
    url: str
    own_end: bool
    start: From = From.ELSE


@dataclass(frozen=True, slots=True)
class OverlayHex:
    """A hex that can be clicked on the picture; ``points`` are its corners for an SVG, ``city``: the letter of the New
    City that comes upon it."""

    label: Label
    url: str
    title: Say
    points: str
    kinds: str
    city: str = ""


@dataclass(frozen=True, slots=True)
class TileCard:
    """A tile to add; without ``url`` it costs too much."""

    tile: BuildTile
    picture: str
    url: str
    ghost: str


@dataclass(frozen=True, slots=True)
class DraftAddress:
    """Where the page of a draft is, called with another draft, hex or letter. ``steps``: those that are legal.

    Without its path, which is that of this page: there are some hundred such links, each with a long token.
    """

    addresses: Addresses
    beside: int | None
    steps: Steps

    def __call__(self, *, steps: Steps | None = None, hex: Label = "", letter: str = "", by: str = "") -> str:
        kept = self.steps if steps is None else steps
        url = self.addresses.page(
            build=self.beside,
            steps=";".join(kept) or None,
            hex=hex or None,
            new=letter or None,
            by=by or None,
        )
        return "?" + url.partition("?")[2]


class BuildPage:
    def __init__(self, game: GameView, addresses: Addresses, wish: Wish, beside: bool = False) -> None:
        """``beside``: the builder is one way among others, and its addresses say so."""
        self.game, self.wish, self.picture = game, wish, addresses.picture
        self.draft: Draft = builder_of(game.sheet).draft(game.state, wish.steps)
        self.built = [step for step in self.draft.steps if step.refusal is None]
        self.good: Steps = tuple(step.order for step in self.built)
        self.address = DraftAddress(addresses, 1 if beside else None, self.good)
        self.geometry: MapGeometry = geometry_of(game.sheet)
        scene = game.sheet.scene(self.draft.state)
        self.track: Track = scene.track
        cities = frozenset({*scene.board.city_at, *(plate.label for plate in scene.cities)})
        self.seat = game.waiting_for
        self.hexes = Hexes(scene.board, scene.chains, cities, self.seat)

    def values(self) -> dict[str, Any]:
        chosen = self._chosen()
        links = () if chosen else self._proposals()
        cards = [self._card(tile) for tile in self._tiles(chosen)]
        shown = links if self.wish.cheapest else links[:BEST]
        payable = [self._link(hex_) for hex_ in self.draft.hexes if hex_.affordable]
        letter = self._letter()
        return {
            "draft": replace(self.draft, state=None),
            "picture": map_picture(self.game, self.good, self.picture, self._here(chosen, links)),
            "overlay": self._towns_on_board(letter) if letter else [self._on_board(link, chosen) for link in payable],
            "towns": self._towns(letter) if letter else (),
            "chosen": chosen,
            "lies_there": self.hexes.said(chosen.label) if chosen else (),
            "tiles": cards[:SHOWN],
            "more": cards[SHOWN:],
            "groups": _groups(payable),
            "open_hexes": len(payable),
            "dear": [self._link(hex_) for hex_ in self.draft.hexes if not hex_.affordable],
            "links": [self._card(tile, drawn=False) for tile in self.draft.links],
            "letter": letter,
            "close": self.address(),
            "without_letter": self.address() + "#new-city",
            "proposals": [(link, self.address(steps=link.steps) + "#draft") for link in shown],
            "ghosts": [card.ghost for card in cards[:SHOWN]]
            or [spots.track(self.geometry, link.pieces) for link in shown[:SHOWN]],
            "links_in_all": len(links),
            "cheapest_first": self.wish.cheapest,
            "sorted_otherwise": (self.address() if self.wish.cheapest else self.address(by=BY_PRICE)) + "#links",
            "steps": [(step, self._without(at)) for at, step in enumerate(self.built)],
            "refused": [step for step in self.draft.steps if step.refusal is not None],
            "undo": self.address(steps=self.good[:-1]) + "#draft",
            "again": self.address(steps=()) + "#tiles",
            "address": self.address,
            "order": self.draft.order,
            "directions": sample(self.game.sheet).board.directions,
            "colour": code(PLAYERS[self.game.waiting_for].core),
        }

    def _proposals(self) -> Sequence[LinkProposal]:
        """New links to begin with, and further ones once the draft has completed one."""
        if self.draft.placed and (self.draft.problem or not self.draft.completed):
            return ()
        return proposals(self.game.sheet, self.game.state, self.seat, self.good, cheapest=self.wish.cheapest)

    def _chosen(self) -> HexLink | None:
        """The hex of the address; in a draft without one that completes no link, where own track is still open."""
        wanted = self.wish.hex
        for hex_ in self.draft.hexes:
            goes_on = self.good and not self.draft.completed and hex_.own_end and hex_.affordable
            if hex_.label == wanted or (not wanted and goes_on):
                return self._link(hex_)
        if wanted in self.geometry.centres:
            return HexLink(wanted, self.game.sheet.place_name(self.game.state, wanted), 0, 0, "", False)
        return None

    def _here(self, chosen: HexLink | None, links: Sequence[LinkProposal]) -> Sequence[Label]:
        """What a narrow screen shows of the board: the chosen hex, the draft, the ends of own track, or all of it."""
        if chosen:
            return (chosen.label,)
        draft = [label for step in self.good for label in step.split() if label in self.geometry.centres]
        ends = [hex_.label for hex_ in self.draft.hexes if hex_.own_end]
        return draft or ends or hexes_of(self.track, self.seat) or (links[0].ends if links else ())

    def _tiles(self, chosen: HexLink | None) -> Sequence[BuildTile]:
        if chosen is None or not chosen.url:
            return ()
        return builder_of(self.game.sheet).tiles_at(self.game.state, self.good, chosen.label)

    def _link(self, hex_: BuildHex) -> HexLink:
        kind = hex_.kind.read(self.game.voice)
        words = f"{kind}, {hex_.name}" if hex_.name and hex_.name not in (hex_.label, kind) else kind
        start = From.END if hex_.own_end else self.hexes.builds_from(hex_.label)
        if start is From.CITY:
            places = tuple(map(Place, self.hexes.near(hex_.label)))
            words = say("{kind}, by {cities}", kind=words, cities=places).read(self.game.voice)
        url = self.address(hex=hex_.label) + "#tiles"
        return HexLink(hex_.label, words, hex_.tiles, hex_.cheapest, url, hex_.own_end, start)

    def _on_board(self, link: HexLink, chosen: HexLink | None) -> OverlayHex:
        kinds = " end" if link.own_end else " track" if self.track.get(link.label) else ""
        if chosen is not None and link.label == chosen.label:
            kinds += " chosen"
        title = say("{hex}, from ${price}", hex=link.label, price=link.cheapest)
        return OverlayHex(link.label, link.url, title, spots.polygon(self.geometry, link.label), kinds)

    def _towns(self, choice: NewCityChoice) -> list[tuple[Say, Label, str]]:
        return [
            (name, label, self.address(steps=(order, *self.good)) + "#tiles") for order, label, name in choice.towns
        ]

    def _towns_on_board(self, choice: NewCityChoice) -> list[OverlayHex]:
        """While a town is chosen for a New City, the towns it can replace, and nothing else."""
        return [
            OverlayHex(
                label, url, say("New City {letter} on {town}", letter=choice.letter, town=name),
                spots.polygon(self.geometry, label), " end", choice.letter,
            )
            for name, label, url in self._towns(choice)
        ]  # fmt: skip

    def _card(self, tile: BuildTile, *, drawn: bool = True) -> TileCard:
        added = (*self.good, tile.order)
        picture = ghost = ""
        if drawn:
            picture = self.picture(
                "tile",
                steps=";".join(self.good) or None,
                hex=tile.hex,
                new=",".join(f"{a}.{b}" for a, b in tile.new),
            )
            ghost = spots.track(self.geometry, [(tile.hex, a, b) for a, b in tile.new])
        return TileCard(tile, picture, self.address(steps=added) + "#tiles" if tile.affordable else "", ghost)

    def _without(self, at: int) -> str:
        return self.address(steps=self.good[:at] + self.good[at + 1 :]) + "#draft"

    def _letter(self) -> NewCityChoice | None:
        return next((one for one in self.draft.new_cities if one.letter == self.wish.letter.upper()), None)


def _groups(links: Sequence[HexLink]) -> list[tuple[Say | str, list[HexLink]]]:
    """The list of hexes in the order of usefulness; empty groups are left out; where nothing is
    built yet, one needs no title."""
    titles = {
        From.END: say("Continue your unfinished track"),
        From.TURN: say("Turn the end of your unfinished track"),
        From.TOWN: say("From your towns"),
        From.CITY: say("From Cities"),
        From.ELSE: say("Elsewhere"),
    }
    found = [(title, [link for link in links if link.start is start]) for start, title in titles.items()]
    groups = [(title, hexes) for title, hexes in found if hexes]
    alone = len(groups) == 1 and groups[0][1][0].start in (From.CITY, From.ELSE)
    return [("", groups[0][1])] if alone else list(groups)
