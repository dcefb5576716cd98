"""Figures of a map: cash, shares and cubes at the start, and what the kinds of tiles cost on each kind of land."""

from __future__ import annotations

from pbem.age_of_steam.picture import simple_prices
from pbem.age_of_steam.proposals import Placement
from pbem.age_of_steam.rules import Rules
from pbem.age_of_steam.state import State
from pbem.engine.map_figures import MapFigures
from pbem.engine.text import Say, count_say, say
from pbem.rails.board import Label
from pbem.rails.tiles import TILE_OF, tile_class

TILES = (
    # TRANSLATORS: Head of a column: the price of a tile with one piece of track.
    ("simple", say("Simple")),
    # TRANSLATORS: Head of a column: the price of a tile with two pieces of track that do not cross.
    ("coexist", say("Two tracks")),
    # TRANSLATORS: Head of a column: the price of a tile on which two pieces of track cross.
    ("cross", say("Crossing")),
)


def map_figures(rules: Rules, dealt: State) -> MapFigures:
    """The figures of a map, from a game just dealt."""
    player = dealt.players[dealt.order[0]]
    bag = sum(dealt.bag.values())
    lying = sum(map(len, (*dealt.cubes.values(), *dealt.accepts.values())))
    waiting = sum(cube is not None for boxes in dealt.display.values() for cube in boxes)
    shares = count_say("{n} share", "{n} shares", player.shares)
    cubes = say("{n}, {bag} of them in the bag", n=bag + lying + waiting, bag=bag)
    return MapFigures(
        (
            (
                say("Start"),
                say("${cash}, {shares}, engine {engine}", cash=player.cash, shares=shares, engine=player.engine),
            ),
            (say("Cubes"), cubes),
        ),
        tuple(head for _, head in TILES),
        {
            kind: (price, *(_price(rules, dealt, label, tile) for tile, _ in TILES[1:]))
            for kind, (label, price) in simple_prices(rules).items()
        },
    )


def _price(rules: Rules, dealt: State, label: Label, kind: str) -> Say:
    """What tiles of a kind cost on an empty hex: the one price, or from the least to the most."""
    prices = {
        rules.placement_price(dealt, dealt.order[0], Placement(label, tile, "", tuple(sorted(segments))))
        for segments, tile in TILE_OF.items()
        if tile_class(tile) == kind and rules.tiles_in_box(dealt).get(tile)
    }
    if len(prices) > 1:
        return say("${least} to ${most}", least=min(prices), most=max(prices))
    return say("${price}", price=min(prices)) if prices else say("none")
