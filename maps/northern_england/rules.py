"""Northern England (2 to 5 players; designed for 3 or 4).

1. All rules are those of the base game.
2. The map and the contracts are our own design, not the published ones.
3. Manchester and Bolton, Leeds and Bradford, Newcastle and Sunderland, Nottingham and Derby are adjacent Cities: as
   soon as any connection ends at one of the two, both are open.
"""

from pbem.steam_power.game import SteamPower
from pbem.steam_power.solo import SoloSteamPower


class NorthernEngland(SteamPower):
    """1 to 3. Nothing is bent: Cities, land and water are printed on the board."""


class NorthernEnglandSolo(SoloSteamPower):
    """The same board for one player with five companies."""


SHEETS = (NorthernEngland, NorthernEnglandSolo)
