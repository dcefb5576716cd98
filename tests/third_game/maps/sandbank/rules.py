"""Sandbank (2 and 3 players).

1. The dune in the middle costs $2.
"""

from tests.third_game.game import LightRails


class Sandbank(LightRails):
    """1. The price is printed."""


SHEETS = (Sandbank,)
