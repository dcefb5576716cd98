"""Rust Belt (3 to 6 players).

1. All rules are those of the base game.
2. Pittsburgh and Wheeling begin with three cubes, every other City with two.
3. The Great Lakes are not land: no track can be laid on them or lead into them.
"""

from pbem.age_of_steam.game import AgeOfSteam


class RustBelt(AgeOfSteam):
    """1 to 3. Nothing is bent: starting cubes and lakes are printed on the board."""


SHEETS = (RustBelt,)
