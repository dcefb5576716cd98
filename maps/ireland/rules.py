"""Ireland (2 to 5 players; designed for 2 or 3).

1. All rules are those of the base game.
2. The map and the contracts are our own design, not the published ones.
3. Lough Neagh is water: no track can be laid on it or lead into it.
"""

from pbem.steam_power.game import SteamPower
from pbem.steam_power.solo import SoloSteamPower


class Ireland(SteamPower):
    """1 to 3. Nothing is bent: Cities, land and water are printed on the board."""


class IrelandSolo(SoloSteamPower):
    """The same board for one player with five companies."""


SHEETS = (Ireland, IrelandSolo)
