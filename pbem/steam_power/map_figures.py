"""Figures of a map: money, contracts, trains and factories at the start, and what tiles cost."""

from __future__ import annotations

from pbem.engine.map_figures import MapFigures
from pbem.engine.text import count_say, say
from pbem.steam_power.picture import land_prices
from pbem.steam_power.rules import Rules
from pbem.steam_power.state import State


def map_figures(rules: Rules, dealt: State) -> MapFigures:
    """The figures of a map."""
    hand = count_say("{n} contract", "{n} contracts", rules.start_hand)
    trains = count_say("{n} train", "{n} trains", rules.trains)
    factories = count_say("{n} factory", "{n} factories", rules.factories)
    return MapFigures(
        (
            (say("Start"), say("${cash}, {contracts}", cash=rules.start_cash, contracts=hand)),
            (say("Pieces of each player"), say("{trains}, {factories}", trains=trains, factories=factories)),
            (say("Contracts in the game"), say("{n}", n=len(rules.contracts))),
        ),
        (say("Any tile"),),
        {kind: (say("${price}", price=price),) for kind, price in land_prices(rules).items()},
    )
